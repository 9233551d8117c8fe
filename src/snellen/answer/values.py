"""What reading an answer gives."""

from dataclasses import dataclass
from typing import Literal, get_args

Outcome = Literal["right", "wrong", "unread"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Reason = Literal["", "refused", "truncated", "unparsable", "error"]
"""Why an answer is unread; empty when it was read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    `answer` is the label as the form spells it, a whole number without ornament, or a text; empty when unread. `how`
    names the rule that fired, in words. `span` is the evidence in the raw reply, (0, 0) when there is none.
    """

    answer: str
    reason: Reason
    how: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading held against the key. `mechanism` is what a named wrong answer betrays, else empty."""

    outcome: Outcome
    reading: Reading
    mechanism: str


About = Literal["the answer", "what is asked", "its opposite", "the kind in general", "a part", "something else"]
Stance = Literal["given", "concluded", "considered", "denied", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Something in a reply that may be its answer.

    `answer` is the value claimed, empty where several are left open ("X or O"). `how`: the rule that found it. `about`
    and `stance` say what it is claimed of, and how: only what is given or concluded can be an answer. `span` is in the
    raw reply; `place` is where its tags begin and end. `closed`: the reply goes on after it, so a reply cut short there
    cannot have meant to say more.
    """

    answer: str
    how: str
    span: tuple[int, int]
    closed: bool = True
    about: About = "the answer"
    stance: Stance = "given"
    place: tuple[int, int] = (-1, -1)

    @property
    def counts(self) -> bool:
        return self.stance in ("given", "concluded") and self.about in ("the answer", "what is asked")
