"""Which turns and mirrors map a panel onto itself.

A panel is taken as points: corners of outlines and strokes and the middles of the pieces between them, each with what
it belongs to. Their mean stays where it is under every symmetry, so every axis runs through it; the point farthest out
must go to another one as far out, which leaves few candidates to try.
"""

from collections.abc import Iterator
from math import degrees
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.marvel.solve.ink import Stroke, strokes
from snellen.tasks.marvel.solve.scene import Things

_NEAR = 3.2  # pixels that whole-number points may be off
_ROUND = frozenset({"circle", "ellipse"})


class Symmetry(NamedTuple):
    """`axes`: their directions in degrees, 0 lying, counted clockwise; `turns`: how often a whole turn shows it again."""

    axes: tuple[float, ...]
    turns: int


def symmetry(panel: Things) -> Symmetry:
    points, labels = _cloud(panel)
    if len(points) < 2:
        return Symmetry((), 1)
    points = points - points.mean()
    reach = np.abs(points)
    if reach.max() < _NEAR:
        return Symmetry((), 1)
    far = int(reach.argmax())
    goals = np.flatnonzero((np.abs(reach - reach[far]) < _NEAR) & (labels == labels[far]))
    unit = points[goals] / reach[goals]
    start = points[far] / reach[far]
    apart = labels[:, None] != labels[None, :]
    mirrors = unit * start  # p -> m * conj(p) takes the far point to the goal
    spins = unit * start.conjugate()
    mirrored = _maps(points, mirrors[:, None] * points.conj()[None, :], apart)
    turned = _maps(points, spins[:, None] * points[None, :], apart)
    directions = sorted(degrees(float(np.angle(m))) / 2 % 180 for m in mirrors[mirrored])
    return Symmetry(tuple(_distinct(directions)), max(1, len(_distinct(sorted(np.degrees(np.angle(spins[turned])) % 360), 360))))


def _maps(points: NDArray[Any], images: NDArray[Any], apart: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each row of images, whether every point of it lies on a point of its own sort."""
    gaps = np.abs(images[:, :, None] - points[None, None, :])
    gaps = np.where(apart[None], np.inf, gaps)
    return np.asarray((gaps.min(axis=2) < _NEAR).all(axis=1) & (gaps.min(axis=1) < _NEAR).all(axis=1))


def _distinct(angles: list[float], whole: float = 180) -> list[float]:
    """Angles more than a few degrees apart."""
    found: list[float] = []
    for angle in angles:
        if all(abs((angle - other + whole / 2) % whole - whole / 2) > 4 for other in found):
            found.append(angle)
    return found


def _cloud(panel: Things) -> tuple[NDArray[Any], NDArray[Any]]:
    points: list[complex] = []
    labels: list[int] = []
    names: dict[Any, int] = {}
    for thing in panel:
        if thing.kind in ("cell", "circle") or thing.kind.startswith("letter"):
            points.append(complex(thing.x, thing.y))
            labels.append(names.setdefault((thing.kind, thing.fill, round(thing.size)), len(names)))
            continue
        for stroke in strokes(thing):
            for name, spots in (("corner", stroke.corners), ("middle", _middles(stroke))):
                points.extend(spots)
                labels.extend([names.setdefault((name, thing.fill, stroke.curved), len(names))] * len(spots))
    return np.array(points), np.array(labels)


def _middles(stroke: Stroke) -> list[complex]:
    corners = stroke.corners
    following = [*corners[1:], corners[0]] if stroke.closed else corners[1:]
    return [(a + b) / 2 for a, b in zip(corners, following, strict=False)]
