"""`snellen merge`: the stores of several machines as one."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.engine.exam_shards import MergedExam
    from snellen.engine.merge import Keep, MergeResult

EXAMPLES = """\
  snellen merge snellen-*-of-8.sqlite -o snellen.sqlite
  snellen merge monday.sqlite tuesday.sqlite -o week.sqlite
  snellen merge late.sqlite -o week.sqlite            what is new in late.sqlite, into the same store
"""
NOTES = """\
Calls, trials, pictures and items are united by their keys; shards of one exam (`snellen exam --shard`) become one. To
merge the same stores again changes nothing. Two different replies under one key are an error, and nothing is written:
--keep first keeps those of the store named first, OUT before all, and leaves out trials marked from the others, which
the same exam marks again without a call; --keep both keeps the others as further samples.
"""
MOST_MISSING = 12
MOST_EXAMS = 30
"""So many exams are listed, incomplete ones first."""


@click.command(epilog=examples_epilog("merge", EXAMPLES, NOTES))
@click.argument("stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o",
    "--out",
    "target",
    metavar="OUT",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The store to write; what it holds already is kept.",
)
@click.option(
    "--keep", type=click.Choice(["first", "both"]), help="What to do where replies differ.  [default: stop and say so]"
)
def merge(stores: tuple[Path, ...], target: Path, keep: "Keep | None") -> None:
    """Merge STOREs that several machines, or several exams, have written into one."""
    from snellen.cli.progress_bars import counted
    from snellen.engine.merge import MergeConflicts
    from snellen.engine.merge import merge as merge_stores

    if all(path.resolve() == target.resolve() for path in stores):
        raise UserError(f"store {target}: merged with nothing but itself; name the stores to merge into it")
    try:
        merged = merge_stores(stores, target, keep, lambda paths: counted(paths, len(paths), "merging"))
    except MergeConflicts as found:
        for conflict in found.conflicts:
            click.echo(str(conflict), err=True)
        raise
    _say(merged, target)


def _say(merged: "MergeResult", target: Path) -> None:
    counts = ", ".join(f"{merged.total[name]:,} {name} ({merged.new[name]:,} new)" for name in ("trials", "calls"))
    click.echo(f"{target}: {counts}")
    listed = sorted(merged.exams, key=_is_whole)
    for exam in listed[:MOST_EXAMS]:
        click.echo(f"  {_name(exam)}: {_state(exam)}")
    if len(listed) > MOST_EXAMS:
        click.echo(f"  and {len(listed) - MOST_EXAMS:,} more exams")
    if merged.settled:
        click.echo(f"{merged.settled:,} replies differed", err=True)
    if merged.unmarked:
        click.echo(
            f"left out: {merged.unmarked:,} trials marked from replies that are not kept; the same exam with --store"
            f" {target} marks them again, without a call",
            err=True,
        )


def _name(exam: "MergedExam") -> str:
    """What was asked of whom: names of subjects and tasks may be anything."""
    from snellen.analysis.cells import clean

    who = exam.spec.get("subject") or ", ".join(map(str, exam.fingerprint.get("subjects", ())))
    tasks = ", ".join(map(str, exam.spec.get("tasks", ())))
    return clean(f"{who} on {tasks}" if tasks else who)


def _is_whole(exam: "MergedExam") -> bool:
    return not exam.missing if exam.of else _end(exam) == "complete"


def _end(exam: "MergedExam") -> str:
    """How an exam that was not divided ended; logs of other tools only say that they did."""
    (own,) = exam.shards.values()
    return "not finished" if own["finished"] is None else str(own["counts"].get("ended", "complete"))


def _state(exam: "MergedExam") -> str:
    """How an exam ended; of one in shards how many are there, and which are missing."""
    if not exam.of:
        return _end(exam)
    if not exam.missing:
        return f"all {exam.of} shards"
    named = ", ".join(map(str, exam.missing[:MOST_MISSING])) + (", ..." if len(exam.missing) > MOST_MISSING else "")
    return f"{exam.of - len(exam.missing)} of {exam.of} shards complete; missing or not finished: {named}"
