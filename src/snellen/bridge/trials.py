"""One sample of an Inspect log as a trial of ours with its calls.

A sample of our own task carries its question, so its answer is marked again by our reader. Any other sample
is taken at its score's word: right, wrong, or unread. What a log says is data, never trusted: pictures are
decoded and kept by their digest, and anything that is not inline stays a few words in its place.
"""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

from snellen.answer import Outcome, Reading, Reason, Verdict, mark
from snellen.answer.confidence import confidence
from snellen.bridge.samples import Header, SampleRecord, from_metadata
from snellen.call import Call, Message, Reply, without_secrets
from snellen.engine.records import CallRecord, TrialRecord
from snellen.item import Item, Picture
from snellen.paradigms import MAIN_ROLE
from snellen.subjects.inspect import reply_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessage, Content
    from inspect_ai.scorer import Score

_INLINE = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,")
_ROLES: Mapping[str, Literal["system", "user", "assistant"]] = {"system": "system", "assistant": "assistant"}
_OUTCOMES: Mapping[Any, Outcome] = {"C": "right", "I": "wrong", "N": "unread", 1: "right", 0: "wrong"}
_LIMIT = 300
_ERROR = Verdict("unread", Reading("", "error", "", (0, 0)), "")


@dataclass(frozen=True, slots=True)
class LogSource:
    """What all samples of a log have in common. `score` is the name of the score to go by; `roles`: the models that
    the evaluation gave to roles of a paradigm, by role."""

    task: str
    subject: str
    settings: Mapping[str, Any]
    log: str
    """The evaluation's own id: replies of two logs are never mixed up."""
    score: str
    header: Header
    roles: Mapping[str, str]

    def players(self, paradigm: str) -> dict[str, str]:
        """Who plays which role of a paradigm, the one that answers last."""
        return {role: self.roles.get(role, self.subject) for role in self.header.roles.get(paradigm, (MAIN_ROLE,))}

    def label(self, paradigm: str) -> str:
        """What results call whoever is examined by a paradigm: the one that answers, others in brackets."""
        players = self.players(paradigm)
        answering = list(players.values())[-1]
        others = [f"{role}={who}" for role, who in players.items() if who != answering]
        return answering + (f" [{', '.join(others)}]" if others else "")


@dataclass(frozen=True, slots=True)
class Imported:
    """A sample, ready for the store. `calls`: the last brought the answer. `item`: None if the sample is not ours."""

    key: bytes
    trial: TrialRecord
    calls: tuple[CallRecord, ...]
    pictures: tuple[Picture, ...]
    item: Item | None


def from_sample(sample: EvalSample, source: LogSource) -> Imported:
    """The sample as a trial with its calls and their replies."""
    record = from_metadata(sample.metadata)
    trial = _own_trial(sample, source, record) if record else _other_trial(sample, source)
    identity = [
        trial.task,
        trial.item,
        record.item.digest if record else "",
        trial.subject,
        trial.paradigm,
        trial.pack,
    ]
    again = [trial.sample] if trial.sample else []
    key = sha256(json.dumps(["inspect", *identity, sorted(trial.levels.items()), *again]).encode()).digest()[:16]
    in_steps = record is not None and record.paradigm in source.header.in_steps
    calls = [*(_steps(sample, source, trial.paradigm) if in_steps else ()), _answer(sample, source)]
    pictures = {picture.digest: picture for call, _ in calls for picture in call.pictures}
    item = record.item if record and record.item.truth else None
    return Imported(key, trial, tuple(made for _, made in calls), tuple(pictures.values()), item)


def outcome_of(score: Score | None) -> Outcome | None:
    """What a score's value says; None if it is neither right, wrong nor without an answer."""
    if score is None or (isinstance(score.value, float) and isnan(score.value)):
        return "unread"  # how Inspect notes that a sample could not be scored
    value = score.value
    return _OUTCOMES.get(value) if isinstance(value, str | int | float) else None


def _own_trial(sample: EvalSample, source: LogSource, record: SampleRecord) -> TrialRecord:
    reply = _reply(sample)
    verdict = mark(reply.text, record.question, reply.finish) if reply else _ERROR
    roles = {role: who for role, who in source.players(record.paradigm).items() if role != MAIN_ROLE}
    return TrialRecord(
        task=record.item.task,
        item=record.item.id,
        cluster=record.item.cluster,
        subject=source.label(record.paradigm),
        paradigm=record.paradigm,
        levels={**record.levels, **roles},
        pack=record.pack,
        outcome=verdict.outcome,
        reason=verdict.reading.reason,
        answer=verdict.reading.answer,
        expected=record.question.key,
        labels=record.question.options,
        mechanism=verdict.mechanism,
        how=verdict.reading.how,
        span=verdict.reading.span,
        sample=sample.epoch - 1,
        confidence=confidence(reply.text, reply.tokens, verdict.reading.span) if reply else None,
    )


