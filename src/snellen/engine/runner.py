"""The runner: many jobs, a few workers, one stream.

Jobs come in batches and are never all held. A batch whose trials are known before they are made, and are all recorded,
is never made at all (a killed run continues by set difference); the others are made a few ahead of the workers, each of
whom takes the next job, does it and records the trial. Where answers decide what is asked next, the source of batches
is told of every trial (`on_trial`), and gives None while it has nothing to ask before more of them are known.

Ctrl-C lets what is under way finish and be recorded; a second Ctrl-C drops it. Either way the next run picks up the
rest.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Literal, Protocol

from snellen.call import CallFailed
from snellen.engine.asking import JobAsk, answer_last
from snellen.engine.engine import Ask, Engine
from snellen.engine.lane import Stopped
from snellen.engine.progress import RunProgress
from snellen.engine.records import TrialRecord
from snellen.engine.signals import on_interrupt
from snellen.garbage import collecting_seldom

OnProgress = Callable[[RunProgress], None]
OnTrial = Callable[[bytes, TrialRecord | None], None]
"""Told of every trial that is recorded; without its record if that was there already."""
Ended = Literal["complete", "interrupted", "waiting", "given up"]
"""How a run ended; "waiting": batches are not over, and not waited for."""

_CHUNK = 100
_SLICE = 0.01  # seconds that looking for the next jobs, or doing jobs that never wait, may keep the event loop
_TICK = 0.1
_MOST_HELD = 50_000
"""Most jobs under way while calls wait for batches."""
_GRACE = 10.0


class Job(Protocol):
    """One trial to run. Its last call is the one whose reply is the answer."""

    @property
    def key(self) -> bytes: ...

    @property
    def subject(self) -> str:
        """The subject's name in results; a trial recorded under another name is marked again."""
        ...

    async def work(self, ask: Ask) -> TrialRecord:
        """Run the trial and mark it; may raise `CallFailed`."""
        ...

    def failed(self, failure: CallFailed) -> TrialRecord:
        """The record of this trial if a call failed: unread, for the reason "error"."""
        ...


class Batch(Protocol):
    """Jobs that are made together.

    `trials` are their keys with the names of their subjects, if these are known before anything is made; None if not.
    `make` starts making the jobs, at once and elsewhere, and gives them when they are there.
    """

    @property
    def trials(self) -> Collection[tuple[bytes, str]] | None: ...

    def make(self) -> Awaitable[Sequence[Job]]: ...


@dataclass(frozen=True, slots=True)
class ReadyJobs:
    """A batch whose jobs already exist."""

    jobs: Sequence[Job]

    trials = None

    async def make(self) -> Sequence[Job]:
        return self.jobs


