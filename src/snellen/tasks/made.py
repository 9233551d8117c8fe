"""A task over a data set of our own making: a folder that `snellen make` or `snellen filter` wrote.

The stimuli are those in the folder, byte for byte. What the folder does not hold (another condition, an item that was
filtered out) is not asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import Pack
from snellen.tasks.export import read_items
from snellen.tasks.fixed import Fixed, over
from snellen.tasks.task import Design, Levels, Task


def made(task: Task, where: str) -> Task:
    """The task over the folder's items, under the conditions they were written with."""
    stimuli = {(shown.item.id, shown.condition): shown for shown in read_items(Path(where))}
    items = {shown.item.id: shown.item for shown in stimuli.values()}
    others = {item.task for item in items.values()} - {task.name}
    if others:
        raise UserError(f"--data {task.name}={where}: its items are of the task {', '.join(sorted(others))}")
    under: dict[frozenset[tuple[str, str]], set[Condition]] = {}
    for shown in stimuli.values():
        under.setdefault(frozenset(shown.item.levels.items()), set()).add(shown.condition)

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        return stimuli[item.id, condition]

    def applies(levels: Mapping[str, str], condition: Condition) -> bool:
        return condition in under.get(frozenset(levels.items()), ())

    design = Design("set", "what the folder holds", len(items), _blocks(task, items.values(), stimuli.values()))
    return replace(
        over(replace(task, designs=(design,)), Fixed(tuple(items.values()), where, "items")),
        stimulus=stimulus,
        applies=applies,
    )


def _blocks(task: Task, items: Iterable[Item], stimuli: Iterable[Stimulus]) -> tuple[Levels, ...]:
    """Every condition there is, each over all kinds of items there are."""
    of_items = [factor.name for factor in task.factors if factor.of_item]
    known = list(items)
    levels = {name: tuple(dict.fromkeys(item.levels[name] for item in known)) for name in of_items}
    conditions = dict.fromkeys(shown.condition for shown in stimuli)
    return tuple({**levels, **{name: (level,) for name, level in condition.items()}} for condition in conditions)
