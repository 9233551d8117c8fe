"""What comparing two subjects until sure found on one task, as it is recorded and said."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from snellen.sequential import ComparisonResult


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """What was found, and by which rules.

    task, rung: what was asked. first, second: the two subjects. questions: how many each is asked about an item.
    margin: a smaller difference, as a share of the answers, does not matter. alpha: the chance that one of two equal
    subjects is ever called better. most: items at the most. result: the decision and the difference, first less second.
    """

    task: str
    rung: str
    first: str
    second: str
    questions: int
    margin: float
    alpha: float
    most: int
    result: ComparisonResult

    @property
    def calls(self) -> int:
        """How many each of the two was asked."""
        return self.result.items * self.questions

    @property
    def fixed_calls(self) -> int:
        """How many each would be asked by a fixed comparison with 90 % power to show a difference of the margin."""
        from snellen.analysis.power import items_for

        return items_for(self.margin, self.questions) * self.questions

    @property
    def decision(self) -> str:
        """Which one is better and by how much, as the first half of a sentence."""
        status, difference = self.result.status, self.result.difference
        who, other, sign = (self.second, self.first, -1) if status == "second better" else (self.first, self.second, 1)
        low, high = sorted((sign * difference.low, sign * difference.high))
        interval = f"{100 * (1 - self.alpha):.0f} % confidence sequence {_number(low)} to {_number(high)}"
        found = f"{_points(sign * difference.mean)} ({interval})"
        items = f"after {self.result.items:,} items"
        if status in ("first better", "second better"):
            return f"{who} is better: {found} {items}"
        if status == "equivalent":
            return f"equivalent within {100 * self.margin:g} points {items}: {who} {found} against {other}"
        return f"open {items}" + (f": {who} {found} against {other}" if self.result.items else "")

    @property
    def line(self) -> str:
        """The decision on one line, with what it took."""
        fixed = f"a fixed comparison that detects {100 * self.margin:g} points: {self.fixed_calls:,}"
        return f"{self.task}: {self.decision} ({self.calls:,} calls to each; {fixed})"

    def to_json(self) -> dict[str, Any]:
        """In JSON types."""
        own = {name: getattr(self, name) for name in _RULES}
        return {**own, **self.result.to_json(), "calls": self.calls, "fixed_calls": self.fixed_calls}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        return cls(**{name: content[name] for name in _RULES}, result=ComparisonResult.from_json(content))


_RULES = ("task", "rung", "first", "second", "questions", "margin", "alpha", "most")


def _points(share: float) -> str:
    number = round(100 * share)
    return f"{number:+d} point{'' if abs(number) == 1 else 's'}" if number else "0 points"


def _number(share: float) -> str:
    return f"{round(100 * share)}"
