"""Lookers at eye charts: they get the bytes of a picture and the words of the question, and know pixels only.

They share no code with what draws charts and with the simulated eyes: pictures are opened and shrunk by Pillow, ink is
what differs from the commonest grey, letters and digits are matched to the nearest of some that were taught, rings and
stripes are looked at by where their ink lies. No colour is seen unless by whoever is given an eye for it.
"""

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from fakes.server import Mind, Part, lot

Grey = NDArray[np.float64]
Shrink = Callable[[Image.Image], Image.Image]
LETTERS = "CDHKNORSVZ"
_WIDE = 15
_CELLS = 32
_RINGS = ("right", "upper right", "up", "upper left", "left", "lower left", "down", "lower right")
_STRIPES = ("level", "leaning right", "upright", "leaning left")
_NAMED = (
    re.compile(r"showing the letter (\w)"),
    re.compile(r"(\w) in the middle,"),
    re.compile(r"gap pointing ([a-z ]+),"),
    re.compile(r"stripes are ([a-z ]+), one every"),
    re.compile(r"form the digit (\d)"),
)
_TOLD = re.compile(r"Give this answer in the form that the question asks for:\s*\n\n(.+?)\n\n", re.DOTALL)


@dataclass(frozen=True)
class Taught:
    """What letters and digits look like: of each a little picture, of mean nought and length one."""

    letters: Mapping[str, Grey]
    digits: Mapping[str, Grey]


def taught(letters: Iterable[tuple[bytes, str]], plates: Iterable[tuple[bytes, str]]) -> Taught:
    """Learned from pictures with what they show."""
    shown = {name: _unit(_box(_ink(_grey(data)))) for data, name in letters}
    sums: dict[str, Grey] = {}
    for data, name in plates:
        sums[name] = sums.get(name, np.zeros((_CELLS, _CELLS))) + _unit(_cells(_hue(Image.open(io.BytesIO(data)))))
    return Taught(shown, {name: _unit(each) for name, each in sums.items()})


def whole(picture: Image.Image) -> Image.Image:
    return picture


def long_edge(most: int) -> Shrink:
    """No side longer."""
    return lambda picture: _to(picture, min(1.0, most / max(picture.size)))


def megapixels(most: float) -> Shrink:
    """No larger area."""
    return lambda picture: _to(picture, min(1.0, sqrt(most * 1e6 / (picture.width * picture.height))))


def blocks(side: int, quality: int) -> Shrink:
    """As if sent as a poor JPEG: squares of 8 px are kept with few waves each. A picture that was shrunk before has
    them `side` px wide."""

    def packed(picture: Image.Image) -> Image.Image:
        sent = io.BytesIO()
        _to(picture, 8 / side).convert("L").save(sent, "JPEG", quality=quality)
        return Image.open(io.BytesIO(sent.getvalue()))

    return packed


def _to(picture: Image.Image, factor: float) -> Image.Image:
    if factor == 1.0:
        return picture
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


@dataclass(frozen=True)
class Looker:
    """Looks at a picture as it is after `shrink`. `hues`: whether it has an eye for colour. `counts`: how far it
    counts; what is more is that many."""

    taught: Taught
    shrink: Shrink = whole
    hues: bool = False
    counts: int = 1000

    def __call__(self, parts: Sequence[Part]) -> str:
        words = "\n\n".join(part for part in parts if isinstance(part, str))
        if told := _TOLD.search(words):
            return told[1]
        pictures = [part for part in parts if isinstance(part, bytes)]
        if not pictures:
            return self.reads(words)
        return self.looks(self.shrink(Image.open(io.BytesIO(pictures[0]))), words, lot(*parts))

    def reads(self, words: str) -> str:
        """An answer to a chart in words."""
        if "How many dots" in words:
            return str(words.partition("middles at")[2].count("("))
        if "Which pair" in words:
            steps = re.findall(r"([Uu]pper left|[Uu]pper right|[Ll]ower left|[Ll]ower right): upper bar at x = "
                               r"([\d.]+?), lower bar at x = ([\d.]+?\d)\b", words)  # fmt: skip
            return max(steps, key=lambda step: abs(float(step[1]) - float(step[2])))[0].lower() if steps else "?"
        return next((found[1] for pattern in _NAMED if (found := pattern.search(words))), "I do not know")

    def looks(self, picture: Image.Image, words: str, luck: float) -> str:
        if "Which digit" in words:
            return self._digit(picture, luck)
        grey = np.asarray(picture.convert("L"), dtype=float)
        ink = _ink(grey)
        if "How many dots" in words:
            return str(min(self.counts, _many(ink)))
        if not ink.any():
            return "nothing"
        if "How do the stripes run" in words:
            return _leaning(grey)
        if "Which pair" in words:
            return _pair(ink)
        if "in the middle?" in words:
            ink = _middle(ink)
        if "Where does the gap point" in words:
            return _gap(ink, luck)
        return _nearest(_box(ink), self.taught.letters)

    def _digit(self, picture: Image.Image, luck: float) -> str:
        cells = _cells(_hue(picture) if self.hues else _lightness(picture))
        return _nearest(cells, self.taught.digits) if cells.std() else "nothing" if self.hues else str(int(10 * luck))


def _grey(data: bytes) -> Grey:
    return np.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=float)


def _ink(grey: Grey) -> Grey:
    """How much every pixel differs from the page, which is its commonest grey; the most is one."""
    away = np.abs(grey - np.bincount(grey.astype(np.int64).ravel()).argmax())
    return away / away.max() if away.max() else away


