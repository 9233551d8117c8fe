"""What `snellen fan` is to examine, in how many pieces, and what each piece needs."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.defaults import DEFAULT_STORE
from snellen.engine.merge import Keep
from snellen.errors import UserError
from snellen.examine.subjects import split_short
from snellen.names import slug

_FOR_TASK = re.compile(r"--[\w-]+=(\w+)[=.]")


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
    batch: str = ""
    """How calls go in the provider's batches, as for `snellen exam --batch`; empty: by themselves."""
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
        batch = [f"--batch={self.batch}"] if self.batch else []
        return ["--tasks", task, "--shard", shard, *batch, *own]

    def units(self) -> list[FanUnit]:
        """Every unit, the shards of a subject and task together."""
        units = {}
        for subject in self.subjects:
            short = slug(split_short(subject)[0] or subject)
            for task in self.tasks:
                for number in range(1, self.shards + 1):
                    shard, name = f"{number}/{self.shards}", f"{short}.{task}.{number}of{self.shards}"
                    if name in units:
                        what = split_short(subject)[1]
                        raise UserError(f"subjects: two units would be called {name}; write other={what} for one")
                    words = (subject, *self.exam_words(task, shard))
                    units[name] = FanUnit(name, subject, task, shard, words)
        return list(units.values())


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
