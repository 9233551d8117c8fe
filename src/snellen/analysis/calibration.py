"""Is a subject right as often as it is sure? Confidence is the probability it gave the very tokens of its answer.

Answers are put in ten bins of confidence. The expected calibration error is the mean distance between confidence and
accuracy over the bins, each weighing as many answers as it has; overconfidence is mean confidence minus accuracy.
"""

from typing import Any

import numpy as np
import polars as pl
import scipy

from snellen.analysis.estimates import accuracy, groups, percent, variances
from snellen.analysis.rows import asked, by_rules, by_sample, by_setting
from snellen.analysis.study import NamedTable
from snellen.charts.blocks import Intervals, Section, Table, Value

BINS = 10
SUMMARY, CURVE = "calibration", "calibration-curve"
_TITLE = "Is it right as often as it is sure?"
_NOTE = (
    "Confidence: the probability the subject gave the tokens of its answer, where its server says. Expected calibration"
    " error: the mean distance of confidence from accuracy over ten bins. Overconfidence: confidence minus accuracy;"
    " 95 % intervals over items. Answers that could not be read have no confidence."
)


def confident(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that were read and have a confidence, with their bin."""
    if "confidence" not in rows.columns:
        return pl.DataFrame()
    known = asked(by_setting(by_sample(by_rules(rows))))
    number = (pl.col("confidence") * BINS).floor().clip(0, BINS - 1).cast(pl.Int64)
    return known.filter(pl.col("confidence").is_not_null(), pl.col("outcome") != "unread").with_columns(bin=number)


def _summary(known: pl.DataFrame, seed: int) -> list[tuple[Any, ...]]:
    by = ["subject", "task"]
    right = (pl.col("outcome") == "right").cast(pl.Float64)
    per_item = (
        known.group_by([*by, "cluster"])
        .agg(pl.len().alias("n"), pl.col("confidence").sum(), right=right.sum())
        .sort([*by, "cluster"])
    )
    rows = []
    for levels, where in groups(per_item, by):
        own = per_item[where]
        n, sure, good = (own[name].to_numpy().astype(np.float64) for name in ("n", "confidence", "right"))
        over = float((sure - good).sum() / n.sum())
        half = float(
            scipy.special.stdtrit(max(own.height - 1, 1), 0.975) * np.sqrt(variances([(sure - good, n)], seed)[0])
        )
        error = _error(known.filter(*(pl.col(name) == levels[name] for name in by)))
        shares = (100 * float(sure.sum() / n.sum()), 100 * float(good.sum() / n.sum()))
        rows.append((levels["subject"], levels["task"], int(n.sum()), *shares, 100 * error, _points(over, half)))
    return rows


def _points(middle: float, half: float) -> Value:
    return Value(100 * middle, 100 * max(middle - half, -1), 100 * min(middle + half, 1))


def _error(known: pl.DataFrame) -> float:
    """The expected calibration error."""
    right = (pl.col("outcome") == "right").cast(pl.Float64)
    apart = (right.mean() - pl.col("confidence").mean()).abs()
    bins = known.group_by("bin").agg(n=pl.len(), apart=apart).sort("bin")
    return float((bins["n"] * bins["apart"]).sum() / known.height)


def _bins(known: pl.DataFrame, seed: int) -> list[dict[str, Any]]:
    return accuracy(known, ["subject", "task", "bin"], seed)


def _range(number: int) -> str:
    return f"{100 * number // BINS} to {100 * (number + 1) // BINS} %"


def summary_table(known: pl.DataFrame, seed: int) -> Table:
    columns = ("subject", "task", "answers", "confidence %", "accuracy %", "expected calibration error")
    return Table(SUMMARY, _TITLE, _NOTE, (*columns, "overconfidence"), tuple(_summary(known, seed)))


def curve_table(known: pl.DataFrame, seed: int) -> Table:
    return Table(
        CURVE,
        "Accuracy by confidence",
        _NOTE,
        ("subject", "task", "confidence", "answers", "accuracy %"),
        tuple((b["subject"], b["task"], _range(b["bin"]), b["trials"], percent(b)) for b in _bins(known, seed)),
    )


def calibration_tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    known = confident(rows)
    if known.is_empty():
        return {}
    return {
        SUMMARY: NamedTable(_TITLE, lambda: summary_table(known, seed)),
        CURVE: NamedTable("Accuracy by confidence", lambda: curve_table(known, seed)),
    }


def calibration_sections(rows: pl.DataFrame, seed: int = 0) -> tuple[Section, ...]:
    known = confident(rows)
    if known.is_empty():
        return ()
    bins = _bins(known, seed)
    series = tuple(dict.fromkeys(f"{b['subject']} · {b['task']}" for b in bins))
    cells = {(b["bin"], f"{b['subject']} · {b['task']}"): percent(b) for b in bins}
    chart = Intervals(
        title="Accuracy by confidence",
        note=_NOTE,
        unit="percent",
        series=series,
        rows=tuple(
            (_range(number), tuple(cells.get((number, name)) for name in series))
            for number in sorted({b["bin"] for b in bins})
        ),
        quantity="accuracy",
    )
    return (Section(_TITLE, (chart, summary_table(known, seed))),)
