"""The store's layout, and opening a file only if it has that layout.

The file says what it is in SQLite's own header fields: `application_id` marks a Snellen store, `user_version` its
layout; which version made it, and which last upgraded it, is in `meta`. Whoever opens anything else is told so in one
line instead of meeting a missing table later. A change to `TABLES` is a new layout, with a step in `upgrade.py`.
"""

import sqlite3
from pathlib import Path

from snellen import __version__
from snellen.defaults import DEFAULT_STORE
from snellen.engine.checksums import insert, is_damage, register
from snellen.engine.lock import refuse_other_host
from snellen.engine.log import log_fault, log_of
from snellen.engine.pages import holds_rows
from snellen.engine.soundness import columns_of, structure_fault
from snellen.engine.upgrade import upgrade
from snellen.errors import UserError, invocation

APPLICATION_ID = 0x534E4C4E  # "SNLN"
LAYOUT = 3
LOST_PICTURES = "lost pictures"
"""In `meta`: pictures of recorded calls that were lost to damage, for the next exam to put back."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE images (
    digest TEXT PRIMARY KEY, media_type TEXT NOT NULL, alt TEXT NOT NULL, data BLOB NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE calls (
    key BLOB PRIMARY KEY, subject TEXT NOT NULL, request TEXT NOT NULL, status TEXT NOT NULL,
    text TEXT, finish TEXT, tokens_in INTEGER, tokens_out INTEGER, model TEXT,
    problem TEXT NOT NULL, message TEXT NOT NULL, attempts INTEGER NOT NULL, seconds REAL NOT NULL,
    at REAL NOT NULL,
    reasoning TEXT NOT NULL DEFAULT '', tokens_reasoning INTEGER, tokens_picture INTEGER,
    tokens TEXT NOT NULL DEFAULT '', checksum INTEGER NOT NULL
);
CREATE TABLE exams (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL, fingerprint TEXT NOT NULL, started REAL NOT NULL,
    finished REAL, counts TEXT NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE items (
    id TEXT NOT NULL, digest TEXT NOT NULL, task TEXT NOT NULL, truth TEXT NOT NULL,
    checksum INTEGER NOT NULL, PRIMARY KEY (id, digest)
) WITHOUT ROWID;
CREATE TABLE trials (
    key BLOB PRIMARY KEY, exam INTEGER NOT NULL, task TEXT NOT NULL, item TEXT NOT NULL, cluster TEXT NOT NULL,
    subject TEXT NOT NULL, paradigm TEXT NOT NULL, levels TEXT NOT NULL, pack TEXT NOT NULL,
    outcome TEXT NOT NULL, reason TEXT NOT NULL, answer TEXT NOT NULL, expected TEXT NOT NULL,
    labels TEXT NOT NULL, mechanism TEXT NOT NULL, how TEXT NOT NULL,
    span_start INTEGER NOT NULL, span_end INTEGER NOT NULL, calls TEXT NOT NULL,
    sample INTEGER NOT NULL DEFAULT 0, confidence REAL, checksum INTEGER NOT NULL
);
CREATE TABLE made (
    source TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, levels TEXT NOT NULL,
    cluster TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (source, place)
) WITHOUT ROWID;
"""


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """A connection to a store; a new or empty file becomes one unless `readonly`, and one of an earlier layout is
    upgraded first (see `upgrade.py`)."""
    refuse_place(path)
    if readonly and not path.is_file():
        raise UserError(f"no store at {path}: run `{_exam_into(path)}` to make one, or name another")
    db = None
    try:
        if path.exists() and (fault := log_fault(path)):
            raise Damaged(fault)
        upgrade(path, APPLICATION_ID, LAYOUT)
        db = open_store(path, readonly=readonly)
        if not readonly:
            _prepare(db)
        _check(path, db)
        if fault := structure_fault(path, db, TABLES, writing=not readonly):
            raise Damaged(fault)
    except (Damaged, sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if db is not None:
            db.close()
        raise problem(path, error) from None
    return db


def refuse_place(path: Path) -> None:
    """Raise `UserError` where no store can be, or where another machine has it open."""
    refuse_object_store(path)
    refuse_other_host(path)
    if not path.parent.is_dir():
        fault = "is a file;" if path.parent.exists() else "does not exist; create it or"
        raise UserError(f"store {path}: the folder {path.parent} {fault} give another file")
    if path.is_dir():
        raise UserError(f"store {path}: this is a folder; give a file")


def refuse_object_store(path: Path) -> None:
    """Raise `UserError` for the address of an object store."""
    scheme = next(iter(path.parts), "")
    if scheme.endswith(":") and len(scheme) > 2:  # a longer word than a drive of Windows: s3://...
        raise UserError(
            f"store {str(path).replace(':', ':/', 1)}: SQLite cannot work in an object store; give a file on a disk of"
            " this machine, and copy it there when the exam has ended"
        )


def _exam_into(path: Path) -> str:
    """The command that fills a store."""
    return invocation("exam", *(() if path == DEFAULT_STORE else ("--store", path)))


def open_store(path: Path, *, readonly: bool) -> sqlite3.Connection:
    """One connection for one thread at a time; transactions are begun and ended by hand."""
    address = path.absolute().as_uri()
    if not readonly:
        return _reached(f"{address}?mode=rwc")
    try:
        # Not "ro": a reader that may write takes the side files with it when it is the last to go.
        db = _reached(f"{address}?mode=rw")
        db.execute("PRAGMA query_only = 1")
        return db
    except sqlite3.OperationalError:
        if _has_log(path):
            return _reached(f"{address}?mode=ro")
        # A finished store on a disk that cannot be written can be read if nobody is going to change it.
        return _reached(f"{address}?mode=ro&immutable=1")


def _has_log(path: Path) -> bool:
    """True if results are in the log beside the store, as a killed exam leaves them."""
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


def _reached(address: str) -> sqlite3.Connection:
    """Open a connection and check that the file can be read."""
    db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=30)
    register(db)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection) -> None:
    """Lay out an empty file in one transaction, so that a crash leaves either nothing or a whole store."""
    db.execute("BEGIN IMMEDIATE")
    with db:
        if _header(db) == (0, 0) and not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            for statement in filter(str.strip, TABLES.split(";")):
                db.execute(statement)
            db.execute(insert("meta"), ("made by", f"snellen {__version__}"))
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {LAYOUT}")
    if _header(db) == (APPLICATION_ID, LAYOUT):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 4000")
        # Safe against any crash of ours without waiting for the disk; a power cut may cost the last moment.
        db.execute("PRAGMA synchronous = NORMAL")


