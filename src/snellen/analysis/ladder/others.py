"""Where pictures have no exact words, somebody else's may stand in: what is solved with them beyond one's own pictures
is lost to the eyes, relative to that somebody."""

from dataclasses import dataclass

import polars as pl

from snellen.analysis.blocks import Value
from snellen.analysis.casts import IN_WORDS, ORACLES
from snellen.analysis.ladder.climb import Climb, Stand, stand_of
from snellen.analysis.ladder.steps import step_loss


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What a subject solves more of 100 with another's words than from the pictures."""

    describer: str
    gain: Value
    p: float | None


def borrowed(climb: Climb, seed: int) -> list[Borrowed]:
    """Every other describer whose words the subject was given, against the item as it is."""
    top = _plain_pictures(climb)
    if top is None:
        return []
    trials = climb.trials.filter(
        pl.col("paradigm").is_in(IN_WORDS),
        pl.col("describer") != "",
        pl.col("describer") != climb.subject,
        ~pl.col("describer").is_in(ORACLES),
    )
    found = []
    for own in trials.partition_by("describer", maintain_order=True) if trials.height else []:
        gain, p = step_loss(climb, stand_of(top.rung, own, climb.items), top, seed, by_habit=False)
        if gain.value is not None:
            found.append(Borrowed(str(own["describer"][0]), gain, p))
    return found


def _plain_pictures(climb: Climb) -> Stand | None:
    """The rung that shows the pictures and goes against no habit."""
    shown = [s for s in climb.line if "eyes" in s.rung.demands and "habit" not in s.rung.demands]
    return shown[-1] if shown else None
