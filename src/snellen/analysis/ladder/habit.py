"""What a habit must show before it is charged with a step.

Losing at the step that goes against a habit is not enough: whoever is confused there by anything else loses, too. Where
a rung has a **signature**, answers that the habit gives must be more frequent than answers equally far off on the other
side, which no habit gives; a habit is charged with no more than the difference. Where it has a **counterpart**, the
same with nothing against the habit, that must be answered better.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from snellen.analysis.blocks import Value
from snellen.analysis.contrasts import differences
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.ladder.steps import step_loss

SUPPORTED = 0.05
"""The counterpart must be answered better at this level (exact, one-sided)."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Answers by habit less those equally far off on the other side, as a share of the units; how many there were of
    each; and whether the counterpart is answered better (None: not asked)."""

    excess: Value
    by_habit: int
    other_way: int
    supported: bool | None

    @property
    def shows_habit(self) -> bool:
        return (self.excess.low or 0.0) > 0 and self.supported is not False


def signature_of(result: LadderResult, rung: RungResult, seed: int) -> Signature | None:
    """The signature on a rung; None if it has none, or nothing was read."""
    if rung.rung.signature is None or "mechanism" not in rung.trials.columns:
        return None
    read = rung.trials.filter(pl.col("outcome") != "unread", pl.col("unit").is_in(list(result.units)))
    if read.is_empty():
        return None
    habit, other = (pl.col("mechanism").cast(pl.String).fill_null("") == name for name in rung.rung.signature)
    counts = (
        read.group_by(pl.col("cluster").cast(pl.String))
        .agg(habit=habit.sum(), other=other.sum(), n=pl.len())
        .sort("cluster")
    )
    by_habit, other_way, n = (counts[name].to_numpy().astype(np.float64) for name in ("habit", "other", "n"))
    ((excess, low, high),) = differences([(by_habit - other_way, n)], seed)
    share = Value(excess, low, high, read.height)
    return Signature(share, int(by_habit.sum()), int(other_way.sum()), _supported(result, rung, seed))


def _supported(result: LadderResult, rung: RungResult, seed: int) -> bool | None:
    asked = {other.rung.name: other for other in result.rungs}
    counterpart = next((asked[name] for name in rung.rung.counterparts if name in asked), None)
    if counterpart is None:
        return None
    gain, p = step_loss(result, counterpart, rung, seed, by_habit=True)
    return None if p is None else (gain.value or 0.0) > 0 and p / 2 < SUPPORTED
