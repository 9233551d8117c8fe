"""Letters as coverage masks, from the one bundled font (DejaVu Sans Bold).

Letters rest on FreeType, which Pillow carries along. Its versions differ in hinting (nudging outlines onto the
pixel grid), so a letter is asked for once at 2048 pixels per em: there each unit of the font's design is one
pixel, every outline point already lies on the grid, and hinting has nothing to do. That master is then averaged
down to the size wanted in whole-number arithmetic, the same everywhere.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONT = Path(__file__).with_name("fonts") / "DejaVuSans-Bold.ttf"

_EM = 2048
_REDUCE = 8
"""Masters are kept at an eighth of the design size: 256 pixels per em, still several times any letter drawn."""


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The bundled font, laid out by Pillow itself (Raqm, the other way, is not on every machine)."""
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


@dataclass(frozen=True, slots=True)
class _Master:
    """A letter at 256 pixels per em: ink 0..255, its box's width and height in design units."""

    ink: NDArray[np.int64]
    width: int
    height: int


@lru_cache(maxsize=64)
def _master(letter: str) -> _Master:
    left, top, right, bottom = (int(edge) for edge in font(_EM).getbbox(letter))
    canvas = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(canvas).text((-left, -top), letter, fill=255, font=font(_EM))
    box = canvas.getbbox()
    if box is None:
        raise ValueError(f"the font draws nothing for {letter!r}")
    left, top, right, bottom = box
    rows, columns = -(-(bottom - top) // _REDUCE), -(-(right - left) // _REDUCE)
    tight = np.zeros((rows * _REDUCE, columns * _REDUCE), np.uint8)
    tight[: bottom - top, : right - left] = np.asarray(canvas)[top:bottom, left:right]
    sums = tight.reshape(rows, _REDUCE, -1).sum(axis=1, dtype=np.uint16)
    ink = sums.reshape(rows, columns, _REDUCE).sum(axis=2, dtype=np.int64) // _REDUCE**2
    return _Master(ink, right - left, bottom - top)


def fitted(letter: str, start: int, side: int) -> int:
    """The largest font size at most `start`, in steps of 2, at which the letter's ink fits a square of `side`.

    At least 8, however small the square.
    """
    master = _master(letter)
    largest = max(master.width, master.height)
    size = start
    while size > 8 and -(-largest * size // _EM) > side:
        size -= 2
    return max(size, 8)


def stroke(size: float) -> float:
    """How wide the thinnest straight stroke of a capital is at a font size: the foot of an L, thinner than its stem."""
    foot = _master("L").ink[:, -2]  # samples across the foot, near its end
    return float(foot.sum()) / 255 * _REDUCE * size / _EM


def coverage(letter: str, size: int, scale: int, side: int) -> NDArray[np.int64]:
    """How much of each pixel (0..255) the letter covers, its ink centred in a square of `side` pixels.

    The font size is `size / scale` pixels per em: `scale` allows for sizes between whole numbers.
    """
    master = _master(letter)
    pixel, sample = 2 * _EM * scale, 2 * _REDUCE * size
    rows = _summed(master.ink, _bounds(master.height * size, side, pixel), sample)
    both = _summed(rows.T, _bounds(master.width * size, side, pixel), sample).T
    return both // pixel**2


def _bounds(extent: int, side: int, pixel: int) -> NDArray[np.int64]:
    """Where pixels begin and end along one axis, if the ink's middle is to be theirs.

    The measure is one in which everything is whole, 1 / (2 * size) of a design unit: half a pixel is whole, and so is
    half the ink's extent, `extent`.
    """
    return extent - side * pixel // 2 + pixel * np.arange(side + 1)


def _summed(ink: NDArray[np.int64], bounds: NDArray[np.int64], sample: int) -> NDArray[np.int64]:
    """The ink between each two bounds down the first axis, each sample counting by how much of it lies there."""
    sums = np.zeros((len(ink) + 1, ink.shape[1]), np.int64)
    np.cumsum(ink, axis=0, out=sums[1:])
    number, part = np.divmod(np.clip(bounds, 0, len(ink) * sample), sample)
    padded = np.concatenate((ink, np.zeros_like(ink[:1])))
    return np.diff(sums[number] * sample + padded[number] * part[:, None], axis=0)
