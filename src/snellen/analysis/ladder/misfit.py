"""Does a fitted tree fit? Exams are drawn from it, and what was seen is compared with what they show."""

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.tree import MISSING, RIGHT, Patterns, Tree

DRAWS = 300
MISFIT_P, MISFIT_MOVED = 0.01, 0.02
ROUNDED = 6
"""Decimals of the parameters that are drawn from: whatever search found them, they are the same."""


def fits(tree: Tree, patterns: Patterns, theta: Floats, seed: int) -> tuple[bool, float]:
    """Whether the tree fits, and how often it would itself give counts as unlike its own as these (p).

    It does not fit if p is below 0.01 and more than 2 % of the items would have to be counted elsewhere.
    Two tables are compared by Pearson's statistic: how often units have each pattern over the rungs, and how many units
    of an item are right on each rung.
    """
    seen = _tables(patterns.outcomes, patterns.count)
    drawn = _drawn(tree, patterns, np.round(theta, ROUNDED), np.random.default_rng([seed, int(patterns.items)]))
    expected = drawn.mean(0)
    scale = np.maximum(expected, 0.05)
    total = float((((seen - expected) ** 2) / scale).sum())
    simulated = (((drawn - expected) ** 2) / scale).sum(1)
    p = float((1 + (simulated >= total - 1e-9).sum()) / (1 + DRAWS))
    out_of_place = np.abs(seen - expected).sum() - np.abs(drawn - expected).sum(1).mean()
    moved = float(out_of_place) / 2 / max(float(seen.sum()), 1.0)
    return p >= MISFIT_P or moved <= MISFIT_MOVED, p


def _drawn(tree: Tree, patterns: Patterns, theta: Floats, rng: np.random.Generator) -> NDArray[np.float64]:
    """The tables of exams drawn from the tree, asked as these items were."""
    places = np.repeat(np.arange(len(patterns.count)), patterns.count.astype(np.int64))
    tables = _DrawnTables((patterns.outcomes != MISSING)[places])
    whole, single = tree.shares(theta)
    right = np.concatenate(tree.answers(theta, patterns.luck))
    none = len(whole) - 1
    drawn = []
    for _ in range(DRAWS):
        of_item = _chosen(whole, rng.random(len(places)))[:, None]
        of_unit = np.where(of_item < none, of_item, _chosen(single, rng.random(tables.asked.shape[:2])))
        chance = right.take(of_unit * np.intp(len(patterns.count)) + places[:, None], axis=0)
        drawn.append(tables.of(rng.random(tables.asked.shape) < chance))
    return np.array(drawn)


def _chosen(shares: Floats, lots: Floats) -> NDArray[np.uint8]:
    """Which of the shares each lot falls into. There are few: to count those below is quicker than to search."""
    chosen = np.zeros(lots.shape, dtype=np.uint8)
    for edge in np.cumsum(np.clip(shares, 0, 1))[:-1]:
        chosen += lots >= edge
    return chosen


class _DrawnTables:
    """`_tables` of many exams in which the same was `asked` (items x units x rungs), each item counting once."""

    def __init__(self, asked: NDArray[np.bool_]) -> None:
        self.asked = asked
        _, self._units, rungs = asked.shape
        self._weights = 3 ** np.arange(rungs, dtype=np.int32)
        self._codes = np.ascontiguousarray((asked @ self._weights).T)
        self._is_asked = np.ascontiguousarray(asked.any(2).T)
        self._everything = bool(asked.all())

    def of(self, right: NDArray[np.bool_]) -> Floats:
        if not self._everything:
            right &= self.asked
        by_rung = np.ascontiguousarray(right.T).view(np.uint8)  # rungs x units x items
        codes = self._codes.copy()
        for own, weight in zip(by_rung, self._weights, strict=True):
            codes += own * weight
        answered = codes.ravel() if self._everything else codes[self._is_asked]
        counts = [np.bincount(answered, minlength=3 ** len(by_rung))]
        if self._units > 1:
            counts += [np.bincount(own.sum(0, dtype=np.uint16), minlength=self._units + 1) for own in by_rung]
        return np.concatenate(counts).astype(np.float64)


def _tables(outcomes: NDArray[np.int64], count: Floats) -> Floats:
    """Units by pattern, and items by the number of their units that are right on each rung."""
    _, units, rungs = outcomes.shape
    asked = (outcomes != MISSING).any(2)
    codes = (outcomes + 1) @ 3 ** np.arange(rungs)
    weights = np.repeat(count[:, None], units, axis=1)
    by_pattern = np.bincount(codes[asked], weights=weights[asked], minlength=3**rungs)
    number_right = (outcomes == RIGHT).sum(1)
    by_number = [np.bincount(number_right[:, rung], weights=count, minlength=units + 1) for rung in range(rungs)]
    return np.concatenate([by_pattern, *(by_number if units > 1 else [])])
