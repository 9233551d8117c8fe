"""Does the judge say what the verifier says? The same replies, marked by both.

Agreement is the share of replies that both could read and marked alike. Cohen's kappa takes out what two markers would
agree on by chance, given how often each says right; without a single disagreement it is not given, for its interval
would say more of the chance agreement than of the markers. The interval of kappa is that of the agreement with the
chance agreement taken as known.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.estimates import AtLevels, accuracy
from snellen.analysis.rows import asked
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import SETTING, VERIFIER, kind_order

ALL = ""
TOO_FEW = "too few disagreements for kappa"


@dataclass(frozen=True, slots=True)
class Agreement(AtLevels):
    """One `judge` beside the verifier, for a `kind` of items ('' for all). `lenient`: the judge alone says right;
    `strict`: the verifier alone does; `unread`: share of the judge's marks that could not be read."""

    share: Value
    kappa: Value
    both_right: int
    both_wrong: int
    lenient: int
    strict: int
    judged: int
    unread: float


def agreements(rows: pl.DataFrame, seed: int) -> list[Agreement]:
    """The agreement of every judge with the verifier, all kinds together first."""
    judged = asked(rows.filter(pl.col("judge") != VERIFIER))
    if judged.is_empty():
        return []
    same = [*SETTING, "item", "size"]
    marks = asked(rows.filter(pl.col("judge") == VERIFIER)).select(*same, verdict="outcome")
    both = judged.join(marks, on=same, how="inner", nulls_equal=True)
    made = []
    for by in (["judge", "source"], ["judge", "source", "kind"]):
        for cell in judged.select(by).unique(maintain_order=True).to_dicts():
            here = [pl.col(name) == level for name, level in cell.items()]
            made.append(_agreement({"kind": ALL, **cell}, judged.filter(*here), both.filter(*here), seed))
    return sorted(made, key=_rank)


def _rank(row: Agreement) -> tuple[Any, ...]:
    return row["judge"], row["source"], row["kind"] != ALL, kind_order(row["kind"])


def _agreement(cell: dict[str, Any], judged: pl.DataFrame, both: pl.DataFrame, seed: int) -> Agreement:
    read = both.filter(pl.col("outcome") != "unread", pl.col("verdict") != "unread")
    counts = {
        (judge, verdict): read.filter(pl.col("outcome") == judge, pl.col("verdict") == verdict).height
        for judge in ("right", "wrong")
        for verdict in ("right", "wrong")
    }
    alike = pl.when(pl.col("outcome") == pl.col("verdict")).then(pl.lit("right")).otherwise(pl.lit("wrong"))
    agreed = accuracy(read.with_columns(outcome=alike), [], seed)
    value = agreed[0].share if agreed else Value(None)
    return Agreement(
        levels=cell,
        share=value,
        kappa=kappa(value, counts),
        both_right=counts["right", "right"],
        both_wrong=counts["wrong", "wrong"],
        lenient=counts["right", "wrong"],
        strict=counts["wrong", "right"],
        judged=judged.height,
        unread=float(str((judged["outcome"] == "unread").mean())),
    )


def kappa(agreed: Value, counts: dict[tuple[str, str], int]) -> Value:
    """Cohen's kappa of two markers who say right or wrong, from their agreement and their counts (first, second)."""
    n = sum(counts.values())
    if not n or agreed.value is None or agreed.low is None or agreed.high is None:
        return Value(None, n=n)
    if not counts["right", "wrong"] + counts["wrong", "right"]:
        return Value(None, n=n, note=TOO_FEW)
    first, second = (sum(v for key, v in counts.items() if key[k] == "right") / n for k in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    middle, low, high = ((share - chance) / (1 - chance) for share in (agreed.value, agreed.low, agreed.high))
    return Value(middle, max(low, -1.0), min(high, 1.0), n)
