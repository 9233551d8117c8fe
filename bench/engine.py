"""The engine beside a bare loop and beside Inspect, on the same calls, the same server, in one run.

The server is a process of its own on a loopback port; every call shows one picture of 384 x 384 pixels; 64 calls are
under way at once. The bare loop posts the very bytes our subject sends and takes the text of the answer, nothing else,
on the same event loop; ours does all that an exam does: identity, store, limit, retries, trial. Rounds alternate and
the median counts, because other work on the machine comes and goes. A whole process is timed from start to exit,
Inspect's with as many calls.
Inspect asks through its own provider for OpenAI-compatible servers (which
needs the package `openai`).
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import IO, Any, cast

import aiohttp
from PIL import Image

SUPPORT = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(SUPPORT))

from snellen.call import Call, Message, Reply, Subject  # noqa: E402
from snellen.engine import Engine, Store, ready, run  # noqa: E402
from snellen.engine.event_loop import run_to_end  # noqa: E402
from snellen.item import Picture  # noqa: E402
from snellen.subjects import subject as find_subject  # noqa: E402
from support.fakes import FakeJob, FakeSubject, jobs, trial_key  # noqa: E402

Row = tuple[str, str, str]

CALLS, ROUNDS, CONCURRENCY = 4000, 7, 64
SAMPLES = 300
WHOLE, WHOLE_ROUNDS = 30, 3
"""Boards of a quick exam of fixation, and how often it is held."""
CALLS_A_BOARD = 68
TRIALS = 100_000
SIDE = 384


def measure() -> list[Row]:
    server = subprocess.Popen(
        [sys.executable, SUPPORT / "support" / "fault_server.py", json.dumps({"count": False})],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = cast("IO[str]", server.stdout).readline().strip()
        return [*_calls(url), *_whole(url), *_many()]
    finally:
        server.kill()
        server.wait()


# Calls over HTTP


def _calls(url: str) -> list[Row]:
    shown = pictures(64)
    rounds = [(run_to_end(_bare(url, shown)), run_to_end(_ours(url, shown))) for _ in range(ROUNDS + 1)][1:]
    slow = _child("inspect", url)["rate"]
    bare, ours = ([pair[i] for pair in rounds] for i in (0, 1))
    rate = median(r for r, _ in ours)
    share = median(o[0] / b[0] for b, o in rounds)
    cpu, bare_cpu = median(c for _, c in ours), median(c for _, c in bare)
    return [
        ("calls per second: bare aiohttp loop", f"{median(r for r, _ in bare):,.0f}", ""),
        ("calls per second: engine", f"{rate:,.0f} ({share:.0%} of bare)", ">= 60% of bare"),
        (
            "calls per second: Inspect eval()",
            f"{slow:,.0f} (engine {rate / slow:.0f}x)",
            "engine >= 30x",
        ),
        ("CPU per call: engine", f"{cpu:.2f} ms (bare {bare_cpu:.2f} ms)", "< 1 ms"),
    ]


def pictures(n: int) -> list[Picture]:
    """Pictures of coloured tiles, as large in bytes as a drawn board."""
    rng, found = Random(0), []
    for _ in range(n):
        tiles = Image.frombytes("RGB", (24, 24), rng.randbytes(24 * 24 * 3)).resize(
            (SIDE, SIDE), Image.Resampling.NEAREST
        )
        out = BytesIO()
        tiles.save(out, "PNG")
        found.append(Picture(out.getvalue()))
    return found


def model(url: str) -> Subject:
    return find_subject(f"openai/m@{url}", env={"OPENAI_API_KEY": "none", "SNELLEN_API_KEY": "none"})


def question(i: int, subject: Subject, shown: list[Picture]) -> Call:
    words = f"Board {i}. Players X and O take turns on this board; who has three in a row? Answer with X or O only."
    return Call(subject.name, subject.settings, (Message("user", (shown[i % len(shown)], words)),))


async def _timed(work: Callable[[], Awaitable[object]], n: int) -> tuple[float, float]:
    """Calls per second, and milliseconds of CPU per call."""
    start, cpu = time.perf_counter(), time.process_time()
    await work()
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    return n / seconds, cpu_seconds / n * 1e3


async def _bare(url: str, shown: list[Picture]) -> tuple[float, float]:
    subject = model(url)
    bodies = [await subject._dialect.body(question(i, subject, shown)) for i in range(CALLS)]  # type: ignore[attr-defined]
    headers = {"Content-Type": "application/json"}
    todo, texts = iter(bodies), Counter[str]()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers=headers) as session:

        async def worker() -> None:
            for body in todo:
                async with session.post(f"{url}/chat/completions", data=body) as response:
                    texts[json.loads(await response.read())["choices"][0]["message"]["content"]] += 1

        async def work() -> None:
            await asyncio.gather(*(worker() for _ in range(CONCURRENCY)))

        return await _timed(work, CALLS)


async def _ours(url: str, shown: list[Picture]) -> tuple[float, float]:
    subject = model(url)
    todo = (FakeJob(subject, question(i, subject, shown), trial_key(i)) for i in range(CALLS))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        async with subject:
            engine = Engine(store, concurrency=CONCURRENCY)
            found = await _timed(lambda: run(ready(todo), engine, 1, total=CALLS), CALLS)
        if store.rows().height != CALLS:
            raise RuntimeError("the engine lost trials")
    return found


def _inspect(url: str, samples: str = "") -> dict[str, float]:
    """The same calls through Inspect's `eval()` and its provider for compatible servers; start-up is not counted. With
    `samples`, only so many calls, for whoever measures the process."""
    os.environ.update(LOOPBACK_API_KEY="none", LOOPBACK_BASE_URL=url)
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import match

    subject, shown = model(url), pictures(64)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.png" for i in range(len(shown))]
        for file, picture in zip(files, shown, strict=True):
            file.write_bytes(picture.data)

        def sample(i: int) -> Sample:
            words = str(question(i, subject, shown).messages[0].parts[1])
            content: list[Any] = [ContentImage(image=str(files[i % len(files)])), ContentText(text=words)]
            return Sample(input=[ChatMessageUser(content=content)], target="X")

        def rate(n: int) -> float:
            task, logs = Task(dataset=[sample(i) for i in range(n)], scorer=match()), str(Path(folder) / "logs")
            start = time.perf_counter()
            (log,) = inspect_eval(
                task, model="openai-api/loopback/m", max_connections=CONCURRENCY, log_dir=logs, display="none"
            )
            if log.status != "success":
                raise RuntimeError(f"Inspect: {log.error}")
            return n / (time.perf_counter() - start)

        if samples:
            return {"rate": rate(int(samples))}
        rate(8)
        return {"rate": rate(SAMPLES)}


# Whole processes, from start to exit


def _whole(url: str) -> list[Row]:
    calls = WHOLE * CALLS_A_BOARD
    ours = sorted(_exam_process(url) for _ in range(WHOLE_ROUNDS + 1))[:-1]  # the first compiles what is imported
    wall, cpu = ours[len(ours) // 2]
    inspect = [sys.executable, "-m", "bench.engine", "inspect", url, str(calls)]
    slow, slow_cpu = _process(inspect, Path(__file__).parents[1])
    return [
        (f"whole process, {calls:,} calls: snellen exam, with its report", f"{wall:.2f} s ({cpu:.2f} s of CPU)", ""),
        (
            f"whole process, {calls:,} calls: Inspect eval()",
            f"{slow:.1f} s ({slow_cpu:.1f} s of CPU; snellen exam {slow / wall:.0f}x, in CPU {slow_cpu / cpu:.0f}x)",
            "snellen exam 30x",
        ),
    ]


def _exam_process(url: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        found = _process([sys.executable, "-m", "snellen", "exam", f"openai/m@{url}", "--n", str(WHOLE)], Path(folder))
        with Store.open(Path(folder) / "snellen.sqlite", readonly=True) as store:
            if store.rows().height != WHOLE * CALLS_A_BOARD:
                raise RuntimeError("the exam lost trials")
    return found


def _process(command: list[str], folder: Path) -> tuple[float, float]:
    """Seconds from start to exit, and seconds of CPU of the process and those it started. What is imported is compiled
    once, as in any installation."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start, before = time.perf_counter(), sum(os.times()[2:4])
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**env, "OPENAI_API_KEY": "none-at-all"})
    return time.perf_counter() - start, sum(os.times()[2:4]) - before


