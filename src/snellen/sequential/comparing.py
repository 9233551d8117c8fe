"""Comparing two subjects on the same items while they are asked: better, worse, or equivalent within a margin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Literal

import numpy as np

from snellen.sequential import bets
from snellen.sequential.design import FloatArray
from snellen.sequential.interval import ConfidenceSequence, confidence_sequence

ComparisonStatus = Literal["first better", "second better", "equivalent", "open"]

COMPARED = "compared"
"""Where an exam's record holds what a comparison found, and what it was to find."""
MARGIN, BATCH = 0.10, 16
MOST_AT_MARGIN = 400
"""The most items at the usual margin; for others as much more or less as a fixed comparison would take."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What to decide, and how surely. `margin`: a smaller difference, as a share of the items, does not matter.
    `alpha`: the chance that one of two equal subjects is ever called better, and that two are called equivalent that
    differ by the margin or more. `batch`: items between two looks; `most`: items at the most."""

    margin: float = MARGIN
    alpha: float = 0.05
    batch: int = BATCH
    most: int = MOST_AT_MARGIN

    @property
    def looks(self) -> list[int]:
        """After how many items it may be decided."""
        return [*range(self.batch, self.most, self.batch), self.most]


def usual_most(margin: float) -> int:
    """The most items of a comparison, in whole batches, if nobody says."""
    return max(1, round(MOST_AT_MARGIN * (MARGIN / margin) ** 2 / BATCH)) * BATCH


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """How it was decided after how many items, and the difference (first less second) with its confidence sequence,
    which ends where the decision does: at no difference, or at the margin."""

    status: ComparisonStatus
    items: int
    difference: ConfidenceSequence

    def to_json(self) -> dict[str, Any]:
        return {"status": self.status, "items": self.items, "difference": self.difference._asdict()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "ComparisonResult":
        return cls(content["status"], content["items"], ConfidenceSequence(**content["difference"]))


def compare(comparison: Comparison, differences: Sequence[float]) -> ComparisonResult:
    """Go through the differences between two subjects, item by item in the order of asking, as far as the comparison
    takes: later ones do not count. Each is from -1 (only the second is right) to 1 (only the first).

    >>> compare(Comparison(), [1.0] * 48).status
    'first better'
    """
    test = _Bets(comparison)
    asked, status = 0, _OPEN
    for look in comparison.looks:
        if status != _OPEN or asked >= len(differences):
            break
        test.settle(differences[asked:look])
        asked = min(look, len(differences))
        status = test.status
    interval = confidence_sequence(differences[:asked], -1, 1, comparison.alpha)
    return ComparisonResult(status, asked, _decided(interval, status, comparison.margin))


_OPEN: ComparisonStatus = "open"


class _Bets:
    """The bets of a comparison under way: against no difference on either side, and against one beyond the margin."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._better = [_SideBets(), _SideBets()]
        self._beyond = [_SideBets(), _SideBets()]

    def settle(self, batch: Sequence[float]) -> None:
        for k, sign in enumerate((1, -1)):
            self._better[k].settle([bets.above_zero(sign * d) for d in batch])
            self._beyond[k].settle([bets.at_least(self._comparison.margin, sign * d) for d in batch])

    @property
    def status(self) -> ComparisonStatus:
        alpha = self._comparison.alpha
        if self._better[0].reach(2 / alpha):
            return "first better"
        if self._better[1].reach(2 / alpha):
            return "second better"
        # Of two that differ by the margin or more, only one side has to be refuted wrongly: alpha need not be shared.
        return "equivalent" if all(side.reach(1 / alpha) for side in self._beyond) else _OPEN


class _SideBets:
    """The bets on one side; what those so far would have gained tells which stake is expected to win most."""

    def __init__(self) -> None:
        self._wealth = bets.Wealth()
        self._gained: FloatArray = np.zeros(len(bets.STAKES))

    def settle(self, gains: Sequence[FloatArray]) -> None:
        self._wealth.settle(gains, self._gained)
        for gain in gains:
            self._gained = self._gained + gain

    def reach(self, wealth: float) -> bool:
        return round(self._wealth.log - log(wealth), bets.DIGITS) >= 0


def _decided(interval: ConfidenceSequence, status: ComparisonStatus, margin: float) -> ConfidenceSequence:
    """The interval without what the decision excludes."""
    lowest = {"first better": 0.0, "equivalent": -margin}.get(status, interval.low)
    highest = {"second better": 0.0, "equivalent": margin}.get(status, interval.high)
    return interval._replace(low=max(interval.low, lowest), high=min(interval.high, highest))
