"""Whatever becomes of a store's bytes: every command says the same as before or that the store is damaged; and then
`check --salvage` saves what is whole, and the exam, given again, fills in the rest."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.commands import Ran, snellen
from support.decay import decayed
from support.lengths import few_and_more

EXAM = ("exam", "sim/chatty", "sim/fixated", "--n", "1", "--json", "--store", "s.sqlite")
TABLE = ("table", "s.sqlite", "overview", "--format", "json")
READERS = (TABLE, ("read", "s.sqlite", "--unread"), ("export", "s.sqlite", "-o", "t.parquet"))
MORE = (
    *(("table", "s.sqlite", name, "--format", "json") for name in ("profile", "accuracy", "fixation-losses")),
    ("compare", "s.sqlite", "sim/chatty", "sim/fixated"),
    ("methods", "s.sqlite"),
    ("report", "s.sqlite", "-o", "page"),
    ("figure", "s.sqlite", "fixation-of-100-items", "-o", "f.svg"),
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A whole store, and the same with its rows still in the log, as a killed exam leaves it."""
    home = tmp_path_factory.mktemp("whole")
    assert snellen(*EXAM, cwd=home).returncode == 0
    whole, logged = home / "s.sqlite", home / "logged.sqlite"
    with closing(sqlite3.connect(logged, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        with closing(sqlite3.connect(whole)) as source, closing(sqlite3.connect(home / "empty.sqlite")) as _:
            source.backup(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        for table in ("trials", "calls", "items"):
            db.execute("BEGIN")
            db.execute(f"CREATE TEMP TABLE kept_{table} AS SELECT * FROM {table}")  # noqa: S608
            db.execute(f"UPDATE {table} SET checksum = checksum + 1")  # noqa: S608
            db.execute(f"UPDATE {table} SET checksum = checksum - 1")  # noqa: S608
            db.execute("COMMIT")
        for name in ("", "-wal"):
            shutil.copyfile(f"{logged}{name}", home / f"killed.sqlite{name}")
    return whole, home / "killed.sqlite"


def test_a_whole_store_is_saved_in_full_or_not_at_all(
    stores: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    with monkeypatch.context() as during:
        during.setattr("snellen.engine.salvage.salvage", full)
        ran = snellen("check", stores[0], "--salvage", "o.sqlite", cwd=tmp_path)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "o.sqlite: the disk is full" in ran.stderr
    assert not [*tmp_path.iterdir()]
    ran = snellen("check", stores[0], "--salvage", "o.sqlite", cwd=tmp_path)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "Saved in o.sqlite; nothing is lost.")
    assert [path.name for path in tmp_path.iterdir()] == ["o.sqlite"]


def said(folder: Path, *commands: tuple[str, ...]) -> list[Ran]:
    return [snellen(*command, cwd=folder) for command in commands]


def check_one(
    whole: Path, folder: Path, number: int, before: dict[tuple[str, ...], Ran], *, refill: bool = True
) -> str:
    harm = decayed(whole, folder, number)
    damaged = False
    for command, expected in before.items():
        ran = snellen(*command, cwd=folder)
        assert "Traceback" not in ran.stderr, (number, harm, command, ran.stderr)
        if ran.returncode == 2:
            assert ran.stdout == "" or command[0] == "report", (number, harm, command)
            assert len(ran.stderr.strip().splitlines()) == 1, (number, harm, ran.stderr)
            damaged = damaged or "--salvage" in ran.stderr
        else:
            assert (ran.returncode, ran.stdout) == (expected.returncode, expected.stdout), (number, harm, command)
    checked = snellen("check", "s.sqlite", "--salvage", "o.sqlite", cwd=folder)
    assert checked.returncode in (0, 1, 2), (number, harm, checked.stderr)
    if damaged:
        assert checked.returncode in (0, 1), (number, harm, checked.stderr)
    if refill and checked.returncode in (0, 1) and (folder / "o.sqlite").exists():
        (folder / "o.sqlite").replace(folder / "s.sqlite")
        for name in ("-wal", "-shm"):
            (folder / f"s.sqlite{name}").unlink(missing_ok=True)
        again = snellen(*EXAM, cwd=folder)
        assert again.returncode == 0, (number, harm, again.stderr)
        table = snellen(*TABLE, cwd=folder)
        assert table.stdout == before[TABLE].stdout, (number, harm, "salvaged and asked again")
        assert snellen("check", "s.sqlite", cwd=folder).returncode == 0
    return "damaged" if damaged else "refused" if checked.returncode == 2 else "the same"


@few_and_more(("first", "number"), [(0, 4)], [(first, 20) for first in range(1000, 2000, 20)])
def test_no_damage_changes_a_figure_in_silence(
    first: int, number: int, stores: tuple[Path, Path], tmp_path: Path
) -> None:
    """Every damage meets three commands and, in the long proof, one of the others in turn."""
    outcomes = []
    for place, store in enumerate(stores):
        (tmp_path / f"whole{place}").mkdir()
        for name in ("", "-wal"):
            if (source := store.with_name(store.name + name)).exists():
                shutil.copyfile(source, tmp_path / f"whole{place}" / f"s.sqlite{name}")
        before = dict(
            zip((*READERS, *MORE), said(tmp_path / f"whole{place}", *READERS, *(MORE if first else ())), strict=False)
        )
        assert {ran.returncode for ran in before.values()} <= {0, 1}, [ran.stderr for ran in before.values()]
        for k in range(first + place, first + number, 2):
            folder = tmp_path / str(k)
            folder.mkdir()
            other = [MORE[k // 2 % len(MORE)]] if first else []
            outcomes.append(
                check_one(
                    store, folder, k, {each: before[each] for each in (*READERS, *other)}, refill=bool(first) or k < 2
                )
            )
            shutil.rmtree(folder)
    assert "damaged" in outcomes
