"""Which views show the solid that a net folds into: found by folding the net in space.

Nothing is known here but what is drawn: where the faces of the net and of the views have their corners, and the marks
on them. The net's polygons are turned about their common sides until the solid closes; then each view's faces are laid
onto faces of the solid in every way that fits, corner on corner, and the marks of the net, carried over, must coincide
with those of the view. So marks that look the same are the same, whatever they are called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import acos, cos, dist, pi, sin, sqrt
from typing import Any

import numpy as np

from snellen.tasks.marvel.puzzle import Panel, Puzzle

Flat = tuple[float, float]
Space = tuple[float, float, float]
Angles = Mapping[tuple[int, int], float]

_DIHEDRAL: Mapping[tuple[int, int], Angles] = {
    (0, 6): {(4, 4): pi / 2},
    (4, 0): {(3, 3): acos(1 / 3)},
    (4, 1): {(3, 3): acos(-1 / 3), (3, 4): acos(1 / sqrt(3))},
    (2, 3): {(4, 4): pi / 3, (3, 4): pi / 2},
}
"""The angle between two faces by their numbers of sides, for a solid of so many triangles and squares."""

_SAME = 5.0
"""Points of a picture nearer than this are the same: whole pixels of a small net are stretched up to threefold."""
_ROUND = 12
"""Points that stand for a circle."""
_JOINED = 0.2
"""Corners of the folded net nearer than this, in sides, are the same corner."""


@dataclass(frozen=True, slots=True)
class FaceMark:
    """A mark of a face: its points, and whether it is a closed, a curved, a filled one."""

    points: tuple[Flat, ...]
    closed: bool
    kind: tuple[bool, str]


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """A face as it is drawn, its corners clockwise."""

    corners: tuple[Flat, ...]
    strokes: tuple[FaceMark, ...]


@dataclass(frozen=True, slots=True)
class FoldedSolid:
    """A folded net: the numbers of the corners at the corners of each face, and where those corners are in space."""

    faces: tuple[tuple[int, ...], ...]
    corners: tuple[Space, ...]


def solve_fold(puzzle: Puzzle) -> tuple[int, ...]:
    """The choices that the folded net can look like."""
    net = _faces(puzzle.panels[0], "net")
    solid = fold([face.corners for face in net])
    if solid is None:
        return ()
    return tuple(i for i, choice in enumerate(puzzle.choices) if _possible(net, solid, _faces(choice, "view")))


# Reading panels


def _faces(panel: Panel, key: str) -> list[DrawnFace]:
    marks = panel["marks"]
    return [_face(face["corners"], [marks[i] for i in face["marks"]]) for face in panel[key]["faces"]]


def _face(corners: Sequence[Sequence[int]], marks: Sequence[Mapping[str, Any]]) -> DrawnFace:
    points = [(float(x), float(y)) for x, y in corners]
    if _area(points) < 0:
        points.reverse()
    return DrawnFace(tuple(points), tuple(_stroke(mark) for mark in marks))


def _area(points: Sequence[Flat]) -> float:
    """Twice the area; positive if the points go clockwise, y pointing down."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]], strict=True))


def _stroke(mark: Mapping[str, Any]) -> FaceMark:
    if mark["shape"] == "line":
        return FaceMark(((mark["x"], mark["y"]), (mark["x2"], mark["y2"])), False, (False, "none"))
    if mark["shape"] == "circle":
        around = [2 * pi * i / _ROUND for i in range(_ROUND)]
        points = tuple((mark["x"] + mark["size"] * cos(a), mark["y"] + mark["size"] * sin(a)) for a in around)
        return FaceMark(points, True, (True, mark["fill"]))
    points = tuple((float(x), float(y)) for x, y in mark["points"])
    return FaceMark(points, bool(mark.get("closed")), (bool(mark.get("curved")), mark.get("fill", "none")))


# Folding


def fold(net: Sequence[Sequence[Flat]]) -> FoldedSolid | None:
    """The solid of a net; None if the net does not close to a solid."""
    angles = _DIHEDRAL.get((sum(len(f) == 3 for f in net), sum(len(f) == 4 for f in net)))
    if angles is None:
        return None
    side = dist(net[0][0], net[0][1])
    space = _folded([[(x / side, y / side, 0.0) for x, y in face] for face in net], angles)
    return None if space is None else _closed(space)


