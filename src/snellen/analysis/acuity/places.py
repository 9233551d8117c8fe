"""Where on the page: the field map, and offsets that show a grid of patches."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import xlogy

from snellen.analysis.blocks import Value
from snellen.analysis.estimates import wilson

Floats = NDArray[np.float64]
ACROSS = 5
"""Places of the field map in a row and in a column."""
PERIODS = (14, 16, 28, 32)
SURE = 0.01
_TIMES = 999
_FIELD = re.compile(r"r([1-5])c([1-5])")
_OFFSET = re.compile(r"\+(\d+)")


def field_place(place: str) -> tuple[int, int] | None:
    """Row and column of a place of the field map, from 0."""
    found = _FIELD.fullmatch(place)
    return (int(found[1]) - 1, int(found[2]) - 1) if found else None


def offset(place: str) -> int | None:
    """By how many pixels a place is off the middle, right and down, where it is such a place."""
    found = _OFFSET.fullmatch(place)
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Field:
    """How often right (percent) at each place of one canvas, rows from the top."""

    canvas: str
    cells: tuple[tuple[Value | None, ...], ...]
    p: float
    """How often places that do not differ would look so different."""


def fields(rows: pl.DataFrame) -> tuple[Field, ...]:
    """The field maps of one subject's rows, canvas by canvas."""
    made = []
    for (canvas,), own in rows.group_by(["canvas"], maintain_order=True):
        placed = _by_place(own)
        if placed:
            made.append(Field(str(canvas), _cells(placed), _unlike(placed)))
    return tuple(sorted(made, key=lambda field: (len(field.canvas), field.canvas)))


def _by_place(rows: pl.DataFrame) -> dict[tuple[int, int], tuple[int, int]]:
    """Right and all, by place."""
    counts = rows.group_by("place", maintain_order=True).agg((pl.col("outcome") == "right").sum(), pl.len())
    return {at: (right, n) for place, right, n in counts.rows() if (at := field_place(str(place))) is not None}


def _cells(placed: Mapping[tuple[int, int], tuple[int, int]]) -> tuple[tuple[Value | None, ...], ...]:
    def cell(at: tuple[int, int]) -> Value | None:
        if at not in placed:
            return None
        right, n = placed[at]
        low, high = wilson(right / n, n)
        return Value(100 * right / n, 100 * low, 100 * high, n)

    return tuple(tuple(cell((row, column)) for column in range(ACROSS)) for row in range(ACROSS))


def _unlike(placed: Mapping[tuple[int, int], tuple[int, int]]) -> float:
    right, n = np.array(list(placed.values()), np.float64).T
    return _shuffled(right, n, lambda counts: _deviance(counts, n))


def _shuffled(right: Floats, n: Floats, strays: Callable[[Floats], float]) -> float:
    """How often the same answers, dealt out to places by chance, stray as far."""
    source = np.random.default_rng([int(right.sum()), *map(int, n)])
    dealt = source.multivariate_hypergeometric(n.astype(np.int64), int(right.sum()), _TIMES).astype(np.float64)
    own = strays(right)
    return float((1 + sum(strays(counts) >= own - 1e-9 for counts in dealt)) / (1 + _TIMES))


def _deviance(right: Floats, n: Floats) -> float:
    mean = right.sum() / n.sum()
    return float((xlogy(right, right / n) + xlogy(n - right, 1 - right / n)).sum()
                 - xlogy(right.sum(), mean) - xlogy(n.sum() - right.sum(), 1 - mean))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """Whether sight comes and goes with the place, and at which period in pixels; None where it does not. `alike`:
    other periods that explain the answers nearly as well. `points`: share right by offset."""

    period: int | None
    p: float
    alike: tuple[int, ...]
    points: tuple[tuple[int, int, int], ...]


def period(rows: pl.DataFrame) -> Period | None:
    """What the offsets of one subject say; None where too few were asked."""
    counts = rows.group_by("place", maintain_order=True).agg((pl.col("outcome") == "right").sum(), pl.len())
    points = sorted((at, right, n) for place, right, n in counts.rows() if (at := offset(str(place))) is not None)
    if len(points) < 8:
        return None
    offsets, right, n = np.array(points, np.float64).T
    told = [p for p in PERIODS if p <= offsets.max() + np.diff(offsets).min()]
    if not told:
        return None
    waves = {p: _waves(tuple(offsets), p) for p in told}
    p = _shuffled(right, n, lambda counts: max(_explained(counts, n, wave) for wave in waves.values()))
    explained = {each: _explained(right, n, wave) for each, wave in waves.items()}
    best = max(explained, key=lambda each: explained[each])
    if p >= SURE or explained[best] <= 0:
        return Period(None, p, (), tuple(points))
    alike = tuple(each for each in told if each != best and explained[each] > 0.8 * explained[best])
    return Period(best, p, alike, tuple(points))


@lru_cache(maxsize=32)
def _waves(offsets: Sequence[float], period: int) -> Floats:
    """The first two harmonics of a period at these offsets, orthogonal to a constant."""
    turns = 2 * np.pi * np.array(offsets) / period
    raw = np.stack([np.cos(turns), np.sin(turns), np.cos(2 * turns), np.sin(2 * turns)], axis=1)
    basis, sizes, _ = np.linalg.svd(raw - raw.mean(axis=0), full_matrices=False)
    return np.asarray(basis[:, sizes > 1e-9])


def _explained(right: Floats, n: Floats, waves: Floats) -> float:
    """How much of the variance of the shares right the waves explain."""
    shares = right / n - right.sum() / n.sum()
    whole = float(shares @ shares)
    return float(np.sum((waves.T @ shares) ** 2)) / whole if whole > 0 else 0.0
