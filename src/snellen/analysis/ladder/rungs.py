"""From rows to rungs: what one subject did on each rung of a task's ladder, unit by unit.

A **unit** is an item under one of the conditions that a rung is asked at (a target, a caption that is given), nested in
the item: what fails under one condition and not under another is no slip. Of each rung those trials count that differ
from the item as it is in nothing but what makes the rung: all other factors stay at their plainest level, or, if the
subject was not asked at that, at the one it was asked at most.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.casts import ROLES, casts_by_who
from snellen.analysis.estimates import Floats
from snellen.analysis.rows import JUDGE, asked
from snellen.errors import invocation
from snellen.ladder import FEW, SELF, Ladder, Rung, RungQuery
from snellen.sequential import SequentialResult

WHO = "who"
Mask = NDArray[np.bool_]
VERY_MANY = 50_000
"""Trials of a task; of more, fewer random draws are made."""


@dataclass(frozen=True)
class LadderSpec:
    """What the study must know of a task: its ladder, the plainest level of each factor of its conditions, and levels
    at which no picture is shown. `judged`: its published items are free text, which only a judge can mark. `again`: by
    subject the words after `snellen` that ask it about the same items, empty if there are none; `wordless`: subjects
    that take no call without a picture. `sequential`: what exams found by subject that stopped when they knew."""

    task: str
    ladder: Ladder
    plainest: Mapping[str, str]
    pictureless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    judged: bool = False
    again: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wordless: frozenset[str] = frozenset()
    sequential: Mapping[str, SequentialResult] = field(default_factory=dict)

    def asking(self, subject: str, *options: str) -> str:
        """The command that asks a subject about the same items, in backquotes; empty if there is none."""
        words = self.again.get(subject, ("exam", subject, "--tasks", self.task))
        return f"`{invocation(*words, *options)}`" if words else ""

    @cached_property
    def reserved(self) -> dict[str, set[str]]:
        """By factor the levels that make a rung, or show no picture: no other rung takes them in place of its own."""
        found = {name: set(levels) for name, levels in self.pictureless.items()}
        for rung in self.ladder:
            for put in rung.puts:
                for name, levels in put.levels.items():
                    found.setdefault(name, set()).update(levels if len(levels) == 1 else ())
        return found


@dataclass(frozen=True, slots=True)
class RungResult:
    """One subject on one rung. Arrays have an entry for each of `LadderResult.units`: replies, replies that could be
    read, right ones, refusals; and whether the unit's item has the rung at all."""

    rung: Rung
    trials: pl.DataFrame
    asked: Floats
    read: Floats
    right: Floats
    refused: Floats
    has: Mask

    @property
    def for_all(self) -> bool:
        """Whether every item has the rung."""
        return bool(self.has.all())

    @property
    def is_tested(self) -> bool:
        """Whether enough replies could be read to say anything."""
        read = int((self.read > 0).sum())
        return read >= FEW or (self.for_all and read >= max(2, int((self.asked > 0).sum()) / 2))

    @property
    def is_unread(self) -> bool:
        """Whether enough was asked, and too little of it could be read."""
        return not self.is_tested and int((self.asked > 0).sum()) >= FEW


@dataclass(frozen=True, slots=True)
class LadderResult:
    """One subject on one ladder. `items` and `clusters`: the number of the item and of the cluster that each unit
    belongs to. `luck`: how often a guess is right, unit by unit. `line`: the rungs that were asked, from the least
    demanding; `beside`: those that are compared with them; `probes`: perception questions about the same items."""

    subject: str
    spec: LadderSpec
    units: tuple[str, ...]
    items: NDArray[np.intp]
    clusters: NDArray[np.intp]
    luck: Floats
    line: tuple[RungResult, ...]
    beside: tuple[RungResult, ...]
    trials: pl.DataFrame
    """Everything the subject was asked in this task, failed calls included."""
    probes: tuple[RungResult, ...] = ()
    failed: Mapping[str, int] = field(default_factory=dict)
    """By rung the calls that failed, where there were any."""
    unjudged: int = 0
    """Replies in free text that no judge has marked; they count nowhere."""
    has_very_many: bool = False
    """Whether the task, of all subjects, has more than `VERY_MANY` trials."""

    @property
    def n_items(self) -> int:
        return len(np.unique(self.items))

    @property
    def rungs(self) -> tuple[RungResult, ...]:
        """All rungs that were asked, in the ladder's order."""
        by_name = {result.rung.name: result for result in (*self.line, *self.beside)}
        return tuple(by_name[rung.name] for rung in self.spec.ladder if rung.name in by_name)

    def only(self, kept: Mask) -> "LadderResult":
        """The same on some of the units."""
        return replace(
            self,
            units=tuple(name for name, keep in zip(self.units, kept, strict=True) if keep),
            items=_renumbered(self.items[kept]),
            clusters=_renumbered(self.clusters[kept]),
            luck=self.luck[kept],
            line=tuple(_only(result, kept) for result in self.line),
            beside=tuple(_only(result, kept) for result in self.beside),
            probes=tuple(_only(result, kept) for result in self.probes),
        )


