"""The plan of `snellen fan`: what to examine, in how many pieces, and what each piece needs."""

import os
import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.defaults import DEFAULT_STORE
from snellen.engine.merge import Keep
from snellen.errors import UserError, unknown
from snellen.names import slug
from snellen.tasks import task_names

_FOR_TASK = re.compile(r"--[\w-]+=(\w+)[=.]")
_NAMED = re.compile(r"([\w.-]+)=")


@dataclass(frozen=True, slots=True)
class FanUnit:
    """One child process: a subject's share of a task. `words`: the arguments of its `snellen exam`."""

    name: str
    subject: str
    task: str
    shard: str
    words: tuple[str, ...]
    version: str = __version__
    cwd: str = field(default_factory=os.getcwd)
    """Where paths among the words begin."""


@dataclass(frozen=True, slots=True)
class FanPlan:
    """What a plan file says. The keys of the file are the names of these fields."""

    subjects: list[str]
    tasks: list[str]
    shards: int = 1
    """Units per subject and task."""
    store: str = str(DEFAULT_STORE)
    """Where the units' stores are merged."""
    folder: str = ""
    """Where units keep their stores.  [default: STORE, with -units in place of its ending]"""
    shared: bool = True
    """Whether all machines see this folder. With Ray it need not be: the stores are then sent."""
    retries: int = 2
    """How often a unit that failed or was lost is taken up again."""
    at_once: int = 0
    """Most units at once, on one machine or in Slurm; 0: as many as there are CPUs or GPUs for."""
    keep: Keep | None = None
    """Which reply, where two units asked the same call and got different ones."""
    gpus: float = 0
    cpus: int = 1
    memory_gb: float = 0
    exam: dict[str, Any] = field(default_factory=dict)
    """Further options of `snellen exam`."""
    slurm: dict[str, Any] = field(default_factory=dict)
    """What sbatch is asked for: partition, minutes, account, ..."""
    prices: dict[str, str] = field(default_factory=dict)
    """IN/OUT by subject: dollars per million tokens."""

    @property
    def place(self) -> Path:
        """The folder of the units."""
        return Path(self.folder or f"{Path(self.store).with_suffix('')}-units").absolute()

    @property
    def words(self) -> list[str]:
        """The options of `exam` as words of a command; a list repeats its option."""
        listed = ((name, value) for name, found in self.exam.items() for value in _listed(found) if value is not False)
        return [f"--{name}" if value is True else f"--{name}={value}" for name, value in listed]

    def exam_words(self, task: str, shard: str) -> list[str]:
        """The options of a `snellen exam`, without those that name another task of the plan (`n = "TASK=40"`)."""
        named = ((_FOR_TASK.match(word), word) for word in self.words)
        own = (word for found, word in named if not found or found[1] == task or found[1] not in self.tasks)
        return ["--tasks", task, "--shard", shard, *own]

    def units(self) -> list[FanUnit]:
        """Every unit, the shards of a subject and task together."""
        units = {}
        for subject in self.subjects:
            named = _NAMED.match(subject)
            short = slug(named[1] if named else subject)
            for task in self.tasks:
                for number in range(1, self.shards + 1):
                    shard, name = f"{number}/{self.shards}", f"{short}.{task}.{number}of{self.shards}"
                    if name in units:
                        raise UserError(f"subjects: {subject!r} looks like another one; name it, as in other={subject}")
                    words = (subject, *self.exam_words(task, shard))
                    units[name] = FanUnit(name, subject, task, shard, words)
        return list(units.values())


def read_plan(path: Path, exam_options: Collection[str]) -> FanPlan:
    """Read a plan; `exam_options` may stand in its table `exam`. Raises `UserError` for what it cannot mean."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{path}: not TOML: {error}") from None
    known = {each.name: each for each in fields(FanPlan)}
    _refuse_unknown(path, "key", told, known)
    if told.get("tasks") in ("all", ["all"]):
        told["tasks"] = list(task_names())
    for name, each in known.items():
        if name in told:
            _check(path, name, told[name], each.type)
        elif each.default is MISSING and each.default_factory is MISSING:
            raise UserError(f"{path}: no {name}; give a list, as in {name} = [...]")
    _refuse_unknown(path, "key of [exam]", told.get("exam", {}), exam_options)
    return FanPlan(**told)


def _refuse_unknown(path: Path, what: str, names: Iterable[str], known: Collection[str]) -> None:
    if odd := next((name for name in names if name not in known), None):
        raise UserError(f"{path}: {unknown(what, odd, known)}")


def _check(path: Path, name: str, value: Any, kind: Any) -> None:
    least = 1 if name in ("shards", "cpus") else 0
    wanted, fits = {
        int: (f"a whole number, from {least}", type(value) is int and value >= least),
        float: ("a number, from 0", type(value) in (int, float) and value >= 0),
        bool: ("true or false", type(value) is bool),
        str: ("a path", isinstance(value, str)),
        list[str]: ("a list of names", isinstance(value, list) and value and all(isinstance(v, str) for v in value)),
        Keep | None: ("first or both", value in ("first", "both")),
    }.get(kind, (f"a table [{name}]", isinstance(value, dict)))
    if not fits:
        raise UserError(f"{path}: {name} = {value!r}: expected {wanted}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
