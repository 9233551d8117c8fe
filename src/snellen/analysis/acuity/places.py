"""Where on the page: thresholds at the places of the field map, and at offsets that show a grid of patches.

Few charts are shown at each place, so a place alone says little. Whether places differ at all is asked of all of them
together: by how much the answers are likelier if every place has a threshold of its own.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from snellen.analysis.acuity.measuring import Measure
from snellen.analysis.acuity.readings import Reading
from snellen.psychometric import Marginal

Floats = NDArray[np.float64]
ACROSS = 5
"""Places of the field map in a row and in a column."""
PERIODS = (14, 16, 28, 32)
UNLIKE = 0.01
"""Places differ, or sight has a period, if chance makes them look so with less than this."""
_ALIKE = 0.8
_TIMES = 999
_LEAST_PLACES = 8
_FIELD = re.compile(r"r([1-5])c([1-5])")
_OFFSET = re.compile(r"\+(\d+)")

Place = tuple[int, int]


def field_place(place: str) -> Place | None:
    """Row and column of a place of the field map, from 0."""
    found = _FIELD.fullmatch(place)
    return (int(found[1]) - 1, int(found[2]) - 1) if found else None


def offset(place: str) -> int | None:
    """By how many pixels a place is off the middle, right and down, where it is such a place."""
    found = _OFFSET.fullmatch(place)
    return int(found[1]) if found else None


@dataclass(frozen=True)
class Field:
    """What was found at each place of one canvas; `cells` in rows from the top, None where nobody asked. `p`: how often
    places that do not differ would look so different."""

    canvas: str
    cells: tuple[tuple[Reading | None, ...], ...]
    p: float

    @property
    def differ(self) -> bool:
        return self.p < UNLIKE

    @property
    def known(self) -> list[float]:
        """The thresholds that are numbers."""
        return [cell.value for row in self.cells for cell in row if cell is not None and cell.value is not None]


def field(canvas: str, found: Mapping[Place, tuple[Measure, Reading]]) -> Field:
    """The field map of one canvas."""
    cells = tuple(
        tuple(found[row, column][1] if (row, column) in found else None for column in range(ACROSS))
        for row in range(ACROSS)
    )
    return Field(canvas, cells, unlike([each.found.posterior.threshold for each, _ in found.values()]))


def unlike(thresholds: Sequence[Marginal]) -> float:
    """How often thresholds that do not differ would look so different (a likelihood ratio test)."""
    if len(thresholds) < 2:
        return 1.0
    together = joint(thresholds)
    return float(chi2.sf(-2 * together.max(), len(thresholds) - 1))


def joint(thresholds: Sequence[Marginal]) -> Floats:
    """The log likelihood of one threshold for all, on a grid that covers all, less that of each at its likeliest.

    Priors of thresholds are even, so masses are likelihoods but for a factor.
    """
    step = float(thresholds[0].values[1] - thresholds[0].values[0])
    low, high = min(each.values[0] for each in thresholds), max(each.values[-1] for each in thresholds)
    grid = np.arange(low, high + step / 2, step)
    logs = (np.log(np.maximum(each.masses, 1e-12) / each.masses.max()) for each in thresholds)
    at = [np.interp(grid, each.values, log) for each, log in zip(thresholds, logs, strict=True)]
    return np.asarray(np.sum(at, axis=0))


@dataclass(frozen=True, slots=True)
class Period:
    """Whether sight comes and goes with the place, and at which period in pixels; None where it does not. `alike`:
    other periods that explain the answers nearly as well. `points`: offset and log10 of the threshold there."""

    period: int | None
    p: float
    alike: tuple[int, ...]
    points: tuple[tuple[int, float], ...]


def period(found: Mapping[int, Measure]) -> Period | None:
    """What thresholds at offsets say; None where too few were asked to tell any period."""
    offsets = sorted(found)
    told = [each for each in PERIODS if offsets and each <= offsets[-1] - offsets[0] + 1]
    if len(offsets) < _LEAST_PLACES or not told:
        return None
    marginals = [found[at].found.posterior.threshold for at in offsets]
    heights = np.array([each.mean for each in marginals])
    points = tuple(zip(offsets, map(float, heights), strict=True))
    waves = {each: _waves(tuple(offsets), each) for each in told}
    explained = {each: _explained(heights[None, :], wave)[0] for each, wave in waves.items()}
    best = max(explained, key=lambda each: explained[each])
    dealt = np.random.default_rng(len(offsets)).permuted(np.tile(heights, (_TIMES, 1)), axis=1)
    most = np.max([_explained(dealt, wave) for wave in waves.values()], axis=0)
    p = float((1 + np.count_nonzero(most >= explained[best] - 1e-12)) / (1 + _TIMES))
    if p >= UNLIKE or explained[best] <= 0:
        return Period(None, p, (), points)
    alike = tuple(each for each in told if each != best and explained[each] > _ALIKE * explained[best])
    return Period(best, p, alike, points)


@lru_cache(maxsize=32)
def _waves(offsets: tuple[int, ...], period: int) -> Floats:
    """The first two harmonics of a period at these offsets, orthogonal to a constant."""
    turns = 2 * np.pi * np.array(offsets) / period
    raw = np.stack([np.cos(turns), np.sin(turns), np.cos(2 * turns), np.sin(2 * turns)], axis=1)
    basis, sizes, _ = np.linalg.svd(raw - raw.mean(axis=0), full_matrices=False)
    return np.asarray(basis[:, sizes > 1e-9])


def _explained(heights: Floats, waves: Floats) -> Floats:
    """How much of the variance of each row the waves explain."""
    off = heights - heights.mean(axis=1, keepdims=True)
    whole = np.square(off).sum(axis=1)
    return np.asarray(np.square(off @ waves).sum(axis=1) / np.where(whole > 0, whole, 1))
