"""One of several equal shares of an exam, for machines that work side by side.

What belongs together is one unit: an item with all its conditions, and so every pair of trials that is compared; of
what chooses its own questions (tracks, ladders) all that one subject is asked of a task. A hash of the unit's name says
whose it is, so that every machine knows its share without asking anybody, and no unit is in two.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from snellen.errors import UserError

SHARD = "shard"
"""Where the record of an exam says of which shard it is."""
MOST_SHARDS = 100_000
_FORM = re.compile(r"([0-9]{1,9})/([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shard:
    """Share `number`, counted from 1, of `of`."""

    number: int
    of: int

    def holds(self, *unit: Any) -> bool:
        """Whether a unit of work, named by plain values, belongs to this shard."""
        name = sha256(json.dumps(unit, sort_keys=True).encode()).digest()
        return int.from_bytes(name[:8], "big") % self.of == self.number - 1

    def named(self, path: Path) -> Path:
        """A file or folder of this shard's own: runs.sqlite becomes runs-3-of-8.sqlite."""
        return path.with_name(f"{path.stem}-{self.number}-of-{self.of}{path.suffix}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(words: Any) -> Shard | None:
    """The shard that "3/8" names; None for None and for "1/1", which is everything."""
    if words is None:
        return None
    found = _FORM.fullmatch(words) if isinstance(words, str) else None
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of <= MOST_SHARDS:
        most = f", and N at most {MOST_SHARDS:,}" if of > MOST_SHARDS else ""
        raise UserError(f"--shard {words}: expected I/N with I from 1 to N{most}, such as 3/8 for the third of eight")
    return Shard(number, of) if of > 1 else None


class _Launcher(NamedTuple):
    """Variables by which a launcher numbers its processes: which of how many; `first`, `last`, `step` of an array."""

    which: str
    of: str
    first: str = ""
    last: str = ""
    step: str = ""


_LAUNCHERS = (
    _Launcher(*(f"SLURM_ARRAY_TASK_{name}" for name in ("ID", "COUNT", "MIN", "MAX", "STEP"))),
    _Launcher("SLURM_PROCID", "SLURM_NTASKS"),
    _Launcher("RANK", "WORLD_SIZE"),
)


class FoundShard(NamedTuple):
    """A shard, and the variables that say so."""

    shard: Shard
    where: str


def shard_of_process(environment: Mapping[str, str]) -> FoundShard | None:
    """The share of this process among those that a launcher (SLURM, torchrun) started; None if it is the only one."""
    for launcher in _LAUNCHERS:
        number, count = (_number(environment, name) for name in (launcher.which, launcher.of))
        if number is None or count is None or count < 2:
            continue
        first = _number(environment, launcher.first) or 0
        step = _number(environment, launcher.step) or 1
        last = _number(environment, launcher.last)
        place, rest = divmod(number - first, max(step, 1))
        if rest or not 0 <= place < count or (last is not None and last - first != (count - 1) * step):
            raise UserError(
                f"{launcher.which}={number}: not one of {count} evenly numbered tasks; give --shard I/N, or --shard"
                " 1/1 for everything"
            )
        return FoundShard(Shard(place + 1, count), f"{launcher.which} and {launcher.of}")
    return None


def _number(environment: Mapping[str, str], name: str) -> int | None:
    words = environment.get(name, "") if name else ""
    return int(words) if words.isascii() and words.isdecimal() else None
