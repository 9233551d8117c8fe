"""Confidence sequences: intervals that hold at every look together, so also wherever somebody stops.

A mean is in the interval as long as no bet against it has won 1/level. Bets in both directions with a mixture of
stakes, as in `bets`; see Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2024).
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np

from snellen.sequential.design import FloatArray

LEVEL = 0.05
_GRID = 400
_STAKES = np.array([0.1, 0.2, 0.35, 0.55, 0.75, 0.95])


class ConfidenceSequence(NamedTuple):
    """A mean with its interval."""

    mean: float
    low: float
    high: float


def confidence_sequence(
    values: Sequence[float],
    least: float,
    largest: float,
    level: float = LEVEL,
    spreads: Sequence[float] | None = None,
) -> ConfidenceSequence:
    """The mean of values, with its interval; their order does not matter. Without values anything is possible.

    least, largest: where the mean can lie.
    spreads: how many times further out each value can lie (it must be known before the value is), as one that was
        corrected for guessing can; 1 if not given.

    >>> confidence_sequence([0.0] * 40, 0, 1).high < 0.15
    True
    """
    if not values:
        return ConfidenceSequence(0.0, least, largest)
    n = len(values)
    pairs = Counter((round(value, 9), spread) for value, spread in zip(values, spreads or [1.0] * n, strict=True))
    counts = sorted(pairs.items())
    mean = sum(value * count for (value, _), count in counts) / n
    grid = np.linspace(least, largest, _GRID + 1)[1:-1]
    up = _wealth(counts, grid, least, sign=1)
    down = _wealth(counts, grid, largest, sign=-1)
    together = np.logaddexp(up, down) - log(2)
    inside = grid[np.round(together, 9) < log(1 / level)]
    step = (largest - least) / _GRID
    if not len(inside):
        return ConfidenceSequence(mean, mean - step, mean + step)
    low = float(inside[0]) - step if inside[0] > grid[0] else least
    high = float(inside[-1]) + step if inside[-1] < grid[-1] else largest
    return ConfidenceSequence(mean, min(low, mean), max(high, mean))


def _wealth(counts: Sequence[tuple[tuple[float, float], int]], grid: FloatArray, limit: float, sign: int) -> FloatArray:
    """The logarithm of the wealth of betting that the mean is above (sign 1) or below (-1) each value of the grid, from
    how often each value (with its spread) occurred and the limit that losing values cannot pass."""
    logs = np.zeros((len(_STAKES), len(grid)))
    for (value, spread), count in counts:
        room = sign * (grid - limit * spread)
        logs += count * np.log1p(_STAKES[:, None] * (sign * (value - grid) / room)[None, :])
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - log(len(_STAKES)), np.float64)