def _folded(net: Sequence[Sequence[Space]], angles: Angles) -> list[list[Space]] | None:
    """The faces in space; None if they do not hang together."""
    space: list[list[Space]] = [list(face) for face in net]
    left = set(range(1, len(net)))

    def fold_on(at: int) -> list[int]:
        """Fold what hangs on a face, and what hangs on that; all of it, the face itself included."""
        part = [at]
        for other in sorted(left):
            side = _common_side(net[at], net[other]) if other in left else None
            if side is None:
                continue
            left.remove(other)
            hanging = fold_on(other)  # first, so that the side turned about still lies in the page
            few, many = sorted((len(net[at]), len(net[other])))
            start, end = net[at][side], net[at][(side + 1) % len(net[at])]
            for face in hanging:
                space[face] = [_about(point, start, end, pi - angles[few, many]) for point in space[face]]
            part += hanging
        return part

    return space if len(fold_on(0)) == len(net) else None


def _common_side(own: Sequence[Space], other: Sequence[Space]) -> int | None:
    """The number of the side of one face that is also a side of the other."""
    for i, a in enumerate(own):
        b = own[(i + 1) % len(own)]
        for j, c in enumerate(other):
            if dist(a, other[(j + 1) % len(other)]) < _JOINED and dist(b, c) < _JOINED:
                return i
    return None


def _about(point: Space, a: Space, b: Space, angle: float) -> Space:
    """The point turned about the line from a to b (Rodrigues)."""
    length = dist(a, b)
    ux, uy, uz = ((b[i] - a[i]) / length for i in range(3))
    x, y, z = (point[i] - a[i] for i in range(3))
    along = (ux * x + uy * y + uz * z) * (1 - cos(angle))
    c, s = cos(angle), sin(angle)
    return (
        a[0] + x * c + (uy * z - uz * y) * s + ux * along,
        a[1] + y * c + (uz * x - ux * z) * s + uy * along,
        a[2] + z * c + (ux * y - uy * x) * s + uz * along,
    )


def _closed(space: Sequence[Sequence[Space]]) -> FoldedSolid | None:
    """Corners that have come together get one number; every side must be walked once in each direction."""
    corners: list[Space] = []
    faces = []
    for face in space:
        numbers = []
        for point in face:
            near = [i for i, other in enumerate(corners) if dist(point, other) < _JOINED]
            numbers.append(near[0] if near else len(corners))
            if not near:
                corners.append(point)
        faces.append(tuple(numbers))
    sides = [(a, b) for face in faces for a, b in zip(face, face[1:] + face[:1], strict=True)]
    good = len(set(sides)) == len(sides) and all((b, a) in sides for a, b in sides)
    return FoldedSolid(tuple(faces), tuple(corners)) if good else None


# Laying views onto the solid


def _possible(net: Sequence[DrawnFace], solid: FoldedSolid, view: Sequence[DrawnFace]) -> bool:
    """Whether the view can be laid onto the solid such that all its marks lie on the same marks."""
    many = len(view[0].corners)
    firsts = [
        (face, shift) for face, numbers in enumerate(solid.faces) if len(numbers) == many for shift in range(many)
    ]
    return any(_lies(net, solid, view, first) for first in firsts)


def _lies(net: Sequence[DrawnFace], solid: FoldedSolid, view: Sequence[DrawnFace], first: tuple[int, int]) -> bool:
    """Whether the view, its first face laid onto that face of the solid and turned by so many corners, fits all over.

    Where a further face of the view must lie is told by a side it has in common with one already laid.
    """
    under: dict[Flat, int] = {}
    for seen in view:
        place = first if not under else _next_place(solid, seen, under)
        if place is None:
            return False
        face, shift = place
        numbers = solid.faces[face]
        here = {corner: numbers[(i + shift) % len(numbers)] for i, corner in enumerate(seen.corners)}
        if len(numbers) != len(seen.corners) or any(under.get(corner, n) != n for corner, n in here.items()):
            return False
        under |= here
        if len(set(under.values())) < len(under) or not _carries(net[face], shift, seen):
            return False
    return _hides_the_rest(solid, view, under)


