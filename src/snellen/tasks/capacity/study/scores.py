"""Accuracy by kind, by category and overall, and the share of trials that came to this or that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.estimates import accuracy
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import KINDS, SETTING, category_order, kind_order
from snellen.tasks.capacity.study.weighing import levels, weighted, weights

OVERALL = ""


@dataclass(frozen=True, slots=True)
class Score:
    """One of the scores of a setting: overall (`level` is ''), or that of a category. `value` is a share from 0 to 1;
    `kinds` are those it is made of; `whole` says whether these are all that the paper's score is made of."""

    setting: dict[str, Any]
    level: str
    value: Value
    kinds: tuple[str, ...]
    whole: bool
    trials: int
    items: int
    unread: float
    errors: int


def by_kind(rows: pl.DataFrame, seed: int) -> list[dict[str, Any]]:
    """Accuracy by setting and kind, in the paper's order of kinds."""
    found = accuracy(rows, [*SETTING, "category", "kind"], seed)
    return sorted(found, key=lambda each: (category_order(each["category"]), kind_order(each["kind"])))


def scores(cells: Sequence[Mapping[str, Any]]) -> list[Score]:
    """The scores of every setting, from its accuracies by kind; a kind that brought no reply is left out."""
    settings: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for each in cells:
        if each["accuracy"] is not None:
            settings.setdefault(tuple(each[name] for name in SETTING), []).append(each)
    found = []
    for own in settings.values():
        kinds = {each["kind"]: each["category"] for each in own}
        weight = weights(kinds)
        for level, members in levels(kinds):
            parts = [each for each in own if each["kind"] in members]
            found.append(_score(level, parts, weight))
    return found


def _score(level: str, parts: Sequence[Mapping[str, Any]], weight: Mapping[str, float]) -> Score:
    known = {name for name, (_, category) in KINDS.items() if level in (OVERALL, category)}
    trials = sum(each["trials"] for each in parts)
    return Score(
        setting={name: parts[0][name] for name in SETTING},
        level=level,
        value=weighted((weight[each["kind"]], share(each)) for each in parts),
        kinds=tuple(each["kind"] for each in parts),
        whole=known == {each["kind"] for each in parts},
        trials=trials,
        items=sum(each["items"] for each in parts),
        unread=sum(each["unread"] for each in parts) / trials,
        errors=sum(each["errors"] for each in parts),
    )


def share(each: Mapping[str, Any]) -> Value:
    """An accuracy as a share from 0 to 1."""
    return Value(each["accuracy"], each["low"], each["high"], each["trials"])


Cells = dict[tuple[Any, ...], dict[str, Value]]
"""For every combination of some columns: levels of another, and their shares of the trials."""


def shares(rows: pl.DataFrame, by: Sequence[str], column: str, known: Sequence[str], seed: int) -> Cells:
    """How the rows are spread over the known levels of a column: shares from 0 to 1, intervals clustered on items."""
    found: Cells = {}
    for level in known:
        hit = pl.when(pl.col(column) == level).then(pl.lit("right")).otherwise(pl.lit("wrong"))
        for each in accuracy(rows.with_columns(outcome=hit, reason=pl.lit("")), by, seed):
            found.setdefault(tuple(each[name] for name in by), {})[level] = share(each)
    return found


def hundredfold(value: Value, note: str = "") -> Value:
    """A share in percent."""
    middle, low, high = (None if part is None else 100 * part for part in (value.value, value.low, value.high))
    return Value(middle, low, high, value.n, note or value.note)
