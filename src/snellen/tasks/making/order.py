"""What is to be made, and making it: any stretch of the items of an order, each under all its conditions."""

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from snellen.item import Item, Stimulus, content_digest
from snellen.prompts import Pack
from snellen.shard import Shard
from snellen.tasks.making.source import is_ours, source_digest
from snellen.tasks.task import Design, Task


class Origin(NamedTuple):
    """How another process finds the same task and wording: by the task's name or file, the set it is over, and the
    prompt pack (the task's own if None)."""

    name: str
    data: str | None = None
    prompts: Path | None = None


Place = tuple[Mapping[str, str], int]
"""The kind of an item, and its number among those of its kind."""


@dataclass(frozen=True, eq=False)
class ItemRequest:
    """n items of a task under a design, in the words of a pack. `origin` is None for a task that only this process
    has, such as an object made in a notebook."""

    task: Task
    design: Design
    n: int
    seed: int
    pack: Pack
    origin: Origin | None = None
    probed: bool = False
    """Whether stimuli come with all the probes there are."""
    chosen: tuple[Place, ...] | None = None
    """The items at these places instead of n of each kind: an adaptive exam asks for what says most next."""
    given: tuple[Item, ...] | None = None
    """Items that exist already: only their stimuli are to be made."""
    pictured: bool = True
    """Without: stimuli lack their pictures where the task can leave them out (`Task.unpictured`)."""
    to_come: int = 0
    """How many more like these are likely to be ordered later."""
    shard: Shard | None = None
    """Whose items these are, where machines share them; None: all."""

    @property
    def alike(self) -> Hashable:
        """What orders have in common whose items take about as long to make."""
        return self if self.chosen is None else (self.task.name, self.design.name)

    @cached_property
    def size(self) -> int:
        """How many items there are, without making any."""
        if self.given is not None:
            return len(self.given)
        if self.places is not None:
            return len(self.places)
        return sum(count for _, count in self.counts)

    @cached_property
    def counts(self) -> list[tuple[Mapping[str, str], int]]:
        """How many items of each kind there are. Of a shard of a set its items are gone through to know that."""
        if not self.design.blocks:
            return []
        levels = self.task.item_levels(self.design)
        if self.shard is None:
            return list(self.task.counts(levels, self.n))
        held = (item.levels for item in self.items()) if self.places is None else (kind for kind, _ in self.places)
        return [(dict(kind), count) for kind, count in Counter(tuple(own.items()) for own in held).items()]

    def items(self) -> Iterator[Item]:
        """The items, one after the other."""
        make, shard = self.task.item, self.shard
        if shard is not None and make is not None:
            return (make(kind, index, self.seed) for kind, index in self.places or ())
        every = self.task.items(self.task.item_levels(self.design), self.n, self.seed)
        if shard is None:
            return every
        return (item for item in every if shard.holds(self.task.name, item.cluster or item.id))

    @cached_property
    def places(self) -> list[Place] | None:
        """Kind and number of every item that is asked, where the task can make each by itself."""
        if self.chosen is not None:
            return list(self.chosen)
        if not self.design.blocks:
            return []
        if self.task.item is None:
            return None
        counts = self.task.counts(self.task.item_levels(self.design), self.n)
        asked = [(kind, count) for kind, count in counts if self.task.asks(self.design, kind)]
        places = ((kind, index) for kind, count in asked for index in range(count))
        if (shard := self.shard) is None:
            return list(places)
        return [place for place in places if shard.holds(self.task.name, dict(place[0]), place[1])]

    def address(self, place: int) -> tuple[str, int] | None:
        """A name for what an item comes from, and its place there: the same in every order that has the item. None if
        that cannot be told: items of a set, or of somebody's own code."""
        if not self._is_generated:
            return None
        if self.places is None:
            if self.shard is not None:
                return None
            return self._source(self.task.item_levels(self.design), self.n), place
        kind, index = self.places[place]
        return self._source(kind, None), index

    @cached_property
    def _is_generated(self) -> bool:
        return self.origin is not None and self.origin.data is None and is_ours(self.task)

    def _source(self, levels: Mapping[str, Any], n: int | None) -> str:
        return content_digest(source_digest(), json.dumps([self.task.name, dict(levels), n, self.seed], sort_keys=True))


class MadeItem(NamedTuple):
    """An item with its stimuli, in the order of its conditions."""

    item: Item
    stimuli: tuple[Stimulus, ...]


class ItemMaker:
    """Makes the items of one order; best asked for one stretch after the other, in order."""

    def __init__(self, order: ItemRequest) -> None:
        self.order = order
        self._next = 0
        self._items: Iterator[Item] | None = None

    def make(self, first: int, count: int) -> list[MadeItem]:
        return [MadeItem(item, tuple(self._stimuli(item))) for item in self._stretch(first, count)]

    def _stimuli(self, item: Item) -> Iterator[Stimulus]:
        order = self.order
        put = order.task.stimulus if order.pictured else order.task.unpictured or order.task.stimulus
        for condition in order.task.conditions(order.design, item):
            stimulus = put(item, condition, order.pack)
            yield order.task.probed(stimulus) if order.probed else stimulus

    def _stretch(self, first: int, count: int) -> Iterator[Item]:
        if self.order.given is not None:
            return iter(self.order.given[first : first + count])
        make = self.order.task.item
        if make is not None:
            places = self.order.places or []
            return (make(kind, index, self.order.seed) for kind, index in places[first : first + count])
        if self._items is None or first < self._next:
            self._items, self._next = self.order.items(), 0
        wanted = islice(self._items, first - self._next, first - self._next + count)
        self._next = first + count
        return wanted
