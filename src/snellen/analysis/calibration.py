"""Is a subject right as often as it is sure? Confidence is the probability it gave the very tokens of its answer.

Answers are put in ten bins of confidence. The expected calibration error is the mean distance between confidence and
accuracy over the bins, each weighing as many answers as it has; overconfidence is mean confidence minus accuracy.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
import scipy

from snellen.analysis.columns import (
    Column,
    NamedTable,
    accuracy_column,
    chart_rows,
    columns,
    counted,
    levels_of,
    percent_chart,
    positions,
    table,
)
from snellen.analysis.estimates import Estimate, accuracy, groups, variances
from snellen.analysis.rows import asked, by_rules, by_sample, by_setting
from snellen.charts.blocks import Cell, Section, Table, Value, percent

BINS = 10
SUMMARY, CURVE = "calibration", "calibration-curve"
_TITLE = "Calibration"
_NOTE = (
    "Confidence: the probability of the answer's tokens, where the server reports it. Expected calibration"
    " error: the mean gap between confidence and accuracy over ten bins. Overconfidence: confidence minus accuracy;"
    " 95 % CIs clustered by item. Unread answers have no confidence."
)


def confident(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials that were read and have a confidence, with their bin."""
    if "confidence" not in rows.columns:
        return pl.DataFrame()
    number = (pl.col("confidence") * BINS).floor().clip(0, BINS - 1).cast(pl.Int64)
    replies = asked(by_setting(by_sample(by_rules(rows))))
    return replies.filter(pl.col("confidence").is_not_null(), pl.col("outcome") != "unread").with_columns(bin=number)


def _calibrations(trials: pl.DataFrame, seed: int) -> Iterator[tuple[Cell, ...]]:
    by = ["subject", "task"]
    right = (pl.col("outcome") == "right").cast(pl.Float64)
    per_item = (
        trials.group_by([*by, "cluster"])
        .agg(pl.len().alias("n"), pl.col("confidence").sum(), right=right.sum())
        .sort([*by, "cluster"])
    )
    for levels, where in groups(per_item, by):
        own = per_item[where]
        n, sure, good = (own[name].to_numpy().astype(np.float64) for name in ("n", "confidence", "right"))
        over = float((sure - good).sum() / n.sum())
        half = float(
            scipy.special.stdtrit(max(own.height - 1, 1), 0.975) * np.sqrt(variances([(sure - good, n)], seed)[0])
        )
        error = _error(trials.filter(*(pl.col(name) == levels[name] for name in by)))
        means = (percent(float(part.sum() / n.sum())) for part in (sure, good))
        interval = percent(Value(over, max(over - half, -1), min(over + half, 1)))
        yield (levels["subject"], levels["task"], int(n.sum()), *means, percent(error), interval)


def _error(trials: pl.DataFrame) -> float:
    """The expected calibration error."""
    right = (pl.col("outcome") == "right").cast(pl.Float64)
    apart = (right.mean() - pl.col("confidence").mean()).abs()
    bins = trials.group_by("bin").agg(n=pl.len(), apart=apart).sort("bin")
    return float((bins["n"] * bins["apart"]).sum() / trials.height)


_SUMMARY_COLUMNS = positions(
    *("subject", "task", "answers", "confidence %", "accuracy %", "expected calibration error", "overconfidence")
)


def summary_table(trials: pl.DataFrame, seed: int) -> Table:
    return table(SUMMARY, _TITLE, _NOTE, _SUMMARY_COLUMNS, _calibrations(trials, seed))


def _bins(trials: pl.DataFrame, seed: int) -> list[Estimate]:
    return accuracy(trials, ["subject", "task", "bin"], seed)


def _range(number: int) -> str:
    return f"{100 * number // BINS} to {100 * (number + 1) // BINS} %"


def curve_table(trials: pl.DataFrame, seed: int) -> Table:
    confidence: Column[Estimate] = Column("confidence", "", lambda row: _range(row["bin"]))
    made = columns(levels_of("subject", "task"), confidence, counted("answers", "", ""), accuracy_column())
    return table(CURVE, "Accuracy by confidence", _NOTE, made, _bins(trials, seed))


def calibration_tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    trials = confident(rows)
    if trials.is_empty():
        return {}
    return {
        SUMMARY: NamedTable(_TITLE, lambda: summary_table(trials, seed)),
        CURVE: NamedTable("Accuracy by confidence", lambda: curve_table(trials, seed)),
    }


def calibration_sections(rows: pl.DataFrame, seed: int = 0) -> tuple[Section, ...]:
    trials = confident(rows)
    if trials.is_empty():
        return ()
    bins = _bins(trials, seed)
    cells = [(row["bin"], f"{row['subject']} · {row['task']}", percent(row.noted)) for row in bins]
    series = tuple(dict.fromkeys(name for _, name, _ in cells))
    lines = chart_rows(cells, series, sorted({number for number, _, _ in cells}))
    chart = percent_chart(
        "Accuracy by confidence", _NOTE, series, tuple((_range(number), values) for number, values in lines)
    )
    return (Section(_TITLE, (chart, summary_table(trials, seed))),)
