"""Holding one trial: put the stimulus to the subject the paradigm's way, and mark what comes back."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.answer import Verdict, mark
from snellen.answer.confidence import confidence
from snellen.answer.schema import schema_of, without_reasoning
from snellen.call import Call, CallFailed, Message, Reply, Subject
from snellen.engine import Ask as EngineAsk
from snellen.engine import Stopped, TrialRecord
from snellen.errors import UserError, unknown
from snellen.examine.judging import SCORES, JudgedReply, about_judging, judge, judge_words
from snellen.examine.plan import ExamPlan
from snellen.examine.reading import read_again, wanted
from snellen.examine.task_plans import Trial
from snellen.item import Condition, Form, Picture, Stimulus
from snellen.ladder import SETTING
from snellen.paradigms import PARADIGMS, Ask, Paradigm, Say
from snellen.plugins import where

STRUCTURED, SCHEMA = "structured", "schema"
"""The setting by which a subject is held to the form of the answer, and that which carries the form in a call."""
SCORE, LABELS = "score", "labels"
"""The setting by which a subject weighs the labels of a choice, and that which carries the labels in a call."""
_NO_LEVELS = Condition()
_NOT_ITS_FAULT = (UserError, CallFailed, Stopped, OSError, sqlite3.Error)


@dataclass(frozen=True, slots=True)
class TrialJob:
    """One trial as the engine sees it: a key and some work."""

    plan: ExamPlan
    trial: Trial
    stimulus: Stimulus

    @property
    def key(self) -> bytes:
        return self.trial.key

    @property
    def subject(self) -> str:
        return self.trial.way.label

    async def work(self, ask: EngineAsk) -> TrialRecord:
        question = self.stimulus.question
        reply = await self.put(ask)
        verdict = mark(self._answering(reply), question, reply.finish)
        sure = confidence(reply.text, reply.tokens, verdict.reading.span)
        verdict, asides = await self._second_opinion(verdict, reply, ask)
        reading = verdict.reading
        return self._record(
            asides=asides,
            outcome=verdict.outcome,
            reason=reading.reason,
            answer=reading.answer,
            mechanism=verdict.mechanism,
            how=reading.how,
            span=reading.span,
            confidence=sure,
        )

    def _answering(self, reply: Reply) -> str:
        """The reply without the reasoning that it was asked to begin with."""
        held = self.stimulus.question.form.reasoned and self.trial.way.answering.settings.get(STRUCTURED)
        return without_reasoning(reply.text) if held else reply.text

    def failed(self, failure: CallFailed) -> TrialRecord:
        return self._record(outcome="unread", reason="error", answer="", how=str(failure))

    def _record(self, **reading: Any) -> TrialRecord:
        trial, item, question = self.trial, self.trial.item, self.stimulus.question
        part = trial.part
        varied = {f"{SETTING}{name}": level for name, level in trial.settings.items()}
        return TrialRecord(
            task=part.task.name,
            item=item.id,
            cluster=item.cluster,
            subject=trial.way.label,
            paradigm=trial.way.paradigm.name,
            levels={**item.levels, **trial.condition, **varied, **trial.way.levels},
            pack=part.pack,
            expected=question.key,
            labels=question.options,
            sample=trial.sample,
            **reading,
        )

    async def put(self, engine_ask: EngineAsk) -> Reply:
        """Put the stimulus to the subject the paradigm's way: the reply that is to be read."""

        async def ask(
            role: str,
            *parts: str | Picture,
            after: Sequence[Message] = (),
            form: Form | None = None,
            **settings: Any,
        ) -> Reply:
            who = self._player(role)
            changed = {**self._varied(who), **settings}
            if form is not None and who.settings.get(STRUCTURED):
                changed[SCHEMA] = schema_of(form)
            if form is not None and _is_weighed(form) and changed.get(SCORE, who.settings.get(SCORE)):
                changed[LABELS] = form.labels
            return await engine_ask(who, self._call(who, (*after, Message("user", parts)), changed))

        return await put_by(self.trial.way.paradigm, self.stimulus, ask, self.say)

    def say(self, piece: str, **values: str) -> str:
        """A piece of the paradigm's own words."""
        return self.plan.paradigm_pack.say(piece, _NO_LEVELS, values)

    def _player(self, role: str) -> Subject:
        way = self.trial.way
        if role not in way.players:
            raise unknown(f"role in paradigm {way.paradigm.name}", role, way.players)
        return way.players[role]

    def _call(self, who: Subject, messages: tuple[Message, ...], changed: Mapping[str, Any]) -> Call:
        settings = {**who.settings, **changed} if changed else who.settings
        return Call(who.name, settings, messages, self.stimulus, self.trial.sample)

    def _varied(self, who: Subject) -> dict[str, Any]:
        """The settings that this trial varies; they are those of whoever is examined."""
        if not self.trial.settings or who is not self.trial.way.answering:
            return {}
        read = who.abilities.per_call
        return {name: read[name](level) for name, level in self.trial.settings.items()}

    # Who else looks at the answer

    async def _second_opinion(self, verdict: Verdict, reply: Reply, ask: EngineAsk) -> tuple[Verdict, int]:
        """The verdict after a judge or a second reader had a look, where there is one, and how many calls that took."""
        if self.trial.way.judge:
            judgement = await self.judge(self.trial.way.judge, verdict, reply, ask)
            return judgement.verdict, judgement.calls
        reader = self.plan.reader
        if reader is None or not wanted(verdict):
            return verdict, 0

        async def ask_reader(words: str) -> Reply:
            return await ask(reader, self._call(reader, (Message("user", (words,)),), {}))

        def say(piece: str, values: dict[str, str]) -> str:
            return self.say(piece, **values)

        second = await read_again(reply, self.stimulus.question, ask_reader, say, reader.name)
        return second or verdict, 1

    async def judge(self, who: Subject, by_rules: Verdict, reply: Reply, ask: EngineAsk) -> JudgedReply:
        """Have a judge score the reply. Judges see words only."""
        if self.plan.judge_pack is None:
            raise ValueError("a plan with a judge has words for it")
        words = judge_words(self.stimulus, reply.text, self.plan.judge_pack)

        async def ask_judge(prompt: str) -> Reply:
            about = about_judging(self.stimulus, prompt, by_rules)
            return await ask(who, Call(who.name, who.settings, (Message("user", (prompt,)),), about))

        return await judge(reply, by_rules, words, ask_judge, self.plan.pool.called(who))


