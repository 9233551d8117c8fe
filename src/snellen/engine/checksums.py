"""A checksum on every row, so that a value that decayed on disk is reported and never counted.

It is a CRC-32 over all columns but the checksum itself, computed by SQLite where a row is written and compared where it
is read (`intact`), also by queries that need only some of the columns. A picture's bytes are covered by their digest.
Whole numbers and text go in as text, real numbers in Python's notation: neither depends on the version of SQLite.
"""

import sqlite3
from collections.abc import Mapping
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
_REALS = {"seconds", "at", "started", "finished", "confidence"}
_INTEGERS = {
    *("tokens_in", "tokens_out", "attempts", "tokens_reasoning", "tokens_picture", "exam", "span_start", "span_end"),
    *("sample", "place"),
}
_AS_TEXT = {"key": "hex({})", "data": "length({})", **dict.fromkeys(_INTEGERS, "CAST({} AS INTEGER)")}


class WrongChecksum(ValueError):
    """A row is not what was written."""


def register(db: sqlite3.Connection) -> None:
    """Make the functions of the expressions below known to a connection."""
    db.create_function("row_checksum", -1, _checksum, deterministic=True)
    db.create_function("is_intact", -1, _is_intact, deterministic=True)


def checksum_of(table: str, values: Mapping[str, str]) -> str:
    """The SQL expression for the checksum of a row. `values`: an expression for each column; the column by default."""
    return f"row_checksum({_arguments(table, values)})"


def intact(table: str) -> str:
    """The SQL condition that a row is what was written: true, or an error that ends the query (`is_damage`).

    Conditions on columns without an index come after it, with a plus before the column (`+status = 'ok'`): a damaged
    value could hide its row, and SQLite would otherwise put 'ok' into the checksum in place of what is stored.
    """
    columns = {name: f"{table}.{name}" for name in COLUMNS[table]}
    return f"is_intact({table}.checksum, {_arguments(table, columns)})"


def select(table: str, columns: str) -> str:
    """A query for rows that are what was written; more conditions may follow, each with AND."""
    return f"SELECT {columns} FROM {table} WHERE {intact(table)}"  # noqa: S608 - our own columns


def insert(table: str, columns: tuple[str, ...] = (), *, verb: str = "INSERT") -> str:
    """The statement that writes a row of these columns (all of them), in this order, with its checksum."""
    columns = columns or COLUMNS[table]
    values = {name: f"?{k}" for k, name in enumerate(columns, 1)}
    put = ", ".join((*values.values(), checksum_of(table, values)))
    return f"{verb} INTO {table} ({', '.join(columns)}, checksum) VALUES ({put})"


def is_damage(error: Exception) -> bool:
    """Whether a query ended because a row was not what was written."""
    return isinstance(error, sqlite3.OperationalError) and "user-defined function" in str(error)


def _arguments(table: str, values: Mapping[str, str]) -> str:
    names = [name for name in COLUMNS[table] if name not in _REALS]
    texts = ", ".join(_AS_TEXT.get(name, "{}").format(values.get(name, name)) for name in names)
    joined = f"CAST(printf('{'|'.join(['%s'] * len(names))}', {texts}) AS BLOB)"
    return ", ".join((joined, *(values.get(name, name) for name in COLUMNS[table] if name in _REALS)))


def _checksum(text: bytes, *reals: float | None) -> int:
    checksum = crc32(text)
    for real in reals:
        checksum = crc32(repr(float(real) if isinstance(real, int) else real).encode(), checksum)
    return checksum


def _is_intact(expected: int, text: bytes, *reals: float | None) -> bool:
    if _checksum(text, *reals) != expected:
        raise WrongChecksum
    return True
