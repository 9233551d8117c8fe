"""Items and stimuli made again from their seeds, as the trials of a store name them.

What cannot be made again has a reason, which whoever verifies counts and says: the task is not installed here, its
items are of a data set that is not here, its wording was somebody's own, its trials come from another tool.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.plugins import bundled
from snellen.prompts import Pack
from snellen.tasks import GROUP, Levels, Task, installed, over_set, pack_of

Row = Mapping[str, Any]
SEED = "seed"
_NUMBER = re.compile(r"(\d+)\Z")
_MOST = 100_000
"""No exam asks for more items of a kind."""


@dataclass(frozen=True, slots=True)
class Remade:
    """A stimulus made again; without one, `why` not. `is_fault`: it should have been possible."""

    stimulus: Stimulus | None
    why: str = ""
    is_fault: bool = False


def sources_of(exams: Mapping[int, Mapping[str, Any]]) -> dict[str, str]:
    """What the items of each task come from: a seed, or a data set by its name."""
    sources: dict[str, str] = {}
    for fingerprint in exams.values():
        for task in fingerprint.get("tasks", {}):
            words = fingerprint.get("again", {}).get("tasks", {}).get(task)
            if not words:
                sources[task] = "a task that only Python had"
            elif "--data" in words:
                sources[task] = words[words.index("--data") + 1].partition("=")[2]
            else:
                sources.setdefault(task, SEED)
    return sources


class Remaker:
    """Makes the stimuli of trials again. `exams`: fingerprints by number; `data`: where sets are, by task."""

    def __init__(self, exams: Mapping[int, Mapping[str, Any]], data: Mapping[str, str] | None = None) -> None:
        self.exams, self.sources = exams, sources_of(exams)
        self._families: dict[str, _Family | None] = {}
        self._data = data or {}
        self._kept: dict[Any, Remade] = {}
        self._item: tuple[str, str, int] | None = None

    def is_free(self, task: str) -> bool:
        """Whether the pictures of a task may be handed on: those that Snellen itself draws from a seed."""
        return self.sources.get(task) == SEED and task in bundled(GROUP)

    def remade(self, row: Row) -> Remade:
        """The stimulus of a trial; of rows in order of their items each is made once."""
        whose = (row["task"], row["item"], row["exam"])
        if whose != self._item:
            self._kept, self._item = {}, whose
        key = (row["levels"], row["pack"])
        if key not in self._kept:
            self._kept[key] = self._remade(row)
        return self._kept[key]

    def _remade(self, row: Row) -> Remade:
        name, exam = row["task"], self.exams.get(row["exam"], {})
        source = self.sources.get(name)
        if source is None or name not in exam.get("tasks", {}):
            return Remade(None, "trials of another tool")
        if source != SEED and name not in self._data:
            return Remade(None, f"items of {source}, which is not here (--data {name}=WHERE)")
        family = self._family(name)
        if family is None:
            return Remade(None, f"task {name} is not installed here")
        if row["pack"]:
            return Remade(None, "prompts of somebody's own")
        try:
            levels = json.loads(row["levels"])
            item = family.item(row["item"], levels, exam)
            if item is None:
                return Remade(None, "no such item can be made", is_fault=True)
            asked = {f.name: levels[f.name] for f in family.task.factors if not f.of_item and f.name in levels}
            return Remade(family.task.stimulus(item, Condition(asked), family.pack))
        except Exception as error:  # any task's code, on levels and numbers that anybody may have written
            return Remade(None, f"making it ends in {type(error).__name__}", is_fault=True)

    def _family(self, name: str) -> "_Family | None":
        if name not in self._families:
            task = installed(name)
            where = self._data.get(name)
            self._families[name] = (
                None if task is None else _Family(over_set(task, where) if where else task, is_set=bool(where))
            )
        return self._families[name]


class _Family:
    """A task whose items are looked up by their ids."""

    def __init__(self, task: Task, *, is_set: bool) -> None:
        self.task, self.is_set = task, is_set
        self._listed: dict[tuple[Any, ...], dict[str, Item]] = {}

    @cached_property
    def pack(self) -> Pack:
        return pack_of(self.task)

    def item(self, name: str, levels: Mapping[str, str], exam: Mapping[str, Any]) -> Item | None:
        """The item of that id. Most ids end with the item's number among those of its kind."""
        seed, n = exam["seed"], exam["tasks"][self.task.name]["n"]
        make = self.task.item
        if make is None:
            return self._everything(seed, n).get(name)
        found = _NUMBER.search(name)
        for kind in self._kinds(levels, n):
            if found and int(found[1]) < _MOST and (numbered := make(kind, int(found[1]), seed)).id == name:
                return numbered
            if item := self._of_kind(kind, seed, n).get(name):
                return item
        return None

    def _of_kind(self, kind: Mapping[str, str], seed: int, n: int) -> dict[str, Item]:
        """All items of a kind, for ids that end otherwise."""
        key = (seed, n, *kind.items())
        if key not in self._listed and self.task.item is not None:
            items = (self.task.item(kind, number, seed) for number in range(min(n, _MOST)))
            self._listed[key] = {item.id: item for item in items}
        return self._listed[key]

    def _kinds(self, levels: Mapping[str, str], n: int) -> Iterator[Mapping[str, str]]:
        """The kinds of items with these levels. A design may leave out factors: then their first level is meant."""
        own = {f.name: (levels.get(f.name, f.levels[0]),) for f in self.task.factors if f.of_item}
        try:
            yield from (kind for kind, _ in self.task.counts(own, max(n, 1)))
        except UserError:
            return

    def _everything(self, seed: int, n: int) -> dict[str, Item]:
        if (seed, n) not in self._listed:
            levels: Levels = {} if self.is_set else {f.name: f.levels for f in self.task.factors if f.of_item}
            most = self.task.designs[0].n
            self._listed[seed, n] = {item.id: item for item in self.task.items(levels, max(n, most), seed)}
        return self._listed[seed, n]
