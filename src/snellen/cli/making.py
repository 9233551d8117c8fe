"""`snellen lab`: models made here."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

_DIR = click.Path(path_type=Path, file_okay=False)


@click.group("lab")
def lab() -> None:
    """Make a small model from nothing, or unpack the one that comes with Snellen."""


@lab.command(epilog="Example:\n\n  snellen lab unpack tiny -o tiny && snellen exam local/./tiny")
@click.argument("model", type=click.Choice(["tiny"]))
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
def unpack(model: str, folder: Path) -> None:
    """Write a model that comes with Snellen as a stock Hugging Face folder: to train, to steer, to serve."""
    from snellen.subjects.local.loading import require
    from snellen.subjects.tiny import FILE
    from snellen.tasks.export import check_free

    require()
    check_free(folder)
    from snellen.lab.pretrain.folder import unpack as write

    write(FILE, folder)
    click.echo(f"{folder}: a stock Idefics3 with its processor; examine it with snellen exam local/{_named(folder)}")


@lab.command(epilog="Example:\n\n  snellen lab pretrain tiny -o made     made/fixated is like the one that comes along")
@click.argument("recipe", type=click.Choice(["tiny"]))
@click.option("-o", "folder", required=True, type=_DIR, metavar="DIR")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Processes that draw boards.")
@click.option("--boards", type=click.IntRange(min=32), help="Boards of each game.  [default: the recipe's]")
@click.option("--short", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="This share of the steps only.")
@click.option(
    "--from",
    "begun",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Begin with this file of a stage.",
)
def pretrain(recipe: str, folder: Path, **options: Any) -> None:
    """Make a model from nothing, stage after stage. Stopped, it goes on from the last stage it finished."""
    from snellen.lab.pretrain.recipe import RECIPES, shortened
    from snellen.subjects.local.loading import require

    require()
    from snellen.lab.pretrain.making import make

    chosen = replace(shortened(RECIPES[recipe], options["short"]), seed=options["seed"])
    if options["boards"]:
        chosen = replace(chosen, boards=options["boards"])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log.jsonl").open("a", encoding="utf-8") as log:

        def tell(line: dict[str, Any]) -> None:
            log.write(json.dumps(line) + "\n")
            log.flush()
            click.echo(_in_words(line, chosen.steps), err=True)

        make(chosen, folder, options["workers"], options["begun"], tell)
    click.echo(f"{folder}: " + ", ".join(stage.name for stage in chosen.stages))


def _named(folder: Path) -> str:
    """The folder as it may stand after `local/`: `tiny` alone is the model that comes along."""
    return str(folder) if folder.is_absolute() else f"./{folder}"


def _in_words(line: dict[str, Any], steps: int) -> str:
    if "marks" in line:
        whole = {kind: right for kind, right in line["marks"].items() if "," not in kind}
        return f"{line['stage']}: " + ", ".join(f"{kind} {right:.0f} %" for kind, right in whole.items())
    if "step" in line:
        done = line["step"] + 1
        left = line["seconds"] / done * (steps - done)
        losses = ", ".join(f"{name} {loss:.3f}" for name, loss in line["losses"].items())
        return f"{line['stage']}: step {done:,} of {steps:,}, {losses}, {left / 60:.0f} min left"
    return ", ".join(f"{name} {value}" for name, value in line.items())
