"""`snellen lab steer`: does moving an activation change the answer, and what do the controls say to it?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import OutputPath, examples_epilog, seed_option

if TYPE_CHECKING:
    from snellen.lab.steer.rows import SteeringRows
    from snellen.lab.steer.study import CountedModel, Put, SteeringSettings, SteeringStudy
    from snellen.lab.steer.whom import Whom
    from snellen.subjects.local.loading import LoadedModel

GIB = 1 << 30

NOTES = """\
The same command continues a study that was stopped.
Needs pip install 'snellen[local]'; the PDF beside the SVG needs 'snellen[pdf]'.
"""


@click.command(epilog=examples_epilog("steer", more=NOTES))
@click.argument("task")
@click.option(
    "--model",
    required=True,
    metavar="M",
    help="PATH_OR_HUB_ID[:adapter=PATH,dtype=...,device=...]: the model to steer.",
)
@click.option(
    "-o", "--out", "folder", required=True, type=OutputPath(file_okay=False), metavar="DIR", help="Folder of the study."
)
@click.option("--kinds", default="", metavar="NAME,...", help="Which kinds of items, such as reversi.  [default: all]")
@click.option("--states", type=click.IntRange(min=1), default=100, show_default=True, help="Items of each kind.")
@click.option(
    "--layers", type=click.IntRange(min=1), default=12, show_default=True, help="How many of the last layers to patch."
)
@click.option(
    "--alpha",
    "alphas",
    default="1",
    show_default=True,
    metavar="A,...",
    help="Strengths of the patch; the figure shows the first.",
)
@click.option(
    "--seeds", default="1,2,3", show_default=True, metavar="N,...", help="Seeds of random splits of the items."
)
@click.option("--donor", metavar="M", help="Take the activations from another model, such as a trained one.")
@click.option("--batch", type=click.IntRange(min=1), default=16, show_default=True, help="Prompts in a batch.")
@click.option(
    "--keep", type=click.FloatRange(min=0), default=4.0, show_default=True, metavar="GIB",
    help="Memory for prompts that wait to be patched; beyond it they are processed again.",
)  # fmt: skip
@seed_option
def steer(model: str, task: str, folder: Path, donor: str | None, batch: int, keep: float, **chosen: str | int) -> None:
    """Patch activations of a local model, layer by layer, and see whether its answers to TASK follow.

    Donors and targets are of the same kind of item. Writes meta.json, states.json, runs.parquet, summary.parquet and
    the layer curve with its controls as SVG and PDF into DIR.
    """
    from snellen.cli.progress_bars import counted
    from snellen.lab.steer.rows import family
    from snellen.lab.steer.study import Lab, study
    from snellen.lab.steer.whom import whom

    family(task)  # a task that has none is said at once
    target, source = whom(model), whom(donor) if donor else None
    settings = _settings(task, target, source, chosen)
    _show(study(folder, settings, Lab(_put(target, keep), _put(source, 0) if source else None, batch, counted)))


def _settings(task: str, target: "Whom", source: "Whom | None", chosen: dict[str, str | int]) -> "SteeringSettings":
    from snellen.errors import unknown
    from snellen.lab.steer.rows import family, wording
    from snellen.lab.steer.study import SteeringSettings
    from snellen.tasks.making.source import source_digest

    games = family(task).setups
    setups = tuple(filter(None, str(chosen["kinds"]).split(","))) or tuple(games)
    for setup in setups:
        if setup not in games:
            raise unknown(f"kind of {task}", setup, games)
    return SteeringSettings(
        task=task,
        setups=tuple(dict.fromkeys(setups)),
        states=int(chosen["states"]),
        layers=int(chosen["layers"]),
        alphas=_numbers("--alpha", str(chosen["alphas"])),
        seeds=tuple(int(seed) for seed in _numbers("--seeds", str(chosen["seeds"]), whole=True)),
        seed=int(chosen["seed"]),
        wording=wording(task),
        source=source_digest(),
        model=target.identity,
        donor=source.identity if source else None,
    )


def _numbers(option: str, text: str, *, whole: bool = False) -> tuple[float, ...]:
    """Numbers between commas, each once."""
    try:
        numbers = tuple(dict.fromkeys((int if whole else float)(word) for word in text.split(",")))
    except ValueError:
        kind = "whole numbers" if whole else "numbers"
        raise click.UsageError(f"{option} {text!r}: expected {kind} between commas, as in 1,2,3") from None
    if whole and min(numbers) < 0:
        raise click.UsageError(f"{option} {text!r}: expected whole numbers from 0, as in 1,2,3")
    if not whole and any(not 0 < abs(number) <= 1000 for number in numbers):
        raise click.UsageError(f"{option} {text!r}: expected numbers other than 0, up to 1000")
    return numbers


def _put(whom: "Whom", keep: float) -> "Put":
    """Loads the model when the first rows are put before it: a study that is already done needs none."""
    loaded: list[LoadedModel] = []

    def put(asked: "SteeringRows") -> "CountedModel":
        from snellen.lab.steer.bench import Bench

        if not loaded:
            loaded.append(whom.load())
        return Bench(loaded[0], asked, int(keep * GIB))

    return put


def _show(study: "SteeringStudy") -> None:
    """Tables in the terminal, figures in the folder: SVG, and PDF where the extra for it is there."""
    from snellen.analysis.tables import render
    from snellen.errors import UserError
    from snellen.lab.steer.curves import figures, passes_line, tables
    from snellen.report.figures import Figure, usual_width

    for table in tables(study):
        click.echo(render(table) + "\n")
    click.echo(passes_line(study))
    charts = [Figure(name, chart, usual_width(chart)) for name, chart in figures(study).items()]
    for chart in charts:
        click.echo(chart.save(study.folder / f"{chart.name}.svg"))
    try:
        for chart in charts:
            click.echo(chart.save(study.folder / f"{chart.name}.pdf"))
    except UserError as error:
        click.echo(f"snellen: {error}", err=True)
