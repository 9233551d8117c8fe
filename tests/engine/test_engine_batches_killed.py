"""kill -9 of an exam in batches, at every step, then the same again: the batch is found, read, and paid for once."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from snellen.engine import Store
from support import run_batches
from support.batch_server import BatchServer
from support.lengths import few_and_more
from support.run_batches import hold

N = 8
DIALECTS = ["openai", "anthropic", "gemini"]
STEPS = {
    "before the rows are sent": ("upload", "hang before"),
    "after the upload": ("upload", "hang"),
    "before the batch is begun": ("create", "hang before"),
    "after it was begun, before its id came": ("create", "hang"),
    "while it is waited for": ("status", "hang"),
    "while results are read": ("results", "hang"),
}


def who(server: BatchServer, dialect: str) -> str:
    bases = {"openai": server.openai, "anthropic": server.root, "gemini": server.gemini}
    return f"{dialect}/m@{bases[dialect]}"


async def killed_when(reached: Callable[[], bool], *words: object) -> None:
    """Begin a run in a process of its own and kill it as soon as something is reached."""
    command = [sys.executable, run_batches.__file__, *map(str, words)]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        async with asyncio.timeout(60):
            while not reached():
                assert process.returncode is None, await process.communicate()
                await asyncio.sleep(0.01)
    finally:
        process.kill()
        await process.wait()


def check(server: BatchServer, path: Path) -> None:
    assert len(server.jobs) == 1
    assert len(server.paid) == N
    assert set(server.paid.values()) == {1}
    assert not server.alone
    with Store.open(path, readonly=True) as store:
        assert store.rows().height == N
        assert set(store.rows()["outcome"]) <= {"right", "wrong"}
        assert store.notes("batch") == {}


CASES = [(dialect, when) for dialect in DIALECTS for when in STEPS]
OFTEN = [("openai", when) for when in list(STEPS)[1:6:2]] + [(other, list(STEPS)[3]) for other in DIALECTS[1:]]


@few_and_more(("dialect", "when"), OFTEN, [case for case in CASES if case not in OFTEN])
async def test_killed_at_any_step_nothing_is_paid_twice(dialect: str, when: str, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    step, fault = STEPS[when]
    async with BatchServer() as server:
        server.faults = {step: [fault]}
        count = server.arrived if fault == "hang before" else server.seen
        await killed_when(lambda: count[step] > 0, path, who(server, dialect), N)
        server.looks += 4
        summary = await hold(path, who(server, dialect), N)
        assert (summary.ended, summary.errors) == ("complete", 0)
        check(server, path)


@few_and_more("write", [4], [1, 2, 3])
async def test_killed_at_any_write_nothing_is_paid_twice(write: int, tmp_path: Path) -> None:
    """Each write of a batch's record, first just before it and then just after it."""
    for moment in ("before", "after"):
        path = tmp_path / f"{moment}.db"
        async with BatchServer() as server:
            command = [sys.executable, run_batches.__file__, path, who(server, "openai"), N, "24h", moment, write]
            process = await asyncio.create_subprocess_exec(*map(str, command), stdout=subprocess.DEVNULL)
            assert await process.wait() in (-signal.SIGKILL, 0)
            await hold(path, who(server, "openai"), N)
            check(server, path)