def _header(db: sqlite3.Connection) -> tuple[int, int]:
    mark, layout = (db.execute(f"PRAGMA {field}").fetchone()[0] for field in ("application_id", "user_version"))
    return mark, layout


def _check(path: Path, db: sqlite3.Connection) -> None:
    mark, layout = _header(db)
    if mark == APPLICATION_ID and layout == LAYOUT:
        return
    tables = columns_of(db)
    empty = not tables
    ours = {"trials", "calls", "meta"} <= tables.keys()
    maker = _maker(db) if ours else ""
    if ours and (mark != APPLICATION_ID or layout < LAYOUT or maker == f"snellen {__version__}"):
        raise Damaged(f"the mark {mark:#x} and layout {layout} in its header")
    db.close()
    if (mark, layout) == (0, 0) and empty:
        raise UserError(f"store {path}: it is empty; run `{_exam_into(path)}` first")
    if mark != APPLICATION_ID:
        raise UserError(f"store {path}: an SQLite file, but not a Snellen store; give another file")
    raise UserError(
        f"store {path}: has layout {layout} (of {maker}), this is snellen {__version__} with layout {LAYOUT}; "
        "use that version, or start a new store in another file"
    )


def _maker(db: sqlite3.Connection) -> str:
    """The version that gave a store its layout."""
    versions = dict(db.execute("SELECT name, value FROM meta WHERE name IN ('made by', 'upgraded by')"))
    return str(versions.get("upgraded by") or versions.get("made by") or "an unknown version")


class Damaged(ValueError):
    """A value in a store that no version of Snellen writes."""


class DamagedStore(UserError):
    """A store that is damaged: `found` says how it shows."""

    def __init__(self, message: str, found: str) -> None:
        super().__init__(message)
        self.found = found


_DAMAGE = {"SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT"}
"""What SQLite says of damage: our own statements fit every store that is whole."""
_ADVICE = {
    "SQLITE_FULL": "the disk is full; free some space and run the same command again; recorded results are kept",
    "SQLITE_NOTADB": "not a Snellen store; give another file",
    "SQLITE_READONLY": "cannot be written; change its permissions or give another file",
    "SQLITE_CANTOPEN": "cannot be opened; check its permissions and those of its folder",
    "SQLITE_BUSY": "another program has locked it; close that program and run the same command again",
}


def problem(path: Path, error: Exception) -> UserError:
    """The error for a store file, as one line for the user."""
    name = getattr(error, "sqlite_errorname", None) or ""
    family = "_".join(name.split("_")[:2])  # extended names (SQLITE_IOERR_WRITE) begin with the plain one
    if is_damage(error):
        error = Damaged("a row whose checksum is wrong")
    elif family in _DAMAGE or not family or (family == "SQLITE_NOTADB" and holds_rows(path)):
        error = Damaged(str(error))
    if isinstance(error, Damaged):
        save = invocation("check", path, "--salvage", path.with_name(f"{path.stem}-salvaged{path.suffix}"))
        message = f"store {path}: the file is damaged (found {error}); `{save}` saves what is whole"
        return DamagedStore(message, str(error))
    if family == "SQLITE_CANTOPEN" and _has_log(path):
        return UserError(
            f"store {path}: some of its results are still in {log_of(path).name}, which cannot be read on a read-only"
            " disk; copy both files to a folder where you can write, and use the copy"
        )
    advice = _ADVICE.get(family, f"{error}; check the disk and run the same command again; recorded results are kept")
    return UserError(f"store {path}: {advice}")
