"""`snellen figure`: the charts of a store as files for a paper."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from snellen.cli.options import OutputPath, examples_epilog, split_stores

EXAMPLES = """\
  snellen figure                                      the names of the figures in snellen.sqlite
  snellen figure runs.sqlite --all -o figures --format pdf
  snellen figure history monday.sqlite friday.sqlite -o history.pdf
  snellen figure card                                 eye charts of all subjects, on the terminal
  snellen figure card openai/gpt-4.1 anthropic/claude -o both.png --dark
"""
NOTES = """\
`card` is the eye chart of each SUBJECT with its prescription, side by side; it can also be a PNG.
SVG and PNG need nothing more; PDF needs pip install 'snellen[pdf]'.
"""
CARD = "card"


@dataclass(frozen=True)
class FigureOptions:
    """Where figures go and how they look, as chosen."""

    path: Path | None
    every: bool
    ending: str | None
    width: float | None
    dark: bool

    def check(self, name: str) -> None:
        """Options that do not go together are refused before anything is read."""
        card = name == CARD
        if self.every and name:
            raise click.UsageError(f"--all writes every figure; leave out {name!r} or --all")
        if self.every and self.path is None:
            raise click.UsageError("--all needs a folder: -o FOLDER")
        if name and not card and self.path is None:
            raise click.UsageError(f"say where {name} should go: -o FILE.svg or -o FILE.pdf")
        if self.ending is not None and not self.every:
            raise click.UsageError("--format goes with --all; a single figure is written as the ending of -o FILE says")
        if not self.every and not name and (self.path is not None or self.width is not None):
            raise click.UsageError("say which figure: NAME (without -o and --width, the names are listed), or --all")
        if self.dark and not (card and self.path):
            raise click.UsageError("--dark goes with card -o FILE")
        if card and self.width is not None:
            raise click.UsageError("--width is not for card, which has a size of its own")


@click.command(epilog=examples_epilog("figure", EXAMPLES, NOTES))
@click.argument("words", metavar="[STORE]... [NAME [SUBJECT]...]", nargs=-1)
@click.option(
    "-o",
    "--out",
    "path",
    type=OutputPath(),
    metavar="FILE",
    help="FILE.svg or FILE.pdf; with --all a folder.",
)
@click.option("--all", "every", is_flag=True, help="Write every figure into the folder -o.")
@click.option("--format", "ending", type=click.Choice(["svg", "pdf"]), help="What --all writes.  [default: svg]")
@click.option(
    "--width",
    type=float,
    metavar="MM",
    help="Width in millimetres. Text keeps its size.  [default: 85 (a column of a paper) or 175 (a page), as needed]",
)
@click.option("--dark", is_flag=True, help="Of card: on a dark background.")
def figure(words: tuple[str, ...], **options: Any) -> None:
    """Write the figure NAME of STORE (snellen.sqlite), of all subjects or of each SUBJECT. Without NAME, list them."""
    from snellen.cli.tables import chosen

    stores, others = split_stores(words)
    name, *subjects = others or [""]
    wanted = FigureOptions(**options)
    wanted.check(name)
    if name == CARD:
        _card(stores[0], subjects, wanted)
        return
    exam = chosen(stores, name, subjects)
    charts = exam.figures(wanted.width)
    if wanted.every and wanted.path is not None:
        for chart in charts.values():
            _write(chart.save, wanted.path / f"{chart.name}.{wanted.ending or 'svg'}")
    elif name and wanted.path is not None:
        drawn = [chart for chart in charts if chart.startswith(f"{name}-of-")]  # of one task: no need to name it
        _write(charts[name if name in charts or len(drawn) != 1 else drawn[0]].save, wanted.path)
    else:
        titles = {chart.name: " ".join(chart.title.split()) for chart in charts.values()}
        if exam.findings.cards:
            titles[CARD] = "Eye chart of each subject, with its prescription"
        longest = max(map(len, titles), default=0)
        for listed, title in titles.items():
            click.echo(f"{listed:<{longest}}  {title}")


def _card(store: Path, subjects: Sequence[str], wanted: FigureOptions) -> None:
    """The eye charts of these subjects, or of all that have one: side by side in a file, or on the terminal."""
    from snellen.charts.page_files import check_ending, save_page
    from snellen.examine import Exam

    if wanted.path is not None:
        check_ending(wanted.path)  # before anything is read
    first, *others = Exam(store).cards(tuple(dict.fromkeys(subjects)))
    if wanted.path is not None:
        _write(partial(save_page, first.draw(*others, dark=wanted.dark)), wanted.path)
        return
    from snellen.cli.console import plain_console

    for card in (first, *others):
        card.show(plain_console())


def _write(save: Callable[[Path], Path], path: Path) -> None:
    """Write a figure and say where; what the file could not hold is told beside it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        click.echo(save(path))
    for warning in heard:
        if warning.category is UserWarning:
            click.echo(f"snellen: {path}: {warning.message}", err=True)
