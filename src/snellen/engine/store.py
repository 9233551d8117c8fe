"""The store: one SQLite file that holds every call once, the pictures they showed, and every trial.

Key and layout: a call is kept under the hash of exactly what was asked, a picture under the hash of its
bytes, a trial under the hash of what it is; see `schema.py` for the tables. Order of writing: a call's
pictures and its record go into one transaction, and nobody sees the reply before that is on disk (`saved`).
So a run killed at any moment has lost at most what was still on its way, and the next run goes on from what
is there.

Reading needs no lock and may happen during a run; writing is for one run at a time (`FILE.lock`).
"""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from filelock import Timeout

from snellen.call import Reply
from snellen.engine import queries
from snellen.engine.bloom import BloomFilter
from snellen.engine.checksums import WrongChecksum, verify
from snellen.engine.lock import StoreLock
from snellen.engine.records import CallRecord, ExamRecord, ItemRecord, MarkedTrial, TrialRecord
from snellen.engine.schema import LOST_PICTURES, Damaged, connect, problem
from snellen.engine.stored import Stored
from snellen.engine.writer import Writer
from snellen.errors import UserError
from snellen.item import Item, Picture
from snellen.masking import learn_environment

if TYPE_CHECKING:
    import polars

    from snellen.engine.compact import CompactTrials

T = TypeVar("T")
Row = tuple[Any, ...]

_PROGRESS = "progress"
_PER_QUERY = 500
_PICTURES_REMEMBERED = 4096


