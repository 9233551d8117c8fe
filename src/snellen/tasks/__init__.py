"""The tasks: families of items, generated from a seed or loaded from a published set."""

from importlib import import_module
from importlib.metadata import entry_points

from snellen.errors import unknown
from snellen.tasks.task import Design, Factor, Levels, Task, parse_levels

__all__ = ["Design", "Factor", "Levels", "Task", "parse_levels", "task", "task_names"]

_OURS = {"fixation": "snellen.tasks.fixation"}


def _modules() -> dict[str, str]:
    theirs = {point.name: point.value for point in entry_points(group="snellen.tasks")}
    return {**theirs, **_OURS}


def task_names() -> list[str]:
    return list(_modules())


def task(name: str) -> Task:
    """The task of that name. Its module is imported only now: `import snellen` stays light."""
    modules = _modules()
    if name not in modules:
        raise unknown("task", name, modules)
    found: Task = import_module(modules[name]).TASK
    return found
