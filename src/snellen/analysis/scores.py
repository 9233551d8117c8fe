"""Scores of several questions about one thing: right only if all of them are right.

A score counts only if all its questions were asked. A call that failed makes it missing; an unread answer makes it not
right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import polars as pl
import scipy

from snellen.analysis.estimates import Estimate


def together(rows: pl.DataFrame, column: str, needed: Mapping[str, Sequence[str]], same: Sequence[str]) -> pl.DataFrame:
    """One row for each score and each combination of `same`, with `score`, `outcome` and `reason`.

    `needed` says which levels of `column` a score consists of.
    """
    failed = pl.col("reason").fill_null("") == "error"
    level = pl.col(column).cast(pl.String)
    outcome = pl.when("wrong").then(pl.lit("wrong")).when("unread").then(pl.lit("unread")).otherwise(pl.lit("right"))
    reason = pl.when("failed").then(pl.lit("error")).otherwise(pl.lit(""))
    frames = []
    for score, levels in needed.items():
        whole = (
            rows.filter(level.is_in(levels))
            .group_by(same, maintain_order=True)
            .agg(
                asked=level.n_unique(),
                failed=failed.any(),
                wrong=(pl.col("outcome") == "wrong").any(),
                unread=(pl.col("outcome") == "unread").any(),
            )
            .filter(pl.col("asked") == len(levels))
        )
        frames.append(whole.select(*same, outcome=outcome, reason=reason, score=pl.lit(score)))
    return pl.concat(frames)


@dataclass(frozen=True, slots=True)
class AboveChance(Estimate):
    """An estimate with the share that guessing brings, and the exact one-sided p-value of so many right by guessing;
    None where that share is not known, or nothing was answered."""

    chance: float | None = None
    p_chance: float | None = None


def above_chance(estimate: Estimate, chance: float | None) -> AboveChance:
    p = None
    if chance and estimate.trials:
        p = float(scipy.special.bdtrc(estimate.right - 1, estimate.trials, chance)) if estimate.right else 1.0
    numbers = {field.name: getattr(estimate, field.name) for field in fields(estimate)}
    return AboveChance(**numbers, chance=chance, p_chance=p)
