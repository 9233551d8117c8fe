"""`snellen merge`: the stores of several machines as one."""

from collections.abc import Iterable, Sequence
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
  snellen merge late.sqlite -o week.sqlite            adds what is new in late.sqlite
  snellen merge a.sqlite b.sqlite -o ab.sqlite --keep both
"""
NOTES = """\
Calls, trials, pictures and items are matched by their keys. The shards of one exam (`snellen exam --shard`) become that
exam. Merging the same stores again changes nothing.

If two stores hold different replies to the same call, nothing is written, and both are listed. --keep both keeps the
later reply as a further sample. --keep first keeps the reply in OUT, else that of the store named first, and leaves out
trials marked from the other; the same exam marks them again without a call.
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
    help="The store to write; existing content is kept.",
)
@click.option(
    "--keep",
    type=click.Choice(["first", "both"]),
    help="Which reply to keep where stores hold different replies to one call.  [default: neither; stop and list them]",
)
def merge(stores: tuple[Path, ...], target: Path, keep: "Keep | None") -> None:
    """Merge stores that several machines, or several exams, have written into one."""
    from snellen.cli.progress_bars import counted
    from snellen.cli.waiting import waiting
    from snellen.engine.merge import MergeConflicts
    from snellen.engine.merge import merge as merge_stores

    if all(path.resolve() == target.resolve() for path in stores):
        raise UserError(f"store {target}: merged with nothing but itself; name the stores to merge into it")
    try:
        with waiting("Looking through the stores") as looked:

            def watch(paths: Sequence[Path]) -> Iterable[Path]:
                looked()
                return counted(paths, len(paths), "merging")

            merged = merge_stores(stores, target, keep, watch)
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
