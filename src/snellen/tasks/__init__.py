"""The tasks: families of items, generated from a seed or loaded from a published set."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError, unknown
from snellen.ladder import FREE, Rung, RungQuery
from snellen.plugins import bundled, is_file, offered, own_module, published
from snellen.tasks.packs import over_set_too, pack_of
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task, parse_levels

__all__ = [
    "FREE",
    "PARADIGM",
    "Design",
    "Factor",
    "Levels",
    "Rung",
    "RungQuery",
    "Task",
    "over_set",
    "pack_of",
    "parse_levels",
    "task",
    "task_names",
]

GROUP = "snellen.tasks"


def task_names() -> list[str]:
    """Returns the names of all tasks: the built-in ones and those of installed packages.

    >>> len(task_names()) > 0
    True
    """
    return list(published(GROUP))


def default_task() -> str:
    """The default task: the first built-in one."""
    return next(iter(bundled(GROUP)))


def tasks_with(has: Callable[[Task], object]) -> list[Task]:
    """The installed tasks that have something; all of them are imported to see, and those that cannot be left out."""
    usable = []
    for name in task_names():
        try:
            usable.append(task(name))
        except UserError:
            continue
    return [family for family in usable if has(family)]


def installed(name: str) -> Task | None:
    """The task of that name; None if it is not installed here. Raises `UserError` if it is, and cannot be loaded: its
    results would be told without its own tables, and nobody would know."""
    return task(name) if name in published(GROUP) else None


def task(name: str, data: str | None = None) -> Task:
    """The task of that `name`, or the one in a Python file of your own (`./lamps.py`); with `data`, over the published
    set that is there.

    Its module is imported only now: `import snellen` stays light. Returns the `Task`. Raises `UserError` if there is
    none of that name, if its module has none, or if the set cannot be read.

    >>> task("lamps").title  # doctest: +SKIP
    'Lamps'
    """
    if not isinstance(name, str):
        raise UserError(f"expected the name of a task as text; got {type(name).__name__}")
    if is_file(name):
        place: Any = own_module(Path(name), "task", "TASK = Task(...)")
    elif name in (points := published(GROUP)):
        place = offered(points[name], "task")
    else:
        raise unknown("task", name, task_names())
    family = place if isinstance(place, Task) else getattr(place, "TASK", None)
    if not isinstance(family, Task):
        raise UserError(f"task {name}: its module has no TASK = Task(...); see docs/add-a-task.md")
    return family if data is None else over_set(family, data)


def over_set(task: Task, data: str) -> Task:
    """The `task` over the items of a set in place of its own. `data`: a folder that `snellen make` wrote, or where its
    published set is. Returns the task with other items and the same questions. Raises `UserError` if no such set can be
    read.

    >>> over_set(task("lamps"), "data/lamps").notes  # doctest: +SKIP
    """
    if _is_made(data):
        from snellen.tasks.made import made  # only now: reading sets takes polars

        loaded = made(task, data)
    elif task.load is not None:
        loaded = task.load(data)
    else:
        raise UserError(
            f"--data {task.name}={data}: not a folder made by `snellen make`, and task {task.name} has no published"
            " sets"
        )
    return replace(loaded, worded=over_set_too(task, loaded))


def _is_made(data: str) -> bool:
    """Whether this is a folder that `snellen make` or `snellen filter` wrote."""
    folder = Path(data)
    return (folder / "metadata.jsonl").is_file() or ((folder / "README.md").is_file() and (folder / "data").is_dir())
