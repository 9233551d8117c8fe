"""Running a plan: each trial becomes a job. The engine knows nothing of tasks; this is where the two meet."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from snellen.answer import Verdict, mark
from snellen.call import Call, CallFailed, Message, Reply, Subject
from snellen.engine import Ask as EngineAsk
from snellen.engine import Engine, Estimate, Price, Progress, Store, Summary, TrialRecord, estimate, run
from snellen.errors import UserError
from snellen.examine.judging import SCORES, Judgement, about_judging, judge, judge_words
from snellen.examine.plan import Plan, Trial
from snellen.examine.reading import read_again, wanted
from snellen.item import NOTHING, Condition, Picture, Stimulus

if TYPE_CHECKING:
    from snellen.examine.result import Exam

T = TypeVar("T")
_NO_LEVELS = Condition()


@dataclass(frozen=True, slots=True)
class TrialJob:
    """One trial as the engine sees it: a key and some work."""

    plan: Plan
    trial: Trial

    @property
    def key(self) -> bytes:
        return self.trial.key

    async def work(self, ask: EngineAsk) -> TrialRecord:
        stimulus = _stimulus(self.trial)
        reply = await _put(self.plan, self.trial, stimulus, ask)
        verdict = mark(reply.text, stimulus.question, reply.finish)
        if self.trial.way.judge:
            found = await _judge(self.plan, self.trial.way.judge, verdict, reply, stimulus, ask)
            verdict, asides = found.verdict, found.calls
        else:
            second = await self._second_reading(verdict, reply, stimulus, ask)
            verdict, asides = second or verdict, int(wanted(verdict) and self.plan.reader is not None)
        reading = verdict.reading
        return self._record(
            asides=asides,
            outcome=verdict.outcome,
            reason=reading.reason,
            answer=reading.answer,
            expected=stimulus.question.key,
            labels=stimulus.question.form.labels,
            mechanism=verdict.mechanism,
            how=reading.how,
            span=reading.span,
        )

    async def _second_reading(
        self, verdict: Verdict, reply: Reply, stimulus: Stimulus, ask: EngineAsk
    ) -> Verdict | None:
        reader = self.plan.reader
        if reader is None or not wanted(verdict):
            return None

        async def ask_reader(words: str) -> Reply:
            return await ask(reader, Call(reader.name, reader.settings, (Message("user", (words,)),), about=stimulus))

        def say(piece: str, values: dict[str, str]) -> str:
            return self.plan.paradigm_pack.say(piece, _NO_LEVELS, values)

        return await read_again(reply, stimulus.question, ask_reader, say, reader.name)

    def failed(self, failure: CallFailed) -> TrialRecord:
        question = _stimulus(self.trial).question
        return self._record(
            outcome="unread",
            reason="error",
            answer="",
            expected=question.key,
            labels=question.form.labels,
            how=str(failure),
        )

    def _record(self, **reading: Any) -> TrialRecord:
        trial = self.trial
        return TrialRecord(
            task=trial.item.task,
            item=trial.item.id,
            cluster=trial.item.cluster,
            subject=trial.way.label,
            paradigm=trial.way.paradigm.name,
            levels={**trial.item.levels, **trial.condition, **trial.way.levels},
            pack="" if trial.part.own_words else trial.part.pack.digest[:12],
            **reading,
        )


def _stimulus(trial: Trial) -> Stimulus:
    return trial.part.task.stimulus(trial.item, trial.condition, trial.part.pack)


async def _put(plan: Plan, trial: Trial, stimulus: Stimulus, engine_ask: EngineAsk) -> Reply:
    """Put the stimulus to the subject the paradigm's way."""

    async def ask(role: str, *parts: str | Picture) -> Reply:
        who = trial.way.players[role]
        call = Call(who.name, who.settings, (Message("user", parts),), about=stimulus)
        return await engine_ask(who, call)

    def say(piece: str) -> str:
        return plan.paradigm_pack.say(piece, _NO_LEVELS, NOTHING)

    return await trial.way.paradigm.run(stimulus, ask, say)


