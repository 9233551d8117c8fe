"""Is it more than chance? An exact test of each observer, clustered, corrected for their number, its power stated.

**The rule.** An observer's right guesses are compared with a binomial distribution at chance: one over the number of
labels (on the average, where some questions have more than others), or the share of the most frequent answer if that
is larger (one imbalance should not light every lamp). Trials of one cluster count together, for as many guesses as
their credits vary like, at least one and at most what they are. Holm's correction runs over all observers of the
report, so a clean set passes 99 times in 100, however many look at it.

**Its power.** `detectable` is the accuracy that an observer would have been caught with nine times in ten: what a clean
report rules out. It is above 1 where there are too few items to catch anyone.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import scipy

from snellen.tasks.audit.guessing import Guesses, Trials
from snellen.tasks.audit.report import AuditRow

ALPHA = 0.01
POWER = 0.9
BLIND = 1.01
"""Stands for an accuracy that nobody has."""
_STEPS = 40


def rated(group: str, guesses: Guesses, data: Trials, chance: float) -> AuditRow | None:
    """An observer's accuracy with the probability that chance does as well; none if it never got to guess."""
    tested = ~np.isnan(guesses.credit)
    if not tested.any():
        return None
    clusters, trials = data.clusters[tested], int(tested.sum())
    asked = np.bincount(clusters)
    means = np.bincount(clusters, guesses.credit[tested])[asked > 0] / asked[asked > 0]
    accuracy = round(float(means.mean()), 12)  # so that all right is exactly 1
    weight = _independent(means, trials, chance)
    return AuditRow(
        group=group,
        observer=guesses.observer,
        n=len(set(data.clusters.tolist())),
        guessed=weight,
        accuracy=accuracy,
        fitted=guesses.fitted,
        chance=chance,
        p=_tail(accuracy, weight, chance),
        part=chance >= 1,
    )


def _independent(means: np.ndarray, trials: int, chance: float) -> int:
    """How many independent guesses these clusters are worth."""
    spread = float(np.mean((means - chance) ** 2))
    worth = len(means) * chance * (1 - chance) / spread if spread > 0 else trials
    return int(min(max(worth, len(means)), trials))


def _tail(accuracy: float, n: int, chance: float) -> float:
    """The probability that guesses at chance do as well: binomial, and between two whole numbers in between."""
    right = accuracy * n
    if right <= 0 or chance >= 1:
        return 1.0
    return float(scipy.special.betainc(right, n - right + 1, chance))


def judged(rows: Sequence[AuditRow], alpha: float = ALPHA) -> tuple[AuditRow, ...]:
    """The rows with Holm's correction over all that could be a shortcut, and with what would have been found."""
    order = sorted((place for place, row in enumerate(rows) if not row.part), key=lambda place: rows[place].p)
    corrected = [1.0] * len(rows)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, rows[place].p * (len(order) - rank)))
        corrected[place] = highest
    return tuple(
        replace(
            row,
            holm=p,
            leak=p <= alpha,
            detectable=_detectable(row.guessed, row.chance, alpha / max(len(order), 1)),
        )
        for row, p in zip(rows, corrected, strict=True)
    )


@cache
def _detectable(n: int, chance: float, alpha: float) -> float:
    """The least accuracy that is caught with a probability of POWER among n guesses."""
    if chance >= 1 or _tail(1.0, n, chance) > alpha:
        return BLIND
    needed = _needed(n, chance, alpha)
    low, high = needed / n, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if scipy.special.betainc(needed, n - needed + 1, middle) >= POWER else (middle, high)
    return high


def _needed(n: int, chance: float, alpha: float) -> int:
    """The fewest right guesses of n that are more than chance."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _tail(middle / n, n, chance) <= alpha else (middle + 1, high)
    return low
