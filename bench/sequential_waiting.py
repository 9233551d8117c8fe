"""What looking at the answers costs in time: real exams against a subject that waits a second a call, 64 at once.

A block must be answered, but for its last eighth, before the next is chosen, and a small block leaves places empty.
Asked without looking, as many calls would take a second for every 64. Several tasks at once fill each other's gaps.
"""

import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from snellen.call import Abilities, Call, Reply
from snellen.examine import make_plan, run_plan
from snellen.subjects.simulated import simulated_subject

Row = tuple[str, str, str]
TASKS = ("fixation", "bias", "bongard", "winoground", "marvel", "capacity")
SECONDS, AT_ONCE = 1.0, 64
EXAMS = {"fixation": ("fixation",), "all six tasks": TASKS}
SEES = {"all": "1", "six items in ten": "0.6"}


@dataclass
class WaitingSubject:
    """Answers as a simulated subject that sees so many items, after a while; notes how long how many calls were under
    way."""

    sees: str
    name: str = "waiting"
    settings: dict[str, Any] = field(default_factory=dict)
    abilities: Abilities = Abilities(sees_truth=True)
    calls: int = 0
    seconds: dict[int, float] = field(default_factory=dict)
    """By the number of calls under way."""

    def __post_init__(self) -> None:
        self._is = simulated_subject("ideal", (("see", self.sees),))
        self._under_way, self._last = 0, 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        self.calls += 1
        self._change(1)
        await asyncio.sleep(SECONDS)
        reply = self._is.reply(call)
        self._change(-1)
        return reply

    def _change(self, by: int) -> None:
        now = time.perf_counter()
        if self._last:
            self.seconds[self._under_way] = self.seconds.get(self._under_way, 0.0) + now - self._last
        self._last = now
        self._under_way += by

    @property
    def took(self) -> float:
        return sum(self.seconds.values())

    def fewer_than(self, calls: int) -> float:
        """The share of the time with fewer calls under way."""
        return sum(seconds for number, seconds in self.seconds.items() if number < calls) / self.took


def measure() -> list[Row]:
    return [_row(says, tasks, sees) for says, tasks in EXAMS.items() for sees in SEES]


def _row(says: str, tasks: tuple[str, ...], sees: str) -> Row:
    subject = WaitingSubject(SEES[sees])
    with tempfile.TemporaryDirectory() as folder:
        run_plan(make_plan(subject, tasks=list(tasks), until="sure"), Path(folder) / "s.sqlite", concurrency=AT_ONCE)
    least = -(-subject.calls // AT_ONCE) * SECONDS
    return (
        f"{says} until sure, a subject that sees {sees}: {subject.calls:,} calls of {SECONDS:g} s, {AT_ONCE} at once",
        f"{subject.took:.1f} s, {subject.took / least:.1f} times as long as without looking ({least:.0f} s); fewer than"
        f" {AT_ONCE} under way {subject.fewer_than(AT_ONCE):.0%}, than {AT_ONCE // 2}"
        f" {subject.fewer_than(AT_ONCE // 2):.0%} of the time",
        "",
    )


if __name__ == "__main__":
    for row in measure():
        print("| " + " | ".join(row) + " |", flush=True)
