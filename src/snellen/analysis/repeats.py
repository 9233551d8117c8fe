"""The same trial held several times: how often right, how often the same, and what several tries together bring.

A trial counts here if it was sampled at least twice. Agreement is the chance that two of its samples give the same
answer (an unread one agrees with nothing). The majority is the answer most samples give; where several are as frequent,
each counts its share. Best of all: at least one sample is right. All right: none is not.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.blocks import Intervals, Section, Table, Value
from snellen.analysis.estimates import clustered_wilson, groups, variances
from snellen.analysis.rows import asked, by_rules, by_setting, factors
from snellen.analysis.study import NamedTable
from snellen.tasks.acuity.lines import LINES

MEASURES = ("accuracy", "agreement", "majority", "best of all", "all right")
NAME, TITLE = "samples", "Repeated samples"
_NOTE = (
    "Over trials sampled at least twice, 95 % intervals over items. Agreement: two samples of a trial give the same"
    " answer. Majority: the answer most samples give is right. Best of all: at least one is right."
)


def sampled(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each trial that was sampled at least twice: task, subject, cluster, samples, and the measures."""
    if "test" in rows.columns:  # read letter by letter, never right as a whole: `acuity.same` compares their samples
        rows = rows.filter(pl.col("test").cast(pl.String).fill_null("") != LINES)
    if "sample" not in rows.columns or not rows["sample"].fill_null(0).cast(pl.Boolean).any():
        return pl.DataFrame()
    known = asked(by_setting(by_rules(rows)))
    same = ["task", "subject", "item", "paradigm", "pack", *factors(known)]
    known = known.unique([*same, "sample"], keep="last", maintain_order=True)
    answers = pl.when(pl.col("outcome") == "unread").then(None).otherwise("answer")
    trials = (
        known.group_by(same, maintain_order=True)
        .agg(pl.col("cluster").first(), answers=answers, right=pl.col("outcome") == "right")
        .filter(pl.col("right").list.len() > 1)
    )
    measured = [
        {"samples": len(right), **_measured(answers, right)}
        for answers, right in trials["answers", "right"].iter_rows()
    ]
    return pl.concat([trials.select("task", "subject", "cluster"), pl.DataFrame(measured)], how="horizontal")


def _measured(answers: Sequence[str | None], right: Sequence[bool]) -> dict[str, float]:
    n = len(right)
    counts = Counter(answer for answer in answers if answer is not None)
    pairs = sum(count * (count - 1) for count in counts.values())
    most = max(counts.values(), default=0)
    leading = [answer for answer, count in counts.items() if count == most]
    rights = {answer for answer, is_right in zip(answers, right, strict=True) if is_right}
    return {
        "accuracy": sum(right) / n,
        "agreement": pairs / (n * (n - 1)),
        "majority": sum(answer in rights for answer in leading) / len(leading) if leading else 0.0,
        "best of all": float(any(right)),
        "all right": float(all(right)),
    }


def _values(trials: pl.DataFrame, seed: int) -> list[tuple[dict[str, Any], int, list[Value]]]:
    """For every subject and task how many samples a trial has at most, and the measures in percent."""
    by = ["subject", "task"]
    per_item = (
        trials.group_by([*by, "cluster"])
        .agg(pl.col("samples").max(), pl.len().alias("trials"), *(pl.col(name).sum() for name in MEASURES))
        .sort([*by, "cluster"])
    )
    found = []
    for levels, where in groups(per_item, by):
        own = per_item[where]
        n = own["trials"].to_numpy().astype(np.float64)
        tops = [own[name].to_numpy() for name in MEASURES]
        spread = variances([(top, n) for top in tops], seed)
        values = [
            _value(float(top.sum() / n.sum()), float(v), own.height, int(n.sum()))
            for top, v in zip(tops, spread, strict=True)
        ]
        found.append(({name: levels[name] for name in by}, int(max(own["samples"])), values))
    return found


def _value(share: float, variance: float, items: int, n: int) -> Value:
    low, high = clustered_wilson(share, variance, items, n)
    return Value(100 * share, 100 * low, 100 * high, n)


def repeats_table(trials: pl.DataFrame, seed: int = 0) -> Table:
    return Table(
        NAME,
        TITLE,
        _NOTE,
        ("subject", "task", "samples", "trials", *(f"{name} %" for name in MEASURES)),
        tuple((own["subject"], own["task"], most, v[0].n, *v) for own, most, v in _values(trials, seed)),
    )


def repeats_tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    trials = sampled(rows)
    return {} if trials.is_empty() else {NAME: NamedTable(TITLE, lambda: repeats_table(trials, seed))}


def repeats_sections(rows: pl.DataFrame, seed: int = 0) -> tuple[Section, ...]:
    trials = sampled(rows)
    if trials.is_empty():
        return ()
    chart = Intervals(
        title="What repeated samples bring",
        note=_NOTE,
        unit="percent",
        series=MEASURES,
        rows=tuple((f"{own['subject']} · {own['task']}", tuple(v)) for own, _, v in _values(trials, seed)),
        quantity="share of trials",
    )
    return (Section(TITLE, (chart, repeats_table(trials, seed))),)
