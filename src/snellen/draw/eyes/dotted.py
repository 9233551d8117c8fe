"""Colour plates: a digit in dots of another hue, in dots of many lightnesses.

Figure and ground take their lightness from the same few levels at random, so that lightness never shows the digit: at
each level the figure's colour has the CIEDE2000 difference asked for from a grey as light.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from snellen.draw import letters
from snellen.draw.eyes.colour import away, difference, lab, shown
from snellen.draw.eyes.coverage import FINE, cover, disc
from snellen.draw.eyes.sheet import USUAL, Drawn, Page, Pixels
from snellen.rng import stream

DIGITS = "0123456789"
LIGHTNESSES = (50.0, 53.0, 56.0, 59.0, 62.0, 65.0, 68.0, 71.0)
PAPER = (246, 246, 246)
_STEPS = 15
_ACROSS = 34
"""Dots across the plate."""
_JITTER, _FATTEST = 0.25, 0.46
"""In parts of the dots' distance; small enough that only next neighbours could ever touch."""
_PHASES = 4
_DESIGN = 256
"""The digit is looked up in a master of this side."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Plate:
    """`hue` is a direction in CIELAB in degrees (0 red, 90 yellow, 180 green, 270 blue); the seed places the dots."""

    digit: str
    hue: float
    difference: float
    seed: int
    page: Page = USUAL

    def __post_init__(self) -> None:
        if self.digit not in tuple(DIGITS):
            raise ValueError(f"a plate shows one digit, not {self.digit!r}")
        _ = inks(self)  # a colour that no screen shows is refused there


@lru_cache(maxsize=256)
def _inks(hue: float, wanted: float) -> Pixels:
    greys = [shown((light, 0.0, 0.0)) for light in LIGHTNESSES]
    figures = [shown(colour) for colour in away(LIGHTNESSES, hue, wanted)]
    return np.array([*greys, *figures], np.uint8)


def inks(plate: Plate) -> Pixels:
    """The colours (RGB) of the ground's levels, then of the figure's."""
    return _inks(plate.hue, plate.difference)


def measured(plate: Plate) -> float:
    """The difference that is really there, on average over the levels, as colours round to whole numbers."""
    colours = lab(inks(plate))
    many = len(LIGHTNESSES)
    return float(difference(colours[:many], colours[many:]).mean())


def dots(plate: Plate) -> tuple[Reals, NDArray[np.int64]]:
    """The dots (x, y, radius; places in whole pixels and a half), and the number of each one's ink.

    They stand on a lattice of triangles, each pushed about; a dot reaches half way to its nearest neighbour.
    """
    source = stream(plate.seed, "plate", plate.page.width, plate.page.height)
    side = min(plate.page.width, plate.page.height)
    pitch = side * 0.94 / _ACROSS
    rows, columns = round(_ACROSS / sqrt(0.75)) + 2, _ACROSS + 2
    turns = np.array([source.between(0, 2 * pi) for _ in range(rows * columns)]).reshape(rows, columns)
    pushes = np.array([source.between(0, _JITTER) for _ in range(rows * columns)]).reshape(rows, columns) * pitch
    levels = np.array([source.below(len(LIGHTNESSES)) for _ in range(rows * columns)])
    down, right = np.mgrid[0:rows, 0:columns].astype(np.float64)
    x = (right - (columns - 1) / 2 + down % 2 / 2 - 0.25) * pitch + pushes * np.cos(turns)
    y = (down - (rows - 1) / 2) * sqrt(0.75) * pitch + pushes * np.sin(turns)
    x, y = np.floor(x) + 0.5, np.floor(y) + 0.5
    near = np.minimum(_nearest(x, y) / 2 - 1, _FATTEST * pitch)
    radius = np.floor(near * _PHASES) / _PHASES
    inside = np.hypot(x, y).ravel() + radius.ravel() <= side * 0.48
    found = np.stack((x.ravel(), y.ravel(), radius.ravel()), axis=1)[inside]
    ink = levels[inside] + len(LIGHTNESSES) * _in_digit(plate.digit, found, side)
    return found + np.array([plate.page.width // 2, plate.page.height // 2, 0]), ink


def _nearest(x: Reals, y: Reals) -> Reals:
    """How far each dot of the lattice is from its nearest neighbour."""
    wide_x, wide_y = (np.pad(one, 1, constant_values=np.inf) for one in (x, y))
    rows, columns = x.shape
    best = np.full(x.shape, np.inf)
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            if (down, right) != (1, 1):
                other = np.s_[down : down + rows, right : right + columns]
                np.minimum(best, np.hypot(wide_x[other] - x, wide_y[other] - y), out=best)
    return best


@lru_cache(maxsize=16)
def _master(digit: str) -> NDArray[np.bool_]:
    size = letters.fitted(digit, 3 * _DESIGN // 2, _DESIGN)
    return letters.coverage(digit, size, 1, _DESIGN) > 127


def _in_digit(digit: str, found: Reals, side: int) -> NDArray[np.bool_]:
    """Whether a dot's middle lies in the digit, which is two thirds of the plate high."""
    scale = _DESIGN / (side * 0.64)
    at = np.clip(np.floor(found[:, :2] * scale + _DESIGN / 2), 0, _DESIGN - 1).astype(np.int64)
    outside = np.abs(found[:, :2] * scale).max(axis=1) >= _DESIGN / 2
    return np.asarray(_master(digit)[at[:, 1], at[:, 0]] & ~outside)


@lru_cache(maxsize=256)
def _stamp(radius: float) -> NDArray[np.int64]:
    """A disc about the middle of its middle pixel, in fifteenths."""
    reach = int(radius) + 1
    whole = cover([disc(reach + 0.5, reach + 0.5, radius)]).on(2 * reach + 1, 2 * reach + 1)
    return (whole * _STEPS + FINE // 2) // FINE


def painted(plate: Plate) -> Drawn:
    """Number 0 is the paper; each ink has fifteen numbers, from a trace of it to the ink alone."""
    numbers = np.zeros((plate.page.height, plate.page.width), np.uint8)
    found, ink = dots(plate)
    for (x, y, radius), number in zip(found.tolist(), ink.tolist(), strict=True):
        stamp = _stamp(radius)
        reach = stamp.shape[0] // 2
        top, left = int(y) - reach, int(x) - reach
        window = numbers[top : top + stamp.shape[0], left : left + stamp.shape[1]]
        np.copyto(window, (stamp + number * _STEPS).astype(np.uint8), where=stamp > 0)
    paper, steps = np.array(PAPER, np.int64), np.arange(1, _STEPS + 1)[None, :, None]
    mixed = (2 * (paper * (_STEPS - steps) + inks(plate)[:, None, :] * steps) + _STEPS) // (2 * _STEPS)
    return Drawn(numbers, np.concatenate((paper[None, :], mixed.reshape(-1, 3))).astype(np.uint8))


def words(plate: Plate) -> str:
    return (
        f"A plate of dots in greys of many lightnesses, {plate.page}. The dots of another hue (direction {plate.hue:g}"
        f" degrees, CIEDE2000 difference {plate.difference:g}) form the digit {plate.digit}."
    )
