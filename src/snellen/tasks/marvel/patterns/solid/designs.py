"""What a face may carry: a few strokes or a black area, listed in `designs.toml`.

A design is drawn on a reference face whose corner 0 is the origin, corner 1 is (1, 0) and the last corner is (0, 1):
upright for a square, skewed for a triangle. Put on a real face it is stretched with it, so that the same strokes serve
the net and every view (`faces.py`).
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from types import MappingProxyType

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FaceStroke:
    """A line through the spots; with a fill, the area within; `curved`: round."""

    spots: tuple[Spot, ...]
    fill: str = ""
    curved: bool = False


@dataclass(frozen=True, slots=True)
class FaceDesign:
    """`text` calls corners {c0}, sides {s0} (side i follows corner i). Of each `looks` a puzzle has only one design."""

    name: str
    sides: int
    looks: str
    text: str
    strokes: tuple[FaceStroke, ...]


_H = sqrt(3) / 2
_OCTAGON = ((1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7))
_QUARTER = ((1.0, 0.0), (_H, 0.5), (0.5, _H))
_DODECAGON = (
    *_QUARTER,
    *((-y, x) for x, y in _QUARTER),
    *((-x, -y) for x, y in _QUARTER),
    *((y, -x) for x, y in _QUARTER),
)


def _disc(spot: Spot, radius: float, sides: int) -> tuple[Spot, ...]:
    """A disc on a square, or on a triangle, whose sides are 1 long and meet at 60 degrees."""
    u, v = spot
    if sides == 4:
        return tuple((u + radius * x, v + radius * y) for x, y in _OCTAGON)
    return tuple((u + radius * (x - y / (2 * _H)), v + radius * y / _H) for x, y in _DODECAGON)


def _strokes(listed: str, sides: int) -> Iterator[FaceStroke]:
    """ "line 0,0 1,1; black-disc:0.2 0.5,0.5" as strokes."""
    for stroke in filter(None, listed.split("; ")):
        word, *places = stroke.split()
        numbers = ([float(Fraction(number)) for number in place.split(",")] for place in places)
        spots = tuple((u, v) for u, v in numbers)
        fill, _, radius = word.partition("-disc:")
        if radius:
            yield from (FaceStroke(_disc(spot, float(radius), sides), fill, curved=True) for spot in spots)
        else:
            yield FaceStroke(spots, "" if fill == "line" else fill)


_LISTED = tomllib.loads(Path(__file__).with_name("designs.toml").read_text("utf-8"))


def _designs(sort: str, prefix: str = "") -> tuple[FaceDesign, ...]:
    sides = 3 if sort == "triangle" else 4
    designs = []
    for name, (strokes, text, *looks) in _LISTED[sort].items():
        name = prefix + name
        designs.append(FaceDesign(name, sides, (looks or [name])[0], text, tuple(_strokes(strokes, sides))))
    return tuple(designs)


PLAIN = _designs("square") + _designs("triangle")
_SORTS = {"die": "pips", "lettered cube": "letter", "icon cube": "icon", "tangram cube": "piece"}
STOCKS = MappingProxyType({family: _designs(sort, f"{sort} ") for family, sort in _SORTS.items()})
"""Families of cubes by what they carry."""
DESIGNS = MappingProxyType({design.name: design for stock in (PLAIN, *STOCKS.values()) for design in stock})
