"""The runner: many jobs, a few workers, one stream.

Jobs come from an iterator and are never all held; those whose trial is recorded are dropped, a chunk at a
time (a killed run continues by set difference). Each worker takes the next job, does it and records the
trial. Ctrl-C lets what is under way finish and be recorded; a second Ctrl-C drops it. Either way the next run
picks up the rest.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Literal, Protocol

from snellen.call import Call, CallFailed, Reply, Subject
from snellen.engine.engine import Ask, Engine
from snellen.engine.lane import Stopped
from snellen.engine.progress import Progress
from snellen.engine.records import TrialRecord
from snellen.engine.signals import on_interrupt

OnProgress = Callable[[Progress], None]
Ended = Literal["complete", "interrupted", "given up"]

_CHUNK = 500
_SLICE = 0.01  # seconds that looking for the next jobs, or doing jobs that never wait, may keep the event loop
_TICK = 0.1
_GARBAGE = 20_000
_GRACE = 10.0


class Job(Protocol):
    """One trial to be held. The last call it asks is the one whose reply is its answer."""

    @property
    def key(self) -> bytes: ...

    async def work(self, ask: Ask) -> TrialRecord:
        """Hold the trial and mark it; may let `CallFailed` through."""
        ...

    def failed(self, failure: CallFailed) -> TrialRecord:
        """The record of this trial if a call failed: unread, for the reason "error"."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended. `problem` is one line for the user, empty unless the run had to be given up."""

    done: int
    skipped: int
    errors: int
    remaining: int | None
    ended: Ended
    problem: str = ""


async def run(
    jobs: Iterable[Job],
    engine: Engine,
    exam: int,
    *,
    total: int | None = None,
    on_progress: OnProgress | None = None,
) -> Summary:
    """Hold all trials that are not recorded yet. Comes back when done, interrupted or given up; never loses a
    record.
    """
    return await _Run(jobs, engine, exam, Progress(total, engine.tallies)).hold(on_progress)


class _Run:
    """One run: the state its workers share."""

    def __init__(self, jobs: Iterable[Job], engine: Engine, exam: int, progress: Progress) -> None:
        self.engine = engine
        self.exam = exam
        self.progress = progress
        self.jobs = self._to_do(iter(jobs))
        self.problem = ""
        self.error: Exception | None = None
        self.breath = 0.0
        self.workers: list[asyncio.Task[None]] = []

    async def hold(self, on_progress: OnProgress | None) -> Summary:
        ticker = asyncio.create_task(self._tick(on_progress)) if on_progress else None
        self.workers = [asyncio.create_task(self._worker()) for _ in range(self.engine.concurrency)]
        try:
            with on_interrupt(self._interrupted), _seldom_collecting():
                await asyncio.wait(self.workers)
                self.workers.append(asyncio.create_task(self.engine.settled()))
                await asyncio.wait(self.workers)
        finally:
            self._drop()
            await asyncio.gather(*self.workers, return_exceptions=True)
            if ticker:
                ticker.cancel()
        if self.error:
            raise self.error
        await self.engine.store.saved()
        if on_progress:
            on_progress(self.progress)
        return self._summary()

    async def _worker(self) -> None:
        try:
            for job in self.jobs:  # one iterator for all workers: each takes the next job
                if job is not None:
                    await self._do(job)
                if monotonic() > self.breath:  # answers from the store never wait: let others have a turn
                    await self.engine.store.saved()
                    self.breath = monotonic() + _SLICE
        except Stopped:
            return
        except CallFailed as failure:
            self.problem = self.problem or str(failure)
            self._give_up()
        except Exception as error:  # bad input met on the way, or a mistake of ours: told after the others are done
            self.error = self.error or error
            self._give_up()

    async def _do(self, job: Job) -> None:
        ask = _Asking(self.engine)
        try:
            trial = await job.work(ask)
        except CallFailed as failure:
            if failure.fatal:
                raise
            trial = job.failed(failure)
        self.engine.store.add_trial(self.exam, job.key, trial, _answer_last(ask.keys, trial.asides))
        self.progress.done += 1
        self.progress.errors += trial.reason == "error"

    def _to_do(self, jobs: Iterator[Job]) -> Iterator[Job | None]:
        """The jobs whose trials are not recorded; None now and then, where a worker may draw breath."""
        while chunk := _chunk(jobs):
            done = self.engine.store.done(job.key for job in chunk)
            for job in chunk:
                if self.progress.stopping:
                    return
                if job.key in done:
                    self.progress.skipped += 1
                else:
                    yield job
            yield None

    def _interrupted(self) -> None:
        """The first time, finish what is under way; after that, drop it."""
        if self.progress.stopping:
            self._drop()
        self.progress.interrupted = True
        self._stop()

    def _give_up(self) -> None:
        """Give what is under way, and may be paid for, a moment to finish."""
        self._stop()
        asyncio.get_running_loop().call_later(_GRACE, self._drop)

    def _stop(self) -> None:
        self.progress.stopping = True
        self.engine.stop()

    def _drop(self) -> None:
        for worker in self.workers:
            worker.cancel()

    async def _tick(self, on_progress: OnProgress) -> None:
        while True:
            self.progress.mark()
            self.progress.held_up = self.engine.held_up
            on_progress(self.progress)
            await asyncio.sleep(_TICK)

    def _summary(self) -> Summary:
        p = self.progress
        ended: Ended = "given up" if self.problem else "interrupted" if p.stopping else "complete"
        return Summary(p.done, p.skipped, p.errors, p.remaining, ended, self.problem)


class _Asking:
    """`Engine.ask` for one job, noting what it asks."""

    __slots__ = ("_ask", "keys")

    def __init__(self, engine: Engine) -> None:
        self._ask = engine.ask
        self.keys: list[bytes] = []

    def __call__(self, subject: Subject, call: Call) -> Awaitable[Reply]:
        self.keys.append(call.key)
        return self._ask(subject, call)


def _answer_last(calls: list[bytes], asides: int) -> list[bytes]:
    """The calls with those that brought no answer of the subject's first: the last one is what was read."""
    return calls[len(calls) - asides :] + calls[: len(calls) - asides]


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for circular garbage less often: calls come and go by the thousand and leave hardly any."""
    before = gc.get_threshold()
    gc.set_threshold(_GARBAGE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _chunk(jobs: Iterator[Job]) -> list[Job]:
    """The next jobs: as many as one look into the store takes, fewer if they are slow in coming."""
    chunk: list[Job] = []
    enough = monotonic() + _SLICE
    for job in jobs:
        chunk.append(job)
        if len(chunk) == _CHUNK or monotonic() > enough:
            break
    return chunk
