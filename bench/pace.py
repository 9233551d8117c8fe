"""Drawing never holds up a call: every task's quick exam against a subject that takes 0.2 s a call, 64 at once.

The subject is in this very process and only waits, so that whatever keeps the event loop or the calls waiting is ours.
A stall is how much later than it asked to a task on the same loop is woken. Under way: the mean number of calls under
way as a share of 64, from the first call to the last.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Self

from snellen.call import Abilities, Call, Reply
from snellen.examine import make_plan, run_plan

Row = tuple[str, str, str]

TASKS = ("fixation", "bongard", "winoground", "marvel", "capacity")
SECONDS, AT_ONCE = 0.2, 64


class Waiting:
    """Answers after a while; notes how many calls were under way, and how late the loop was."""

    name = "waiting"
    settings: dict[str, Any] = {}  # noqa: RUF012
    abilities = Abilities()

    def __init__(self) -> None:
        self.calls = 0
        self.under_way = 0
        self.area = 0.0
        self.first = self.last = 0.0
        self.stall = 0.0
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._watch = asyncio.create_task(self._notice())
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._watch:
            self._watch.cancel()

    async def answer(self, call: Call) -> Reply:
        self.calls += 1
        self._change(1)
        await asyncio.sleep(SECONDS)
        self._change(-1)
        return Reply("X")

    def _change(self, by: int) -> None:
        now = time.perf_counter()
        self.first = self.first or now
        self.area += self.under_way * (now - (self.last or now))
        self.last = now
        self.under_way += by

    async def _notice(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            if self.calls:
                self.stall = max(self.stall, time.perf_counter() - before - 0.001)


def measure() -> list[Row]:
    return [row for task in TASKS for row in _task(task)]


def _task(task: str) -> list[Row]:
    subject = Waiting()
    plan = make_plan(subject, tasks=task)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "s.sqlite"
        begun = time.perf_counter()
        run_plan(plan, store, concurrency=AT_ONCE)
        took = time.perf_counter() - begun
        begun = time.perf_counter()
        again = run_plan(plan, store, concurrency=AT_ONCE)
        rerun = time.perf_counter() - begun
    if again.summary is None or again.summary.done:
        raise RuntimeError("a finished exam was not known to be finished")
    ideal = -(-subject.calls // AT_ONCE) * SECONDS
    share = subject.area / (subject.last - subject.first) / min(AT_ONCE, subject.calls)
    return [
        (
            f"{task}: quick exam, {subject.calls:,} calls of {SECONDS:g} s, {AT_ONCE} at once",
            f"{took:.1f} s ({ideal:.1f} s without drawing), calls under way {share:.0%}",
            "",
        ),
        (f"{task}: worst stall of the event loop", f"{1000 * subject.stall:.0f} ms", "< 50 ms"),
        (f"{task}: the same exam again", f"{rerun:.2f} s", "< 2 s"),
    ]
