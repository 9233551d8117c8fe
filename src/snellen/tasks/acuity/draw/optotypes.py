"""Optotypes: ten Sloan letters and the Landolt C, built on the grid of 5 x 5 strokes.

Every stroke is one unit wide, every letter five units wide and high; round parts are arcs of rings, slanted strokes
are one unit across. Letters are outlines, so that their areas are exact at any size: at whole stroke widths and whole
places, straight edges fall on the borders of pixels and no pixel of them is grey.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import asin, degrees, sqrt

import numpy as np

from snellen.draw.coverage import Points, arc, cover
from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone, inked

LETTERS = "CDHKNORSVZ"
DIRECTIONS = ("right", "upper right", "up", "upper left", "left", "lower left", "down", "lower right")
"""Where the gap of a Landolt C points, each 45 degrees further to the left."""
UNITS = 5
THINNEST, WIDEST = 0.5, 60.0

Outlines = list[Points]


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, np.float64)


def _joined(*parts: Points) -> Points:
    return np.concatenate(parts)


def _ring(scale: float) -> Outlines:
    whole = [arc((2.5, 2.5), radius, 0, 360, scale)[:-1] for radius in (2.5, 1.5)]
    return [whole[0], whole[1][::-1]]


def _c(scale: float) -> Outlines:
    """The gap is as high as a stroke is wide, and its edges are parallel."""
    outer, inner = degrees(asin(0.5 / 2.5)), degrees(asin(0.5 / 1.5))
    middle = (2.5, 2.5)
    round_about = arc(middle, 2.5, outer, 360 - outer, scale)
    back = arc(middle, 1.5, 360 - inner, inner, scale)
    return [_joined(round_about, back)]


def _d(scale: float) -> Outlines:
    outside = _joined(_line((0, 0)), arc((2.5, 2.5), 2.5, 90, -90, scale), _line((0, 5)))
    hole = _joined(_line((1, 4)), arc((2.5, 2.5), 1.5, -90, 90, scale), _line((1, 1)))
    return [outside, hole]


def _h(_: float) -> Outlines:
    left = ((0, 0), (1, 0), (1, 2), (4, 2), (4, 0), (5, 0))
    return [_line(*left, *((5 - x, 5 - y) for x, y in left))]


def _k(_: float) -> Outlines:
    """The arm rises at 45 degrees to the corner; the leg falls from it, four down for three across."""
    root = sqrt(2)
    stem = ((0, 0), (1, 0), (1, 4 - root))
    limbs = ((5 - root, 0), (5, 0), (20 / 7, 15 / 7), (5, 5), (3.75, 5), (15 / 7, 20 / 7))
    return [_line(*stem, *limbs, (1, 4), (1, 5), (0, 5))]


def _n(_: float) -> Outlines:
    """The diagonal falls four down for three across: 1.25 wide along the level, one across."""
    half = ((0, 0), (1.25, 0), (4, 11 / 3), (4, 0), (5, 0))
    return [_line(*half, *((5 - x, 5 - y) for x, y in half))]


def _r(scale: float) -> Outlines:
    bowl = arc((3.5, 1.5), 1.5, 90, -90, scale)
    leg = _line((5, 5), (3.75, 5), (2.25, 3), (1, 3), (1, 5), (0, 5))
    hole = _joined(_line((1, 2)), arc((3.5, 1.5), 0.5, -90, 90, scale), _line((1, 1)))
    return [_joined(_line((0, 0)), bowl, leg), hole]


def _s(scale: float) -> Outlines:
    """Half of it, from the upper end to the middle bar, both edges; the other half is the same turned about."""
    upper = _joined(arc((3.5, 1.5), 1.5, 0, 90, scale), arc((1.5, 1.5), 1.5, 90, 270, scale))
    under = _joined(arc((3.5, 3.5), 0.5, 90, -90, scale), arc((1.5, 3.5), 0.5, 270, 180, scale))
    half = _joined(upper, under)
    return [_joined(half, 5 - half)]


def _v(_: float) -> Outlines:
    """A stroke is so wide along the level that it is one across: 25 w² = (2.5 - w/2)² + 25."""
    wide = (sqrt(6.25 + 4 * 24.75 * 31.25) - 2.5) / 49.5
    notch = (2.5 - wide) * 5 / (2.5 - wide / 2)
    top = ((0, 0), (wide, 0), (2.5, notch), (5 - wide, 0), (5, 0))
    return [_line(*top, (2.5 + wide / 2, 5), (2.5 - wide / 2, 5))]


def _z(_: float) -> Outlines:
    """The slanted stroke is one across: 9 w² = (5 - w)² + 9."""
    wide = (sqrt(297) - 5) / 8
    half = ((0, 0), (5, 0), (5, 1), (wide, 4), (5, 4))
    return [_line(*half, *((5 - x, 5 - y) for x, y in half))]


_MAKERS: Mapping[str, Callable[[float], Outlines]] = {
    "C": _c, "D": _d, "H": _h, "K": _k, "N": _n, "O": _ring, "R": _r, "S": _s, "V": _v, "Z": _z,
}  # fmt: skip
_HALF = sqrt(0.5)


@lru_cache(maxsize=512)
def _outlines(name: str, scale: float) -> tuple[Points, ...]:
    if name in _MAKERS:
        return tuple(_MAKERS[name](scale))
    eighth = DIRECTIONS.index(name)
    cosines = (1.0, _HALF, 0.0, -_HALF, -1.0, -_HALF, 0.0, _HALF)
    cosine, sine = cosines[eighth], cosines[eighth - 2]
    x, y = (_c(scale)[0] - 2.5).T
    return (np.stack((x * cosine + y * sine, y * cosine - x * sine), axis=1) + 2.5,)


@dataclass(frozen=True, slots=True)
class Optotype:
    """A letter, or a Landolt C named by where its gap points, with its stroke width and its middle, in pixels."""

    name: str
    stroke: float
    x: float
    y: float

    def __post_init__(self) -> None:
        if self.name not in _MAKERS and self.name not in DIRECTIONS:
            raise ValueError(f"{self.name!r} is neither a Sloan letter ({LETTERS}) nor a direction of a Landolt C")
        if not THINNEST <= self.stroke <= WIDEST:
            raise ValueError(f"strokes are {THINNEST:g} to {WIDEST:g} px wide, not {self.stroke:g}")

    @property
    def size(self) -> float:
        """Width and height in pixels."""
        return self.stroke * UNITS

    @property
    def outlines(self) -> Outlines:
        """The outlines on the page, in pixels."""
        corner = np.array([self.x - self.size / 2, self.y - self.size / 2])
        return [outline * self.stroke + corner for outline in _outlines(self.name, self.stroke)]

    def __str__(self) -> str:
        what = f"the letter {self.name}" if self.name in _MAKERS else f"a ring with its gap pointing {self.name}"
        return f"{what}, {self.size:g} px high, strokes {self.stroke:g} px, its middle at ({self.x:g}, {self.y:g})"


def aligned(name: str, stroke: float, x: float, y: float) -> Optotype:
    """An optotype with its upper left corner on the corner of a pixel, its middle as near as can be to (x, y).

    An odd number of pixels high, it has its middle in the middle of a pixel: placed on a whole number it would be grey
    all round.
    """
    half = stroke * UNITS / 2
    return Optotype(name, stroke, round(x - half) + half, round(y - half) + half)


@dataclass(frozen=True, slots=True)
class OptotypePage:
    """A page with optotypes that keep apart from one another; with none of them it is a blank page."""

    signs: tuple[Optotype, ...]
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        for sign in self.signs:
            half = sign.size / 2
            inside = half <= sign.x <= self.page.width - half and half <= sign.y <= self.page.height - half
            if not inside:
                raise ValueError(f"{sign} leaves the page of {self.page}")


def painted(chart: OptotypePage) -> IndexedPixels:
    outlines = [outline for sign in chart.signs for outline in sign.outlines]
    return inked(chart.page, cover(outlines), chart.tone)


def words(chart: OptotypePage) -> str:
    """The twin of a chart."""
    shown = "; ".join(map(str, chart.signs)) if chart.signs else "nothing at all"
    return f"A page of {chart.page}, {chart.tone}, showing {shown}."
