"""What answers say of threshold, slope and lapse: Bayes' rule on a grid.

Every combination of threshold, slope and lapse is one point; its mass is its prior times the likelihood of the right
and wrong answers at each level. Unread answers are counted and say nothing: they are neither right nor wrong.

The grid of thresholds reaches beyond the levels drawn on both sides, so that "outside of what was drawn" is something
the answers can say. Lapses are held the less likely the larger (Beta(1, 6)), thresholds and slopes (on a log scale)
equally likely.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.answer import Outcome
from snellen.psychometric.function import Psychometric, share_right
from snellen.psychometric.marginal import Marginal

Floats = NDArray[np.float64]

STEP = 0.025
"""log10 between thresholds; one step for all grids, so that any two thresholds can be subtracted."""
BEYOND = 0.6
"""log10 by which the grid reaches beyond the levels drawn."""
SLOPES = tuple(2.0 ** (k / 2) for k in range(1, 9))
LAPSES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.22, 0.3, 0.4, 0.5, 0.6)

_NEVER = 1e-6
"""No answer is held impossible: one stray click must not rule out every point of the grid."""


_SURE = 9
"""Digits in which every machine agrees: what is equal to so many is equal."""


@dataclass(frozen=True)
class Counts:
    """How often right, wrong and unread at one level."""

    right: int = 0
    wrong: int = 0
    unread: int = 0

    @property
    def read(self) -> int:
        return self.right + self.wrong

    def plus(self, outcome: Outcome) -> "Counts":
        return Counts(
            self.right + (outcome == "right"), self.wrong + (outcome == "wrong"), self.unread + (outcome == "unread")
        )


Tally = Mapping[float, Counts]
"""Counts by log10 intensity."""


def count(history: Iterable[tuple[float, Outcome]]) -> dict[float, Counts]:
    """The counts of answers in whatever order, levels rising."""
    found: dict[float, Counts] = {}
    for x, outcome in history:
        found[x] = found.get(x, Counts()).plus(outcome)
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class PosteriorGrid:
    """What is held possible: thresholds from `low` to `high` (the levels drawn) and beyond."""

    low: float
    high: float
    chance: float
    falling: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"levels from {self.low} to {self.high}: expected two or more, the low one first")
        if not 0 <= self.chance <= 0.5:
            raise ValueError(f"chance {self.chance}: expected from 0 (an open answer) to 0.5 (two alternatives)")

    @property
    def thresholds(self) -> Floats:
        steps = int(np.ceil((self.high - self.low + 2 * BEYOND) / STEP - 1e-9))
        return self.low - BEYOND + STEP * np.arange(steps + 1, dtype=np.float64)

    @property
    def slopes(self) -> Floats:
        return np.array(SLOPES)

    @property
    def lapses(self) -> Floats:
        """Lapses that leave something of the curve: with two alternatives a lapse of a half is no sight at all."""
        return np.array([lapse for lapse in LAPSES if lapse <= 0.85 * (1 - self.chance)])

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.thresholds), len(self.slopes), len(self.lapses)

    def prior(self) -> Floats:
        """The mass of every point before any answer, points in one row."""
        lapses = self.lapses
        edges = np.concatenate([[0.0], (lapses[1:] + lapses[:-1]) / 2, [1.0]])
        mass = np.broadcast_to(-np.diff((1 - edges) ** 6), self.shape).ravel()
        return np.asarray(mass / mass.sum())

    def shares(self, levels: Sequence[float]) -> Floats:
        """How often right: levels x points. Kept for the levels used last, for a track asks again and again."""
        return _shares(self, tuple(levels))


@lru_cache(maxsize=32)
def _shares(grid: PosteriorGrid, levels: tuple[float, ...]) -> Floats:
    points = np.meshgrid(grid.thresholds, grid.slopes, grid.lapses, indexing="ij")
    threshold, slope, lapse = (axis.ravel() for axis in points)
    x = np.array(levels)[:, None]
    found = share_right(x, threshold, slope, lapse, chance=grid.chance, falling=grid.falling)
    found = np.clip(found, _NEVER, 1 - _NEVER)
    found.setflags(write=False)
    return found


@lru_cache(maxsize=32)
def log_shares(grid: PosteriorGrid, levels: tuple[float, ...]) -> tuple[Floats, Floats]:
    """The log likelihood of right and of wrong: levels x points."""
    shares = grid.shares(levels)
    return np.log(shares), np.log1p(-shares)


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is held likely after the answers: a mass for every point of the grid."""

    grid: PosteriorGrid
    masses: Floats
    tally: Tally = field(default_factory=dict)

    @property
    def threshold(self) -> Marginal:
        return Marginal(self.grid.thresholds, self._over((1, 2)))

    @property
    def slope(self) -> Marginal:
        return Marginal(self.grid.slopes, self._over((0, 2)))

    @property
    def lapse(self) -> Marginal:
        return Marginal(self.grid.lapses, self._over((0, 1)))

    def _over(self, axes: tuple[int, int]) -> Floats:
        return np.asarray(self.masses.reshape(self.grid.shape).sum(axis=axes))

    @property
    def best(self) -> int:
        """The point with the most mass; of several with as much, the first."""
        return int(np.argmax(np.round(self.masses / self.masses.max(), _SURE)))

    def likeliest(self) -> Psychometric:
        """The function with the most mass."""
        return _function(self.grid, self.best)

    def curve(self, levels: Sequence[float], share: float = 0.95) -> tuple[Floats, Floats, Floats]:
        """The share of right answers held likely at these intensities: mean, and the ends of its credible band."""
        likely = self.masses > 1e-9 * self.masses.max()
        masses = self.masses[likely] / self.masses[likely].sum()
        shares = self.grid.shares(levels)[:, likely]
        order = np.argsort(np.round(shares, _SURE), axis=1, kind="stable")  # many points have the same share
        below = np.cumsum(masses[order], axis=1) - masses[order] / 2
        rising = np.take_along_axis(shares, order, axis=1)
        ends = [(1 - share) / 2, (1 + share) / 2]
        low, high = np.array([np.interp(ends, *row) for row in zip(below, rising, strict=True)]).T
        return shares @ masses, low, high


