"""What looking at the answers costs in time, with 64 calls at once that each take a second.

A block must be answered, but for its last eighth, before the next is chosen, and a small block leaves places empty.
Asked without looking, calls take a second for every 64. Several tasks at once fill each other's gaps. First by a clock
that is reckoned, where nothing but waiting takes time: the real ladders choose, simulated subjects answer. Then one
real exam of all tasks, with the drawing of pictures, which depends on the machine.
"""

import asyncio
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from statistics import fmean, median
from typing import Any, Self, cast

from bench.sequential import TASKS, Row, ladder_of, sitting_of
from bench.sequential_subjects import Planted, SimulatedSitting
from snellen.call import Abilities, Call, Reply
from snellen.examine import make_plan, run_plan
from snellen.examine.ladder_tracks import LadderQuestion, SubjectLadder
from snellen.examine.tracks import TrackAnswer
from snellen.subjects.simulated import simulated_subject
from snellen.tasks.sequential import SequentialLadder

SECONDS, AT_ONCE = 1.0, 64
REPEATS = 10
EXAMS = {"fixation": ("fixation",), "all six tasks": TASKS}
SUBJECTS = (Planted("ideal"), Planted("eyes 40", (("eyes", 0.4),)))


@dataclass
class CallClock:
    """How long how many calls were under way."""

    calls: int = 0
    seconds: dict[int, float] = field(default_factory=dict)
    _under_way: int = 0
    _last: float | None = None

    def change(self, by: int, now: float) -> None:
        if self._last is not None:
            self.seconds[self._under_way] = self.seconds.get(self._under_way, 0.0) + now - self._last
        self._last = now
        self._under_way += by
        self.calls += by > 0

    @property
    def took(self) -> float:
        return sum(self.seconds.values())

    @property
    def least(self) -> float:
        """What as many calls take that are asked without looking."""
        return -(-self.calls // AT_ONCE) * SECONDS

    def fewer_than(self, calls: int) -> float:
        """The share of the time with fewer calls under way."""
        return sum(seconds for number, seconds in self.seconds.items() if number < calls) / self.took


# By a reckoned clock


@dataclass
class _Asked:
    """A ladder under way."""

    ladder: SequentialLadder
    sitting: SimulatedSitting
    answers: dict[LadderQuestion, TrackAnswer] = field(default_factory=dict)
    asked: set[LadderQuestion] = field(default_factory=set)
    waits_for: set[LadderQuestion] = field(default_factory=set)

    def next(self) -> list[LadderQuestion]:
        """What is to be asked now, chosen as an exam chooses it: how items are put is of no concern."""
        chooses = SubjectLadder(self.ladder, cast(Any, None), {}, cast(Any, None))
        missing, needed, _ = chooses.advance(self.answers.get, ())
        new = [question for question in missing if question not in self.asked]
        self.asked.update(new)
        self.waits_for = set(needed)
        return new

    def hear(self, question: LadderQuestion) -> None:
        right, sign = self.sitting.answer(*question)
        signature = self.ladder.rungs[question.rung].signature
        mechanism = signature[sign < 0] if signature and sign else ""
        options = self.sitting.options[question.draw.kind]
        self.answers[question] = TrackAnswer("right" if right else "wrong", options, mechanism)
        self.waits_for.discard(question)


def reckoned(tasks: Sequence[str], planted: Planted, seed: int) -> CallClock:
    """An exam in which a call takes a second and nothing else takes time."""
    ladders = [_Asked(ladder_of(task, seed), sitting_of(task, planted, seed)) for task in tasks]
    clock, now, number = CallClock(), 0.0, 0
    queue: deque[tuple[_Asked, LadderQuestion]] = deque()
    under_way: list[tuple[float, int, _Asked, LadderQuestion]] = []
    ready = list(ladders)
    while True:
        for one in ready:
            queue += [(one, question) for question in one.next()]
        while queue and len(under_way) < AT_ONCE:
            one, question = queue.popleft()
            number += 1
            clock.change(1, now)
            heappush(under_way, (now + SECONDS, number, one, question))
        if not under_way:
            return clock
        now = under_way[0][0]
        ready = []
        while under_way and under_way[0][0] == now:
            _, _, one, question = heappop(under_way)
            clock.change(-1, now)
            one.hear(question)
            if not one.waits_for and one not in ready:
                ready.append(one)


def _reckoned_row(says: str, tasks: Sequence[str], planted: Planted, repeats: int) -> Row:
    clocks = [reckoned(tasks, planted, seed) for seed in range(repeats)]
    ratio, calls = median(one.took / one.least for one in clocks), median(one.calls for one in clocks)
    shares = [fmean(one.fewer_than(many) for one in clocks) for many in (AT_ONCE, AT_ONCE // 2)]
    return (
        f"{says} until sure, {planted.name}: {AT_ONCE} calls at once, waiting alone",
        f"{median(one.took for one in clocks) / SECONDS:.0f} times as long as a call ({calls:,.0f} calls),"
        f" {ratio:.1f} times as long as without looking; fewer than {AT_ONCE} under way {shares[0]:.0%}, than"
        f" {AT_ONCE // 2} {shares[1]:.0%} of the time",
        "",
    )


# By the clock on the wall


@dataclass
class WaitingSubject:
    """Answers as a simulated subject that sees six items in ten, after a second."""

    name: str = "waiting"
    settings: dict[str, Any] = field(default_factory=dict)
    abilities: Abilities = field(default_factory=lambda: Abilities(sees_truth=True))
    clock: CallClock = field(default_factory=CallClock)

    def __post_init__(self) -> None:
        self._is = simulated_subject("ideal", (("see", "0.6"),))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        self.clock.change(1, time.perf_counter())
        await asyncio.sleep(SECONDS)
        reply = self._is.reply(call)
        self.clock.change(-1, time.perf_counter())
        return reply


def _real_row(says: str, tasks: tuple[str, ...]) -> Row:
    subject = WaitingSubject()
    with tempfile.TemporaryDirectory() as folder:
        run_plan(make_plan(subject, tasks=list(tasks), until="sure"), Path(folder) / "s.sqlite", concurrency=AT_ONCE)
    clock = subject.clock
    return (
        f"{says} until sure, with drawing: {clock.calls:,} calls of {SECONDS:g} s, {AT_ONCE} at once",
        f"{clock.took:.1f} s, {clock.took / clock.least:.1f} times as long as without looking or drawing"
        f" ({clock.least:.0f} s)",
        "",
    )


def measure(repeats: int = REPEATS) -> list[Row]:
    rows = [_reckoned_row(says, tasks, who, repeats) for says, tasks in EXAMS.items() for who in SUBJECTS]
    return [*rows, *(_real_row(says, tasks) for says, tasks in EXAMS.items())]


if __name__ == "__main__":
    for row in measure():
        print("| " + " | ".join(row) + " |", flush=True)
