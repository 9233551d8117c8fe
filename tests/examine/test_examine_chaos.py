"""kill -9 again and again, at random moments, of an exam or of one of its processes (who make items, who run a local
model): nothing that is recorded is lost or asked again, and in the end every trial is there once."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from snellen.engine import Store
from snellen.engine.schema import DamagedStore, connect
from snellen.errors import UserError
from support.fault_server import FaultServer
from support.lengths import few_and_more

CONCURRENCY = 4
RUN = f"""
import sys, snellen
from snellen.tasks.making import pool
pool.WORTH_SECONDS = 0
store, subject, tasks, n = sys.argv[1:]
held = snellen.exam(subject, tasks=tasks, n=int(n), store=store, concurrency={CONCURRENCY})
sys.exit(held.summary.errors)
"""


def start(store: Path, subject: str, *what: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", RUN, str(store), subject, *what]
    return subprocess.Popen(command, env={**os.environ, "OPENAI_API_KEY": "none"}, stderr=subprocess.DEVNULL)


def children(process: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    own = []
    for listed in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            number, parent = int(listed.parent.name), int(listed.read_text().rpartition(")")[2].split()[1])
            own += [number] if parent == process else []
    return [each for child in own for each in (child, *children(child))]


def recorded(store: Path) -> set[bytes]:
    """The keys of the answered calls in a store that is whole, or of none if there is no store yet."""
    try:
        with closing(connect(store, readonly=True)) as db:
            return {key for (key,) in db.execute("SELECT key FROM calls WHERE status = 'ok'")}
    except DamagedStore:
        raise
    except UserError:
        return set()


async def killed(process: "subprocess.Popen[bytes]", server: FaultServer, rng: Random) -> str:
    """Kill the exam or one of its processes, mostly once it has asked a random number of further calls, however slow
    the machine is, else while it starts. Returns what was killed, empty if it had ended before."""
    until = server.asked.total() + rng.randrange(1, 30)
    ends = time.monotonic() + rng.choice((1, 60, 60, 60)) * rng.random()
    while (  # noqa: ASYNC110 - the server has no event for its calls
        process.poll() is None and server.asked.total() < until and time.monotonic() < ends
    ):
        await asyncio.sleep(0.005)
    if process.poll() is not None:
        return ""
    helpers = children(process.pid)
    if helpers and rng.random() < 0.4:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(helpers), signal.SIGKILL)
            return "helper"
    process.kill()
    process.wait()
    return "exam"


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
@few_and_more(("seed", "most"), [(0, 10)], [(seed, 50) for seed in range(1, 21)])
async def test_a_thousand_kills_lose_and_repeat_nothing(seed: int, most: int, tmp_path: Path) -> None:
    rng, kills, exams = Random(seed), Counter[str](), 0
    while kills.total() < most:
        exams += 1
        store = tmp_path / f"{exams}.sqlite"
        what = rng.choice((("fixation", "4"), ("capacity", "1")))  # the second is slow to draw: others make its items
        async with FaultServer(delay=0.02) as server:
            kept: set[bytes] = set()
            of_exam = 0
            process = start(store, f"openai/m@{server.url}", *what)
            for _ in range(8):
                if (victim := await killed(process, server, rng)) == "":
                    break
                kills[victim] += 1
                if victim == "exam":
                    of_exam += 1
                    now = recorded(store)
                    assert kept <= now, "an answer that was recorded is lost"
                    kept = now
                    process = start(store, f"openai/m@{server.url}", *what)
            process.kill()
            process.wait()
            await asyncio.sleep(0.2)  # what the killed one had sent by then has arrived
            kept, before = recorded(store), server.asked.total()
            process = start(store, f"openai/m@{server.url}", *what)
            assert await asyncio.to_thread(process.wait) == 0
            with Store.open(store, readonly=True) as opened:
                rows = opened.rows()
            assert rows["trial"].n_unique() == rows.height
            assert server.asked.total() - before == len(recorded(store)) - len(kept), "a recorded answer is asked again"
            again = server.asked.total() - len(server.asked)
            assert again <= (of_exam + 1) * CONCURRENCY, "more is asked again than was on its way"
    print(f"{kills.total()} kills ({dict(kills)}) in {exams} exams: 0 lost, 0 repeated")
