"""Merging stores: a union by key, whole or not at all, the same however often; what contradicts is said."""

import hashlib
import json
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from snellen.call import Reply
from snellen.engine import CallRecord, Store, TrialRecord, lock
from snellen.engine.batch_records import BATCH, FILES
from snellen.engine.inspection import inspect_store
from snellen.engine.merge import MergeConflicts, merge
from snellen.engine.rows import rows
from snellen.engine.schema import LOST_PICTURES, DamagedStore, connect
from snellen.errors import UserError
from snellen.item import Item, Picture
from support.fakes import PICTURE, call

TABLES = {
    "meta": "name, value",
    "images": "digest, alt, data",
    "calls": "*",
    "exams": "*",
    "items": "*",
    "trials": "*",
    "made": "*",
}


def key(words: str) -> bytes:
    return hashlib.sha256(words.encode()).digest()[:16]


def fill(path: Path, answers: dict[str, str | None], *, at: float = 1.0, exam: str = "an exam") -> Path:
    """A store with a call and a trial for each question; no answer is an error."""
    with Store.open(path) as store:
        number = store.begin_exam({"subject": exam}, {"subjects": ["fake"]})
        store.put_image(PICTURE)
        for place, (question, answer) in enumerate(answers.items()):
            asked = call(question)
            item = Item(f"items/{question}", "task", {}, {"question": question}, "digest")
            store.put_item(item)
            store.put_made("source", int(hashlib.sha256(question.encode()).hexdigest()[:6], 16), item)
            reply = None if answer is None else Reply(answer, "stop", 10, 1, "fake-1")
            problem = ("server", "status 500") if answer is None else ("", "")
            store.add_call(CallRecord(asked.key, "fake", asked.request, reply, *problem, at=at + place))
            outcome, reason = ("unread", "error") if answer is None else ("right" if answer == "X" else "wrong", "")
            trial = TrialRecord(
                *("task", item.id, "fake", "direct", {}, "", outcome, reason, answer or "", "X", ("X", "O"))
            )
            store.add_trial(number, key(question), trial, [asked.key])
        store.end_exam(number, {"trials": len(answers), "errors": 0, "ended": "complete", "items": "ab"})
    return path


def contents(path: Path) -> dict[str, list[Any]]:
    """Every row of a store, whatever the order in which it was written."""
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        found = {
            name: sorted(db.execute(f"SELECT {what} FROM {name}"), key=repr)  # noqa: S608
            for name, what in TABLES.items()
        }
    found["meta"] = [row for row in found["meta"] if row[0] not in (b"run", b"made by")]
    return found


def answers(path: Path) -> dict[str, tuple[str, str]]:
    """By item, what the trial says and what the reply that it refers to says."""
    with Store.open(path, readonly=True) as store:
        table = rows(store._db)
        return {f"{row['item']} {row['sample']}": (row["answer"], row["text"]) for row in table.to_dicts()}


A, B, C = {"a": "X", "b": "O"}, {"c": "X", "d": None}, {"d": "O", "e": "X"}


@pytest.fixture
def stores(tmp_path: Path) -> list[Path]:
    return [fill(tmp_path / f"{k}.db", own, exam=str(k), at=k) for k, own in enumerate((A, B, C), 1)]


def test_a_merge_is_the_union_and_whole(stores: list[Path], tmp_path: Path) -> None:
    merged = merge(stores, tmp_path / "all.db")
    assert {name: merged.total[name] for name in ("calls", "trials", "items", "made", "images", "exams")} == {
        **dict.fromkeys(("calls", "trials", "items", "made"), 5),
        "images": 1,
        "exams": 3,
    }
    assert inspect_store(tmp_path / "all.db", lambda tables, total: tables)["trials"] == 5
    assert answers(tmp_path / "all.db")["items/d 0"] == ("O", "O")  # an answer goes before an error, wherever it is
    with Store.open(tmp_path / "all.db", readonly=True) as store:
        assert [exam.spec["subject"] for exam in store.exams()] == ["1", "2", "3"]
        assert store.image(PICTURE.digest) == PICTURE
        assert len(store.made("source")) == 5


def test_it_is_the_same_in_any_order_and_however_often(stores: list[Path], tmp_path: Path) -> None:
    merge(stores, tmp_path / "all.db")
    whole = contents(tmp_path / "all.db")
    before = [contents(path) for path in stores]
    for number, order in enumerate(permutations(stores)):
        target = tmp_path / f"{number}.all"
        merge(order, target)
        assert contents(target) == whole
    for again in ([stores[0]], stores, [tmp_path / "all.db"], [tmp_path / "all.db", *stores], [*stores, *stores]):
        merged = merge(again, tmp_path / "all.db")
        assert contents(tmp_path / "all.db") == whole
        assert not merged.new
    assert [contents(path) for path in stores] == before