class Store:
    """Made by `Store.open`. The reading half works on a store opened either way, the writing half only for a
    run.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, writer: Writer | None, lock: StoreLock | None) -> None:
        self.path = path
        self._db = db
        self._writer = writer
        self._lock = lock
        self._known_keys = _filter_of(db) if writer else None
        self._stored = Stored(path)
        self._pictures: dict[str, None] = {}
        lost = self._row(queries.GET_META, (LOST_PICTURES,)) if writer else None
        self.lost_pictures = frozenset(self._stored.list(lost[0])) if lost else frozenset()
        """Digests of pictures that recorded calls showed and that damage took."""

    @classmethod
    def open(cls, path: str | Path, *, readonly: bool = False) -> Self:
        """Open a store, to read it or to hold an exam; in the second case it is made if it is not there."""
        path = Path(path)
        if readonly:
            return cls(path, connect(path, readonly=True), None, None)
        learn_environment(os.environ)  # so that no key of this process is written, whoever repeats it
        connect(path).close()  # whatever is wrong with the file is said before the lock leaves a file of its own
        lock = lock_store(path)
        try:
            db = connect(path)
            store = cls(path, db, Writer(path, db), lock)
        except sqlite3.DatabaseError as error:
            lock.release()
            raise problem(path, error) from None
        except BaseException:
            lock.release()
            raise
        store._put(queries.SET_META, ("run", str(os.getpid())))
        store.flush()
        return store

    def close(self) -> None:
        """Write what is queued and release the lock."""
        try:
            if self._writer:
                self._writer.flush()
        finally:
            self._db.close()
            if self._lock:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Reading

    def get_reply(self, key: bytes) -> Reply | None:
        """The recorded answer to this call; errors are not answers."""
        if self._known_keys is not None and not self._known_keys.may_hold(key):
            return None
        row = self._row(queries.GET_REPLY, (key,))
        return None if row is None else self._stored.reply(row)

    def answered(self, keys: Iterable[bytes]) -> dict[bytes, str]:
        """The answered ones of these calls, each with the answering model."""
        return self._pairs(queries.GET_SUBJECTS, keys)

    def done(self, keys: Iterable[bytes]) -> dict[bytes, str]:
        """Which of these trials are recorded and need not be done again, and what their subject is called there; one
        whose calls failed is to be done again."""
        return self._pairs(queries.GET_DONE, keys)

    def outcomes(self, keys: Iterable[bytes]) -> dict[bytes, MarkedTrial]:
        """How those of these trials were marked that need not be repeated."""
        rows = (
            row for chunk in _chunks(keys) for row in self._rows(f"{queries.GET_OUTCOMES} ({_marks(chunk)})", chunk)
        )
        return {
            key: MarkedTrial(who, outcome, len(self._stored.list(own)), why) for key, who, outcome, own, why in rows
        }

    def trial_calls(self, keys: Iterable[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
        """The calls that each of these trials made, where it is recorded."""
        for chunk in _chunks(keys):
            for key, calls in self._rows(f"{queries.GET_TRIAL_CALLS} ({_marks(chunk)})", chunk):
                yield key, [bytes.fromhex(call) for call in self._stored.list(calls)]

    def trial_ids(self, starts: Iterable[str]) -> dict[str, str]:
        """The ids of trials by how they begin, in hex."""
        return {
            start.hex(): key.hex()
            for chunk in _chunks(map(bytes.fromhex, starts))
            for start, key in self._rows(queries.beginning(queries.GET_TRIAL_IDS, len(chunk)), queries.spans(chunk))
        }

    def made(self, source: str) -> dict[int, ItemRecord]:
        """The items of a set that were made before, by their place in it."""
        return {
            place: ItemRecord(id_, digest, self._stored.mapping(levels), cluster)
            for place, id_, digest, levels, cluster in self._rows(queries.GET_MADE, (source,))
        }

    def call(self, key: bytes | str) -> CallRecord | None:
        """The record of a call, by its key or its key in hex."""
        return next(self.calls([key]), None)

    def calls(self, keys: Iterable[bytes | str]) -> Iterator[CallRecord]:
        """The records of the calls with these keys, or whose keys begin so, in no particular order."""
        for chunk in _chunks(bytes.fromhex(key) if isinstance(key, str) else key for key in keys):
            for row in self._verified(queries.beginning(queries.GET_CALLS, len(chunk)), queries.spans(chunk)):
                key, subject, request, status, *said, problem_, message, attempts, seconds, at = row[: queries.WHEN]
                reply = self._stored.reply((*said, *row[queries.WHEN : -1])) if status == "ok" else None
                yield CallRecord(key, subject, request, reply, problem_, message, attempts, seconds, at)

    def calls_from(self, start: str) -> list[bytes]:
        """The calls whose keys begin so in hex; if there are none, the last call of each trial whose id does."""
        if not start or not set(start) <= set("0123456789abcdef"):
            return []
        low, high = (bytes.fromhex(start.ljust(len(start) + len(start) % 2, fill)) for fill in "0f")
        span = (low, high + queries.LAST_KEY)  # no key with this start comes later
        if keys := [key for (key,) in self._rows(queries.GET_CALLS_FROM, span)]:
            return keys
        trials = [self._stored.list(calls) for (calls,) in self._rows(queries.GET_TRIALS_FROM, span)]
        return list(dict.fromkeys(bytes.fromhex(calls[-1]) for calls in trials if calls))

    def requests(self) -> Iterator[tuple[bytes, str]]:
        """Every call's key and request."""
        try:
            yield from self._db.execute(queries.GET_REQUESTS)
        except sqlite3.DatabaseError as error:
            raise problem(self.path, error) from None

    def image(self, digest: str) -> Picture | None:
        row = self._row(queries.GET_IMAGE, (digest,))
        if row is None:
            return None
        picture = Picture(*row)
        if picture.digest != digest:
            raise self._stored.damaged(f"a picture that is not {digest[:12]}")
        return picture

    def alts(self) -> dict[str, str]:
        """The alternative texts of all pictures, by digest."""
        return dict(self._rows(queries.GET_ALTS))

    def truths(self, task: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The items of a task, by id, with what their maker knows."""
        for item, truth in self._rows(queries.GET_TRUTHS, (task,)):
            yield item, self._stored.mapping(truth)

    def items_named(self, name: str) -> list[tuple[str, dict[str, Any]]]:
        """The items of that id, one for each version of their maker: digests, and what the maker knows."""
        return [(digest, self._stored.mapping(truth)) for digest, truth in self._rows(queries.GET_ITEMS, (name,))]

    def exams(self) -> list[ExamRecord]:
        """All exams, the oldest first."""
        read = self._stored.mapping
        return [
            ExamRecord(id_, read(spec), read(fingerprint), started, finished, read(counts))
            for id_, spec, fingerprint, started, finished, counts in self._rows(queries.GET_EXAMS)
        ]

    def progress(self) -> dict[str, Any]:
        """How far the last exam was when it last said so; empty if it never did."""
        row = self._row(queries.GET_META, (_PROGRESS,))
        return self._stored.mapping(row[0]) if row else {}

    def notes(self, kind: str) -> dict[str, dict[str, Any]]:
        """What was put down under this kind with `put_note`, by name."""
        rows = self._rows(queries.GET_NOTES, (f"{kind} ", f"{kind}!"))
        return {name.removeprefix(f"{kind} "): self._stored.mapping(value) for name, value in rows}

    def latest_trial(self) -> tuple[int, int]:
        """Changes whenever a trial is recorded: how many there are, and the last row written."""
        row = self._row("SELECT count(*), coalesce(max(rowid), 0) FROM trials", ())
        return (row[0], row[1]) if row else (0, 0)

    def reply_length(self, subject: str) -> float | None:
        """The mean number of tokens in this subject's recorded replies."""
        row = self._row(queries.GET_LENGTH, (subject,))
        return row[0] if row else None

    def cache_shares(self, subject: str) -> tuple[float, float] | None:
        """Which shares of the tokens sent to this subject were read from its provider's cache, and written to it; None
        if nothing was sent."""
        tokens, cached, written = self._row(queries.GET_CACHED, (subject,)) or (0, 0, 0)
        return (cached / tokens, written / tokens) if tokens else None

    def rows(
        self,
        keep: "polars.Expr | None" = None,
        starts: Sequence[bytes] = (),
        in_order: "Callable[[polars.DataFrame], polars.DataFrame] | None" = None,
    ) -> "polars.DataFrame":
        """All trials as tidy rows, or those to `keep` with these starts of keys, `in_order` (see `rows.py`)."""
        from snellen.engine.rows import rows

        return self._whole(partial(rows, keep=keep, starts=starts, in_order=in_order))

    def compact(self, *, is_beside: bool = False) -> "CompactTrials":
        """All trials in little memory, a task at a time (see `compact.py`); `is_beside`: a second process helps."""
        from snellen.engine.compact import compact

        return self._whole(partial(compact, self.path, is_beside=is_beside))

    def _whole(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """What is read of the whole store; damage is told in one line."""
        try:
            return read(self._db)
        except Damaged as error:
            raise self._stored.damaged(str(error)) from None
        except (WrongChecksum, sqlite3.DatabaseError) as error:
            raise problem(self.path, error) from None

    # Writing

    def put_image(self, picture: Picture) -> None:
        """Store a picture; does nothing if it is stored already."""
        if picture.digest in self._pictures:
            return
        if len(self._pictures) >= _PICTURES_REMEMBERED:
            del self._pictures[next(iter(self._pictures))]  # forgotten here, not on disk: putting it again does no harm
        self._pictures[picture.digest] = None
        self._put(queries.PUT_IMAGE, (picture.digest, picture.media_type, picture.alt, picture.data))

    def put_item(self, item: Item) -> None:
        """Store an item's id, digest, task and truth."""
        self._put(queries.PUT_ITEM, (item.id, item.digest, item.task, _json(dict(item.truth))))

    def add_call(self, record: CallRecord) -> None:
        """Queue the record of a call; await `saved()` before using its reply."""
        if self._known_keys is not None:
            self._known_keys.add(record.key)
        r = record.reply
        reply: Row = (None, None, None, None, None, "", None, None, "")
        if r is not None:
            counts = (r.tokens_reasoning, r.tokens_picture)
            tokens = _json(r.tokens) if r.tokens else ""
            if r.tokens_cached or r.tokens_written:
                tokens = _json({"cached": r.tokens_cached, "written": r.tokens_written, "tokens": r.tokens})
            reply = (r.text, r.finish, r.tokens_in, r.tokens_out, r.model, r.reasoning, *counts, tokens)
        status = "error" if r is None else "ok"
        how = (record.problem, record.message, record.attempts, record.seconds, record.at)
        self._put(queries.PUT_CALL, (record.key, record.subject, record.request, status, *how, *reply))

    def add_trial(self, exam: int, key: bytes, trial: TrialRecord, calls: Iterable[bytes]) -> None:
        """Queue a trial with the keys of its calls, the last of which brought its answer."""
        t = trial
        what = (t.task, t.item, t.cluster or t.item, t.subject, t.paradigm, _levels(tuple(t.levels.items())), t.pack)
        reading = (t.outcome, t.reason, t.answer, t.expected, _labels(t.labels), t.mechanism, t.how, *t.span)
        asked = '","'.join([call.hex() for call in calls])
        own = (f'["{asked}"]' if asked else "[]", t.sample, t.confidence)
        self._put(queries.PUT_TRIAL, (key, exam, *what, *reading), own)

    def put_made(self, source: str, place: int, item: Item) -> None:
        """Keep which item stands where in a set, so that its trials are known without making it again."""
        levels = _levels(tuple(item.levels.items()))
        self._put(queries.PUT_MADE, (source, place, item.id, item.digest, levels, item.cluster))

    def begin_exam(self, spec: Mapping[str, Any], fingerprint: Mapping[str, Any]) -> int:
        """Record the start of an exam; returns its number."""
        row = self._row("SELECT coalesce(max(id), 0) + 1 FROM exams", ())
        exam: int = row[0] if row else 1
        self._put(queries.PUT_EXAM, (exam, _json(dict(spec)), _json(dict(fingerprint)), time.time(), None, "{}"))
        self.flush()
        return exam

    def end_exam(self, exam: int, counts: Mapping[str, Any]) -> None:
        """Record the end of an exam, complete or not."""
        self._put(queries.END_EXAM, (time.time(), _json(dict(counts)), exam))
        self.flush()

    def put_progress(self, progress: Mapping[str, Any]) -> None:
        """Record how far the exam is, for whoever reads the store meanwhile; replaces what was recorded before."""
        self._put(queries.SET_META, (_PROGRESS, _json(dict(progress))))
        self.flush()

    def put_note(self, kind: str, name: str, note: Mapping[str, Any] | None) -> None:
        """Put down what a later run must know, or drop it (None), together with everything added so far: on the disk
        when this returns, so that it outlives a power cut."""
        place = f"{kind} {name}"
        self._put(*((queries.DROP_META, (place,)) if note is None else (queries.SET_META, (place, _json(dict(note))))))
        self._db.execute("PRAGMA synchronous = FULL")
        try:
            self.flush()
        finally:
            self._db.execute("PRAGMA synchronous = NORMAL")

    def saved(self) -> "asyncio.Future[None]":
        """Done when everything added so far is on disk."""
        return self._for_writing().saved()

    def flush(self) -> None:
        """Put everything added so far on disk, now."""
        self._for_writing().flush()

    def _for_writing(self) -> Writer:
        if self._writer is None:
            raise ValueError(f"store {self.path} was opened for reading only")
        return self._writer

    def _put(self, statement: str, row: Row, own: Row = ()) -> None:
        self._for_writing().put(statement, row, own)

    def _row(self, query: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        try:
            row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
            return row
        except sqlite3.DatabaseError as error:
            raise problem(self.path, error) from None

    def _rows(self, query: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, tuple(values)).fetchall()
        except sqlite3.DatabaseError as error:
            raise problem(self.path, error) from None

    def _verified(self, query: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Whole rows (`every_column`) that are what was written."""
        rows = self._rows(query, values)
        try:
            verify(rows)
        except WrongChecksum as error:
            raise problem(self.path, error) from None
        return rows

    def _pairs(self, query: str, keys: Iterable[bytes]) -> dict[bytes, str]:
        return dict(row for chunk in _chunks(keys) for row in self._rows(f"{query} ({_marks(chunk)})", chunk))


def lock_store(path: Path) -> StoreLock:
    """The lock of a store, for writing to it; a `UserError` that names who has it."""
    try:
        return StoreLock(path)
    except Timeout:
        raise _taken(path) from None


def _taken(path: Path) -> UserError:
    """The error for a store that another run is writing to."""
    with connect(path, readonly=True) as db:
        run = db.execute("SELECT value FROM meta WHERE name = 'run'").fetchone()
    db.close()
    who = f"process {run[0]}" if run else "another process"
    return UserError(f"store {path}: {who} is running an exam in it; wait until it ends, or give another --store")


def _filter_of(db: sqlite3.Connection) -> BloomFilter:
    known_keys = BloomFilter()
    for (key,) in db.execute("SELECT key FROM calls"):
        known_keys.add(key)
    return known_keys


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


# The same levels and labels come in thousands of trials: each is written out once.


@lru_cache(maxsize=4096)
def _levels(levels: tuple[tuple[str, str], ...]) -> str:
    return _json(dict(levels))


@lru_cache(maxsize=4096)
def _labels(labels: tuple[str, ...]) -> str:
    return _json(labels)


def _marks(values: list[Any]) -> str:
    return ", ".join("?" * len(values))


def _chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """Lists short enough for one query."""
    source = iter(values)
    while chunk := list(islice(source, _PER_QUERY)):
        yield chunk
