"""The same trial held several times: how often right, how often the same, and what several tries together bring.

A trial counts here if it was sampled at least twice. Agreement is the chance that two of its samples give the same
answer (an unread one agrees with nothing). The majority is the answer most samples give; where several are as frequent,
each counts its share. Best of all: at least one sample is right. All right: none is not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from snellen.analysis.columns import Column, NamedTable, attributes, percent_chart, table
from snellen.analysis.estimates import clustered_wilson, groups, variances
from snellen.analysis.rows import asked, by_rules, by_setting, factors
from snellen.charts.blocks import Section, Table, Value, percent

MEASURES = ("accuracy", "agreement", "majority", "best of all", "all right")
NAME, TITLE = "samples", "Repeated samples"
_NOTE = (
    "Trials with two or more samples, 95 % CIs clustered by item. Agreement: two samples of a trial give the same"
    " answer. Majority: the answer most samples give is right. Best of all: at least one sample is right."
)


def sampled(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each trial that was sampled at least twice: task, subject, cluster, samples, and the measures."""
    if "sample" not in rows.columns or not rows["sample"].fill_null(0).cast(pl.Boolean).any():
        return pl.DataFrame()
    replies = asked(by_setting(by_rules(rows)))
    same = ["task", "subject", "item", "paradigm", "pack", *factors(replies)]
    replies = replies.unique([*same, "sample"], keep="last", maintain_order=True)
    answers = pl.when(pl.col("outcome") == "unread").then(None).otherwise("answer")
    trials = (
        replies.group_by(same, maintain_order=True)
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


@dataclass(frozen=True, slots=True)
class Repeated:
    """A subject's repeated trials of a task: how many samples one has at most, and the measures as shares."""

    subject: str
    task: str
    samples: int
    trials: int
    measures: tuple[Value, ...]


def _repeated(trials: pl.DataFrame, seed: int) -> Iterator[Repeated]:
    by = ["subject", "task"]
    per_item = (
        trials.group_by([*by, "cluster"])
        .agg(pl.col("samples").max(), pl.len().alias("trials"), *(pl.col(name).sum() for name in MEASURES))
        .sort([*by, "cluster"])
    )
    for levels, where in groups(per_item, by):
        own = per_item[where]
        n = own["trials"].to_numpy().astype(np.float64)
        tops = [own[name].to_numpy() for name in MEASURES]
        spread = variances([(top, n) for top in tops], seed)
        values = tuple(
            _share(float(top.sum() / n.sum()), float(v), own.height, int(n.sum()))
            for top, v in zip(tops, spread, strict=True)
        )
        yield Repeated(levels["subject"], levels["task"], int(max(own["samples"])), int(n.sum()), values)


def _share(share: float, variance: float, items: int, n: int) -> Value:
    return Value(share, *clustered_wilson(share, variance, items, n), n)


def _measure(place: int) -> Column[Repeated]:
    return Column(f"{MEASURES[place]} %", "share", lambda row: row.measures[place])


_COLUMNS: list[Column[Repeated]] = [
    *attributes("subject", "task", "samples", "trials"),
    *(_measure(place) for place in range(len(MEASURES))),
]


def repeats_table(trials: pl.DataFrame, seed: int = 0) -> Table:
    return table(NAME, TITLE, _NOTE, _COLUMNS, _repeated(trials, seed))


def repeats_tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    trials = sampled(rows)
    return {} if trials.is_empty() else {NAME: NamedTable(TITLE, lambda: repeats_table(trials, seed))}


def repeats_sections(rows: pl.DataFrame, seed: int = 0) -> tuple[Section, ...]:
    trials = sampled(rows)
    if trials.is_empty():
        return ()
    chart = percent_chart(
        "Effect of repeated samples",
        _NOTE,
        MEASURES,
        tuple((f"{row.subject} · {row.task}", tuple(map(percent, row.measures))) for row in _repeated(trials, seed)),
        quantity="share of trials",
    )
    return (Section(TITLE, (chart, repeats_table(trials, seed))),)
