"""How far a model has come: weights and the optimizer's memory, kept at the end of each stage and now and then within
one; no pickle."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

import torch
from safetensors import safe_open
from torch import Tensor

from recipes.small.recipe import SmallRecipe
from recipes.tiny.recipe import Recipe
from snellen.errors import UserError

EVERY = 60.0
"""Seconds of learning that may be lost."""
_MODEL, _MEMORY = "model/", "memory/"


class Learner(Protocol):
    """Whose weights are kept."""

    def state_dict(self) -> Mapping[str, Tensor]: ...

    def load_state_dict(self, kept: Mapping[str, Tensor], strict: bool = True) -> object: ...


def is_begun(folder: Path) -> bool:
    """Whether there is something to go on from."""
    return _path(folder).exists()


def check_folder(folder: Path, recipe: Recipe | SmallRecipe) -> None:
    """Refuse a folder in which another recipe was followed: its work would be lost."""
    if is_begun(folder) and _about(folder)["recipe"] != _told(recipe):
        raise UserError(f"folder {folder}: holds a checkpoint of another recipe or seed; choose another folder")


def is_finished(folder: Path, recipe: Recipe | SmallRecipe) -> bool:
    """Whether this very recipe was followed to its end."""
    return is_begun(folder) and _about(folder) == {"step": str(recipe.steps), "recipe": _told(recipe)}


def _about(folder: Path) -> dict[str, str]:
    with safe_open(_path(folder), "pt") as kept:
        told: dict[str, str] = kept.metadata()
        return told


def keep(
    folder: Path, recipe: Recipe | SmallRecipe, pupil: Learner, optimizer: torch.optim.Optimizer, step: int
) -> None:
    """Whole or not at all."""
    from safetensors.torch import save_file

    memory = optimizer.state_dict()["state"]
    tensors = {f"{_MODEL}{name}": value.contiguous() for name, value in _own(pupil).items()}
    tensors |= {f"{_MEMORY}{k}/{name}": value for k, kept in memory.items() for name, value in kept.items()}
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / "checkpoint.new"
    save_file(tensors, fresh, {"step": str(step), "recipe": _told(recipe)})
    fresh.replace(_path(folder))


def take_up(folder: Path, pupil: Learner, optimizer: torch.optim.Optimizer) -> int:
    """The step to go on with; 0 where nothing was kept."""
    path = _path(folder)
    if not path.exists():
        return 0
    with safe_open(path, "pt") as kept:
        step = int(kept.metadata()["step"])
        tensors = {name: kept.get_tensor(name) for name in kept.keys()}  # noqa: SIM118 - not a mapping
    own = {name.removeprefix(_MODEL): value for name, value in tensors.items() if name.startswith(_MODEL)}
    pupil.load_state_dict(own, strict=False)  # what speaks is the embedding, and kept once
    state = optimizer.state_dict()
    for name, value in tensors.items():
        if name.startswith(_MEMORY):
            _, k, what = name.split("/")
            state["state"].setdefault(int(k), {})[what] = value
    optimizer.load_state_dict(state)
    return step


def _path(folder: Path) -> Path:
    return folder / "checkpoint.safetensors"


def _told(recipe: Recipe | SmallRecipe) -> str:
    return json.dumps(asdict(recipe), sort_keys=True)


def _own(pupil: Learner) -> dict[str, Tensor]:
    """Weights, each once: the embedding is also what speaks."""
    seen: set[int] = set()
    own = {}
    for name, value in pupil.state_dict().items():
        if value.data_ptr() not in seen:
            seen.add(value.data_ptr())
            own[name] = value
    return own
