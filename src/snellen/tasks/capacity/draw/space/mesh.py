"""A scene as arrays: all faces of all things, ready to be projected."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.capacity.draw.space.camera import dot
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.solids import (
    Point,
    Solid,
    SolidFace,
    SolidScene,
    SolidThing,
    cosine,
    faces,
    sine,
)

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Faces in rows. The corners of face f are `counts[f]` rows of `corners` from `starts[f]` on, `first[f]` the first
    of them. The thing in row t of `middle` lies within `radius[t]` of it."""

    corners: Floats
    counts: Ints
    starts: Ints
    first: Floats
    normals: Floats
    along: Floats
    across: Floats
    origin: Floats
    thing: Ints
    middle: Floats
    radius: Floats
    two_sided: Flags
    casts: Flags
    colour: Floats
    second: Floats
    pattern: Ints
    patterns: tuple[tuple[str, tuple[float, float, float]], ...]


Look = tuple[str, tuple[float, float, float]]
"""A pattern and its size."""
_PLAIN: Look = ("plain", (1.0, 1.0, 0.1))


@dataclass(frozen=True, slots=True)
class _Model:
    """The faces of a model before it is placed. `look[f]` is the row of face f's pattern in `looks`."""

    corners: Floats
    along: Floats
    counts: Ints
    two_sided: Flags
    colour: Floats
    second: Floats
    look: Ints
    looks: tuple[Look, ...]


def mesh_of(scene: SolidScene) -> Mesh:
    """All faces of the scene where they stand. Coordinates are rounded to a micrometre."""
    models = [_model(thing.parts) for thing in scene.things]
    pairs = list(zip(scene.things, models, strict=True))
    corners = np.concatenate([_placed(model.corners, thing) for thing, model in pairs])
    along = np.concatenate([_spun(model.along, thing.turn) for thing, model in pairs])
    counts = np.concatenate([model.counts for model in models])
    starts = np.cumsum(counts) - counts
    normals = _normals(corners, counts, starts)
    across = _cross(normals, along)
    first = corners[starts]
    per_thing = [len(model.counts) for model in models]
    middle, radius = _balls(corners, np.array([len(model.corners) for model in models]))
    patterns = {_PLAIN: 0}
    for model in models:
        for look in model.looks:
            patterns.setdefault(look, len(patterns))
    return Mesh(
        corners=corners,
        counts=counts,
        starts=starts,
        first=first,
        normals=normals,
        along=along,
        across=across,
        origin=np.stack((dot(first, along), dot(first, across)), axis=1),
        thing=np.repeat(np.arange(len(models)), per_thing),
        middle=middle,
        radius=radius,
        two_sided=np.concatenate([model.two_sided for model in models]),
        casts=np.repeat(np.array([thing.casts for thing in scene.things]), per_thing),
        colour=np.concatenate([model.colour for model in models]),
        second=np.concatenate([model.second for model in models]),
        pattern=np.concatenate(
            [np.array([patterns[pattern] for pattern in model.looks])[model.look] for model in models]
        ),
        patterns=tuple(patterns),
    )


def micro(metres: float) -> float:
    """Rounded to a micrometre, to the last bit as numpy rounds the corners of a mesh."""
    return round(metres * 1e6) / 1e6


def turned_extent(thing: SolidThing, turn: float) -> tuple[Point, Point]:
    """The lowest and highest x, y and z of a thing that is turned so, before it is put anywhere and rounded: rounding
    keeps the order, so `micro` of these moved are its extent there."""
    corners = _spun(_model(thing.parts).corners, turn)
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def extent(thing: SolidThing) -> tuple[Point, Point]:
    """The lowest and highest x, y and z of a thing where it stands."""
    corners = _placed(_model(thing.parts).corners, thing)
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


@lru_cache(maxsize=1024)
def _model(parts: tuple[Solid, ...]) -> _Model:
    all_faces = tuple(face for part in parts for face in faces(part))
    looks: dict[Look, int] = {}
    rows = [looks.setdefault(_look_of(face), len(looks)) for face in all_faces]
    return _Model(
        corners=np.array([corner for face in all_faces for corner in face.corners], np.float64),
        along=np.array([face.u for face in all_faces]),
        counts=np.array([len(face.corners) for face in all_faces]),
        two_sided=np.array([face.two_sided for face in all_faces]),
        colour=np.array([face.paint.colour for face in all_faces]) / 255.0,
        second=np.array([face.paint.second for face in all_faces]) / 255.0,
        look=np.array(rows),
        looks=tuple(looks),
    )


def _look_of(face: SolidFace) -> Look:
    """All plain faces look the same, whatever the size of the pattern they do not have."""
    return _PLAIN if face.paint.pattern == "plain" else (face.paint.pattern, face.paint.size)


def _spun(vectors: Floats, turn: float) -> Floats:
    s, c = sine(turn), cosine(turn)
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack((x * c + y * s, y * c - x * s, vectors[:, 2]), axis=1)


def _placed(corners: Floats, thing: SolidThing) -> Floats:
    moved: Floats = np.round(_spun(corners, thing.turn) + np.array((*thing.at, thing.height)), 6)
    return moved


def _balls(corners: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """The middle and the radius of a ball around each thing, given how many corners each has."""
    starts = np.cumsum(counts) - counts
    low, high = np.minimum.reduceat(corners, starts), np.maximum.reduceat(corners, starts)
    return (low + high) * 0.5, np.sqrt(dot(high - low, high - low)) * 0.5


def _cross(a: Floats, b: Floats) -> Floats:
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)


def _normals(corners: Floats, counts: Ints, starts: Ints) -> Floats:
    """Unit normals from three corners spread over each face."""
    a, b = corners[starts], corners[starts + counts // 3]
    c = corners[starts + 2 * counts // 3]
    normals = _cross(b - a, c - a)
    return normals / np.sqrt(dot(normals, normals))[:, None]
