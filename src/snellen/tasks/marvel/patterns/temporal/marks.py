"""Marks as movement and place need them: figures, dots, sectors, clutter in the corners, and turning a mark about.

Everything stays within 74 px of the middle of the panel or within a square of half that; the four corners are left to
clutter, which follows no rule: it differs from panel to panel, but is the same in all four choices, so that it can
neither tell the right choice nor rule out a wrong one.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import cos, radians, sin
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.puzzle import Panel, PuzzleWish

Mark = dict[str, Any]
Spot = tuple[int, int]
Clutter = Callable[[], list[Mark]]

MIDDLE = 90
COLOURS = ("red", "blue", "green", "orange", "purple", "brown", "pink", "teal")
EVEN = ("circle", "square", "cross")
"""Figures that look the same after every quarter turn and every flip."""
SMALL = ("circle", "square", "triangle", "diamond", "star", "heart", "cross")
"""Figures told apart even when small."""


def figure(kind: str, spot: Spot, size: int, fill: str = "none", *, turn: int = 0, colour: str = "") -> Mark:
    mark: Mark = {"shape": kind, "x": spot[0], "y": spot[1], "size": size, "fill": fill}
    if turn:
        mark["turn"] = turn % 360
    return mark | {"colour": colour} if colour else mark


def line(start: Spot, end: Spot, colour: str = "") -> Mark:
    mark: Mark = {"shape": "line", "x": start[0], "y": start[1], "x2": end[0], "y2": end[1]}
    return mark | {"colour": colour} if colour else mark


def path(points: Sequence[Spot], *, closed: bool = True, curved: bool = False, fill: str = "none") -> Mark:
    spots = [list(point) for point in points]
    return {"shape": "path", "points": spots, "closed": closed, "curved": curved, "fill": fill}


def coloured(marks: Sequence[Mark], colour: str) -> list[Mark]:
    return [mark | {"colour": colour} for mark in marks]


@lru_cache(maxsize=4096)
def around(radius: float, degrees: float) -> Spot:
    """The spot at this distance from the middle of the panel, degrees clockwise from the top.

    Rounded twice, so that the last digit of a sine, which machines differ in, cannot matter.
    """
    angle = radians(degrees)
    return (
        round(round(MIDDLE + radius * sin(angle), 3)),
        round(round(MIDDLE - radius * cos(angle), 3)),
    )


def spun(points: Sequence[Sequence[int]], degrees: float, middle: Spot = (MIDDLE, MIDDLE)) -> list[Spot]:
    """Points turned clockwise about a middle."""
    angle = radians(degrees)
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    turned = []
    for px, py in points:
        x, y = px - middle[0], py - middle[1]
        turned.append((round(round(middle[0] + x * c - y * s, 3)), round(round(middle[1] + x * s + y * c, 3))))
    return turned


_CORNERS = ((22, 22), (158, 22), (158, 158), (22, 158))
_TICKS = ((5, 0), (0, 5), (4, 4), (4, -4))


def clutter(rng: Stream, wish: PuzzleWish) -> Clutter:
    """What stands in the corners of a panel, drawn anew at each call; nothing if none is wished for."""
    if not wish.clutter:
        return list
    if rng.chance():
        return lambda: [_tick(corner, rng.choice(_TICKS)) for corner in _CORNERS]
    kind = rng.choice(("circle", "square", "diamond"))
    return lambda: [figure(kind, corner, 5, rng.choice(("black", "white"))) for corner in _CORNERS]


def _tick(corner: Spot, reach: tuple[int, int]) -> Mark:
    (x, y), (dx, dy) = corner, reach
    return line((x - dx, y - dy), (x + dx, y + dy))


def panel(marks: Sequence[Mark], extra: Sequence[Mark] = ()) -> Panel:
    return {"marks": [*marks, *extra]}
