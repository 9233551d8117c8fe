"""`snellen methods`: the methods section of a paper, with the numbers of a store."""

from pathlib import Path

import click

from snellen.cli.options import examples_epilog, store_argument
from snellen.cli.waiting import waiting

EXAMPLES = """\
  snellen methods paper.sqlite
  snellen methods paper.sqlite --format latex > methods.tex
  snellen methods paper.sqlite --format bibtex > snellen.bib
"""


@click.command(epilog=examples_epilog("methods", EXAMPLES))
@store_argument
@click.option("--format", "style", type=click.Choice(["md", "latex", "bibtex"]), default="md", show_default=True)
def methods(store: Path, style: str) -> None:
    """Print a methods section for a paper: design, items, prompts, decoding, statistics, references.

    Numbers are those of the tables and the report. Settings that differ between exams are given with their exams.
    """
    from snellen.examine import Exam
    from snellen.examine.methods import methods as methods_of
    from snellen.examine.methods_text import METHODS_STYLES

    with waiting("reading the exams"):
        text = METHODS_STYLES[style](methods_of(Exam(store)))
    click.echo(text)
