"""Counting the parts of a thing from its pixels, by means that know nothing of how it was drawn.

Each kind has a **probe**: where to look (in thousandths of the picture, seen from the thing's middle) and what to
count there: runs along a line or an arc, changes of colour along a line, spots of a colour, lines that go right across.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import ceil, cos, floor, pi, radians, sin

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from snellen.tasks.bias.draw.things import ThingKind, ThingLook

Colour = tuple[int, int, int]
Place = tuple[float, float]
Pixels = NDArray[np.int16]
Places = NDArray[np.float64]
Probe = Callable[["Sight"], int]

INK: Colour = (38, 40, 54)
NEAR = 26
"""Colours no further from each other than this, in every channel, are taken for one."""


class Sight:
    """A picture, and where the thing in it is."""

    def __init__(self, data: bytes, look: ThingLook) -> None:
        self.rgb: Pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)
        self.size = len(self.rgb)
        self.look = look
        edges = [self.rgb[0], self.rgb[-1], self.rgb[:, 0], self.rgb[:, -1]]
        self.backdrop = sorted({tuple(colour) for edge in edges for colour in edge.tolist()})

    def seen(self, places: Places) -> Pixels:
        """The colours at places of the thing; beyond the picture's edge, those at its edge."""
        x, y = places.T * self.look.scale
        x = x * self.look.squeeze * (-1 if self.look.mirrored else 1)
        c, s = cos(radians(self.look.turn)), sin(radians(self.look.turn))
        right, down = c * x - s * y + self.look.shift[0] + 500, s * x + c * y + self.look.shift[1] + 500
        page = np.floor(np.stack((down, right), axis=1) * self.size / 1000).astype(np.int64)
        rows, columns = np.clip(page, 0, self.size - 1).T
        return self.rgb[rows, columns]


def line(begin: Place, end: Place, steps: int = 3000) -> Places:
    return np.linspace(begin, end, steps)


def arc(middle: Place, radius: float, begin: float = 0, end: float = 360, steps: int = 6000) -> Places:
    angles = np.radians(np.linspace(begin, end, steps))
    return np.stack((middle[0] + radius * np.cos(angles), middle[1] + radius * np.sin(angles)), axis=1)


def near(
    colours: Pixels, targets: Sequence[Sequence[int]], tolerance: int = NEAR, shaded: bool = True
) -> NDArray[np.bool_]:
    """Which colours are any of these, in light or (if `shaded`) in shade."""
    found = np.zeros(colours.shape[:-1], bool)
    for target, share in product(targets, (1, 0.84) if shaded else (1,)):
        # Channel by channel and in whole numbers: many pictures are looked at.
        bounds = [(ceil(share * value - tolerance), floor(share * value + tolerance)) for value in target]
        red, green, blue = (
            (low <= colours[..., k]) & (colours[..., k] <= high) for k, (low, high) in enumerate(bounds)
        )
        found |= red & green & blue
    return found


def lengths(mask: NDArray[np.bool_], closed: bool = False) -> list[int]:
    """How long each run is along a line; on a closed line the first may go on where the last began."""
    if closed and not mask.all():
        mask = np.roll(mask, -int(np.argmin(mask)))
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return [int(end - begin) for begin, end in edges.reshape(-1, 2)]


def runs(path: Places, gaps: Sequence[Place | Colour] = (), inks: Sequence[Colour] = (), least: float = 5) -> Probe:
    """Runs of what is not background along a path, nor one of the gaps (colours, or places to see them at); or, if inks
    are given, runs of these. Shorter ones than `least` thousandths are edges, no parts."""
    closed = bool(np.hypot(*(path[0] - path[-1])) < 1)
    unit = float(np.hypot(*np.diff(path, axis=0).T).mean())

    def count(sight: Sight) -> int:
        colours = sight.seen(path)
        if inks:
            mask = near(colours, inks)
        else:
            places = [gap for gap in gaps if len(gap) == 2]
            seen = [tuple(sight.seen(np.array([gap]))[0]) for gap in places]
            shades = [*seen, *(gap for gap in gaps if len(gap) == 3)]
            mask = ~near(colours, sight.backdrop, shaded=False)
            if shades:
                mask &= ~near(colours, shades)
        return sum(length * unit >= least for length in lengths(mask, closed))

    return count


def added(*probes: Probe) -> Probe:
    return lambda sight: sum(probe(sight) for probe in probes)