def ladder_results(rows: pl.DataFrame, spec: LadderSpec) -> Iterator[LadderResult]:
    """Every subject on the task's ladder, in the order of the rows, each when it is asked for. Whoever played a role
    beside another's is counted where their answer counted."""
    # A factor that is newer than some trials was at its plainest level in them.
    known = [name for name in spec.plainest if name in rows.columns]
    has_very_many = rows.height > VERY_MANY
    of_one = (_of_one(own, known, spec) for own in casts_by_who(rows, *known))
    return (replace(result, has_very_many=has_very_many) for result in of_one)


def _of_one(rows: pl.DataFrame, levels: Sequence[str], spec: LadderSpec) -> LadderResult:
    rows = rows.with_columns(pl.col(name).replace("", spec.plainest[name]) for name in levels)
    rows = _with_units(rows, spec.ladder)
    is_free = _is_free(rows, spec)
    marked, unjudged = _marked(rows, is_free), asked(rows.filter(is_free)).height
    judged = marked.filter(is_free).height
    result = _result(marked, str(rows[WHO][0]), spec)
    return replace(result, unjudged=0 if judged else unjudged)


def _with_units(rows: pl.DataFrame, ladder: Ladder) -> pl.DataFrame:
    """The rows with the unit that each belongs to: its item and the levels of what a rung is asked at more than one
    level of."""
    nested = {name for rung in ladder for put in rung.puts for name, levels in put.levels.items() if len(levels) > 1}
    names = [pl.col(name).cast(pl.String).fill_null("") for name in sorted(nested & set(rows.columns))]
    unit = pl.concat_str([pl.col("item").cast(pl.String), *names], separator=" | ")
    return rows.with_columns(unit=unit.cast(pl.Categorical))


def _marked(rows: pl.DataFrame, is_free: pl.Expr) -> pl.DataFrame:
    """The rows as the rules marked them. Free text has no rules: there a judge's marks count, and nothing else does."""
    if JUDGE not in rows.columns:
        return rows.filter(~is_free)
    unjudged = pl.col(JUDGE).cast(pl.String).fill_null("") == ""
    return rows.filter(pl.when(is_free).then(~unjudged).otherwise(unjudged))


def _is_free(rows: pl.DataFrame, spec: LadderSpec) -> pl.Expr:
    """Whether an answer is free text that no rule can mark."""
    if not spec.judged or "source" not in rows.columns:
        return pl.lit(False)
    return pl.col("source").cast(pl.String) == "published"


def _result(rows: pl.DataFrame, who: str, spec: LadderSpec) -> LadderResult:
    rows = rows.filter(pl.col("pack") == pl.col("pack").min())
    chosen = {rung.name: _chosen(asked(rows), rung, who, spec) for rung in spec.ladder}
    errors = rows.filter(pl.col("reason").fill_null("") == "error")
    failed = {rung.name: _chosen(errors, rung, who, spec).height for rung in spec.ladder} if errors.height else {}
    on_line = [chosen[rung.name] for rung in spec.ladder if rung.on_line]
    known = pl.concat([trials.select("unit", "item", "cluster", "labels") for trials in on_line] or [rows.clear()])
    # By name: trials are recorded as they come in, and the same answers must give the same numbers.
    units = known.group_by("unit").agg(pl.col("item", "cluster").first().cast(pl.String), luck().mean()).sort("unit")
    has = {rung.name: _has(rung, rows, units["item"].to_list()) for rung in spec.ladder}
    results = [rung_result(rung, chosen[rung.name], units["unit"].to_list(), has[rung.name]) for rung in spec.ladder]
    asked_rungs = [result for result in results if not result.trials.is_empty()]
    whole = LadderResult(
        subject=who,
        spec=spec,
        units=tuple(units["unit"].to_list()),
        items=_numbered(units["item"].to_list()),
        clusters=_numbered(units["cluster"].to_list()),
        luck=units["luck"].to_numpy().astype(np.float64),
        line=tuple(result for result in asked_rungs if result.rung.on_line),
        beside=tuple(result for result in asked_rungs if not result.rung.on_line and not result.rung.covers),
        trials=rows,
        probes=tuple(result for result in asked_rungs if result.rung.covers),
        failed={name: count for name, count in failed.items() if count},
    )
    if who in spec.sequential:  # whose losses rest on tests of its own
        return whole
    kept = whole.only(_usable(whole.line, len(whole.units)))
    return replace(kept, line=tuple(result for result in kept.line if result.asked.any()))


