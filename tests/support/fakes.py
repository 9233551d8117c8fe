"""Small stand-ins for tests: calls, jobs, and a subject that does as it is told, without any network."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

from snellen.call import Abilities, Call, CallFailed, Message, Reply, Subject
from snellen.engine import Ask, TrialRecord
from snellen.item import Picture

PICTURE = Picture(b"\x89PNG\r\n\x1a\n" + bytes(8) + (384).to_bytes(4, "big") * 2, alt="a board")


def call(words: str = "Who wins?", subject: str = "fake", picture: Picture = PICTURE, **settings: Any) -> Call:
    return Call(subject, settings, (Message("user", (picture, words)),))


@dataclass
class FakeSubject:
    """Answers every call with `text`, after the failures it was given for it; counts what it was asked."""

    text: str | Callable[[Call], str] = "X"
    failures: Sequence[Exception] = ()
    name: str = "fake"
    settings: Mapping[str, Any] = field(default_factory=dict)
    abilities: Abilities = field(default_factory=Abilities)
    delay: float = 0.0
    gate: asyncio.Event | None = None
    """If given, nothing is answered before it opens."""
    asked: Counter[bytes] = field(default_factory=Counter)
    together: int = 0
    most_together: int = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        self.asked[call.key] += 1
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        try:
            await (self.gate.wait() if self.gate else asyncio.sleep(self.delay))
        finally:
            self.together -= 1
        if self.asked[call.key] <= len(self.failures):
            raise self.failures[self.asked[call.key] - 1]
        return Reply(self.text if isinstance(self.text, str) else self.text(call), "stop", 10, 1, "fake-1")


async def until(true: Callable[[], bool]) -> None:
    """Let the others go on until something is true, however slow the machine is."""
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - what is waited for is anything, not an event
            await asyncio.sleep(0.001)


@dataclass(frozen=True)
class FakeJob:
    """One question about one picture, marked right if the answer is X."""

    asked: Subject
    call: Call
    key: bytes

    @property
    def subject(self) -> str:
        return self.call.subject

    async def work(self, ask: Ask) -> TrialRecord:
        reply = await ask(self.asked, self.call)
        return self._record("right" if reply.text == "X" else "wrong", "", reply.text)

    def failed(self, failure: CallFailed) -> TrialRecord:
        return self._record("unread", "error", "")

    def _record(self, outcome: str, reason: str, answer: str) -> TrialRecord:
        return TrialRecord(
            task="fixation",
            item="fixation/tictactoe/fresh-0/0001",
            subject=self.call.subject,
            paradigm="direct",
            levels={"game": "tictactoe", "rule": "standard"},
            pack="",
            outcome=outcome,
            reason=reason,
            answer=answer,
            expected="X",
            labels=("X", "O"),
            how="whole reply",
            span=(0, len(answer)),
        )


def jobs(subject: Subject, n: int, start: int = 0) -> Iterator[FakeJob]:
    """n jobs with a call each."""
    for i in range(start, start + n):
        question = call(f"Who wins board {i}?", subject.name)
        yield FakeJob(subject, question, trial_key(i))


def trial_key(i: int) -> bytes:
    return sha256(f"trial {i}".encode()).digest()[:16]
