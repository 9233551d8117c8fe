"""Which turns and mirrors map a panel onto itself.

A panel is taken as points: corners of outlines and strokes, and the middles of the pieces of open strokes, each with
what it belongs to. Their mean stays where it is under every symmetry, so every axis runs through it; the point farthest
out must go to another one as far out, which leaves few candidates to try.
"""

from cmath import rect
from collections.abc import Sequence
from itertools import pairwise
from math import degrees, radians
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.marvel.solve.ink import InkStroke, thing_strokes
from snellen.tasks.marvel.solve.scene import Things
from snellen.tasks.marvel.solve.things import SolverThing

_NEAR = 3.2  # pixels that whole-number points may be off
_PROBES = 5
_MANY, _CROWD = 90, 6  # points and things; nobody looks for symmetry in a crowd


class Symmetry(NamedTuple):
    """`axes`: their directions in degrees, 0 lying, clockwise; `turns`: how often a whole turn shows it again."""

    axes: tuple[float, ...]
    turns: int


NONE = Symmetry((), 1)
ROUND = Symmetry(tuple(range(0, 180, 5)), 36)  # circles around one middle


def symmetry(panel: Things) -> Symmetry:
    if len(panel) > _CROWD:
        return NONE
    points, labels = _cloud(panel)
    if not 1 <= len(points) <= _MANY:
        return NONE
    points = points - points.mean()
    reach = np.abs(points)
    far = int(reach.argmax())
    if reach[far] < _NEAR:
        return ROUND if all(thing.kind == "circle" for thing in panel) else NONE
    goals = np.flatnonzero((np.abs(reach - reach[far]) < _NEAR) & (labels == labels[far]))
    unit = points[goals] / reach[goals]
    start = points[far] / reach[far]
    apart = np.where(labels[:, None] == labels[None, :], 0.0, np.inf)
    order = np.argsort(-reach, kind="stable")[:_PROBES]
    # p -> m conj(p) mirrors, p -> s p turns; both take the farthest point to a goal.
    mirrors = _mapping(points, points.conj(), unit * start, apart, order)
    spins = _mapping(points, points, unit * start.conjugate(), apart, order)
    axes = sorted(degrees(angle) / 2 % 180 for angle in np.angle(mirrors).tolist())
    turns = sorted(degrees(angle) % 360 for angle in np.angle(spins).tolist())
    return Symmetry(tuple(_distinct(axes, 180)), max(1, len(_distinct(turns, 360))))


def _mapping(
    points: NDArray[Any], images: NDArray[Any], factors: NDArray[Any], apart: NDArray[Any], order: NDArray[Any]
) -> NDArray[Any]:
    """The factors that lay the images on the points, each on one of its own sort; a few points are tried first."""
    gaps = np.abs(factors[:, None, None] * images[order][None, :, None] - points) + apart[order]
    left: NDArray[Any] = factors[(gaps.min(axis=2) < _NEAR).all(axis=1)]
    near = (np.abs(left[:, None, None] * images[:, None] - points) + apart) < _NEAR
    fitting: NDArray[Any] = left[near.any(axis=2).all(axis=1) & near.any(axis=1).all(axis=1)]
    return fitting


def _distinct(angles: Sequence[float], whole: float) -> list[float]:
    """Angles more than a few degrees apart."""
    distinct: list[float] = []
    for angle in angles:
        if all(abs((angle - other + whole / 2) % whole - whole / 2) > 4 for other in distinct):
            distinct.append(angle)
    return distinct


def _cloud(panel: Things) -> tuple[NDArray[Any], NDArray[Any]]:
    points: list[complex] = []
    labels: list[int] = []
    names: dict[Any, int] = {}
    for thing in panel:
        if thing.kind.endswith("cell") or thing.shape in ("circle", "letter"):
            points.append(complex(thing.x, thing.y))
            labels.append(names.setdefault((thing.kind, thing.fill, round(thing.size)), len(names)))
            continue
        if thing.shape in _SIGNS:
            spots = [complex(thing.x, thing.y) + spot for spot in _signs(thing)]
            points.extend(spots)
            labels.extend([names.setdefault((thing.kind, thing.fill), len(names))] * len(spots))
            continue
        for stroke in thing_strokes(thing):
            for name, spots in (("corner", stroke.corners), ("middle", _middles(stroke))):
                points.extend(spots)
                labels.extend([names.setdefault((name, thing.fill, stroke.curved), len(names))] * len(spots))
    return np.array(points), np.array(labels)


# Figures with curves, by as few points as show their symmetry: tip and sides, in parts of their size, at turn 0.
_SIGNS: dict[str, tuple[complex, ...]] = {
    "heart": (1j, 0.6 - 0.3j, -0.6 - 0.3j),
    "drop": (-1j, 0.6 + 0.3j, -0.6 + 0.3j),
    "moon": (-1 + 0j, 0.3 + 0.6j, 0.3 - 0.6j),
    "ellipse": (1 + 0j, -1 + 0j, 0.58j, -0.58j),
}


def _signs(thing: SolverThing) -> list[complex]:
    turn = rect(thing.size, radians(thing.turn))
    return [sign * turn for sign in _SIGNS[thing.shape]]


def _middles(stroke: InkStroke) -> list[complex]:
    """Of an open stroke, as the ends of two lines do not say which belong together; corners of a closed one do."""
    return [] if stroke.closed else [(a + b) / 2 for a, b in pairwise(stroke.corners)]
