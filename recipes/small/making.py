"""From a recipe to *small*: what is watched and said before, the stages, and what is kept after each."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch

from recipes.checkpoint import check_folder, is_begun, take_up
from recipes.small import deltas, replay
from recipes.small.batches import Batch
from recipes.small.eye import HELPERS
from recipes.small.language import Language, found, language_model
from recipes.small.loop import learn, optimizer
from recipes.small.losses import marks, surprise
from recipes.small.network import Network, fresh
from recipes.small.recipe import SmallRecipe
from recipes.small.rows import Rows
from recipes.small.sheets import Lessons
from recipes.small.speech import Speech
from recipes.small.stream import Steps, stream
from recipes.stages import Told
from recipes.tiny.boards import HELD_OUT
from snellen.errors import UserError


@dataclass(frozen=True, slots=True)
class Begin:
    """What to begin with: the language model's file, deltas to go on from, and the stage to go on with."""

    language: Path | None = None
    deltas: tuple[Path, ...] = ()
    at: str | None = None


def make(recipe: SmallRecipe, folder: Path, workers: int, begin: Begin, tell: Told) -> None:
    """Make the model, telling how it goes. After each stage its deltas are in `folder`."""
    check_folder(folder, recipe)
    _check(recipe, folder, begin)
    first = recipe.first(begin.at) if begin.at else 0
    language = language_model(begin.language or found())
    learnt = deltas.read(begin.deltas, language.digest) if begin.deltas else {}
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    speech = Speech(language, recipe.build.picture_tokens)
    clock = time.monotonic()
    lessons = _prepared(recipe, folder, workers, (language, speech), device, tell)
    network = _network(recipe, language, lessons, learnt, device)
    memory = optimizer(network, recipe)
    first = take_up(folder, network, memory) or first
    size = sum(value.numel() for value in network.own.values())
    seconds = round(time.monotonic() - clock)
    tell({"seed": recipe.seed, "device": device, "learns": size, "from step": first, "seconds": seconds})
    if device == "cuda":
        network.hurry()
    wanted = [*range(-recipe.held_out, 0), *range(first, recipe.steps)]
    batches = stream(Steps(recipe, lessons, speech), wanted, workers, device == "cuda")
    held_out = list(islice(batches, recipe.held_out))
    english = replay.tested(folder, speech, recipe.short)
    for stage in learn(network, memory, recipe, _numbered(first, batches), folder, tell):
        if stage.speaks:
            tell({"stage": stage.name, **_marked(network, held_out, english)})
        paths = deltas.write(folder, stage.name, network.state_dict(), language.digest)
        tell({"stage": stage.name, "files": [path.name for path in paths]})


def _check(recipe: SmallRecipe, folder: Path, begin: Begin) -> None:
    """Whether one can begin so; nothing is made yet."""
    if recipe.seed in HELD_OUT:
        raise UserError(f"--seed {recipe.seed}: boards of this seed are only asked about, never learnt; choose another")
    names = [stage.name for stage in recipe.stages]
    if begin.at is not None and begin.at not in names:
        raise UserError(f"--at {begin.at}: no such stage; expected one of {', '.join(names)}")
    if begin.at is not None and not begin.deltas:
        raise UserError(f"--at {begin.at}: needs deltas of the stage before it; name their files with --from")
    if begin.deltas and begin.at is None:
        raise UserError("--from: say with --at which stage is to follow")
    after = deltas.stage_of(begin.deltas[0]) if begin.deltas else ""
    if begin.at is not None and after in names[names.index(begin.at) :]:
        raise UserError(f"--at {begin.at}: --from names deltas of {after}, which has that stage behind it")
    if begin.deltas and is_begun(folder):
        raise UserError(f"folder {folder}: was begun already; go on without --from and --at, or choose another folder")


def _numbered(first: int, batches: Iterator[Batch]) -> Iterator[tuple[int, Batch]]:
    return enumerate(batches, first)


def _prepared(
    recipe: SmallRecipe,
    folder: Path,
    workers: int,
    speaks: tuple[Language, Speech],
    device: str,
    tell: Told,
) -> Lessons:
    """Calls are watched by all processes while the language model speaks freely; both once and for all."""
    from recipes.small import teaching

    with ThreadPoolExecutor(1) as aside:
        watched = aside.submit(teaching.watch, folder, workers, tell)
        if not (folder / replay.FILE).exists():
            prompts = teaching.prompts(recipe.replies)
            replay.keep(folder, replay.speak_freely(*speaks, prompts, recipe.seed, device))
        watched.result()
    return teaching.lessons(folder)


def _network(
    recipe: SmallRecipe, language: Language, lessons: Lessons, learnt: dict[str, torch.Tensor], device: str
) -> Network:
    known = {"things": lessons.things_known, "looks": lessons.looks_known}
    own = fresh(recipe.build, language, known, recipe.seed)
    for name, value in learnt.items():
        if name not in own or own[name].shape != value.shape:
            raise UserError(f"--from: {name} does not fit this recipe; expected deltas of {recipe.name}")
    if learnt and (lacking := [name for name in own if name not in learnt and name.split(".")[0] not in HELPERS]):
        raise UserError(f"--from: {lacking[0]} is in none of the files; expected all files of one stage")
    return Network(recipe.build, language, {**own, **learnt}, device)


def _marked(network: Network, held_out: list[Batch], english: Rows) -> dict[str, object]:
    patient = network.patiently()
    return {"marks": marks(patient, held_out), "english": surprise(patient, english)}