def _is_weighed(form: Form) -> bool:
    """Whether labels can be weighed in place of a reply: where one is asked for at once, and not after some thought."""
    return form.kind == "choice" and form.final == "plain"


async def put_by(paradigm: Paradigm, stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    """The reply that a paradigm comes to. What a stimulus has under the paradigm's own name is asked as it is: a data
    set holds it in words. Its code may be anybody's: what goes wrong in it is told in one line. What goes wrong with a
    call or the store is not its fault."""
    if paradigm.name in stimulus.scripts:
        return await ask(paradigm.roles[-1], *stimulus.scripts[paradigm.name], form=stimulus.question.form)
    try:
        reply = await paradigm.run(stimulus, ask, say)
    except _NOT_ITS_FAULT:
        raise
    except (Exception, asyncio.CancelledError) as error:
        task = asyncio.current_task()
        if PARADIGMS.get(paradigm.name) is paradigm or (task is not None and task.cancelling()):
            raise
        raise UserError(f"paradigm {paradigm.name}: {where(error)}") from error
    if not isinstance(reply, Reply):
        what = type(reply).__name__
        raise UserError(f"paradigm {paradigm.name}: returned {what}; expected a reply, as ask(...) gives it")
    return reply


async def pretend(job: TrialJob, ask: EngineAsk) -> None:
    """Make the calls of a trial without minding what is said. Judges are taken to keep to the form at once."""
    reply = await job.put(ask)
    who = job.trial.way.judge
    if who is None:
        return

    async def judging(subject: Subject, call: Call) -> Reply:
        await ask(subject, call)
        return Reply(SCORES[0])

    await job.judge(who, mark(reply.text, job.stimulus.question, reply.finish), reply, judging)