def _other_trial(sample: EvalSample, source: LogSource) -> TrialRecord:
    score = (sample.scores or {}).get(source.score)
    outcome = outcome_of(score) or "unread"
    reason = _reason(sample, score) if outcome == "unread" else ""
    target = sample.target if isinstance(sample.target, str) else ", ".join(sample.target)
    return TrialRecord(
        task=source.task,
        item=str(sample.id),
        subject=source.subject,
        paradigm="inspect",
        levels={"epoch": str(sample.epoch)},
        pack="",
        outcome=outcome,
        reason=reason,
        answer=(score.answer or "") if score and outcome != "unread" else "",
        expected=target,
        labels=tuple(sample.choices or ()),
        how=f"score {source.score}",
    )


def _reason(sample: EvalSample, score: Score | None) -> Reason:
    reply = _reply(sample)
    if score is None or reply is None:
        return "error"
    if reply.finish == "refused" or getattr(score, "reason", None) == "refusal":
        return "refused"
    return "truncated" if reply.finish == "length" else "unparsable"


def _answer(sample: EvalSample, source: LogSource) -> tuple[Call, CallRecord]:
    """The call whose reply is the answer: all that was said before."""
    conversation = list(sample.messages)
    while conversation and conversation[-1].role != "assistant":
        conversation.pop()
    asked: Iterable[ChatMessage] | str = conversation[:-1] or sample.input
    messages = (Message("user", (asked,)),) if isinstance(asked, str) else tuple(map(_message, asked))
    record = from_metadata(sample.metadata)
    who = list(source.players(record.paradigm if record else "").values())[-1]
    call = Call(who, _settings(sample, source), messages)
    reply = _reply(sample)
    message = ""
    if reply is None:
        message = " ".join((sample.error.message if sample.error else "the log holds no reply").split())[:_LIMIT]
    return call, CallRecord(
        key=call.key,
        subject=call.subject,
        request=call.request,
        reply=reply,
        problem="" if reply else "rejected",
        message=message,
        seconds=sample.working_time or sample.total_time or 0.0,
        at=datetime.fromisoformat(sample.completed_at).timestamp() if sample.completed_at else 0.0,
    )


def _steps(sample: EvalSample, source: LogSource, paradigm: str) -> Iterator[tuple[Call, CallRecord]]:
    """The calls before the one that brought the answer, from the sample's transcript."""
    models = {who.removeprefix("inspect/"): who for who in source.players(paradigm).values()}
    events = [event for event in sample.events if event.event == "model" and not event.error and event.output.choices]
    for event in events[:-1]:
        messages = tuple(map(_message, event.input))
        call = Call(models.get(event.model, source.subject), _settings(sample, source), messages)
        at = event.completed.timestamp() if event.completed else 0.0
        reply = _counted(reply_of(event.output))
        yield call, CallRecord(call.key, call.subject, call.request, reply, seconds=event.working_time or 0.0, at=at)


def _settings(sample: EvalSample, source: LogSource) -> dict[str, Any]:
    return {**source.settings, "log": source.log, "sample": str(sample.id), "epoch": sample.epoch}


def _reply(sample: EvalSample) -> Reply | None:
    """The reply that is the answer; None if an error came between."""
    if sample.error or not sample.output.choices:
        return None
    return _counted(reply_of(sample.output))


def _counted(reply: Reply) -> Reply:
    reply = without_secrets(reply)
    return replace(reply, tokens_in=_count(reply.tokens_in), tokens_out=_count(reply.tokens_out))


def _count(tokens: int | None) -> int | None:
    """A number of tokens, unless no database could hold it."""
    return tokens if tokens is not None and 0 <= tokens < 2**63 else None


def _message(message: ChatMessage) -> Message:
    content = [message.content] if isinstance(message.content, str) else message.content
    parts = tuple(part for piece in content if (part := _part(piece)) is not None)
    return Message(_ROLES.get(message.role, "user"), parts)


def _part(content: str | Content) -> str | Picture | None:
    """A piece of a message; thoughts, which are not part of a request, are left out."""
    if isinstance(content, str):
        return content
    if content.type == "text":
        return content.text
    if content.type == "image":
        return _picture(content.image) or "[a picture that is not in the log]"
    return None if content.type == "reasoning" else f"[{content.type}]"


def _picture(reference: str) -> Picture | None:
    """The picture in a data URI."""
    head = _INLINE.match(reference)
    if head is None:
        return None
    try:
        return Picture(b64decode(reference[head.end() :], validate=True), head[1])
    except binascii.Error:
        return None