def bands(path: Places, least: float = 10, paper: bool = False) -> Probe:
    """Stretches of one colour along a path; those of the background count unless `paper`."""
    unit = float(np.hypot(*np.diff(path, axis=0).T).mean())

    def count(sight: Sight) -> int:
        colours = sight.seen(path)
        same = (np.abs(np.diff(colours, axis=0)) <= 2).all(axis=1)
        stretches = np.split(colours, np.flatnonzero(~same) + 1)
        return sum(
            len(stretch) * unit >= least and not (paper and near(stretch[:1], sight.backdrop, shaded=False).all())
            for stretch in stretches
        )

    return count


def spots(inks: Sequence[Colour], tolerance: int = NEAR, within: tuple[Place, Place] | None = None) -> Probe:
    """Spots of a colour that are small and do not touch the edge."""

    def count(sight: Sight) -> int:
        return sum(_spots(sight, near(sight.rgb, [ink], tolerance), within) for ink in inks)

    return count


def _spots(sight: Sight, mask: NDArray[np.bool_], within: tuple[Place, Place] | None) -> int:
    labels, _ = ndimage.label(mask)
    number = 0
    for label, (rows, columns) in enumerate(ndimage.find_objects(labels), start=1):
        small = max(rows.stop - rows.start, columns.stop - columns.start) < sight.size * 0.26
        inside = rows.start > 0 and columns.start > 0 and rows.stop < sight.size and columns.stop < sight.size
        area = int((labels[rows, columns] == label).sum())
        if small and inside and area > (sight.size * 0.014) ** 2:
            middle = (rows.start + rows.stop) / 2, (columns.start + columns.stop) / 2
            number += within is None or _within(sight, middle, within)
    return number


def _within(sight: Sight, pixel: Place, within: tuple[Place, Place]) -> bool:
    """Whether a pixel lies in a rectangle of the thing's places."""
    down, right = (part * 1000 / sight.size - 500 for part in pixel)
    right, down = right - sight.look.shift[0], down - sight.look.shift[1]
    c, s = cos(radians(sight.look.turn)), sin(radians(sight.look.turn))
    x, y = (c * right + s * down) / sight.look.scale, (c * down - s * right) / sight.look.scale
    x = x / sight.look.squeeze * (-1 if sight.look.mirrored else 1)
    (left, top), (far, bottom) = within
    return left <= x <= far and top <= y <= bottom


def checks(path: Places) -> Probe:
    """Fields in two colours by turns along a path: stretches of the two colours that are seen most."""
    unit = float(np.hypot(*np.diff(path, axis=0).T).mean())

    def count(sight: Sight) -> int:
        colours = sight.seen(path)
        inside = colours[~near(colours, sight.backdrop, 2, shaded=False)]
        kinds, many = np.unique(inside, axis=0, return_counts=True)
        return sum(
            sum(length * unit >= 20 for length in lengths(near(colours, [kinds[k]], 1, shaded=False)))
            for k in np.argsort(many)[-2:]
        )

    return count


def ruled(across: bool, inks: Sequence[Colour], share: float, wide: int = 1) -> Probe:
    """Lines that go right across the middle of a board: where most of a line of places has such a colour. `wide`: how
    wide a line is at least, in steps of 0.4 units; the blurred edge of a frame may have a line's colour."""

    def count(sight: Sight) -> int:
        along, off = np.linspace(-440, 440, 2200), np.linspace(-290, 290, 50)
        grid = np.stack(np.meshgrid(along, off, indexing="ij"), axis=-1)[:, :, :: 1 if across else -1]
        colours = sight.seen(grid.reshape(-1, 2)).reshape(len(along), len(off), 3)
        dark = near(colours, inks, 30, shaded=False).mean(axis=1) >= share
        return sum(length >= wide for length in lengths(dark))

    return count


def corners(sight: Sight) -> int:
    """Corners of a convex thing: how often its edge goes out and in on the way around."""
    angles = np.arange(720) * pi / 360
    reach = np.linspace(200, 420, 400)
    places = np.stack((np.outer(np.cos(angles), reach), np.outer(np.sin(angles), reach)), axis=-1)
    mask = ~near(sight.seen(places.reshape(-1, 2)), sight.backdrop, shaded=False).reshape(720, 400)
    edge = 400.0 - np.argmax(mask[:, ::-1], axis=1)
    waves = np.abs(np.fft.rfft(edge - edge.mean()))[:16]
    return int(np.argmax(waves))


WHITE: Colour = (252, 251, 249)
_ACROSS = 480
_SUDOKU = [(150, 154, 164), INK, (36, 52, 92), (60, 60, 66)]
_SIDES = {"ant": 150, "ladybird": 285, "dragonfly": 150}


