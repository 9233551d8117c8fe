"""Every step of a ladder under test: the wealth of its bets, and what that has closed.

A **block** is some new items, each asked on the same rungs. Which rungs, and how many items, is decided before any
answer of the block is known, so both halves of every pair are fresh: a bet on them is fair whatever made us ask. For
this reason an item is never asked on a further rung because of how it was answered on another: items that were lost on
the upper rung are lost on the lower one less often than others, by luck alone.

Of each step there are three bets:

- *nothing is lost here* (mean of lower less upper rung at most 0), on blocks that ask both rungs of the step; of the
  lowest step, that errors are rarer than `SLIPS`. When the bet against it wins 1/alpha, shared among the steps that
  were not shown yet, a loss is **shown**.
- *`detect` or more is lost here*, on every block with a rung above the step: from the nearest rung below the step (or
  from all right) to the nearest above it, no less can be lost than at the step. When it wins 1/miss, the step is
  **excluded**. So one solved rung excludes every step below it.
- *enough is solved on this rung to lose something above it*. When that is refuted, the steps above are **not
  measurable**.

Replies that could not be read are lost to form, a step of its own, and take no part in the other bets.

What is assumed: items are alike, or of kinds in an order drawn without regard to answers (in whole rounds the product
of unlike factors is below that of equal ones, so that rounds win no more than like items would); nothing that is solved
on a rung is lost for good on one below it; and guesses of those who do not solve an item are right as often as chance
has it.
"""

from collections.abc import Sequence
from math import log

from snellen.sequential import bets
from snellen.sequential.design import ItemScore, Scores, SequentialDesign, Status
from snellen.sequential.expecting import SLIPS, UNREAD, USELESS_TOLD, Expectation, enough

SHARE_OF_MISS = 0.9
"""Of the chance to miss a fault, the part that excluding it takes; the rest is for finding it not measurable."""
QUICK = 0.25
"""The part of alpha for attention and for form, where each error wins most of a bet, beside 1 for every other step."""


