"""Leaning to one of the two answers: how often it is given, and what signal detection makes of it.

With as many positive as negative queries an impartial subject says "positive" about half of the time. `d'` is how well
the two are told apart, `c` where the line is drawn: below zero it says "positive" too readily. Both come from the
answers that could be read, half an answer added to every count so that perfection stays finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import scipy

from snellen.analysis.contrasts import Contrast, contrast, paired
from snellen.analysis.estimates import AtLevels, accuracy
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value

QUERIES = ("positive", "negative")


@dataclass(frozen=True, slots=True)
class AnswerLeaning(AtLevels):
    """One cast's leaning. `positive`: share of answers that say so; `contrast`: right on positive minus right on
    negative queries of the same problems (None if no problem was asked both ways)."""

    positive: Value
    sensitivity: float | None
    criterion: float | None
    contrast: Contrast | None


def leanings(rows: pl.DataFrame, by: Sequence[str], seed: int) -> list[AnswerLeaning]:
    """The leaning of every combination of `by`."""
    read = asked(rows).filter(pl.col("outcome") != "unread")
    said = pl.col("answer") == "positive"
    shares = accuracy(
        read.with_columns(outcome=pl.when(said).then(pl.lit("right")).otherwise(pl.lit("wrong"))), by, seed
    )
    counts = {
        tuple(row[name] for name in by): row
        for row in read.group_by(by)
        .agg(
            *((pl.col("query") == side).sum().alias(side) for side in QUERIES),
            hits=(said & (pl.col("query") == "positive")).sum(),
            alarms=(said & (pl.col("query") == "negative")).sum(),
        )
        .to_dicts()
    }
    tilts = {
        tuple(tilt[name] for name in by): tilt for tilt in contrast(paired(rows, "query", *QUERIES), by, seed, QUERIES)
    }
    cells = [(tuple(row[name] for name in by), row) for row in shares]
    return [AnswerLeaning(row.levels, row.share, *detection(counts[cell]), tilts.get(cell)) for cell, row in cells]


def detection(counts: dict[str, Any]) -> tuple[float | None, float | None]:
    """Sensitivity d' and criterion c from hits, alarms and how many positive and negative queries were answered."""
    if not counts["positive"] or not counts["negative"]:
        return None, None
    hit, alarm = (
        float(scipy.special.ndtri((counts[said] + 0.5) / (counts[side] + 1)))
        for said, side in (("hits", "positive"), ("alarms", "negative"))
    )
    return hit - alarm, -(hit + alarm) / 2
