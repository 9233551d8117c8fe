"""`snellen check`: whether a store is whole, and what can be saved of one that is not."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli.options import OutputPath, examples_epilog, store_argument
from snellen.errors import UserError, invocation

if TYPE_CHECKING:
    from snellen.engine.salvage import Lost

EXAMPLES = """\
  snellen check                                   snellen.sqlite
  snellen check runs.sqlite --salvage saved.sqlite
"""
NOTES = """\
Exit status: 0 if the store is whole, 1 if it is damaged. A salvaged store opens in every command; the same `snellen
exam` with `--store` on it asks again what was lost, and nothing else. SALVAGED.lost.csv lists what that is.
"""
NAMES = {
    "exams": ("exams", "exam"),
    "trials": ("trials", "trial"),
    "calls": ("calls", "call"),
    "images": ("pictures", "picture"),
    "items": ("items", "item"),
    "made": ("places of items", "place of an item"),
    "meta": ("notes on the store", "note"),
}
"""Of a table: many of its rows, and one."""
MOST = 12
"""So many lost rows are named on the terminal; all are in the list."""


@click.command(epilog=examples_epilog("check", EXAMPLES, NOTES))
@store_argument
@click.option(
    "--salvage",
    "target",
    type=OutputPath(dir_okay=False),
    metavar="SALVAGED",
    help="Write all undamaged rows to this new store, and a list of what is lost beside it.",
)
def check(store: Path, target: Path | None) -> int:
    """Check every table and row of STORE, and say in plain words what is whole and what is damaged."""
    from snellen.cli.progress_bars import counted
    from snellen.cli.waiting import waiting
    from snellen.engine.inspection import inspect_store
    from snellen.engine.lock import is_held
    from snellen.engine.salvage import salvage
    from snellen.engine.schema import DamagedStore

    if target is not None and target.exists():
        raise UserError(f"--salvage {target}: this file exists; give the name of a new one")
    if is_held(store):
        raise UserError(f"store {store}: an exam is running in it; check it when that has ended")
    is_whole = False
    try:
        with waiting(f"Looking through {store}") as looked:

            def watch(parts: Iterable[str], total: int) -> Iterable[str]:
                looked()
                return counted(parts, total, "checking")

            whole = inspect_store(store, watch)
    except DamagedStore as damage:
        click.echo(f"{store}: damaged ({damage.found})")
    else:
        is_whole = True
        _say_counts(whole, {})
        click.echo(f"{store}: whole")
        if target is None:
            return 0
    with _new_store(target) as unfinished:
        found = salvage(store, unfinished, lambda pages, total: counted(pages, total, "pages"))
        nothing = not found.whole["trials"] + found.whole["calls"]
        if target is not None and unfinished is not None and not nothing:
            unfinished.replace(target)
    _say_counts(found.whole, Counter(row.table for row in found.lost))
    for row in found.lost[:MOST]:
        click.echo(f"  lost: {in_words(row)}")
    if len(found.lost) > MOST:
        click.echo(f"  ... and {len(found.lost) - MOST:,} more")
    if nothing:
        click.echo("Nothing in it can be saved; restore it from a copy, or start a new store in another file.")
    elif target is not None:
        _say_saved(target, found.lost)
    else:
        save = invocation("check", store, "--salvage", store.with_name(f"{store.stem}-salvaged{store.suffix}"))
        click.echo(f"To save what is whole: {save}")
    return 0 if is_whole else 1


def in_words(row: "Lost") -> str:
    """A lost row as one can find it in an exam."""
    known = ", ".join(filter(None, (f"exam {row.exam}" if row.exam else "", row.task, row.item, row.subject)))
    after = "recorded after that of " if row.near and known else ""
    return " ".join(filter(None, (NAMES[row.table][1], f"{after}{known}", f"({row.why})")))


def _say_counts(whole: Mapping[str, int], lost: Mapping[str, int]) -> None:
    for table, (name, _) in NAMES.items():
        damage = f", {lost[table]:,} lost" if lost.get(table) else ""
        click.echo(f"  {name:<20} {whole.get(table, 0):>10,} whole{damage}")


@contextmanager
def _new_store(target: Path | None) -> Iterator[Path | None]:
    """An empty store under a passing name beside the target; unless it is renamed, nothing is left of it."""
    import sqlite3

    from snellen.engine.schema import connect, problem

    if target is None:
        yield None
        return
    unfinished = target.with_name(f".{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        connect(unfinished).close()
        yield unfinished
    except sqlite3.OperationalError as error:
        raise problem(target, error) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _say_saved(target: Path, lost: "Sequence[Lost]") -> None:
    if not lost:
        click.echo(f"Saved in {target}; nothing is lost.")
        return
    listed = target.with_name(f"{target.name}.lost.csv")
    with listed.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["kind", "exam", "task", "item", "subject", "known", "why"])
        writer.writerows(_cells(lost))
    click.echo(f"Saved in {target}; what is lost is listed in {listed}.")
    click.echo(f"To ask it again, repeat the exam with --store {target}.")


def _cells(lost: "Iterable[Lost]") -> Iterator[list[str]]:
    for row in lost:
        known = "of the trial recorded before it" if row.near else "of the row itself"
        yield [NAMES[row.table][1], row.exam, row.task, row.item, row.subject, known, row.why]
