"""A scene as arrays: all faces of all things, ready to be projected."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw.space.camera import dot
from snellen.draw.space.paint import Floats
from snellen.draw.space.solids import Face, Point, Scene, Solid, Thing, cosine, faces, sine

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Faces in rows. The corners of face f are `counts[f]` rows of `corners` from `starts[f]` on."""

    corners: Floats
    counts: Ints
    starts: Ints
    normals: Floats
    along: Floats
    across: Floats
    origin: Floats
    thing: Ints
    two_sided: Flags
    casts: Flags
    colour: Floats
    second: Floats
    pattern: Ints
    patterns: tuple[tuple[str, tuple[float, float, float]], ...]


@dataclass(frozen=True, slots=True)
class _Model:
    """The faces of a model before it is placed."""

    corners: Floats
    along: Floats
    faces: tuple[Face, ...]


def mesh_of(scene: Scene) -> Mesh:
    """All faces of the scene where they stand. Coordinates are rounded to a micrometre."""
    models = [_model(thing.parts) for thing in scene.things]
    pairs = list(zip(scene.things, models, strict=True))
    all_faces = [face for model in models for face in model.faces]
    corners = np.concatenate([_placed(model.corners, thing) for thing, model in pairs])
    along = np.concatenate([_spun(model.along, thing.turn) for thing, model in pairs])
    counts = np.array([len(face.corners) for face in all_faces])
    starts = np.cumsum(counts) - counts
    normals = _normals(corners, counts, starts)
    across = _cross(normals, along)
    first = corners[starts]
    per_thing = [len(model.faces) for model in models]
    looks = [(face.paint.pattern, face.paint.size) for face in all_faces]
    patterns = {("plain", (1.0, 1.0, 0.1)): 0}
    for look in looks:
        if look[0] != "plain":
            patterns.setdefault(look, len(patterns))
    return Mesh(
        corners=corners,
        counts=counts,
        starts=starts,
        normals=normals,
        along=along,
        across=across,
        origin=np.stack((dot(first, along), dot(first, across)), axis=1),
        thing=np.repeat(np.arange(len(models)), per_thing),
        two_sided=np.array([face.two_sided for face in all_faces]),
        casts=np.repeat(np.array([thing.casts for thing in scene.things]), per_thing),
        colour=np.array([face.paint.colour for face in all_faces]) / 255.0,
        second=np.array([face.paint.second for face in all_faces]) / 255.0,
        pattern=np.array([0 if look[0] == "plain" else patterns[look] for look in looks]),
        patterns=tuple(patterns),
    )


def extent(thing: Thing) -> tuple[Point, Point]:
    """The lowest and highest x, y and z of a thing where it stands."""
    corners = _placed(_model(thing.parts).corners, thing)
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


@lru_cache(maxsize=1024)
def _model(parts: tuple[Solid, ...]) -> _Model:
    all_faces = tuple(face for part in parts for face in faces(part))
    corners = np.array([corner for face in all_faces for corner in face.corners], np.float64)
    return _Model(corners, np.array([face.u for face in all_faces]), all_faces)


def _spun(vectors: Floats, turn: float) -> Floats:
    s, c = sine(turn), cosine(turn)
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack((x * c + y * s, y * c - x * s, vectors[:, 2]), axis=1)


def _placed(corners: Floats, thing: Thing) -> Floats:
    moved: Floats = np.round(_spun(corners, thing.turn) + np.array((*thing.at, thing.height)), 6)
    return moved


def _cross(a: Floats, b: Floats) -> Floats:
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)


def _normals(corners: Floats, counts: Ints, starts: Ints) -> Floats:
    """Unit normals from three corners spread over each face."""
    a, b = corners[starts], corners[starts + counts // 3]
    c = corners[starts + 2 * counts // 3]
    normals = _cross(b - a, c - a)
    return normals / np.sqrt(dot(normals, normals))[:, None]