class LadderTest:
    """The bets on one ladder, batch by batch. The last place of every list is that of form."""

    def __init__(self, design: SequentialDesign) -> None:
        self.design = design
        steps = design.steps + 1
        self.against_none = [bets.Wealth() for _ in range(steps)]
        self.against_loss = [bets.Wealth() for _ in range(steps)]
        self.against_use = [bets.Wealth() for _ in range(steps)]
        self.status: list[Status] = ["open"] * steps
        self.items: list[Scores] = []
        """What every item scored, by rung."""
        self.calls = 0
        self.expectation = Expectation(design, ())
        self._signed = [bets.Wealth() for _ in range(steps)]

    @property
    def form(self) -> int:
        return self.design.steps

    @property
    def open(self) -> tuple[int, ...]:
        return tuple(k for k, status in enumerate(self.status) if status == "open")

    def shown_at(self, step: int) -> float:
        """The wealth, as a logarithm, at which a loss is shown. What was shown leaves its part of alpha to the others
        (Holm): the first to be charged falsely would have to win against the parts of all that are not lost."""
        parts = {k: QUICK if k in (0, self.form) else 1.0 for k, status in enumerate(self.status) if status != "shown"}
        return log(sum(parts.values()) / (parts.get(step, 1.0) * self.design.alpha))

    @property
    def excluded_at(self) -> float:
        return log(1 / (SHARE_OF_MISS * self.design.miss))

    @property
    def useless_at(self) -> float:
        return log((self.design.steps + 1) / ((1 - SHARE_OF_MISS) * self.design.miss))

    def feed(self, rungs: tuple[int, ...], scores: Sequence[Scores]) -> None:
        """Settle the bets on a block: `scores` of each of its items on each of these rungs."""
        if not scores:
            return
        for step in range(self.design.steps):
            self._feed_step(step, rungs, scores)
        self._feed_form(rungs, scores)
        self.items += scores
        self.calls += len(scores) * len(rungs) * self.design.questions
        self.expectation = Expectation(self.design, self.items)
        self._close()

    def _feed_step(self, step: int, rungs: tuple[int, ...], scores: Sequence[Scores]) -> None:
        design, expected = self.design, self.expectation
        lower, upper = design.below(step, rungs), design.above(step, rungs)
        if upper is not None and self.items:  # the first block says where to look; nothing is known to bet on yet
            pairs = [(drops, item[upper].chance) for item in scores if (drops := self._drops(item, lower, upper))]
            gains = [bets.drops_at_least(design.smallest_drops(step, chance), drops) for drops, chance in pairs]
            self.against_loss[step].settle(gains, expected.gain_against_loss(step, lower, upper))
        if step not in rungs:
            return
        own = [item[step] for item in scores if item[step].right is not None]
        if step == 0:
            gains = [bets.above_rate(SLIPS * design.questions, not score.right) for score in own]
            self.against_none[0].settle(gains, expected.gain_against_none(0))
        elif step - 1 in rungs:
            gains = [bets.drops_above_zero(drops) for item in scores if (drops := self._drops(item, step - 1, step))]
            self.against_none[step].settle(gains, expected.gain_against_none(step))
            if design.rungs[step] in design.signed:
                gains = [bets.above_zero(score.signature) for score in own]
                self._signed[step].settle(gains, expected.gain_against_none(step)[: len(bets.STAKES)])
        if not design.is_partial(step):
            gains = [bets.at_least(enough(design, step, score.chance), float(bool(score.right))) for score in own]
            self.against_use[step].settle(gains, expected.gain_against_use(step))

    def _feed_form(self, rungs: tuple[int, ...], scores: Sequence[Scores]) -> None:
        # One bet an item: whether its replies on several rungs can be read is no chance of its own for each of them.
        unread = [
            sum(item[rung].lost_to_form for rung in rungs) / len(rungs)
            for item in scores
            if not any(item[rung].failed for rung in rungs)
        ]
        expected = self.expectation
        gains = [bets.above_rate(UNREAD * self.design.questions, share) for share in unread]
        self.against_none[self.form].settle(gains, expected.gain_against_none(self.form))
        gains = [bets.at_least(self.design.detect, share) for share in unread]
        self.against_loss[self.form].settle(gains, expected.gain_against_unread())
        gains = [bets.at_least(USELESS_TOLD, 1 - share) for share in unread]
        self.against_use[self.form].settle(gains, expected.gain_against_reading())

    def _drops(self, item: Scores, lower: int | None, upper: int) -> tuple[float, ...] | None:
        """What an item loses from one rung to another, in every way of counting; None if either could not be read."""
        below, above = ItemScore(True, 1.0) if lower is None else item[lower], item[upper]
        if below.right is None or above.right is None:
            return None
        before = self.design.credits(below.right, below.share)
        return tuple(b - a for b, a in zip(before, self.design.credits(above.right, above.share), strict=True))

    def _close(self) -> None:
        for step in self.open:
            shown = self.against_none[step].log
            if step < self.form and self.design.rungs[step] in self.design.signed:
                shown = min(shown, self._signed[step].log)
            if round(shown - self.shown_at(step), bets.DIGITS) >= 0:
                self.status[step] = "shown"
            elif round(self.against_loss[step].log - self.excluded_at, bets.DIGITS) >= 0:
                self.status[step] = "excluded"
        solved = self.expectation.solved
        for step in range(1, self.design.steps):
            # What is not solved below cannot be lost: that it is not is no clean bill.
            if self.status[step] == "excluded" and solved[step - 1] < self.design.detect:
                self.status[step] = "not measurable"
        for rung, wealth in enumerate(self.against_use):
            if round(wealth.log - self.useless_at, bets.DIGITS) >= 0:
                above = range(self.design.steps) if rung == self.form else range(rung + 1, self.design.steps)
                for step in above:
                    if self.status[step] == "open":
                        self.status[step] = "not measurable"
