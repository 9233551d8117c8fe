"""Stores of several machines as one: the union of their rows by key.

Rows are read some at a time, compared with those of the same keys that are there, and written with their checksums as
they are, so that memory does not grow with the stores. All of it is one transaction: a merge that is killed, or that
meets a conflict, leaves the target as it was, and one that is repeated changes nothing.

Of two records of a call or a trial, one with an answer is kept rather than one with an error, and of two errors the
later. Two equal replies are one, with the numbers of the earlier. Two that differ are a conflict. With `keep="first"`
the one stays that was there first, and trials that were marked from the other are left out: the next exam marks them
from the one that is kept, without a call. With `keep="both"` the other is kept as one more sample, numbered from
`KEPT_SAMPLES`, and trials refer to the reply that they were marked from.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from marshal import dumps
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zlib import crc32

from snellen.engine.batch_records import BATCH, FILES
from snellen.engine.checksums import COLUMNS, WrongChecksum, every_column, insert, verify
from snellen.engine.exam_shards import ExamUnion, MergedExam
from snellen.engine.schema import LOST_PICTURES, Damaged, connect, problem
from snellen.engine.store import lock_store
from snellen.errors import UserError

Keep = Literal["first", "both"]
Row = tuple[Any, ...]

KEPT_SAMPLES = 1000
"""Samples that were kept beside another are numbered from here; no exam takes so many."""
MOST_CONFLICTS = 10
"""So many conflicts are shown; all are counted."""
_AT_ONCE = 500
_CACHE = -65536
"""Pages that SQLite keeps, in KiB: keys come in no order, and their index must be found in memory."""
_SHOWN = 60
_CALL, _TRIAL = ({name: place for place, name in enumerate(COLUMNS[table])} for table in ("calls", "trials"))
_REPLY = [_CALL[name] for name in ("text", "finish", "reasoning")]
_OWN_TRIAL = [place for name, place in _TRIAL.items() if name != "exam"]
_MARKED = [place for name, place in _TRIAL.items() if name not in ("exam", "subject")]
"""What a trial is, whatever an exam calls its subject."""


class Conflict(NamedTuple):
    """Two different records of the same call or trial: of whom, under which key, what they say, and where."""

    what: str
    subject: str
    key: str
    first: str
    other: str
    store: Path

    def __str__(self) -> str:
        return f"{self.what} {self.key} of {self.subject}: {self.first!r}, but {self.other!r} in {self.store}"


class MergeConflicts(UserError):
    """Stores that contradict each other: some of the `conflicts`, and how many there are."""

    def __init__(self, conflicts: Sequence[Conflict], number: int, target: Path) -> None:
        super().__init__(
            f"different replies under one key: {number:,}; nothing was written to {target}: --keep both keeps them all,"
            " the later ones as further samples, --keep first those of the store that is named first"
        )
        self.conflicts = conflicts


@dataclass
class MergeResult:
    """What a merge brought: by table the rows that were new and all that are there; trials left out because their reply
    was not kept; conflicts settled by `keep`; and the exams."""

    new: Counter[str] = field(default_factory=Counter)
    total: dict[str, int] = field(default_factory=dict)
    unmarked: int = 0
    settled: int = 0
    exams: list[MergedExam] = field(default_factory=list)


Watch = Callable[[Sequence[Path]], Iterable[Path]]


def merge(
    stores: Sequence[Path], target: Path, keep: Keep | None = None, watch: Watch = lambda paths: paths
) -> MergeResult:
    """Write the union of the stores to `target`, which may hold a part of it already. `watch` sees each store as its
    turn comes. Raises `MergeConflicts`, and other `UserError`s for stores that are damaged or in use."""
    sources = list({path.resolve(): path for path in stores if path.resolve() != target.resolve()}.values())
    is_new = not target.exists()
    for path in sources or [target]:
        connect(path, readonly=True).close()  # whatever is wrong with one is said before anything is written
    with ExitStack() as stack:
        connect(target).close()
        lock = lock_store(target)
        stack.callback(lock.release)
        stack.enter_context(_removed_if_unused(target, is_new))
        db = stack.enter_context(closing(connect(target)))
        db.execute(f"PRAGMA cache_size = {_CACHE}")
        union = _Union(target, db, keep)
        with _told(target), _whole_transaction(db):
            for path, exams in zip(watch(sources), union.take_exams(sources), strict=True):
                with closing(connect(path, readonly=True)) as store:  # one at a time: there may be hundreds
                    union.take(path, store, exams)
            return union.finish()


@contextmanager
def _removed_if_unused(target: Path, is_new: bool) -> Iterator[None]:
    """Leave no empty store behind where there was none."""
    try:
        yield
    except BaseException:
        if is_new:
            for end in ("", "-wal", "-shm", ".lock"):
                with suppress(OSError):  # the lock, which is ours, cannot be removed everywhere
                    Path(f"{target}{end}").unlink()
        raise


@contextmanager
def _whole_transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What is wrong with a store is told in one line."""
    try:
        yield
    except (Damaged, WrongChecksum, sqlite3.DatabaseError) as error:
        raise problem(path, error) from None


