"""Where pictures have no exact words, somebody else's may stand in: what is solved with them beyond one's own pictures
is lost to the eyes, relative to that somebody."""

from dataclasses import dataclass

import polars as pl

from snellen.analysis.casts import IN_WORDS, ORACLES
from snellen.analysis.contrasts import p_equals
from snellen.analysis.ladder.rungs import LadderResult, RungResult, rung_result
from snellen.analysis.ladder.steps import step_loss
from snellen.charts.blocks import Value


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What share more a subject solves with another's words than from the pictures."""

    describer: str
    gain: Value
    p: float | None


def borrowed(result: LadderResult, seed: int) -> list[Borrowed]:
    """Every other describer whose words the subject was given, against the item as it is."""
    top = _plain_pictures(result)
    if top is None:
        return []
    trials = result.trials.filter(
        pl.col("paradigm").is_in(IN_WORDS),
        pl.col("describer") != "",
        pl.col("describer") != result.subject,
        ~pl.col("describer").is_in(ORACLES),
    )
    found = []
    for own in trials.partition_by("describer", maintain_order=True) if trials.height else []:
        gain, p = step_loss(result, rung_result(top.rung, own, result.units), top, seed, by_habit=False)
        if gain.value is not None:
            found.append(Borrowed(str(own["describer"][0]), gain, p))
    return found


def _plain_pictures(result: LadderResult) -> RungResult | None:
    """The rung that shows the pictures and goes against no habit."""
    shown = [s for s in result.line if "eyes" in s.rung.demands and "habit" not in s.rung.demands]
    return shown[-1] if shown else None


def borrowed_words(one: Borrowed) -> str:
    """What somebody else's words bring, relative to them."""
    who, gain = one.describer, one.gain
    if gain.value is None or gain.low is None or gain.high is None:
        return f"With {who}'s words: nothing to compare with."
    words = (
        f"With {who}'s words the share it solves changes by {_signed(gain.value)} percentage points"
        f" ({_signed(gain.low)} to {_signed(gain.high)}, {p_equals(one.p)})"
    )
    return f"{words}: a loss to its eyes, relative to {who}." if gain.low > 0 else f"{words}."


def _signed(share: float) -> str:
    return f"{100 * min(max(share, -1.0), 1.0):+.0f}"
