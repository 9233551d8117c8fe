"""Difficulty found by asking: tracks of a task, each over the levels of one factor, and what is still to be asked.

A track asks a batch, waits for all its answers and chooses the next. Which items these are is a function of the answers
alone: the number of an item is how often its level was asked before. So everyone who is asked a level is asked the same
items at it, and whoever was interrupted goes on by replaying: what is answered already is looked up, what is missing is
asked.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from snellen.answer import Outcome
from snellen.psychometric import Track, next_levels

Answered = Callable[[str, int], Outcome | None]
"""The outcome of the item of this level and number; None where there is none yet."""


@dataclass(frozen=True)
class Graded:
    """A track of a task: which factor of its items is varied, and at which levels the others stay. `condition`: the
    levels of condition factors that it is asked under, where these are not the default."""

    track: Track
    factor: str
    kind: Mapping[str, str]
    condition: Mapping[str, str] = field(default_factory=dict)

    def place(self, level: str, number: int) -> tuple[Mapping[str, str], int]:
        """The item of this level and number, by its kind and its number among those."""
        return {**self.kind, self.factor: level}, number


class Progress(NamedTuple):
    """How far a track is: what was answered, batch by batch, and what of the batch under way was not. It is over when
    nothing is missing."""

    history: Sequence[tuple[str, Outcome]]
    missing: Sequence[tuple[str, int]]


def replay(track: Track, answered: Answered) -> Progress:
    """Go through a track as far as the answers reach."""
    history: list[tuple[str, Outcome]] = []
    asked: Counter[str] = Counter()
    while batch := list(_numbered(next_levels(track, history), asked)):
        outcomes = [answered(level, number) for level, number in batch]
        missing = [place for place, outcome in zip(batch, outcomes, strict=True) if outcome is None]
        if missing:
            return Progress(history, missing)
        history += [(level, outcome) for (level, _), outcome in zip(batch, outcomes, strict=True) if outcome]
    return Progress(history, ())


def _numbered(levels: Sequence[str], asked: Counter[str]) -> Iterator[tuple[str, int]]:
    for level in levels:
        yield level, asked[level]
        asked[level] += 1
