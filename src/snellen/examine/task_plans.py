"""What an exam is made of: the parts of its tasks, and single trials."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from snellen.engine import ItemRecord
from snellen.examine.procedures import Procedure
from snellen.item import Condition, Item
from snellen.tasks import Design, Levels, Task
from snellen.tasks.making import ItemRequest


@dataclass(frozen=True, eq=False)
class TaskPlan:
    """One task's share of an exam. `settings`: those of the subject that are varied like a factor."""

    order: ItemRequest
    ways: tuple[Procedure, ...]
    own_words: bool
    """Whether the wording is the built-in one."""
    settings: Levels
    chosen: tuple[str, ...]
    """The paradigms that put what the design leaves open; its rungs name theirs."""
    notes: tuple[str, ...] = ()
    """What is not asked, and why."""

    @property
    def task(self) -> Task:
        return self.order.task

    @property
    def compares(self) -> bool:
        """Whether two subjects are compared, until that is decided."""
        ladder = self.order.design.ladder
        return ladder is not None and ladder.comparison is not None

    @property
    def pack(self) -> str:
        """What results call the wording; empty for the built-in one."""
        return "" if self.own_words else self.order.pack.digest[:12]

    @cached_property
    def settings_crossed(self) -> list[dict[str, str]]:
        return [dict(zip(self.settings, levels, strict=True)) for levels in product(*self.settings.values())]


@dataclass(frozen=True, slots=True)
class Trial:
    """One item under one condition, put one way. `settings`: what of the subject's settings this trial changes, as
    levels. `sample`: which repetition it is."""

    part: TaskPlan
    item: Item | ItemRecord
    condition: Condition
    settings: Mapping[str, str]
    way: Procedure
    sample: int
    key: bytes


class Presentation(NamedTuple):
    """How items of a part are put: everything of a trial but its item."""

    part: TaskPlan
    condition: Condition
    settings: Mapping[str, str]
    way: Procedure
    sample: int


def fitting(part: TaskPlan, way: Procedure, design: Design | None = None) -> Design:
    """What of the design is put that way, without what cannot be: describing needs pictures, and so do some
    subjects. `design`: the part's own if none is given."""
    paradigm = way.paradigm.name
    design = part.task.put_by(design or part.order.design, paradigm, chosen=paradigm in part.chosen)
    return part.task.with_pictures(design) if way.needs_pictures else design
