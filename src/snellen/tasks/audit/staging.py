"""The rows of an audit, made in stages: what needs no pictures first.

A photo of a room takes a second to draw and an audit wants hundreds. Observers of truths and texts need none, so items
are made first and their pictures drawn afterwards, both in worker processes. Whoever waits is given an interim report
of truths and texts after `FIRST_WORD` seconds, and again each time it rests on twice as many rows. Interim reports are
not corrected for being repeated: the verdict is the final one, over all observers.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol, TypeVar

from snellen.item import Item, Stimulus
from snellen.tasks.audit.observer import Observation
from snellen.tasks.audit.report import AuditReport
from snellen.tasks.making import ItemRequest, make_items

T = TypeVar("T")
FIRST_WORD = 40.0
"""Seconds until the first interim report."""
LONG = 15.0
"""Seconds after which pictures that are drawn but not yet looked at are worth an interim report, too."""

Rows = Callable[[Iterable[Stimulus]], Iterator[Observation]]
Judge = Callable[[Iterable[Observation]], AuditReport]


class AuditWatch(Protocol):
    """Passes things on and may count them, for a progress bar."""

    def __call__(self, things: Iterable[T], total: int | None, label: str) -> Iterable[T]: ...


def unwatched(things: Iterable[T], total: int | None, label: str) -> Iterable[T]:
    return things


def untold(words: str) -> None:
    """Ignore interim reports."""


@dataclass
class Interim:
    """Tells the report of rows without their pictures, when it is time."""

    judge: Judge
    tell: Callable[[str], None]
    begun: float = field(default_factory=monotonic)
    reported: int = 0

    def offer(self, rows: list[Observation], made: str, after: float = FIRST_WORD) -> None:
        if monotonic() - self.begun < after or len(rows) < max(1, 2 * self.reported):
            return
        self.reported = len(rows)
        report = self.judge(replace(row, pictures=()) for row in rows)
        self.tell(f"Interim result, from truths and texts alone ({made}):\n\n{report}\n")


def staged(order: ItemRequest, rows: Rows, interim: Interim, watch: AuditWatch = unwatched) -> list[Observation]:
    """The rows of all items of an order; where the task can, items are made before any picture is drawn. An order
    without pictures has rows without them."""
    observed: list[Observation] = []
    if not order.pictured:
        return [
            replace(row, pictures=())
            for made in watch(make_items(order), order.size, "making")
            for row in rows(made.stimuli)
        ]
    if order.task.unpictured is not None:
        items: list[Item] = []
        for made in watch(make_items(replace(order, pictured=False)), order.size, "making"):
            items.append(made.item)
            observed += rows(made.stimuli)
            interim.offer(observed, f"{len(items)} of {order.size} items made, no picture drawn")
        order = replace(order, given=tuple(items))
    seen: list[Observation] = []
    for number, made in enumerate(watch(make_items(order), order.size, "drawing"), 1):
        seen += rows(made.stimuli)
        interim.offer(observed or seen, f"pictures of {number} of {order.size} items drawn")
    interim.offer(observed or seen, "all pictures drawn; auditing them", LONG)
    return seen
