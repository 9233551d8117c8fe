"""Whatever becomes of a store's bytes or values, it is said in one line; and nothing else is made up."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

import snellen
from snellen.engine import Store, soundness
from snellen.errors import UserError
from support.changed import change


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "s.sqlite"
    snellen.exam("sim/chatty", n=1, store=path)
    return path.read_bytes()


def use(path: Path) -> None:
    """All that a report looks at."""
    exam = snellen.Exam(path)
    exam.to_json()
    exam.report(path.parent / "report")


VALUES = [
    ("UPDATE trials SET outcome = 'splendid' WHERE rowid = 3", "the outcome 'splendid'"),
    ("UPDATE trials SET levels = '[1, 2]' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET levels = '{\"game\": 7}' WHERE rowid = 3", "the levels"),
    ("UPDATE trials SET levels = 'oops' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET labels = 'oops' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET calls = '{}' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET span_start = 'far' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET confidence = 'high' WHERE rowid = 3", "damaged"),
    ("UPDATE trials SET subject = x'4100' WHERE rowid = 3", "damaged"),
    ("UPDATE calls SET finish = 'fell asleep'", "a reply that ended with 'fell asleep'"),
    ("UPDATE calls SET text = NULL", "damaged"),
    ("UPDATE calls SET tokens_in = 'many'", "damaged"),
    ("UPDATE calls SET tokens = '[[1]]'", "tokens that cannot be read"),
    ("UPDATE exams SET fingerprint = 'oops'", "where a dict was expected"),
    ("UPDATE exams SET counts = '[]'", "where a dict was expected"),
]


@pytest.mark.parametrize(("damage", "words"), VALUES, ids=[damage for damage, _ in VALUES])
def test_values_that_nobody_can_have_put_there(whole: bytes, tmp_path: Path, damage: str, words: str) -> None:
    """The checksum gives them away, and where somebody made it fit, the value itself does."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(damage)
    for expected in ("a row whose checksum is wrong", words):
        with pytest.raises(UserError, match=expected) as caught:
            use(path)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)
        change(path, damage)


def scribbled(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(100, len(data))
    return data[:at] + rng.randbytes(rng.choice((1, 40, 4000))) + data[at + 4000 :]


def cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def zeroed(data: bytes, rng: Random) -> bytes:
    at = 4096 * rng.randrange(len(data) // 4096)
    return data[:at] + bytes(4096) + data[at + 4096 :]


@pytest.mark.soak
@pytest.mark.parametrize("harm", [scribbled, cut, zeroed])
def test_bytes_that_rot(whole: bytes, tmp_path: Path, harm: Callable[[bytes, Random], bytes]) -> None:
    """Either nobody notices, because what is left is whole, or it is told; nothing else comes of it."""
    rng = Random(0)
    for number in range(60):
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(harm(whole, rng))
        with suppress(UserError):
            use(path)


def test_a_reply_in_full_comes_back_as_it_was(tmp_path: Path) -> None:
    from snellen.call import Reply, Token
    from snellen.engine import CallRecord
    from support.fakes import call

    asked = call("a")
    tokens = (Token("X", -0.25, (("X", -0.25), ("O", -1.5))), Token(" wins", -0.5))
    reply = Reply("X wins", "stop", 5, 2, "m", "Let me think.", 1, 3, tokens)
    with Store.open(tmp_path / "s.sqlite") as store:
        store.add_call(CallRecord(asked.key, "fake", asked.request, reply))
        store.flush()
        assert store.get_reply(asked.key) == reply
        [(stored,)] = store._rows("SELECT tokens FROM calls")
    assert json.loads(stored)[1] == [" wins", -0.5, []]


def test_checksums_are_the_same_in_every_version_of_python() -> None:
    from snellen.engine.checksums import _checksum

    assert _checksum(b"k", 1, 2**40, "a\0ü", "", None, 0.5) == 767023933


def test_a_store_that_has_not_changed_is_looked_through_once(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(whole)
    Store.open(path, readonly=True).close()
    monkeypatch.setattr(soundness, "_first", lambda *_: pytest.fail("looked through again"))
    with Store.open(path, readonly=True) as store:
        assert store.rows().height
    path.write_bytes(whole)
    with pytest.raises(pytest.fail.Exception):
        Store.open(path, readonly=True)


@pytest.mark.parametrize("damaged", ["calls", "sqlite_autoindex_calls_1", "sqlite_autoindex_trials_1"])
def test_a_large_file_is_looked_through_by_two_threads(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as db:
        root = dict(db.execute("SELECT name, rootpage FROM sqlite_schema"))[damaged]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    told = []
    for large in (1 << 40, 0):
        monkeypatch.setattr(soundness, "LARGE", large)
        path.write_bytes(whole)
        Store.open(path, readonly=True).close()
        path.write_bytes(whole[: (root - 1) * size] + bytes(size) + whole[root * size :])
        with pytest.raises(UserError, match="the file is damaged") as caught:
            Store.open(path, readonly=True)
        told.append(str(caught.value))
    assert told[0] == told[1]
