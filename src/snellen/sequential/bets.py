"""Bets against a hypothesis, and the wealth they win: evidence that may be looked at as often as one likes.

A hypothesis says that the mean of a payoff `d` is at most (or at least) some value. Whoever bets against it at fair
odds multiplies their wealth by `1 + stake * (d - value)` at each observation. If the hypothesis is true, wealth does
not grow on average, so the chance that it *ever* reaches 1/alpha is at most alpha (Ville's inequality). Hence a test
may stop as soon as it does, and looking earlier costs nothing.

Stakes are a mixture: part of the wealth is bet cautiously, part boldly, and the stake expected to win most gets
the largest part. Which that is must be decided before the observations are seen; whether the expectation was right
affects how fast wealth grows, never whether the test is valid.
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
FAVOURED = 0.75
"""The part of the wealth that goes on the stake expected to win most; the rest is spread evenly."""
DIGITS = 9
"""Logarithms are compared to so many digits: they are the same on every machine."""


def won(gains: Sequence[FloatArray], expected: FloatArray) -> float:
    """What a batch does to the logarithm of the wealth. `gains`: for every observation its logarithm by stake;
    `expected`: what each stake was expected to gain an observation, which decides how wealth is divided."""
    if not gains:
        return 0.0
    parts = np.full(len(expected), (1 - FAVOURED) / len(expected))
    parts[int(np.argmax(np.round(expected, DIGITS)))] += FAVOURED
    sums = [fsum(column) for column in zip(*gains, strict=True)]  # exact, so that no order of answers matters
    top = max(sums)
    return top + log(fsum(float(part) * exp(total - top) for part, total in zip(parts, sums, strict=True)))


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
def above_rate(tolerated: float, errors: float) -> FloatArray:
    """The same against an error rate of at most `tolerated`, by the rates that are betted on; the first is no bet, and
    so is a rate that is tolerated. `errors`: the share of an observation that is one."""
    rates = [max(rate, tolerated) for rate in RATES]
    ratios = [errors * rate / tolerated + (1 - errors) * (1 - rate) / (1 - tolerated) for rate in rates]
    return np.array([0.0, *map(log, ratios)])
