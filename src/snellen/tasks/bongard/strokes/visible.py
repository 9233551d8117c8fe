"""What a person sees at once: by how many pixels two drawings differ, and how far an arc bulges.

The checker says whether an attribute holds. That is not enough: a rhombus with one side bent by four pixels is none,
and nobody notices. So the second picture of a pair must **depart** from the first: laid over it in the best way (moved,
scaled, turned, mirrored), some place of one track lies at least `MISS` pixels from the other track, at the size drawn,
and `OTHER_PATH` pixels where it is the path itself that must be known again.
"""

from math import radians, tan

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.bongard.draw.strokes import Points, StrokeShape, legs, track
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes.measure import measure, resampled
from snellen.tasks.bongard.strokes.panels import shapes_of

MISS, OTHER_PATH = 14.0, 24.0
BULGE = 8.0
_COARSE, _FINE = 24, 128
_TURNS = np.exp(2j * np.pi * np.arange(72) / 72)
_WAYS: Points = np.array([(turn, mirrored) for mirrored in (0, 1) for turn in _TURNS])
"""Turns, each as it is and mirrored."""


def differs(one: Panel, other: Panel, pixels: float = MISS) -> bool:
    """Whether some shape of one picture departs so far from the shape in its place in the other."""
    return any(departure(mine, yours) >= pixels for mine, yours in zip(shapes_of(one), shapes_of(other), strict=True))


def bulges(panel: Panel) -> bool:
    """Whether every arc of the picture bulges enough to be seen as one."""
    return all(
        side.chord * tan(radians(min(abs(side.sweep), 350)) / 4) / 2 * shape.scale >= BULGE
        for shape in shapes_of(panel)
        for side in measure(shape.strokes).sides
        if not side.straight
    )


def departure(one: StrokeShape, other: StrokeShape) -> float:
    """How far, in pixels of the smaller drawing, the tracks lie apart at the worst place when they fit best."""
    shapes = (one, other)
    sizes = [measure(shape.strokes).size for shape in shapes]
    tracks = [np.concatenate(track(legs(shape.strokes))) / size for shape, size in zip(shapes, sizes, strict=True)]
    coarse, fine = ([resampled(points, many, closed=False) for points in tracks] for many in (_COARSE, _FINE))
    best = np.argsort(_apart(coarse[0], _laid(coarse[1], _WAYS)))[:4]
    pixels = min(size * shape.scale for size, shape in zip(sizes, shapes, strict=True))
    return float(pixels * _apart(fine[0], _laid(fine[1], _WAYS[best])).min())


def _laid(points: Points, ways: Points) -> Points:
    """The points turned (and mirrored) in each way: one row for each."""
    turned = np.outer(ways[:, 0], points)
    return np.asarray(np.where(ways[:, 1:] == 1, turned.conj(), turned))


def _apart(one: Points, laid: Points) -> NDArray[np.float64]:
    """The largest distance of the tracks for each row, the middles of the boxes on one another."""
    distances = np.abs(_centred(one[None])[:, :, None] - _centred(laid)[:, None])
    return np.asarray(np.maximum(distances.min(axis=1).max(axis=1), distances.min(axis=2).max(axis=1)))


def _centred(rows: Points) -> Points:
    across, down = (part.max(axis=1) + part.min(axis=1) for part in (rows.real, rows.imag))
    return np.asarray(rows - (across + 1j * down)[:, None] / 2)
