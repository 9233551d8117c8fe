"""Colours as people tell them apart: sRGB to CIELAB (D65) and back, and the difference CIEDE2000.

Published: IEC 61966-2-1 (sRGB), CIE 15 (LAB), and Sharma, Wu & Dalal 2005 for CIEDE2000 with its test pairs.
"""

from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snellen.draw.looks import Colour

Reals = NDArray[np.float64]

WHITE = np.array([0.95047, 1.0, 1.08883])
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_FROM_XYZ = np.linalg.inv(_TO_XYZ)
_EDGE = 6 / 29
_STRONGEST = 150.0
_HALVINGS = 40
"""Of the chroma sought: down to a millionth of a millionth of the strongest."""


def lab(rgb: ArrayLike) -> Reals:
    """sRGB (0 to 255, last axis) as CIELAB."""
    xyz = light_of(np.asarray(rgb, np.float64) / 255) @ _TO_XYZ.T / WHITE
    f = np.where(xyz > _EDGE**3, np.cbrt(xyz), xyz / (3 * _EDGE**2) + 4 / 29)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def srgb(colours: ArrayLike) -> Reals:
    """CIELAB as sRGB from 0 to 255, unrounded; outside that range where a screen cannot show the colour."""
    at = np.asarray(colours, np.float64)
    y = (at[..., 0] + 16) / 116
    f = np.stack((y + at[..., 1] / 500, y, y - at[..., 2] / 200), axis=-1)
    xyz = np.where(f > _EDGE, f**3, 3 * _EDGE**2 * (f - 4 / 29)) * WHITE
    scaled: Reals = value_of(xyz @ _FROM_XYZ.T) * 255
    return scaled


def light_of(value: NDArray[Any]) -> NDArray[Any]:
    """sRGB values (0 to 1) as light: what a screen emits."""
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def value_of(light: NDArray[Any]) -> NDArray[Any]:
    """Light as sRGB values; below 0 where there is no such light."""
    bent = 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055
    return np.where(light <= 0.0031308, 12.92 * light, bent)


def difference(first: ArrayLike, second: ArrayLike) -> Reals:
    """CIEDE2000 between CIELAB colours (last axis)."""
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    chroma = (np.hypot(one[..., 1], one[..., 2]) + np.hypot(two[..., 1], two[..., 2])) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    (c1, h1), (c2, h2) = _polar(one, stretch), _polar(two, stretch)
    grey = c1 * c2 == 0
    turn = np.where(grey, 0, (h2 - h1 + 180) % 360 - 180)
    turn = np.where(~grey & (h2 - h1 == 180), 180, turn)
    hue = np.where(grey, h1 + h2, _mean_hue(h1, h2))
    lightness, c = (one[..., 0] + two[..., 0]) / 2, (c1 + c2) / 2
    wave = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    middle = (lightness - 50) ** 2
    light = (two[..., 0] - one[..., 0]) / (1 + 0.015 * middle / np.sqrt(20 + middle))
    strong = (c2 - c1) / (1 + 0.045 * c)
    turned = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * wave)
    blue = 60 * np.exp(-(((hue - 275) / 25) ** 2))
    tie = -np.sin(np.radians(blue)) * 2 * np.sqrt(c**7 / (c**7 + 25.0**7))
    total: Reals = np.sqrt(light**2 + strong**2 + turned**2 + tie * strong * turned)
    return total


def _polar(colours: Reals, stretch: Reals) -> tuple[Reals, Reals]:
    """Chroma and hue (degrees) with the a axis stretched."""
    a, b = colours[..., 1] * stretch, colours[..., 2]
    return np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def _mean_hue(one: Reals, two: Reals) -> Reals:
    """Half way between two hues, on the shorter side."""
    total = one + two
    apart = np.abs(one - two) > 180
    return np.where(apart, np.where(total < 360, total + 360, total - 360), total) / 2


def away(lightness: ArrayLike, hue: float, distance: float) -> Reals:
    """CIELAB colours as light as these greys and at that CIEDE2000 difference from them, towards a hue in degrees."""
    if distance < 0:
        raise ValueError(f"a difference is not negative: {distance:g}")
    direction = np.array([0.0, cos(radians(hue)), sin(radians(hue))])
    greys = np.asarray(lightness, np.float64)[..., None] * np.array([1.0, 0.0, 0.0])
    low, high = np.zeros(greys.shape[:-1]), np.full(greys.shape[:-1], _STRONGEST)
    if (difference(greys, greys + high[..., None] * direction) < distance).any():
        raise ValueError(f"no colour is {distance:g} away from a grey")
    for _ in range(_HALVINGS):  # the difference grows with the chroma
        half = (low + high) / 2
        short = difference(greys, greys + half[..., None] * direction) < distance
        low, high = np.where(short, half, low), np.where(short, high, half)
    return np.asarray(greys + high[..., None] * direction)


def shown(colour: ArrayLike) -> Colour:
    """A CIELAB colour as a screen shows it, to the nearest level."""
    rgb = srgb(colour)
    if rgb.min() < -0.5 or rgb.max() > 255.5:
        raise ValueError("a screen cannot show this colour: " + ", ".join(f"{part:.1f}" for part in np.asarray(colour)))
    red, green, blue = np.clip(np.rint(rgb), 0, 255).astype(int).tolist()
    return red, green, blue
