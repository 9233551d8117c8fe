"""`snellen report` and `snellen export`: all of a store."""

from pathlib import Path

import click

from snellen.beside import calculate_in_little_memory
from snellen.cli.options import OutputPath, examples_epilog, store_argument
from snellen.cli.waiting import waiting
from snellen.defaults import DEFAULT_LISTED, DEFAULT_REPORT, DEFAULT_STORE

EXAMPLES = """\
  snellen report runs.sqlite -o report
  snellen report monday.sqlite friday.sqlite      friday's page, with a history
"""


@click.command(epilog=examples_epilog("report", EXAMPLES))
@click.argument("stores", metavar="[STORE]...", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o",
    "--out",
    "folder",
    type=OutputPath(file_okay=False),
    default=DEFAULT_REPORT,
    show_default=True,
    help="Folder of the page.",
)
@click.option("--originals", is_flag=True, help="Also write every picture as it was sent, to DIRECTORY/pictures.")
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=DEFAULT_LISTED,
    show_default=True,
    metavar="N",
    help="The most trials that the page lists, in whole items. Findings are always of all.",
)
def report(stores: tuple[Path, ...], folder: Path, originals: bool, trials: int) -> None:
    """Write the report page of everything in STORE (snellen.sqlite). With several, the page is that of the one with the
    latest exam, and shows how its subjects changed since the earlier ones."""
    calculate_in_little_memory()
    from snellen.cli.screen import say_judges
    from snellen.examine import Exam
    from snellen.examine.history import in_order

    with waiting(f"Analysing {', '.join(map(str, stores or [DEFAULT_STORE]))} and writing the page"):
        *earlier, store = in_order(stores) if len(stores) > 1 else stores or (DEFAULT_STORE,)
        exam = Exam(store, earlier=earlier)
        page = exam.report(folder, originals=originals, trials=trials)
        judged = exam.judged
    click.echo(page)
    if exam.by_task.height > trials:
        click.echo(f"snellen: the page lists at most {trials:,} of {exam.by_task.height:,} trials (--trials)", err=True)
    say_judges(judged)


@click.command(epilog="Example: snellen export runs.sqlite -o trials.parquet")
@store_argument
@click.option(
    "-o", "--out", "path", required=True, type=OutputPath(dir_okay=False, makes_parents=False), metavar="FILE.parquet"
)
def export(store: Path, path: Path) -> None:
    """Write all trials of STORE as one tidy Parquet file."""
    from snellen.engine import Store
    from snellen.engine.rows import export as write_rows

    with waiting(f"Writing the trials of {store}"), Store.open(store, readonly=True) as opened:
        count = write_rows(opened, path)
    click.echo(f"wrote {count:,} trials to {path}")