def test_step_by_step_it_is_the_same_but_for_the_numbers_of_exams(stores: list[Path], tmp_path: Path) -> None:
    merge(stores, tmp_path / "all.db")
    for path in stores[::-1]:
        merge([path], tmp_path / "steps.db")
    found = [contents(tmp_path / name) for name in ("all.db", "steps.db")]
    assert all(found[0][table] == found[1][table] for table in TABLES if table not in ("exams", "trials"))
    subjects = []
    for name in ("all.db", "steps.db"):
        with Store.open(tmp_path / name, readonly=True) as store:
            named = {exam.id: exam.spec["subject"] for exam in store.exams()}
            subjects.append({row["item"]: named[row["exam"]] for row in rows(store._db).to_dicts()})
    assert subjects[0] == subjects[1]


def test_a_store_of_stores_merges_as_they_do(stores: list[Path], tmp_path: Path) -> None:
    merge(stores[:2], tmp_path / "two.db")
    merge([tmp_path / "two.db", stores[2], stores[0]], tmp_path / "all.db")
    merge(stores, tmp_path / "direct.db")
    assert contents(tmp_path / "all.db") == contents(tmp_path / "direct.db")


def test_two_equal_replies_are_one_with_the_numbers_of_the_earlier(tmp_path: Path) -> None:
    paths = [fill(tmp_path / "late.db", A, at=100.0), fill(tmp_path / "early.db", A, at=50.0)]
    for number, order in enumerate(permutations(paths)):
        merge(order, tmp_path / f"{number}.all")
        with Store.open(tmp_path / f"{number}.all", readonly=True) as store:
            assert [record.at for record in store.calls([call("a").key])] == [50.0]


OTHER = {"b": "X", "f": "X"}
"""Contradicts `A`."""


@pytest.fixture
def two(stores: list[Path], tmp_path: Path) -> list[Path]:
    return [stores[0], fill(tmp_path / "other.db", OTHER, exam="other", at=9.0)]


def test_another_reply_is_an_error_that_shows_both_and_nothing_is_written(two: list[Path], tmp_path: Path) -> None:
    with pytest.raises(MergeConflicts, match=r"under one key: 1; nothing was written to .*--keep both") as error:
        merge(two, tmp_path / "all.db")
    (conflict,) = error.value.conflicts
    assert str(conflict) == f"call {call('b').key.hex()[:12]} of fake: 'O, stop', but 'X, stop' in {two[1]}"
    assert not list(tmp_path.glob("all.db*"))
    merge(two[:1], tmp_path / "all.db")
    before = contents(tmp_path / "all.db")
    with pytest.raises(MergeConflicts):
        merge(two[1:], tmp_path / "all.db")
    assert contents(tmp_path / "all.db") == before


def test_the_first_reply_may_be_kept(two: list[Path], tmp_path: Path) -> None:
    for _ in range(2):
        merged = merge(two, tmp_path / "all.db", "first")
        assert answers(tmp_path / "all.db") == {
            "items/a 0": ("X", "X"),
            "items/b 0": ("O", "O"),
            "items/f 0": ("X", "X"),
        }
    assert (merged.settled, merged.unmarked, merged.new) == (1, 0, {})


def test_both_replies_may_be_kept_and_each_trial_has_its_own(two: list[Path], tmp_path: Path) -> None:
    for _ in range(2):
        merged = merge(two, tmp_path / "all.db", "both")
        assert answers(tmp_path / "all.db") == {
            "items/a 0": ("X", "X"),
            "items/b 0": ("O", "O"),
            "items/b 1000": ("X", "X"),
            "items/f 0": ("X", "X"),
        }
    assert not merged.new
    with Store.open(tmp_path / "all.db", readonly=True) as store:
        for record in store.calls(json.loads(row["calls"])[0] for row in _trials(store)):
            assert hashlib.sha256(record.request.encode()).digest()[:16] == record.key
    inspect_store(tmp_path / "all.db", lambda tables, total: tables)


def _trials(store: Store) -> Iterator[dict[str, str]]:
    return ({"calls": calls} for (calls,) in store._db.execute("SELECT calls FROM trials"))


