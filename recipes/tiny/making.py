"""From a recipe to a finished model: the lessons, the stages, and what is kept after each."""

import time
from pathlib import Path

import torch

from recipes.checkpoint import check_folder
from recipes.stages import Told
from recipes.tiny.classroom import COURSES, classrooms, words_known
from recipes.tiny.folder import write_weights
from recipes.tiny.loop import learn
from recipes.tiny.marks import marks, questions
from recipes.tiny.network import Pupil
from recipes.tiny.recipe import Recipe
from snellen.subjects.tiny.stock import fresh_model, load_weights, write_folder
from snellen.subjects.trained_on import write_trained_on

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
        load_weights(model, begun, known, recipe.build)
    model.to(device)
    rooms = classrooms(recipe, known, workers)
    # What was learnt before it began, nobody says.
    learnt = {COURSES[name].TASK_NAME: room.keys for name, room in rooms.items()} if begun is None else None
    asked = list(questions(_HELD_OUT_STATES))
    size = sum(value.numel() for value in model.parameters())
    seconds = round(time.monotonic() - clock)
    sheets = {name: len(room.pictures) for name, room in rooms.items()}
    tell({"device": device, "parameters": size, "words": len(known), "sheets": sheets, "seconds": seconds})
    pupil, examined = Pupil(model), Pupil(model)
    if device == "cuda":
        pupil.hurry()
    for stage in learn(pupil, recipe, rooms, folder, tell, device):
        model.eval()
        tell({"stage": stage.name, "marks": marks(examined, asked, known, recipe.build, device)})
        write_folder(model, known, recipe.build, folder / stage.name)
        write_trained_on(folder / stage.name, learnt)
        write_weights(model, known, recipe.build, folder / f"{stage.name}.safetensors")
        model.train()
