"""Bets against a hypothesis, and the wealth they win: evidence that may be looked at as often as one likes.

A hypothesis says that the mean of a payoff `d` is at most (or at least) some value. Whoever bets against it at fair
odds multiplies their wealth by `1 + stake * (d - value)` at each observation. If the hypothesis is true, wealth does
not grow on average, so the chance that it *ever* reaches 1/alpha is at most alpha (Ville's inequality). Hence a test
may stop as soon as it does, and looking earlier costs nothing.

Stakes are a mixture: part of the wealth is bet cautiously, part boldly. What a stake has won stays with it, so the
best one is soon most of the wealth; before each batch a part moves to the stake that is expected to win most. Which
that is must be decided before the observations are seen; whether the expectation was right affects how fast wealth
grows, never whether the test is valid.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, fsum, log, log1p

import numpy as np

from snellen.sequential.design import FloatArray

STAKES = np.array([0.0, 0.1, 0.25, 0.5, 0.75, 0.95])
"""Shares of the largest stake that cannot lose more than everything. A part that is not bet limits what one batch can
cost when the expectation was wrong."""
RATES = np.array([0.05, 0.1, 0.2, 0.4])
"""Error rates that are betted on against the hypothesis that there are next to no errors."""
FIRST_FAVOURED, FAVOURED = 0.3, 0.6
"""The part of the wealth that moves to the stake expected to win most, before the first batch and before others."""
DIGITS = 9
"""Logarithms are compared to so many digits: they are the same on every machine."""


class Wealth:
    """What bets against one hypothesis have won, by stake, as logarithms."""

    def __init__(self) -> None:
        self._stakes: list[float] = []

    @property
    def log(self) -> float:
        """The logarithm of all of it together."""
        return _sum_of_logs(self._stakes) if self._stakes else 0.0

    def settle(self, gains: Sequence[FloatArray], expected: FloatArray) -> None:
        """Bet on a batch. `gains`: for every observation its logarithm by stake; `expected`: what each stake was
        expected to gain an observation, which decides how wealth is divided."""
        if not gains:
            return
        moved = FAVOURED if self._stakes else FIRST_FAVOURED
        stakes = self._stakes or [-log(len(expected))] * len(expected)
        favoured = int(np.argmax(np.round(expected, DIGITS)))
        together = _sum_of_logs(stakes)
        stakes = [part + log1p(-moved) for part in stakes]
        stakes[favoured] = _sum_of_logs([stakes[favoured], together + log(moved)])
        sums = [fsum(column) for column in zip(*gains, strict=True)]  # exact, so that no order of answers matters
        self._stakes = [part + gained for part, gained in zip(stakes, sums, strict=True)]


def _sum_of_logs(logs: Sequence[float]) -> float:
    top = max(logs)
    return top + log(fsum(exp(each - top) for each in logs))


@cache
def at_least(value: float, payoff: float) -> FloatArray:
    """By stake, the logarithm of what an observation multiplies wealth by that is bet against a mean of at least
    `value`, of payoffs from -1 to 1."""
    return np.array([log1p(stake * (value - payoff) / (1 - value)) for stake in STAKES])


@cache
def above_zero(payoff: float) -> FloatArray:
    """The same against a mean of at most zero."""
    return np.array([log1p(stake * payoff) for stake in STAKES])


@cache
def drops_at_least(values: tuple[float, ...], drops: tuple[float, ...]) -> FloatArray:
    """Against several means of at least these values at once, by stake on each."""
    return np.concatenate([at_least(value, drop) for value, drop in zip(values, drops, strict=True)])


@cache
def drops_above_zero(drops: tuple[float, ...]) -> FloatArray:
    return np.concatenate([above_zero(drop) for drop in drops])


@cache
def above_rate(tolerated: float, errors: float) -> FloatArray:
    """The same against an error rate of at most `tolerated`, by the rates that are betted on; the first is no bet, and
    so is a rate that is tolerated. `errors`: the share of an observation that is one."""
    rates = [max(rate, tolerated) for rate in RATES]
    ratios = [errors * rate / tolerated + (1 - errors) * (1 - rate) / (1 - tolerated) for rate in rates]
    return np.array([0.0, *map(log, ratios)])
