"""Who is late: nobody whom the server had no chance to begin with, everybody at once if it is dead."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.engine import Engine, Patience, Store, ready, run
from snellen.engine.deadline import Deadline
from snellen.subjects import subject as find_subject
from support.fake_clock import run_jumping
from support.fakes import FakeSubject, call, jobs


def lateness(*plan: tuple[float, float, float], seconds: float = 300.0) -> list[float | None]:
    """For each (sent, answered, own time or 0): when it was cancelled for being late, if it was."""

    async def attempt(deadline: Deadline, sent: float, answered: float, own: float) -> float | None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(sent)
        mine = deadline.begin(own or seconds)
        try:
            await asyncio.sleep(answered - sent)
        except asyncio.CancelledError:
            assert deadline.missed(mine)
            deadline.end(mine)
            return loop.time()
        deadline.end(mine, loop.time())
        return None

    async def all_of_them() -> list[float | None]:
        deadline = Deadline()
        return await asyncio.gather(*(attempt(deadline, *each) for each in plan))

    return run_jumping(all_of_them())


NEVER = 1e6


def test_an_attempt_is_late_after_its_time():
    assert lateness((0, 299, 0), (0, NEVER, 0), seconds=300) == [None, pytest.approx(599)]
    assert lateness((0, NEVER, 0)) == [pytest.approx(300)]
    assert lateness((0, NEVER, 0), (0, NEVER, 20)) == [pytest.approx(300), pytest.approx(20)]


def test_whoever_waits_behind_others_is_not_late():
    one_by_one = [(0.0, 200.0 * (i + 1), 0.0) for i in range(20)]
    assert lateness(*one_by_one) == [None] * 20


def test_answers_to_those_behind_do_not_help_those_ahead():
    assert lateness((0, NEVER, 0), (1, 100, 0), (2, 250, 0)) == [pytest.approx(300), None, None]


def test_a_call_that_is_lost_is_late_when_its_turn_has_passed():
    ends = lateness((0, 100, 0), (1, 200, 0), (2, NEVER, 0), (3, 300, 0), (4, 400, 0))
    assert ends == [None, None, pytest.approx(500), None, None]


def test_at_a_dead_server_all_are_late_at_once():
    assert lateness((0, 50, 0), *[(float(i), NEVER, 0.0) for i in range(1, 20)]) == [None, *[pytest.approx(350)] * 19]


def test_a_longer_time_is_no_help_against_a_shorter_one():
    assert lateness((0, NEVER, 900), (5, NEVER, 60)) == [pytest.approx(900), pytest.approx(65)]


async def end_of_a_run(folder: Path, subject: Any, n: int) -> tuple[Any, float]:
    loop = asyncio.get_running_loop()
    with Store.open(folder / "s.db") as store:
        began = loop.time()
        return await run(ready(jobs(subject, n)), Engine(store, chance=lambda: 0.5), 1, total=n), loop.time() - began


@pytest.mark.parametrize("abilities", [Abilities(server="x", timeout=300), Abilities(timeout=300)])
def test_a_server_that_never_answers_ends_the_run_within_the_hour(tmp_path, abilities):
    subject = FakeSubject(delay=NEVER, abilities=abilities)
    summary, seconds = run_jumping(end_of_a_run(tmp_path, subject, 200))
    assert summary.ended == "given up"
    assert "no answer within 300 s, 1" in summary.problem
    assert "times in a row" in summary.problem
    assert seconds < 4000


def test_one_call_that_always_hangs_costs_only_itself(tmp_path):
    class Picky(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            self.delay = NEVER if "board 7?" in str(call.messages) else 1.0
            return await super().answer(call)

    subject = Picky(abilities=Abilities(server="x", timeout=300))
    summary, _ = run_jumping(end_of_a_run(tmp_path, subject, 50))
    assert (summary.done, summary.errors, summary.ended) == (50, 1, "complete")


def test_a_subject_without_a_time_of_its_own_gets_that_of_patience(tmp_path):
    async def ask() -> float:
        with Store.open(tmp_path / "s.db") as store:
            engine = Engine(store, patience=Patience(attempts=1, timeout=50))
            with pytest.raises(CallFailed, match="no answer within 50 s"):
                await engine.ask(FakeSubject(delay=NEVER), call("a"))
        return asyncio.get_running_loop().time()

    assert run_jumping(ask()) == pytest.approx(50)


async def test_a_real_server_that_works_one_by_one_loses_nothing(tmp_path):
    """Each call takes a fifth of its time, and sixteen are sent at once."""
    worked: Counter[bytes] = Counter()
    turn = asyncio.Lock()

    async def serve(request: web.Request) -> web.Response:
        body = await request.read()
        async with turn:
            await asyncio.sleep(0.1)
        worked[body] += 1
        reply = {"choices": [{"message": {"content": "X"}, "finish_reason": "stop"}], "model": "m"}
        return web.json_response(reply)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", serve)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        async with find_subject(f"openai/m@{url}:timeout=0.5", env={}) as subject:
            with Store.open(tmp_path / "s.db") as store:
                engine = Engine(store)
                engine.lane(subject).pace.limit.value = 16
                summary = await run(ready(jobs(subject, 24)), engine, 1, total=24)
    finally:
        await runner.cleanup()
    assert (summary.done, summary.errors) == (24, 0)
    assert set(worked.values()) == {1}
