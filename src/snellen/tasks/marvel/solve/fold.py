"""Which views show the solid that a net folds into: found by folding the net in space.

Nothing is known here but what is drawn: where the faces of the net and of the views have their corners, and the marks on
them. The net's polygons are turned about their common sides until the solid closes; then each view's faces are laid onto
faces of the solid in every way that fits, corner on corner, and the marks of the net, carried over, must coincide with
those of the view. So marks that look the same are the same, whatever they are called.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import acos, cos, dist, pi, sin, sqrt
from typing import Any

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
_JOINED = 0.2
"""Corners of the folded net nearer than this, in sides, are the same corner."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A mark of a face: its points, and whether it is a closed, a curved, a filled one."""

    points: tuple[Flat, ...]
    closed: bool
    kind: tuple[bool, str]


@dataclass(frozen=True, slots=True)
class Face:
    """A face as it is drawn, its corners clockwise."""

    corners: tuple[Flat, ...]
    strokes: tuple[Stroke, ...]


def solve_fold(puzzle: Puzzle) -> tuple[int, ...]:
    """The choices that the folded net can look like."""
    net = _faces(puzzle.panels[0], "net")
    solid = fold([face.corners for face in net])
    if solid is None:
        return ()
    return tuple(i for i, choice in enumerate(puzzle.choices) if _possible(net, solid, _faces(choice, "view")))


# Reading panels


def _faces(panel: Panel, key: str) -> list[Face]:
    marks = panel["marks"]
    return [_face(face["corners"], [marks[i] for i in face["marks"]]) for face in panel[key]["faces"]]


def _face(corners: Sequence[Sequence[int]], marks: Sequence[Mapping[str, Any]]) -> Face:
    points = [(float(x), float(y)) for x, y in corners]
    if _area(points) < 0:
        points.reverse()
    return Face(tuple(points), tuple(_stroke(mark) for mark in marks))


def _area(points: Sequence[Flat]) -> float:
    """Twice the area; positive if the points go clockwise, y pointing down."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]], strict=True))


def _stroke(mark: Mapping[str, Any]) -> Stroke:
    if mark["shape"] == "line":
        return Stroke(((mark["x"], mark["y"]), (mark["x2"], mark["y2"])), False, (False, "none"))
    points = tuple((float(x), float(y)) for x, y in mark["points"])
    return Stroke(points, bool(mark.get("closed")), (bool(mark.get("curved")), mark.get("fill", "none")))


# Folding


def fold(net: Sequence[Sequence[Flat]]) -> list[tuple[int, ...]] | None:
    """For each face the solid's corners at its corners, by number; None if the net does not close to a solid."""
    angles = _DIHEDRAL.get((sum(len(f) == 3 for f in net), sum(len(f) == 4 for f in net)))
    if angles is None:
        return None
    side = dist(net[0][0], net[0][1])
    space = _folded([[(x / side, y / side, 0.0) for x, y in face] for face in net], angles)
    return None if space is None else _closed(space)


def _folded(net: Sequence[Sequence[Space]], angles: Angles) -> list[list[Space]] | None:
    """The faces in space: each carries all that hangs on it along when it is turned about its side."""
    space: list[list[Space]] = [list(face) for face in net]
    reached, waiting = {0}, [0]
    tree: list[tuple[int, int, int]] = []
    while waiting:
        at = waiting.pop()
        for other in range(len(net)):
            if other not in reached and (side := _common_side(net[at], net[other])) is not None:
                reached.add(other)
                waiting.append(other)
                tree.append((at, other, side))
    if len(reached) < len(net):
        return None
    children: dict[int, list[int]] = {face: [] for face in range(len(net))}
    for at, other, _ in tree:
        children[at].append(other)
    # From the leaves inwards, so that every side turned about still lies in the page.
    for at, other, side in reversed(tree):
        a, b = net[at][side], net[at][(side + 1) % len(net[at])]
        many = sorted((len(net[at]), len(net[other])))
        angle = pi - angles[many[0], many[1]]
        for face in _hanging(children, other):
            space[face] = [_about(point, a, b, angle) for point in space[face]]
    return space


