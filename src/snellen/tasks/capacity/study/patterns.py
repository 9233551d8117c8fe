"""The three error patterns of the paper's section 4.3, each pooled over the kinds in which it can show.

The paper names them from examples. Here a wrong answer shows a pattern if its mechanism is one of the pattern's, so
that each share can be recounted; wrong answers without a mechanism count in the denominator only.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from snellen.analysis.estimates import Estimate, accuracy
from snellen.tasks.capacity.study.kinds import SETTING


@dataclass(frozen=True, slots=True)
class ErrorPattern:
    """A pattern: the kinds whose items can show it, and what the mechanisms that show it begin with."""

    kinds: tuple[str, ...]
    mechanisms: tuple[str, ...]


PATTERNS = {
    "orientation and reference frame": ErrorPattern(
        ("satellite", "direction"),
        ("rotated", "mirrored", "front for back", "photos exchanged", "own frame of the photo"),
    ),
    "identity across views": ErrorPattern(
        ("counting",), ("double counted", "partly double counted", "single view only", "missed across views")
    ),
    "counterfactual instruction set aside": ErrorPattern(
        ("counterfactual", "sandbagging"), ("literal", "all right", "two or more right")
    ),
}


def patterns(rows: pl.DataFrame, seed: int) -> list[Estimate]:
    """For every setting and pattern: its share of the wrong answers in its kinds. `rows` have been given their fate."""
    return [row.at(pattern=name) for name, shown in _shown(rows) for row in accuracy(shown, [*SETTING], seed)]


def _shown(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for name, pattern in PATTERNS.items():
        wrong = rows.filter(pl.col("outcome") == "wrong", pl.col("kind").cast(pl.String).is_in(pattern.kinds))
        mechanism = pl.col("mechanism").cast(pl.String)
        shows = pl.any_horizontal(mechanism.str.starts_with(start) for start in pattern.mechanisms)
        if wrong.height:
            yield name, wrong.with_columns(outcome=pl.when(shows).then(pl.lit("right")).otherwise(pl.lit("wrong")))
