"""What a design would show, before it is asked: the smallest difference and fault that it finds four times in five.

A **difference** is that between two subjects, or two conditions, on the same trials, by McNemar's test at 5 %. How
sharp it is depends on what nobody knows yet: how often answers differ, and how much trials of one item agree. Both are
assumed, and said.

A **fault** is on a share of the items; it is found if its interval lies above 5 % of them (see `docs/statistics.md`).
Whoever has it guesses, and is right by chance.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy

from snellen.analysis.estimates import wilson

POWER = 0.8
DIFFERING = 0.3
"""The share of trials that two subjects answer differently, if nothing is known."""
ALIKE = 0.5
"""How much trials of one item agree (intraclass correlation), if nothing is known."""
SHOWN = 0.05
"""A fault is shown if its interval lies above this share of the items."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a design shows four times in five; None where it shows nothing."""

    difference: float | None
    fault: float | None


def power_of(items: int, trials_each: float, chance: float) -> Power:
    """The power of so many items with so many trials each, whose answers are right by chance this often."""
    effective = items * trials_each / (1 + (trials_each - 1) * ALIKE)
    return Power(smallest_difference(effective), smallest_fault(items, chance))


def smallest_difference(pairs: float, differing: float = DIFFERING) -> float | None:
    """The smallest difference of two accuracies that so many independent pairs show."""
    reach, luck = float(scipy.special.ndtri(0.975)), float(scipy.special.ndtri(POWER))
    for points in range(1, 101):
        share = points / 100
        apart = max(differing, share)  # no more can differ by than do differ
        if pairs * share**2 >= (reach * sqrt(apart) + luck * sqrt(max(apart - share**2, 0.0))) ** 2:
            return share
    return None


def smallest_fault(items: int, chance: float) -> float | None:
    """The smallest share of items with a fault that so many items show."""
    if items < 1 or chance >= 1:
        return None
    counts = np.arange(items + 1)
    lows = np.array([wilson(count / items, items)[0] for count in counts]) / (1 - chance)
    needed = int(np.argmax(lows > SHOWN)) if (lows > SHOWN).any() else items + 1
    for points in range(1, 101):
        wrong = points / 100 * (1 - chance)
        if needed <= items and float(scipy.special.bdtrc(needed - 1, items, wrong)) >= POWER:
            return points / 100
    return None
