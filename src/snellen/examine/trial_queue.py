"""From a plan to jobs, a few ahead of those who do them: items that were made before are known from the store, and made
again only if one of their trials is still to be held."""

import asyncio
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from snellen.engine import ItemRecord, RunProgress, Store, TrialRecord
from snellen.engine.exam_shards import items_digest
from snellen.errors import UserError
from snellen.examine.catalogue import Catalogue
from snellen.examine.compared_tracks import SubjectPair
from snellen.examine.ladder_news import closed_since, decided_since, decisions, steps_closed
from snellen.examine.ladder_tracks import SubjectLadder
from snellen.examine.plan import ExamPlan
from snellen.examine.task_comparison import TaskComparison
from snellen.examine.task_plans import TaskPlan
from snellen.examine.track_scheduler import RecordedTrials, StoredOutcomes, TrackBatch, TrackScheduler
from snellen.examine.trial import TrialJob
from snellen.item import Item
from snellen.sequential import SequentialResult
from snellen.tasks.making import ItemPool, ItemRequest, MadeItem


class TrialQueue:
    """The batches of one exam. `digest` identifies all its items once they have gone by."""

    def __init__(self, plan: ExamPlan, store: Store, makers: ItemPool) -> None:
        self.plan = plan
        self._store = store
        self._makers = makers
        self._catalogue = Catalogue(store)
        self._items: dict[tuple[int | str, int | str], str] = {}
        self._trials: set[bytes] = set()
        self._news: list[str] = []
        self._closed: set[tuple[str, str, str]] = set()
        self._scheduler = TrackScheduler(self, makers, StoredOutcomes(plan, store))

    def batches(self) -> "Iterator[ItemBatch | RecordedTrials | TrackBatch | None]":
        """What is to be asked, tracks first, for these take their time; None while only they go on, and wait."""
        fixed = self._fixed()
        while True:
            yield from self._scheduler.batches()
            if (batch := next(fixed, None)) is not None:
                yield batch
            elif self._scheduler.waiting:
                yield None
            else:
                return

    def _fixed(self) -> Iterator["ItemBatch"]:
        """What is asked whatever the answers are."""
        for number, part in enumerate(self.plan.parts):
            first = 0
            while first < part.order.size:
                record = self._catalogue.record(part.order, first)
                if record:
                    self._note(number, first, record)
                stretch = self._makers.stretch(part.order, first)
                count = 1 if record else self._catalogue.unknown_from(part.order, first, stretch)
                yield ItemBatch(self, number, first, count, record)
                first += count

    async def make(self, number: int, first: int, count: int) -> list[TrialJob]:
        """The jobs of some items of a part, which are made for it."""
        part = self.plan.parts[number]
        stretch = await asyncio.wrap_future(self._makers.make(part.order, first, count))
        jobs: list[TrialJob] = []
        for place, made in enumerate(stretch, first):
            self.keep(part.order, place, made.item)
            self._note(number, place, made.item)
            jobs += jobs_of(self.plan, part, made)
        self._trials.update(job.key for job in jobs)
        return jobs

    def note_tracked(self, label: str, key: bytes, item: Item | ItemRecord) -> None:
        """A trial of a subject's track, made or known, with its item."""
        self._trials.add(key)
        self._note(label, item.id, item)

    def heard(self, key: bytes, trial: TrialRecord | None) -> None:
        """Of a trial that was held or found on record: it may decide what is asked next."""
        self._scheduler.heard(key, trial)

    def look(self, progress: RunProgress) -> None:
        """Say how many trials it will be, and how far the tracks are."""
        if states := self._scheduler.states:
            progress.total = self.plan.fixed_size + sum(state.expected for state in states)
            over, failed = sum(state.over for state in states), sum(bool(state.failed) for state in states)
            progress.note = f"{over} of {len(states)} tracks done" + (f", {failed} stopped by errors" if failed else "")
            if ladders := [state for state in states if isinstance(state.subject_track, SubjectLadder)]:
                progress.note = steps_closed(ladders) + (f", {failed} stopped by errors" if failed else "")
                self._news += closed_since(ladders, self._closed, len(self.plan.labels) > 1)
                progress.news = self._news
            if pairs := [state for state in states if isinstance(state.subject_track, SubjectPair)]:
                progress.note = decisions(pairs) + (f", {failed} stopped by errors" if failed else "")
                self._news += decided_since(pairs, self._closed)
                progress.news = self._news

    def ladders(self) -> dict[str, dict[str, SequentialResult]]:
        """By task and subject, how the ladders stand that are asked until their steps are closed."""
        found: dict[str, dict[str, SequentialResult]] = {}
        for state in self._scheduler.states:
            if isinstance(own := state.subject_track, SubjectLadder):
                found.setdefault(own.put.part.task.name, {})[own.put.way.label] = own.result(state.answer)
        return found

    def comparisons(self) -> list[TaskComparison]:
        """How the comparisons of two subjects stand."""
        pairs = ((state, state.subject_track) for state in self._scheduler.states)
        return [own.result(state.answer) for state, own in pairs if isinstance(own, SubjectPair)]

    @property
    def trials(self) -> frozenset[str]:
        """The keys of all trials that have gone by."""
        return frozenset(key.hex() for key in self._trials)

    def known(self, number: int, record: ItemRecord) -> list[tuple[bytes, str]]:
        """The trials of an item that was made before, each with what its subject is called."""
        trials = [(trial.key, trial.way.label) for trial in self.plan.trials_of(self.plan.parts[number], record)]
        self._trials.update(key for key, _ in trials)
        return trials

    def keep(self, order: ItemRequest, place: int, item: Item) -> None:
        """Put an item on record, and where it stands."""
        check_whole(item)
        self._store.put_item(item)
        if (address := order.address(place)) is not None:
            self._store.put_made(*address, item)

    def _note(self, part: int | str, place: int | str, item: Item | ItemRecord) -> None:
        whose = f"{part} " if isinstance(part, str) else ""  # subjects in several shards may be asked the same item
        self._items[part, place] = f"{whose}{item.id} {item.digest}"

    def digest(self) -> str:
        """The digest of the items; those of shards join into that of the whole (`exam_shards.py`)."""
        return items_digest(self._items.values())


def check_whole(item: Item) -> None:
    """Refuse an item whose text no file can keep: a data set may hold half a character."""
    try:
        json.dumps([item.id, item.cluster, dict(item.levels), dict(item.truth)], ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        where = str(error.object)[max(error.start - 30, 0) : error.start]
        raise UserError(
            f"item {item.id!r}: its text has a lone surrogate (invalid Unicode) after {where!r}; fix the data set"
        ) from None


@dataclass(frozen=True, eq=False)
class ItemBatch:
    """Some items of a part, in a row: one that is on record, or several that are not."""

    queue: TrialQueue
    number: int
    first: int
    count: int
    record: ItemRecord | None

    @cached_property
    def trials(self) -> Collection[tuple[bytes, str]] | None:
        return None if self.record is None else self.queue.known(self.number, self.record)

    async def make(self) -> Sequence[TrialJob]:
        return await self.queue.make(self.number, self.first, self.count)


def jobs_of(plan: ExamPlan, part: TaskPlan, made: MadeItem) -> list[TrialJob]:
    """The trials of an item with the stimuli they show."""
    shown = {stimulus.condition: stimulus for stimulus in made.stimuli}
    return [TrialJob(plan, trial, shown[trial.condition]) for trial in plan.trials_of(part, made.item)]
