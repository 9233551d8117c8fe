"""Whether a store is whole: its structure, every row, and every picture."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from snellen.engine.checksums import COLUMNS, intact
from snellen.engine.schema import Damaged, connect, problem
from snellen.item import Picture

_STRUCTURE = "structure"
"""What is looked through after the tables."""


def inspect_store(path: Path, watch: Callable[[Iterable[str], int], Iterable[str]]) -> dict[str, int]:
    """The number of rows of each table of a store that is whole; raises `DamagedStore` for one that is not."""
    with closing(connect(path, readonly=True)) as db:
        try:
            counts: dict[str, int] = {}
            for part in watch((*COLUMNS, _STRUCTURE), len(COLUMNS) + 1):
                if part == _STRUCTURE:
                    _look_through(db)
                else:
                    counts[part] = _rows(db, part)
        except (Damaged, sqlite3.DatabaseError) as error:
            raise problem(path, error) from None
    return counts


def _look_through(db: sqlite3.Connection) -> None:
    fault = db.execute("PRAGMA integrity_check").fetchone()[0]
    orphans = db.execute("SELECT count(*) FROM trials WHERE exam NOT IN (SELECT id FROM exams)").fetchone()[0]
    if fault != "ok" or orphans:
        raise Damaged(fault if fault != "ok" else f"{orphans:,} trials of an exam that is not recorded")


def _rows(db: sqlite3.Connection, table: str) -> int:
    if table != "images":
        return int(db.execute(f"SELECT count(*) FROM {table} WHERE {intact(table)}").fetchone()[0])  # noqa: S608
    count = 0
    for digest, data in db.execute(f"SELECT digest, data FROM images WHERE {intact('images')}"):  # noqa: S608
        count += 1
        if Picture(data).digest != digest:
            raise Damaged(f"a picture that is not {digest[:12]}")
    return count