def test_a_trial_marked_from_a_reply_that_is_not_kept_is_left_out(two: list[Path], tmp_path: Path) -> None:
    """Another trial may share the call: what it says rests on the reply that is gone."""
    with Store.open(two[1]) as store:
        trial = TrialRecord("task", "items/f", "fake", "told", {}, "", "right", "", "X", "X", ("X", "O"))
        store.add_trial(1, key("shared"), trial, [call("b").key])
    assert merge(two, tmp_path / "first.db", "first").unmarked == 1
    with Store.open(tmp_path / "first.db", readonly=True) as store:
        assert store.done([key("shared")]) == {}
    assert merge(two, tmp_path / "both.db", "both").unmarked == 0
    with Store.open(tmp_path / "both.db", readonly=True) as store:
        ((_, calls),) = store.trial_calls([key("shared")])
        assert [record.reply and record.reply.text for record in store.calls(calls)] == ["X"]


def test_the_same_call_marked_otherwise_is_a_conflict(stores: list[Path], tmp_path: Path) -> None:
    with Store.open(fill(tmp_path / "other.db", A)) as store:
        trial = TrialRecord("task", "items/a", "fake", "direct", {}, "", "wrong", "", "X", "X", ("X", "O"))
        store.add_trial(1, key("a"), trial, [call("a").key])
    with pytest.raises(MergeConflicts) as error:
        merge([stores[0], tmp_path / "other.db"], tmp_path / "all.db")
    assert "trial " in str(error.value.conflicts[0])
    assert "'right, X', but 'wrong, X'" in str(error.value.conflicts[0])


def test_one_model_under_two_names_has_that_of_the_later_exam(tmp_path: Path) -> None:
    paths = [fill(tmp_path / f"{k}.db", A) for k in (1, 2)]
    with Store.open(paths[1]) as store:
        again = store.begin_exam({"subject": "again"}, {"subjects": ["new"]})
        trial = TrialRecord("task", "items/a", "new", "direct", {}, "", "right", "", "X", "X", ("X", "O"))
        store.add_trial(again, key("a"), trial, [call("a").key])
    for order, name in ((paths, "all.db"), (paths[::-1], "back.db")):
        assert merge(order, tmp_path / name).settled == 0
        with Store.open(tmp_path / name, readonly=True) as store:
            assert dict(store.rows().select("item", "subject").rows()) == {"items/a": "new", "items/b": "fake"}


def test_pictures_that_were_lost_are_found_in_another_store(stores: list[Path], tmp_path: Path) -> None:
    with Store.open(stores[0]) as store:
        store.put_image(Picture(b"another"))
    gone = Picture(b"another").digest
    with closing(connect(stores[1])) as db:
        db.execute("DELETE FROM meta WHERE name = ?", (LOST_PICTURES,))
    for path, lost in ((stores[1], [gone]), (stores[2], ["f" * 64])):
        with Store.open(path) as store:
            store._put("INSERT INTO meta SELECT ?1, ?2, row_checksum(?1, ?2)", (LOST_PICTURES, json.dumps(lost)))
    merge(stores[:2], tmp_path / "all.db")
    with Store.open(tmp_path / "all.db") as store:
        assert store.lost_pictures == frozenset()
    merge(stores, tmp_path / "all.db")
    with Store.open(tmp_path / "all.db") as store:
        assert store.lost_pictures == {"f" * 64}


@pytest.mark.parametrize("table", ["calls", "trials", "items", "images", "exams"])
def test_a_damaged_store_is_named_in_one_line(stores: list[Path], tmp_path: Path, table: str) -> None:
    column = {"calls": "text", "trials": "answer", "items": "truth", "images": "alt", "exams": "spec"}[table]
    with closing(sqlite3.connect(stores[0], isolation_level=None)) as db:
        db.execute(f"UPDATE {table} SET {column} = '{{\"decayed\": 1}}'")  # noqa: S608
    with pytest.raises(DamagedStore, match=r"store .*1\.db: the file is damaged .*--salvage") as error:
        merge(stores, tmp_path / "all.db")
    assert "\n" not in str(error.value)
    assert not list(tmp_path.glob("all.db*"))


def test_a_picture_that_is_not_what_its_digest_names_is_not_taken(stores: list[Path], tmp_path: Path) -> None:
    with closing(sqlite3.connect(stores[0], isolation_level=None)) as db:
        db.execute("UPDATE images SET data = zeroblob(length(data))")
    with pytest.raises(DamagedStore, match=r"a picture that is not [0-9a-f]{12}"):
        merge(stores[:1], tmp_path / "all.db")


def test_what_is_no_store_or_not_there_is_said_before_anything_is_written(stores: list[Path], tmp_path: Path) -> None:
    (tmp_path / "words.db").write_text("not a database, but some words that are long enough to be taken for one" * 20)
    for path in (tmp_path / "words.db", tmp_path / "none.db"):
        with pytest.raises(UserError) as error:
            merge([stores[0], path], tmp_path / "all.db")
        assert str(path) in str(error.value)
    assert not list(tmp_path.glob("all.db*"))


