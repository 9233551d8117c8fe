"""kill -9 in mid-run, then the same again: no answered call is asked twice, no trial is missing."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from snellen.engine import Store
from snellen.errors import UserError
from snellen.subjects import subject as find_subject
from support import run_jobs
from support.fakes import jobs
from support.fault_server import FaultServer, Plan, content_of

N = 200


def start(path: Path, server: FaultServer, concurrency: int = 16) -> "subprocess.Popen[str]":
    command = [sys.executable, run_jobs.__file__, str(path), server.url, str(N), str(concurrency)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def finish(path: Path, server: FaultServer) -> str:
    process = start(path, server)
    out, _ = await asyncio.to_thread(process.communicate)
    assert process.returncode == 0
    return out


async def until_answered(path: Path, calls: int) -> None:
    """Wait until so many calls are in the store."""
    async with asyncio.timeout(60):
        while answered(path) < calls:  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.02)


def answered(path: Path) -> int:
    """How many answered calls are in the store, if there is one yet."""
    try:
        with Store.open(path, readonly=True) as store:
            count: int = store._db.execute("SELECT count(*) FROM calls WHERE status = 'ok'").fetchone()[0]
            return count
    except UserError:
        return 0


def kill(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.soak
async def test_killed_with_calls_under_way_it_asks_only_those_again(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with FaultServer(hang_after=100) as server:
        process = start(path, server, concurrency=16)
        await until_answered(path, 100)
        async with asyncio.timeout(60):
            while server.asked.total() < 100 + 16:  # noqa: ASYNC110 - all that are under way come in and hang
                await asyncio.sleep(0.02)
        kill(process)
        assert server.answered.total() == 100
        server.plan = Plan()
        await finish(path, server)
    assert server.asked_again == set()
    assert len(server.answered) == N
    assert set(server.answered.values()) == {1}
    with Store.open(path, readonly=True) as store:
        rows = store.rows()
    assert rows.height == N
    assert set(rows["outcome"]) <= {"right", "wrong"}


async def test_killed_at_any_moment_it_never_asks_again_what_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with FaultServer(delay=0.01) as server:
        settled: dict[str, int] = {}
        for calls in (40, 120):
            process = start(path, server)
            await until_answered(path, calls)
            kill(process)
            with Store.open(path, readonly=True) as store:
                assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            now = {content: server.asked[content] for content in await recorded(path, server)}
            assert len(now) >= calls
            assert settled.items() <= now.items(), "what was recorded before was not asked since"
            settled = now
        out = await finish(path, server)
        assert out.startswith("complete")
    assert settled.items() <= server.asked.items()
    with Store.open(path, readonly=True) as store:
        rows = store.rows()
    assert rows.height == N
    assert set(rows["outcome"]) <= {"right", "wrong"}


async def recorded(path: Path, server: FaultServer) -> set[str]:
    """The answered calls in the store, as the server knows them."""
    subject = find_subject(f"openai/m@{server.url}", env={"OPENAI_API_KEY": "none", "SNELLEN_API_KEY": "none"})
    asked = [job.call for job in jobs(subject, N)]
    with Store.open(path, readonly=True) as store:
        keys = store.answered(call.key for call in asked)
    bodies = [await subject._dialect.body(call) for call in asked if call.key in keys]  # type: ignore[attr-defined]
    return {content_of(json.loads(body)) for body in bodies}


@pytest.mark.soak
async def test_stopped_politely_it_loses_nothing_at_all(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with FaultServer(delay=0.01) as server:
        process = start(path, server)
        await until_answered(path, 50)
        process.send_signal(signal.SIGINT)
        out, _ = await asyncio.to_thread(process.communicate)
        assert out.startswith("interrupted")
        assert await finish(path, server)
    assert set(server.answered.values()) == {1}
    assert server.asked_again == set()
    with Store.open(path, readonly=True) as store:
        assert store.rows().height == N
