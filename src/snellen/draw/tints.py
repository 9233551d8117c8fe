"""Icons dyed: a car is red, blue or green as a picture wants it.

An icon comes in numbers of a palette, so a dye is a table from numbers to numbers: every colour of about the icon's
own hue goes to the dye's colour, as light and as pale as it was, and all others (windows, wheels, leaves) stay. Only
icons that are of one hue throughout can be dyed. All of it is arithmetic of whole numbers, the same on every machine.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw.looks import Colour

Pixels = NDArray[np.uint8]
Ints = NDArray[np.int64]

DYES: Mapping[str, Colour] = {
    "red": (226, 50, 44),
    "yellow": (250, 200, 30),
    "green": (62, 164, 66),
    "blue": (44, 112, 222),
    "purple": (142, 76, 190),
    "pink": (246, 138, 186),
}
"""Colours that nobody takes for one another."""

HUES: Mapping[str, int] = {
    "backpack": 5,
    "balloon": 5,
    "bell": 45,
    "bucket": 195,
    "butterfly": 195,
    "cap": 205,
    "car": 355,
    "crayon": 5,
    "guitar": 5,
    "high heeled shoe": 5,
    "key": 45,
    "radio": 35,
    "scarf": 5,
    "scooter": 45,
    "star": 45,
    "suitcase": 195,
    "tall boot": 15,
    "teapot": 5,
    "telephone": 5,
    "tent": 35,
}
"""The icons that can be dyed, with their own hue in degrees."""

_NEAR = 32
_PALEST, _DARKEST, _FULL = 51, 38, 191
"""A colour is of a hue at all from this saturation and brightness (of 255) on; from `_FULL` on the dye is pure."""


@cache
def dye(name: str, colour: str, colours: bytes) -> Pixels:
    """For each number of the palette (RGB after RGB), the number that the dyed icon has there. Read-only."""
    palette = np.frombuffer(colours, np.uint8).reshape(-1, 3).astype(np.int64)
    table = np.arange(len(palette), dtype=np.uint8)
    high, low = palette.max(axis=1), palette.min(axis=1)
    saturation = (high - low) * 255 // np.maximum(high, 1)
    away = np.abs((_hues(palette) - HUES[name] + 180) % 360 - 180)
    for number in np.flatnonzero((saturation > _PALEST) & (high > _DARKEST) & (away < _NEAR)).tolist():
        share = min(255, int(saturation[number]) * 255 // _FULL)
        light = min(255, int(high[number]) * 21 // 20)
        wanted = [((255 - share) * 255 + share * part) * light // 255**2 for part in DYES[colour]]
        table[number] = nearest(palette, wanted)
    table.setflags(write=False)
    return table


def nearest(palette: Ints, wanted: list[int]) -> int:
    """The number of the colour nearest to the one wanted (the first, if several)."""
    return int(((palette - np.array(wanted)) ** 2).sum(axis=1).argmin())


def _hues(palette: Ints) -> Ints:
    """In whole degrees, 0 red, 120 green, 240 blue; greys have none and get 0."""
    red, green, blue = palette.T
    high, spread = palette.max(axis=1), np.maximum(palette.max(axis=1) - palette.min(axis=1), 1)
    degrees: Ints = np.where(
        high == red,
        60 * (green - blue) // spread,
        np.where(high == green, 120 + 60 * (blue - red) // spread, 240 + 60 * (red - green) // spread),
    )
    degrees %= 360
    return degrees
