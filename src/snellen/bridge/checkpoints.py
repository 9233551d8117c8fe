"""Checkpoints under a folder, told by what their folders hold, whichever trainer writes them.

A checkpoint is a folder with `config.json` or, for an adapter, `adapter_config.json`. It is complete once its weights
are whole (every safetensors file is as long as its header says, and every shard of an index is there) and whoever
writes it is done: the Hugging Face `Trainer`, and so TRL, LLaMA-Factory, ms-swift and `snellen lab train`, write
`trainer_state.json` last; of a folder without that file nothing must have changed for some seconds.

What a checkpoint is called depends on its own path and step alone, so that its name is the same whenever the folder is
looked at, whatever else is there. Names of folders are anybody's, and nothing but text here.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from snellen.errors import UserError
from snellen.names import step_of
from snellen.subjects.local.folders import ADAPTER_CONFIG, CONFIG, read_json, weights

STATE = "trainer_state.json"
SETTLED = 10.0
"""Seconds without a change after which a folder without `trainer_state.json` counts as written."""
DEPTH = 6
"""Folders within folders that are looked through."""
_UNFINISHED = (".", "tmp-", "tmp_")
"""How names begin of folders that a trainer renames when they are written."""
_NUMBERED = re.compile(r"(?P<before>(?:.*[-_])?)(?P<step>\d{1,9})")


class FileFacts(NamedTuple):
    """A file of a checkpoint as the file system lists it."""

    name: str
    size: int
    changed: float


class Readiness(NamedTuple):
    """Why a checkpoint cannot be examined yet (empty: it can), and in how many seconds that may have passed by
    itself."""

    problem: str = ""
    settles_in: float = 0.0


@dataclass(frozen=True)
class Checkpoint:
    """A folder with a model or an adapter. `name`: what results call it; `step`: None where nothing tells it."""

    path: Path
    name: str
    step: int | None
    files: tuple[FileFacts, ...]

    @property
    def is_adapter(self) -> bool:
        return _has(self.files, ADAPTER_CONFIG)

    @property
    def run(self) -> str:
        """Which checkpoints it makes a curve with."""
        told = step_of(self.name)
        return told.run if told else self.name

    @property
    def is_final(self) -> bool:
        """Whether its folder's name tells no step: the final model of a run, or always its latest."""
        return self.step is None or self.name.endswith(f"/model-step-{self.step}")

    @property
    def changed(self) -> float:
        """When its newest file was last written, in seconds since 1970."""
        return max(file.changed for file in self.files)

    def base(self) -> str:
        """The model that an adapter says it belongs to; empty if it says none."""
        return str(read_json(self.path / ADAPTER_CONFIG).get("base_model_name_or_path") or "")


def checkpoints(root: Path) -> list[Checkpoint]:
    """All checkpoints under a folder, complete or not: run by run, each by step. A folder that is not there has none.

    >>> [checkpoint.name for checkpoint in checkpoints(Path("runs"))]  # doctest: +SKIP
    ['runs/sft/checkpoint-500', 'runs/sft/checkpoint-1000']
    """
    title = root.resolve().name or "checkpoints"
    found = []
    for folder, files in _folders(root):
        inside = folder.relative_to(root).parts
        step = _step_in(folder / STATE) if _has(files, STATE) else None
        name, step = named((title, *inside), step)
        found.append(Checkpoint(folder, name, step, tuple(files)))
    return sorted(found, key=lambda each: (each.run, each.step is None, each.step or 0, each.name))


def named(parts: Sequence[str], step: int | None) -> tuple[str, int | None]:
    """What a checkpoint is called and its step, from the parts of its path and the step that its trainer recorded.

    >>> named(["runs", "checkpoint-500"], 500), named(["runs", "1000"], None), named(["runs", "last"], 200)
    (('runs/checkpoint-500', 500), ('runs/step-1000', 1000), ('runs/last/model-step-200', 200))
    """
    *above, last = (as_text(part) for part in parts)
    if told := step_of(last):
        return "/".join((*above, last)), told.step if step is None else step
    if step is None and (numbered := _NUMBERED.fullmatch(last)):
        return "/".join((*above, f"{numbered['before']}step-{numbered['step']}")), int(numbered["step"])
    name = "/".join((*above, last))
    return (name, None) if step is None else (f"{name}/model-step-{step}", step)


def readiness(checkpoint: Checkpoint, now: float) -> Readiness:
    """Whether a checkpoint is complete. `now`: seconds since 1970, as its files' times are."""
    try:
        if not checkpoint.is_adapter:
            read_json(checkpoint.path / CONFIG)
        weights(checkpoint.path)
        if _has(checkpoint.files, STATE):
            read_json(checkpoint.path / STATE)
            return Readiness()
    except (UserError, OSError) as error:
        return Readiness(str(error))
    age = abs(now - checkpoint.changed)  # a clock may go before: what is far ahead is no sign of writing
    return Readiness(f"{checkpoint.path}: changed {age:.0f} s ago", SETTLED - age) if age < SETTLED else Readiness()


def facts_of(folder: str | Path) -> list[FileFacts]:
    """The files of a folder, by name; none where the folder is gone."""
    facts = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file():
                    about = entry.stat()
                    facts.append(FileFacts(entry.name, about.st_size, about.st_mtime))
    except OSError:
        return []
    return sorted(facts)


def _folders(root: Path) -> Iterator[tuple[Path, list[FileFacts]]]:
    """Every folder under this one, and itself, that is a checkpoint by its files. Below a checkpoint only those whose
    names tell a step are: a run's folder may hold its final model, too."""
    for folder, below, names in os.walk(root):
        path = Path(folder)
        is_checkpoint = CONFIG in names or ADAPTER_CONFIG in names
        too_deep = len(path.relative_to(root).parts) >= DEPTH
        wanted = (name for name in sorted(below) if not name.startswith(_UNFINISHED) and not too_deep)
        below[:] = [name for name in wanted if not is_checkpoint or step_of(name)]
        if is_checkpoint and (files := facts_of(path)):
            yield path, files


def _has(files: Sequence[FileFacts], name: str) -> bool:
    return any(file.name == name for file in files)


def _step_in(file: Path) -> int | None:
    """The step that a trainer recorded, if it did so by now."""
    try:
        step: Any = read_json(file).get("global_step")
    except UserError:
        return None
    return step if isinstance(step, int) and not isinstance(step, bool) and step >= 0 else None


def as_text(words: str) -> str:
    """Words with a path in them as text that can be printed and stored."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in words)
