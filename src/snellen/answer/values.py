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


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something in a reply that may be its answer; `answer` is empty where a final word names none ("X or O").

    `span` is in the raw reply. `closed`: the reply goes on after it, so a reply cut short there cannot have meant
    to say more.
    """

    answer: str
    how: str
    span: tuple[int, int]
    closed: bool = True
