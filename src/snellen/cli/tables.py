"""`snellen table`: the tables of a store, and those that a model helps to make."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.beside import calculate_in_little_memory
from snellen.cli.options import examples_epilog, split_stores, style_option, width_option
from snellen.cli.waiting import waiting
from snellen.errors import UserError, unknown

if TYPE_CHECKING:
    from snellen.analysis import Table
    from snellen.examine import Exam
    from snellen.tasks import Task

EXAMPLES = """\
  snellen table                                   the names of the tables in snellen.sqlite
  snellen table profile                           losses by faculty and task
  snellen table profile sim/fixated sim/ideal     two subjects only
  snellen table runs.sqlite overview --format json
  snellen table history monday.sqlite friday.sqlite
  snellen table similarity --with openai/text-embedding-3-small
  snellen table thoughts --with openai/gpt-4.1-mini --dry-run
"""
NOTES = """\
`thoughts` is several tables, each also by itself: thoughts-stages, thoughts-length, thoughts-interruptions and, with
--with, thoughts-agreement.
"""
HISTORY, SIMILARITY, THOUGHTS = "history", "similarity", "thoughts"
TITLES = {
    HISTORY: "Subjects over time: checkpoints by step, or several stores",
    SIMILARITY: "Cosine of stated rules and the descriptions of the queries they were applied to",
    THOUGHTS: "Chains of thought: stages, looks back at the picture, self-interruptions, length and accuracy",
}


@dataclass(frozen=True)
class TableQuery:
    """Which table of which results. `model`: who helps to make it; `dry_run`: only say what that would take."""

    name: str
    exam: "Exam"
    tasks: tuple[str, ...]
    model: str | None
    dry_run: bool


@click.command(epilog=examples_epilog("table", EXAMPLES, NOTES))
@click.argument("words", metavar="[STORE]... [NAME [SUBJECT]...]", nargs=-1)
@click.option("--tasks", metavar="NAME,...", help="Only trials of these tasks.  [default: all]")
@style_option
@width_option
@click.option(
    "--with",
    "model",
    metavar="MODEL",
    help="Of similarity: the embedder (`offline`, or a model of an API). Of thoughts: a subject that annotates every"
    " reply, for comparison with the built-in rules.",
)
@click.option("--dry-run", is_flag=True, help="Say how many calls --with would take, and stop.")
def table(words: tuple[str, ...], tasks: str | None, style: str, width: str | float | None, **more: Any) -> int:
    """Print the table NAME of STORE (snellen.sqlite), of all subjects or of each SUBJECT. Without NAME, list them."""
    calculate_in_little_memory()
    from snellen.analysis.tables import render

    stores, others = split_stores(words)
    name, *subjects = others or [""]
    model, dry_run = more["model"], more["dry_run"]
    if width is not None and style != "latex":
        raise click.UsageError("--width goes with --format latex")
    if model is not None and not name.startswith((SIMILARITY, THOUGHTS)):
        raise click.UsageError(f"--with is for the tables {SIMILARITY} and {THOUGHTS}")
    if dry_run and (model is None or name == SIMILARITY):
        raise click.UsageError(f"--dry-run goes with --with and the table {THOUGHTS}")
    only = tuple(filter(None, map(str.strip, (tasks or "").split(","))))
    with waiting(f"Analysing {' '.join(map(str, stores))}"):
        query = TableQuery(name, chosen(stores, name, subjects), only, model, dry_run)
        _narrow(query)
        made = _made(query) if name and model is None else ()
        listed = {} if name else _titles(query.exam)
    if not name:
        for known, title in listed.items():
            click.echo(f"{known:<22} {title}")
        return 0
    if model is not None:
        made = _made(query)
    click.echo("\n\n".join(render(each, style, width) for each in made), nl=bool(made))
    return 0


def chosen(stores: Sequence[Path], name: str, subjects: Sequence[str]) -> "Exam":
    """The results of these subjects, or of all; an unknown one is refused. Several stores are for the history only."""
    from snellen.examine import Exam
    from snellen.examine.history import in_order

    if len(stores) > 1 and name and not name.startswith(HISTORY):
        raise click.UsageError(f"{name!r} is of one store; several stores go with {HISTORY!r}")
    *earlier, store = in_order(stores) if len(stores) > 1 else stores
    if subjects:
        examined = [who for each in (store, *earlier) for who in Exam(each).examined]
        for subject in subjects:
            if subject not in examined:
                raise unknown("subject", subject, examined)
    return Exam(store, tuple(dict.fromkeys(subjects)), earlier=earlier)


def _narrow(query: TableQuery) -> None:
    """Leave out the trials of other tasks."""
    if not query.tasks:
        return
    rows = query.exam.rows
    there = rows["task"].unique(maintain_order=True).to_list()
    for task in query.tasks:
        if task not in there:
            raise unknown("task in this store", task, there)
    query.exam.rows = rows.filter(rows["task"].is_in(query.tasks))


def _titles(exam: "Exam") -> dict[str, str]:
    """The tables there are, by name."""
    from snellen.analysis.chains import SPOKEN
    from snellen.examine.findings import table_names

    named = table_names(exam.rows, exam.fingerprints)
    named |= {table.name: table.title for table in exam.word_tables.values()}
    if exam.may_have_history:
        named[HISTORY] = TITLES[HISTORY]
    if _comparing(exam):
        named[SIMILARITY] = TITLES[SIMILARITY]
    if exam.rows["text"].fill_null("").str.count_matches(r"\S+").ge(SPOKEN).any():
        named[THOUGHTS] = TITLES[THOUGHTS]
    return named


def _made(query: TableQuery) -> "Sequence[Table]":
    from snellen.replies.thoughts import NAMES

    exam = query.exam
    if query.name == HISTORY:
        return [exam.history_table(query.tasks)]
    if query.name == SIMILARITY:
        return _similarities(exam, query.model or "offline")
    if query.name == THOUGHTS or query.name in {f"{THOUGHTS}-{name}" for name in NAMES}:
        return _thoughts(query)
    return [exam.table(query.name)]


def _comparing(exam: "Exam") -> "list[Task]":
    """The tasks in the store that compare stated rules with descriptions."""
    from snellen.tasks import tasks_with

    return [task for task in tasks_with(lambda task: task.similarity) if task.name in exam.rows["task"]]


def _similarities(exam: "Exam", embedder_name: str) -> "list[Table]":
    from snellen.call import CallFailed
    from snellen.engine import Store
    from snellen.subjects.embedding import embedder

    rows, comparing = exam.rows, _comparing(exam)
    if not comparing:
        raise UserError(
            f"store {exam.store}: no trial with a stated rule and a description; ask with --paradigm drl,ca first"
        )

    async def compare(opened: Store) -> "list[Table]":
        own = {task.name: rows.filter(rows["task"] == task.name) for task in comparing}
        embed = embedder(embedder_name)
        return [await task.similarity(opened, own[task.name], embed) for task in comparing if task.similarity]

    with Store.open(exam.store, readonly=True) as opened:
        try:
            return asyncio.run(compare(opened))
        except CallFailed as failure:
            raise UserError(str(failure)) from None


def _thoughts(query: TableQuery) -> "list[Table]":
    """How subjects think aloud in each task that is named, or in the one whose study reads its replies."""
    from snellen.cli.annotation import annotated
    from snellen.replies.thoughts import thought_tables, usual_task

    rows, only = query.exam.rows, query.name.partition("-")[2]
    if only == "agreement" and query.model is None:
        raise click.UsageError(f"{query.name} needs --with SUBJECT")
    made: list[Table] = []
    for task in query.tasks or (usual_task(rows),):
        model = annotated(query, task) if query.model else None
        if not query.dry_run:
            by_name = thought_tables(rows, task, model)
            made += [by_name[only]] if only else by_name.values()
    return made
