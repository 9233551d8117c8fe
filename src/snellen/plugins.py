"""What is brought in by name: by a Python file of somebody's own, by an installed package, by a folder of `tasks/`.

A package names what it brings under an entry point group; a folder of `tasks/` does the same in its `brings.toml`, so
that nothing outside the folder needs to know of it. The groups:

- `snellen.tasks`: NAME = a `Task`, or a module with TASK
- `snellen.subjects`: KIND = what makes a subject of MODEL in KIND/MODEL
- `snellen.simulated`: NAME = what makes the subject sim/NAME of its settings (pairs of words)
- `snellen.paradigms`: NAME = a paradigm
- `snellen.models`: NAME = a function that returns the folder of local/NAME

A `brings.toml` also has the folder's `place` in lists and, for the help of commands, `examples`.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec
from math import inf
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType, ModuleType
from typing import Any

from snellen.errors import UserError


def is_file(name: str) -> bool:
    """Whether a name means a Python file of somebody's own, such as ./lamps.py."""
    return name.endswith(".py")


def own_module(path: Path, what: str, wanted: str) -> ModuleType:
    """The module in a file of somebody's own; `what` it is to bring, and how it says so (`wanted`), for errors.

    What stands beside the file can be imported from it, as if it had been run.
    """
    if not path.is_file():
        raise UserError(f"{what} {path}: no such file; give a Python file with {wanted}")
    loader = SourceFileLoader(path.stem, str(path))
    module = module_from_spec(ModuleSpec(path.stem, loader, origin=str(path)))
    module.__file__ = str(path)
    if (folder := str(path.resolve().parent)) not in sys.path:
        sys.path.append(folder)
    try:
        loader.exec_module(module)
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # a script may end by itself: it is not to end us without a word
        raise UserError(f"{what} {path}: {where(error)}") from error
    return module


def where(error: BaseException) -> str:
    """An error in somebody's own code in one line: what, and in which line of which file."""
    if isinstance(error.__cause__, StopIteration):  # Python's own word for it says nothing about where
        error = error.__cause__
    words = " ".join((f"{type(error).__name__}: {error}" if str(error) else type(error).__name__).split())
    steps = extract_tb(error.__traceback__)
    here = [step for step in steps if not step.filename.startswith("<frozen")]
    if isinstance(error, SyntaxError):
        return f"{words.partition(' (')[0]} (line {error.lineno})"
    return f"{words} ({Path(here[-1].filename).name}, line {here[-1].lineno})" if here else words


def offered(point: EntryPoint, what: str) -> Any:
    """What an installed package has under this name; `what` it is to be, for errors."""
    with working(point, what):
        return point.load()


@contextmanager
def working(point: EntryPoint, what: str) -> Iterator[None]:
    """Whatever an installed package raises in here is one line that names it; `what` it was to bring."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{what} {point.name} of an installed package ({point.value}): {where(error)}") from error


@cache
def published(group: str) -> Mapping[str, EntryPoint]:
    """What the folders of tasks, in their order, and then installed packages name under this group; no package takes a
    name of ours. Looked up once, for it means reading the entry points of all packages."""
    own = bundled(group)
    installed = {point.name: point for point in entry_points(group=group) if point.name not in own}
    return MappingProxyType({**own, **installed})


@cache
def bundled(group: str) -> Mapping[str, EntryPoint]:
    """What the folders of tasks in this package name under this group."""
    values = {name: value for brought in _brought() for name, value in brought.get(group, {}).items()}
    return MappingProxyType({name: EntryPoint(name, value, group) for name, value in values.items()})


def examples(command: str) -> list[str]:
    """Lines for the help of a command of ours, from the folders of tasks."""
    return [line for brought in _brought() for line in brought.get("examples", {}).get(command, ())]


@cache
def _brought() -> tuple[Mapping[str, Any], ...]:
    """The `brings.toml` of every task's folder, by `place`; folders without one come last, by name."""
    files = sorted(Path(__file__).parent.glob("tasks/*/brings.toml"))
    brought = [tomllib.loads(file.read_text("utf-8")) for file in files]
    return tuple(sorted(brought, key=lambda table: table.get("place", inf)))
