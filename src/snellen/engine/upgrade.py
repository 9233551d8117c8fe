"""Stores of earlier layouts, brought up to date in place, after a copy.

Each step says in SQL what a layout has that the one before it had not. All steps of an upgrade are one transaction, so
that a crash leaves the store as it was; the copy, `NAME.layout1` for one of layout 1, is there for whoever wants to go
back to an earlier version.
"""

import sqlite3
from contextlib import closing
from errno import EACCES, EPERM, EROFS
from pathlib import Path

from filelock import FileLock, Timeout

from snellen import __version__
from snellen.engine.checksums import COLUMNS, checksum_of, insert, register
from snellen.errors import UserError
from snellen.masking import mask

_KEYS = {"key", "id", "digest", "name", "source", "place"}


def _masked(column: str) -> str:
    """A column's value with keys masked, as newer versions write it (`writer.py`); no tokens of a masked reply."""
    return (
        "CASE WHEN masked(text) IS text THEN masked(tokens) ELSE '' END" if column == "tokens" else f"masked({column})"
    )


def _all_masked(table: str) -> str:
    return ", ".join(f"{name} = {_masked(name)}" for name in COLUMNS[table] if name not in _KEYS)


STEPS: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE calls ADD COLUMN reasoning TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE calls ADD COLUMN tokens_reasoning INTEGER",
        "ALTER TABLE calls ADD COLUMN tokens_picture INTEGER",
        "ALTER TABLE calls ADD COLUMN tokens TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE trials ADD COLUMN sample INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE trials ADD COLUMN confidence REAL",
        """CREATE TABLE made (
            source TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL,
            levels TEXT NOT NULL, cluster TEXT NOT NULL, PRIMARY KEY (source, place)
        ) WITHOUT ROWID""",
    ),
    2: tuple(
        statement
        for table in COLUMNS
        for statement in (
            f"UPDATE {table} SET {_all_masked(table)}",  # noqa: S608 - our own columns
            f"ALTER TABLE {table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
            f"UPDATE {table} SET checksum = {checksum_of(table, {})}",  # noqa: S608 - our own columns
        )
    ),
}
"""From a layout to what the next one adds."""


def upgrade(path: Path, mark: int, layout: int) -> None:
    """Upgrade a store of an earlier layout; leaves any other file alone."""
    if not _is_old(path, mark, layout):
        return
    lock = FileLock(f"{path}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise UserError(f"store {path}: an earlier version is running an exam in it; wait until it ends") from None
    except OSError as error:
        raise _cannot(path, error) from None
    try:
        if (old := _is_old(path, mark, layout)) is not None:
            _copy(path, old)
            _alter(path, old, layout)
    except (sqlite3.OperationalError, OSError) as error:
        raise _cannot(path, error) from None
    finally:
        lock.release()


def _is_old(path: Path, mark: int, layout: int) -> int | None:
    """The store's layout, if it is a store of an earlier one."""
    if not path.is_file() or not path.stat().st_size:
        return None
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        application, own = _header(address)
    except sqlite3.OperationalError:  # as on a disk that cannot be written
        try:
            application, own = _header(f"{address}&immutable=1")
        except sqlite3.DatabaseError:
            return None
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # no store, or a damaged one: whoever opens it will say so
        return None
    return own if application == mark and own < layout and own in STEPS else None


def _header(address: str) -> tuple[int, int]:
    """The mark and the layout, which is 0 where the header names an old one and the tables are of today."""
    with closing(sqlite3.connect(address, uri=True)) as db:
        mark, layout = (int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version"))
        columns = {name for _, name, *_ in db.execute("PRAGMA table_info(trials)")}
    return mark, 0 if "checksum" in columns else layout


def _copy(path: Path, old: int) -> None:
    """Copy the store, as it is, beside itself; leaves no partial copy."""
    copy = path.with_name(f"{path.name}.layout{old}")
    unfinished = path.with_name(f".{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    source, target = sqlite3.connect(path), sqlite3.connect(unfinished)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
    unfinished.replace(copy)


def _alter(path: Path, old: int, layout: int) -> None:
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    register(db)
    db.execute("PRAGMA secure_delete = ON")  # no trace of a masked key in pages that become free
    db.create_function("masked", 1, lambda value: mask(value) if isinstance(value, str) else value, deterministic=True)
    try:
        db.execute("BEGIN IMMEDIATE")
        with db:
            for step in range(old, layout):
                for statement in STEPS[step]:
                    db.execute(statement)
            db.execute(insert("meta", verb="INSERT OR REPLACE"), ("upgraded by", f"snellen {__version__}"))
            db.execute(f"PRAGMA user_version = {layout}")
    finally:
        db.close()


def _cannot(path: Path, error: Exception) -> Exception:
    """The error to raise: where the disk or its permissions are in the way, what helps; any other is for the caller."""
    refused = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))
    if refused or getattr(error, "errno", None) in (EROFS, EACCES, EPERM):
        return UserError(
            f"store {path}: made by an earlier version, and cannot be upgraded, for the file or its folder is"
            " read-only; copy it to a folder where you can write, and use the copy"
        )
    return error
