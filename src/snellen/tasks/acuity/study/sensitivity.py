"""What a comparison of two servers would have shown: found by spoiling the replies that were given and testing again.

Nothing is assumed about the eyes. How a shrunk chart would be read is taken from the same replies: after shrinking k
times, letters are read like those drawn k times smaller on the same canvas. Lines below the smallest drawn are taken
to be read like that one, so that the power is rather too low than too high.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.acuity.draw.lines import ACROSS, STEP
from snellen.tasks.acuity.study.exchange import ChartReplies, exchange_tests, letters_test

Floats = NDArray[np.float64]

FACTORS = (1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0)
SHARES = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)
POWER = 0.9
_TIMES = 40
_OTHER = -1
"""The code of a letter that is another one than was read."""


def least_factor(charts: Sequence[ChartReplies], level: float) -> float | None:
    """The least shrinking of the second server that is found with 90 % power; None where none is."""
    kept = {ink: _line_accuracy([each for each in charts if each.ink == ink]) for ink in {each.ink for each in charts}}

    def found(factor: float, chances: np.random.Generator) -> bool:
        spoiled = [_read_smaller(each, kept[each.ink], factor, chances) for each in charts]
        return letters_test(spoiled) <= level

    return _least(FACTORS, found)


def least_share(charts: Sequence[ChartReplies], level: float) -> float | None:
    """The least share of letters that, read otherwise by the second server, is found with 90 % power."""

    def found(share: float, chances: np.random.Generator) -> bool:
        return exchange_tests([_read_otherwise(each, share, chances) for each in charts]).distance <= level

    return _least(SHARES, found)


def _least(steps: Sequence[float], found: Callable[[float, np.random.Generator], bool]) -> float | None:
    for step in steps:
        chances = np.random.default_rng(0)
        missed = 0
        for _ in range(_TIMES):
            missed += not found(step, chances)
            if missed > _TIMES * (1 - POWER):
                break
        else:
            return step
    return None


def _line_accuracy(charts: Sequence[ChartReplies]) -> Floats:
    """The share of letters read in every line, by both; never more in a smaller line than in a larger one."""
    right = np.concatenate([np.concatenate([each.first, each.second]) == each.key for each in charts])
    lines = right.mean(axis=0).reshape(-1, ACROSS).mean(axis=1)
    falling: Floats = (np.minimum.accumulate(lines) + np.maximum.accumulate(lines[::-1])[::-1]) / 2
    return falling


def _read_smaller(chart: ChartReplies, lines: Floats, factor: float, chances: np.random.Generator) -> ChartReplies:
    """The chart as if the second had read it so many times smaller: all of its replies lose the same letters."""
    places = np.arange(len(lines))
    smaller = np.interp(places + log(factor) / log(STEP), places, lines)
    kept = np.repeat(np.divide(smaller, lines, out=np.ones_like(lines), where=lines > 0), ACROSS)
    lost = chances.random(len(kept)) > kept
    return replace(chart, second=np.where(lost & (chart.second == chart.key), _OTHER, chart.second).astype(np.int16))


def _read_otherwise(chart: ChartReplies, share: float, chances: np.random.Generator) -> ChartReplies:
    other = chances.random(len(chart.key)) < share
    return replace(chart, second=np.where(other, _OTHER, chart.second).astype(np.int16))
