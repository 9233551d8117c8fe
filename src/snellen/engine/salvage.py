"""What can be saved of a damaged store, and what is lost.

Every row that is still what was written, wherever in the file or its log it is, goes into a new store. From that the
trials are left out whose calls, pictures or items are lost, so that the exam, given again, asks and records them anew;
whatever was answered and is whole is not asked again.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from snellen.engine.checksums import COLUMNS, insert, register
from snellen.engine.pages import WITHOUT_ROWID, RawRow, pages_of, rows_of, table_of, values_of
from snellen.engine.schema import LOST_PICTURES, TABLES

_PICTURE = re.compile(r'\{"picture":"([0-9a-f]{64})"')
_KEY = {"meta": 1, "images": 1, "calls": 1, "exams": 1, "items": 2, "trials": 1, "made": 2}
"""How many of a table's first columns identify a row."""

Values = tuple[Any, ...]
Watch = Callable[[Iterable[list[RawRow]], int], Iterable[list[RawRow]]]


class Lost(NamedTuple):
    """A row that is lost, with what is known of it; `near`: what is known is of the trial recorded before it."""

    table: str
    why: str
    exam: str = ""
    task: str = ""
    item: str = ""
    subject: str = ""
    near: bool = False


@dataclass(frozen=True)
class Salvaged:
    """How many rows of each table are whole, and what is lost."""

    whole: Counter[str]
    lost: tuple[Lost, ...]


@dataclass
class _Survey:
    """What the pages hold: the keys of whole rows with their rank, damaged rows, and the keys that indexes list."""

    whole: dict[str, dict[Values, tuple[Any, ...]]] = field(default_factory=lambda: {table: {} for table in COLUMNS})
    damaged: list[tuple[str, Values]] = field(default_factory=list)
    listed: list[list[tuple[Any, int]]] = field(default_factory=list)


def salvage(store: Path, target: Path | None = None, watch: Watch = lambda pages, total: pages) -> Salvaged:
    """Write what is whole of a store to a new one at `target`, or, without one, only find out."""
    with closing(sqlite3.connect(target or "", isolation_level=None)) as db:  # the empty name is a passing file
        register(db)
        if target is None:
            db.executescript(TABLES)
        db.execute("BEGIN")
        db.execute("DELETE FROM meta WHERE name <> 'made by'")
        survey = _Survey()
        for pages in pages_of(store):
            _gather(db, survey, watch(rows_of(pages), len(pages)))
        lost = [*_damaged_and_lost(survey), *_listed_and_lost(db, survey)]
        told = {row.why.partition(",")[0] for row in lost if row.table == "images"}
        lost += [row for row in _left_out(db) if row.table != "images" or row.why not in told]
        whole = Counter({table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COLUMNS})  # noqa: S608
        db.execute("COMMIT")
    order = ["trials", "exams", "items", "calls", "images", "made", "meta"]
    return Salvaged(whole, tuple(sorted(lost, key=lambda row: (order.index(row.table), row.near))))


def _gather(db: sqlite3.Connection, survey: _Survey, pages: Iterable[list[RawRow]]) -> None:
    for rows in pages:
        listed = []
        for row in rows:
            if row.rowid is None and len(row.values) == 2 and isinstance(row.values[1], int):
                listed.append((row.values[0], row.values[1]))
            elif (table := table_of(row)) is not None:
                _keep(db, survey, table, row)
            elif (table := _likely_table(row)) is not None:
                survey.damaged.append((table, row.values))
        if listed:
            survey.listed.append(listed)


def _likely_table(row: RawRow) -> str | None:
    """The table of a damaged row, where the number of its columns tells."""
    fitting = [table for table, columns in COLUMNS.items() if len(row.values) == len(columns) + 1]
    fitting = [table for table in fitting if (table in WITHOUT_ROWID) == (row.rowid is None)]
    is_schema = row.values and row.values[0] in ("table", "index")
    return fitting[0] if fitting and not is_schema else None


def _keep(db: sqlite3.Connection, survey: _Survey, table: str, row: RawRow) -> None:
    """Put a row into the new store, unless a later version of it is there."""
    values = values_of(table, row)[:-1]
    key, rank = values[: _KEY[table]], _rank(table, values, row.rowid)
    before = survey.whole[table].get(key)
    if table == "meta" or (before is not None and before >= rank):
        return
    survey.whole[table][key] = rank
    if before is not None:
        names = " AND ".join(f"{name} = ?" for name in COLUMNS[table][: _KEY[table]])
        db.execute(f"DELETE FROM {table} WHERE {names}", key)  # noqa: S608 - our own columns
    db.execute(insert(table), values)
    if row.rowid is not None and table != "exams":
        name = COLUMNS[table][0]
        db.execute(f"UPDATE OR IGNORE {table} SET rowid = ? WHERE {name} = ?", (row.rowid, values[0]))  # noqa: S608