async def _judge(
    plan: Plan, who: Subject, by_rules: Verdict, reply: Reply, stimulus: Stimulus, ask: EngineAsk
) -> Judgement:
    """Have a judge score the reply. Judges see words only."""
    if plan.judge_pack is None:
        raise ValueError("a plan with a judge has words for it")
    words = judge_words(stimulus, reply.text, plan.judge_pack)

    async def ask_judge(prompt: str) -> Reply:
        about = about_judging(stimulus, prompt, by_rules)
        return await ask(who, Call(who.name, who.settings, (Message("user", (prompt,)),), about=about))

    return await judge(reply, by_rules, words, ask_judge, who.name)


def run_plan(
    plan: Plan,
    store: str | Path,
    *,
    concurrency: int = 64,
    watch: Callable[[Progress], None] | None = None,
) -> "Exam":
    """Hold the exam; what was interrupted or failed is taken up by the next run with the same store."""
    from snellen.examine.result import Exam

    with Store.open(store) as opened:
        summary = _in_loop(_hold(plan, opened, concurrency, watch))
    if summary.ended == "given up":
        raise UserError(f"{summary.problem} ({summary.done + summary.skipped:,} trials are kept in {store})")
    return Exam(store, plan.labels, summary)


async def _hold(plan: Plan, store: Store, concurrency: int, watch: Callable[[Progress], None] | None) -> Summary:
    exam = store.begin_exam(plan.spec(), plan.fingerprint())
    items = _Items(store)
    engine = Engine(store, concurrency=concurrency)
    async with AsyncExitStack() as stack:
        for who in plan.players:
            await stack.enter_async_context(who)
        jobs = (TrialJob(plan, trial) for trial in items.noting(plan.trials()))
        summary = await run(jobs, engine, exam, total=plan.size, on_progress=watch)
    counts = {"trials": summary.done + summary.skipped, "errors": summary.errors, "ended": summary.ended}
    store.end_exam(exam, {**counts, "items": items.hexdigest() if summary.ended == "complete" else ""})
    return summary


class _Items:
    """The items of an exam as they stream by: each is kept in the store, and all together have an identity."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sha = sha256()
        self._last = ""

    def noting(self, trials: Iterator[Trial]) -> Iterator[Trial]:
        for trial in trials:
            if trial.item.id != self._last:
                self._last = trial.item.id
                self._store.put_item(trial.item)
                self._sha.update(f"{trial.item.id} {trial.item.digest}\n".encode())
            yield trial

    def hexdigest(self) -> str:
        return self._sha.hexdigest()[:32]


def estimate_plan(plan: Plan, store: str | Path, prices: Mapping[str, Price] | None = None) -> Estimate:
    """How many calls, tokens and, with prices, how much money the plan would take after what the store has."""
    if not Path(store).exists():
        return estimate(_calls(plan, None), None, prices)
    with Store.open(store, readonly=True) as opened:
        return estimate(_calls(plan, opened), opened, prices)


def _calls(plan: Plan, store: Store | None) -> Iterator[Call]:
    """Every call the plan would make. Where a later call depends on a reply that is not there yet, a stand-in of about
    the right length takes its place: its tokens are right even if its words are not. Judges are taken to keep to the
    form at once."""
    made: list[Call] = []

    async def pretend(_: Subject, call: Call) -> Reply:
        made.append(call)
        known = store.get_reply(call.key) if store else None
        return known or Reply(f"[reply to {call.key.hex()}] " + "." * 600)

    loop = asyncio.new_event_loop()
    try:
        for trial in plan.trials():
            loop.run_until_complete(_pretend_all(plan, trial, pretend))
            yield from made
            made.clear()
    finally:
        loop.close()


async def _pretend_all(plan: Plan, trial: Trial, pretend: EngineAsk) -> None:
    stimulus, who = _stimulus(trial), trial.way.judge
    reply = await _put(plan, trial, stimulus, pretend)
    if who is None:
        return

    async def judging(subject: Subject, call: Call) -> Reply:
        await pretend(subject, call)
        return Reply(SCORES[0])

    await _judge(plan, who, mark(reply.text, stimulus.question, reply.finish), reply, stimulus, judging)


def _in_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also from inside a notebook, where a loop is already running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