def _hanging(children: Mapping[int, Sequence[int]], face: int) -> Iterator[int]:
    yield face
    for child in children[face]:
        yield from _hanging(children, child)


def _common_side(one: Sequence[Space], other: Sequence[Space]) -> int | None:
    """The number of the side of one face that is also a side of the other."""
    for i, a in enumerate(one):
        b = one[(i + 1) % len(one)]
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


def _closed(space: Sequence[Sequence[Space]]) -> list[tuple[int, ...]] | None:
    """Corners that have come together get one number; every side must be walked once in each direction."""
    found: list[Space] = []
    faces = []
    for face in space:
        numbers = []
        for point in face:
            near = [i for i, other in enumerate(found) if dist(point, other) < _JOINED]
            numbers.append(near[0] if near else len(found))
            if not near:
                found.append(point)
        faces.append(tuple(numbers))
    sides = [(a, b) for face in faces for a, b in zip(face, face[1:] + face[:1], strict=True)]
    good = len(set(sides)) == len(sides) and all((b, a) in sides for a, b in sides)
    return faces if good else None


# Laying views onto the solid


def _possible(net: Sequence[Face], solid: Sequence[tuple[int, ...]], view: Sequence[Face]) -> bool:
    return any(
        all(_carries(net[face], shift, seen) for (face, shift), seen in zip(laid, view, strict=True))
        for laid in _layings(solid, view, {})
    )


def _layings(
    solid: Sequence[tuple[int, ...]], view: Sequence[Face], known: Mapping[Flat, int]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to lay the faces of a view onto faces of the solid: which face, and by how many corners turned.

    `known`: the solid's corners under points of the picture, from the faces already laid.
    """
    if not view:
        yield ()
        return
    corners = view[0].corners
    for face, numbers in enumerate(solid):
        for shift in range(len(numbers) if len(numbers) == len(corners) else 0):
            here = {corner: numbers[(i + shift) % len(numbers)] for i, corner in enumerate(corners)}
            merged = {**known, **here}
            agree = all(known.get(corner, number) == number for corner, number in here.items())
            if agree and len(set(merged.values())) == len(merged):
                for rest in _layings(solid, view[1:], merged):
                    yield ((face, shift), *rest)


def _carries(face: Face, shift: int, seen: Face) -> bool:
    """Whether the marks of a net's face, carried over to the view, are those seen there."""
    many = len(face.corners)
    corners = [face.corners[(i + shift) % many] for i in range(many)]
    left = list(seen.strokes)
    for stroke in face.strokes:
        points = tuple(_carried(point, corners, seen.corners) for point in stroke.points)
        match = next((one for one in left if _same(Stroke(points, stroke.closed, stroke.kind), one)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _carried(point: Flat, start: Sequence[Flat], end: Sequence[Flat]) -> Flat:
    """Where a point goes if the face is stretched so that its corners go from `start` to `end`."""
    (ox, oy), (ax, ay), (bx, by) = start[0], start[1], start[-1]
    ax, ay, bx, by, x, y = ax - ox, ay - oy, bx - ox, by - oy, point[0] - ox, point[1] - oy
    area = ax * by - ay * bx
    u, v = (x * by - y * bx) / area, (ax * y - ay * x) / area
    (px, py), (qx, qy), (rx, ry) = end[0], end[1], end[-1]
    return px + u * (qx - px) + v * (rx - px), py + u * (qy - py) + v * (ry - py)


def _same(one: Stroke, other: Stroke) -> bool:
    """Whether two marks coincide, wherever and whichever way round their lines begin."""
    many = len(one.points)
    if (one.kind, one.closed, many) != (other.kind, other.closed, len(other.points)):
        return False
    starts = range(many) if one.closed else (0,)
    for line in (other.points, other.points[::-1]):
        for start in starts:
            if all(dist(one.points[i], line[(i + start) % many]) < _SAME for i in range(many)):
                return True
    return False
