"""The wording of a task: its own, or a prompt pack of the user's that is checked against the task's factors."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Condition
from snellen.prompts import Pack, load
from snellen.tasks.task import Levels, Task, combinations


def pack_of(task: Task, file: Path | None = None) -> Pack:
    """The wording of a `task`: its own, or that in the `file`. Returns the `Pack`. Raises `UserError` if the file is no
    pack, or if one of its `when` can never hold for the task.

    >>> from snellen.tasks import task
    >>> pack_of(task("lamps")).task  # doctest: +SKIP
    'lamps'
    """
    pack = load(file or task.prompts, task.name, known=known_levels(task))
    if file is not None:
        for place, when in pack.conditions():
            if not _can_hold(task, when):
                wanted = ", ".join(f"{name}={'|'.join(levels)}" for name, levels in when.items())
                raise UserError(f"prompt pack {file}: {place}: no item of {task.name} combines {wanted}")
    return pack


def known_levels(task: Task) -> Levels:
    """The factors and levels that a `when` may name; no levels where any is allowed."""
    own = {factor.name: (*factor.levels, *task.worded.get(factor.name, ())) for factor in task.factors}
    others = {name: levels for name, levels in task.worded.items() if name not in own}
    return {name: tuple(dict.fromkeys(levels)) for name, levels in (own | others).items()}


def over_set_too(task: Task, loaded: Task) -> Levels:
    """What a pack may name for a task over a published set, which includes what it may name for the task itself."""
    return {**known_levels(task), **loaded.worded}


def _can_hold(task: Task, when: Mapping[str, list[str]]) -> bool:
    """Whether some item of the task is asked under levels that go together so. Levels that are no factor's, or only
    another set's, are left alone."""
    factors = {factor.name: factor.levels for factor in task.factors}
    if len(when) < 2 or any(not {*levels} <= {*factors.get(name, ())} for name, levels in when.items()):
        return True
    crossed = {name: tuple(when.get(name, levels)) for name, levels in factors.items()}
    own, asked = ({f.name: crossed[f.name] for f in task.factors if f.of_item == of_item} for of_item in (True, False))
    conditions = [Condition(levels) for levels in combinations(asked)]
    return any(
        any(task.applies(kind, condition) for condition in conditions)
        for kind in combinations(own)
        if _exists(task, kind)
    )


def _exists(task: Task, kind: Mapping[str, str]) -> bool:
    """Whether the task has an item of this kind; a task that pairs its kinds may have to be asked for two."""
    levels = {name: (level,) for name, level in kind.items()}
    for n in (1, 2):
        with suppress(UserError):
            if any(count for _, count in task.counts(levels, n)):
                return True
    return False