def luck() -> pl.Expr:
    """How often a guess is right: with labels to choose from, one in so many."""
    options = pl.col("labels").list.len().fill_null(0)
    return pl.when(options > 1).then(1 / options).otherwise(0.0).alias("luck")


def _chosen(rows: pl.DataFrame, rung: Rung, who: str, spec: LadderSpec) -> pl.DataFrame:
    """The trials that make a rung: of each item those of the first way it was put."""
    parts: list[pl.DataFrame] = []
    for put in rung.puts:
        trials = _put(rows, put, who, spec)
        if parts:
            taken = pl.concat(part["item"] for part in parts).unique()
            trials = trials.filter(~pl.col("item").is_in(taken.implode()))
        parts.append(trials)
    return pl.concat(parts)


def _put(rows: pl.DataFrame, put: RungQuery, who: str, spec: LadderSpec) -> pl.DataFrame:
    plainest = spec.plainest
    wanted = [pl.col("paradigm").is_in(put.paradigms)]
    for role in ROLES:
        player = put.cast.get(role, "")
        wanted.append(pl.col(role) == (who if player == SELF else player) if player else pl.col(role).is_in(["", who]))
    for name, levels in (*put.levels.items(), *put.of.items()):
        column = pl.col(name).cast(pl.String) if name in rows.columns else pl.lit(plainest.get(name, ""))
        wanted.append(column.is_in(levels))
    rest = [name for name in plainest if name in rows.columns and name not in put.levels]
    return reduce(lambda trials, name: _plainest(trials, name, spec), rest, rows.filter(*wanted))


def _plainest(rows: pl.DataFrame, factor: str, spec: LadderSpec) -> pl.DataFrame:
    """The rows at the factor's plainest level, or else at the one most of them have that makes no other rung."""
    plainest = spec.plainest[factor]
    levels = rows[factor].cast(pl.String)
    is_plainest = levels == plainest
    if many := is_plainest.sum():
        return rows if many == rows.height else rows.filter(is_plainest)
    counts = levels.alias("level").value_counts(name="trials").sort("trials", "level", descending=[True, False])
    reserved = spec.reserved.get(factor, set())
    known = [level for level in counts["level"].to_list() if level not in reserved]
    return rows.filter(levels == known[0]) if known else rows.clear()


def rung_result(rung: Rung, trials: pl.DataFrame, units: Sequence[str], has: Mask | None = None) -> RungResult:
    """The trials counted unit by unit."""
    outcome = pl.col("outcome")
    counts = trials.group_by("unit").agg(
        asked=pl.len(),
        read=(outcome != "unread").sum(),
        right=(outcome == "right").sum(),
        refused=((outcome == "unread") & (pl.col("reason") == "refused")).sum(),
    )
    names = pl.DataFrame({"unit": pl.Series(units, dtype=counts.schema["unit"])})
    by_unit = names.join(counts, on="unit", how="left", maintain_order="left").drop("unit").fill_null(0)
    table = by_unit.to_numpy().astype(np.float64)
    everywhere = np.ones(len(units), dtype=bool) if has is None else has
    return RungResult(rung, trials, table[:, 0], table[:, 1], table[:, 2], table[:, 3], everywhere)


def _has(rung: Rung, rows: pl.DataFrame, items: Sequence[str]) -> Mask:
    """Whether each of the items has the rung."""
    if not any(put.of for put in rung.puts):
        return np.ones(len(items), dtype=bool)
    factors = sorted({name for put in rung.puts for name in put.of if name in rows.columns})
    levels = rows.select(pl.col("item", *factors).cast(pl.String)).unique(["item"]).rows(named=True)
    known = {own["item"]: rung.is_for(own) for own in levels}
    return np.array([known.get(item, False) for item in items], dtype=bool)


def _usable(line: Sequence[RungResult], units: int) -> Mask:
    """The units the losses can rest on: asked against a habit only if also asked without."""
    if len(line) < 2 or "habit" not in line[-1].rung.demands or "habit" in line[-2].rung.demands:
        return np.ones(units, dtype=bool)
    return np.asarray((line[-1].asked == 0) | (line[-2].asked > 0))


def _numbered(names: Sequence[str]) -> NDArray[np.intp]:
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=np.intp)


def _renumbered(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.ravel(np.unique(numbers, return_inverse=True)[1]).astype(np.intp)


def _only(result: RungResult, kept: Mask) -> RungResult:
    arrays = {name: getattr(result, name)[kept] for name in ("asked", "read", "right", "refused", "has")}
    return replace(result, **arrays)