class _Union:
    """The store that is written to. `take` each of the others once, then `finish`."""

    def __init__(self, path: Path, db: sqlite3.Connection, keep: Keep | None) -> None:
        self._path, self._db, self._keep = path, db, keep
        self._result = MergeResult()
        self._conflicts: list[Conflict] = []
        self._number = 0
        self._exams = ExamUnion(_rows(db, "exams"))
        self._lost: set[str] = set(_lost_pictures(db))
        # Of the store being taken: calls whose reply is not kept, or kept as a further sample, by their keys in hex
        self._other: dict[str, str] = {}

    def take_exams(self, paths: Sequence[Path]) -> list[dict[int, int]]:
        """Add the exams of all stores; returns for each what number its exams have here."""
        read = []
        for path in paths:
            with closing(connect(path, readonly=True)) as store, _told(path):
                read.append(list(_rows(store, "exams")))
                self._lost |= set(_lost_pictures(store))
        return self._exams.add(read)

    def take(self, path: Path, store: sqlite3.Connection, exams: Mapping[int, int]) -> None:
        self._other = {}
        with _told(path):
            self._take_images(store)
            for rows in _chunks(store, "meta"):
                self._take_notes(rows)
            for table in ("items", "made"):
                for rows in _chunks(store, table):
                    self._put(table, rows, "IGNORE")
            for rows in _chunks(store, "calls"):
                self._take_calls(path, rows)
            for rows in _chunks(store, "trials"):
                self._take_trials(path, rows, exams)

    def finish(self) -> MergeResult:
        """Write what is known only once all were taken. Raises `MergeConflicts` if there are any."""
        if self._number and self._keep is None:
            raise MergeConflicts(self._conflicts, self._number, self._path)
        before = {row[0]: row for row in _rows(self._db, "exams")}
        self._put("exams", [_sealed(row) for row in self._exams.rows() if before.get(row[0]) != row])
        lost = sorted(digest for digest in self._lost if not self._has_image(digest))
        if lost != _lost_pictures(self._db):
            self._db.execute(insert("meta", verb="INSERT OR REPLACE"), (LOST_PICTURES, json.dumps(lost)))
        self._result.exams = list(self._exams.exams.values())
        self._result.settled = self._number
        for table in COLUMNS:
            self._result.total[table] = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
        return self._result

    # Tables

    def _take_notes(self, rows: Sequence[Row]) -> None:
        """Batches that are under way: the next exam into the merged store takes them up."""
        for name, value, _ in rows:
            if name.startswith(f"{FILES} "):  # pictures that each store had uploaded: all are to be deleted in the end
                before = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
                value = json.dumps({**json.loads(value), **json.loads(before[0] if before else "{}")})
                self._db.execute(insert("meta", verb="INSERT OR REPLACE"), (name, value))
            elif name.startswith(f"{BATCH} "):
                self._db.execute(insert("meta", verb="INSERT OR IGNORE"), (name, value))

    def _take_images(self, store: sqlite3.Connection) -> None:
        names = store.execute("SELECT digest FROM images")
        while digests := [digest for (digest,) in names.fetchmany(_AT_ONCE)]:
            for digest in digests:
                if self._has_image(digest):
                    continue
                query = f"{every_column('images')} WHERE digest = ?"
                row = store.execute(query, (digest,)).fetchone()
                verify([(*row[:3], len(row[3]), row[4])])
                if sha256(row[3]).hexdigest() != digest:
                    raise Damaged(f"a picture that is not {digest[:12]}")
                self._put("images", [row])

    def _has_image(self, digest: str) -> bool:
        return self._db.execute("SELECT 1 FROM images WHERE digest = ?", (digest,)).fetchone() is not None

    def _take_calls(self, path: Path, rows: Sequence[Row]) -> None:
        changed, there = self._changed("calls", rows)
        put = []
        for row in changed:
            before = there.get(row[0])
            if before is None or _is_better(row, before):
                put.append(row)
            elif _is_other(row, before):
                self._number += 1
                self._list("call", path, before, row)
                self._other[row[0].hex()] = self._kept_beside(row) if self._keep == "both" else ""
        self._put("calls", put)

    def _kept_beside(self, row: Row) -> str:
        """The key, in hex, under which a reply is kept as a further sample."""
        request = json.loads(row[_CALL["request"]])
        sample = request.get("sample", 0)
        for number in count(1):
            request["sample"] = KEPT_SAMPLES * number + sample
            text = _canonical(request)
            key = sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
            beside = _sealed((key, row[1], text, *row[3:-1]))
            _, there = self._changed("calls", [beside])
            if key not in there or not _is_other(beside, there[key]):
                self._put("calls", [beside], "IGNORE")
                return key.hex()
        raise AssertionError  # numbers do not end

    def _take_trials(self, path: Path, rows: Sequence[Row], exams: Mapping[int, int]) -> None:
        translated = {row[0]: self._own_trial(row, exams) for row in rows}
        unmarked = [key for key, own in translated.items() if own is None]
        self._result.unmarked += len(unmarked) - len(self._select("SELECT key FROM trials", unmarked))
        changed, there = self._changed("trials", [own for own in translated.values() if own is not None])
        put = []
        for own in changed:
            before = there.get(own[0])
            if before is None or (_failed(before) and not _failed(own)):
                put.append(own)
            elif _failed(own) or _same(own, before, _OWN_TRIAL):
                continue
            elif not _same(own, before, _MARKED):
                self._settle_trial(path, before, own)
            elif self._begun(own) > self._begun(before):  # a subject under two names: the later exam's holds
                put.append(own)
        self._put("trials", put)

    def _own_trial(self, row: Row, exams: Mapping[int, int]) -> Row | None:
        """The trial as it is written here; None if a reply that it was marked from is not kept."""
        values = list(row[:-1])
        if (exam := exams.get(row[_TRIAL["exam"]])) is None:
            raise Damaged(f"a trial of exam {row[_TRIAL['exam']]}, which is not there")
        values[_TRIAL["exam"]] = exam
        if self._other:
            calls = [self._other.get(call, call) for call in json.loads(row[_TRIAL["calls"]])]
            if "" in calls:
                return None
            values[_TRIAL["calls"]] = json.dumps(calls, separators=(",", ":"))
        return _sealed(values)

    def _begun(self, row: Row) -> float:
        """When the exam of a trial began."""
        return self._exams.begun[row[_TRIAL["exam"]]]

    def _settle_trial(self, path: Path, before: Row, own: Row) -> None:
        """Of a trial that was marked in another way: where no call differs, that is a conflict, too."""
        if own[_TRIAL["calls"]] == before[_TRIAL["calls"]]:
            self._number += 1
            self._list("trial", path, before, own)
        if self._keep != "both":
            return
        for number in count(1):
            values = list(own[:-1])
            values[0] = sha256(own[0] + f"\x1fsample={number}".encode()).digest()[:16]
            values[_TRIAL["sample"]] += KEPT_SAMPLES * number
            beside = _sealed(values)
            _, there = self._changed("trials", [beside])
            if all(_same(beside, found, _OWN_TRIAL) for found in there.values()):
                self._put("trials", [beside], "IGNORE")
                return

    def _list(self, what: str, path: Path, before: Row, row: Row) -> None:
        if len(self._conflicts) >= MOST_CONFLICTS:
            return
        places, names = (_CALL, ("text", "finish")) if what == "call" else (_TRIAL, ("outcome", "answer"))
        first, other = (", ".join(str(each[places[name]]) for name in names) for each in (before, row))
        subject = str(row[places["subject"]])
        self._conflicts.append(Conflict(what, subject, row[0].hex()[:12], _short(first), _short(other), path))

    # Rows

    def _changed(self, table: str, rows: Sequence[Row]) -> tuple[list[Row], dict[bytes, Row]]:
        """Those of these rows that are not here already as they are, and by key what is here in their places."""
        checksums: dict[bytes, int] = dict(self._select(f"SELECT key, checksum FROM {table}", [row[0] for row in rows]))  # noqa: S608
        changed = [row for row in rows if checksums.get(row[0]) != row[-1]]
        there = self._select(every_column(table), [row[0] for row in changed if row[0] in checksums])
        with _told(self._path):
            verify(there)
        return changed, {row[0]: row for row in there}

    def _select(self, query: str, keys: Sequence[bytes]) -> list[Row]:
        with _told(self._path):
            return self._db.execute(f"{query} WHERE key IN ({', '.join('?' * len(keys))})", keys).fetchall()

    def _put(self, table: str, rows: Sequence[Row], on_conflict: str = "REPLACE") -> None:
        if not rows:
            return
        marks = ", ".join("?" * len(rows[0]))
        with _told(self._path):
            before = self._db.total_changes
            self._db.executemany(f"INSERT OR {on_conflict} INTO {table} VALUES ({marks})", rows)  # noqa: S608
            if new := self._db.total_changes - before:
                self._result.new[table] += new


