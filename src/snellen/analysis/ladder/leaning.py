"""Leaning: does the name of an option, or its place, draw answers whatever the item is?

For each option: how often it was answered minus how often it was right, rung by rung. Keys are
balanced, so whoever goes by the items has a difference near zero. It is tested over whole clusters of items by random
signs.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from snellen.analysis.contrasts import holm, sign_flip
from snellen.analysis.ladder.climb import Climb, Stand

LEVEL = 0.01
LEANS = 0.10
"""A leaning is spoken of if it draws at least so many answers more than are right."""
ALWAYS = 0.8
"""Whoever gives one answer so often, whether it is right or not, gives it whatever is asked."""
FEW = 8
MOST = 6
"""Options of a question; of more, none is a favourite by its place."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """One option, by its name or its place, and the share of answers it draws beyond those that are right."""

    column: str
    option: str
    excess: float
    p: float

    @property
    def words(self) -> str:
        return f"says {self.option!r}" if self.column == "name" else f"takes the {_ordinal(self.option)} option"


def leanings(climb: Climb) -> list[Leaning]:
    """The options that draw answers, the strongest first."""
    tested = [
        _tested(trials, column, option)
        for stand in climb.stands
        if not (trials := _choices(stand)).is_empty()
        for column in ("name", "place")
        for option in _options(trials, column)
    ]
    adjusted = holm([leaning.p for leaning in tested])
    shown = [leaning for leaning, p in zip(tested, adjusted, strict=True) if p < LEVEL and leaning.excess >= LEANS]
    return sorted(shown, key=lambda leaning: -leaning.excess)


def gives_one_answer(stand: Stand, leaning: Leaning) -> bool:
    """Whether on this rung the option is answered whatever is right."""
    trials = _choices(stand)
    if trials.is_empty():
        return False
    said = trials[f"answer_{leaning.column}"] == leaning.option
    right = trials[f"key_{leaning.column}"] == leaning.option
    groups = [said.filter(mask) for mask in (right, ~right)]
    return all(len(group) >= FEW and group.sum() >= ALWAYS * len(group) for group in groups)


def only_one_was_right(stand: Stand) -> bool:
    """Whether the same option was right every time, so that whoever always gives it cannot be told from who knows."""
    trials = _choices(stand)
    return trials.height >= FEW and min(trials["key_name"].n_unique(), trials["key_place"].n_unique()) == 1


def _choices(stand: Stand) -> pl.DataFrame:
    """Answers among labels, with the name and the place of the answer and of the key."""
    trials = stand.trials.filter(pl.col("outcome") != "unread", pl.col("labels").list.len().is_between(2, MOST))
    trials = trials.select(pl.col("cluster", "answer", "key").cast(pl.String), "labels")

    def place(column: str) -> pl.Expr:
        same = [pl.col("labels").list.get(k, null_on_oob=True) == pl.col(column) for k in range(MOST)]
        return pl.coalesce(pl.when(one).then(pl.lit(str(k))) for k, one in enumerate(same))

    return trials.with_columns(
        answer_name=pl.col("answer"), key_name=pl.col("key"), answer_place=place("answer"), key_place=place("key")
    )


def _options(trials: pl.DataFrame, column: str) -> list[str]:
    """Options that are the same in at least half of the trials, and right in some."""
    if column == "place":
        return sorted(trials["key_place"].drop_nulls().unique().to_list())
    labels = trials.select(pl.col("labels").explode())["labels"].cast(pl.String)
    return sorted(name for name, count in labels.value_counts().rows() if count >= trials.height / 2)


def _tested(trials: pl.DataFrame, column: str, option: str) -> Leaning:
    said, right = (pl.col(f"{which}_{column}") == option for which in ("answer", "key"))
    net = (
        trials.group_by("cluster", maintain_order=True)
        .agg(net=said.fill_null(value=False).sum().cast(pl.Int64) - right.fill_null(value=False).sum().cast(pl.Int64))[
            "net"
        ]
        .to_numpy()
    )
    return Leaning(column, option, float(net.sum() / trials.height), sign_flip(net.astype(np.int64)))


def _ordinal(place: str) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[int(place)]
