"""The writer: puts records on disk, many at a time.

Everything put in one turn of the event loop goes into one transaction at the end of that turn (group commit):
the more answers come in at once, the less each costs. Whoever must not go on before a record is safe awaits
`saved()`.

This happens on the event loop itself. A transaction of the write-ahead log is a plain write without waiting
for the disk, some 30 microseconds per record: handing it to a thread and back costs more than doing it.
"""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

from snellen.engine.schema import problem
from snellen.masking import mask_row

Row = tuple[Any, ...]


class Writer:
    """Writes through a connection that others may read from; belongs to one thread."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self._rows: dict[str, list[Row]] = {}
        self._waiting: list[asyncio.Future[None]] = []
        self._due = False
        self._broken: Exception | None = None

    def put(self, statement: str, row: Row, own: Row = ()) -> None:
        """Queue a row for this statement, with keys masked; `own`: its last values, which are numbers and digests of
        ours. Fails if an earlier row could not be written."""
        if self._broken:
            raise self._broken
        rows = self._rows.get(statement)
        if rows is None:
            rows = self._rows[statement] = []
        rows.append(mask_row(row) + own)

    def saved(self) -> "asyncio.Future[None]":
        """Done once everything put so far is on disk; fails with the reason if it could not be written."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append(future)
        if not self._due:
            self._due = True
            loop.call_soon(self._end_of_turn)
        return future

    def flush(self) -> None:
        """Write everything put so far, now: all of it, or, if that fails, nothing."""
        rows, self._rows = self._rows, {}
        if self._broken:
            raise self._broken
        if not rows:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, values in rows.items():
                self._db.executemany(statement, values)
            self._db.execute("COMMIT")
        except Exception as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._broken = problem(self._path, error) if isinstance(error, sqlite3.OperationalError) else error
            raise self._broken from None

    def _end_of_turn(self) -> None:
        self._due = False
        waiting, self._waiting = self._waiting, []
        broken: Exception | None = None
        try:
            self.flush()
        except Exception as error:  # whatever it is, those who wait must hear of it
            broken = error
        for future in waiting:
            if future.done():  # whoever waited was cancelled
                continue
            if broken is None:
                future.set_result(None)
            else:
                future.set_exception(broken)
