"""The store: what goes in comes out, and whatever is wrong with the file is said in one line."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from snellen.call import Call, CallFailed, Message, Reply
from snellen.engine import CallRecord, Store
from snellen.engine.log import log_of
from snellen.engine.rows import export
from snellen.engine.schema import problem
from snellen.errors import UserError
from snellen.item import Picture
from support.fakes import PICTURE, FakeJob, FakeSubject, call, trial_key

REPLY = Reply("X wins", "stop", 120, 3, "fake-1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


def record(words: str, reply: Reply | None = REPLY, **more: object) -> CallRecord:
    asked = call(words)
    return CallRecord(asked.key, asked.subject, asked.request, reply, **more)  # type: ignore[arg-type]


def one_line(error: pytest.ExceptionInfo[UserError], *words: str) -> None:
    message = str(error.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_a_call_comes_back_as_it_was_recorded(path: Path) -> None:
    kept = record("a", attempts=3, seconds=1.5, at=12.0)
    with Store.open(path) as store:
        store.put_image(PICTURE)
        store.add_call(kept)
    with Store.open(path, readonly=True) as store:
        assert store.call(kept.key) == store.call(kept.key.hex()) == kept
        assert store.get_reply(kept.key) == REPLY
        assert store.image(PICTURE.digest) == PICTURE
        assert store.call(b"another key") is None
        assert store.image("another digest") is None


def test_calls_and_trials_are_found_by_how_their_keys_begin(path: Path) -> None:
    job = FakeJob(FakeSubject(), call("a"), b"")
    kept = [record(words) for words in ("a", "b", "c")]
    trials = [trial_key(number) for number in range(3)]
    with Store.open(path) as store:
        for each, key in zip(kept, trials, strict=True):
            store.add_call(each)
            store.add_trial(1, key, job._record("right", "", "X"), [each.key])
        store.flush()
        found = list(store.calls([kept[0].key[:8], kept[2].key.hex()[:16], b"no key begins so"]))
        assert sorted(each.key for each in found) == sorted((kept[0].key, kept[2].key))
        starts = [key.hex()[:16] for key in trials]
        assert store.trial_ids([starts[1], "00" * 8]) == {starts[1]: trials[1].hex()}


def test_a_failed_call_is_a_record_and_no_answer_and_gives_way_to_one(path: Path) -> None:
    failed, answered = record("a", None, problem="server", message="status 500", attempts=6), record("a")
    with Store.open(path) as store:
        store.add_call(failed)
        store.flush()
        assert store.call(failed.key) == failed
        assert store.get_reply(failed.key) is None
        assert store.answered([failed.key]) == {}
        store.add_call(answered)
        store.flush()
        assert store.get_reply(failed.key) == REPLY
        store.add_call(failed)
        store.flush()
        assert store.get_reply(failed.key) == REPLY, "an answer is never replaced"


def test_which_of_many_keys_are_there(path: Path) -> None:
    keys = [trial_key(i) for i in range(1200)]
    job = FakeJob(FakeSubject(), call("a"), b"")
    with Store.open(path) as store:
        for key in keys[::2]:
            store.add_trial(1, key, job._record("right", "", "X"), [])
        store.add_trial(1, keys[1], job.failed(CallFailed("server", "500")), [])
        store.flush()
        assert set(store.done(keys)) == set(keys[::2]), "a trial whose calls failed is not done"
        assert set(store.outcomes(keys)) == set(keys[::2])
        assert {(marked.subject, marked.outcome) for marked in store.outcomes(keys).values()} == {
            (job.subject, "right")
        }


def test_pictures_are_kept_once(path: Path) -> None:
    with Store.open(path) as store:
        for _ in range(3):
            store.put_image(PICTURE)
            store.flush()
            store._pictures.clear()
        assert store._db.execute("SELECT count(*) FROM images").fetchone() == (1,)


def test_remembering_pictures_takes_bounded_room(path: Path) -> None:
    with Store.open(path) as store:
        for i in range(4200):
            store.put_image(Picture(b"%d" % i))
        store.flush()
        assert len(store._pictures) <= 4096
        assert store._db.execute("SELECT count(*) FROM images").fetchone() == (4200,)


def test_exams_are_numbered_and_ended(path: Path) -> None:
    with Store.open(path) as store:
        first = store.begin_exam({"tasks": ["fixation"]}, {"reader": "1"})
        second = store.begin_exam({}, {})
        store.end_exam(first, {"done": 10})
        exams = store.exams()
    assert [e.id for e in exams] == [first, second] == [1, 2]
    assert exams[0].spec == {"tasks": ["fixation"]}
    assert exams[0].counts == {"done": 10}
    assert exams[0].finished is not None
    assert exams[1].finished is None


def test_rows_are_tidy(path: Path) -> None:
    job = FakeJob(FakeSubject(), call("a"), b"")
    right, failed = job._record("right", "", "X"), job.failed(CallFailed("server", "500"))
    other = right._replace(task="marvel", levels={"pattern": "3", "task": "odd"})
    with Store.open(path) as store:
        store.add_call(record("a", seconds=0.25))
        store.add_trial(1, trial_key(1), right, [call("b").key, call("a").key])
        store.add_trial(1, trial_key(2), failed, [call("never").key])
        store.add_trial(2, trial_key(3), other, [])
        store.flush()
        rows = store.rows()
    assert rows.columns == [
        *("trial", "task", "item", "cluster", "subject", "paradigm", "sample", "game", "rule", "pattern", "task_"),
        *("pack", "outcome", "reason", "answer", "key", "labels", "mechanism", "how", "span_start", "span_end"),
        *("confidence", "text", "reasoning", "finish", "tokens_in", "tokens_out", "tokens_reasoning"),
        *("tokens_picture", "tokens_cached", "tokens_written", "seconds", "pictures", "nth", "exam", "calls"),
    ]
    assert rows["trial"].to_list() == [trial_key(i).hex() for i in (1, 2, 3)]
    first, second, third = rows.to_dicts()
    assert (first["game"], first["rule"], first["pattern"]) == ("tictactoe", "standard", None)
    assert (first["text"], first["tokens_out"], first["seconds"]) == ("X wins", 3, 0.25)
    assert (first["key"], first["labels"], first["span_end"]) == ("X", ["X", "O"], 1)
    assert first["calls"] == [call("b").key.hex(), call("a").key.hex()]
    assert (second["outcome"], second["reason"], second["text"]) == ("unread", "error", None)
    assert (third["task"], third["task_"], third["pattern"], third["game"]) == ("marvel", "odd", "3", None)


def test_pictures_are_those_that_whoever_answered_was_shown_at_once(path: Path) -> None:
    other = Picture(PICTURE.data + b" ", alt="another board")
    quoting = 'This is no picture: {"picture":"abc"}'
    asked = {
        "two": Call("fake", {}, (Message("user", (PICTURE, other, quoting)),)),
        "one": Call("fake", {}, (Message("user", (PICTURE, "Describe it.")),)),
        "later": Call(
            "fake", {}, (Message("user", (PICTURE, "?")), Message("assistant", ("X",)), Message("user", ("?",)))
        ),
        "others": Call("describer", {}, (Message("user", (PICTURE, other, "Describe both.")),)),
        "words": Call("fake", {}, (Message("user", (quoting,)),)),
    }
    held = {
        ("two",): 2,
        ("words",): 0,
        ("one", "words"): 1,
        ("others", "words"): 0,
        ("two", "later"): 2,
        ("never",): None,
        (): None,
    }
    right = FakeJob(FakeSubject(), call("a"), b"")._record("right", "", "X")
    with Store.open(path) as store:
        for each in asked.values():
            store.add_call(CallRecord(each.key, each.subject, each.request, REPLY))
        for number, names in enumerate(held):
            keys = [asked[name].key if name in asked else b"never" for name in names]
            store.add_trial(1, trial_key(number), right, keys)
        store.flush()
        rows = store.rows()
    assert rows["pictures"].to_list() == list(held.values())


def test_nth_counts_each_subjects_trials_in_the_order_they_were_held(path: Path) -> None:
    job = FakeJob(FakeSubject(), call("a"), b"")
    right, failed = job._record("right", "", "X"), job.failed(CallFailed("server", "500"))
    other = right._replace(subject="other")
    with Store.open(path) as store:
        for number, trial in enumerate((right, failed, other, right, other)):
            store.add_trial(1, trial_key(number), trial, [])
        store.flush()
        first = dict(zip(store.rows()["trial"], store.rows()["nth"], strict=True))
    with Store.open(path) as store:  # the next run holds the failed trial again, after all others
        store.add_trial(2, trial_key(1), right, [])
        store.flush()
        second = dict(zip(store.rows()["trial"], store.rows()["nth"], strict=True))
    assert [first[trial_key(number).hex()] for number in range(5)] == [1, 2, 1, 3, 2]
    assert [second[trial_key(number).hex()] for number in range(5)] == [1, 3, 1, 2, 2]


def test_trials_from_before_an_item_had_a_cluster_join_it(path: Path) -> None:
    record = FakeJob(FakeSubject(), call("a"), b"")._record("right", "", "X")
    with Store.open(path) as store:
        store.add_trial(1, trial_key(1), record._replace(item="a", cluster=""), [])
        store.add_trial(2, trial_key(2), record._replace(item="a", cluster="ab"), [])
        store.add_trial(2, trial_key(3), record._replace(item="b", cluster="ab"), [])
        store.add_trial(1, trial_key(4), record._replace(item="c", cluster=""), [])
        store.flush()
        clusters = dict(zip(store.rows()["trial"], store.rows()["cluster"], strict=True))
    assert [clusters[trial_key(number).hex()] for number in range(1, 5)] == ["ab", "ab", "ab", "c"]


def test_rows_of_an_empty_store_have_the_columns(path: Path) -> None:
    with Store.open(path) as store:
        rows = store.rows()
    assert rows.height == 0
    assert rows.schema["labels"] == pl.List(pl.String)


def test_export_writes_parquet(path: Path, tmp_path: Path) -> None:
    job = FakeJob(FakeSubject(), call("a"), b"")
    with Store.open(path) as store:
        store.add_trial(1, trial_key(1), job._record("right", "", "X"), [])
        store.flush()
        assert export(store, tmp_path / "t.parquet") == 1
        assert pl.read_parquet(tmp_path / "t.parquet").equals(store.rows())
        with pytest.raises(UserError) as error:
            export(store, tmp_path / "none" / "t.parquet")
    one_line(error, "none")


@pytest.mark.parametrize("readonly", [False, True])
def test_a_file_that_is_no_store(path: Path, readonly: bool) -> None:
    path.write_text("some notes, " * 100)
    with pytest.raises(UserError) as error:
        Store.open(path, readonly=readonly)
    one_line(error, str(path), "not a Snellen store")
    assert path.read_text() == "some notes, " * 100
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("readonly", [False, True])
def test_a_database_of_something_else(path: Path, readonly: bool) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(UserError) as error:
        Store.open(path, readonly=readonly)
    one_line(error, str(path), "not a Snellen store")
    assert path.read_bytes() == before


@pytest.mark.parametrize("readonly", [False, True])
def test_a_store_of_another_layout(path: Path, readonly: bool) -> None:
    Store.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("UPDATE meta SET value = 'snellen 7.0' WHERE name = 'made by'")
    db.close()
    with pytest.raises(UserError) as error:
        Store.open(path, readonly=readonly)
    one_line(error, str(path), "layout 99", "snellen 7.0")


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        Store.open(tmp_path / "none" / "s.db")
    one_line(error, "does not exist; create it")
    with pytest.raises(UserError) as error:
        Store.open(tmp_path)
    one_line(error, "this is a folder")
    with pytest.raises(UserError) as error:
        Store.open(tmp_path / "s.db", readonly=True)
    one_line(error, "no store at")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store.open(path) as store:
        store.add_call(record("a"))
    with Store.open(path, readonly=True) as store:
        assert store.get_reply(call("a").key) == REPLY


def test_a_finished_store_is_one_file(path: Path) -> None:
    with Store.open(path) as store:
        store.add_call(record("a"))
    assert {p.name for p in path.parent.iterdir()} <= {path.name, f"{path.name}.lock"}


def test_the_second_run_is_told_who_is_first_and_readers_are_welcome(path: Path) -> None:
    hold = (
        "import sys; from snellen.engine import Store; s = Store.open(sys.argv[1]); print('open', flush=True); input()"
    )
    first = subprocess.Popen([sys.executable, "-c", hold, path], stdin=-1, stdout=-1, text=True)
    assert first.stdin is not None
    assert first.stdout is not None
    try:
        assert first.stdout.readline() == "open\n"
        with pytest.raises(UserError) as error:
            Store.open(path)
        one_line(error, str(path), f"process {first.pid}")
        with Store.open(path, readonly=True) as reader:
            assert reader.rows().height == 0
    finally:
        first.kill()
        first.wait()
    Store.open(path).close()  # a run that was killed keeps nobody out


def test_a_full_disk_is_one_line_and_keeps_what_was_recorded(path: Path) -> None:
    store = Store.open(path)
    store.add_call(record("before"))
    store.flush()
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 4}")
    for i in range(100):
        store.add_call(record(f"too much {i}" + "x" * 4000))
    with pytest.raises(UserError) as error:
        store.flush()
    one_line(error, str(path), "disk is full")
    with pytest.raises(UserError):
        store.add_call(record("after"))  # nothing may be believed saved that is not
    with pytest.raises(UserError):
        store.close()
    with Store.open(path) as store:
        assert store.get_reply(call("before").key) == REPLY
        assert store.get_reply(call("too much 0" + "x" * 4000).key) is None


def test_a_log_on_a_disk_that_cannot_be_written_is_to_be_copied_with_its_store(path: Path) -> None:
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorname = "SQLITE_CANTOPEN"
    assert "check its permissions" in str(problem(path, error))
    log_of(path).write_bytes(b"log")
    message = str(problem(path, error))
    assert log_of(path).name in message
    assert "copy both files" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_may_not_be_written(path: Path) -> None:
    Store.open(path).close()
    path.chmod(0o400)
    with pytest.raises(UserError) as error:
        Store.open(path)
    one_line(error, str(path), "permissions")


def test_a_store_that_turns_read_only_is_one_line(path: Path) -> None:
    store = Store.open(path)
    store._db.execute("PRAGMA query_only = ON")
    store.add_call(record("a"))
    with pytest.raises(UserError) as error:
        store.close()
    one_line(error, str(path), "cannot be written")


async def test_a_mistake_of_ours_is_told_to_all_who_wait_and_not_called_a_full_disk(path: Path) -> None:
    store = Store.open(path)
    store._put("INSERT INTO meta VALUES (?, ?, 0)", ("one too few",))
    ends = await asyncio.gather(store.saved(), store.saved(), return_exceptions=True)
    assert [type(end) for end in ends] == [sqlite3.ProgrammingError] * 2
    with pytest.raises(sqlite3.ProgrammingError):
        store.close()


def test_writing_to_a_store_opened_for_reading_is_a_mistake(path: Path) -> None:
    Store.open(path).close()
    with Store.open(path, readonly=True) as store, pytest.raises(ValueError, match="reading only"):
        store.add_call(record("a"))


def test_hostile_text_comes_back_as_it_was(path: Path) -> None:
    text = "\x00</script>\u202e" + "🙂" * 1000 + "'; DROP TABLE calls; --"
    with Store.open(path) as store:
        store.add_call(record("a", Reply(text)))
        store.flush()
        reply = store.get_reply(call("a").key)
    assert reply is not None
    assert reply.text == text


def test_many_rows_come_out_whole(path: Path) -> None:
    job = FakeJob(FakeSubject(), call("a"), b"")
    trial = job._record("right", "", "X")
    with Store.open(path) as store:
        for i in range(5000):
            store.add_trial(1, trial_key(i), trial._replace(levels={"rule": str(i % 7)}), [call("a").key])
        store.add_call(record("a", at=time.time()))
        store.flush()
        rows = store.rows()
    assert rows.height == 5000
    assert rows["rule"].n_unique() == 7
    assert rows["text"].null_count() == 0
