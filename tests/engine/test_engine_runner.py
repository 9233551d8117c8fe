"""Running: a stream of jobs, each done once; interrupted, given up or killed, the next run takes up the rest."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from snellen.call import Call, CallFailed, Reply
from snellen.engine import Ask, Engine, Patience, RunProgress, Store, TrialRecord, ready, run
from snellen.engine.runner import ReadyJobs
from snellen.engine.signals import on_interrupt
from snellen.errors import UserError
from support.fakes import FakeJob, FakeSubject, call, jobs, trial_key, until

QUICK = Patience(attempts=2, first_pause=0.001, longest_pause=0.002)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "s.db")
    yield opened
    with suppress(UserError):  # some tests break it
        opened.close()


def engine(store: Store, concurrency: int = 8) -> Engine:
    return Engine(store, concurrency=concurrency, patience=QUICK)


def recorded(store: Store) -> int:
    count: int = store._db.execute("SELECT count(*) FROM trials WHERE reason <> 'error'").fetchone()[0]
    return count


async def test_all_jobs_are_done_and_none_twice(store: Store) -> None:
    subject = FakeSubject(lambda c: "X" if int(c.key[0]) % 2 else "O")
    first = await run(ready(jobs(subject, 100)), engine(store), 1, total=100)
    assert (first.done, first.skipped, first.errors, first.remaining, first.ended) == (100, 0, 0, 0, "complete")
    again = await run(ready(jobs(subject, 120)), engine(store), 2, total=120)
    assert (again.done, again.skipped, again.remaining) == (20, 100, 0)
    assert set(subject.asked.values()) == {1}
    rows = store.rows()
    assert rows.height == 120
    assert rows["trial"].to_list() != []
    assert rows.group_by("exam").len().sort("exam").rows() == [(1, 100), (2, 20)]
    assert set(rows["outcome"]) == {"right", "wrong"}


async def test_jobs_are_taken_as_they_are_needed(store: Store) -> None:
    taken = 0

    def counted(subject: FakeSubject) -> Iterator[FakeJob]:
        nonlocal taken
        for job in jobs(subject, 3000):
            taken += 1
            yield job

    ahead: list[int] = []
    subject = FakeSubject(lambda _: ahead.append(taken - subject.asked.total()) or "X")  # type: ignore[func-returns-value]
    await run(ready(counted(subject)), engine(store), 1)
    assert subject.asked.total() == 3000
    assert max(ahead) <= 500


async def test_failed_trials_are_recorded_and_tried_again_by_the_next_run(store: Store) -> None:
    subject = FakeSubject(failures=[CallFailed("rejected", "status 422")] * 1)
    first = await run(ready(jobs(subject, 5)), engine(store), 1, total=5)
    assert (first.done, first.errors, first.ended) == (5, 5, "complete")
    assert set(store.rows()["reason"]) == {"error"}
    again = await run(ready(jobs(subject, 5)), engine(store), 2, total=5)
    assert (again.done, again.skipped, again.errors) == (5, 0, 0)
    assert store.rows().height == 5
    assert set(store.rows()["outcome"]) == {"right"}


async def test_the_calls_of_a_trial_are_noted_in_order(store: Store) -> None:
    class TwoStages(FakeJob):
        async def work(self, ask: Ask) -> TrialRecord:
            words = await asyncio.gather(*(ask(self.asked, call(f"describe {i}")) for i in range(2)))
            reply = await ask(self.asked, call(" ".join(w.text for w in words)))
            return self._record("right", "", reply.text)

    await run(ready([TwoStages(FakeSubject(), call("unused"), trial_key(0))]), engine(store), 1)
    keys = [call(words).key.hex() for words in ("describe 0", "describe 1", "X X")]
    assert store.rows()["calls"].to_list() == [keys]


async def test_calls_that_only_helped_to_mark_a_trial_come_before_its_answer(store: Store) -> None:
    class Judged(FakeJob):
        async def work(self, ask: Ask) -> TrialRecord:
            for words in ("describe", "answer", "judge"):
                await ask(self.asked, call(words))
            return self._record("right", "", "X")._replace(asides=1)

    await run(ready([Judged(FakeSubject(), call("unused"), trial_key(0))]), engine(store), 1)
    keys = [call(words).key.hex() for words in ("judge", "describe", "answer")]
    assert store.rows()["calls"].to_list() == [keys]


async def test_trials_recorded_under_another_name_are_marked_again(store: Store) -> None:
    await run(ready(jobs(FakeSubject(name="as it was called"), 3)), engine(store), 1)
    again = await run(ready(jobs(FakeSubject(name="as it is called"), 3)), engine(store), 2)
    assert (again.done, again.skipped) == (3, 0)
    assert set(store.rows()["subject"]) == {"as it is called"}


@dataclass
class Foreseen:
    """A batch whose trials are known before they are made."""

    jobs: list[FakeJob]
    made: int = 0

    @property
    def trials(self) -> list[tuple[bytes, str]]:
        return [(job.key, job.subject) for job in self.jobs]

    async def make(self) -> list[FakeJob]:
        self.made += 1
        return self.jobs


async def test_a_batch_is_made_unless_all_its_trials_are_on_record(store: Store) -> None:
    subject = FakeSubject()
    await run(ready(jobs(subject, 3)), engine(store), 1)
    whole, part = Foreseen(list(jobs(subject, 2))), Foreseen(list(jobs(subject, 4, start=2)))
    again = await run([whole, part], engine(store), 2)
    assert (whole.made, part.made) == (0, 1)
    assert (again.done, again.skipped) == (3, 3)


async def test_calls_that_outlive_their_trial_are_recorded(store: Store) -> None:
    class Uneven(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            if "fails" in call.request:
                raise CallFailed("rejected", "no")
            return await super().answer(call)

    class TwoAtOnce(FakeJob):
        async def work(self, ask: Ask) -> TrialRecord:
            await asyncio.gather(*(ask(self.asked, call(words)) for words in ("slow", "fails")))
            raise AssertionError("one of them fails")

    summary = await run(ready([TwoAtOnce(Uneven(delay=0.05), call("unused"), trial_key(0))]), engine(store), 1)
    assert (summary.done, summary.errors) == (1, 1)
    assert store.get_reply(call("slow").key) is not None


async def test_a_fatal_failure_ends_the_run_with_one_line(store: Store) -> None:
    class Revoked(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            if self.asked.total() >= 20:
                raise CallFailed("key", "fake: the key is wrong; set FAKE_KEY", fatal=True)
            return await super().answer(call)

    subject = Revoked()
    summary = await run(ready(jobs(subject, 1000)), engine(store), 1, total=1000)
    assert (summary.ended, summary.problem) == ("given up", "fake: the key is wrong; set FAKE_KEY")
    assert summary.done == recorded(store) == 20
    assert summary.remaining == 980


async def test_a_store_that_cannot_be_written_ends_the_run_with_one_line(store: Store) -> None:
    def breaking() -> Iterator[FakeJob]:
        for i, job in enumerate(jobs(FakeSubject(), 5000)):
            if i == 2000:
                store._db.execute("PRAGMA query_only = ON")
            yield job

    with pytest.raises(UserError, match="cannot be written"):
        await run(ready(breaking()), engine(store), 1)


async def test_bad_input_met_on_the_way_ends_the_run_and_keeps_the_rest(store: Store) -> None:
    def stumbling() -> Iterator[FakeJob]:
        yield from jobs(subject, 600)
        raise UserError("picture 601 cannot be read")

    subject = FakeSubject(delay=0.02)

    with pytest.raises(UserError, match="picture 601"):
        await run(ready(stumbling()), engine(store), 1)
    assert recorded(store) == subject.asked.total() > 0, "what was under way is finished first"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_interrupted_it_finishes_what_is_under_way_and_says_what_is_left(store: Store, number: int) -> None:
    class Interrupting(FakeSubject):
        async def answer(self, call: Call) -> Reply:
            if self.asked.total() == 30:
                os.kill(os.getpid(), number)
            return await super().answer(call)

    subject = Interrupting(delay=0.01)
    handler = signal.getsignal(number)
    summary = await run(ready(jobs(subject, 1000)), engine(store), 1, total=1000)
    assert signal.getsignal(number) == handler
    assert summary.ended == "interrupted"
    assert summary.done == recorded(store) == subject.asked.total(), "every call that was made is used"
    assert 30 <= summary.done <= 45
    assert summary.remaining == 1000 - summary.done
    rest = await run(ready(jobs(subject, 1000)), engine(store), 2, total=1000)
    assert rest.ended == "complete"
    assert set(subject.asked.values()) == {1}


async def test_interrupted_twice_it_drops_what_is_under_way(store: Store) -> None:
    class Stuck(FakeSubject):
        interrupts = 2

        async def answer(self, call: Call) -> Reply:
            if self.asked.total() >= 10:
                if self.interrupts:
                    self.interrupts -= 1
                    asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
                await asyncio.sleep(3600)
            return await super().answer(call)

    summary = await asyncio.wait_for(run(ready(jobs(Stuck(), 100)), engine(store), 1, total=100), 10)
    assert summary.ended == "interrupted"
    assert summary.done == recorded(store) == 10


async def test_cancelled_from_outside_it_leaves_the_store_whole(store: Store) -> None:
    subject = FakeSubject(delay=0.001)
    task = asyncio.create_task(run(ready(jobs(subject, 10_000)), engine(store), 1))
    await until(lambda: subject.asked.total() > 200)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    store.flush()
    assert 0 < recorded(store) < 10_000


async def test_progress_is_told_in_numbers(store: Store) -> None:
    subject = FakeSubject(delay=0.02)
    await run(ready(jobs(subject, 40)), engine(store), 1)
    seen: list[tuple[int, int, int | None]] = []
    kept: list[RunProgress] = []

    def watch(progress: RunProgress) -> None:
        kept.append(progress)
        seen.append((progress.done, progress.skipped, progress.remaining))

    await run(ready(jobs(subject, 100)), engine(store), 2, total=100, on_progress=watch)
    assert seen[0] == (0, 0, 100)
    assert seen[-1] == (60, 40, 0)
    assert len(seen) > 2
    last = kept[-1]
    assert (last.made, last.cached, last.errors) == (60, 0, 0)
    assert (last.tokens_in, last.tokens_out) == (600, 60)
    assert last.rate > 0


async def test_answers_from_the_store_let_the_loop_breathe(store: Store) -> None:
    subject = FakeSubject()
    await run(ready(jobs(subject, 3000)), engine(store), 1)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    def afresh() -> Iterator[FakeJob]:
        for i, job in enumerate(jobs(subject, 3000)):
            yield FakeJob(job.asked, job.call, trial_key(10_000 + i))

    beside = asyncio.create_task(other())
    await run(ready(afresh()), engine(store), 2)
    await run(ready(afresh()), engine(store), 3)
    beside.cancel()
    assert set(subject.asked.values()) == {1}
    assert turns > 5


async def test_in_a_thread_it_runs_without_signals(store: Store) -> None:
    summary = await asyncio.to_thread(asyncio.run, run(ready(jobs(FakeSubject(), 20)), engine(store), 1, total=20))
    assert summary.done == 20


async def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As `nohup` has it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    heard: list[bool] = []
    try:
        with on_interrupt(lambda: heard.append(True)):
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            signal.raise_signal(signal.SIGHUP)
            await asyncio.sleep(0)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert heard == []


async def test_a_source_that_waits_for_answers_is_told_of_them_and_goes_on(store: Store) -> None:
    subject = FakeSubject(lambda c: "X")
    known: list[tuple[bytes, str | None]] = []

    def rounds(n: int) -> Iterator[ReadyJobs | None]:
        for first in range(0, n, 4):
            yield ReadyJobs(list(jobs(subject, 4, first)))
            while len(known) < first + 4:
                yield None

    def heard(key: bytes, trial: TrialRecord | None) -> None:
        known.append((key, trial.outcome if trial else None))

    async with asyncio.timeout(20):
        first = await run(rounds(12), engine(store), 1, on_trial=heard)
        assert {key for key, outcome in known if outcome} == {trial_key(i) for i in range(12)}
        known.clear()
        again = await run(rounds(20), engine(store), 2, on_trial=heard)
    assert (first.done, again.done, again.skipped) == (12, 8, 12)
    assert [outcome for _, outcome in known[:12]] == [None] * 12, "what was on record is told of too"
    assert set(subject.asked.values()) == {1}


async def test_a_source_that_waits_does_not_hold_up_the_end(store: Store) -> None:
    """Whoever interrupts does not wait for answers that will never come."""
    subject = FakeSubject(lambda c: "X")

    def endless() -> Iterator[ReadyJobs | None]:
        yield ReadyJobs(list(jobs(subject, 4)))
        while True:
            yield None

    def stop(progress: RunProgress) -> None:
        if progress.done == 4 and not progress.stopping:
            os.kill(os.getpid(), signal.SIGINT)

    async with asyncio.timeout(20):
        summary = await run(endless(), engine(store), 1, on_progress=stop)
    assert (summary.done, summary.ended) == (4, "interrupted")
