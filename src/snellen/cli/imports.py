"""`snellen import`: results of other tools into a store."""

from pathlib import Path

import click

from snellen.cli.groups import CommandGroup
from snellen.cli.options import store_option


@click.group(
    "import",
    cls=CommandGroup,
    sections={
        "Commands": {
            "inspect": ("snellen.cli.imports:inspect", "Read an Inspect log into a store."),
            "replies": ("snellen.cli.imports:replies", "Read replies to a made data set into a store."),
        }
    },
)
def import_group() -> None:
    """Bring results of other tools into a store."""


@click.command(epilog="Example: snellen import inspect logs/2026-01-01.eval")
@click.argument("log", type=click.Path(path_type=Path))
@store_option
@click.option("--subject", help="Another name for the log's model, to keep two of its runs apart.")
@click.option("--score", help="Which of the log's scores to use, if it has several.")
def inspect(log: Path, store: Path, subject: str | None, score: str | None) -> None:
    """Read an Inspect log into a store, for paired statistics and the report."""
    from snellen.bridge.logs import import_log

    click.echo(import_log(log, store, subject=subject, score=score))


@click.command(epilog="Example: snellen import replies boards replies.jsonl --subject my-model")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("replies", type=click.Path(path_type=Path, dir_okay=False))
@store_option
@click.option("--subject", help="Name of the subject that replied.  [default: the name of REPLIES]")
@click.option("--tasks", "task", metavar="FILE.py", help="The task of FOLDER's items, if it is a file of your own.")
def replies(folder: Path, replies: Path, store: Path, subject: str | None, task: str | None) -> None:
    """Mark replies to the rows of a FOLDER that `snellen make` wrote, and keep them in a store.

    REPLIES has a line of JSON for every row, in their order: {"reply": "..."}.
    """
    from snellen.bridge.replies import import_replies as import_them

    exam = import_them(folder, replies, store, subject=subject, task=task)
    counts = exam.rows.group_by("outcome").len().sort("outcome").rows()
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in counts)
    click.echo(f"imported {exam.rows.height:,} trials by {exam.subjects[0]} from {replies} into {store}: {told}")
