"""The figures puzzles are made of: circle, square, star and so on, as outlines.

An outline is a closed line around (0, 0), in a unit where the upright figure's bounding box reaches from -1 to 1 along
its larger side. Turning goes clockwise; however a figure is turned, (0, 0) stays the middle of its bounding box. At
turn 0 arrow, triangle, drop, star and pentagon point up, the heart's tip is down, and the moon's back is to the left.
"""

from functools import lru_cache
from math import cos, pi, radians, sin
from types import MappingProxyType

import numpy as np

from snellen.draw.pens import Points

STEP = 15
"""Turns are whole multiples of so many degrees."""
_ROUND = 72


def _arc(first: float, last: float, many: int, radius: float = 1.0, x: float = 0.0) -> list[complex]:
    """Points on a circle around (x, 0), from one angle to another (degrees, clockwise from the top)."""
    angles = (radians(first + (last - first) * i / (many - 1)) for i in range(many))
    return [complex(x + radius * sin(angle), -radius * cos(angle)) for angle in angles]


def _regular(corners: int, first: float = 0.0) -> list[complex]:
    return _arc(first, first + 360 - 360 / corners, corners)


def _star() -> list[complex]:
    pairs = zip(_regular(5), _regular(5, 36), strict=True)
    return [point for outer, inner in pairs for point in (outer, 0.42 * inner)]


def _heart() -> list[complex]:
    angles = [2 * pi * i / _ROUND for i in range(_ROUND)]
    return [complex(16 * sin(a) ** 3, 5 * cos(2 * a) + 2 * cos(3 * a) + cos(4 * a) - 13 * cos(a)) for a in angles]


def _box(width: float, height: float) -> list[complex]:
    return [complex(-width, -height), complex(width, -height), complex(width, height), complex(-width, height)]


def _cross(arm: float) -> list[complex]:
    corner = [complex(arm, -1), complex(arm, -arm), complex(1, -arm)]
    return [point * 1j**quarter for quarter in range(4) for point in corner]


def _arrow(head: float, neck: float, shaft: float) -> list[complex]:
    right = [complex(head, neck), complex(shaft, neck), complex(shaft, 1)]
    return [complex(0, -1), *right, *(complex(-point.real, point.imag) for point in reversed(right))]


_SHAPES = MappingProxyType(
    {
        "circle": _regular(_ROUND),
        "square": _box(1, 1),
        "triangle": _regular(3),
        "diamond": [-1j, 0.62 + 0j, 1j, -0.62 + 0j],
        "pentagon": _regular(5),
        "hexagon": _regular(6, 30),
        "star": _star(),
        "cross": _cross(0.36),
        "heart": _heart(),
        "rectangle": _box(1, 0.56),
        "ellipse": [complex(point.real, 0.58 * point.imag) for point in _regular(_ROUND)],
        "trapezoid": [-0.5 - 0.7j, 0.5 - 0.7j, 1 + 0.7j, -1 + 0.7j],
        "arrow": _arrow(0.72, -0.15, 0.3),
        # A disc with a smaller one, to its right, taken out: the ends of the arcs are where the two circles meet.
        "moon": _arc(37.6, -217.6, 56) + _arc(172.1, 367.9, 40, 0.8, 0.5)[1:-1],
        "drop": [-1.55j, *_arc(59, 301, 56, 0.8)],
    }
)
FIGURES = tuple(_SHAPES)

_PERIODS = MappingProxyType(
    {"circle": STEP, "square": 90, "cross": 90, "hexagon": 60, "triangle": 120}
    | dict.fromkeys(("diamond", "rectangle", "ellipse"), 180)
)


def upright(shape: str, turn: int) -> int:
    """The smallest turn that looks the same: a square turned by 90 degrees is a square that is not turned."""
    return turn % _PERIODS.get(shape, 360)


@lru_cache(maxsize=4096)
def outline(shape: str, size: float, turn: int = 0) -> Points:
    """The corners of a figure around (0, 0), in pixels: n x 2, read-only."""
    corners = np.array(_SHAPES[shape])
    span = max(np.ptp(corners.real), np.ptp(corners.imag))
    angle = radians(upright(shape, turn))
    turned = corners * complex(cos(angle), sin(angle)) * (2 * size / span)
    points = np.stack((turned.real, turned.imag), axis=1)
    points -= (points.min(axis=0) + points.max(axis=0)) / 2
    points = np.round(points, 4) + 0.0  # the last digits of sines differ between machines
    points.setflags(write=False)
    return points
