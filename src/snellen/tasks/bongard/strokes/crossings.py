"""Where a pen's track meets itself."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.bongard.draw.strokes import Points

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_TOUCH, _CLEAR = 0.012, 0.05
"""Up to the first distance (of the figure's size) two places are one point, from the second on they are apart."""
_NEIGHBOURS = 0.12
"""Places of the track this near along it (of its length) are near in any case; only a true crossing counts."""
_SPUR = 0.05
"""An end that sticks out no further than this (of the length) has not clearly crossed."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A point the track passes twice: its place, and how far along the track it is the first and the second time."""

    place: complex
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class StrokeCrossings:
    """All points met twice; `clear` is False if some place is almost one."""

    points: tuple[Meeting, ...]
    clear: bool


def meetings(corners: Points, closed: bool, size: float) -> StrokeCrossings:
    """Where the polyline through these corners (first and last the same if closed) crosses or touches itself."""
    starts, steps = corners[:-1], np.diff(corners)
    lengths = np.abs(steps)
    along = np.concatenate(([0.0], np.cumsum(lengths)))
    i, j = _pairs(len(starts), closed)
    crossed, share_i, share_j = _crossed(starts, steps, i, j)
    gap = along[j] - along[i + 1]
    if closed:
        gap = np.minimum(gap, along[-1] - along[j + 1] + along[i])
    apart = gap > _NEIGHBOURS * along[-1]
    hits = [
        Meeting(complex(starts[a] + steps[a] * s), along[a] + s * lengths[a], along[b] + t * lengths[b])
        for a, b, s, t in zip(i[crossed], j[crossed], share_i[crossed], share_j[crossed], strict=True)
    ]
    check = apart & ~crossed
    clear = closed or all(
        min(hit.first, along[-1] - hit.second, hit.second - hit.first) > _SPUR * along[-1] for hit in hits
    )
    touching, doubtful = _touches(corners, along, i[check], j[check], size)
    merged = _merged([*hits, *touching], size, along[-1] if closed else None)
    near_hit = [place for place in doubtful if all(abs(place - hit.place) > 3 * _CLEAR * size for hit in merged)]
    return StrokeCrossings(tuple(merged), clear and not near_hit and (closed or not touching))


@lru_cache(maxsize=512)
def _pairs(many: int, closed: bool) -> tuple[Ints, Ints]:
    """All pairs of pieces that do not follow one another."""
    i, j = np.triu_indices(many, 2)
    keep = ~((i == 0) & (j == many - 1)) if closed else np.ones(len(i), np.bool_)
    return i[keep], j[keep]


def _cross(a: Points, b: Points) -> Floats:
    return a.real * b.imag - a.imag * b.real


def _crossed(starts: Points, steps: Points, i: Ints, j: Ints) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Which pairs of pieces cross, and at which share of each."""
    a, b, between = steps[i], steps[j], starts[j] - starts[i]
    turn = _cross(a, b)
    safe = np.where(turn == 0, 1.0, turn)
    s, t = _cross(between, b) / safe, _cross(between, a) / safe
    return (turn != 0) & (s > 0) & (s < 1) & (t > 0) & (t < 1), s, t


def _touches(corners: Points, along: Floats, i: Ints, j: Ints, size: float) -> tuple[list[Meeting], list[complex]]:
    """Corners that lie on another piece, and places that are neither on one nor clear of it."""
    point, piece = np.concatenate((i, i + 1, j, j + 1)), np.concatenate((j, j, i, i))
    start, step = corners[piece], corners[piece + 1] - corners[piece]
    away = corners[point] - start
    share = np.clip((away * step.conj()).real / np.maximum((step * step.conj()).real, 1e-18), 0, 1)
    distance = np.abs(away - share * step)
    touching: list[Meeting] = []
    doubtful: list[complex] = []
    for k in np.flatnonzero(distance < _CLEAR * size):
        place = complex(corners[point[k]])
        if distance[k] > _TOUCH * size:
            doubtful.append(place)
            continue
        here, there = float(along[point[k]]), float(along[piece[k]] + share[k] * abs(step[k]))
        touching.append(Meeting(place, min(here, there), max(here, there)))
    return touching, doubtful


def _merged(hits: list[Meeting], size: float, around: float | None) -> list[Meeting]:
    """Hits at one place counted once. In a closed track the start is also the end, and is no meeting with itself."""
    kept: list[Meeting] = []
    for hit in hits:
        apart = hit.second - hit.first
        if around is not None and min(apart, around - apart) < _SPUR * around:
            continue
        if all(abs(hit.place - other.place) > _CLEAR * size for other in kept):
            kept.append(hit)
    return kept
