"""Stores of the version that came before open, are brought up to date after a copy, and say the same as ever."""

import errno
import gzip
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock

import snellen
from snellen.engine import Store, schema, upgrade
from snellen.errors import UserError
from snellen.item import content_digest

OLD = Path(__file__).parent / "layout1"
ROWS = pl.read_parquet(OLD / "rows.parquet")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.sqlite"
    path.write_bytes(gzip.decompress((OLD / "store.sqlite.gz").read_bytes()))
    return path


def layout(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


@pytest.mark.parametrize("readonly", [True, False])
def test_an_old_store_opens_and_has_the_same_rows(old: Path, readonly: bool) -> None:
    assert layout(old) == 1
    with Store.open(old, readonly=readonly) as store:
        rows = store.rows()
        assert rows.select(ROWS.columns).equals(ROWS)
        assert rows["sample"].unique().to_list() == [0]
        assert rows["confidence"].null_count() == rows.height
        assert len(store.exams()) == 5
    assert layout(old) == schema.LAYOUT


def test_the_copy_is_the_store_as_it_was(old: Path) -> None:
    before = dump(old)
    Store.open(old, readonly=True).close()
    copy = old.with_name("old.sqlite.layout1")
    assert layout(copy) == 1
    assert dump(copy) == before
    Store.open(old, readonly=True).close()
    assert sorted(path.name for path in old.parent.iterdir() if "layout" in path.name) == ["old.sqlite.layout1"]


def test_recorded_calls_and_trials_are_not_made_again(old: Path) -> None:
    """The reader has changed since, so trials are marked anew, from the replies on record; rungs are new."""
    rungs = 8 * (4 + 1)
    before = calls(old)
    again = snellen.exam("sim/fixated", n=2, store=old)
    assert again.summary is not None
    assert (again.summary.done + again.summary.skipped, calls(old)) == (96 + rungs, before + rungs)
    more = snellen.exam("sim/fixated", n=2, samples=2, store=old)
    assert more.summary is not None
    assert (more.summary.done, more.summary.skipped) == (96 + rungs, 96 + rungs)
    assert calls(old) > before + rungs


def calls(store: Path) -> int:
    with Store.open(store, readonly=True) as opened:
        return int(opened._db.execute("SELECT count(*) FROM calls").fetchone()[0])


def test_findings_and_report_of_an_old_store(old: Path, tmp_path: Path) -> None:
    exam = snellen.Exam(old)
    assert {diagnosis.subject for diagnosis in exam.findings.diagnoses} >= {"sim/fixated", "sim/chatty"}
    assert exam.report(tmp_path / "report").is_file()


def test_a_crash_on_the_way_leaves_the_old_store(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (*upgrade.STEPS[1][:3], "ALTER TABLE nothing ADD COLUMN of_the_kind TEXT")
    monkeypatch.setitem(upgrade.STEPS, 1, steps)
    with pytest.raises(UserError, match="near"):
        Store.open(old)
    assert layout(old) == 1
    monkeypatch.undo()
    with Store.open(old) as store:
        assert store.rows().height == ROWS.height


@pytest.mark.parametrize("readonly", [True, False])
def test_an_old_store_on_a_disk_that_cannot_be_written_is_to_be_copied(
    readonly: bool, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a mount that is read-only answers, to root as well: EROFS to whoever opens a file to write, and SQLite cannot
    make the files beside a store."""

    def opened(path: str | Path, flags: int, *more: int, **others: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return plain(path, flags, *more, **others)

    def connected(address: str | Path, *more: Any, **others: Any) -> sqlite3.Connection:
        if "immutable=1" not in str(address):
            raise cannot
        return connect(address, *more, **others)

    plain, connect = os.open, sqlite3.connect
    cannot = sqlite3.OperationalError("unable to open database file")
    cannot.sqlite_errorname = "SQLITE_CANTOPEN"
    before = old.read_bytes()
    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(sqlite3, "connect", connected)
    with pytest.raises(UserError, match="copy it to a folder") as error:
        Store.open(old, readonly=readonly)
    assert "\n" not in str(error.value)
    assert [path.name for path in old.parent.iterdir()] == [old.name]
    assert old.read_bytes() == before


def test_an_exam_of_the_earlier_version_is_not_disturbed(old: Path) -> None:
    with FileLock(f"{old}.lock"), pytest.raises(UserError, match="running an exam"):
        Store.open(old)
    assert layout(old) == 1


def test_a_new_store_has_the_columns_of_an_upgraded_one(old: Path, tmp_path: Path) -> None:
    Store.open(old).close()
    Store.open(tmp_path / "new.sqlite").close()

    def columns(path: Path) -> dict[str, set[tuple[object, ...]]]:
        db = sqlite3.connect(path)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: {row[1:4] for row in db.execute(f"PRAGMA table_info({name})")} for name in tables}

    assert columns(old) == columns(tmp_path / "new.sqlite")


LAYOUTS = {
    1: ("0.1.0", ""),
    2: ("0.1.0", "19e6d96a4232a9ab1c129703967b51e1"),
    3: ("0.2.0", "38595a2432483df89752d1a880ba027f"),
}
"""Every layout with the first version that wrote it, and the digest of its tables."""


def test_other_tables_are_another_layout_with_a_version_and_a_step_of_its_own(tmp_path: Path) -> None:
    """Whoever changes a table raises LAYOUT, adds a step to `upgrade.STEPS`, and a line above with the new version."""
    Store.open(tmp_path / "new.sqlite").close()
    with closing(sqlite3.connect(tmp_path / "new.sqlite")) as db:
        tables = [" ".join(sql.split()) for (sql,) in db.execute("SELECT sql FROM sqlite_schema ORDER BY name") if sql]
    version, digest = LAYOUTS[schema.LAYOUT]
    assert content_digest(*tables) == digest
    assert list(LAYOUTS) == [*upgrade.STEPS, schema.LAYOUT]
    assert parsed(version) <= parsed(snellen.__version__)


def parsed(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_a_store_says_which_version_made_it_and_which_upgraded_it(old: Path, tmp_path: Path) -> None:
    def versions(path: Path) -> dict[str, str]:
        with closing(sqlite3.connect(path)) as db:
            return dict(db.execute("SELECT name, value FROM meta WHERE name LIKE '% by'"))

    Store.open(tmp_path / "new.sqlite").close()
    assert versions(tmp_path / "new.sqlite") == {"made by": f"snellen {snellen.__version__}"}
    before = versions(old)["made by"]
    Store.open(old).close()
    assert versions(old) == {"made by": before, "upgraded by": f"snellen {snellen.__version__}"}
    with closing(sqlite3.connect(old)) as db:
        db.execute("UPDATE meta SET value = 'snellen 7.0' WHERE name = 'upgraded by'")
        db.execute("PRAGMA user_version = 99")
        db.commit()
    with pytest.raises(UserError, match=r"layout 99 \(of snellen 7\.0\)"):
        Store.open(old)


def test_a_later_layout_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    Store.open(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.execute("UPDATE meta SET value = 'snellen 7.0' WHERE name = 'made by'")
    db.commit()
    db.close()
    with pytest.raises(UserError, match="layout 99"):
        Store.open(path)
