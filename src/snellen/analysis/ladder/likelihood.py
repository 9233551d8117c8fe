"""How likely a tree makes what was seen, and its slope.

A fit asks for thousands of values and slopes of one tree over the same items, nearly always of both at the same point.
So what depends on the tree and the items alone is laid out once, and a slope starts from what the value at its point
left behind. Rungs that are alike in what decides the answer are counted first: a logarithm is taken once for all of
them.
"""

from typing import NamedTuple

import numpy as np

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.tree import LEAST, Patterns, Tree


class _Point(NamedTuple):
    """What the value at one point left behind. `answers`: how likely a right answer and a wrong one are, by what
    decides it and level of luck; `of_kinds`: fates x kinds of units, before units that are struck alone are mixed into
    the last fate, and `mixed` after; `of_patterns`: fates x patterns."""

    theta: Floats
    whole: Floats
    single: Floats
    answers: Floats
    of_kinds: Floats
    mixed: Floats
    of_patterns: Floats
    chances: Floats


class TreeLikelihood:
    """The log-likelihood of a tree's parameters over some items."""

    def __init__(self, tree: Tree, patterns: Patterns) -> None:
        self.tree, self.patterns = tree, patterns
        units, kinds = patterns.units, len(patterns.units.luck)
        self._places = [np.ascontiguousarray(places) for places in units.places.T]
        self._number = np.zeros((len(units.places), kinds))  # of units of each kind, in each pattern
        for places in self._places:
            np.add.at(self._number, (np.arange(len(places)), places), 1.0)
        self._lucks = patterns.lucks
        self._of_luck = (units.luck[:, None] == np.arange(len(self._lucks))).astype(np.float64)
        self._own = np.array(tree.own, dtype=np.intp)
        self._habitual = any(tree.parts[k].kind == "habit" for k in tree.own)
        self._yields = list(enumerate(range(tree.size - len(tree.yields), tree.size), 1 + self._habitual))
        self._answered, guessed = self._counted()
        self._terms = np.empty((2 * len(self._answered) + 1, *guessed.shape))
        self._terms[0] = guessed
        self._weights = self._answered.reshape(-1, *guessed.shape)
        self._last: _Point | None = None

    def value(self, theta: Floats) -> float:
        chances = self._at(theta).chances
        return float((np.log(np.maximum(chances, 0) + LEAST) * self.patterns.count).sum())

    def chances(self, theta: Floats) -> Floats:
        """The probability of each pattern."""
        return self._at(theta).chances

    def slope(self, theta: Floats) -> Floats:
        """The derivative of the value by each parameter."""
        tree, at = self.tree, self._at(theta)
        weights = self.patterns.count / (at.chances + LEAST)
        by_whole = at.of_patterns @ weights
        # By the probability of each kind of unit: fates x kinds, times that probability.
        by_kind = ((at.whole[:, None] * at.of_patterns) * weights) @ self._number
        by_single = np.zeros_like(by_whole)
        if tree.nested:
            share = by_kind[-1] / (at.mixed + np.finfo(float).tiny)
            by_single = at.of_kinds @ share
            by_kind[-1] = 0
            by_kind += at.single[:, None] * at.of_kinds * share
        slopes = self._by_shares(theta, by_whole, by_single)
        self._add_answers(slopes, theta, at, by_kind)
        return slopes

    def _at(self, theta: Floats) -> _Point:
        last = self._last
        if last is None or not (last.theta == theta).all():
            last = self._last = self._computed(theta.copy())
        return last

    def _computed(self, theta: Floats) -> _Point:
        tree = self.tree
        whole, single = tree.shares(theta)
        answers = self._answers(theta, tree.slips(theta))
        logs = np.log(answers.reshape(-1, len(self._lucks)) + LEAST).take(self.patterns.units.luck, axis=1)
        np.multiply(logs[:, None], self._weights, out=self._terms[1:])
        of_kinds = np.exp(self._terms.sum(0))
        mixed = of_kinds[-1]
        seen = of_kinds
        if tree.nested:
            mixed = (single[:, None] * of_kinds).sum(0)
            seen = np.vstack([of_kinds[:-1], mixed])
        of_patterns = seen.take(self._places[0], axis=1)
        for places in self._places[1:]:
            of_patterns *= seen.take(places, axis=1)
        chances = (whole[:, None] * of_patterns).sum(0)
        return _Point(theta, whole, single, answers, of_kinds, mixed, of_patterns, chances)

    def _answers(self, theta: Floats, slip: float) -> Floats:
        """How likely a right answer and a wrong one are where nothing has struck, by habit, and on each of the tree's
        `yields`."""
        by_slip = slip * self._lucks
        both = np.empty((1 + self._habitual + len(self._yields), 2, len(by_slip)))
        rights = both[:, 0]
        rights[0] = 1 - slip + by_slip
        if self._habitual:
            rights[1] = by_slip
        for row, k in self._yields:
            rights[row] = (1 - slip) * theta[k] + by_slip
        np.subtract(1, rights, out=both[:, 1])
        return both

    def _by_shares(self, theta: Floats, by_whole: Floats, by_single: Floats) -> Floats:
        """Slopes as far as the parameters decide how many items and units have each fate."""
        tree, slopes = self.tree, np.zeros(len(theta))
        kept = 1 - tree.slips(theta)
        lost = theta[self._own] / kept
        by_whole, by_single = by_whole[:-1] - by_whole[-1], by_single[:-1] - by_single[-1]
        by_lost = by_whole
        if tree.nested:
            part = theta[len(tree.parts)]
            spared = 1 - part * lost.sum() + LEAST
            by_spared = -(by_single * lost).sum() * (1 - part) / spared**2
            by_lost = part * (by_whole - by_spared) + by_single * (1 - part) / spared
            slopes[len(tree.parts)] = ((by_whole - by_single / spared - by_spared) * lost).sum()
        slopes[self._own] = by_lost / kept
        if tree.slip is not None:
            slopes[tree.slip] = (by_lost * lost).sum() / kept
        return slopes

    def _add_answers(self, slopes: Floats, theta: Floats, at: _Point, by_kind: Floats) -> None:
        """Add what slips and `yields` change in how likely answers are."""
        sums = (self._answered * by_kind).sum(2) @ self._of_luck
        weights = sums / (at.answers + LEAST)
        by_right = weights[:, 0] - weights[:, 1]
        for row, k in self._yields:
            slopes[k] += (1 - self.tree.slips(theta)) * by_right[row].sum()
        if self.tree.slip is not None:
            moved = [1.0, *([0.0] if self._habitual else []), *(theta[k] for _, k in self._yields)]
            slopes[self.tree.slip] += (by_right * (self._lucks - np.array(moved)[:, None])).sum()

    def _counted(self) -> tuple[Floats, Floats]:
        """Of each fate and kind of unit how many rungs are answered right and wrong, by what decides that, and the
        logarithm of how likely the guesses on the other rungs are."""
        tree, units, beside = self.tree, self.patterns.units, list(self.tree.yields)
        falls = tree.struck.T.astype(np.float64)
        habit = np.array([*(tree.parts[k].kind == "habit" for k in tree.own), False])
        plain = 1 - falls
        plain[beside] = 0
        decided = [plain]
        if self._habitual:
            decided.append(falls * habit)
        for rung in beside:
            only = np.zeros_like(falls)
            only[rung] = 1 - falls[rung]
            decided.append(only)
        counts = [((units.right @ rungs).T, (units.wrong @ rungs).T) for rungs in (*decided, falls * ~habit)]
        luck = self._lucks[units.luck]
        right, wrong = counts.pop()
        return np.array(counts), right * np.log(luck + LEAST) + wrong * np.log(1 - luck + LEAST)