def _function(grid: PosteriorGrid, point: int) -> Psychometric:
    t, s, k = np.unravel_index(point, grid.shape)
    values = float(grid.thresholds[t]), float(grid.slopes[s])
    return Psychometric(*values, chance=grid.chance, lapse=float(grid.lapses[k]), falling=grid.falling)


def posterior(grid: PosteriorGrid, tally: Tally, levels: Sequence[float] = ()) -> Posterior:
    """What counts per level say. Give all `levels` of a track where it is asked again and again: a table serves all."""
    levels = levels or tuple(tally)
    counts = [tally.get(x, Counts()) for x in levels]
    of_right, of_wrong = log_shares(grid, tuple(levels))
    right, wrong = np.array([(each.right, each.wrong) for each in counts], np.float64).reshape(-1, 2).T
    likelihood = right[right > 0] @ of_right[right > 0] + wrong[wrong > 0] @ of_wrong[wrong > 0]
    logs = np.log(grid.prior()) + likelihood
    masses = np.exp(logs - logs.max())
    return Posterior(grid, masses / masses.sum(), dict(tally))


def fit_test(found: Posterior, seed: int = 0, times: int = 400) -> float:
    """How often somebody with the likeliest function strays as far from their own curve as these answers do (p value).

    Straying is the deviance: twice the log likelihood lost against a curve through every point. Simulated answers are
    fitted anew, as these were. Small: no psychometric function of this kind describes the answers.
    """
    levels = [x for x, counts in found.tally.items() if counts.read]
    if not levels:
        return 1.0
    asked = np.array([found.tally[x].read for x in levels])
    right = np.array([found.tally[x].right for x in levels])
    shares = found.grid.shares(levels)
    best = shares[:, found.best]
    simulated = np.random.default_rng([seed, *asked]).binomial(asked, best, (times, len(levels)))
    prior = np.log(found.grid.prior())
    logs = prior + simulated @ np.log(shares) + (asked - simulated) @ np.log1p(-shares)
    strays = _deviance(simulated, asked, shares[:, np.round(logs, _SURE).argmax(axis=1)].T)
    own = _deviance(right, asked, best)
    return float((1 + np.count_nonzero(strays >= own - 1e-9)) / (1 + times))


def _deviance(right: NDArray[Any], asked: NDArray[Any], shares: Floats) -> Floats:
    from scipy.special import xlogy  # here, for whoever lists the tasks needs none of it

    wrong = asked - right
    whole = xlogy(right, right / asked) + xlogy(wrong, wrong / asked)
    return np.asarray(2 * (whole - xlogy(right, shares) - xlogy(wrong, 1 - shares)).sum(axis=-1))