def test_a_store_that_is_written_to_is_no_target(stores: list[Path], tmp_path: Path) -> None:
    with (
        Store.open(stores[0]),
        pytest.raises(UserError, match=f"process {os.getpid()} is running an exam"),
    ):
        merge(stores[1:], stores[0])


SLOW = """
import sys, time
from pathlib import Path
from snellen.engine import merge
put = merge._Union._put
def slow(self, table, rows, *how):
    put(self, table, rows, *how)
    if table == "trials" and rows:
        print("begun", flush=True)
        time.sleep(60)
merge._Union._put = slow
merge.merge(list(map(Path, sys.argv[2:])), Path(sys.argv[1]))
"""


@pytest.mark.parametrize("held", [0, 1])
def test_killed_it_leaves_the_target_as_it_was(stores: list[Path], tmp_path: Path, held: int) -> None:
    target = tmp_path / "all.db"
    if held:
        merge(stores[:held], target)
    before = contents(target) if held else None
    words = [sys.executable, "-c", SLOW, str(target), *map(str, stores)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGKILL)
    if before:
        assert contents(target) == before
    merge(stores, target)
    merge(stores, tmp_path / "direct.db")
    assert contents(target) == contents(tmp_path / "direct.db")


def held_by(path: Path, host: str, seconds_ago: float) -> None:
    """As another machine leaves it that is holding an exam, or did."""
    file = Path(f"{path}.host")
    file.write_text(json.dumps({"host": host, "process": 7}))
    then = time.time() - seconds_ago
    os.utime(file, (then, then))


@pytest.mark.parametrize("readonly", [True, False])
def test_a_store_that_another_machine_holds_is_not_opened(stores: list[Path], readonly: bool) -> None:
    held_by(stores[0], "node-17", 5)
    with pytest.raises(UserError, match=r"1\.db: process 7 on node-17 is running an exam in it, .*snellen merge"):
        Store.open(stores[0], readonly=readonly)
    with pytest.raises(UserError, match="node-17"):
        merge(stores, stores[0].with_name("all.db"))
    held_by(stores[0], "node-17", lock.LATELY + 5)  # it is gone
    Store.open(stores[0], readonly=readonly).close()


def test_a_store_says_who_holds_it_as_long_as_it_does(stores: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "BEAT", 0.01)
    file = Path(f"{stores[0]}.host")
    with Store.open(stores[0]):
        assert json.loads(file.read_text()) == {"host": platform.node(), "process": os.getpid()}
        os.utime(file, (0, 0))
        while file.stat().st_mtime < 1:
            time.sleep(0.01)
        Store.open(stores[0], readonly=True).close()
        monkeypatch.setattr(lock, "node", lambda: "another")
        with pytest.raises(UserError, match=f"process {os.getpid()} on "):
            Store.open(stores[0], readonly=True)
    assert not file.exists()


@pytest.mark.parametrize("words", ["", "{", "[]", '{"host": "x"}', '{"host": "x", "process": "y"}'])
def test_a_note_that_says_nothing_keeps_nobody_out(stores: list[Path], words: str) -> None:
    Path(f"{stores[0]}.host").write_text(words)
    Store.open(stores[0]).close()


@pytest.mark.parametrize("name", ["s3://bucket/runs.sqlite", "gs://a/b.sqlite", "https://host/x"])
def test_an_object_store_is_no_place_for_a_store(name: str) -> None:
    with pytest.raises(UserError, match=f"store {name}: SQLite cannot work in an object store; give a file"):
        Store.open(name)


def test_batches_under_way_go_along(tmp_path: Path) -> None:
    first, second = fill(tmp_path / "a.sqlite", {"one": "X"}), fill(tmp_path / "b.sqlite", {"two": "X"})
    with Store.open(second) as store:
        store.put_note(BATCH, "n1", {"subject": "fake", "id": "batch_1"})
        store.put_note(FILES, "fake", {"picture b": "file_b"})
    with Store.open(first) as store:
        store.put_note(FILES, "fake", {"picture a": "file_a"})
    for _ in range(2):
        merge([first, second], tmp_path / "c.sqlite")
        with Store.open(tmp_path / "c.sqlite", readonly=True) as store:
            assert store.notes(BATCH) == {"n1": {"subject": "fake", "id": "batch_1"}}
            assert store.notes(FILES) == {"fake": {"picture a": "file_a", "picture b": "file_b"}}
