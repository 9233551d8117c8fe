"""kill -9 again and again, at random moments, of an exam or of one of its processes (who make items, who run a local
model): nothing that is recorded is lost or asked again, and in the end every trial is there once."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from snellen.engine import Store
from snellen.engine.schema import DamagedStore, connect
from snellen.errors import UserError
from snellen.subjects.local.torchvision import prepare_torchvision
from support.fault_server import FaultServer
from support.later import later
from support.lengths import few_and_more
from tiny_models import make

CONCURRENCY = 4
RUN = f"""
import sys, snellen
from snellen.tasks.making import pool
pool.WORTH_SECONDS = 0
store, subject, tasks, n = sys.argv[1:5]
if len(sys.argv) > 5:
    from snellen.subjects.local.base import WeightsSubject
    answer = WeightsSubject.answer
    async def noted(self, call):
        with open(sys.argv[5], "a") as asked:
            print(call.key.hex(), file=asked)
        return await answer(self, call)
    WeightsSubject.answer = noted
if __name__ == "__main__":
    held = snellen.exam(subject, tasks=tasks, n=int(n), store=store, concurrency={CONCURRENCY})
    sys.exit(held.summary.errors)
"""
"""An exam; of a local model it notes in a file which calls the model was asked."""

Asked = Callable[[], Counter[str]]
"""How often which call was asked until now."""


class Killed(NamedTuple):
    """An exam to be killed: the arguments of `RUN` after the store, and how many calls it makes at once."""

    arguments: tuple[str, ...]
    at_once: int
    asked: Asked


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


async def killed(process: "subprocess.Popen[bytes]", asked: Asked, rng: Random) -> str:
    """Kill the exam or one of its processes, mostly once it has asked a random number of further calls, however slow
    the machine is, else while it starts. Returns what was killed, empty if it had ended before."""
    until = asked().total() + rng.randrange(1, 30)
    ends = time.monotonic() + rng.choice((1, 60, 60, 60)) * rng.random()
    while process.poll() is None and asked().total() < until and time.monotonic() < ends:  # noqa: ASYNC110 - the server has no event
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


async def killed_up_to_eight_times(exam: Killed, store: Path, rng: Random) -> Counter[str]:
    """Kill an exam and start it again until it ends by itself, and check what it recorded and what it asked. Returns
    what was killed."""
    kept: set[bytes] = set()
    kills = Counter[str]()
    process = start(store, *exam.arguments)
    for _ in range(8):
        if (victim := await killed(process, exam.asked, rng)) == "":
            break
        kills[victim] += 1
        if victim == "exam":
            now = recorded(store)
            assert kept <= now, "an answer that was recorded is lost"
            kept = now
            process = start(store, *exam.arguments)
    process.kill()
    process.wait()
    await asyncio.sleep(0.2)  # what the killed one had sent by then has arrived
    kept, before = recorded(store), exam.asked().total()
    process = start(store, *exam.arguments)
    assert await asyncio.to_thread(process.wait) == 0
    with Store.open(store, readonly=True) as opened:
        rows = opened.rows()
    assert rows["trial"].n_unique() == rows.height
    assert exam.asked().total() - before == len(recorded(store)) - len(kept), "a recorded answer is asked again"
    again = exam.asked().total() - len(exam.asked())
    assert again <= (kills["exam"] + 1) * exam.at_once, "more is asked again than was on its way"
    return kills


IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")


@pytest.mark.soak
@IN_PROC
@few_and_more(("seed", "most"), [(0, 10)], [(seed, 50) for seed in range(1, 21)])
async def test_a_thousand_kills_lose_and_repeat_nothing(seed: int, most: int, tmp_path: Path) -> None:
    rng, kills, exams = Random(seed), Counter[str](), 0
    while kills.total() < most:
        exams += 1
        what = rng.choice((("fixation", "4"), ("capacity", "1")))  # the second is slow to draw: others make its items
        async with FaultServer(delay=0.02) as server:
            exam = Killed((f"openai/m@{server.url}", *what), CONCURRENCY, lambda: server.asked)
            kills += await killed_up_to_eight_times(exam, tmp_path / f"{exams}.sqlite", rng)
    print(f"{kills.total()} kills ({dict(kills)}) in {exams} exams: 0 lost, 0 repeated")


@pytest.mark.soak
@IN_PROC
@few_and_more(("seed", "most"), [(0, 5)], [(seed, 25) for seed in range(1, 5)])
async def test_killed_local_models_lose_and_repeat_nothing(seed: int, most: int, tmp_path: Path) -> None:
    later("transformers")
    prepare_torchvision()
    rng, kills, exams = Random(seed), Counter[str](), 0
    model = make("idefics3", tmp_path / "model")
    while kills.total() < most:
        exams += 1
        asked = tmp_path / f"{exams}.asked"
        asked.touch()
        processes = rng.choice((1, 2))
        subject = f"local/{model}:processes={processes},batch={CONCURRENCY},max_tokens=4"
        arguments = (subject, "fixation", "2", str(asked))
        exam = Killed(arguments, 2 * CONCURRENCY * processes, partial(_noted, asked))
        kills += await killed_up_to_eight_times(exam, tmp_path / f"{exams}.sqlite", rng)
    print(f"{kills.total()} kills of local models ({dict(kills)}) in {exams} exams: 0 lost, 0 repeated")


def _noted(asked: Path) -> Counter[str]:
    return Counter(asked.read_text().split())
