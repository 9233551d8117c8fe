"""Two subjects on the same new items of one rung, until one is shown better or both equivalent (`snellen compare
--until-sure`).

What is compared is accuracy, as everywhere: the share of an item's questions that were answered right, and a reply that
could not be read is not right. Items count batch by batch in the order of asking, whichever answer came first, so that
the decision is a function of the seed and the answers alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from snellen.examine.ladder_tracks import LadderQuestion, SubjectLadder, ladders_of
from snellen.examine.task_comparison import TaskComparison
from snellen.examine.task_plans import Presentation, TaskPlan
from snellen.examine.tracks import TrackAnswer, TrackItem, TrackStep
from snellen.sequential import Block, Comparison, ComparisonResult, compare
from snellen.tasks.making import ItemRequest
from snellen.tasks.sequential import Draw


class ComparedQuestion(NamedTuple):
    """One question to one of the two."""

    side: int
    asked: LadderQuestion


class ComparedSoFar(NamedTuple):
    """The differences of the items of whole batches, and what they lead to."""

    differences: tuple[float, ...]
    result: ComparisonResult


@dataclass(frozen=True, eq=False)
class SubjectPair:
    """One rung as it is put to two subjects."""

    sides: tuple[SubjectLadder, SubjectLadder]
    comparison: Comparison

    @property
    def put(self) -> Presentation:
        return self.sides[0].put

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(side.put.way.label for side in self.sides)

    @property
    def skips_failures(self) -> bool:
        return False

    @property
    def most(self) -> int:
        return self.comparison.most * self.batch // self.comparison.batch

    @property
    def typical(self) -> int:
        """Half of what it may ask: two that are alike take about as much, and two that are not, less."""
        return max(1, self.most // 2)

    @property
    def batch(self) -> int:
        return 2 * self.comparison.batch * self.sides[0].batch

    def advance(self, answered: Callable[[TrackItem], TrackAnswer | None], known: Any) -> TrackStep:
        so_far = known or ComparedSoFar((), compare(self.comparison, ()))
        while so_far.result.status == "open" and (batch := self._next_batch(so_far)):
            missing = [one for draw in batch for one in self._questions(draw) if answered(one) is None]
            if missing:
                return TrackStep(missing, missing, so_far)
            differences = (*so_far.differences, *(self._difference(draw, answered) for draw in batch))
            so_far = ComparedSoFar(differences, compare(self.comparison, differences))
        return TrackStep((), (), so_far)

    def result(self, answered: Callable[[TrackItem], TrackAnswer | None]) -> TaskComparison:
        """The comparison as far as its answers reach."""
        so_far: ComparedSoFar = self.advance(answered, ()).known
        return TaskComparison(
            task=self.put.part.task.name,
            rung=self.sides[0].ladder.rungs[0].name,
            first=self.labels[0],
            second=self.labels[1],
            questions=self.sides[0].batch,
            margin=self.comparison.margin,
            alpha=self.comparison.alpha,
            most=self.comparison.most,
            result=so_far.result,
        )

    def _next_batch(self, so_far: ComparedSoFar) -> list[Draw]:
        asked = len(so_far.differences)
        return self._draws[asked : min(asked + self.comparison.batch, self.comparison.most)]

    @cached_property
    def _draws(self) -> list[Draw]:
        return self.sides[0].ladder.draws([Block((0,), self.comparison.most)])[0]

    def _questions(self, draw: Draw) -> Iterator[ComparedQuestion]:
        for asked in self.sides[0].questions(draw, (0,)):
            yield from (ComparedQuestion(side, asked) for side in range(2))

    def _difference(self, draw: Draw, answered: Callable[[TrackItem], TrackAnswer | None]) -> float:
        points = 0
        for one in self._questions(draw):
            answer = answered(one)
            points += (1 - 2 * one.side) * (answer is not None and answer.outcome == "right")
        return points / self.sides[0].batch

    # Where an item is found, and how it is put

    def ordered(self, track_item: ComparedQuestion) -> ItemRequest:
        return self.sides[track_item.side].ordered(track_item.asked)

    def put_at(self, track_item: ComparedQuestion) -> Presentation:
        return self.sides[track_item.side].put_at(track_item.asked)

    def made_as(self, track_item: ComparedQuestion) -> Any:
        return self.sides[track_item.side].made_as(track_item.asked)


def pairs_of(part: TaskPlan) -> Iterator[SubjectPair]:
    """The pair of a part's two subjects, if both can be asked its items."""
    ladder = part.order.design.ladder
    sides = list(ladders_of(part))
    if ladder is None or ladder.comparison is None or len(sides) != 2:
        return
    first, second = sides
    both = (replace(first, beside=(second.put.way,)), replace(second, beside=(first.put.way,)))
    yield SubjectPair(both, ladder.comparison)
