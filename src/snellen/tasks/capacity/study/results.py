"""The numbers of a capacity study, each computed when first asked for."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import polars as pl

from snellen.analysis.casts import ORACLES
from snellen.analysis.chains import Chains, Habit, SpokenReplies
from snellen.analysis.contrasts import Contrast
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.settings import plainness
from snellen.tasks.capacity.study.describing import described
from snellen.tasks.capacity.study.difficulty import THIRDS, in_thirds
from snellen.tasks.capacity.study.errors import Fate, MechanismShare, fated, fates, mechanisms
from snellen.tasks.capacity.study.judging import Agreement, agreements
from snellen.tasks.capacity.study.kinds import (
    CONTEXT,
    PLAIN,
    SETTING,
    category_order,
    kind_order,
    kind_title,
    named_context,
    prepared,
    scored,
    verified,
)
from snellen.tasks.capacity.study.patterns import patterns
from snellen.tasks.capacity.study.pointing import CountsOff, Turned, counts, turns
from snellen.tasks.capacity.study.scores import Score, by_kind, scores

Setting = dict[str, Any]
Row = TypeVar("Row", bound=AtLevels)


class CapacityResults:
    """All numbers of the capacity trials of all subjects, in the order people expect them."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.marks = prepared(rows)
        self.rows = scored(self.marks)
        self.seed = seed
        self.subjects: list[str] = [w for w in self.rows["who"].unique(maintain_order=True) if w not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.named = named_context(self.rows)

    @cached_property
    def kinds(self) -> list[Estimate]:
        """Accuracy in every setting by kind."""
        return self._ranked(by_kind(self.rows.drop("text"), self.seed))

    @cached_property
    def scores(self) -> list[Score]:
        """Overall and by category."""
        return sorted(scores(self.kinds), key=lambda score: self.rank({**score.levels, "category": score.level}))

    @cached_property
    def settings(self) -> list[Setting]:
        """The settings that brought a reply, the plainest of each subject first."""
        return [score.levels for score in self.scores if not score.level]

    def plainest(self) -> list[Setting]:
        """Each subject's plainest setting."""
        best: dict[str, Setting] = {}
        for setting in self.settings:
            best.setdefault(setting["who"], setting)
        return list(best.values())

    def score(self, setting: Setting, level: str = "") -> Score | None:
        return next((score for score in self.scores if score.levels == setting and score.level == level), None)

    @cached_property
    def _fated(self) -> pl.DataFrame:
        return fated(self.rows.drop("text"))

    @cached_property
    def fates(self) -> list[Fate]:
        """What became of the trials of every setting."""
        return self._ranked(fates(self._fated, self.seed))

    @cached_property
    def mechanisms(self) -> list[MechanismShare]:
        """What wrong answers betray, by setting and kind."""
        return self._ranked(mechanisms(self._fated, SETTING, self.seed))

    @cached_property
    def patterns(self) -> list[Estimate]:
        """The paper's three error patterns in every setting."""
        return self._ranked(patterns(self._fated, self.seed))

    @cached_property
    def described(self) -> list[Contrast]:
        """Describe first minus not, by setting and kind, category, overall."""
        contrasts = described(self.rows.drop("text"), self.seed)
        return sorted(contrasts, key=lambda row: self.rank({**row.levels, "describe": "no"}))

    @cached_property
    def agreements(self) -> list[Agreement]:
        """Every judge beside the verifier."""
        return agreements(self.marks.drop("text"), self.seed)

    @cached_property
    def turns(self) -> list[Turned]:
        """How far directions are turned from the true ones."""
        return self._ranked(turns(verified(self.marks), self.seed))

    @cached_property
    def counts(self) -> list[CountsOff]:
        """How far counts are off, by number of views."""
        rows = counts(verified(self.marks), self.seed)
        return sorted(rows, key=lambda row: (self.rank(row.levels), number_order(row["views"])))

    @cached_property
    def spoken(self) -> SpokenReplies:
        return SpokenReplies(verified(self.marks), SETTING, self.named, self.rank, kind_order, kind_title)

    @cached_property
    def chains(self) -> Chains:
        return Chains(self.spoken, self.seed)

    @cached_property
    def habits(self) -> list[Habit]:
        """How subjects think aloud."""
        return self.chains.habits()

    @cached_property
    def by_size(self) -> list[Estimate]:
        """Accuracy by kind and size of the items; kinds of a single size are left out."""
        rows = self._by(self.rows.drop("text").filter(pl.col("size") != ""), "size")
        return sorted(rows, key=lambda row: (self.rank(row.levels), number_order(row["size"])))

    @cached_property
    def by_third(self) -> list[Estimate]:
        """Accuracy by kind and third of its difficulty; kinds whose items are all as difficult are left out."""
        rows = self._by(in_thirds(self.rows.drop("text")), "third", "span")
        return sorted(rows, key=lambda row: (self.rank(row.levels), THIRDS.index(row["third"])))

    def _by(self, rows: pl.DataFrame, *columns: str) -> list[Estimate]:
        several = pl.col(columns[0]).n_unique().over("kind") > 1
        return accuracy(rows.filter(several), [*SETTING, "category", "kind", *columns], self.seed)

    def _ranked(self, rows: Iterable[Row]) -> list[Row]:
        return sorted(rows, key=lambda row: self.rank(row.levels))

    def rank(self, levels: Mapping[str, Any]) -> tuple[Any, ...]:
        """Where a result belongs: subjects as examined, plain settings first, overall, then categories and kinds."""
        return (
            self.subjects.index(levels["who"]) if levels["who"] in self.subjects else len(self.subjects),
            self.labels.index(levels["subject"]),
            *plainness(levels, PLAIN),
            *(str(levels[name]) for name in CONTEXT),
            levels.get("category", "") != "",
            category_order(levels.get("category", "")),
            kind_order(levels["kind"]) if levels.get("kind") else (-1, ""),
        )


def number_order(level: str) -> tuple[bool, float, str]:
    """Sorts levels that are numbers by number, others after them by name."""
    try:
        return (False, float(level), "")
    except ValueError:
        return (True, 0.0, level)
