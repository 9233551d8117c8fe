"""From a plan to jobs, a few ahead of those who do them: items that were made before are known from the store, and made
again only if one of their trials is still to be held."""

import asyncio
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from snellen.engine import ItemRecord, Store
from snellen.errors import UserError
from snellen.examine.plan import Part, Plan
from snellen.examine.trial import TrialJob
from snellen.item import Item
from snellen.tasks.making import Made, Makers, Order


class Catalogue:
    """The items a store knows of, by their place in an order."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._sources: dict[str, dict[int, ItemRecord]] = {}

    def record(self, order: Order, place: int) -> ItemRecord | None:
        """The item at this place, if it was made before."""
        if self._store is None or (address := order.address(place)) is None:
            return None
        source, index = address
        if source not in self._sources:
            self._sources[source] = self._store.made(source)
        return self._sources[source].get(index)


class Feed:
    """The batches of one exam. `digest` identifies all its items once they have gone by."""

    def __init__(self, plan: Plan, store: Store, makers: Makers) -> None:
        self.plan = plan
        self._store = store
        self._makers = makers
        self._catalogue = Catalogue(store)
        self._items: dict[tuple[int, int], tuple[str, str]] = {}
        self._trials: set[bytes] = set()

    def batches(self) -> Iterator["ItemBatch"]:
        for number, part in enumerate(self.plan.parts):
            first = 0
            while first < part.order.size:
                record = self._catalogue.record(part.order, first)
                if record:
                    self._note(number, first, record)
                count = 1 if record else self._unknown_from(part.order, first)
                yield ItemBatch(self, number, first, count, record)
                first += count

    def _unknown_from(self, order: Order, first: int) -> int:
        """How many items from here on to make at once."""
        most = min(self._makers.stretch(order), order.size - first)
        return next((k for k in range(1, most) if self._catalogue.record(order, first + k)), most)

    async def make(self, number: int, first: int, count: int) -> list[TrialJob]:
        """The jobs of some items of a part, which are made for it."""
        part = self.plan.parts[number]
        stretch = await asyncio.wrap_future(self._makers.make(part.order, first, count))
        jobs: list[TrialJob] = []
        for place, made in enumerate(stretch, first):
            self._keep(part.order, place, made.item)
            self._note(number, place, made.item)
            jobs += jobs_of(self.plan, part, made)
        self._trials.update(job.key for job in jobs)
        return jobs

    @property
    def trials(self) -> frozenset[str]:
        """The keys of all trials that have gone by."""
        return frozenset(key.hex() for key in self._trials)

    def known(self, number: int, record: ItemRecord) -> list[tuple[bytes, str]]:
        """The trials of an item that was made before, each with what its subject is called."""
        trials = [(trial.key, trial.way.label) for trial in self.plan.trials_of(self.plan.parts[number], record)]
        self._trials.update(key for key, _ in trials)
        return trials

    def _keep(self, order: Order, place: int, item: Item) -> None:
        check_whole(item)
        self._store.put_item(item)
        if (address := order.address(place)) is not None:
            self._store.put_made(*address, item)

    def _note(self, number: int, place: int, item: Item | ItemRecord) -> None:
        self._items[number, place] = (item.id, item.digest)

    def digest(self) -> str:
        sha = sha256()
        for _, (name, digest) in sorted(self._items.items()):
            sha.update(f"{name} {digest}\n".encode("utf-8", "replace"))
        return sha.hexdigest()[:32]


def check_whole(item: Item) -> None:
    """Refuse an item whose text no file can keep: a data set may hold half a character."""
    try:
        json.dumps([item.id, item.cluster, dict(item.levels), dict(item.truth)], ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        where = str(error.object)[max(error.start - 30, 0) : error.start]
        raise UserError(
            f"item {item.id!r}: its text holds half a character (a lone surrogate) after {where!r}; mend the data set"
        ) from None


@dataclass(frozen=True, eq=False)
class ItemBatch:
    """Some items of a part, in a row: one that is on record, or several that are not."""

    feed: Feed
    number: int
    first: int
    count: int
    record: ItemRecord | None

    @cached_property
    def trials(self) -> Collection[tuple[bytes, str]] | None:
        return None if self.record is None else self.feed.known(self.number, self.record)

    async def make(self) -> Sequence[TrialJob]:
        return await self.feed.make(self.number, self.first, self.count)


def jobs_of(plan: Plan, part: Part, made: Made) -> list[TrialJob]:
    """The trials of an item with the stimuli they show."""
    shown = {stimulus.condition: stimulus for stimulus in made.stimuli}
    return [TrialJob(plan, trial, shown[trial.condition]) for trial in plan.trials_of(part, made.item)]
