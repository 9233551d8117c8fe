"""Tracks under way, side by side: each asks a batch, waits for its answers and chooses the next.

What was answered in an earlier run is looked up in the store, so that going on is going through the same batches again
until one has something missing. A track of which a call failed waits for another run: what it would ask next depends on
an answer that is not there.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from snellen.answer import Outcome
from snellen.engine import ItemRecord, Store, TrialRecord
from snellen.examine.catalogue import Catalogue
from snellen.examine.plan import ExamPlan
from snellen.examine.tracks import Spot, SubjectTrack
from snellen.examine.trial import TrialJob
from snellen.tasks.adaptive import replay
from snellen.tasks.making import ItemPool, ItemRequest, MadeItem

if TYPE_CHECKING:
    from snellen.examine.trial_queue import TrialQueue

_KEPT = 256
"""So many items are kept for others who are asked them too."""


class StoredOutcomes:
    """What a store knows of the trials of tracks, without making their items again."""

    def __init__(self, plan: ExamPlan, store: Store | None) -> None:
        self._plan = plan
        self._store = store
        self._catalogue = Catalogue(store)

    def __call__(self, course: SubjectTrack, spot: Spot) -> tuple[bytes, ItemRecord, Outcome] | None:
        """The key of a trial, its item and its outcome, if it was held."""
        record = self._catalogue.record(course.ordered(spot), 0)
        if record is None:
            return None
        key = self._plan.trial(course.put_at(spot), record).key
        outcome = self.outcome(course, key)
        return None if outcome is None else (key, record, outcome)

    def outcome(self, course: SubjectTrack, key: bytes) -> Outcome | None:
        """The outcome of a trial. One that is recorded under another name is marked again, from the same calls."""
        record = self._store.outcomes([key]).get(key) if self._store else None
        return cast(Outcome, record[1]) if record and record[0] == course.put.way.label else None


class TrackState:
    """A course under way: what it was told, and what it waits for."""

    def __init__(self, course: SubjectTrack, recall: StoredOutcomes) -> None:
        self.course = course
        self.history: Sequence[tuple[str, Outcome]] = ()
        self.waits_for: set[Spot] = set()
        self.failed: set[Spot] = set()
        self.over = False
        self.recalled: list[tuple[bytes, ItemRecord]] = []
        """What was looked up since this was last emptied."""
        self._recall = recall
        self._told: dict[Spot, Outcome] = {}

    @property
    def ready(self) -> bool:
        """True once every outstanding answer has arrived."""
        return not (self.over or self.waits_for or self.failed)

    def step(self) -> Sequence[Spot]:
        """Go as far as the answers reach: what is to be asked now."""
        graded = self.course.graded
        self.history, missing = replay(graded.track, self._answered, self.history, graded.check)
        self.over = not missing
        self.waits_for = set(missing)
        return missing

    def tell(self, spot: Spot, outcome: Outcome | None) -> None:
        """The outcome of a trial; None if its call failed."""
        self.waits_for.discard(spot)
        if outcome is None:
            self.failed.add(spot)
        else:
            self._told[spot] = outcome

    @property
    def expected(self) -> int:
        """About how many trials it will have taken; never more than `at_most`, which may cut the last batch short."""
        return min(self.at_most, max(self.course.typical, len(self._told) + self.course.track.batch))

    @property
    def at_most(self) -> int:
        """The most trials it may take, those so far included."""
        return len(self._told) if self.over else self.course.graded.most

    def _answered(self, level: str, number: int) -> Outcome | None:
        spot = (level, number)
        if spot not in self._told and (stored := self._recall(self.course, spot)) is not None:
            key, item, self._told[spot] = stored
            self.recalled.append((key, item))
        return self._told.get(spot)


@dataclass(frozen=True, eq=False)
class RecordedTrials:
    """Trials that are on record: there is nothing to make."""

    trials: Collection[tuple[bytes, str]]

    async def make(self) -> Sequence[TrialJob]:
        return ()


@dataclass(frozen=True, eq=False)
class TrackBatch:
    """What a track asks at once."""

    rounds: "TrackScheduler"
    walk: TrackState
    spots: Sequence[Spot]

    trials = None

    async def make(self) -> Sequence[TrialJob]:
        return await self.rounds.make(self.walk, self.spots)


class TrackScheduler:
    """The tracks of an exam under way."""

    def __init__(self, feed: "TrialQueue", makers: ItemPool, recall: StoredOutcomes) -> None:
        self._feed = feed
        self._makers = makers
        self._recall = recall
        self.walks = [TrackState(course, recall) for course in feed.plan.courses]
        self._asked: dict[bytes, list[tuple[TrackState, Spot]]] = {}
        self._made: dict[tuple[ItemRequest, Spot, int], Future[list[MadeItem]]] = {}

    @property
    def waiting(self) -> bool:
        """Whether answers are still to come that decide what is asked next."""
        return any(walk.waits_for for walk in self.walks)

    def batches(self) -> Iterator[RecordedTrials | TrackBatch]:
        """Batches of the tracks whose outstanding answers have all arrived."""
        for walk in self.walks:
            if not walk.ready:
                continue
            spots = walk.step()
            if walk.recalled:
                self._feed.note_tracked((key for key, _ in walk.recalled), (item for _, item in walk.recalled))
                yield RecordedTrials([(key, walk.course.put.way.label) for key, _ in walk.recalled])
                walk.recalled.clear()
            if spots:
                yield TrackBatch(self, walk, spots)

    async def make(self, walk: TrackState, spots: Sequence[Spot]) -> list[TrialJob]:
        """The jobs of some items of a track."""
        plan, course = self._feed.plan, walk.course
        under_way = [self._order(course, spot) for spot in spots]
        jobs = []
        for spot, future in zip(spots, under_way, strict=True):
            (made,) = await asyncio.wrap_future(future)
            self._feed.keep(course.ordered(spot), 0, made.item)
            job = TrialJob(plan, plan.trial(course.put_at(spot), made.item), made.stimuli[0])
            self._asked.setdefault(job.key, []).append((walk, spot))
            jobs.append(job)
            self._feed.note_tracked([job.key], [made.item])
        return jobs

    def _order(self, course: SubjectTrack, spot: Spot) -> "Future[list[MadeItem]]":
        """One item, made once for all who are asked it at about the same time."""
        what = (course.order, spot, course.place(spot)[1])
        future = self._made.pop(what, None) or self._makers.make(course.ordered(spot), 0, 1)
        self._made[what] = future
        if len(self._made) > _KEPT:
            del self._made[next(iter(self._made))]
        return future

    def heard(self, key: bytes, trial: TrialRecord | None) -> None:
        """Of a trial that was held, or found on record."""
        for walk, spot in self._asked.pop(key, ()):
            if trial is None:
                walk.tell(spot, self._recall.outcome(walk.course, key))
            else:
                walk.tell(spot, None if trial.reason == "error" else cast(Outcome, trial.outcome))
