"""A checksum on every row, so that a value that decayed on disk is reported and never counted.

It is a CRC-32 over all columns but the checksum itself, computed where a row is written and compared where it is read
(`intact`), also by queries that need only some of the columns. A picture's bytes are covered by their digest. Values go
in with their types: an empty text, nothing, and the same bytes that are no text all differ.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from marshal import dumps
from typing import Any
from zlib import crc32

COLUMNS = {
    "meta": ("name", "value"),
    "images": ("digest", "media_type", "alt", "data"),
    "calls": (
        *("key", "subject", "request", "status", "text", "finish", "tokens_in", "tokens_out", "model", "problem"),
        *("message", "attempts", "seconds", "at", "reasoning", "tokens_reasoning", "tokens_picture", "tokens"),
    ),
    "exams": ("id", "spec", "fingerprint", "started", "finished", "counts"),
    "items": ("id", "digest", "task", "truth"),
    "trials": (
        *("key", "exam", "task", "item", "cluster", "subject", "paradigm", "levels", "pack", "outcome", "reason"),
        *("answer", "expected", "labels", "mechanism", "how", "span_start", "span_end", "calls", "sample"),
        "confidence",
    ),
    "made": ("source", "place", "id", "digest", "levels", "cluster"),
}
"""The columns of each table in their order, the checksum, which comes last, left out."""
_TYPES = {
    **dict.fromkeys(("seconds", "at", "started", "finished", "confidence"), "REAL"),
    **dict.fromkeys(("tokens_in", "tokens_out", "attempts", "tokens_reasoning", "tokens_picture"), "INTEGER"),
    **dict.fromkeys(("exam", "span_start", "span_end", "sample", "place"), "INTEGER"),
    "key": "BLOB",
}
"""The types of columns that are not text. A value is cast to its column's type before it is written, as SQLite does."""

_FORMAT = 2
"""Of `marshal`: values in a row, the same in every version of Python, without references between equal ones."""


class WrongChecksum(ValueError):
    """A row is not what was written."""


def register(db: sqlite3.Connection) -> None:
    """Make the functions of the expressions below known to a connection."""
    db.create_function("row_checksum", -1, _checksum, deterministic=True)
    db.create_function("is_intact", -1, _is_intact, deterministic=True)


def checksum_of(table: str, values: Mapping[str, str]) -> str:
    """The SQL expression for the checksum of a row. `values`: an expression for each column; the column by default."""
    return f"row_checksum({', '.join(_casted(table, name, values.get(name, name)) for name in COLUMNS[table])})"


def intact(table: str) -> str:
    """The SQL condition that a row is what was written: true, or an error that ends the query (`is_damage`).

    Conditions on columns without an index come after it, with a plus before the column (`+status = 'ok'`): a damaged
    value could hide its row, and SQLite would otherwise put 'ok' into the checksum in place of what is stored.
    """
    columns = (f"length({table}.data)" if name == "data" else f"{table}.{name}" for name in COLUMNS[table])
    return f"is_intact({table}.checksum, {', '.join(columns)})"


def select(table: str, columns: str) -> str:
    """A query for rows that are what was written; more conditions may follow, each with AND."""
    return f"SELECT {columns} FROM {table} WHERE {intact(table)}"  # noqa: S608 - our own columns


def every_column(table: str) -> str:
    """A query for whole rows, for `verify`."""
    return f"SELECT {', '.join(COLUMNS[table])}, checksum FROM {table}"  # noqa: S608 - our own columns


def verify(rows: Iterable[tuple[Any, ...]]) -> None:
    """Raises `WrongChecksum` unless these rows of `every_column` are what was written. For many rows this costs half of
    `intact`, which SQLite calls for each of them."""
    for row in rows:
        if crc32(dumps(row[:-1], _FORMAT)) != row[-1]:
            raise WrongChecksum


def fits(table: str, values: Sequence[Any], expected: object) -> bool:
    """Whether values as the file has them, whatever is between it and us, are a row that was written."""
    row = list(values)
    for place, name in enumerate(COLUMNS[table]):
        if _TYPES.get(name) == "REAL" and isinstance(row[place], int):
            row[place] = float(row[place])  # SQLite keeps whole ones as integers
        elif name == "data":
            row[place] = len(row[place]) if isinstance(row[place], bytes) else None
    return _checksum(*row) == expected


def insert(table: str, columns: tuple[str, ...] = (), *, verb: str = "INSERT") -> str:
    """The statement that writes a row of these columns (all of them), in this order, with its checksum."""
    columns = columns or COLUMNS[table]
    values = {name: f"?{k}" for k, name in enumerate(columns, 1)}
    put = ", ".join((*values.values(), checksum_of(table, values)))
    return f"{verb} INTO {table} ({', '.join(columns)}, checksum) VALUES ({put})"


def is_damage(error: Exception) -> bool:
    """Whether a query ended because a row was not what was written."""
    called = isinstance(error, sqlite3.OperationalError) and "user-defined function" in str(error)
    return called or isinstance(error, WrongChecksum)


def _casted(table: str, name: str, value: str) -> str:
    if name == "data":
        return f"length({value})"
    if table == "exams" and name == "id":
        return f"CAST({value} AS INTEGER)"
    return f"CAST({value} AS {_TYPES.get(name, 'TEXT')})"


def _checksum(*values: str | bytes | float | None) -> int:
    return crc32(dumps(values, _FORMAT))


def _is_intact(expected: int, *values: str | bytes | float | None) -> bool:
    if crc32(dumps(values, _FORMAT)) != expected:
        raise WrongChecksum
    return True
