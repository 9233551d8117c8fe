"""`snellen figure`: the charts of a store as files for a paper."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog, store_argument

if TYPE_CHECKING:
    from snellen.report.figures import Figure

EXAMPLES = """\
  snellen figure snellen.sqlite                                   the names there are
  snellen figure snellen.sqlite --all -o figures --format pdf
"""
NOTES = """\
SVG needs nothing more; PDF needs pip install 'snellen[pdf]'.
"""


@click.command(epilog=examples_epilog("figure", EXAMPLES, NOTES))
@store_argument
@click.argument("name", required=False)
@click.option(
    "-o",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="FILE.svg or FILE.pdf; with --all a folder.",
)
@click.option("--all", "every", is_flag=True, help="Write every figure into the folder -o.")
@click.option("--format", "ending", type=click.Choice(["svg", "pdf"]), help="What --all writes.  [default: svg]")
@click.option(
    "--width",
    type=float,
    metavar="MM",
    help="Width in millimetres; without it 85 (a column of a paper) or 175 (its page), as the figure needs. Words keep"
    " their size.",
)
def figure(
    store: Path, name: str | None, path: Path | None, every: bool, ending: str | None, width: float | None
) -> None:
    """Write the figure NAME of STORE; without NAME, list the figures there are."""
    _check(name, path, every, ending, width)
    from snellen.examine import Exam

    charts = Exam(store).figures(width)
    if every and path is not None:
        for chart in charts.values():
            _write(chart, path / f"{chart.name}.{ending or 'svg'}")
    elif name is not None and path is not None:
        _write(charts[name], path)
    else:
        longest = max(map(len, charts), default=0)
        for chart in charts.values():
            click.echo(f"{chart.name:<{longest}}  {' '.join(chart.title.split())}")


def _check(name: str | None, path: Path | None, every: bool, ending: str | None, width: float | None) -> None:
    """Options that do not go together are told before anything is read."""
    if every and name is not None:
        raise click.UsageError(f"--all writes every figure; leave out {name!r} or --all")
    if every and path is None:
        raise click.UsageError("--all needs a folder: -o FOLDER")
    if name is not None and path is None:
        raise click.UsageError(f"say where {name} should go: -o FILE.svg or -o FILE.pdf")
    if not every and ending is not None:
        raise click.UsageError("--format goes with --all; a single figure is written as the ending of -o FILE says")
    if not every and name is None and (path is not None or width is not None):
        raise click.UsageError("say which figure: NAME (without -o and --width, the names are listed), or --all")


def _write(figure: "Figure", path: Path) -> None:
    """Write one figure and say where; what the file could not hold is told beside it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        click.echo(figure.save(path))
    for warning in heard:
        if warning.category is UserWarning:
            click.echo(f"snellen: {path}: {warning.message}", err=True)