def _rows(db: sqlite3.Connection, table: str) -> Iterator[Row]:
    """All rows of a small table, without their checksums."""
    for rows in _chunks(db, table):
        yield from (row[:-1] for row in rows)


def _chunks(db: sqlite3.Connection, table: str) -> Iterator[list[Row]]:
    """The rows of a table with their checksums, which are right, in the order in which they were written."""
    found = db.execute(every_column(table))
    while rows := found.fetchmany(_AT_ONCE):
        verify(rows)
        yield rows


def _lost_pictures(db: sqlite3.Connection) -> list[str]:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (LOST_PICTURES,)).fetchone()
    return list(json.loads(row[0])) if row else []


def _sealed(values: Sequence[Any]) -> Row:
    """A row with its checksum (see `checksums.py`)."""
    return (*values, crc32(dumps(tuple(values), 2)))


def _same(row: Row, other: Row, places: Sequence[int]) -> bool:
    return all(row[place] == other[place] for place in places)


def _failed(trial: Row) -> bool:
    return bool(trial[_TRIAL["reason"]] == "error")


def _is_better(row: Row, before: Row) -> bool:
    """Whether a record of a call is kept in place of another: an answer for an error, the later error, or of two equal
    replies the earlier."""
    is_answer, was_answer = (each[_CALL["status"]] == "ok" for each in (row, before))
    at, then = row[_CALL["at"]], before[_CALL["at"]]
    if is_answer != was_answer:
        return bool(is_answer)
    return bool(at > then) if not is_answer else bool(at < then) and not _is_other(row, before)


def _is_other(row: Row, before: Row) -> bool:
    """Whether two records of a call are different replies."""
    are_answers = row[_CALL["status"]] == before[_CALL["status"]] == "ok"
    return are_answers and [row[k] for k in _REPLY] != [before[k] for k in _REPLY]


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
