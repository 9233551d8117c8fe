"""One sample of an Inspect log as a call and a trial of ours.

A sample of our own task carries its question, so its answer is marked again by our reader. Any other sample
is taken at its score's word: right, wrong, or unread. What a log says is data, never trusted: pictures are
decoded and kept by their digest, and anything that is not inline stays a few words in its place.
"""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

from snellen.answer import Outcome, Reading, Reason, Verdict, mark
from snellen.bridge.samples import Record, from_metadata
from snellen.call import Call, Message, Reply
from snellen.engine.records import CallRecord, TrialRecord
from snellen.item import Picture
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
class Source:
    """What all samples of a log have in common. `score` is the name of the score to go by."""

    task: str
    subject: str
    settings: Mapping[str, Any]
    log: str
    """The evaluation's own id: replies of two logs are never mixed up."""
    score: str
    epochs: int


@dataclass(frozen=True, slots=True)
class Imported:
    """A sample, ready for the store."""

    key: bytes
    trial: TrialRecord
    call: CallRecord
    pictures: tuple[Picture, ...]


def from_sample(sample: EvalSample, source: Source) -> Imported:
    """The sample as a call with its reply, and as a trial."""
    call = _call(sample, source)
    record = from_metadata(sample.metadata)
    trial = _own_trial(sample, source, record) if record else _other_trial(sample, source)
    identity = [
        trial.task,
        trial.item,
        record.digest if record else "",
        trial.subject,
        trial.paradigm,
        trial.pack,
    ]
    key = sha256(json.dumps(["inspect", *identity, sorted(trial.levels.items())]).encode()).digest()[:16]
    return Imported(key, trial, _call_record(sample, call), call.pictures)


def outcome_of(score: Score | None) -> Outcome | None:
    """What a score's value says; None if it is neither right, wrong nor without an answer."""
    if score is None or (isinstance(score.value, float) and isnan(score.value)):
        return "unread"  # how Inspect notes that a sample could not be scored
    value = score.value
    return _OUTCOMES.get(value) if isinstance(value, str | int | float) else None


def _own_trial(sample: EvalSample, source: Source, record: Record) -> TrialRecord:
    levels = {**record.levels, "epoch": str(sample.epoch)} if source.epochs > 1 else dict(record.levels)
    reply = _reply(sample)
    verdict = mark(reply.text, record.question, reply.finish) if reply else _ERROR
    return TrialRecord(
        task=record.task,
        item=record.item,
        cluster=record.cluster,
        subject=source.subject,
        paradigm="direct",
        levels=levels,
        pack=record.pack,
        outcome=verdict.outcome,
        reason=verdict.reading.reason,
        answer=verdict.reading.answer,
        expected=record.question.key,
        labels=record.question.options,
        mechanism=verdict.mechanism,
        how=verdict.reading.how,
        span=verdict.reading.span,
    )


def _other_trial(sample: EvalSample, source: Source) -> TrialRecord:
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


def _call(sample: EvalSample, source: Source) -> Call:
    """The model call whose reply is the answer: all that was said before."""
    conversation = list(sample.messages)
    while conversation and conversation[-1].role != "assistant":
        conversation.pop()
    asked: Iterable[ChatMessage] | str = conversation[:-1] or sample.input
    messages = (Message("user", (asked,)),) if isinstance(asked, str) else tuple(map(_message, asked))
    settings = {**source.settings, "log": source.log, "sample": str(sample.id), "epoch": sample.epoch}
    return Call(source.subject, settings, messages)


def _call_record(sample: EvalSample, call: Call) -> CallRecord:
    reply = _reply(sample)
    message = ""
    if reply is None:
        message = " ".join((sample.error.message if sample.error else "the log holds no reply").split())[:_LIMIT]
    return CallRecord(
        key=call.key,
        subject=call.subject,
        request=call.request,
        reply=reply,
        problem="" if reply else "rejected",
        message=message,
        seconds=sample.working_time or sample.total_time or 0.0,
        at=datetime.fromisoformat(sample.completed_at).timestamp() if sample.completed_at else 0.0,
    )


def _reply(sample: EvalSample) -> Reply | None:
    """The reply that is the answer; None if an error came between."""
    if sample.error or not sample.output.choices:
        return None
    reply = reply_of(sample.output)
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
