"""What designs are made of: lines, areas and discs on a reference face (`designs.py`)."""

from dataclasses import dataclass
from math import sqrt

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


def line(*spots: Spot) -> FaceStroke:
    return FaceStroke(spots)


def area(*spots: Spot, fill: str = "black") -> FaceStroke:
    return FaceStroke(spots, fill)


_H = sqrt(3) / 2
_OCTAGON = ((1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7))
_QUARTER = ((1.0, 0.0), (_H, 0.5), (0.5, _H))
_DODECAGON = (
    *_QUARTER,
    *((-y, x) for x, y in _QUARTER),
    *((-x, -y) for x, y in _QUARTER),
    *((y, -x) for x, y in _QUARTER),
)


def disc(x: float, y: float, radius: float, fill: str = "black") -> FaceStroke:
    """A disc on a square."""
    return FaceStroke(tuple((x + radius * a, y + radius * b) for a, b in _OCTAGON), fill, curved=True)


def blot(u: float, v: float, radius: float, fill: str = "black") -> FaceStroke:
    """A disc on a triangle, whose sides are 1 long and meet at 60 degrees."""
    spots = ((u + radius * (x - y / (2 * _H)), v + radius * y / _H) for x, y in _DODECAGON)
    return FaceStroke(tuple(spots), fill, curved=True)
