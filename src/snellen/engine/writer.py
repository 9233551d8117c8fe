"""The writer: one thread that puts records on disk, many at a time.

Whatever has queued up while the last transaction was being written goes into the next one (group commit), so
the writer keeps pace with any number of callers and a lone record still goes out at once. Whoever must not go
on before a record is safe waits for `saved()`, which comes back after the commit that holds everything put
before.
"""

import asyncio
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from snellen.engine.schema import connect, problem
from snellen.errors import UserError

Row = tuple[Any, ...]
Entry = tuple[str | None, Any]
"""A statement with its row, or None with someone to wake once all before is on disk."""

_MOST_PER_TRANSACTION = 2000


class Writer:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = connect(path)
        self._db.execute("PRAGMA wal_autocheckpoint = 4000")
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._broken: UserError | None = None
        self._thread = threading.Thread(target=self._work, name="snellen store", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many records are not on disk yet (about)."""
        return self._queue.qsize()

    def put(self, statement: str, row: Row) -> None:
        """Queue a record. Fails if an earlier one could not be written: nothing may be believed saved that is
        not.
        """
        if self._broken:
            raise self._broken
        self._queue.put((statement, row))

    def saved(self) -> "asyncio.Future[None]":
        """Done once everything put so far is on disk; fails with the reason if it could not be written."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.put((None, (loop, future)))
        return future

    def flush(self) -> None:
        """Wait, without an event loop, until everything put so far is on disk."""
        done = threading.Event()
        self._queue.put((None, (None, done)))
        done.wait()
        if self._broken:
            raise self._broken

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._queue.put(None)
        self._thread.join()
        self._db.close()

    def _work(self) -> None:
        open_for_more = True
        while open_for_more:
            batch, open_for_more = self._take()
            rows = _by_statement(batch)
            if rows and not self._broken:
                self._broken = self._commit(rows)
            self._wake([entry[1] for entry in batch if entry[0] is None])

    def _take(self) -> tuple[list[Entry], bool]:
        """Everything queued, waiting for at least one entry; and whether more may come."""
        batch: list[Entry] = []
        entry = self._queue.get()
        try:
            while entry is not None:
                batch.append(entry)
                if len(batch) == _MOST_PER_TRANSACTION:
                    return batch, True
                entry = self._queue.get_nowait()
        except Empty:
            return batch, True
        return batch, False

    def _commit(self, rows: dict[str, list[Row]]) -> UserError | None:
        """Write the rows in one transaction: all of them, or, if that fails, none and the reason."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, values in rows.items():
                self._db.executemany(statement, values)
            self._db.execute("COMMIT")
        except Exception as error:  # whatever it is: those who wait must hear of it
            if self._db.in_transaction:
                self._db.rollback()
            return problem(self._path, error)
        return None

    def _wake(self, waiters: list[Any]) -> None:
        """Tell everyone who waited, with one message per event loop: crossing threads is what costs."""
        futures: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for loop, waiter in waiters:
            if loop is None:
                waiter.set()
            else:
                futures.setdefault(loop, []).append(waiter)
        for loop, waiting in futures.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, waiting, self._broken)


def _by_statement(entries: list[Entry]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for statement, row in entries:
        if statement is not None:
            rows.setdefault(statement, []).append(row)
    return rows


def _resolve(futures: "list[asyncio.Future[None]]", broken: UserError | None) -> None:
    for future in futures:
        if future.done():  # its waiter was cancelled
            continue
        if broken:
            future.set_exception(broken)
        else:
            future.set_result(None)
