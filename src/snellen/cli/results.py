"""`snellen report`, `table`, `similarity`, `thoughts`, `export`, `import-inspect`, `import-replies`: stores."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import store_argument, style_option, width_option
from snellen.defaults import DEFAULT_REPORT, DEFAULT_STORE
from snellen.errors import UserError

if TYPE_CHECKING:
    import polars as pl

    from snellen.analysis import Table
    from snellen.call import Subject
    from snellen.replies.annotating import Annotations


@click.command()
@store_argument
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT_REPORT,
    show_default=True,
)
def report(store: Path, folder: Path) -> None:
    """Write the report page of everything in STORE."""
    from snellen.cli.screen import say_judges
    from snellen.examine import Exam

    exam = Exam(store)
    click.echo(exam.report(folder))
    say_judges(exam.rows)


@click.command(epilog="Example: snellen table snellen.sqlite gap --format md")
@store_argument
@click.argument("name", required=False)
@style_option
@width_option
def table(store: Path, name: str | None, style: str, width: str | float | None) -> None:
    """Print the table NAME of STORE; without NAME, list the tables there are."""
    if width is not None and style != "latex":
        raise click.UsageError("--width goes with --format latex")
    from snellen.analysis import tables
    from snellen.examine import Exam
    from snellen.examine.findings import table as named_table
    from snellen.examine.findings import table_names

    exam = Exam(store)
    words = exam.word_tables
    if name is None:
        named = table_names(exam.rows, exam.fingerprints)
        for listed, title in {**named, **{w.name: w.title for w in words.values()}}.items():
            click.echo(f"{listed:<22} {title}")
    else:
        made = words.get(name) or named_table(exam.rows, name, fingerprints=exam.fingerprints)
        click.echo(tables.render(made, style, width))


@click.command(epilog="Example: snellen similarity snellen.sqlite --with openai/text-embedding-3-small")
@store_argument
@click.option("--with", "name", default="offline", show_default=True, help="An embedder: offline, or an API's model.")
@style_option
def similarity(store: Path, name: str, style: str) -> None:
    """How like stated rules are to the descriptions of the queries they were applied to (cosine)."""
    import asyncio

    from snellen.analysis import tables
    from snellen.call import CallFailed
    from snellen.engine import Store
    from snellen.subjects.embedding import embedder
    from snellen.tasks import tasks_with

    async def compare(rows: "pl.DataFrame", opened: Store) -> "list[Table]":
        of_task = {task.name: rows.filter(rows["task"] == task.name) for task in comparing}
        return [
            await task.similarity(opened, of_task[task.name], embedder(name)) for task in comparing if task.similarity
        ]

    with Store.open(store, readonly=True) as opened:
        rows = opened.rows()
        comparing = [task for task in tasks_with(lambda task: task.similarity) if task.name in rows["task"]]
        if not comparing:
            raise UserError(
                f"store {store}: no trial with a stated rule and a description; run --paradigm drl,ca first"
            )
        try:
            similarities = asyncio.run(compare(rows, opened))
        except CallFailed as failure:
            raise UserError(str(failure)) from None
    click.echo("\n\n".join(tables.render(table, style) for table in similarities))


@click.command(epilog="Example: snellen thoughts snellen.sqlite --with openai/gpt-4.1-mini")
@store_argument
@click.option("--with", "name", metavar="SUBJECT", help="Have a model annotate every reply, too, and compare.")
@click.option("--task", help="Whose replies to read.  [default: of the task whose study reads them]")
@click.option(
    "--table", "only", type=click.Choice(["stages", "length", "interruptions", "agreement"]), help="Only one."
)
@click.option("--dry-run", is_flag=True, help="Say how many calls --with would take, and stop.")
@style_option
def thoughts(store: Path, name: str | None, task: str | None, only: str | None, dry_run: bool, style: str) -> int:
    """How subjects think aloud: stages, looks back at the picture, self-interruptions, length against accuracy."""
    from snellen.analysis import tables
    from snellen.engine import Store
    from snellen.replies.annotating import annotator
    from snellen.replies.thoughts import texts_of, thought_tables, thoughts_of, usual_task

    if name is None and (dry_run or only == "agreement"):
        raise click.UsageError(f"{'--dry-run' if dry_run else '--table agreement'} needs --with SUBJECT")
    with Store.open(store, readonly=True) as opened:
        rows = opened.rows()
    task, model = task or usual_task(rows), None
    if name is not None:
        who, texts = annotator(name), texts_of(thoughts_of(rows, task))
        _say_annotation(texts, who, store)
        if dry_run:
            return 0
        model = _annotate(texts, who, store)
        if model.interrupted:
            return 130
    by_name = thought_tables(rows, task, model)
    shown = [by_name[only]] if only else by_name.values()
    click.echo("\n\n".join(tables.render(table, style) for table in shown))
    return 0


def _say_annotation(texts: list[str], who: "Subject", store: Path) -> None:
    """How many calls annotating would take."""
    from snellen.engine import Store
    from snellen.replies.annotating import estimate_annotation

    with Store.open(store, readonly=True) as opened:
        part = estimate_annotation(texts, who, opened).total
    click.echo(
        f"{who.name}: {len(texts):,} different replies to annotate, {part.to_make:,} calls to make (more where it is"
        f" asked twice), about {part.tokens_in:,} tokens in; {part.known:,} already in the store",
        err=True,
    )


def _annotate(texts: list[str], who: "Subject", store: Path) -> "Annotations":
    """The texts as the model annotates them; what it said is kept in the store."""
    import asyncio

    from snellen.cli.watch import watching
    from snellen.engine import Store
    from snellen.replies.annotating import annotate_all

    with Store.open(store) as opened, watching(who.name, len(texts), {}) as watch:
        annotations = asyncio.run(annotate_all(texts, who, opened, watch=watch))
    kept = f"{len(annotations.by_text):,} of {len(texts):,} replies are annotated, and kept in {store}"
    if annotations.problem:
        raise UserError(f"{annotations.problem} ({kept})")
    if annotations.interrupted:
        click.echo(f"Interrupted: {kept}. Give the same command again to go on.", err=True)
    else:
        _say_left(annotations)
    return annotations


def _say_left(annotations: "Annotations") -> None:
    """How many replies the annotator left to the rules, if any."""
    formless, failed = annotations.count("form"), annotations.count("failed")
    if formless or failed:
        reasons = ((formless, "kept no form"), (failed, "calls failed"))
        why = ", ".join(f"{n:,} {reason}" for n, reason in reasons if n)
        asked = len(annotations.by_text) - annotations.count("long")
        again = "; give the same command again to retry failed calls" if failed else ""
        click.echo(
            f"annotator {annotations.who}: {formless + failed:,} of {asked:,} replies left to the rules ({why}){again}",
            err=True,
        )


@click.command()
@store_argument
@click.option("-o", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.parquet")
def export(store: Path, path: Path) -> None:
    """Write all trials of STORE as one tidy Parquet file."""
    from snellen.engine import Store
    from snellen.engine.rows import export as write_rows

    with Store.open(store, readonly=True) as opened:
        count = write_rows(opened, path)
    click.echo(f"wrote {count:,} trials to {path}")


@click.command(name="import-inspect", epilog="Example: snellen import-inspect logs/2026-01-01.eval")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_STORE, show_default=True)
@click.option("--subject", help="Another name for the log's model, to keep two of its runs apart.")
@click.option("--score", help="Which of the log's scores decides, if it has several.")
def import_inspect(log: Path, store: Path, subject: str | None, score: str | None) -> None:
    """Read an Inspect log into a store, for paired statistics and the report."""
    from snellen.bridge.logs import import_log

    click.echo(import_log(log, store, subject=subject, score=score))


@click.command(name="import-replies", epilog="Example: snellen import-replies boards replies.jsonl --subject my-model")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("replies", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_STORE, show_default=True)
@click.option("--subject", help="What results call whoever replied.  [default: the name of REPLIES]")
@click.option("--task", metavar="FILE.py", help="The task of FOLDER's items, where it is one of your own.")
def import_replies(folder: Path, replies: Path, store: Path, subject: str | None, task: str | None) -> None:
    """Mark replies to the rows of a FOLDER that `snellen make` wrote, and keep them in a store.

    REPLIES has a line of JSON for every row, in their order: {"reply": "..."}.
    """
    from snellen.bridge.replies import import_replies as import_them

    exam = import_them(folder, replies, store, subject=subject, task=task)
    counts = exam.rows.group_by("outcome").len().sort("outcome").rows()
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in counts)
    click.echo(f"imported {exam.rows.height:,} trials by {exam.subjects[0]} from {replies} into {store}: {told}")
