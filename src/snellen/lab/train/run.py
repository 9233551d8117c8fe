"""A training from beginning to end: everything that can be checked is checked before anything long begins.

OUT/recipe.json    the settings
OUT/curve.jsonl    losses, rewards and shares unread, step by step; curve-*.svg shows them
OUT/checkpoints/   to go on from, with --resume
OUT/adapter/       what came of it, in PEFT's form: `local/MODEL:adapter=OUT`
trained_on.json    in OUT and in its adapter: keys of the items trained on, which exams leave out
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.examine.trained import curve
from snellen.lab.train import data, figures, recipes, watch
from snellen.lab.train.recipes import TrainingRecipe
from snellen.lab.train.trainer import is_done, is_main, last_checkpoint, processes, shares, trained_steps, trainer
from snellen.subjects.local.extras import require
from snellen.subjects.local.fingerprint import weights_digest
from snellen.subjects.local.folders import checked_folder
from snellen.subjects.trained_on import FILE as TRAINED_ON
from snellen.tasks.export import check_free

ADAPTER = "adapter"
NEEDED = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")
MISSING = "training needs torch, transformers, trl, peft and accelerate: pip install 'snellen[train]'"

Begin = Callable[[TrainingRecipe, int, int], None]
"""Told once that all is well: the recipe, the rows, and the step from which it goes on."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training: where the adapter is, how many steps it took, and the last numbers of its curve."""

    adapter: Path
    steps: int
    curve: tuple[dict[str, Any], ...]


def _silent(*_: object) -> None:
    return None


def train(
    made: TrainingRecipe, out: Path, *, resume: bool = False, begin: Begin = _silent, tell: watch.Tell = _silent
) -> Trained:
    """Train as the recipe says, into a new folder, or go on in one that a training of the same recipe left."""
    require(NEEDED, MISSING)
    made, rows = prepared(made)
    shares(made, processes())
    if is_main():
        _check_folder(made, out, resume)
    built = _built(made, rows, out)
    checkpoint = last_checkpoint(out) if resume else None
    step = trained_steps(checkpoint)
    if is_main():
        out.mkdir(parents=True, exist_ok=True)
        recipes.write(made, out)
        _keep_record(Path(made.data).expanduser(), out)
        watch.go_back(out, step)
    if checkpoint and is_done(checkpoint):  # killed at the very end: nothing is left to do but to keep what there is
        return _kept(checkpoint, out)
    if is_main():
        begin(made, len(rows), step)
    built.add_callback(watch.watcher(out, tell, writes=is_main()))
    _go(built, checkpoint, out)
    return _saved(built, made, out)


def _go(built: Any, checkpoint: Path | None, out: Path) -> None:
    """Train; what ends it before its time is one line that says how to go on."""
    import torch

    try:
        built.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except torch.OutOfMemoryError:
        raise UserError("out of memory; train into another folder with a smaller --together, or --four-bit") from None
    except KeyboardInterrupt:
        if is_main():
            raise UserError(f"interrupted; continue from the last checkpoint with --resume -o {out}") from None
        raise


def _kept(checkpoint: Path, out: Path) -> Trained:
    if is_main():
        (out / ADAPTER).mkdir(exist_ok=True)
        for file in checkpoint.glob("adapter_*"):
            shutil.copyfile(file, out / ADAPTER / file.name)
        _keep_record(out, out / ADAPTER)
    return Trained(out / ADAPTER, trained_steps(checkpoint), tuple(curve(out)))


def _built(made: TrainingRecipe, rows: list[dict[str, Any]], out: Path) -> Any:
    """Build the trainer; on failure, remove the output folder if this call created it."""
    from snellen.lab.train.model import load

    model, processor = load(made)
    was_there = out.exists()
    try:
        return trainer(made, model, processor, data.dataset(data.controlled(rows, made)), out)
    except BaseException:
        if not was_there and is_main():
            shutil.rmtree(out, ignore_errors=True)  # the trainer makes a folder for its checkpoints at once
        raise


def _saved(built: Any, made: TrainingRecipe, out: Path) -> Trained:
    if is_main():
        unwrapped = built.accelerator.unwrap_model(built.model)
        unwrapped.save_pretrained(out / ADAPTER)
        _keep_record(out, out / ADAPTER)
        figures.draw(curve(out), f"{made.method} on {made.trained_on}, seed {made.seed}", out)
    built.accelerator.wait_for_everyone()
    return Trained(out / ADAPTER, built.state.global_step, tuple(curve(out)))


def _keep_record(origin: Path, folder: Path) -> None:
    """Take along what the set says of its items; sets of earlier versions say nothing."""
    if (origin / TRAINED_ON).is_file():
        shutil.copyfile(origin / TRAINED_ON, folder / TRAINED_ON)


def prepared(made: TrainingRecipe) -> tuple[TrainingRecipe, list[dict[str, Any]]]:
    """The recipe with what its set and its model are, and the set's rows."""
    folder = Path(made.data).expanduser()
    manifest = data.manifest_of(folder)
    rows = data.rows_of(folder)
    base = weights_digest(checked_folder(made.model))
    whole = replace(made, data_digest=data.digest_of(rows), base_digest=base, trained_on=str(manifest["name"]))
    return whole, rows


def _check_folder(made: TrainingRecipe, out: Path, resume: bool) -> None:
    """A new training wants an empty folder, a resumed one a folder of its own."""
    if resume:
        before = recipes.read(out)
        if other := recipes.differences(before, made):
            was, now = getattr(before, other[0]), getattr(made, other[0])
            raise UserError(f"--resume {out}: {other[0]} was {was!r}, now {now!r}; resume with the same settings")
        return
    check_free(out, "choose another, or continue with --resume")
