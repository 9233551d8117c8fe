"""A task over a data set of our own making: a folder that `snellen make` or `snellen filter` wrote.

The stimuli are those in the folder, byte for byte, each put by the paradigm that its row names: rungs of the ladder are
asked in the very words that lie there. What the folder does not hold (another condition, an item that was filtered out)
is not asked.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import Pack
from snellen.tasks.export import read_items
from snellen.tasks.fixed import Fixed, over
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task

Kinds = dict[tuple[Condition, str], dict[str, dict[str, None]]]
"""For every condition and paradigm, the levels of the items that are asked so."""


def made(task: Task, where: str) -> Task:
    """The task over the folder's items, under the conditions and by the paradigms they were written with."""
    usual = task.paradigms[0]
    stimuli: dict[tuple[str, Condition], Stimulus] = {}
    under: dict[frozenset[tuple[str, str]], dict[Condition, None]] = {}
    kinds: Kinds = {}
    for row in read_items(Path(where)):
        item, asked = row.item, (row.item.id, row.condition)
        if item.task != task.name:
            raise UserError(f"--data {task.name}={where}: its items belong to task {item.task}")
        paradigm = row.paradigm or usual
        stimuli[asked] = _joined(stimuli.get(asked), row, paradigm if paradigm != usual else "")
        under.setdefault(frozenset(item.levels.items()), {})[row.condition] = None
        levels = kinds.setdefault((row.condition, paradigm), {})
        for name, level in item.levels.items():
            levels.setdefault(name, {})[level] = None
    items = {shown.item.id: shown.item for shown in stimuli.values()}

    def stimulus(item: Item, condition: Condition, pack: Pack) -> Stimulus:
        return stimuli[item.id, condition]

    def applies(levels: Mapping[str, str], condition: Condition) -> bool:
        return condition in under.get(frozenset(levels.items()), ())

    design = Design("set", "what the folder holds", len(items), tuple(_blocks(kinds, usual)))
    paradigms = tuple(dict.fromkeys(paradigm for _, paradigm in kinds))
    return replace(
        over(replace(task, designs=(design,)), Fixed(tuple(items.values()), where, "items")),
        factors=tuple(_factors(task, items.values(), under.values())),
        paradigms=task.paradigms if usual in paradigms else (*paradigms, *task.paradigms),
        stimulus=stimulus,
        unpictured=None,
        applies=applies,
    )


def _joined(earlier: Stimulus | None, row: Stimulus, rung: str) -> Stimulus:
    """The rows of one item under one condition as one stimulus; `rung`: the paradigm that asks the row's own words."""
    scripts = {**(earlier.scripts if earlier else {}), **({rung: row.shown} if rung else {})}
    keep = earlier if earlier is not None and rung else row
    return replace(keep, scripts=scripts, paradigm="")


def _blocks(kinds: Kinds, usual: str) -> Iterator[Levels]:
    """A block for every condition and paradigm; whoever asks may put another in place of the usual one."""
    for (condition, paradigm), levels in kinds.items():
        yield {
            **{name: tuple(values) for name, values in levels.items()},
            **{name: (level,) for name, level in condition.items()},
            **({PARADIGM: (paradigm,)} if paradigm != usual else {}),
        }


def _factors(task: Task, items: Iterable[Item], under: Iterable[Iterable[Condition]]) -> Iterator[Factor]:
    """The task's factors that the folder's rows have, and those that only they have: a published set has its own."""
    factors: dict[str, dict[str, None]] = {}
    of_items: set[str] = set()
    for item in items:
        of_items.update(item.levels)
        for name, level in item.levels.items():
            factors.setdefault(name, {})[level] = None
    for condition in (condition for conditions in under for condition in conditions):
        for name, level in condition.items():
            factors.setdefault(name, {})[level] = None
    for factor in task.factors:
        if (levels := factors.pop(factor.name, None)) is not None:
            yield replace(factor, levels=tuple(dict.fromkeys((*factor.levels, *levels))))
    for name, levels in factors.items():
        yield Factor(name, tuple(levels), "as the folder has it", of_item=name in of_items)
