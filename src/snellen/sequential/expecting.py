"""What a subject is expected to do next, as far as its answers tell: it decides which rungs are asked and how wealth is
divided. A wrong expectation costs calls; it cannot make a bet unfair.
"""

from collections.abc import Sequence
from itertools import product
from math import comb, fsum, sqrt

import numpy as np

from snellen.sequential import bets
from snellen.sequential.design import FloatArray, Scores, SequentialDesign

SLIPS = 0.01
"""Errors in so many questions whose answer was stated are no fault."""
UNREAD = 0.01
USELESS, USELESS_TOLD = 0.25, 0.5
"""If less is solved on a rung, what is lost above it cannot be measured. On the lowest one, where the answer was
stated, more than that should be solved, and as many replies should be readable."""
APART = 0.8
"""Neighbouring rungs that are so many standard errors apart, or less, are taken to be solved alike."""
UNKNOWN_CHANCE, UNASKED = 0.5, 0.1
"""The chance of a guess before any item is known; and the part of what is solved that a rung which was never asked may
lose, with all above it."""
_SURE = 0.998


class Expectation:
    """The share solved on every rung, and what follows for pairs of rungs and for the bets."""

    def __init__(self, design: SequentialDesign, items: Sequence[Scores]) -> None:
        self.design = design
        scores = [score for item in items for score in item.values() if not score.failed]
        chances = [score.chance for score in scores if score.right is not None]
        self.chance = sum(chances) / len(chances) if chances else UNKNOWN_CHANCE
        self.luck = design.all_right_by_chance(self.chance)
        self.unread = (sum(score.lost_to_form for score in scores) + 0.02) / (len(scores) + 1)
        self.asked = [0] * design.steps
        self._right = [0] * design.steps
        for item in items:
            for rung, score in item.items():
                if score.right is not None:
                    self.asked[rung] += 1
                    self._right[rung] += score.right
        self.solved = self._all_solved()
        kept = min(max(self.solved[0], 0.02), _SURE)
        drops = [max(0.0, (low - high) / kept) for low, high in zip(self.solved, self.solved[1:], strict=False)]
        total = max(1.0, sum(drops))
        self._fails = [drop / total for drop in drops] + [max(0.0, 1 - sum(drops) / total)]
        """By step above the lowest the share of items that are lost there; last those that are solved."""
        self._attends = kept
        every = [design.credits(n == design.questions, n / design.questions) for n in range(design.questions + 1)]
        self._drops = {
            (low, high): tuple(one - other for one, other in zip(every[low], every[high], strict=True))
            for low, high in product(range(len(every)), repeat=2)
        }
        self._gains: dict[tuple[int, int | None, int], FloatArray] = {}

    def _all_solved(self) -> list[float]:
        """Not rising along the ladder; rungs that were not asked lie between those that were."""
        asked = [rung for rung in range(self.design.steps) if self.asked[rung]]
        known = dict(
            zip(asked, self._levelled([(self.solved_alone(rung), self.asked[rung]) for rung in asked]), strict=True)
        )
        solved: list[float] = []
        for rung in range(self.design.steps):
            before = solved[-1] if solved else 1.0
            after = next((other for other in asked if other > rung), self.design.steps)
            to = known.get(after, (1 - UNASKED) * before)
            solved.append(min(before, known[rung]) if rung in known else before + (to - before) / (after - rung + 1))
        return solved

    def solved_alone(self, rung: int) -> float:
        """The share solved on a rung, whatever the others say."""
        accuracy = (self._right[rung] + 1) / (self.asked[rung] + 1)
        return min(max((accuracy - self.luck) / (1 - self.luck), 0.0), 1.0)

    def _levelled(self, solved: Sequence[tuple[float, int]]) -> list[float]:
        """Shares with their numbers of items, those of neighbours averaged that rise or hardly differ."""
        runs: list[tuple[float, int, int]] = []
        for share, items in solved:
            runs.append((share, items, 1))
            while len(runs) > 1 and self._alike(runs[-2], runs[-1]):
                (one, m, first), (other, n, second) = runs[-2:]
                runs[-2:] = [((one * m + other * n) / (m + n), m + n, first + second)]
        return [share for share, _, rungs in runs for _ in range(rungs)]

    def _alike(self, one: tuple[float, int, int], other: tuple[float, int, int]) -> bool:
        mean = (one[0] * one[1] + other[0] * other[1]) / (one[1] + other[1])
        accuracy = self.luck + mean * (1 - self.luck)
        error = sqrt(max(accuracy * (1 - accuracy), 0.02) * (1 / one[1] + 1 / other[1])) / (1 - self.luck)
        return one[0] - other[0] < APART * error

    def _pairs(self, lower: int | None, upper: int) -> list[tuple[float, tuple[float, ...]]]:
        """How likely an item is to drop so far from the lower rung to the upper, in every way of counting."""
        every = range(self.design.questions + 1)
        likely = dict.fromkeys(product(every, every), 0.0)
        for place, share in enumerate(self._fails, 1):
            below = [0.0] * self.design.questions + [1.0] if lower is None else self._rights(place, lower)
            above = self._rights(place, upper)
            for low, high in likely:
                likely[low, high] += share * below[low] * above[high]
        return [(chance, self._drops[pair]) for pair, chance in likely.items() if chance > 0]

    def _rights(self, place: int, rung: int) -> list[float]:
        """How likely an item that is lost at this step is to be answered right so many times on a rung."""
        questions = self.design.questions
        right = (self._attends + (1 - self._attends) * self.luck) ** (1 / questions)
        if place <= rung:
            by_habit = place == rung and self.design.by_habit(rung)
            right = self.chance * (1 - right) if by_habit else self.chance
        return [comb(questions, n) * right**n * (1 - right) ** (questions - n) for n in range(questions + 1)]

    def _wrong(self, rung: int) -> float:
        return 1 - fsum(share * self._rights(place, rung)[-1] for place, share in enumerate(self._fails, 1))

    # What a bet is expected to gain an observation, by stake

    def gain_against_loss(self, step: int, lower: int | None, upper: int) -> FloatArray:
        if (gain := self._gains.get((step, lower, upper))) is None:
            least = self.design.smallest_drops(step, self.chance)
            pairs = self._pairs(lower, upper)
            gain = np.sum([likely * bets.drops_at_least(least, drops) for likely, drops in pairs], axis=0)
            self._gains[step, lower, upper] = gain
        return gain

    def gain_against_none(self, step: int) -> FloatArray:
        if step == self.design.steps:
            return self._of_rate(UNREAD, self.unread)
        if step == 0:
            return self._of_rate(SLIPS, self._wrong(0))
        pairs = self._pairs(step - 1, step)
        return np.asarray(np.sum([likely * bets.drops_above_zero(drops) for likely, drops in pairs], axis=0))

    def gain_against_use(self, rung: int) -> FloatArray:
        wrong = self._wrong(rung)
        least = enough(self.design, rung, self.chance)
        return (1 - wrong) * bets.at_least(least, 1) + wrong * bets.at_least(least, 0)

    def gain_against_unread(self) -> FloatArray:
        detect = self.design.detect
        return self.unread * bets.at_least(detect, 1) + (1 - self.unread) * bets.at_least(detect, 0)

    def gain_against_reading(self) -> FloatArray:
        read = 1 - self.unread
        return read * bets.at_least(USELESS_TOLD, 1) + self.unread * bets.at_least(USELESS_TOLD, 0)

    def _of_rate(self, tolerated: float, rate: float) -> FloatArray:
        tolerated *= self.design.questions
        return np.asarray(
            rate * bets.above_rate(tolerated, True) + (1 - rate) * bets.above_rate(tolerated, False), np.float64
        )


def enough(design: SequentialDesign, rung: int, chance: float) -> float:
    """How often the items of a rung must be right for a loss above it to be measurable."""
    least = USELESS_TOLD if rung == 0 else USELESS
    luck = design.all_right_by_chance(chance)
    return luck + least * (1 - luck)
