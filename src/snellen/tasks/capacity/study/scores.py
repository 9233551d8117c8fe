"""Accuracy by kind, by category and overall, and the share of trials that came to this or that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import KINDS, SETTING, category_order, kind_order
from snellen.tasks.capacity.study.weighing import levels, weighted, weights

OVERALL = ""


@dataclass(frozen=True, slots=True)
class Score(AtLevels):
    """One of the scores of a setting: overall (`level` is ''), or that of a category. `value` is a share from 0 to 1;
    `kinds` are those it is made of; `whole` says whether these are all that the paper's score is made of."""

    level: str
    value: Value
    kinds: tuple[str, ...]
    whole: bool
    trials: int
    items: int
    unread: float
    errors: int


def by_kind(rows: pl.DataFrame, seed: int) -> list[Estimate]:
    """Accuracy by setting and kind, in the paper's order of kinds."""
    estimates = accuracy(rows, [*SETTING, "category", "kind"], seed)
    return sorted(estimates, key=lambda row: (category_order(row["category"]), kind_order(row["kind"])))


def scores(estimates: Sequence[Estimate]) -> list[Score]:
    """The scores of every setting, from its accuracies by kind; a kind that brought no reply is left out."""
    settings: dict[tuple[Any, ...], list[Estimate]] = {}
    for row in estimates:
        if row.accuracy is not None:
            settings.setdefault(tuple(row[name] for name in SETTING), []).append(row)
    made = []
    for own in settings.values():
        kinds = {row["kind"]: row["category"] for row in own}
        weight = weights(kinds)
        for level, members in levels(kinds):
            made.append(_score(level, [row for row in own if row["kind"] in members], weight))
    return made


def _score(level: str, parts: Sequence[Estimate], weight: Mapping[str, float]) -> Score:
    in_paper = {name for name, (_, category) in KINDS.items() if level in (OVERALL, category)}
    trials = sum(row.trials for row in parts)
    return Score(
        levels={name: parts[0][name] for name in SETTING},
        level=level,
        value=weighted((weight[row["kind"]], row.share) for row in parts),
        kinds=tuple(row["kind"] for row in parts),
        whole=in_paper == {row["kind"] for row in parts},
        trials=trials,
        items=sum(row.items for row in parts),
        unread=sum(row.unread for row in parts) / trials,
        errors=sum(row.errors for row in parts),
    )


Cells = dict[tuple[Any, ...], dict[str, Value]]
"""For every combination of some columns: levels of another, and their shares of the trials."""


def shares(rows: pl.DataFrame, by: Sequence[str], column: str, levels: Sequence[str], seed: int) -> Cells:
    """How the rows are spread over these levels of a column: shares from 0 to 1, intervals clustered on items."""
    cells: Cells = {}
    for level in levels:
        hit = pl.when(pl.col(column) == level).then(pl.lit("right")).otherwise(pl.lit("wrong"))
        for row in accuracy(rows.with_columns(outcome=hit, reason=pl.lit("")), by, seed):
            cells.setdefault(tuple(row[name] for name in by), {})[level] = row.share
    return cells
