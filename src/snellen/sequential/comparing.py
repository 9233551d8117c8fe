"""Comparing two subjects on the same items while they are asked: better, worse, or equivalent within a margin."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np

from snellen.sequential import bets
from snellen.sequential.design import FloatArray
from snellen.sequential.interval import ConfidenceSequence, confidence_sequence

ComparisonStatus = Literal["first better", "second better", "equivalent", "open"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What to decide, and how surely. `margin`: a smaller difference, as a share of the items, does not matter.
    `alpha`: the chance that one of two equal subjects is ever called better, and that two are called equivalent that
    differ by the margin or more. `batch`: items between two looks; `most`: items at the most."""

    margin: float = 0.10
    alpha: float = 0.05
    batch: int = 16
    most: int = 400


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """How it was decided after how many items, and the difference (first less second) with its confidence sequence."""

    status: ComparisonStatus
    items: int
    difference: ConfidenceSequence


def compare(comparison: Comparison, differences: Sequence[float]) -> ComparisonResult:
    """Go through the differences between two subjects, item by item in the order of asking, as far as the comparison
    takes: later ones do not count. Each is from -1 (only the second is right) to 1 (only the first).

    >>> compare(Comparison(), [1.0] * 48).status
    'first better'
    """
    better = {"first better": bets.Wealth(), "second better": bets.Wealth()}
    beyond = [bets.Wealth(), bets.Wealth()]
    status: ComparisonStatus = "open"
    asked = 0
    while status == "open" and asked < min(len(differences), comparison.most):
        batch = differences[asked : min(asked + comparison.batch, comparison.most)]
        before = differences[:asked]
        for wealth, sign in zip(better.values(), (1, -1), strict=True):
            _settle(wealth, [bets.above_zero(sign * d) for d in batch], [bets.above_zero(sign * d) for d in before])
        for wealth, sign in zip(beyond, (1, -1), strict=True):
            against = [bets.at_least(comparison.margin, sign * d) for d in batch]
            _settle(wealth, against, [bets.at_least(comparison.margin, sign * d) for d in before])
        asked += len(batch)
        status = _status(comparison, better, beyond)
    return ComparisonResult(status, asked, confidence_sequence(differences[:asked], -1, 1, comparison.alpha))


def _status(comparison: Comparison, better: dict[str, bets.Wealth], beyond: Sequence[bets.Wealth]) -> ComparisonStatus:
    if round(better["first better"].log - log(2 / comparison.alpha), bets.DIGITS) >= 0:
        return "first better"
    if round(better["second better"].log - log(2 / comparison.alpha), bets.DIGITS) >= 0:
        return "second better"
    # Of two that differ by the margin or more, only one side has to be refuted wrongly: no share of alpha is needed.
    return (
        "equivalent"
        if round(min(wealth.log for wealth in beyond) - log(1 / comparison.alpha), bets.DIGITS) >= 0
        else "open"
    )


def _settle(wealth: bets.Wealth, gains: Sequence[FloatArray], before: Sequence[FloatArray]) -> None:
    """Bet on a batch; what those before it would have gained tells which stake is expected to win most."""
    wealth.settle(gains, np.sum(before, axis=0) if before else np.zeros(len(bets.STAKES)))
