"""Damage to a store's file that the checksums of rows do not show: rows that nobody finds any more.

A page that points elsewhere, an index that disagrees with its table, a log that ends too early: SQLite reads past all
of that without a word. So every store is looked through when it is opened, and again only once it has changed: some
6 microseconds per trial. Left out are the pages of pictures, whose bytes are compared with their digest when read.
"""

import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from snellen.engine.checksums import COLUMNS
from snellen.engine.log import log_of

Columns = dict[str, set[tuple[str, str, int]]]
LARGE = 1 << 26
"""Bytes of a file that two threads look through."""
_sound: dict[Path, object] = {}
"""What the files of a store looked like when it was last found sound."""


def columns_of(db: sqlite3.Connection) -> Columns:
    """Name, type and place in the key of every column, by table."""
    return {
        table: {(name, kind, key) for _, name, kind, _, _, key in db.execute(f"PRAGMA table_info({table})")}
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }


def trust(path: Path) -> None:
    """Take a store for sound: another process, which started this one, has looked it through."""
    _sound[path.absolute()] = _look(path)


def structure_fault(path: Path, db: sqlite3.Connection, tables: str, *, writing: bool) -> str:
    """What SQLite finds wrong with the structure of a store, in one line; empty if nothing."""
    look = (path.absolute(), _look(path))
    if _sound.get(look[0]) == look[1] and not writing:
        return ""
    columns, roots = _layout(tables)
    if columns_of(db) != columns:
        return "tables that are not those of a store"
    if fault := _fault_in_tables(path, db):
        return fault
    by_index = _number(db, "SELECT count(*) FROM images")
    by_table = _number(db, "SELECT count(*) FROM images NOT INDEXED")
    if by_index != by_table:
        return f"{by_table:,} pictures where {by_index:,} are listed"
    own_roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema"))
    spare = writing and _number(db, "PRAGMA freelist_count")
    if (spare or own_roots != roots) and (fault := _first(db, "quick_check")):  # all of it
        return fault
    _sound[look[0]] = look[1]
    return ""


def _fault_in_tables(path: Path, db: sqlite3.Connection) -> str:
    """The first fault in any table but that of pictures; of a large file a thread of its own looks through the calls,
    most of what it holds, meanwhile."""
    tables = [table for table in COLUMNS if table != "images"]
    if path.stat().st_size <= LARGE:
        return _fault_in(tables, db)
    with ThreadPoolExecutor(1) as beside:
        calls = beside.submit(_fault_in_calls, path)
        rest = _fault_in([table for table in tables if table != "calls"], db)
        told = calls.result()
    return (_fault_in(["calls"], db) if told is None else told) or rest


def _fault_in(tables: Iterable[str], db: sqlite3.Connection) -> str:
    return next(filter(None, (_first(db, f"integrity_check({table})") for table in tables)), "")


def _fault_in_calls(path: Path) -> str | None:
    """What is wrong with the table of calls; None if it cannot be reached by a second connection."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return None
    try:
        return _fault_in(["calls"], db)
    except sqlite3.OperationalError:
        return None
    finally:
        db.close()


def _number(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])


def _first(db: sqlite3.Connection, check: str) -> str:
    """What a check of SQLite's says first; empty if all is well."""
    said = str(db.execute(f"PRAGMA {check}").fetchone()[0])
    lines = [line for line in said.splitlines() if not line.startswith("*** in database")]
    return "" if said == "ok" else (lines or [said])[0]


@cache
def _layout(tables: str) -> tuple[Columns, dict[str, int]]:
    """The columns of a new store and the pages at which its tables begin."""
    db = sqlite3.connect(":memory:")
    db.executescript(tables)
    layout = columns_of(db), dict(db.execute("SELECT name, rootpage FROM sqlite_schema"))
    db.close()
    return layout


def _look(path: Path) -> tuple[tuple[int, int, int], ...]:
    states = [file.stat() for file in (path, log_of(path)) if file.exists()]
    # Every reader makes an empty log anew and takes it away again.
    states = [state for state in states if state.st_size]
    return tuple((state.st_ino, state.st_size, state.st_mtime_ns) for state in states)
