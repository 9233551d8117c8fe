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
from snellen.examine.tracks import SubjectTrack, TrackItem
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

    def __call__(self, subject_track: SubjectTrack, track_item: TrackItem) -> tuple[bytes, ItemRecord, Outcome] | None:
        """The key of a trial, its item and its outcome, if it was held."""
        record = self._catalogue.record(subject_track.ordered(track_item), 0)
        if record is None:
            return None
        key = self._plan.trial(subject_track.put_at(track_item), record).key
        outcome = self.outcome(subject_track, key)
        return None if outcome is None else (key, record, outcome)

    def outcome(self, subject_track: SubjectTrack, key: bytes) -> Outcome | None:
        """The outcome of a trial. One that is recorded under another name is marked again, from the same calls."""
        record = self._store.outcomes([key]).get(key) if self._store else None
        return cast(Outcome, record[1]) if record and record[0] == subject_track.put.way.label else None


class TrackState:
    """A subject's track under way: the outcomes it was told, and the items whose outcomes it waits for."""

    def __init__(self, subject_track: SubjectTrack, recall: StoredOutcomes) -> None:
        self.subject_track = subject_track
        self.history: Sequence[tuple[str, Outcome]] = ()
        self.waits_for: set[TrackItem] = set()
        self.failed: set[TrackItem] = set()
        self.over = False
        self.recalled: list[tuple[bytes, ItemRecord]] = []
        """What was looked up since this was last emptied."""
        self._recall = recall
        self._told: dict[TrackItem, Outcome] = {}

    @property
    def ready(self) -> bool:
        """True once every outstanding answer has arrived."""
        return not (self.over or self.waits_for or self.failed)

    def step(self) -> Sequence[TrackItem]:
        """Go as far as the answers reach: what is to be asked now."""
        graded = self.subject_track.graded
        self.history, missing = replay(graded.track, self._answered, self.history, graded.check)
        self.over = not missing
        self.waits_for = set(missing)
        return missing

    def tell(self, track_item: TrackItem, outcome: Outcome | None) -> None:
        """The outcome of a trial; None if its call failed."""
        self.waits_for.discard(track_item)
        if outcome is None:
            self.failed.add(track_item)
        else:
            self._told[track_item] = outcome

    @property
    def expected(self) -> int:
        """About how many trials it will have taken; never more than `at_most`, which may cut the last batch short."""
        return min(self.at_most, max(self.subject_track.typical, len(self._told) + self.subject_track.track.batch))

    @property
    def at_most(self) -> int:
        """The most trials it may take, those so far included."""
        return len(self._told) if self.over else self.subject_track.graded.most

    def _answered(self, level: str, number: int) -> Outcome | None:
        track_item = (level, number)
        if track_item not in self._told and (stored := self._recall(self.subject_track, track_item)) is not None:
            key, item, self._told[track_item] = stored
            self.recalled.append((key, item))
        return self._told.get(track_item)


@dataclass(frozen=True, eq=False)
class RecordedTrials:
    """Trials that are on record: there is nothing to make."""

    trials: Collection[tuple[bytes, str]]

    async def make(self) -> Sequence[TrialJob]:
        return ()


@dataclass(frozen=True, eq=False)
class TrackBatch:
    """What a track asks at once."""

    scheduler: "TrackScheduler"
    state: TrackState
    track_items: Sequence[TrackItem]

    trials = None

    async def make(self) -> Sequence[TrialJob]:
        return await self.scheduler.make(self.state, self.track_items)


class TrackScheduler:
    """The tracks of an exam under way."""

    def __init__(self, queue: "TrialQueue", makers: ItemPool, recall: StoredOutcomes) -> None:
        self._queue = queue
        self._makers = makers
        self._recall = recall
        self.states = [TrackState(subject_track, recall) for subject_track in queue.plan.subject_tracks]
        self._asked: dict[bytes, list[tuple[TrackState, TrackItem]]] = {}
        self._made: dict[tuple[ItemRequest, TrackItem, int], Future[list[MadeItem]]] = {}

    @property
    def waiting(self) -> bool:
        """Whether answers are still to come that decide what is asked next."""
        return any(state.waits_for for state in self.states)

    def batches(self) -> Iterator[RecordedTrials | TrackBatch]:
        """Batches of the tracks whose outstanding answers have all arrived."""
        for state in self.states:
            if not state.ready:
                continue
            track_items = state.step()
            if state.recalled:
                self._queue.note_tracked((key for key, _ in state.recalled), (item for _, item in state.recalled))
                yield RecordedTrials([(key, state.subject_track.put.way.label) for key, _ in state.recalled])
                state.recalled.clear()
            if track_items:
                yield TrackBatch(self, state, track_items)

    async def make(self, state: TrackState, track_items: Sequence[TrackItem]) -> list[TrialJob]:
        """The jobs of some items of a track."""
        plan, subject_track = self._queue.plan, state.subject_track
        under_way = [self._order(subject_track, track_item) for track_item in track_items]
        jobs = []
        for track_item, future in zip(track_items, under_way, strict=True):
            (made,) = await asyncio.wrap_future(future)
            self._queue.keep(subject_track.ordered(track_item), 0, made.item)
            job = TrialJob(plan, plan.trial(subject_track.put_at(track_item), made.item), made.stimuli[0])
            self._asked.setdefault(job.key, []).append((state, track_item))
            jobs.append(job)
            self._queue.note_tracked([job.key], [made.item])
        return jobs

    def _order(self, subject_track: SubjectTrack, track_item: TrackItem) -> "Future[list[MadeItem]]":
        """One item, made once for all who are asked it at about the same time."""
        what = (subject_track.order, track_item, subject_track.place(track_item)[1])
        future = self._made.pop(what, None) or self._makers.make(subject_track.ordered(track_item), 0, 1)
        self._made[what] = future
        if len(self._made) > _KEPT:
            del self._made[next(iter(self._made))]
        return future

    def heard(self, key: bytes, trial: TrialRecord | None) -> None:
        """Of a trial that was held, or found on record."""
        for state, track_item in self._asked.pop(key, ()):
            if trial is None:
                state.tell(track_item, self._recall.outcome(state.subject_track, key))
            else:
                state.tell(track_item, None if trial.reason == "error" else cast(Outcome, trial.outcome))