def _rank(table: str, values: Values, rowid: int | None) -> tuple[Any, ...]:
    """The later of two versions of a row has the higher rank."""
    named = dict(zip(COLUMNS[table], values, strict=True))
    match table:
        case "calls":
            return named["status"] == "ok", named["at"]
        case "exams":
            return (named["finished"] or 0.0,)
        case "trials":
            return (rowid,)
    return ()


def _listed_and_lost(db: sqlite3.Connection, survey: _Survey) -> Iterator[Lost]:
    """Rows that an index lists and no page holds; trials of which only an earlier version is left are taken out."""
    told = {(table, values[0]) for table, values in survey.damaged}
    for entries in survey.listed:
        table = max(("trials", "calls", "images"), key=lambda name: sum((k,) in survey.whole[name] for k, _ in entries))
        whole = survey.whole[table]
        for key, rowid in entries:
            rank = whole.get((key,))
            if table == "trials" and rank is not None and rank[0] < rowid:
                db.execute("DELETE FROM trials WHERE key = ?", (key,))
            elif rank is not None or (table, key) in told:
                continue
            told.add((table, key))
            if table == "trials":
                yield _near(db, rowid)
            else:
                yield Lost(table, _named(key))


def _near(db: sqlite3.Connection, rowid: int) -> Lost:
    row = db.execute(
        "SELECT exam, task, item, subject FROM trials WHERE rowid < ? ORDER BY rowid DESC LIMIT 1", (rowid,)
    ).fetchone()
    exam, task, item, subject = map(str, row or ("",) * 4)
    return Lost("trials", f"number {rowid:,} in the store", exam, task, item, subject, near=True)


def _damaged_and_lost(survey: _Survey) -> Iterator[Lost]:
    """Rows that are there and not what was written, with what they say of themselves."""
    for table, values in dict.fromkeys(survey.damaged):
        if values[: _KEY[table]] in survey.whole[table]:
            continue
        named = dict(zip(COLUMNS[table], values, strict=False))
        exam, task, item, subject = (str(named.get(name, ""))[:80] for name in ("exam", "task", "item", "subject"))
        why = f"{_named(values[0])}, damaged" if table in ("images", "calls") else "damaged"
        yield Lost(table, why, exam, task, item, subject)


def _left_out(db: sqlite3.Connection) -> Iterator[Lost]:
    """Take out the trials that hang on something lost, for the exam to hold them again."""
    imported = {id_ for id_, spec in db.execute("SELECT id, spec FROM exams") if "import" in json.loads(spec)}
    exams = {id_ for (id_,) in db.execute("SELECT id FROM exams")}
    items = {id_ for (id_,) in db.execute("SELECT id FROM items")}
    pictures = {digest for (digest,) in db.execute("SELECT digest FROM images")}
    blind: dict[str, set[str]] = {}
    calls = set()
    for key, request in db.execute("SELECT key, request FROM calls"):
        calls.add(key.hex())
        if missing := set(_PICTURE.findall(request)) - pictures:
            blind[key.hex()] = missing
    rows = db.execute("SELECT key, exam, task, item, subject, calls FROM trials").fetchall()
    for key, exam, task, item, subject, made in rows:
        asked = set(json.loads(made))
        why = ""
        if exam not in exams:
            why = "the record of its exam is lost"
        elif asked - calls:
            why = "its call is lost"
        elif exam not in imported and (item not in items or asked & blind.keys()):
            why = "its picture is lost" if item in items else "its item is lost"
        if why:
            db.execute("DELETE FROM trials WHERE key = ?", (key,))
            yield Lost("trials", why, str(exam), task, item, subject)
    missing_pictures = sorted(set().union(*blind.values()))
    if missing_pictures:
        db.execute(insert("meta", verb="INSERT OR REPLACE"), (LOST_PICTURES, json.dumps(missing_pictures)))
        yield from (Lost("images", _named(digest)) for digest in missing_pictures)


def _named(key: object) -> str:
    return f"key {key.hex()[:12] if isinstance(key, bytes) else str(key)[:12]}"