def level(y: float, **more: object) -> Probe:
    return runs(line((-_ACROSS, y), (_ACROSS, y)), **more)  # type: ignore[arg-type]


def upright(x: float, begin: float = -_ACROSS, end: float = _ACROSS, **more: object) -> Probe:
    return runs(line((x, begin), (x, end)), **more)  # type: ignore[arg-type]


PROBES: Mapping[str, Probe] = {
    **{name: added(upright(-x), upright(x)) for name, x in _SIDES.items()},
    "spider": runs(arc((0, 40), 290)),
    "starfish": runs(arc((0, 0), 250)),
    "hand": runs(arc((0, 120), 230, -190, 38)),
    "paw-print": runs(arc((0, 100), 262, -180, 0)),
    "chess-board-rows": checks(line((20, -440), (20, 440))),
    "chess-board-columns": checks(line((-440, 20), (440, 20))),
    "sudoku-rows": lambda sight: ruled(False, _SUDOKU, 0.8)(sight) - 1,
    "sudoku-columns": lambda sight: ruled(True, _SUDOKU, 0.8)(sight) - 1,
    "go-board-rows": ruled(False, [(72, 52, 30)], 0.7, wide=5),
    "go-board-columns": ruled(True, [(72, 52, 30)], 0.7, wide=5),
    "xiangqi-rows": ruled(False, [(96, 44, 28)], 0.7),
    "xiangqi-columns": ruled(True, [(96, 44, 28)], 0.7),
    **{f"{name}-flag": bands(line((350, -257), (350, 257))) for name in ("us", "greece", "cuba", "liberia")},
    "zimbabwe-flag": bands(line((350, -257), (350, 257))),
    "us-canton": spots([WHITE]),
    "europe-flag": runs(arc((0, 0), 200), [(0, 0)]),
    "venezuela-flag": runs(arc((0, 285), 330, -135, -45), inks=[(250, 250, 250)]),
    "australia-flag": added(
        spots([WHITE], within=((-390, 8), (10, 205))), spots([WHITE], within=((10, -205), (395, 205)))
    ),
    "china-flag": spots([(255, 222, 40)]),
    "three-stripe-mark": level(120),
    "swoosh-mark": upright(-150),
    "ring-chain-mark": level(-82),
    "star-in-ring-mark": runs(arc((0, 0), 200)),
    "diamond-mark": runs(arc((0, 0), 195)),
    "trident": level(-150),
    "games-rings": added(level(-136), level(134)),
    "seven-of-hearts": spots([(206, 40, 48)], within=((-190, -320), (190, 320))),
    "clock": runs(arc((0, 0), 278), [(0, -335)]),
    "piano-white-keys": runs(line((-376, 170), (376, 170)), inks=[(252, 251, 247)]),
    "piano-black-keys": runs(line((-376, -30), (376, -30)), inks=[(34, 34, 40)], least=20),
    "guitar": runs(line((-110, 200), (110, 200)), inks=[(250, 246, 232)], least=3),
    "violin": runs(line((-80, 220), (80, 220)), inks=[(252, 248, 236)], least=3),
    "stave": upright(-300),
    "fork": level(-250),
    "traffic-light": upright(0, -358, 298, gaps=[(0, -358)]),
    "candlestick": level(-100),
    "stop-sign": corners,
    "star": runs(arc((0, 0), 230)),
    "snowflake": runs(arc((0, 0), 350)),
    "rainbow": bands(line((0, -235), (0, 170)), paper=True),
    "snowman": upright(0, -60, 350, inks=[INK]),
    "windmill": runs(arc((0, -110), 200), inks=[(150, 116, 82)]),
    "wind-turbine": runs(arc((0, -110), 180), inks=[(92, 116, 140), (110, 118, 128), (70, 100, 130)]),
    "ship-wheel": runs(arc((0, 0), 345)),
}


def counted(kind: ThingKind, data: bytes, look: ThingLook) -> int:
    """How many parts the picture shows."""
    sight = Sight(data, look)
    if kind.name in PROBES:
        return PROBES[kind.name](sight)
    if kind.stands is None:
        raise KeyError(kind.name)
    return level(kind.stands - 40)(sight)  # whatever stands on legs is cut through above its feet


def spots_on_paper(data: bytes, look: ThingLook) -> int:
    """How many separate things are before the background."""
    sight = Sight(data, look)
    return int(ndimage.label(~near(sight.rgb, sight.backdrop, 10, shaded=False), np.ones((3, 3)))[1])
