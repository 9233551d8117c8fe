"""`snellen merge`: the stores of several machines as one."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog

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
    for exam in merged.exams:
        if exam.of:
            click.echo(f"  {exam.spec.get('subject', '')}: {_shards(exam)}")
    if merged.settled:
        click.echo(f"{merged.settled:,} replies differed", err=True)
    if merged.unmarked:
        click.echo(
            f"left out: {merged.unmarked:,} trials marked from replies that are not kept; the same exam with --store"
            f" {target} marks them again, without a call",
            err=True,
        )


def _shards(exam: "MergedExam") -> str:
    """How many shards of an exam are there, and which are missing."""
    if not exam.missing:
        return f"all {exam.of} shards"
    named = ", ".join(map(str, exam.missing[:MOST_MISSING])) + (", ..." if len(exam.missing) > MOST_MISSING else "")
    return f"{exam.of - len(exam.missing)} of {exam.of} shards complete; missing or not finished: {named}"
