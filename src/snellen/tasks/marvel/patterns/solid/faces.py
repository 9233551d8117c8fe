"""A design on a face: how it looks turned or mirrored, its marks in the picture, its words.

How often a design must be turned until it looks the same again (its period) is found from its strokes, not declared: 1
for a saltire, 2 for a diagonal, 4 for a black half. A content's turn is kept below the period, so that two contents are
equal exactly if they look the same.
"""

from collections.abc import Sequence
from functools import cache
from math import floor
from typing import Any

from snellen.tasks.marvel.patterns.solid.designs import DESIGNS, Spot, Stroke

Content = tuple[str, int]
"""What a face carries: a design, and the corner of the face on which the design's corner 0 lies."""

_TINY = 0.09
_AROUND = {4: ((1, 0), (0, 1), (-1, 0), (0, -1)), 3: ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))}


def turned(content: Content, by: int) -> Content:
    """The same, turned clockwise by some corners."""
    name, turn = content
    return name, (turn + by) % period(name)


@cache
def period(name: str) -> int:
    design = DESIGNS[name]
    strokes = design.strokes
    for turn in range(1, design.sides + 1):
        strokes = tuple(_moved(stroke, design.sides) for stroke in strokes)
        if _looks(strokes) == _looks(design.strokes):
            return turn
    raise AssertionError(f"{name} does not come round")


@cache
def mirrored(content: Content) -> Content:
    """What a mirror makes of it, if the mirror swaps corner i and corner -i of the face."""
    name, turn = content
    sides = DESIGNS[name].sides
    flipped = tuple(
        Stroke(tuple((v, u) for u, v in stroke.spots), stroke.fill, stroke.curved) for stroke in DESIGNS[name].strokes
    )
    for other in (design for design in DESIGNS.values() if design.sides == sides):
        strokes = other.strokes
        for shift in range(sides):
            if _looks(strokes) == _looks(flipped):
                return other.name, (shift - turn) % period(other.name)
            strokes = tuple(_moved(stroke, sides) for stroke in strokes)
    raise AssertionError(f"no design is the mirror image of {name}")


def _moved(stroke: Stroke, sides: int) -> Stroke:
    """A stroke on the face turned by one corner."""
    spots = tuple((1 - v if sides == 4 else 1 - u - v, u) for u, v in stroke.spots)
    return Stroke(spots, stroke.fill, stroke.curved)


def _looks(strokes: Sequence[Stroke]) -> object:
    """Something equal for strokes that look equal: where a line begins or an area's outline starts does not count."""
    return sorted(
        (stroke.fill, sorted((round(u, 6) + 0.0, round(v, 6) + 0.0) for u, v in stroke.spots)) for stroke in strokes
    )


def face_marks(content: Content, corners: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """The marks of a content on a face whose corners lie there, in whole pixels; the outline not included."""
    name, turn = content
    return [_mark(stroke, corners, turn) for stroke in DESIGNS[name].strokes]


def tiny_ring(corners: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """A small ring in the middle of a face."""
    middle = 0.5 if len(corners) == 4 else 1 / 3
    around = _AROUND[len(corners)]
    spots = [(middle + _TINY * u, middle + _TINY * v) for u, v in around]
    return _mark(Stroke(tuple(spots), "white", curved=True), corners, 0)


def outline(corners: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"shape": "path", "points": [list(corner) for corner in corners], "closed": True, "fill": "none"}


def _mark(stroke: Stroke, corners: Sequence[tuple[int, int]], turn: int) -> dict[str, Any]:
    points = [_place(spot, corners, turn) for spot in stroke.spots]
    if len(points) == 2:
        (x, y), (x2, y2) = points
        return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2}
    mark: dict[str, Any] = {"shape": "path", "points": points, "closed": bool(stroke.fill)}
    return mark | {"curved": stroke.curved, "fill": stroke.fill or "none"}


def _place(spot: Spot, corners: Sequence[tuple[int, int]], turn: int) -> list[int]:
    """Where a spot of the reference face lies in the picture. All faces are seen without perspective: this is exact."""
    many = len(corners)
    origin, along, down = corners[turn % many], corners[(turn + 1) % many], corners[(turn - 1) % many]
    return [
        floor(origin[i] + spot[0] * (along[i] - origin[i]) + spot[1] * (down[i] - origin[i]) + 0.5 + 1e-9)
        for i in (0, 1)
    ]


def content_words(content: Content, corners: Sequence[str], sides: Sequence[str]) -> str:
    """What a face carries, in words that name its corners and sides."""
    name, turn = content
    many = len(corners)
    named = {f"c{i}": corners[(turn + i) % many] for i in range(many)}
    return DESIGNS[name].text.format(**named, **{f"s{i}": sides[(turn + i) % many] for i in range(many)})
