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
from snellen.analysis.estimates import accuracy
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value


@dataclass(frozen=True, slots=True)
class AnswerLeaning:
    """One cast's leaning. `positive`: share of answers that say so; `contrast`: right on positive minus right on
    negative queries of the same problems (None if no problem was asked both ways)."""

    cell: dict[str, Any]
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
            *((pl.col("query") == side).sum().alias(side) for side in ("positive", "negative")),
            hits=(said & (pl.col("query") == "positive")).sum(),
            alarms=(said & (pl.col("query") == "negative")).sum(),
        )
        .to_dicts()
    }
    tilts = {
        tuple(each[name] for name in by): each
        for each in contrast(paired(rows, "query", "positive", "negative"), by, seed)
    }
    found = []
    for share in shares:
        cell = tuple(share[name] for name in by)
        value = Value(share["accuracy"], share["low"], share["high"], share["trials"])
        levels = {name: share[name] for name in by}
        found.append(AnswerLeaning(levels, value, *detection(counts[cell]), tilts.get(cell)))
    return found


def detection(counts: dict[str, Any]) -> tuple[float | None, float | None]:
    """Sensitivity d' and criterion c from hits, alarms and how many positive and negative queries were answered."""
    if not counts["positive"] or not counts["negative"]:
        return None, None
    hit, alarm = (
        float(scipy.special.ndtri((counts[said] + 0.5) / (counts[side] + 1)))
        for said, side in (("hits", "positive"), ("alarms", "negative"))
    )
    return hit - alarm, -(hit + alarm) / 2
