"""kill -9 in mid-run, then the same again: no answered call is asked twice, no trial is missing."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from snellen.engine import Store
from snellen.errors import UserError
from support import run_jobs
from support.fault_server import FaultServer, Plan

N = 200


def start(path: Path, server: FaultServer, concurrency: int = 16) -> "subprocess.Popen[str]":
    command = [sys.executable, run_jobs.__file__, path, server.url, str(N), str(concurrency)]
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


async def test_killed_with_calls_under_way_it_asks_only_those_again(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with FaultServer(hang_after=100) as server:
        process = start(path, server)
        await until_answered(path, 100)
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
        for calls in (40, 120):
            process = start(path, server)
            await until_answered(path, calls)
            kill(process)
            with Store.open(path, readonly=True) as store:
                assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert calls <= answered(path) <= len(server.answered)
        out = await finish(path, server)
        assert out.startswith("complete")
    # An answer can be under way to a process that no longer lives; of those recorded none is asked again.
    assert len(server.asked_again) <= 2 * 16
    with Store.open(path, readonly=True) as store:
        assert store.rows().height == N
        assert set(store.rows()["outcome"]) <= {"right", "wrong"}
        asked_for_nothing = server.answered.total() - N
        assert asked_for_nothing == sum(times - 1 for times in server.answered.values())


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
