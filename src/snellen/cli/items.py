"""`snellen tasks`, `show`, `make`, `audit`, `filter`: everything about items."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from snellen.cli.options import DATA_FORM, OutputPath, data_option, examples_epilog, item_options, pairs, shard_option
from snellen.cli.waiting import waiting
from snellen.errors import UserError, unknown
from snellen.item import Stimulus
from snellen.prompts import Pack
from snellen.tasks import Design, Task, pack_of, parse_levels, task_names
from snellen.tasks import task as find_task

T = TypeVar("T")


@click.command(epilog="Examples: snellen tasks, snellen tasks ./lamps.py")
@click.argument("name", metavar="[TASK]", required=False)
def tasks(name: str | None) -> None:
    """List the tasks with their designs, factors and sizes; with TASK, only that one."""
    for task_name in [name] if name else task_names():
        _say_task(find_task(task_name))


def _say_task(task: Task) -> None:
    click.secho(f"{task.name}  ", bold=True, nl=False)
    click.echo(task.about)
    click.echo("\n  designs")
    for design in task.designs:
        size = task.size(design, design.n)
        if design.tracks:
            most = sum(graded.most for graded in design.tracks)
            click.echo(f"    {design.name:<12} {size + most:>9,} trials or less    {design.about}")
            continue
        click.echo(f"    {design.name:<12} {size:>9,} trials at --n {design.n:<4} {design.about}")
    click.echo(f"\n  paradigms  {', '.join(task.paradigms)}")
    for title, of_item in (("factors of the items", True), ("factors an item is asked under", False)):
        click.echo(f"\n  {title}  (default first)")
        for factor in task.factors:
            if factor.of_item == of_item:
                click.echo(f"    {factor.name:<12} {_some(factor.levels):<48} {factor.about}")
    click.echo()


MOST_LEVELS = 24


def _some(levels: Sequence[str]) -> str:
    """The levels in a row; of very many the first and the last."""
    if len(levels) <= MOST_LEVELS:
        return " | ".join(levels)
    return f"{' | '.join(levels[:6])} | ... | {' | '.join(levels[-2:])} ({len(levels)} levels)"


FEW_KINDS = 12


@click.command(epilog=examples_epilog("show"))
@click.argument("name", metavar="TASK")
@item_options(None, "Base items of each kind.  [default: 3; 1 if there are more than 12 kinds]")
@data_option
@click.option(
    "-o",
    "--out",
    "path",
    type=OutputPath(dir_okay=False),
    metavar="FILE.html|FILE.png",
    help="Where to write the sheet.  [default: TASK.html]",
)
def show(name: str, path: Path | None, **options: Any) -> None:
    """Draw a contact sheet of TASK's items."""
    from snellen.tasks.sheet import write_sheet

    task = _task(name, options)
    # Only what --set asks for is varied: a sheet of every condition would drown the eye.
    plain = task.changed(
        Design("sheet", "", 0, (task.item_levels(task.design().whole),)), parse_levels(options["settings"])
    )
    sheet = path or Path(f"{name}.html")
    n = options["n"] or (3 if len(list(task.counts(task.item_levels(plain), task.design().n))) <= FEW_KINDS else 1)
    with waiting("drawing"):
        stimuli = task.some_of_each(plain, n, options["seed"], _pack(task, options))
        write_sheet(list(stimuli), sheet, title=task.title)
    click.echo(f"wrote {sheet}")


@click.command(epilog=examples_epilog("make"))
@click.argument("name", metavar="TASK")
@item_options(100, "Base items of each kind; the design crosses them with its conditions.")
@data_option
@click.option("--design", help="A named design of the task.  [default: its quick one]")
@click.option(
    "--paradigm", metavar="NAME,...", help="How items are presented, in one call.  [default: as the task has it]"
)
@click.option(
    "--rungs/--no-rungs",
    default=True,
    show_default=True,
    help="Include the lower rungs of the ladder: the answer told, exact words in place of pictures.",
)
@click.option(
    "-o", "--out", "folder", required=True, type=OutputPath(file_okay=False), metavar="DIR", help="Folder to write."
)
@click.option("--format", "kind", type=click.Choice(["parquet", "jsonl"]), default="parquet", show_default=True)
@shard_option
@click.option("--jobs", type=click.IntRange(1, 1024), help="Processes to make items in.  [default: one a core]")
def make(name: str, folder: Path, kind: Literal["parquet", "jsonl"], **options: Any) -> None:
    """Write the trials of TASK's exam, pictures, keys and twins, as a data set that Hugging Face `datasets` loads."""
    from snellen.cli.exam_output import say_notes
    from snellen.cli.progress_bars import counted
    from snellen.examine.ahead import plan_ahead, written_ahead
    from snellen.tasks.export import write_items

    data = pairs("--data", options["data"], DATA_FORM)
    plan = plan_ahead(
        name,
        rungs=options["rungs"],
        limit=options["n"],
        design=options["design"],
        n=None if data else options["n"],
        seed=options["seed"],
        levels=parse_levels(options["settings"]),
        paradigms=options["paradigm"],
        data=data,
        prompts=options["prompts"],
        shard=options["shard"] and str(options["shard"]),
    )
    say_notes(plan)
    if not plan.size and options["shard"]:
        click.echo(f"Shard {options['shard']}: no items are in it; nothing is written.")
        return
    impossible: list[str] = []
    stimuli = written_ahead(plan, impossible, options["jobs"])
    discarded: Counter[str] = Counter()
    written = write_items(counted(_noting(stimuli, discarded), plan.size, "making"), folder, kind)
    click.echo(f"wrote {written:,} rows to {folder}")
    if impossible:
        click.echo(f"left out: {len(impossible):,} trials, the first because {impossible[0]}", err=True)
    if discarded:
        click.echo("drafts discarded on the way: " + ", ".join(f"{n:,} {why}" for why, n in discarded.items()))


