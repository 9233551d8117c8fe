"""One model behind several servers: readers of charts of many lines, each behind whatever its server does to a picture.

They share no code with what draws the charts, with the simulated eyes or with the analysis. Pillow opens, shrinks and
compresses the picture. Where letters stand is found on the picture as it was sent, so that a reader never loses its
line; what they are is seen on what arrives, through blur and noise, as the nearest of ten shapes that were taught. The
noise is the same for a letter of one size at one place, so that replies change only where pixels do; `restless` readers
have noise of their own in every call besides.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

Grey = NDArray[np.float64]
Server = Callable[[Image.Image], Image.Image]
Box = tuple[int, int, int, int]
_WIDE = 15
_COARSE = 36
"""Letters higher than this are looked at in this size."""


# Servers


def whole(picture: Image.Image) -> Image.Image:
    return picture


def cap(side: int, how: Image.Resampling = Image.Resampling.BICUBIC) -> Server:
    """No side longer."""
    return lambda picture: _shrunk(picture, max(1.0, max(picture.size) / side), how)


def by(factor: float, how: Image.Resampling = Image.Resampling.BICUBIC) -> Server:
    """Everything so many times smaller."""
    return lambda picture: _shrunk(picture, factor, how)


def jpeg(quality: int) -> Server:
    def handle(picture: Image.Image) -> Image.Image:
        sent = io.BytesIO()
        picture.convert("RGB").save(sent, "JPEG", quality=quality)
        return Image.open(io.BytesIO(sent.getvalue())).convert("L")

    return handle


def _shrunk(picture: Image.Image, factor: float, how: Image.Resampling) -> Image.Image:
    if factor == 1.0:
        return picture
    return picture.resize((round(picture.width / factor), round(picture.height / factor)), how)


# Readers


@dataclass
class ChartReader:
    """`server`: what happens to a picture before it is seen. `blur`: sigma in px of what arrives. `noise`: grey levels
    a pixel. `restless`: grey levels a pixel, other ones in every call, by `seed`."""

    shapes: dict[str, Grey]
    server: Server = whole
    blur: float = 0.5
    noise: float = 8.0
    restless: float = 0.0
    seed: int = 0
    calls: int = field(default=0, init=False)

    def __call__(self, parts: Sequence[bytes | str]) -> str:
        self.calls += 1
        chances = np.random.default_rng((self.seed, self.calls))
        data = next(part for part in parts if isinstance(part, bytes))
        names, known = list(self.shapes), np.stack(list(self.shapes.values()))
        said = []
        for k, line in enumerate(arriving(data, self.server, self.blur, self.noise), 1):
            seen = [letter + self.restless * _stretched_noise(chances, size) for letter, size in line]
            alike = (
                np.stack([unit_of(letter) for letter in seen]).reshape(len(seen), -1) @ known.reshape(len(known), -1).T
            )
            said.append(f"{k}: {' '.join(names[best] for best in alike.argmax(axis=1))}")
        return "\n".join(said)


@lru_cache(maxsize=32)
def arriving(data: bytes, server: Server, blur: float, noise: float) -> list[list[tuple[Grey, int]]]:
    """Every letter as it arrives, line by line: blurred, with the noise that it is always seen with, stretched to a
    little square; and how many pixels high it is."""
    picture, lines = _opened(data)
    arrived = server(picture)
    if arrived is picture and server is not whole:
        return arriving(data, whole, blur, noise)
    got = np.asarray(arrived)
    return [[_letter(got, picture.size, box, blur, noise) for box in line] for line in lines]


def _letter(got: NDArray[np.uint8], sent: tuple[int, int], box: Box, blur: float, noise: float) -> tuple[Grey, int]:
    across, down = got.shape[1] / sent[0], got.shape[0] / sent[1]
    left, top, right, bottom = box[0] * across, box[1] * down, box[2] * across, box[3] * down
    margin = int(np.ceil(3 * blur)) + 1
    y, x = max(0, int(top) - margin), max(0, int(left) - margin)
    part = got[y : int(np.ceil(bottom)) + margin, x : int(np.ceil(right)) + margin]
    seen = ndimage.gaussian_filter(255.0 - part, blur)
    size = min(_COARSE, max(2, round(max(right - left, bottom - top))))
    small = _stretched(seen, (left - x, top - y, right - x, bottom - y))
    return small + noise * _stretched_noise(np.random.default_rng([*box, size]), size), size


def _stretched(pixels: Grey, box: tuple[float, float, float, float]) -> Grey:
    picture = Image.fromarray(pixels.astype(np.float32))
    return np.asarray(picture.resize((_WIDE, _WIDE), Image.Resampling.BILINEAR, box=box), float)


def _stretched_noise(chances: np.random.Generator, size: int) -> Grey:
    """Noise of one grey level a pixel on a letter so many pixels high, stretched to the little square."""
    along = _stretching(size)
    return along @ chances.standard_normal((size, size)) @ along.T


@cache
def _stretching(size: int) -> Grey:
    identity = Image.fromarray(np.eye(size, dtype=np.float32))
    return np.asarray(identity.resize((size, _WIDE), Image.Resampling.BILINEAR), float)


def unit_of(picture: Grey) -> Grey:
    around: Grey = picture - picture.mean()
    return around / (float(np.sqrt((around**2).sum())) or 1.0)


@lru_cache(maxsize=4)
def _opened(data: bytes) -> tuple[Image.Image, list[list[Box]]]:
    """A picture as it was sent, and the boxes of its letters, line by line."""
    picture = Image.open(io.BytesIO(data)).convert("L")
    grey = np.asarray(picture)
    ink = grey != grey[0, 0]
    lines = []
    for top, bottom in _runs(ink.any(axis=1)):
        columns = _runs(ink[top:bottom].any(axis=0))
        lines.append([(left, top, right, bottom) for left, right in columns])
    return picture, lines


def _runs(there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], there.astype(np.int8), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def taught_shapes(letters: Sequence[tuple[bytes, str]]) -> dict[str, Grey]:
    """What letters look like, learned from pictures of single large ones."""
    shapes = {}
    for data, name in letters:
        picture, lines = _opened(data)
        boxes = [box for line in lines for box in line]
        around = (
            min(b[0] for b in boxes),
            min(b[1] for b in boxes),
            max(b[2] for b in boxes),
            max(b[3] for b in boxes),
        )
        shapes[name] = unit_of(_stretched(255.0 - np.asarray(picture, float), around))
    return shapes
