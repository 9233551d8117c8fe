"""Colour plates: a digit in dots of another hue, in dots of many lightnesses, with a decoy for whoever sees no colour.

Figure and ground take their lightness from the same few levels at random: at each level the figure's colour has the
CIEDE2000 difference asked for from a grey as light. But there are many ways to make a grey of a colour, and what is as
light by one of them is not by another (of three channels, two greys can be kept equal at most, and single channels
never). So the figure lies in the middle between those in use, and what is left of it is outdone: as on an oculist's
plates, another digit, drawn by lot, stands out in lightness by more than the figure does. Whoever goes by lightness
reads that one, which is the right one as often as any guess.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from snellen.draw import letters
from snellen.draw.coverage import FINE, cover, disc
from snellen.draw.sheet import USUAL, ChartPage, IndexedPixels, Pixels
from snellen.rng import stream
from snellen.tasks.acuity.draw.colour import away, difference, lab, shown, srgb

DIGITS = "0123456789"
LIGHTNESSES = (47.0, 51.0, 55.0, 59.0, 63.0, 67.0, 71.0, 75.0)
GREYS = {"Rec. 601": (0.299, 0.587, 0.114), "Rec. 709": (0.2126, 0.7152, 0.0722), "mean": (1 / 3, 1 / 3, 1 / 3)}
"""How greys are made of colours, as weights of red, green and blue."""
_LEVELS = 2.5
"""About so many levels of a screen are one step of CIELAB's lightness, in the middle."""
_OUTDONE, _AT_LEAST = 2.0, 5.0
"""The decoy stands out by so many times as much as the figure and so many levels more: enough to win where dots are few
and lightnesses scatter, little enough not to be seen before the colour is."""
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
class ColourPlate:
    """`hue` is a direction in CIELAB in degrees (0 red, 90 yellow, 180 green, 270 blue); the seed places the dots."""

    digit: str
    hue: float
    difference: float
    seed: int
    page: ChartPage = USUAL

    def __post_init__(self) -> None:
        if self.digit not in tuple(DIGITS):
            raise ValueError(f"a plate shows one digit, not {self.digit!r}")
        _ = inks(self)  # a colour that no screen shows is refused there


@lru_cache(maxsize=256)
def _inks(hue: float, wanted: float) -> Pixels:
    greys = [shown((light, 0.0, 0.0)) for light in LIGHTNESSES]
    low, high = _showing(hue, wanted)
    even = np.array(LIGHTNESSES) - (low + high) / 2 / _LEVELS
    figures = [shown(colour) for colour in away(even, hue, wanted)]
    return np.array([*greys, *figures], np.uint8)


@lru_cache(maxsize=256)
def _showing(hue: float, wanted: float) -> tuple[float, float]:
    """By how much the figure is lighter than its ground, in levels of a screen: by the grey that makes it darkest, and
    by the one that makes it lightest. By luminance it is not."""
    figures = away(LIGHTNESSES, hue, wanted)
    ground = srgb(figures * np.array([1.0, 0.0, 0.0]))
    off = [float(((srgb(figures) - ground) @ np.array(weights)).mean()) for weights in GREYS.values()]
    return min(0.0, *off), max(0.0, *off)


@dataclass(frozen=True, slots=True)
class Decoy:
    """A digit in lightness alone, and by how many steps of it its dots are moved, and the others the other way."""

    digit: str
    steps: float


def decoy(plate: ColourPlate) -> Decoy:
    """What whoever sees no colour is shown: any digit, whatever the plate's. Where there is no figure, nothing stands
    out: that plate is empty."""
    if not plate.difference:
        return Decoy(decoy_of(plate.seed), 0.0)
    low, high = _showing(plate.hue, plate.difference)
    levels = _OUTDONE * (high - low) / 2 + _AT_LEAST
    sign = 1 if stream(plate.seed, "decoy", "sign").chance() else -1
    return Decoy(decoy_of(plate.seed), sign * levels / _LEVELS / (LIGHTNESSES[1] - LIGHTNESSES[0]))


def decoy_of(seed: int) -> str:
    """The digit that stands out in lightness on plates of that seed."""
    return stream(seed, "decoy").choice(DIGITS)


def inks(plate: ColourPlate) -> Pixels:
    """The colours (RGB) of the ground's levels, then of the figure's."""
    return _inks(plate.hue, plate.difference)


