"""What the store keeps, as plain values: a call that was made, a trial that was marked, an exam that was
held.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from snellen.call import Reply


class CallRecord(NamedTuple):
    """One call and how it ended: with a reply, or with a problem (its kind and a line of words)."""

    key: bytes
    subject: str
    request: str
    """The call as canonical JSON, pictures by digest (see `Call.request`)."""
    reply: Reply | None
    problem: str = ""
    message: str = ""
    attempts: int = 1
    seconds: float = 0.0
    """How long the last attempt took, waiting for a turn not counted."""
    at: float = 0.0
    """When it ended, in seconds since 1970."""


class TrialRecord(NamedTuple):
    """One trial, marked. A trial whose calls failed has outcome "unread" and reason "error" and is tried
    again by the next run. Which calls it made is noted by the runner.
    """

    task: str
    item: str
    subject: str
    paradigm: str
    levels: Mapping[str, str]
    """The item's own levels and those of the condition, in one."""
    pack: str
    outcome: str
    reason: str
    answer: str
    expected: str
    labels: tuple[str, ...]
    mechanism: str = ""
    how: str = ""
    span: tuple[int, int] = (0, 0)
    cluster: str = ""
    """What the trial is clustered on; empty if that is the item."""
    asides: int = 0
    """How many of its last calls only helped to mark the answer: a second reading, a judge."""
    sample: int = 0
    """Which repetition of the same trial it is; the first is 0."""
    confidence: float | None = None
    """The probability the subject gave its answer, where it says."""


class MarkedTrial(NamedTuple):
    """How a trial was marked: whose it is, its outcome, how many options there were to choose from, and the mechanism
    of a wrong answer."""

    subject: str
    outcome: str
    options: int
    mechanism: str


class ItemRecord(NamedTuple):
    """One item of a set that was made before: enough to know its trials without making it again."""

    id: str
    digest: str
    levels: Mapping[str, str]
    cluster: str


@dataclass(frozen=True, slots=True)
class ExamRecord:
    """One exam: what was asked for, what its results rest on, and how far it came (`finished` is None until
    it ends).
    """

    id: int
    spec: Mapping[str, Any]
    fingerprint: Mapping[str, Any]
    started: float
    finished: float | None
    counts: Mapping[str, Any]
