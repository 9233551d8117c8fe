"""Trials held again on paper: the paradigm is put to the recorded replies, and what comes back is read and marked anew.

Every message that the paradigm sends must be on record, word for word and picture for picture, among the calls of the
trial; the reply that stands there is the one that is used. So a trial that passes was asked what its item, condition
and wording ask, and its record is what the reader makes of its reply. Scores of judges and second readers are read
again, too; whether they judged well, nobody can tell from here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from snellen.answer import Verdict, mark
from snellen.answer.confidence import confidence
from snellen.answer.schema import without_reasoning
from snellen.call import Call, Message, Reply
from snellen.engine import CallRecord
from snellen.errors import UserError
from snellen.examine.judging import JUDGE_ROLE, JUDGE_TABLE, judge, judge_words
from snellen.examine.planning import PARADIGM_TABLE
from snellen.examine.reading import SECOND_READING, read_again, wanted
from snellen.examine.trial import STRUCTURED, put_by
from snellen.item import Condition, Form, Picture, Question, Stimulus
from snellen.masking import mask
from snellen.paradigms import PARADIGMS, WORDING
from snellen.prompts import Pack, load
from snellen.publish.comparison import Difference

Row = Mapping[str, Any]
MASK = "[masked: "
_READ = ("outcome", "reason", "answer", "mechanism", "how", "span_start", "span_end", "confidence")
_READER = ", then "


class _Missing(UserError):
    """A message that is not among the recorded calls of its trial."""


class _NoReply(UserError):
    """A call of the trial that brought no reply."""


@dataclass
class _Calls:
    """The recorded calls of a trial, found by the messages they sent."""

    records: Sequence[CallRecord]

    def __post_init__(self) -> None:
        self._by_messages = {_messages(record.request): record for record in self.records}
        self.last: CallRecord | None = None

    def reply(self, messages: tuple[Message, ...]) -> Reply:
        record = self._by_messages.get(_messages(mask(Call("", {}, messages).request)))
        if record is None:
            raise _Missing("")
        if record.reply is None:
            raise _NoReply("")
        self.last = record
        return record.reply


def _messages(request: str) -> str:
    return json.dumps(json.loads(request)["messages"])


async def differences(row: Row, stimulus: Stimulus, records: Sequence[CallRecord], reader: str) -> list[Difference]:
    """Where the record of a trial differs from what its replies give. `reader`: the exam's, as fingerprints name it."""
    calls = _Calls(records)
    question = stimulus.question
    found = [
        Difference(name, _told(value), _told(row[name]))
        for name, value in (("key", mask(question.key)), ("labels", [mask(each) for each in question.options]))
        if (row[name] or []) != (value or [])
    ]
    paradigm = PARADIGMS[row["paradigm"]]
    try:
        reply = await put_by(paradigm, stimulus, _asking(calls), _say)
        verdict, sure = _marked(reply, question, calls.last)
        verdict = await _second_opinion(verdict, reply, stimulus, calls, row, reader)
    except _NoReply:
        if row["reason"] != "error":
            found.append(Difference("reply", "a reply", "none on record"))
        return found
    except _Missing:
        if row["reason"] != "error":
            found.append(Difference("prompt", "a call with the words and pictures of the item", "no such call"))
        return found
    return [*found, *_read(row, verdict, sure)]


def _read(row: Row, verdict: Verdict, sure: float | None) -> list[Difference]:
    reading = verdict.reading
    made = (verdict.outcome, reading.reason, mask(reading.answer), verdict.mechanism, reading.how, *reading.span, sure)
    read = zip(_READ, made, strict=True)
    return [Difference(name, _told(value), _told(row[name])) for name, value in read if row[name] != value]


def _told(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _asking(calls: _Calls) -> Any:
    async def ask(
        role: str, *parts: str | Picture, after: Sequence[Message] = (), form: Form | None = None, **settings: Any
    ) -> Reply:
        return calls.reply((*after, Message("user", parts)))

    return ask


def _marked(reply: Reply, question: Question, record: CallRecord | None) -> tuple[Verdict, float | None]:
    settings = json.loads(record.request)["settings"] if record else {}
    held = question.form.reasoned and settings.get(STRUCTURED)
    verdict = mark(without_reasoning(reply.text) if held else reply.text, question, reply.finish)
    return verdict, confidence(reply.text, reply.tokens, verdict.reading.span)


async def _second_opinion(
    verdict: Verdict, reply: Reply, stimulus: Stimulus, calls: _Calls, row: Row, reader: str
) -> Verdict:
    async def ask(words: str) -> Reply:
        return calls.reply((Message("user", (words,)),))

    def say(piece: str, values: dict[str, str]) -> str:
        return _say(piece, **values)

    if who := json.loads(row["levels"]).get(JUDGE_ROLE):
        judged = await judge(reply, verdict, judge_words(stimulus, reply.text, _pack(JUDGE_TABLE)), ask, who)
        return judged.verdict
    if _READER in reader and wanted(verdict):
        second = await read_again(reply, stimulus.question, ask, say, reader.partition(_READER)[2])
        return second or verdict
    return verdict


def _say(piece: str, **values: str) -> str:
    return _pack(PARADIGM_TABLE).say(piece, Condition(), values)


@cache
def _pack(table: str) -> Pack:
    return load(WORDING, table, fallback=WORDING)


def is_judged(row: Row) -> bool:
    return JUDGE_ROLE in json.loads(row["levels"])


def read_differences(row: Row, record: CallRecord, question: Question) -> list[Difference]:
    """Where a record differs from what the reader makes of its reply, for trials that the rules alone marked."""
    if record.reply is None or row["how"].startswith(SECOND_READING):
        return []
    verdict, sure = _marked(record.reply, question, record)
    return _read(row, verdict, sure)