def ready(jobs: Iterable[Job]) -> Iterator[ReadyJobs]:
    """Split jobs into batches."""
    source = iter(jobs)
    while chunk := list(islice(source, _CHUNK)):
        yield ReadyJobs(chunk)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run ended. `problem` is for the user: why it had to be given up, or how far batches are; `failures` are the
    reasons why calls failed, with their numbers, the most frequent first."""

    done: int
    skipped: int
    errors: int
    remaining: int | None
    ended: Ended
    problem: str = ""
    failures: tuple[tuple[str, int], ...] = ()


async def run(
    batches: Iterable[Batch | None],
    engine: Engine,
    exam: int,
    *,
    total: int | None = None,
    ahead: int = 2,
    on_progress: OnProgress | None = None,
    on_trial: OnTrial | None = None,
) -> RunSummary:
    """Hold all trials that are not recorded yet. Comes back when done, interrupted or given up; never loses a
    record. `ahead`: how many batches are made before they are needed.
    """
    return await _Run(batches, engine, exam, RunProgress(total, engine.tallies), ahead).hold(on_progress, on_trial)


class _Run:
    """The state that the workers of one run share."""

    def __init__(
        self, batches: Iterable[Batch | None], engine: Engine, exam: int, progress: RunProgress, ahead: int
    ) -> None:
        self.batches = iter(batches)
        self.engine = engine
        self.exam = exam
        self.progress = progress
        self.ahead = ahead
        self.on_trial: OnTrial | None = None
        self.jobs: deque[Job] = deque()
        self.fed = False  # whether no more jobs will come
        self.hungry: list[asyncio.Future[None]] = []  # those who wait for jobs
        self.room: asyncio.Future[None] | None = None  # the feeder, waiting for jobs to be taken
        self.news: asyncio.Future[None] | None = None  # the feeder, waiting for answers that decide what comes next
        self.problem = ""
        self.error: Exception | None = None
        self.breath = 0.0
        self.workers: list[asyncio.Task[None]] = []
        self.employed = 0  # how many of them have not ended
        self.under_way: set[JobAsk] = set()
        self.feeding = True  # whether the feeder is at work

    async def hold(self, on_progress: OnProgress | None, on_trial: OnTrial | None) -> RunSummary:
        self.on_trial = on_trial
        ticker = asyncio.create_task(self._tick(on_progress)) if on_progress else None
        for _ in range(self.engine.concurrency):
            self._employ()
        feeder = asyncio.create_task(self._feed())
        submitter = asyncio.create_task(self._submit())
        try:
            with on_interrupt(self._interrupted), collecting_seldom():
                while left := [worker for worker in self.workers if not worker.done()]:
                    await asyncio.wait(left)
                self.workers.append(asyncio.create_task(self.engine.settled()))
                await asyncio.wait(self.workers)
        finally:
            self._drop()
            feeder.cancel()
            submitter.cancel()
            await asyncio.gather(*self.workers, feeder, submitter, return_exceptions=True)
            if ticker:
                ticker.cancel()
        if self.error:
            with suppress(Exception):  # what could be saved is saved; the first mistake is the one to tell
                self.engine.store.flush()
            raise self.error
        await self.engine.store.saved()
        self._tell(on_progress)
        return self._summary()

    # The feeder: batches in, jobs out, a few ahead of the workers

    async def _feed(self) -> None:
        making: deque[asyncio.Future[Sequence[Job]]] = deque()
        try:
            for batch in self.batches:
                if self.progress.stopping:
                    break
                if batch is None:
                    await (self._take(await making.popleft()) if making else self._news())
                    continue
                if not self._recorded(batch):
                    making.append(asyncio.ensure_future(batch.make()))
                while len(making) > self.ahead:
                    await self._take(await making.popleft())
                await self._breathe()
            while making and not self.progress.stopping:
                await self._take(await making.popleft())
        except Exception as error:  # bad input met on the way, or a mistake of ours: told after the others are done
            self.error = self.error or error
            self._give_up()
        finally:
            for future in making:
                future.cancel()
            self.fed = True
            self.feeding = False
            self._call_workers()

    def _recorded(self, batch: Batch) -> bool:
        """True if all trials of a batch are recorded, so that it need not be made."""
        if batch.trials is None:
            return False
        done = self.engine.store.done(key for key, _ in batch.trials)
        if any(done.get(key) != subject for key, subject in batch.trials):
            return False
        self.progress.skipped += len(batch.trials)
        self.progress.by_subject.update(subject for _, subject in batch.trials)
        return True

    async def _take(self, jobs: Sequence[Job]) -> None:
        """Queue the jobs whose trials are not recorded; returns when the queue runs low."""
        done = self.engine.store.done(job.key for job in jobs)
        left = [job for job in jobs if done.get(job.key) != job.subject]
        self.progress.skipped += len(jobs) - len(left)
        for job in jobs:
            if done.get(job.key) == job.subject:
                self.progress.by_subject[job.subject] += 1
                self._told(job.key, None)
        self.jobs.extend(left)
        self._call_workers()
        while len(self.jobs) > self.engine.concurrency:
            self.room = asyncio.get_running_loop().create_future()
            await self._rest(self.room)

    async def _news(self) -> None:
        """Wait until a trial is recorded, for a source that needs an outcome to go on."""
        self.news = asyncio.get_running_loop().create_future()
        await self._rest(self.news)

    async def _rest(self, until: "asyncio.Future[None]") -> None:
        """Let the feeder wait for the workers."""
        self.feeding = False
        await until
        self.feeding = True

    def _told(self, key: bytes, trial: TrialRecord | None) -> None:
        if self.on_trial is not None:
            self.on_trial(key, trial)
        self._call_feeder()

    def _call_feeder(self) -> None:
        if self.news is not None and not self.news.done():
            self.news.set_result(None)

    def _call_workers(self) -> None:
        waiting, self.hungry = self.hungry, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def _next(self) -> Job | None:
        """The next job, or None at the end."""
        while not self.progress.stopping:
            if self.jobs:
                job = self.jobs.popleft()
                if self.room is not None and len(self.jobs) <= self.engine.concurrency and not self.room.done():
                    self.room.set_result(None)
                return job
            if self.fed or len(self.hungry) >= self.engine.concurrency:
                return None
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.hungry.append(waiting)
            await waiting
        return None

    # The workers

    async def _worker(self) -> None:
        try:
            while (job := await self._next()) is not None:
                await self._do(job)
                await self._breathe()
        except Stopped:
            return
        except CallFailed as failure:
            self.problem = self.problem or str(failure)
            self._give_up()
        except Exception as error:  # a mistake of ours, or the store's disk: told after the others are done
            self.error = self.error or error
            self._give_up()
        finally:
            self.employed -= 1

    async def _breathe(self) -> None:
        """Yield to the event loop now and then: work answered from the store never waits by itself."""
        if monotonic() > self.breath:
            await self.engine.store.saved()
            self.breath = monotonic() + _SLICE

    async def _do(self, job: Job) -> None:
        ask = JobAsk(self.engine, self._one_more)
        self.under_way.add(ask)
        try:
            trial = await job.work(ask)
        except CallFailed as failure:
            if failure.fatal:
                raise
            trial = job.failed(failure)
        finally:
            self.under_way.discard(ask)
        self.engine.store.add_trial(self.exam, job.key, trial, answer_last(ask.keys, trial.asides))
        self.progress.done += 1
        self.progress.by_subject[job.subject] += 1
        self.progress.errors += trial.reason == "error"
        self._told(job.key, trial)

    # Batches

    async def _submit(self) -> None:
        """Have calls that are collected for batches sent whenever nothing else is under way."""
        if (batches := self.engine.batches) is None:
            return
        batches.on_over = self._stop
        while True:
            await asyncio.sleep(_TICK)
            if batches.is_waiting and self._is_idle(batches.parked):
                batches.submit()

    def _is_idle(self, parked: Container[bytes]) -> bool:
        """True if the run can only wait for batches."""
        if self.feeding or (self.jobs and len(self.under_way) < _MOST_HELD):
            return False
        return all(ask.open and all(key in parked for key in ask.open) for ask in self.under_way)

    def _one_more(self) -> None:
        """One more worker if all have jobs, for these may wait for a batch."""
        if self.employed <= len(self.under_way) < _MOST_HELD and not self.progress.stopping:
            self._employ()

    def _employ(self) -> None:
        self.employed += 1
        self.workers.append(asyncio.create_task(self._worker()))

    # The end

    def _interrupted(self) -> None:
        """First interrupt: finish what is under way. Second: drop it."""
        if self.progress.stopping:
            self._drop()
        self.progress.interrupted = True
        self._stop()

    def _give_up(self) -> None:
        """Give calls under way, which may be paid for, a moment to finish."""
        self._stop()
        asyncio.get_running_loop().call_later(_GRACE, self._drop)

    def _stop(self) -> None:
        self.progress.stopping = True
        self.engine.stop()
        self._call_workers()
        self._call_feeder()

    def _drop(self) -> None:
        for worker in self.workers:
            worker.cancel()

    async def _tick(self, on_progress: OnProgress) -> None:
        while True:
            self.progress.mark()
            self.progress.held_up = self.engine.held_up
            self.progress.batches = self.engine.batches.state if self.engine.batches else ""
            self._tell(on_progress)
            await asyncio.sleep(_TICK)

    def _tell(self, on_progress: OnProgress | None) -> None:
        """Report progress; an error of the listener (such as a closed terminal) does not end the run."""
        if on_progress is not None:
            with suppress(OSError):
                on_progress(self.progress)

    def _summary(self) -> RunSummary:
        p = self.progress
        if p.done == p.errors:  # nothing was answered
            if not p.stopping and not p.skipped:  # too few calls to be sure of the reason, but it is the only one
                self.problem = self.problem or self.engine.doubt
            if self.problem:  # it is why the others failed, too: they are still to be done
                p.done = p.errors = 0
        batches = self.engine.batches
        ended: Ended = "given up" if self.problem else "interrupted" if p.stopping else "complete"
        if batches and ended == "interrupted":
            if not p.interrupted and batches.left_open:
                ended = "waiting"
            self.problem = batches.state if p.interrupted else batches.left_open
        failures = sum((tally.problems for tally in self.engine.tallies.values()), Counter[str]())
        return RunSummary(p.done, p.skipped, p.errors, p.remaining, ended, self.problem, tuple(failures.most_common()))
