"""A design on a face: how it looks turned or mirrored, its marks in the picture, its words.

How often a design must be turned until it looks the same again (its period) is found from its strokes, not declared: 1
for a saltire, 2 for a diagonal, 4 for a black half. A content's turn is kept below the period, so that two contents are
equal exactly if they look the same.
"""

from collections.abc import Sequence
from functools import cache
from math import dist, floor, hypot

from snellen.tasks.marvel.marks import Mark, figure, line, path
from snellen.tasks.marvel.patterns.solid.designs import DESIGNS, FaceStroke, Spot

Content = tuple[str, int]
"""What a face carries: a design, and the corner of the face on which the design's corner 0 lies."""

Frame = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""Where the first, the second and the last corner of a design lie."""

_CORNERS = {4: ((0, 0), (1, 0), (1, 1), (0, 1)), 3: ((0, 0), (1, 0), (0, 1))}


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
        FaceStroke(tuple((v, u) for u, v in stroke.spots), stroke.fill, stroke.curved)
        for stroke in DESIGNS[name].strokes
    )
    for other in (design for design in DESIGNS.values() if design.sides == sides):
        strokes = other.strokes
        for shift in range(sides):
            if _looks(strokes) == _looks(flipped):
                return other.name, (shift - turn) % period(other.name)
            strokes = tuple(_moved(stroke, sides) for stroke in strokes)
    raise AssertionError(f"no design is the mirror image of {name}")


def _moved(stroke: FaceStroke, sides: int) -> FaceStroke:
    """A stroke on the face turned by one corner."""
    spots = tuple((1 - v if sides == 4 else 1 - u - v, u) for u, v in stroke.spots)
    return FaceStroke(spots, stroke.fill, stroke.curved)


def _looks(strokes: Sequence[FaceStroke]) -> object:
    """Something equal for strokes that look equal: where a line begins or an area's outline starts does not count."""
    return sorted(
        (stroke.fill, sorted((round(u, 6) + 0.0, round(v, 6) + 0.0) for u, v in stroke.spots)) for stroke in strokes
    )


@cache
def black_halves(content: Content) -> frozenset[tuple[int, int]]:
    """The halves of sides that are black: (side, 0 for its first and 1 for its second half)."""
    name, turn = content
    many = DESIGNS[name].sides
    halves = set()
    for side in range(many):
        (ax, ay), (bx, by) = _CORNERS[many][side], _CORNERS[many][(side + 1) % many]
        for half, share in enumerate((0.25, 0.75)):
            spot = ax + share * (bx - ax), ay + share * (by - ay)
            if any(stroke.fill == "black" and _borders(stroke, spot) for stroke in DESIGNS[name].strokes):
                halves.add(((side + turn) % many, half))
    return frozenset(halves)


def _borders(stroke: FaceStroke, spot: Spot) -> bool:
    """Whether a spot lies on the outline of an area."""
    ends = zip(stroke.spots, (*stroke.spots[1:], stroke.spots[0]), strict=True)
    return any(abs(dist(a, spot) + dist(spot, b) - dist(a, b)) < 1e-6 for a, b in ends)


@cache
def merge(content: Content, side: int, other: Content, other_side: int) -> bool:
    """Whether the line between two faces that have a side in common is lost, for it is black on both."""
    # What is the first half of a side for one face is the second half for the other.
    theirs = {1 - half for at, half in black_halves(other) if at == other_side}
    return any(at == side and half in theirs for at, half in black_halves(content))


def face_marks(content: Content, corners: Sequence[tuple[int, int]], *, flat: bool) -> list[Mark]:
    """The marks of a content on a face whose corners lie there, in whole pixels; `flat`: seen straight on."""
    name, turn = content
    many = len(corners)
    frame = corners[turn % many], corners[(turn + 1) % many], corners[(turn - 1) % many]
    return [_mark(stroke, frame, flat) for stroke in DESIGNS[name].strokes]


def outline(corners: Sequence[tuple[int, int]]) -> Mark:
    return {"shape": "path", "points": [list(corner) for corner in corners], "closed": True, "fill": "none"}


def _mark(stroke: FaceStroke, frame: Frame, flat: bool) -> Mark:
    points = [_place(spot, frame) for spot in stroke.spots]
    if stroke.curved and flat:
        x, y = (sum(point[i] for point in points) / len(points) for i in (0, 1))
        size = whole(hypot(points[0][0] - x, points[0][1] - y))
        return figure("circle", (whole(x), whole(y)), size, stroke.fill)
    ends = [(whole(x), whole(y)) for x, y in points]
    if len(ends) == 2:
        return line(*ends)
    return path(ends, closed=bool(stroke.fill), curved=stroke.curved, fill=stroke.fill or "none")


def _place(spot: Spot, frame: Frame) -> Spot:
    """Where a spot of the reference face lies in the picture. Faces are seen without perspective, so this is exact."""
    (x, y), (along_x, along_y), (down_x, down_y) = frame
    u, v = spot
    return x + u * (along_x - x) + v * (down_x - x), y + u * (along_y - y) + v * (down_y - y)


def whole(number: float) -> int:
    """The nearest whole number. A tiny push makes halves go the same way whatever the last digit of a sum."""
    return floor(number + 0.5 + 1e-6)


def content_words(content: Content, corners: Sequence[str], sides: Sequence[str]) -> str:
    """What a face carries, in words that name its corners and sides."""
    name, turn = content
    many = len(corners)
    named = {f"c{i}": corners[(turn + i) % many] for i in range(many)}
    return DESIGNS[name].text.format(**named, **{f"s{i}": sides[(turn + i) % many] for i in range(many)})
