"""The tasks: families of items, generated from a seed or loaded from a published set."""

from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import entry_points
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from snellen.errors import UserError, unknown
from snellen.tasks.task import Design, Factor, Levels, Task, parse_levels

__all__ = ["Design", "Factor", "Levels", "Task", "parse_levels", "task", "task_names"]

_OURS = {
    "fixation": "snellen.tasks.fixation",
    "bongard": "snellen.tasks.bongard",
    "winoground": "snellen.tasks.winoground",
    "marvel": "snellen.tasks.marvel",
    "capacity": "snellen.tasks.capacity",
}


def _modules() -> dict[str, str]:
    theirs = {point.name: point.value for point in entry_points(group="snellen.tasks")}
    return {**theirs, **_OURS}


def task_names() -> list[str]:
    return list(_modules())


def task(name: str, data: str | None = None) -> Task:
    """The task of that name, or the one in a Python file of your own (`./lamps.py`); with `data`, over the published
    set that is there.

    Its module is imported only now: `import snellen` stays light.
    """
    modules = _modules()
    if name.endswith(".py"):
        module = _from_file(Path(name))
    elif name in modules:
        module = import_module(modules[name])
    else:
        raise unknown("task", name, modules)
    found = getattr(module, "TASK", None)
    if not isinstance(found, Task):
        raise UserError(f"task {name}: its module has no TASK = Task(...); see docs/add-a-task.md")
    if data is None:
        return found
    if _is_made(data):
        from snellen.tasks.made import made  # only now: reading sets takes polars

        return made(found, data)
    if found.load is None:
        raise UserError(
            f"--data {name}={data}: no folder made by `snellen make`, and no published set of the task {name} is known"
        )
    return found.load(data)


def _is_made(data: str) -> bool:
    """Whether this is a folder that `snellen make` or `snellen filter` wrote."""
    folder = Path(data)
    return (folder / "metadata.jsonl").is_file() or ((folder / "README.md").is_file() and (folder / "data").is_dir())


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UserError(f"task {path}: no such file; give a Python file that ends in TASK = Task(...)")
    loader = SourceFileLoader(path.stem, str(path))
    module = module_from_spec(ModuleSpec(path.stem, loader, origin=str(path)))
    module.__file__ = str(path)
    try:
        loader.exec_module(module)
    except Exception as error:
        raise UserError(f"task {path}: {type(error).__name__}: {error}") from error
    return module
