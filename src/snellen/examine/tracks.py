"""Tracks as they are put: every track of a design once for each subject, way, setting and sample.

What a track is asked next depends on its own answers alone, so that many run side by side, and whoever joins later is
asked what they would have been asked at first.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice, product
from typing import Any, NamedTuple, Protocol, cast

from snellen.answer import Outcome
from snellen.examine.procedures import Procedure, choosy, knows
from snellen.examine.task_plans import Presentation, TaskPlan
from snellen.examine.untrained import is_trained_on
from snellen.item import Condition, Item
from snellen.psychometric import PsychometricTrack
from snellen.tasks import Task
from snellen.tasks.adaptive import GradedTrack, replay, typical
from snellen.tasks.making import ItemRequest

TrackItem = Any
"""A question of a track: hashable, and understood by the track alone. Of a `SubjectTrack` a level, and the number of an
item at that level."""


class TrackAnswer(NamedTuple):
    """How an item of a track was answered: the outcome, how many options there were, and a wrong answer's mechanism."""

    outcome: Outcome
    options: int = 0
    mechanism: str = ""
    failed: bool = False
    """Whether the call failed, and nothing is known."""


class TrackStep(NamedTuple):
    """How far the answers lead: what was asked and is still unanswered, what of that must be known before anything else
    is asked, and what was found out so far, for the next time."""

    missing: Sequence[TrackItem]
    needed: Sequence[TrackItem]
    known: Any = ()


class AdaptiveTrack(Protocol):
    """Questions to one subject, or to several in turn, of which the next depend on the answers to those before."""

    @property
    def put(self) -> Presentation:
        """How its items are put, unless `put_at` says otherwise."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the subjects it asks, for counting their trials."""

    @property
    def typical(self) -> int:
        """About how many trials it takes."""

    @property
    def most(self) -> int:
        """The most trials it takes."""

    @property
    def skips_failures(self) -> bool:
        """Whether it goes on without the items whose calls failed, instead of waiting for another run."""

    @property
    def batch(self) -> int:
        """About how many it asks at once."""

    def advance(self, answered: Callable[[TrackItem], TrackAnswer | None], known: Any) -> TrackStep:
        """Go as far as the answers reach."""

    def ordered(self, track_item: TrackItem) -> ItemRequest:
        """The order of an item."""

    def put_at(self, track_item: TrackItem) -> Presentation:
        """How an item is put."""

    def made_as(self, track_item: TrackItem) -> Hashable:
        """Equal for items that need to be made only once."""


@dataclass(frozen=True, eq=False)
class SubjectTrack:
    """A track as it is put to one subject. `order`: that of its part, under the condition of the track alone. Where
    conditions take turns, `put` and `order` are under the first."""

    graded: GradedTrack
    put: Presentation
    order: ItemRequest

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.put.way.label,)

    @property
    def track(self) -> PsychometricTrack:
        return self.graded.track

    @property
    def typical(self) -> int:
        """About how many trials it takes."""
        return typical(self.graded)

    @property
    def most(self) -> int:
        return self.graded.most

    @property
    def skips_failures(self) -> bool:
        return False

    @property
    def batch(self) -> int:
        return self.track.batch

    def advance(self, answered: Callable[[TrackItem], TrackAnswer | None], known: Any) -> TrackStep:
        def outcome(level: str, number: int) -> Outcome | None:
            return None if (answer := answered((level, number))) is None else answer.outcome

        history, missing = replay(self.track, outcome, cast(Sequence[tuple[str, Outcome]], known), self.graded.check)
        return TrackStep(missing, missing, history)

    def made_as(self, track_item: TrackItem) -> Hashable:
        return self.order, track_item, self.place(track_item)[1]

    def ordered(self, track_item: TrackItem) -> ItemRequest:
        """The order of one of its items."""
        order, turn = replace(self.order, chosen=(self.place(track_item),)), self.graded.turn(*track_item)
        if turn == self.graded.condition:
            return order
        block = {name: (level,) for name, level in turn.items()}
        return replace(order, design=replace(order.design, blocks=(block,)))

    def place(self, track_item: TrackItem) -> tuple[Mapping[str, str], int]:
        """The kind of an item and its number; numbers of items that the subject was trained on are passed over."""
        kind, index = self.graded.place(*track_item)
        task, way = self.put.part.task, self.put.way
        if not way.trained_on(task.name) or task.item is None:
            return kind, index
        make = task.item
        fresh = (k for k in count() if not is_trained_on(way, task.name, make(kind, k, self.order.seed)))
        return kind, next(islice(fresh, index, None))

    def put_at(self, track_item: TrackItem) -> Presentation:
        """How one of its items is put."""
        turn = self.graded.turn(*track_item)
        if turn == self.graded.condition:
            return self.put
        return self.put._replace(condition=Condition({**self.put.condition, **turn}))


def tracks_of(part: TaskPlan, samples: int) -> Iterator[SubjectTrack]:
    """The tracks of a part that someone in it can be asked."""
    for given in part.order.design.tracks:
        asked = _Asked(part, given)
        if not part.task.applies(asked.easiest, asked.condition):
            continue
        ways = [way for way in part.ways if asked.by(way)]
        for way, settings, sample in product(ways, part.settings_crossed, range(samples)):
            yield SubjectTrack(asked.graded, Presentation(part, asked.condition, settings, way, sample), asked.order)


class _Asked:
    """A track of a part, with all that its task leaves to defaults."""

    def __init__(self, part: TaskPlan, given: GradedTrack) -> None:
        self.part = part
        self.graded = _in_full(part.task, given, part.order.seed)
        factors = [factor for factor in part.task.factors if not factor.of_item]
        first = given.turn(next(iter(given.track.levels)), 0)
        self.condition = Condition({f.name: first.get(f.name, f.levels[0]) for f in factors})
        block = {name: (level,) for name, level in first.items()}
        design = part.order.design
        to_come = sum(map(typical, design.tracks))
        self.order = replace(part.order, design=replace(design, blocks=(block,), tracks=()), to_come=to_come)

    @property
    def easiest(self) -> dict[str, str]:
        """The levels of its easiest items."""
        track = self.graded.track
        kind, _ = self.graded.place(track.names[track.settings.easiest], 0)
        return dict(kind)

    @cached_property
    def first(self) -> Item:
        """The easiest item of the track, made to ask what holds for all of them (pictures, conditions)."""
        if self.part.task.item is None:
            raise ValueError(f"{self.part.task.name}: adaptive tracks need a task that generates single items")
        return self.part.task.item(self.easiest, 0, self.part.order.seed)

    def by(self, way: Procedure) -> bool:
        """True if this procedure can ask the track: it was chosen, and the subject can take the track's items."""
        if way.paradigm.name not in self.part.chosen:
            return False
        if way.needs_pictures and not self.part.task.shows_pictures(self.condition):
            return False
        return not choosy(way) or knows(way, self.first)


def _in_full(task: Task, given: GradedTrack, seed: int) -> GradedTrack:
    """The track with every factor of its items named, and with the exam's seed."""
    defaults = {factor.name: factor.levels[0] for factor in task.factors if factor.of_item}
    still = {name: level for name, level in {**defaults, **given.kind}.items() if name != given.factor}
    return replace(given, track=replace(given.track, seed=seed), kind=still)
