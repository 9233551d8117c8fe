"""Items that a subject was trained on: found before anything is asked, left out of its exam, and said.

An exam asks what a subject can do, and a board that it was trained on tells only what it remembers. Such items are put
to everybody else as usual, so that subjects can still be compared on what both were asked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.examine.procedures import Procedure, knows
from snellen.examine.task_plans import TaskPlan
from snellen.examine.trained import TRAINED_ON
from snellen.item import Item
from snellen.subjects.trained_on import Identified, training_key


@dataclass(frozen=True, slots=True)
class TrainedItems:
    """The items of a task that one subject was trained on: their ids, of how many, and how many trials they would have
    taken. `items` is None if it is not on record what the subject was trained on."""

    label: str
    task: str
    items: tuple[str, ...] | None
    of: int
    trials: int

    def __str__(self) -> str:
        if self.items is None:
            return f"{self.label}: its training items are not recorded; some {self.task} items may be among them"
        count = f"{len(self.items):,} of {self.of:,} {self.task} items"
        return f"{self.label}: {count} excluded: they were in its training set"


def is_trained_on(way: Procedure, task: str, item: Identified) -> bool:
    """Whether someone in the cast was trained on the item."""
    keys = way.trained_on(task)
    return bool(keys) and training_key(item) in keys


def trained_items(
    parts: Sequence[TaskPlan], count: Callable[[TaskPlan, Item, Procedure], int]
) -> Iterator[TrainedItems]:
    """What of these parts each subject was trained on, where it is one that was trained. `count`: how many trials an
    item takes. Items are made for this, but only for tasks that occur in a training."""
    for part in (part for part in parts if part.order.design.blocks):
        task = part.task.name
        trained = {way for way in part.ways if way.trained_on(task)}
        items = list(part.order.items()) if trained else []
        by_label: dict[str, list[Procedure]] = {}
        for way in part.ways:
            by_label.setdefault(way.label, []).append(way)
        for label, ways in by_label.items():
            if any(way.is_untold for way in ways):
                yield TrainedItems(label, task, None, 0, 0)
                continue
            asked = [item for item in items if any(knows(way, item) for way in ways)]
            met = {item.id: sum(count(part, item, way) for way in ways if _met(way, task, item)) for item in asked}
            if left_out := {name: trials for name, trials in met.items() if trials}:
                yield TrainedItems(label, task, tuple(left_out), len(asked), sum(left_out.values()))


def _met(way: Procedure, task: str, item: Item) -> bool:
    return knows(way, item) and is_trained_on(way, task, item)


def as_fingerprint(trained: Sequence[TrainedItems]) -> dict[str, Any]:
    """By subject and task: the items left out and of how many, None where that is not known."""
    told: dict[str, Any] = {}
    for items in trained:
        what = None if items.items is None else {"left_out": list(items.items), "of": items.of}
        told.setdefault(items.label, {})[items.task] = what
    return {TRAINED_ON: told} if told else {}
