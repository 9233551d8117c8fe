"""What a design can show, before it is asked: the smallest fault and the smallest difference with 90 % power.

A **fault** is on a share of the items; its power is that of the verdict itself (`analysis/ladder/power.py`).

A **difference** is that between two subjects, or two conditions, on the same trials, by McNemar's test at 5 %. How
sharp it is depends on what nobody knows yet: how often answers differ, and the within-item correlation of trials. Both
are assumed, and said.
"""

from dataclasses import dataclass
from math import ceil, sqrt

import scipy

POWER = 0.9
DIFFERING = 0.3
"""The share of trials that two subjects answer differently, if nothing is known."""
WITHIN_ITEM = 0.5
"""The within-item correlation of trials, if nothing is known."""


@dataclass(frozen=True, slots=True)
class Power:
    """The smallest difference and fault that so many items show with 90 % power; None where they show none."""

    difference: float | None
    fault: float | None
    items: int


def smallest_difference(items: int, trials_each: float, differing: float = DIFFERING) -> float | None:
    """The smallest difference of two accuracies that so many items show, with so many trials each."""
    pairs = _pairs(items, trials_each)
    shares = (points / 100 for points in range(1, 101))
    return next((share for share in shares if pairs * share**2 >= _needed(share, differing)), None)


def items_for(share: float, trials_each: float) -> int:
    """How many items show a difference of this share, with so many trials each."""
    return ceil(_needed(share, DIFFERING) / share**2 / _pairs(1, trials_each))


def _pairs(items: int, trials_each: float) -> float:
    """How many independent pairs of trials say as much."""
    return items * trials_each / (1 + (trials_each - 1) * WITHIN_ITEM)


def _needed(share: float, differing: float) -> float:
    """How many pairs a difference of this share takes, times its square."""
    reach, luck = float(scipy.special.ndtri(0.975)), float(scipy.special.ndtri(POWER))
    apart = max(differing, share)  # no more can differ by than do differ
    return float((reach * sqrt(apart) + luck * sqrt(max(apart - share**2, 0.0))) ** 2)
