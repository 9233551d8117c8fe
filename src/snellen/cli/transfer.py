"""`snellen lab transfer`: what training brought, where it carries over, and what it cost."""

from pathlib import Path

import click

from snellen.cli.options import OutputPath, examples_epilog, split_store, style_option

EXAMPLES = """\
  snellen lab transfer base d1 d2 legs
  snellen lab transfer base d1-seed0 d1-seed1 d1-seed2 -o figures
  snellen lab transfer base 'd1=sft-a,sft-b' 'd1 shuffled=null-a,null-b'
  snellen lab transfer local/./my-model d1-sft/ d2-sft/
"""
NOTES = """\
Examine base and trained subjects alike first, with short names that say what was trained, such as d1.
"""


@click.command(epilog=examples_epilog("transfer", EXAMPLES, NOTES))
@click.argument("words", metavar="[STORE] BASE [LABEL=]TRAINED...", nargs=-1, required=True)
@click.option("-o", "--out", "folder", type=OutputPath(file_okay=False), help="Folder for the charts.")
@click.option(
    "--chart", "ending", type=click.Choice(["svg", "pdf"]), default="svg", show_default=True, help="Format of charts."
)
@style_option
def transfer(words: tuple[str, ...], folder: Path | None, ending: str, style: str) -> None:
    """Compare trained subjects with their BASE on the same trials: gains on what was trained, transfer to what was not,
    and side effects on everything else.

    Runs that differ only in the seed are pooled.
    """
    from snellen.analysis import tables
    from snellen.analysis import transfer as analysis
    from snellen.errors import unknown
    from snellen.examine import Exam
    from snellen.lab.trained import trainings
    from snellen.report.figures import PAGE, Figure
    from snellen.tasks.training import named_trainsets

    store, (base, *trained) = split_store(words)
    if not trained:
        raise click.UsageError(f"expected BASE and at least one TRAINED subject; found only {base!r}")
    rows = Exam(store).rows
    subjects = rows["subject"].unique(maintain_order=True).to_list()
    if base not in subjects:
        raise unknown("subject in this store", base, subjects)
    aims = {name: trainset.aims for name, trainset in named_trainsets().items()}
    effects = analysis.transfer(rows, base, trainings(trained, subjects, base), aims)
    click.echo("\n\n".join(tables.render(table, style) for table in effects.tables()))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, chart in effects.charts().items():
            click.echo(Figure(name, chart, PAGE).save(folder / f"{name}.{ending}"))
