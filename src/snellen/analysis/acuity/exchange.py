"""Do two servers give replies of one kind? Exact tests on replies to the same charts.

If two servers show a model the same pictures, the replies to a chart are exchangeable: which of them came from which
server is as if by lot, however much replies vary from call to call. So every way to deal out the replies of a chart to
the two servers is as likely as the one that was seen, and the distribution of any sum over charts is known exactly.

    distance  letters in which replies of one and the same server differ, summed: small if the servers differ from each
              other more than from themselves. Deterministic servers that differ on k charts give p = 3 ** -k.
    letters   letters read by the first server less those read by the second: who sees worse.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int16]
"""Replies x letters: a number for every letter, 0 where none is given."""
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ChartReplies:
    """The replies to one chart on one canvas: those of the first server, those of the second, and what is right.
    `ink`: its contrast, as the design calls it."""

    ink: str
    first: Codes
    second: Codes
    key: Codes

    @property
    def letters_lost(self) -> float:
        """Letters that the first reads and the second does not, on the mean over their replies."""
        return float((self.first == self.key).sum(axis=1).mean() - (self.second == self.key).sum(axis=1).mean())


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The p values of both tests."""

    distance: float
    letters: float


def exchange_tests(charts: Sequence[ChartReplies]) -> Exchanged:
    """Both tests over these charts."""
    within = [each for group in _alike(charts) for each in _distances(group)]
    return Exchanged(_at_most(within, sum(int(each[0]) for each in within)), letters_test(charts))


def letters_test(charts: Sequence[ChartReplies]) -> float:
    """Whether one of the two reads more letters, two-sided."""
    more = [each for group in _alike(charts) for each in _differences(group)]
    seen = abs(sum(int(each[0]) for each in more))
    return min(1.0, _at_most(more, -seen) + _at_most([-each for each in more], -seen)) if seen else 1.0


def _alike(charts: Sequence[ChartReplies]) -> Iterable[list[ChartReplies]]:
    """Charts with as many replies to as many letters: these are dealt out together."""
    shape = {id(chart): (chart.first.shape, chart.second.shape) for chart in charts}
    ordered = sorted(charts, key=lambda chart: shape[id(chart)])
    return (list(group) for _, group in groupby(ordered, key=lambda chart: shape[id(chart)]))


@cache
def _hands(first: int, second: int) -> Ints:
    """Every way to deal out so many replies: ways x replies, 1 for the first server; the way that was seen first."""
    chosen = list(combinations(range(first + second), first))
    hands = np.zeros((len(chosen), first + second), np.int64)
    for row, places in zip(hands, chosen, strict=True):
        row[list(places)] = 1
    return hands


def _distances(charts: Sequence[ChartReplies]) -> Ints:
    """Charts x ways: letters in which replies of one server differ."""
    replies = np.stack([np.concatenate([chart.first, chart.second]) for chart in charts])
    hands = _hands(len(charts[0].first), len(charts[0].second))
    total = np.zeros((len(charts), len(hands)), np.int64)
    for one, other in combinations(range(replies.shape[1]), 2):
        apart = (replies[:, one] != replies[:, other]).sum(axis=1)
        total += apart[:, None] * (hands[:, one] == hands[:, other])
    return total


def _differences(charts: Sequence[ChartReplies]) -> Ints:
    """Charts x ways: letters read by the first server less those by the second, times the replies of both."""
    right = np.stack([(np.concatenate([chart.first, chart.second]) == chart.key).sum(axis=1) for chart in charts])
    first, second = len(charts[0].first), len(charts[0].second)
    hands = _hands(first, second)
    difference: Ints = right @ (second * hands - first * (1 - hands)).T
    return difference


def _at_most(values: Sequence[Ints], seen: int) -> float:
    """How likely the sum is `seen` or less if each chart takes any of its values alike."""
    chances, start = np.ones(1), 0
    for each in values:
        low = int(each.min())
        steps = np.bincount(each - low) / len(each)
        summed = np.zeros(len(chances) + len(steps) - 1)
        for at in np.flatnonzero(steps):
            summed[at : at + len(chances)] += chances * steps[at]
        chances, start = summed, start + low
    return float(min(1.0, chances[: max(0, seen - start + 1)].sum()))
