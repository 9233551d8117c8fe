"""From rows to rungs: what one subject did on each rung of a task's ladder, item by item.

Of each rung those trials count that differ from the item as it is in nothing but what makes the rung: all other factors
stay at their plainest level, or, if the subject was not asked at that, at the one it was asked at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.casts import ROLES, with_casts
from snellen.analysis.rows import JUDGE, JUDGED, asked
from snellen.tasks.ladder import SELF, Ladder, Put, Rung

Floats = NDArray[np.float64]
WHO = "who"


@dataclass(frozen=True, slots=True)
class Outline:
    """What the study must know of a task: its ladder, and the plainest level of each factor of its conditions."""

    task: str
    ladder: Ladder
    plainest: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stand:
    """One rung as a subject stood on it: its trials, and item by item (in the order of `Climb.items`) how many answers
    were read and how many of those were right. `for_all`: whether the rung is for every item; where it is not, an item
    has the numbers of the rung below, so the two are not observed apart."""

    rung: Rung
    trials: pl.DataFrame
    read: Floats
    right: Floats
    for_all: bool = True

    @property
    def asked(self) -> bool:
        return not self.trials.is_empty()


@dataclass(frozen=True, slots=True)
class Climb:
    """One subject on one ladder. `luck`: how often a guess is right, item by item. `line`: the rungs that were asked,
    from the least demanding; `beside`: those that are compared with them."""

    subject: str
    outline: Outline
    items: tuple[str, ...]
    clusters: NDArray[np.intp]
    luck: Floats
    line: tuple[Stand, ...]
    beside: tuple[Stand, ...]
    trials: pl.DataFrame
    """Everything the subject was asked in this task, failed calls included."""

    @property
    def stands(self) -> tuple[Stand, ...]:
        """All rungs that were asked, in the ladder's order."""
        by_name = {stand.rung.name: stand for stand in (*self.line, *self.beside)}
        return tuple(by_name[rung.name] for rung in self.outline.ladder if rung.name in by_name)


def climbs(rows: pl.DataFrame, outline: Outline) -> list[Climb]:
    """Every subject on the task's ladder, in the order of the rows. Whoever played a role beside another's is counted
    where their answer counted."""
    cast = with_casts(rows, *(name for name in outline.plainest if name in rows.columns))
    # A factor that is newer than some trials was at its plainest level in them.
    known = [name for name in outline.plainest if name in cast.columns]
    cast = cast.with_columns(pl.col(name).replace("", outline.plainest[name]) for name in known)
    cast = _marked(cast)
    return [_climb(own, str(own[WHO][0]), outline) for own in cast.partition_by(WHO, maintain_order=True)]