# Many trials


def _many() -> list[Row]:
    memory = _child("memory")
    exam = _child("exam")
    return [
        (
            f"resident memory after 10,000 and {TRIALS:,} trials: engine",
            f"{memory['early']:.0f} MB, {memory['late']:.0f} MB",
            "flat",
        ),
        (
            f"fully cached rerun of an exam of {exam['trials']:,.0f} trials",
            f"{exam['again']:.1f} s (first run, simulated subject: {exam['first']:.0f} s)",
            "<= 15 s",
        ),
        (f"tidy rows of {exam['trials']:,.0f} trials", f"{exam['rows']:.1f} s", ""),
    ]


def _memory() -> dict[str, float]:
    class Instant(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            return Reply("X", "stop", 10, 1)

    seen: dict[int, float] = {}

    def watched() -> Iterator[FakeJob]:
        for i, job in enumerate(jobs(Instant(), TRIALS + 1)):
            if i in (10_000, TRIALS):
                seen[i] = _resident()
            yield job

    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        asyncio.run(run(ready(watched()), Engine(store), 1))
    return {"early": seen[10_000], "late": seen[TRIALS]}


def _resident() -> float:
    """Megabytes this process holds in memory."""
    import psutil

    return float(psutil.Process().memory_info().rss) / 2**20


def _exam() -> dict[str, float]:
    from snellen.examine import make_plan, run_plan

    plan = make_plan("sim/fixated", tasks=["fixation"], design="main", n=-(-TRIALS // 320))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        times = [time.perf_counter()]
        for _ in range(2):
            run_plan(plan, path)
            times.append(time.perf_counter())
        with Store.open(path, readonly=True) as store:
            height = store.rows().height
        times.append(time.perf_counter())
    first, again, rows = (b - a for a, b in pairwise(times))
    return {"trials": height, "first": first, "again": again, "rows": rows}


def _child(part: str, *arguments: str) -> dict[str, float]:
    """One part in a process of its own, where nothing else has left its memory or its imports."""
    command = [sys.executable, "-m", "bench.engine", part, *arguments]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]).stdout
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


if __name__ == "__main__":
    parts: dict[str, Callable[..., dict[str, float]]] = {"inspect": _inspect, "memory": _memory, "exam": _exam}
    print(json.dumps(parts[sys.argv[1]](*sys.argv[2:])))