@click.command(epilog=examples_epilog("audit", "  snellen audit photos/"))
@click.argument("name", metavar="TASK|PATH")
@item_options(300, "Base items of each kind, or in all where a task spreads them over its kinds.")
@data_option
@click.option("--key", default="", metavar="COLUMN", help="The column of PATH that holds the right answers.")
@click.option(
    "--pictures/--no-pictures",
    default=True,
    show_default=True,
    help="Look at pictures too. Without, a task whose pictures take long draws none.",
)
def audit(name: str, key: str, pictures: bool, **options: Any) -> int:
    """Look for shortcuts: can an observer who does not do the task beat chance?

    PATH is a data set: made by `snellen make`, a table (jsonl, json, csv, parquet) with pictures, or an image folder.

    Where drawing takes long, interim results for truths and texts are printed on standard error within a minute.

    Exit status 1 if a shortcut beats chance, a row is in two splits, or one question has two keys.
    """
    from snellen.tasks.audit import audit_folder, audit_items, audit_order
    from snellen.tasks.making import Origin

    if name in task_names() or name.endswith(".py"):
        if key:
            raise click.UsageError("--key is for a data set at PATH; a task has its own keys")
        task = _task(name, options)
        levels = parse_levels(options["settings"])
        origin = Origin(name, pairs("--data", options["data"], DATA_FORM).get(name), options["prompts"])
        pack = _pack(task, options)
        order = audit_order(task, levels, options["n"], options["seed"], pack, origin, pictured=pictures)
        with _AuditProgress() as progress:
            report = audit_items(order, progress.watch, progress.tell)
    elif Path(name).exists():
        if not pictures:
            raise click.UsageError("--no-pictures is for a task; a data set at PATH is read with its pictures")
        with _AuditProgress() as progress:
            report = audit_folder(Path(name), key, progress.watch)
    else:
        problem = unknown("task", name, task_names())
        raise UserError(f"audit {name}: no such folder or table, and {problem}")
    click.echo(str(report))
    return 1 if report.faulty else 0


class _AuditProgress(ExitStack):
    """On the terminal: how many items are made, then that observers look at them; interim reports in between."""

    def watch(self, things: Iterable[T], total: int | None, label: str) -> Iterator[T]:
        from snellen.cli.progress_bars import counted

        self.close()
        yield from counted(things, total, label)
        self.enter_context(waiting("looking for shortcuts"))

    def tell(self, report: str) -> None:
        self.close()
        click.echo(report, err=True)


@click.command(name="filter", epilog="Example: snellen filter boards --with snellen.sqlite -o boards-hard")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("more", metavar="[RUN]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--with",
    "runs",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    metavar="RUN...",
    help="Stores, or files of `snellen export`, with trials of these items.",
)
@click.option("-o", "--out", "out", type=OutputPath(), metavar="OUT", help="A new folder.  [default: DIR-filtered]")
@click.option(
    "--threshold",
    default=0.95,
    show_default=True,
    help="A model solves an item if more than this share of its trials are right.",
)
@click.option(
    "--min-subjects",
    type=click.IntRange(min=1),
    help="How many models must have been asked about an item to drop or flag it.  [default: all in the runs]",
)
def filter_set(
    folder: Path,
    more: tuple[Path, ...],
    runs: tuple[Path, ...],
    out: Path | None,
    threshold: float,
    min_subjects: int | None,
) -> None:
    """Drop items of DIR that every model solves, and duplicates; flag those that no model solves.

    DIR was made by `snellen make`. The rest goes to OUT in the same format, with a log of every item.
    """
    from snellen.analysis.tables import render
    from snellen.cli.progress_bars import counted
    from snellen.curation.filtering import LOG, Rules, filter_items, items_table, models_table

    there = folder.resolve() if folder.name in ("", "..") else folder
    to = out or there.with_name(f"{there.name}-filtered")
    done = filter_items(folder, (*runs, *more), to, Rules(threshold, min_subjects), counted)
    for table in (models_table(done), items_table(done)):
        click.echo(render(table) + "\n")
    left = sum(decision.fate != "dropped" for decision in done.decisions)
    click.echo(f"wrote {left:,} of {len(done.decisions):,} items ({done.rows:,} rows) to {to}; why: {to / LOG}")


def _noting(stimuli: Iterable[Stimulus], discarded: Counter[str]) -> Iterator[Stimulus]:
    """The stimuli as they are; how many drafts each item cost, where its maker says so, is added up."""
    seen = ""
    for stimulus in stimuli:
        if stimulus.item.id != seen:
            seen = stimulus.item.id
            discarded.update(stimulus.item.truth.get("discarded", {}))
        yield stimulus


def _pack(task: Task, options: dict[str, Any]) -> Pack:
    """The task's own wording, or what --prompts names."""
    return pack_of(task, options["prompts"])


def _task(name: str, options: dict[str, Any]) -> Task:
    """The task, over the published set if one is given; then there are no more items than that has."""
    data = pairs("--data", options["data"], DATA_FORM)
    for other in data:
        if other != name:
            raise unknown("task in --data", other, [name])
    task = find_task(name, data.get(name))
    if data and options["n"]:
        options["n"] = min(options["n"], task.design().n)
    return task