def _marked(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows as the rules marked them. Free text has no rules: there a judge's marks count, and nothing else does."""
    if JUDGE not in rows.columns:
        return rows.filter(~_free(rows))
    unjudged = pl.col(JUDGE).cast(pl.String).fill_null("") == ""
    return rows.filter(pl.when(_free(rows)).then(~unjudged).otherwise(unjudged))


def _free(rows: pl.DataFrame) -> pl.Expr:
    """Whether an answer is free text that no rule can mark."""
    if "source" not in rows.columns:
        return pl.lit(False)
    published = pl.col("source").cast(pl.String) == "published"
    return published & pl.col("task").is_in(JUDGED)


def _climb(rows: pl.DataFrame, who: str, outline: Outline) -> Climb:
    rows = rows.filter(pl.col("pack") == rows["pack"].min())
    chosen = {rung.name: _chosen(asked(rows), rung, who, outline.plainest) for rung in outline.ladder}
    on_line = [chosen[rung.name] for rung in outline.ladder if rung.on_line]
    known = pl.concat([trials.select("item", "cluster", "labels") for trials in on_line] or [rows.clear()])
    # By name: trials are recorded as they come in, and the same answers must give the same numbers.
    per_item = (
        known.group_by(pl.col("item").cast(pl.String)).agg(pl.col("cluster").first(), _luck().mean()).sort("item")
    )
    names = per_item["item"].to_list()
    stands = {rung.name: stand_of(rung, chosen[rung.name], names) for rung in outline.ladder}
    line = _kept_up([stands[rung.name] for rung in outline.ladder if rung.on_line], rows, names)
    usable = _usable(line)
    return Climb(
        subject=who,
        outline=outline,
        items=tuple(name for name, kept in zip(names, usable, strict=True) if kept),
        clusters=_numbered(per_item["cluster"].cast(pl.String).to_list(), usable),
        luck=per_item["luck"].to_numpy().astype(np.float64)[usable],
        line=tuple(_only(stand, usable) for stand in line),
        beside=tuple(_only(s, usable) for s in stands.values() if s.asked and not s.rung.on_line),
        trials=rows,
    )


def _luck() -> pl.Expr:
    """How often a guess is right: with labels to choose from, one in so many."""
    options = pl.col("labels").list.len().fill_null(0)
    return pl.when(options > 1).then(1 / options).otherwise(0.0).alias("luck")


def _chosen(rows: pl.DataFrame, rung: Rung, who: str, plainest: Mapping[str, str]) -> pl.DataFrame:
    """The trials that make a rung: of each item those of the first way it was put."""
    parts: list[pl.DataFrame] = []
    for put in rung.puts:
        trials = _put(rows, put, who, plainest)
        if parts:
            taken = pl.concat(part["item"] for part in parts).unique()
            trials = trials.filter(~pl.col("item").is_in(taken.implode()))
        parts.append(trials)
    return pl.concat(parts)


def _put(rows: pl.DataFrame, put: Put, who: str, plainest: Mapping[str, str]) -> pl.DataFrame:
    wanted = [pl.col("paradigm").is_in(put.paradigms)]
    for role in ROLES:
        player = put.cast.get(role, "")
        wanted.append(pl.col(role) == (who if player == SELF else player) if player else pl.col(role).is_in(["", who]))
    for name, levels in (*put.levels.items(), *put.of.items()):
        column = pl.col(name).cast(pl.String) if name in rows.columns else pl.lit(plainest.get(name, ""))
        wanted.append(column.is_in(levels))
    rest = [name for name in plainest if name in rows.columns and name not in put.levels]
    return reduce(lambda trials, name: _plainest(trials, name, plainest[name]), rest, rows.filter(*wanted))


def _plainest(rows: pl.DataFrame, factor: str, level: str) -> pl.DataFrame:
    """The rows at the factor's plainest level, or else at the one most of them have."""
    levels = rows[factor].cast(pl.String)
    counts = levels.alias("level").value_counts(name="trials").sort("trials", "level", descending=[True, False])
    known = counts["level"].to_list()
    if len(known) < 2:
        return rows
    return rows.filter(levels == (level if level in known else known[0]))


def stand_of(rung: Rung, trials: pl.DataFrame, names: Sequence[str]) -> Stand:
    """The trials counted item by item."""
    counts = trials.group_by(pl.col("item").cast(pl.String)).agg(
        read=(pl.col("outcome") != "unread").sum(), right=(pl.col("outcome") == "right").sum()
    )
    by_item = {name: (read, right) for name, read, right in counts.rows()}
    numbers = np.array([by_item.get(name, (0, 0)) for name in names], dtype=np.float64).reshape(-1, 2)
    return Stand(rung, trials, numbers[:, 0], numbers[:, 1])


def _kept_up(line: Sequence[Stand], rows: pl.DataFrame, names: Sequence[str]) -> list[Stand]:
    """The rungs that were asked; an item that a rung is not for stays where the rung below has it."""
    kept: list[Stand] = []
    for stand in line:
        if not stand.asked:
            continue
        if kept and any(put.of for put in stand.rung.puts):
            spared = ~np.array(_is_for(stand.rung, rows, names), dtype=bool)
            below = kept[-1]
            read = np.where(spared, below.read, stand.read)
            right = np.where(spared, below.right, stand.right)
            stand = Stand(stand.rung, stand.trials, read, right, for_all=not spared.any())
        kept.append(stand)
    return kept


def _is_for(rung: Rung, rows: pl.DataFrame, names: Sequence[str]) -> list[bool]:
    factors = sorted({name for put in rung.puts for name in put.of if name in rows.columns})
    items = rows.select(pl.col("item", *factors).cast(pl.String)).unique(["item"]).rows(named=True)
    known = {levels["item"]: rung.is_for(levels) for levels in items}
    return [known.get(name, False) for name in names]


def _usable(line: Sequence[Stand]) -> NDArray[np.bool_]:
    """The items the losses can rest on: asked against a habit only if also asked without."""
    if len(line) < 2 or "habit" not in line[-1].rung.demands or "habit" in line[-2].rung.demands:
        return np.ones(len(line[0].read) if line else 0, dtype=bool)
    return np.asarray((line[-1].read == 0) | (line[-2].read > 0))


def _numbered(clusters: Sequence[str], usable: NDArray[np.bool_]) -> NDArray[np.intp]:
    names = [name for name, kept in zip(clusters, usable, strict=True) if kept]
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=np.intp)


def _only(stand: Stand, usable: NDArray[np.bool_]) -> Stand:
    return Stand(stand.rung, stand.trials, stand.read[usable], stand.right[usable], stand.for_all)
