"""Simple solids, named things made of them, and scenes made of things.

A solid is a plain value; `faces` gives its faces as polygons whose corners go anticlockwise seen from outside.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from snellen.tasks.capacity.draw.space.paint import Colour, Paint

Point = tuple[float, float, float]
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SolidFace:
    """A flat convex polygon. Its paint is measured along `u` (a direction) and the direction square to it."""

    corners: tuple[Point, ...]
    paint: Paint
    u: Point = (1.0, 0.0, 0.0)
    two_sided: bool = False


@dataclass(frozen=True, slots=True)
class SolidBox:
    """A box standing on `at` (the middle of its foot): width (x), depth (y), height (z); turned by a bearing.

    `taper` is the share of width and depth that the top keeps: 1 a box, 0.5 a stump, 0 a pyramid.
    """

    at: Point
    size: Point
    paint: Paint
    turn: float = 0.0
    taper: float = 1.0
    top: Paint | None = None
    front: Paint | None = None


@dataclass(frozen=True, slots=True)
class Prism:
    """An upright prism or cone of n sides standing on `at`; `taper` is the share of the radius that the top keeps."""

    at: Point
    radius: float
    height: float
    paint: Paint
    sides: int = 12
    taper: float = 1.0
    top: Paint | None = None


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball (or an egg, by its height) of flat faces, standing on `at`."""

    at: Point
    radius: float
    height: float
    paint: Paint
    sides: int = 10


@dataclass(frozen=True, slots=True)
class Gable:
    """A roof over width x depth: the ridge along x, gables to both ends. `hip` moves the ridge's ends inwards."""

    at: Point
    size: Point
    paint: Paint
    ends: Paint
    hip: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Quad:
    """A flat polygon anywhere in space, seen from the side where its corners go anticlockwise (or from both)."""

    corners: tuple[Point, ...]
    paint: Paint
    two_sided: bool = False


Solid = SolidBox | Prism | Ball | Gable | Quad


@dataclass(frozen=True, slots=True)
class SolidThing:
    """A named group of solids, placed at (x, y) with its front to a bearing. The name is its identity in a scene."""

    name: str
    parts: tuple[Solid, ...]
    at: Spot = (0.0, 0.0)
    turn: float = 0.0
    height: float = 0.0
    casts: bool = True

    def placed(self, name: str, at: Spot, turn: float = 0.0, height: float = 0.0) -> "SolidThing":
        """The same model elsewhere, under its own name."""
        return replace(self, name=name, at=at, turn=turn, height=height)


@dataclass(frozen=True, slots=True)
class SolidScene:
    """Everything there is. Things are told apart by their names."""

    things: tuple[SolidThing, ...]

    def __post_init__(self) -> None:
        if len({thing.name for thing in self.things}) < len(self.things):
            raise ValueError("two things of a scene have the same name")


def plain(colour: Colour) -> Paint:
    return Paint(colour)


def sine(bearing: float) -> float:
    """The sine of a bearing in degrees, rounded so that every machine has the same."""
    return round(math.sin(math.radians(bearing)), 6) + 0.0


def cosine(bearing: float) -> float:
    return round(math.cos(math.radians(bearing)), 6) + 0.0


def turned(point: Point, bearing: float, at: Point = (0.0, 0.0, 0.0)) -> Point:
    """The point turned clockwise (seen from above) about the upright axis, then moved."""
    x, y, z = point
    s, c = sine(bearing), cosine(bearing)
    return round(x * c + y * s + at[0], 6), round(y * c - x * s + at[1], 6), round(z + at[2], 6)


def floor(low: Spot, high: Spot, paint: Paint, height: float = 0.0) -> Quad:
    """A level rectangle seen from above."""
    (x0, y0), (x1, y1) = low, high
    return Quad(((x0, y0, height), (x1, y0, height), (x1, y1, height), (x0, y1, height)), paint)


def ceiling(low: Spot, high: Spot, paint: Paint, height: float) -> Quad:
    """A level rectangle seen from below."""
    return Quad(floor(low, high, paint, height).corners[::-1], paint)


