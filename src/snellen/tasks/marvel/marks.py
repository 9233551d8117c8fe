"""Marks: what panels are made of, the same for those who make, draw, tell, ask about and solve them.

A mark is a plain mapping of JSON types, a panel `{"marks": [mark, ...]}` on a square of 180 x 180 pixels:

- a figure `{"shape": "star", "x": 90, "y": 60, "size": 20, "fill": "white", "turn": 0}`: (x, y) its middle, `size` half
  the larger side of its upright bounding box, `turn` degrees clockwise, `fill` one of `FILLS`;
- a line `{"shape": "line", "x": .., "y": .., "x2": .., "y2": ..}`;
- a path `{"shape": "path", "points": [[x, y], ...], "closed": .., "curved": .., "fill": ..}`, perhaps with a `name`;
- a grid `{"shape": "grid", "x": left, "y": top, "cell": 20, "rows": ["#..", ".o#"]}`, cells as in `CELLS`;
- a letter `{"shape": "letter", "letter": "A", "x": .., "y": .., "size": ..}`, size half its height.

Any of them may have a `colour`. All coordinates are whole numbers. Sines are rounded twice on the way to them, so that
their last digit, in which machines differ, cannot matter.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, radians, sin
from types import MappingProxyType
from typing import Any

Mark = dict[str, Any]
Spot = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

SIDE, MIDDLE = 180, 90
CENTRE: Spot = (MIDDLE, MIDDLE)
FILLS = ("none", "white", "black", "grey", "striped")
CELLS = MappingProxyType({"#": "black", ".": "white", "o": "grey", "/": "striped"})
COLOURS = ("red", "blue", "green", "orange", "purple", "brown", "pink", "teal")
SMALL = ("circle", "square", "triangle", "diamond", "star", "heart", "cross")
"""Figures told apart even when small."""


def figure(shape: str, spot: Spot, size: int, fill: str = "none", *, turn: int = 0, colour: str = "") -> Mark:
    """A named figure (`draw/figures.py`) around a spot."""
    mark: Mark = {"shape": shape, "x": spot[0], "y": spot[1], "size": size, "fill": fill}
    if turn:
        mark["turn"] = turn % 360
    return mark | {"colour": colour} if colour else mark


def line(start: tuple[float, float], end: tuple[float, float]) -> Mark:
    (x, y), (x2, y2) = start, end
    return {"shape": "line", "x": round(x), "y": round(y), "x2": round(x2), "y2": round(y2)}


def path(
    points: Sequence[tuple[float, float]], *, closed: bool = True, curved: bool = False, fill: str = "none"
) -> Mark:
    spots = [[round(x), round(y)] for x, y in points]
    return {"shape": "path", "points": spots, "closed": closed, "curved": curved, "fill": fill}


def grid(cell: int, rows: Sequence[str]) -> Mark:
    """A grid in the middle of the panel."""
    left, top = MIDDLE - len(rows[0]) * cell // 2, MIDDLE - len(rows) * cell // 2
    return {"shape": "grid", "x": left, "y": top, "cell": cell, "rows": list(rows)}


def coloured(marks: Sequence[Mark], colour: str) -> list[Mark]:
    """The marks in this colour, for when a puzzle is drawn in colour."""
    return [{**mark, "colour": colour} for mark in marks]


def moved(mark: Mark, spot: Spot, *, size: int = 1, of: int = 1, fill: str = "") -> Mark:
    """A figure or path made around the origin, put at a spot; a path made for size `of` drawn in another `size`."""
    x, y = spot
    if "points" in mark:
        put = {**mark, "points": [[x + round(px * size / of), y + round(py * size / of)] for px, py in mark["points"]]}
    else:
        put = {**mark, "x": mark["x"] + x, "y": mark["y"] + y}
    return put | {"fill": fill} if fill else put


@lru_cache(maxsize=4096)
def around(radius: float, degrees: float) -> Spot:
    """The spot at this distance from the middle of the panel, degrees clockwise from the top."""
    angle = radians(degrees)
    return round(round(MIDDLE + radius * sin(angle), 3)), round(round(MIDDLE - radius * cos(angle), 3))


def on_circle(x: float, y: float, radius: float, turns: float) -> Spot:
    """The spot on a circle around (x, y), so many turns clockwise from the right."""
    return round(round(x + radius * cos(2 * pi * turns), 3)), round(round(y + radius * sin(2 * pi * turns), 3))


def spun(points: Sequence[Sequence[int]], degrees: float, middle: Spot = CENTRE) -> list[Spot]:
    """Points turned clockwise about a middle."""
    angle = radians(degrees)
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    from_middle = [(x - middle[0], y - middle[1]) for x, y in points]
    return [
        (round(round(middle[0] + x * c - y * s, 3)), round(round(middle[1] + x * s + y * c, 3))) for x, y in from_middle
    ]
