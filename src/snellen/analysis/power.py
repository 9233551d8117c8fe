"""What a design can show, before it is asked: the smallest fault and the smallest difference with 90 % power.

A **fault** is on a share of the items; its power is that of the verdict itself (`analysis/ladder/power.py`).

A **difference** is that between two subjects, or two conditions, on the same trials, by McNemar's test at 5 %. How
sharp it is depends on what nobody knows yet: how often answers differ, and the within-item correlation of trials. Both
are assumed, and said.
"""

from dataclasses import dataclass
from math import sqrt

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
    pairs = items * trials_each / (1 + (trials_each - 1) * WITHIN_ITEM)
    reach, luck = float(scipy.special.ndtri(0.975)), float(scipy.special.ndtri(POWER))
    for points in range(1, 101):
        share = points / 100
        apart = max(differing, share)  # no more can differ by than do differ
        if pairs * share**2 >= (reach * sqrt(apart) + luck * sqrt(max(apart - share**2, 0.0))) ** 2:
            return share
    return None