def measured(plate: ColourPlate) -> float:
    """The difference from a grey as light that is really there, on average over the levels, as colours round to whole
    numbers."""
    figures = lab(inks(plate))[len(LIGHTNESSES) :]
    return float(difference(figures * np.array([1.0, 0.0, 0.0]), figures).mean())


def dots(plate: ColourPlate) -> tuple[Reals, NDArray[np.int64]]:
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
    places = np.stack((x.ravel(), y.ravel(), radius.ravel()), axis=1)[inside]
    moved = _moved(levels[inside], places, side, plate)
    ink = moved + len(LIGHTNESSES) * _in_digit(plate.digit, places, side)
    return places + np.array([plate.page.width // 2, plate.page.height // 2, 0]), ink


def _moved(levels: NDArray[np.int64], places: Reals, side: int, plate: ColourPlate) -> NDArray[np.int64]:
    """The dots' steps of lightness, those of the decoy moved up or down by half of what it takes, the others the other
    way, so that the plate as a whole stays as light as any. Parts of a step fall by lot."""
    there = decoy(plate)
    source = stream(plate.seed, "decoy", "dots")
    lots = np.array([source.between(0, 1) for _ in range(len(places))])
    push = np.where(_in_digit(there.digit, places, side), there.steps, -there.steps) / 2
    return np.asarray(np.clip(levels + np.floor(push + lots).astype(np.int64), 0, len(LIGHTNESSES) - 1))


def _nearest(x: Reals, y: Reals) -> Reals:
    """How far each dot of the lattice is from its nearest neighbour."""
    wide_x, wide_y = (np.pad(axis, 1, constant_values=np.inf) for axis in (x, y))
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


def _in_digit(digit: str, places: Reals, side: int) -> NDArray[np.bool_]:
    """Whether a dot's middle lies in the digit, which is two thirds of the plate high."""
    scale = _DESIGN / (side * 0.64)
    at = np.clip(np.floor(places[:, :2] * scale + _DESIGN / 2), 0, _DESIGN - 1).astype(np.int64)
    outside = np.abs(places[:, :2] * scale).max(axis=1) >= _DESIGN / 2
    return np.asarray(_master(digit)[at[:, 1], at[:, 0]] & ~outside)


@lru_cache(maxsize=256)
def _stamp(radius: float) -> NDArray[np.int64]:
    """A disc about the middle of its middle pixel, in fifteenths."""
    reach = int(radius) + 1
    whole = cover([disc(reach + 0.5, reach + 0.5, radius)]).on(2 * reach + 1, 2 * reach + 1)
    return (whole * _STEPS + FINE // 2) // FINE


def painted(plate: ColourPlate) -> IndexedPixels:
    """Number 0 is the paper; each ink has fifteen numbers, from a trace of it to the ink alone."""
    numbers = np.zeros((plate.page.height, plate.page.width), np.uint8)
    places, ink = dots(plate)
    for (x, y, radius), number in zip(places.tolist(), ink.tolist(), strict=True):
        stamp = _stamp(radius)
        reach = stamp.shape[0] // 2
        top, left = int(y) - reach, int(x) - reach
        window = numbers[top : top + stamp.shape[0], left : left + stamp.shape[1]]
        np.copyto(window, (stamp + number * _STEPS).astype(np.uint8), where=stamp > 0)
    paper, steps = np.array(PAPER, np.int64), np.arange(1, _STEPS + 1)[None, :, None]
    mixed = (2 * (paper * (_STEPS - steps) + inks(plate)[:, None, :] * steps) + _STEPS) // (2 * _STEPS)
    return IndexedPixels(numbers, np.concatenate((paper[None, :], mixed.reshape(-1, 3))).astype(np.uint8))


def words(plate: ColourPlate) -> str:
    if not plate.difference:
        return f"A plate of dots in greys of many lightnesses, {plate.page}. None has a hue, no digit stands out."
    return (
        f"A plate of dots in greys of many lightnesses, {plate.page}. The dots of another hue (direction {plate.hue:g}"
        f" degrees, CIEDE2000 difference {plate.difference:g}) form the digit {plate.digit}. By lightness alone,"
        f" whatever their hue, dots in the shape of a {decoy(plate).digit} stand out a little: a decoy."
    )
