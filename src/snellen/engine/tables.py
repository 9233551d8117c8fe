"""The rows of a store's tables as they are, and a store made of such rows: what a published folder is written from,
and what it is checked with."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.engine.checksums import COLUMNS, WrongChecksum, every_column, insert
from snellen.engine.rows import verified
from snellen.engine.schema import connect, open_store, problem

Row = tuple[Any, ...]


def table_rows(path: Path, table: str) -> Iterator[list[Row]]:
    """All rows of a table, some at a time, in the order in which they were recorded; the checksum is left out."""
    order = "" if table == "items" else " ORDER BY rowid"
    connect(path, readonly=True).close()
    with closing(open_store(path, readonly=True)) as db:
        try:
            for some in verified(db, every_column(table) + order):
                yield [row[:-1] for row in some]
        except (WrongChecksum, sqlite3.DatabaseError) as error:
            raise problem(path, error) from None


def store_of(path: Path, tables: Mapping[str, Iterable[Row]]) -> None:
    """Make a store of these rows, in the order of `COLUMNS`. Raises sqlite3.Error or ValueError for rows that no store
    holds."""
    with closing(connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        for table, rows in tables.items():
            db.execute("BEGIN")
            db.executemany(insert(table), (_whole(table, row) for row in rows))
            db.execute("COMMIT")


def _whole(table: str, row: Row) -> Row:
    if len(row) != len(COLUMNS[table]):
        raise ValueError(f"a row of {table} has {len(row)} columns; expected {len(COLUMNS[table])}")
    return row