@lru_cache(maxsize=8192)
def faces(solid: Solid) -> tuple[SolidFace, ...]:
    """The faces of a solid in its own measures."""
    match solid:
        case SolidBox():
            return _box_faces(solid)
        case Prism():
            rings = ((0.0, solid.radius), (solid.height, solid.radius * solid.taper))
            return _turned_faces(solid.at, rings, solid.sides, solid.paint, solid.top)
        case Ball():
            return _turned_faces(solid.at, _ball_rings(solid), solid.sides, solid.paint, None)
        case Gable():
            return _gable_faces(solid)
        case Quad(corners, paint, two_sided):
            return (SolidFace(corners, paint, _level_direction(corners), two_sided),)


def _level_direction(corners: Sequence[Point]) -> Point:
    """Which way a polygon's paint runs: along its first side, if that is level."""
    (x0, y0, z0), (x1, y1, z1) = corners[:2]
    length = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    if length < 1e-9 or abs(z1 - z0) > 1e-9:
        return (1.0, 0.0, 0.0)
    return ((x1 - x0) / length, (y1 - y0) / length, 0.0)


def _faces_of(polygons: Iterable[tuple[Sequence[Point], Paint]]) -> Iterator[SolidFace]:
    """Faces with these corners; corners that fall together count once, and what is left must have three."""
    for corners, paint in polygons:
        polygon = tuple(dict.fromkeys(corners))
        if len(polygon) > 2:
            yield SolidFace(polygon, paint, _level_direction(polygon))


def _box_faces(box: SolidBox) -> tuple[SolidFace, ...]:
    wide, deep, high = box.size
    corners = []
    for z, share in ((0.0, 0.5), (high, 0.5 * box.taper)):
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corners.append(turned((x * wide * share, y * deep * share, z), box.turn, box.at))
    top = box.top or box.paint
    sides = [((0, 1, 5, 4), box.paint), ((1, 2, 6, 5), box.paint), ((2, 3, 7, 6), box.front or box.paint)]
    sides += [((3, 0, 4, 7), box.paint), ((3, 2, 1, 0), box.paint), ((4, 5, 6, 7), top)]
    return tuple(_faces_of(([corners[n] for n in numbers], paint) for numbers, paint in sides))


def _ball_rings(ball: Ball) -> tuple[tuple[float, float], ...]:
    steps = max(3, ball.sides // 2)
    middle = ball.height * 0.5
    bearings = [180.0 * i / steps for i in range(steps + 1)]
    return tuple((middle - middle * cosine(b), ball.radius * abs(sine(b))) for b in bearings)


def _turned_faces(
    at: Point, rings: Sequence[tuple[float, float]], sides: int, paint: Paint, top: Paint | None
) -> tuple[SolidFace, ...]:
    """Rings of n corners one above another, (height, radius) each, with faces between and caps at both ends."""
    around = [-360.0 * (i + 0.5) / sides for i in range(sides)]  # anticlockwise
    levels = [[turned((0.0, radius, height), bearing, at) for bearing in around] for height, radius in rings]
    between = (
        ((low[i], low[j], high[j], high[i]), paint)
        for low, high in pairwise(levels)
        for i, j in pairwise((*range(sides), 0))
    )
    built = list(_faces_of(between))
    if rings[-1][1] > 1e-6:
        built.append(SolidFace(tuple(levels[-1]), top or paint))
    if rings[0][1] > 1e-6:
        built.append(SolidFace(tuple(levels[0][::-1]), top or paint))
    return tuple(built)


def _gable_faces(roof: Gable) -> tuple[SolidFace, ...]:
    wide, deep, high = roof.size
    x, y, ridge = wide * 0.5, deep * 0.5, wide * 0.5 - roof.hip
    spots = [(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0), (-ridge, 0.0, high), (ridge, 0.0, high)]
    corners = [turned(spot, roof.turn, roof.at) for spot in spots]
    sides: list[tuple[tuple[int, ...], Paint]] = [((0, 1, 5, 4), roof.paint), ((2, 3, 4, 5), roof.paint)]
    sides += [((1, 2, 5), roof.ends), ((3, 0, 4), roof.ends), ((3, 2, 1, 0), roof.ends)]
    return tuple(_faces_of(([corners[n] for n in numbers], paint) for numbers, paint in sides))
