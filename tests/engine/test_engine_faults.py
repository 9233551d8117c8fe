"""Everything a server can do wrong, through the real subject and the real engine: never an answer that was not one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.call import Call, CallFailed, Reply, Subject
from snellen.engine import Engine, Patience, Store, ready, run
from snellen.subjects import subject as find_subject
from support.fakes import call, jobs
from support.fault_server import FaultServer

KEY = "sk-secret-3141592653589793"
QUICK = Patience(attempts=3, first_pause=0.001, longest_pause=0.002, timeout=2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.db") as opened:
        yield opened


def model(server: FaultServer, api: str = "openai") -> Subject:
    base = server.url if api == "openai" else server.url.removesuffix("/v1")
    env = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SNELLEN_API_KEY"), KEY)
    return find_subject(f"{api}/m@{base}:timeout=2", env=env)


async def ask(server: FaultServer, store: Store, api: str = "openai", words: str = "Who wins?") -> Reply:
    async with model(server, api) as subject:
        asked = Call(subject.name, subject.settings, call(words).messages)
        return await Engine(store, patience=QUICK, chance=lambda: 0.0).ask(subject, asked)


@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "fault", ["429", "429-later", "500", "503", "529", "reset", "truncated", "malformed", "html", "hang"]
)
async def test_a_passing_fault_costs_an_attempt(store: Store, fault: str, api: str) -> None:
    async with FaultServer(first=[fault], answer="X", retry_after=0.05) as server:
        reply = await ask(server, store, api)
    assert (reply.text, reply.finish) == ("X", "stop")
    assert list(server.asked.values()) == [2]
    assert server.asked_again == set()


@pytest.mark.parametrize("fault", ["500", "reset", "truncated", "malformed"])
async def test_a_lasting_fault_is_an_error_and_no_answer(store: Store, fault: str) -> None:
    async with FaultServer(first=[fault] * 9, answer="X") as server:
        with pytest.raises(CallFailed):
            await ask(server, store)
        assert list(server.asked.values()) == [QUICK.attempts]
        server.plan = FaultServer(answer="X").plan
        assert (await ask(server, store)).text == "X", "the next run tries again"


@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("fault", "text", "finish"),
    [
        ("empty", "", "stop"),
        ("filtered", "", "refused"),
        ("length", "Let me look at the", "length"),
        ("slow", "X", "stop"),
    ],
)
async def test_odd_answers_are_answers(store: Store, api: str, fault: str, text: str, finish: str) -> None:
    async with FaultServer(first=[fault], answer="X") as server:
        reply = await ask(server, store, api)
        assert (reply.text, reply.finish) == (text, finish)
        assert await ask(server, store, api) == reply
    assert list(server.asked.values()) == [1]


@pytest.mark.parametrize("status", ["401", "404"])
async def test_a_wrong_key_or_model_ends_the_run_with_one_line(store: Store, status: str) -> None:
    async with FaultServer(first=[status] * 99) as server, model(server) as subject:
        summary = await run(ready(jobs(subject, 500)), Engine(store, patience=QUICK, concurrency=4), 1, total=500)
    assert summary.ended == "given up"
    assert summary.problem
    assert "\n" not in summary.problem
    assert KEY not in summary.problem
    assert server.asked.total() <= 8
    assert summary.remaining == 500


async def test_no_server_at_all_ends_the_run_with_one_line(store: Store) -> None:
    async with FaultServer() as server:
        pass
    async with model(server) as subject:
        summary = await run(ready(jobs(subject, 500)), Engine(store, patience=QUICK, concurrency=4), 1, total=500)
    assert summary.ended == "given up"
    assert server.url in summary.problem
    assert "\n" not in summary.problem


async def test_a_run_through_all_faults_answers_every_call_once(store: Store) -> None:
    faults = ["429-later", "500", "reset", "truncated", "malformed", "503", "429", "html", "slow", "empty", "filtered"]
    async with FaultServer(script=["ok", *faults] * 3, retry_after=0.01) as server, model(server) as subject:
        # One call may meet all faults, one after the other: which does, is for the clock to say.
        patient = Patience(attempts=40, busy_attempts=40, first_pause=0.001, longest_pause=0.01)
        summary = await run(ready(jobs(subject, 200)), Engine(store, patience=patient, concurrency=16), 1, total=200)
    assert (summary.done, summary.errors, summary.ended) == (200, 0, "complete")
    assert set(server.answered.values()) == {1}
    assert server.asked_again == set()
    assert len(server.asked) == 200


async def test_the_key_is_sent_and_kept_nowhere(store: Store) -> None:
    faults = ["401", "400", "500", "429", "malformed", "ok"]
    async with FaultServer(script=faults, answer=f"X {KEY}") as server:
        ends = await asyncio.gather(*(ask(server, store, words=f"{i}") for i in range(6)), return_exceptions=True)
        assert KEY not in repr(ends)
        assert any(isinstance(end, CallFailed) for end in ends)
        assert any(KEY in headers.get("Authorization", "") for headers in server.headers)
    store.flush()
    assert store._db.execute("SELECT count(*) FROM calls").fetchone()[0] > 1
    await asyncio.to_thread(store._db.execute, "PRAGMA wal_checkpoint(TRUNCATE)")
    for file in store.path.parent.iterdir():
        content = file.read_bytes()
        assert KEY.encode() not in content
        assert b"Authorization" not in content
