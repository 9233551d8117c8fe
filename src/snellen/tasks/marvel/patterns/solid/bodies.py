"""The solids that nets fold into: which corners each face has, and which faces a picture of them shows.

A **face** is the cycle of its corners, clockwise as seen from outside; every edge is therefore walked once in each
direction. That alone says how a solid may be turned: `turnings` lists, for every rotation, where each face goes and by
how many corners it is turned there. No coordinates in space are needed; the solver uses them and is a check on this.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

Point = tuple[int, int]
Place = tuple[int, int]
"""A face of the solid, and the corner of it where corner 0 of the face put there comes to lie."""


@dataclass(frozen=True, slots=True)
class VisibleFace:
    """A visible face: its place on the solid and what its corners and sides (side i follows corner i) are called."""

    place: int
    name: str
    corners: tuple[str, ...]
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SolidView:
    """A way of looking at a solid: where its corners come to lie in the picture, and the faces that are seen."""

    words: str
    points: Mapping[int, Point]
    shown: tuple[VisibleFace, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SolidBody:
    name: str
    faces: tuple[tuple[int, ...], ...]
    cameras: tuple[SolidView, ...]


def _face(place: int, name: str, corners: str, sides: str) -> VisibleFace:
    """A face by the short names of its corners and sides: "top, right" for the top corner, the right corner."""
    return VisibleFace(
        place,
        name,
        tuple(f"the {corner} corner" for corner in corners.split(", ")),
        tuple(f"the {side} side" for side in sides.split(", ")),
    )


def _upright(place: int, name: str) -> VisibleFace:
    """A square face whose upper side is on top."""
    return _face(place, name, "upper left, upper right, lower right, lower left", "top, right, bottom, left")


UPRIGHT = _upright(0, "")
"""What the corners and sides of such a face are called."""

# Corners of the cube: 0 upper left front, +1 right, +2 lower, +4 back.
_OBLIQUE = SolidView(
    "seen from the front, from above and from the right",
    MappingProxyType(
        {0: (18, 70), 1: (110, 70), 2: (18, 162), 3: (110, 162), 4: (70, 18), 5: (162, 18), 7: (162, 110)}
    ),
    (
        _face(2, "top face", "back left, back right, front right, front left", "back, right, front, left"),
        _upright(0, "front face"),
        _face(1, "right face", "upper front, upper back, lower back, lower front", "top, back, bottom, front"),
    ),
)
_CORNER_ON = SolidView(
    "seen corner first from above, so that the top face, the left face and the right face meet in the middle of the "
    "picture (the front left side of the top face is the top side of the left face, the front right side of the top "
    "face is the top side of the right face)",
    MappingProxyType({1: (90, 90), 0: (28, 54), 5: (152, 54), 4: (90, 18), 3: (90, 162), 2: (28, 126), 7: (152, 126)}),
    (
        _face(2, "top face", "back, right, front, left", "back right, front right, front left, back left"),
        _upright(0, "left face"),
        _upright(1, "right face"),
    ),
)
CUBE = SolidBody(
    "cube",
    ((0, 1, 3, 2), (1, 5, 7, 3), (4, 5, 1, 0), (5, 4, 6, 7), (4, 0, 2, 6), (2, 3, 7, 6)),
    (_OBLIQUE, _CORNER_ON),
)

# Corners of both pyramids: 0 the tip, then the base.
_LEFT_SLOPE = _face(0, "left face", "top, front, left", "middle, bottom, outer")
_RIGHT_SLOPE = _face(1, "right face", "top, right, front", "outer, bottom, middle")
_STANDING = "standing, seen edge first: the left face and the right face share the edge in the middle of the picture"
TETRAHEDRON = SolidBody(
    "tetrahedron",
    ((0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)),
    (
        SolidView(
            _STANDING,
            MappingProxyType({0: (88, 18), 1: (18, 116), 2: (96, 162), 3: (162, 110)}),
            (_LEFT_SLOPE, _RIGHT_SLOPE),
        ),
    ),
)
PYRAMID = SolidBody(
    "square pyramid",
    ((0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 1, 4), (1, 2, 3, 4)),
    (
        SolidView(
            _STANDING,
            MappingProxyType({0: (90, 18), 1: (18, 112), 2: (84, 162), 3: (162, 118)}),
            (_LEFT_SLOPE, _RIGHT_SLOPE),
        ),
        SolidView(
            "lying, seen from its side: its square base is on the left, its tip points to the right, and of its "
            "triangles only the one on the right side of the base is seen",
            MappingProxyType({0: (162, 84), 1: (18, 56), 2: (92, 28), 3: (92, 134), 4: (18, 162)}),
            (
                _upright(4, "base"),
                VisibleFace(
                    1,
                    "right face",
                    ("the tip", "the lower corner", "the upper corner"),
                    ("the lower side", "the base side", "the upper side"),
                ),
            ),
        ),
    ),
)
# Corners of the prism: 0 left, 1 right, 2 front of the upper triangle, 3 to 5 below them.
PRISM = SolidBody(
    "triangular prism",
    ((0, 1, 2), (0, 2, 5, 3), (2, 1, 4, 5), (1, 0, 3, 4), (3, 5, 4)),
    (
        SolidView(
            "standing on a triangle, seen edge first from above: the left face and the right face share the upright "
            "edge in the middle of the picture",
            MappingProxyType({0: (22, 32), 1: (158, 22), 2: (94, 76), 3: (22, 116), 4: (158, 106), 5: (94, 160)}),
            (
                _face(0, "top face", "left, right, front", "back, front right, front left"),
                _upright(1, "left face"),
                _upright(2, "right face"),
            ),
        ),
    ),
)
SOLIDS = (CUBE, TETRAHEDRON, PYRAMID, PRISM)


@cache
def neighbours(solid: SolidBody) -> Mapping[tuple[int, int], tuple[int, int]]:
    """(face, side) -> (the face across that side, the number of that side there)."""
    sides = {
        (cycle[i], cycle[(i + 1) % len(cycle)]): (face, i)
        for face, cycle in enumerate(solid.faces)
        for i in range(len(cycle))
    }
    return MappingProxyType({sides[a, b]: sides[b, a] for a, b in sides})


@cache
def turnings(solid: SolidBody) -> tuple[tuple[Place, ...], ...]:
    """Every rotation of the solid: for each face the place it goes to."""
    spreads = [_spread(solid, (face, shift), mirror=False) for face, shift in _starts(solid)]
    return tuple(turning for turning in spreads if turning is not None)


@cache
def mirroring(solid: SolidBody) -> tuple[Place, ...]:
    """A reflection of the solid: for each face its place there and the corner s such that corner i goes to s - i."""
    spreads = [_spread(solid, (face, shift), mirror=True) for face, shift in _starts(solid)]
    return next(turning for turning in spreads if turning is not None)


def _starts(solid: SolidBody) -> list[Place]:
    """Wherever face 0 may go."""
    many = len(solid.faces[0])
    return [(face, shift) for face, cycle in enumerate(solid.faces) if len(cycle) == many for shift in range(many)]


def _spread(solid: SolidBody, first: Place, *, mirror: bool) -> tuple[Place, ...] | None:
    """The rotation or reflection that puts face 0 at `first`, by walking from face to face; None if there is none."""
    across = neighbours(solid)
    places = {0: first}
    waiting = [0]
    while waiting:
        face = waiting.pop()
        to, shift = places[face]
        for side in range(len(solid.faces[face])):
            beyond, side_there = across[face, side]
            image = shift - side - 1 if mirror else shift + side
            target, side_at_target = across[to, image % len(solid.faces[to])]
            many = len(solid.faces[beyond])
            if many != len(solid.faces[target]):
                return None
            place = (target, (side_at_target + 1 + side_there if mirror else side_at_target - side_there) % many)
            if beyond not in places:
                places[beyond] = place
                waiting.append(beyond)
            elif places[beyond] != place:
                return None
    return tuple(places[face] for face in range(len(solid.faces)))