def _hides_the_rest(solid: FoldedSolid, view: Sequence[DrawnFace], under: Mapping[Flat, int]) -> bool:
    """Whether the corners of the solid that are not seen lie behind the faces that are.

    Two faces of a square pyramid alone would also fit upside down; but then its base would stick out behind them.
    """
    corners_seen = list(view[0].corners[:3])
    corners_seen.append(next(corner for corner in view[1].corners if corner not in view[0].corners))
    # Seen without perspective: four corners tell where any point of space lies in the picture.
    onto_page = np.linalg.solve([(*solid.corners[under[point]], 1.0) for point in corners_seen], corners_seen)
    for number, corner in enumerate(solid.corners):
        if number not in under.values():
            x, y = np.array((*corner, 1.0)) @ onto_page
            if not any(_within((x, y), face.corners) for face in view):
                return False
    return True


def _within(point: Flat, corners: Sequence[Flat]) -> bool:
    """Whether a point lies in a face, or hardly outside."""
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        outside = (b[1] - a[1]) * (point[0] - a[0]) - (b[0] - a[0]) * (point[1] - a[1])
        if outside / dist(a, b) > _SAME:
            return False
    return True


def _next_place(solid: FoldedSolid, seen: DrawnFace, under: Mapping[Flat, int]) -> tuple[int, int] | None:
    """The face of the solid, and the turn, on which a face of a view lies two of whose corners are known."""
    for i, corner in enumerate(seen.corners):
        a, b = under.get(corner), under.get(seen.corners[(i + 1) % len(seen.corners)])
        if a is None or b is None:
            continue
        for face, numbers in enumerate(solid.faces):
            for j, number in enumerate(numbers):
                if (number, numbers[(j + 1) % len(numbers)]) == (a, b):
                    return face, (j - i) % len(numbers)
    return None


def _carries(face: DrawnFace, shift: int, seen: DrawnFace) -> bool:
    """Whether the marks of a net's face, carried over to the view, are those seen there."""
    if len(face.strokes) != len(seen.strokes):
        return False
    many = len(face.corners)
    corners = [face.corners[(i + shift) % many] for i in range(many)]
    left = list(seen.strokes)
    for stroke in face.strokes:
        if all(own.kind != stroke.kind for own in left):
            return False
        points = tuple(_carried(point, corners, seen.corners) for point in stroke.points)
        match = next((own for own in left if _same(FaceMark(points, stroke.closed, stroke.kind), own)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _carried(point: Flat, start: Sequence[Flat], end: Sequence[Flat]) -> Flat:
    """Where a point goes if the face is stretched so that its corners go from `start` to `end`."""
    (ox, oy), (ax, ay), (bx, by) = start[0], start[1], start[-1]
    ax, ay, bx, by, x, y = ax - ox, ay - oy, bx - ox, by - oy, point[0] - ox, point[1] - oy
    area = ax * by - ay * bx
    u, v = (x * by - y * bx) / area, (ax * y - ay * x) / area
    (px, py), (qx, qy), (rx, ry) = end[0], end[1], end[-1]
    return px + u * (qx - px) + v * (rx - px), py + u * (qy - py) + v * (ry - py)


def _same(own: FaceMark, other: FaceMark) -> bool:
    """Whether two marks coincide, wherever and whichever way round their lines begin."""
    many = len(own.points)
    if (own.kind, own.closed) != (other.kind, other.closed):
        return False
    if own.closed and own.kind[0]:
        return _same_round(own.points, other.points)
    if many != len(other.points):
        return False
    starts = range(many) if own.closed else (0,)
    for line in (other.points, other.points[::-1]):
        for start in starts:
            if all(dist(own.points[i], line[(i + start) % many]) < _SAME for i in range(many)):
                return True
    return False


def _same_round(own: Sequence[Flat], other: Sequence[Flat]) -> bool:
    """Whether two round marks coincide: a stretched circle is an ellipse, told by its middle and its size."""
    middles = [(sum(x for x, _ in line) / len(line), sum(y for _, y in line) / len(line)) for line in (own, other)]
    sizes = [sqrt(abs(_area(line))) for line in (own, other)]
    return dist(*middles) < _SAME and max(sizes) < 1.25 * min(sizes)