def _box(ink: Grey) -> Grey:
    """The ink alone, stretched to a little square."""
    rows, columns = (np.flatnonzero((ink > 0.3).any(axis=axis)) for axis in (1, 0))
    cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.asarray(Image.fromarray(cut.astype(np.float32)).resize((_WIDE, _WIDE), Image.Resampling.BILINEAR), float)


def _unit(picture: Grey) -> Grey:
    around = picture - picture.mean()
    return around / (sqrt(float((around**2).sum())) or 1.0)


def _nearest(seen: Grey, known: Mapping[str, Grey]) -> str:
    unit = _unit(seen)
    return max(known, key=lambda name: float((unit * known[name]).sum()))


def _many(ink: Grey) -> int:
    return int(ndimage.label(ink > 0.5, np.ones((3, 3)))[1])


def _middle(ink: Grey) -> Grey:
    """The piece of ink nearest to the middle of the page, with what lies around it inside its box."""
    labels, many = ndimage.label(ink > 0.3, np.ones((3, 3)))
    middles = np.array(ndimage.center_of_mass(ink > 0.3, labels, range(1, many + 1)))
    nearest = 1 + int(np.argmin(((middles - np.array(ink.shape) / 2) ** 2).sum(axis=1)))
    return np.where(labels == nearest, ink, 0.0)


def _gap(ink: Grey, luck: float) -> str:
    """Across from where the ink of a ring lies on the whole."""
    rows, columns = (np.flatnonzero((ink > 0.3).any(axis=axis)) for axis in (1, 0))
    ys, xs = np.mgrid[0 : ink.shape[0], 0 : ink.shape[1]]
    left = (ink * xs).sum() / ink.sum() - (columns[0] + columns[-1]) / 2
    down = (ink * ys).sum() / ink.sum() - (rows[0] + rows[-1]) / 2
    if left == down == 0:
        return _RINGS[int(8 * luck)]
    return _RINGS[round(atan2(down, -left) / (pi / 4)) % 8]


def _leaning(grey: Grey) -> str:
    """Along which direction grey changes least."""
    down, across = np.gradient(grey)
    angle = atan2(2 * float((across * down).sum()), float((across**2 - down**2).sum())) / 2  # of the change, y down
    return _STRIPES[round((pi / 2 - angle) / (pi / 4)) % 4]


def _pair(ink: Grey) -> str:
    """The pair whose two bars stand the farthest from being in line."""
    steps: dict[str, float] = {}
    height, width = ink.shape
    for down, rows in (("upper", slice(0, height // 2)), ("lower", slice(height // 2, height))):
        for side, columns in (("left", slice(0, width // 2)), ("right", slice(width // 2, width))):
            part = ink[rows, columns]
            labels, many = ndimage.label(part > 0.2, np.ones((3, 3)))
            xs = [x for _, x in ndimage.center_of_mass(part, labels, range(1, many + 1))]
            steps[f"{down} {side}"] = abs(xs[0] - xs[-1]) if xs else 0.0
    return max(steps, key=lambda name: steps[name])


def _hue(picture: Image.Image) -> Grey:
    """How far every pixel is from grey, nought for the page; then how much of it is a dot."""
    rgb = np.asarray(picture.convert("RGB"), dtype=float)
    return np.stack([rgb.max(axis=2) - rgb.min(axis=2), _dots(rgb)])


def _lightness(picture: Image.Image) -> Grey:
    """How light every pixel of a dot is, as one who sees luminance alone (sRGB): dots, too, are told by that alone."""
    rgb = np.asarray(picture.convert("RGB"), dtype=float) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    light = np.cbrt(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return np.stack([light, (light < light[0, 0] - 0.1).astype(float)])


def _dots(rgb: Grey) -> Grey:
    return (np.abs(rgb - rgb[0, 0]).max(axis=2) > 40).astype(float)


def _cells(seen: Grey) -> Grey:
    """The mean over the dots of every cell of the plate, less that of all."""
    what, dots = seen
    if not dots.any():
        return np.zeros((_CELLS, _CELLS))
    what = (what - what[dots > 0].mean()) * dots
    means = [Image.fromarray(each.astype(np.float32)).resize((_CELLS, _CELLS), Image.Resampling.BOX)
             for each in (what, dots)]  # fmt: skip
    above, below = (np.asarray(each, dtype=float) for each in means)
    return np.where(below > 0.05, above / np.maximum(below, 0.05), 0.0)


def always(answer: str) -> Mind:
    """Says one thing, whatever is asked."""
    return lambda parts: answer


def seeing_things(mind: Mind) -> Mind:
    """Never says that there is nothing: names something instead."""

    def sees(parts: Sequence[Part]) -> str:
        said = mind(parts)
        return said if said not in ("nothing", "0") else "K" if "letter" in str(parts[-1]) else "3"

    return sees


_CHAT = (
    "the letter is {low}.",
    "**{said}**",
    "Looking closely at the page, I would say it is {said}. It is not entirely clear, but {said} is my best guess.",
    "{low}",
    "Answer: {said}",
    "I can make out strokes on a white ground.\n\nSo my answer is: {said}.",
    "It's “{said}”.",
    "{said}\n",
)


def chatting(mind: Mind) -> Mind:
    """Wraps its answers in words of all sorts."""

    def chats(parts: Sequence[Part]) -> str:
        said = mind(parts)
        return _CHAT[int(lot("chat", *parts) * len(_CHAT))].format(said=said, low=said.lower())

    return chats


def refusing(mind: Mind, share: float) -> Mind:
    """Declines a share of all requests."""
    sorry = "I'm sorry, but I can't help with identifying what is in this image."
    return lambda parts: sorry if lot("refuse", *parts) < share else mind(parts)
