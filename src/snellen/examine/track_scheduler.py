"""Tracks under way, side by side: each asks a batch, waits for its answers and chooses the next.

What was answered in an earlier run is looked up in the store, so that going on is going through the same batches again
until one has something missing. A track of which a call failed waits for another run: what it would ask next depends on
an answer that is not there.
"""

import asyncio
from collections.abc import Collection, Hashable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from snellen.answer import Outcome
from snellen.engine import ItemRecord, Store, TrialRecord
from snellen.examine.catalogue import Catalogue
from snellen.examine.plan import ExamPlan
from snellen.examine.tracks import AdaptiveTrack, TrackAnswer, TrackItem
from snellen.examine.trial import TrialJob
from snellen.tasks.making import ItemPool, MadeItem

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

    def __call__(
        self, subject_track: AdaptiveTrack, track_item: TrackItem
    ) -> tuple[bytes, ItemRecord, TrackAnswer] | None:
        """The key of a trial, its item and how it was answered, if it was held."""
        record = self._catalogue.record(subject_track.ordered(track_item), 0)
        if record is None:
            return None
        put = subject_track.put_at(track_item)
        key = self._plan.trial(put, record).key
        answer = self.answer(put.way.label, key)
        return None if answer is None else (key, record, answer)

    def answer(self, label: str, key: bytes) -> TrackAnswer | None:
        """How a trial was answered. One that is recorded under another name is marked again, from the same calls."""
        marked = self._store.outcomes([key]).get(key) if self._store else None
        if marked is None or marked.subject != label:
            return None
        return TrackAnswer(cast(Outcome, marked.outcome), marked.options, marked.mechanism)


class TrackState:
    """A subject's track under way: the answers it was told, and the items whose answers it waits for."""

    def __init__(self, subject_track: AdaptiveTrack, recall: StoredOutcomes) -> None:
        self.subject_track = subject_track
        self.known: Any = ()
        self.waits_for: set[TrackItem] = set()
        """Items whose answers decide what is asked next."""
        self.failed: set[TrackItem] = set()
        self.over = False
        self.recalled: list[tuple[bytes, str, ItemRecord]] = []
        """What was looked up since this was last emptied."""
        self._recall = recall
        self._told: dict[TrackItem, TrackAnswer] = {}
        self._under_way: set[TrackItem] = set()

    @property
    def ready(self) -> bool:
        """True once every answer that it waits for has arrived."""
        return not (self.over or self.waits_for or self.failed)

    def step(self) -> Sequence[TrackItem]:
        """Go as far as the answers reach: what is to be asked now."""
        missing, needed, self.known = self.subject_track.advance(self.answer, self.known)
        self.over = not missing
        self.waits_for = set(needed)
        new = [track_item for track_item in missing if track_item not in self._under_way]
        self._under_way.update(new)
        return new

    def tell(self, track_item: TrackItem, answer: TrackAnswer | None) -> None:
        """How a trial was answered; None if its call failed."""
        self.waits_for.discard(track_item)
        if answer is None and self.subject_track.skips_failures:
            self._told[track_item] = TrackAnswer("unread", failed=True)
        elif answer is None:
            self.failed.add(track_item)
        else:
            self._told[track_item] = answer

    @property
    def expected(self) -> int:
        """About how many trials it will have taken; never more than `at_most`, which may cut the last batch short."""
        return min(self.at_most, max(self.subject_track.typical, len(self._told) + self.subject_track.batch))

    @property
    def at_most(self) -> int:
        """The most trials it may take, those so far included."""
        return len(self._told) if self.over else self.subject_track.most

    def answer(self, track_item: TrackItem) -> TrackAnswer | None:
        """How an item was answered, in this run or before; None if it was not."""
        if track_item not in self._told and (stored := self._recall(self.subject_track, track_item)) is not None:
            key, item, self._told[track_item] = stored
            self.recalled.append((key, self.subject_track.put_at(track_item).way.label, item))
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
        self._made: dict[Hashable, Future[list[MadeItem]]] = {}

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
                for key, label, item in state.recalled:
                    self._queue.note_tracked(label, key, item)
                yield RecordedTrials([(key, label) for key, label, _ in state.recalled])
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
            self._queue.note_tracked(job.subject, job.key, made.item)
        return jobs

    def _order(self, subject_track: AdaptiveTrack, track_item: TrackItem) -> "Future[list[MadeItem]]":
        """One item, made once for all who are asked it at about the same time."""
        what = subject_track.made_as(track_item)
        future = self._made.pop(what, None) or self._makers.make(subject_track.ordered(track_item), 0, 1)
        self._made[what] = future
        if len(self._made) > _KEPT:
            del self._made[next(iter(self._made))]
        return future

    def heard(self, key: bytes, trial: TrialRecord | None) -> None:
        """Of a trial that was held, or found on record."""
        for state, track_item in self._asked.pop(key, ()):
            if trial is None:
                state.tell(track_item, self._recall.answer(state.subject_track.put_at(track_item).way.label, key))
            elif trial.reason == "error":
                state.tell(track_item, None)
            else:
                outcome = cast(Outcome, trial.outcome)
                state.tell(track_item, TrackAnswer(outcome, len(trial.labels), trial.mechanism))
