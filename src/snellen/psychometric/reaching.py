"""How much is needed for a share of right answers, and how many of so many will then be right.

The intensity at which `share` is right is a function of threshold, slope and lapse, so the posterior over these gives
its median and interval. Where lapses alone are 1 - share or more, no intensity reaches it: the posterior mass of these
points says how likely that is, and the interval is taken over the others. What is predicted at an intensity is taken
over all of them.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from snellen.psychometric.marginal import Estimate, Floats
from snellen.psychometric.posterior import Posterior

_SURE = 9
"""Digits in which every machine agrees."""
NEVER = 0.05
"""Less likely than this, a share is out of reach."""


@dataclass(frozen=True)
class Reach:
    """`share`: of right answers. `possible`: how likely it is reached at any intensity. `at`: the log10 intensity from
    which on it is, if it is reached at all, with its 95 % credible interval; None where `possible` is below `NEVER`."""

    share: float
    possible: float
    at: Estimate | None


@dataclass(frozen=True)
class Prediction:
    """What is expected of so many answers at an intensity: the share right with its 95 % credible interval, and between
    which counts the number right lies with 95 % probability."""

    share: Estimate
    many: int
    least: int
    most: int


def reach(found: Posterior, share: float = 0.95) -> Reach:
    """Where a share of right answers is reached."""
    grid = found.grid
    points = np.meshgrid(grid.thresholds, grid.slopes, grid.lapses, indexing="ij")
    threshold, slope, lapse = (axis.ravel() for axis in points)
    way = (share - grid.chance) / (1 - grid.chance - lapse)
    reached = way < 1 - 10.0**-_SURE
    possible = float(found.masses[reached].sum())
    if possible < NEVER:
        return Reach(share, possible, None)
    above = np.log10(-np.log1p(-way[reached])) / slope[reached]
    at = threshold[reached] + (-above if grid.falling else above)
    low, middle, high = _quantiles(at, found.masses[reached] / possible, (0.025, 0.5, 0.975))
    return Reach(share, possible, Estimate(middle, low, high))


def predicted(found: Posterior, x: float, many: int) -> Prediction:
    """What is expected of so many answers at a log10 intensity."""
    mean, low, high = (float(each[0]) for each in found.curve([x]))
    shares = found.grid.shares([x])[0]
    below, total = [], 0.0
    for right in range(many + 1):
        total += float(found.masses @ _binomial(right, many, shares))
        below.append(round(total, _SURE))
    least, most = (int(np.searchsorted(below, end)) for end in (0.025, 0.975))
    return Prediction(Estimate(mean, low, high), many, least, min(most, many))


def _quantiles(values: Floats, masses: Floats, shares: tuple[float, ...]) -> list[float]:
    order = np.argsort(np.round(values, _SURE), kind="stable")
    below = np.cumsum(masses[order]) - masses[order] / 2
    return [float(x) for x in np.interp(shares, below, values[order])]


def _binomial(right: int, many: int, shares: Floats) -> Floats:
    return np.asarray(comb(many, right) * shares**right * (1 - shares) ** (many - right))
