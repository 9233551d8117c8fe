"""From a recipe to a finished model: the lessons, the stages, and what is kept after each."""

import time
from pathlib import Path

import torch

from snellen.lab.pretrain.checkpoint import check_folder
from snellen.lab.pretrain.classroom import classroom, words_known
from snellen.lab.pretrain.folder import read_small, write_folder, write_small
from snellen.lab.pretrain.loop import learn
from snellen.lab.pretrain.marks import marks, questions
from snellen.lab.pretrain.network import Pupil, fresh_model
from snellen.lab.pretrain.recipe import Recipe
from snellen.lab.pretrain.stages import Told
from snellen.subjects.trained_on import write_trained_on
from snellen.tasks.fixation.states import TASK_NAME

_HELD_OUT_STATES = 40


def make(recipe: Recipe, folder: Path, workers: int, begun: Path | None, tell: Told) -> None:
    """Make the model, telling how it goes. After each stage its folder and its small file are in `folder`. `begun`:
    such a small file to begin with."""
    check_folder(folder, recipe)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    clock = time.monotonic()
    known = words_known()
    model = fresh_model(recipe.build, known, recipe.seed)
    if begun is not None:
        read_small(model, begun, known, recipe.build)
    model.to(device)
    room = classroom(recipe, known, workers)
    learnt = {TASK_NAME: room.keys} if begun is None else None  # what was learnt before it began, nobody says
    asked = list(questions(_HELD_OUT_STATES))
    size = sum(value.numel() for value in model.parameters())
    seconds = round(time.monotonic() - clock)
    tell({"device": device, "parameters": size, "words": len(known), "boards": len(room.pictures), "seconds": seconds})
    pupil, examined = Pupil(model), Pupil(model)
    if device == "cuda":
        pupil.hurry()
    for stage in learn(pupil, recipe, room, folder, tell, device):
        model.eval()
        tell({"stage": stage.name, "marks": marks(examined, asked, known, recipe.build, device)})
        write_folder(model, known, recipe.build, folder / stage.name)
        write_trained_on(folder / stage.name, learnt)
        write_small(model, known, recipe.build, folder / f"{stage.name}.safetensors")
        model.train()
