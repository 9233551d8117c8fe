"""Soft-edged shapes laid over one another on a sheet of palette colours: the look of an app, at a palette's price.

A **cover** says how much of each pixel a shape takes, in steps from 0 to `STEPS`. A **sheet** is a picture in colour
numbers; laying a colour through a cover onto it mixes what is below with the new colour, and every mixture gets a
number when it first occurs. All of it is integer arithmetic, so that a sheet has the same bytes on every machine.
"""

from copy import copy
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw import letters
from snellen.draw.looks import Colour
from snellen.draw.png import encode

Pixels = NDArray[np.uint8]
Cover = NDArray[np.uint8]
Mask = NDArray[np.bool_]

STEPS = 6
_FINE = 4
"""Samples of a shape to a pixel, each way."""


class SoftCanvas:
    """A picture under construction."""

    def __init__(self, height: int, width: int, paper: Colour) -> None:
        self._colours: list[Colour] = []
        self._numbers: dict[Colour, int] = {}
        self._over: dict[Colour, NDArray[np.int16]] = {}
        self.pixels: Pixels = np.full((height, width), self._number(paper), np.uint8)

    def _number(self, colour: Colour) -> int:
        if colour not in self._numbers:
            if len(self._colours) == 256:
                raise ValueError("a sheet has room for 256 colours, mixtures included")
            self._numbers[colour] = len(self._colours)
            self._colours.append(colour)
        return self._numbers[colour]

    def fill(self, top: int, left: int, height: int, width: int, colour: Colour) -> None:
        """A rectangle with hard edges."""
        self.pixels[top : top + height, left : left + width] = self._number(colour)

    def lay(self, cover: Cover, top: int, left: int, colour: Colour) -> None:
        """Lay a colour through a cover whose corner is at (top, left)."""
        patch = self.pixels[top : top + cover.shape[0], left : left + cover.shape[1]]
        if patch.shape != cover.shape:
            raise ValueError("a shape leaves the sheet")
        if colour not in self._over:
            self._over[colour] = np.full(256 * (STEPS + 1), -1, np.int16)
        table, pairs = self._over[colour], patch.astype(np.int16) * np.int16(STEPS + 1) + cover
        mixed = table.take(pairs)
        missing = mixed < 0
        if missing.any():
            for pair in np.flatnonzero(np.bincount(pairs[missing])).tolist():
                below, step = divmod(pair, STEPS + 1)
                table[pair] = self._number(_mixed(self._colours[below], colour, step))
            mixed = table.take(pairs)
        patch[:] = mixed

    def copy(self) -> "SoftCanvas":
        """An independent copy: drawing on it leaves this canvas unchanged."""
        other = copy(self)
        other.pixels = self.pixels.copy()
        other._colours, other._numbers = self._colours.copy(), self._numbers.copy()
        other._over = {colour: table.copy() for colour, table in self._over.items()}
        return other

    def png(self) -> bytes:
        return encode(self.pixels, np.array(self._colours, np.uint8))


def _mixed(below: Colour, above: Colour, step: int) -> Colour:
    red, green, blue = (
        (a * (STEPS - step) + b * step + STEPS // 2) // STEPS for a, b in zip(below, above, strict=True)
    )
    return red, green, blue


def shade(colour: Colour, towards: Colour, percent: int) -> Colour:
    """A colour moved so many per cent towards another."""
    red, green, blue = ((a * (100 - percent) + b * percent + 50) // 100 for a, b in zip(colour, towards, strict=True))
    return red, green, blue


@lru_cache(maxsize=256)
def box(height: int, width: int, radius: int) -> Cover:
    """A rectangle that fills its window, with round corners."""
    far, round_to = _FINE * radius, 2 * _FINE * radius
    rows, columns = (_beyond(extent * _FINE, far) for extent in (height, width))
    return _reduced(rows[:, None] ** 2 + columns[None, :] ** 2 <= round_to**2)


def _beyond(extent: int, radius: int) -> NDArray[np.int64]:
    """How far each sample lies beyond the straight part of an edge, in half samples; 0 along it."""
    middles = 2 * np.arange(extent) + 1
    return np.maximum(np.maximum(2 * radius - middles, middles - 2 * (extent - radius)), 0)


@lru_cache(maxsize=256)
def disc(side: int, diameter: int) -> Cover:
    """A disc in the middle of a square window; the diameter is in quarters of a pixel."""
    offsets = 2 * np.arange(side * _FINE) + 1 - side * _FINE
    return _reduced(offsets[:, None] ** 2 + offsets[None, :] ** 2 <= diameter**2)


@lru_cache(maxsize=256)
def ring(side: int, outer: int, inner: int) -> Cover:
    """What a disc leaves when a smaller one is taken from its middle."""
    return disc(side, outer) - disc(side, inner)


@lru_cache(maxsize=1024)
def glyph(letter: str, size: int, side: int) -> Cover:
    """A letter, sign or short word, its ink in the middle of a square window; `size` is pixels per em."""
    return _steps(letters.coverage(letter, size, 1, side), 255)


@lru_cache(maxsize=256)
def fitted(letter: str, extent: int, side: int) -> Cover:
    """A letter or sign as large as fits a square of `extent`, in the middle of a window of `side`."""
    return glyph(letter, letters.fitted(letter, 3 * extent, extent), side)


@lru_cache(maxsize=256)
def _widened(data: bytes, side: int, reach: int) -> Cover:
    cover = np.frombuffer(data, np.uint8).reshape(-1, side)
    around = np.pad(cover, reach)
    span = range(-reach, reach + 1)
    near = [(down, right) for down in span for right in span if down * down + right * right <= reach * reach + 1]
    height, width = cover.shape
    shifted = [around[reach + d : reach + d + height, reach + r : reach + r + width] for d, r in near]
    widest: Cover = np.maximum.reduce(shifted)
    return widest


def widened(cover: Cover, reach: int) -> Cover:
    """A cover grown by so many pixels on all sides, within its window: for an outline below it."""
    return _widened(cover.tobytes(), cover.shape[1], reach)


def _reduced(mask: Mask) -> Cover:
    """The cover of a mask that has several samples to a pixel."""
    height, width = (extent // _FINE for extent in mask.shape)
    return _steps(mask.reshape(height, _FINE, width, _FINE).sum(axis=(1, 3), dtype=np.int64), _FINE**2)


def _steps(amount: NDArray[np.int64], whole: int) -> Cover:
    cover: Cover = ((amount * STEPS * 2 + whole) // (2 * whole)).astype(np.uint8)
    cover.setflags(write=False)
    return cover
