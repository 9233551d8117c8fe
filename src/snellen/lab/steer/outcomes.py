"""From log-probabilities of labels to what is reported: right or wrong, margins, means over seeds, intervals.

A **margin** is the log-probability of the right label less that of the other: it moves long before an answer flips.
**mass** is the probability of both labels together: where a patch makes a model say neither, the mass tells.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.estimates import Z, clustered_wilson, groups, variances
from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.rows import Ints, Rows

KEYS = ("setup", "rule", "control", "layer", "alpha")
ALL = "all"
"""The level of `rule` that stands for both."""
SCHEMA = {
    "setup": pl.String,
    "seed": pl.Int64,
    "layer": pl.Int64,
    "alpha": pl.Float64,
    "control": pl.String,
    "state": pl.String,
    "rule": pl.String,
    "answer": pl.String,
    "right": pl.Boolean,
    "margin": pl.Float64,
    "mass": pl.Float64,
}


def margins(scores: Floats, answer: Ints) -> Floats:
    """The right label's log-probability less the best other's."""
    own = np.take_along_axis(scores, answer[:, None], axis=1)[:, 0]
    others = scores.copy()
    np.put_along_axis(others, answer[:, None], -np.inf, axis=1)
    return np.asarray(own - others.max(axis=1))


def outcomes(rows: Rows, which: Ints, scores: Floats, **key: object) -> pl.DataFrame:
    """What came of these rows under one control; `key`: seed, layer, alpha, control."""
    margin = margins(scores, rows.answer[which])
    return _frame(rows, which, margin > 0, key).with_columns(
        margin=pl.Series(margin, dtype=pl.Float64), mass=pl.Series(np.exp(scores).sum(axis=1), dtype=pl.Float64)
    )


def predictions(rows: Rows, which: Ints, answer: Ints, **key: object) -> pl.DataFrame:
    """What a classifier that is no model says of these rows: right or wrong, without a margin."""
    return _frame(rows, which, answer == rows.answer[which], key)


def _frame(rows: Rows, which: Ints, right: NDArray[np.bool_], key: dict[str, object]) -> pl.DataFrame:
    """Layers are counted from 1, as people do."""
    layer = key.get("layer")
    columns = {
        "setup": [rows.setup] * len(which),
        **{name: [key.get(name)] * len(which) for name in ("seed", "alpha", "control")},
        "layer": [layer + 1 if isinstance(layer, int) else None] * len(which),
        "state": [rows.states[k] for k in rows.state[which]],
        "rule": [rows.rules[k] for k in rows.rule[which]],
        "answer": [rows.labels[k] for k in rows.answer[which]],
        "right": right.tolist(),
        "margin": [None] * len(which),
        "mass": [None] * len(which),
    }
    return pl.DataFrame({name: columns[name] for name in SCHEMA}, schema=SCHEMA)


def runs(patched: pl.DataFrame) -> pl.DataFrame:
    """One line for each setup, rule (or both), control, layer, alpha and seed: accuracy, margin, mass."""
    return (
        _by_rule(patched)
        .group_by([*KEYS, "seed"])
        .agg(
            accuracy=pl.col("right").mean(),
            margin=pl.col("margin").mean(),
            mass=pl.col("mass").mean(),
            rows=pl.len(),
            states=pl.col("state").n_unique(),
        )
        .sort([*KEYS, "seed"], nulls_last=False)
    )


def summary(patched: pl.DataFrame, seed: int = 0) -> pl.DataFrame:
    """The same over seeds: their mean and spread (standard deviation), and a 95 % CI clustered by state."""
    over = (
        runs(patched)
        .group_by(KEYS)
        .agg(
            accuracy=pl.col("accuracy").mean(),
            accuracy_sd=pl.col("accuracy").std(),
            margin=pl.col("margin").mean(),
            margin_sd=pl.col("margin").std(),
            mass=pl.col("mass").mean(),
            seeds=pl.len(),
            rows=pl.col("rows").sum(),
        )
    )
    return over.join(_intervals(patched, seed), on=KEYS, nulls_equal=True).sort(KEYS, nulls_last=False)


def _by_rule(patched: pl.DataFrame) -> pl.DataFrame:
    """Every row under its own rule, and once more under both."""
    return pl.concat([patched, patched.with_columns(rule=pl.lit(ALL))])


def _intervals(patched: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Intervals of accuracy and margin, whole states resampled."""
    per_state = (
        _by_rule(patched)
        .group_by([*KEYS, "state"])
        .agg(right=pl.col("right").sum(), margin=_sum_of_known("margin"), n=pl.len())
        .sort([*KEYS, "state"])
    )
    counts = per_state.select(pl.col("right", "margin", "n").cast(pl.Float64)).to_numpy()
    cells = [({name: levels[name] for name in KEYS}, counts[where]) for levels, where in groups(per_state, KEYS)]
    of_right = variances([(own[:, 0], own[:, 2]) for _, own in cells], seed)
    of_margin = variances([(np.nan_to_num(own[:, 1]), own[:, 2]) for _, own in cells], seed)
    lines = [
        {**levels, **_ends(own, float(right), float(margin))}
        for (levels, own), right, margin in zip(cells, of_right, of_margin, strict=True)
    ]
    types = {name: SCHEMA[name] for name in KEYS}
    ends = dict.fromkeys(("low", "high", "margin_low", "margin_high"), pl.Float64)
    return pl.DataFrame(lines, schema={**types, **ends})


def _sum_of_known(name: str) -> pl.Expr:
    """The sum, and nothing (not 0) where nothing is known."""
    return pl.when(pl.col(name).count() > 0).then(pl.col(name).sum())


def _ends(own: Floats, spread: float, swing: float) -> dict[str, float | None]:
    right, margin, n = own.sum(axis=0)
    low, high = clustered_wilson(right / n, spread, len(own), int(n))
    half = Z * float(np.sqrt(swing))
    is_known = not np.isnan(margin)
    return {
        "low": low,
        "high": high,
        "margin_low": margin / n - half if is_known else None,
        "margin_high": margin / n + half if is_known else None,
    }


def joined(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames) if frames else pl.DataFrame(schema=SCHEMA)
