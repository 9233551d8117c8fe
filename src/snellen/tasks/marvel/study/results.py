"""The numbers of a MARVEL study, each computed when first asked for."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.casts import ORACLES
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import accuracy
from snellen.analysis.rows import asked
from snellen.analysis.scores import above_chance
from snellen.tasks.marvel.study.bias import Bias, biases
from snellen.tasks.marvel.study.examples import compared
from snellen.tasks.marvel.study.ladder import given_perception
from snellen.tasks.marvel.study.puzzles import (
    CHANCE,
    CONTEXT,
    LEVELS,
    MEASURES,
    SETTING,
    level_order,
    measured,
    named_context,
    plainness,
    prepared,
    settings_of,
)

CHANGES = (
    ("words", "given", "none"),
    ("shots", "one", "zero"),
    ("shots", "two", "zero"),
    ("demos", "other-pattern", "same-pattern"),
    ("demos", "mixed", "same-pattern"),
    ("panels", "apart", "together"),
    ("indices", "letters", "digits"),
    ("blank", "question-mark", "empty"),
    ("wording", "brief", "usual"),
    ("wording", "formal", "usual"),
    ("wording", "authors", "usual"),
    ("ink", "colour", "black"),
)
"""A condition, the level it is changed to, and from which."""
SECOND = "second reading"
"""How the note of an answer begins that a model read after the rules had abstained."""


class MarvelResults:
    """All numbers of the MARVEL trials of all subjects, in the order people expect them."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = prepared(rows)
        self.seed = seed
        self.subjects: list[str] = [w for w in self.rows["who"].unique(maintain_order=True) if w not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.named = named_context(self.rows)

    @cached_property
    def scored(self) -> pl.DataFrame:
        """One row for each puzzle, setting and measure."""
        return measured(self.rows)

    @cached_property
    def _settings(self) -> list[dict[str, Any]]:
        return settings_of(self.rows).select(SETTING).to_dicts()

    def _accuracy(self, rows: pl.DataFrame, *by: str) -> list[dict[str, Any]]:
        """Accuracies by setting and whatever else."""
        found = accuracy(rows, ["setting", *by], self.seed)
        return [{**self._settings[each.pop("setting")], **each} for each in found]

    @cached_property
    def overall(self) -> list[dict[str, Any]]:
        """Every measure in every setting, with `chance` and the p-value of being above it where there is one."""
        found = sorted(self._accuracy(self.scored, "score"), key=self.rank)
        for each in found:
            chance = CHANCE.get(each["score"])
            known = chance is not None and each["trials"]
            each["chance"] = chance
            each["p_chance"] = above_chance(each["right"], each["trials"], chance) if chance and known else None
        return found

    @cached_property
    def _by(self) -> dict[str, list[dict[str, Any]]]:
        return {}

    def by(self, column: str) -> list[dict[str, Any]]:
        """The same for every level of the puzzles, such as their pattern. Puzzles without a level are left out."""
        if column not in self._by:
            known = self.scored.filter(~pl.col(column).is_in(["", "none"]))
            found = self._accuracy(known, column, "score")
            self._by[column] = sorted(found, key=lambda each: (self.rank(each), level_order(column, each[column])))
        return self._by[column]

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """All estimates: whole settings (`by` and `level` are ''), then by every level of the puzzles."""
        whole = [{**each, "by": "", "level": ""} for each in self.overall]
        parts = [
            {**{key: value for key, value in each.items() if key != column}, "by": column, "level": each[column]}
            for column in LEVELS
            for each in self.by(column)
        ]
        return whole + parts

    @cached_property
    def given(self) -> list[Contrast]:
        """AVR where perception was right minus where it was wrong."""
        return sorted(given_perception(self.scored, self.seed), key=self.rank)

    @cached_property
    def with_examples(self) -> pl.DataFrame:
        """What was seen of each puzzle beside its answers without and with examples."""
        return compared(self.scored)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Each condition changed on the same puzzles, everything else equal, question by question. What words add to
        the picture is the perception gap. Holm family: all changes of one subject and question."""
        found = []
        for column, a, b in CHANGES:
            if a in set(self.rows[column].unique()):
                by = [*(name for name in SETTING if name != column), "question"]
                changed = contrast(paired(self.rows, column, a, b), by, self.seed)
                found += [{**each, column: b, "factor": column, "levels": (a, b)} for each in changed]
        return sorted(adjust(found, ["who", "question"]), key=self.rank)

    @cached_property
    def biases(self) -> list[Bias]:
        """How the options picked are spread, beside the key."""
        return sorted(biases(self.rows, self.seed), key=lambda each: self.rank(each.setting))

    def dagger(self, setting: Mapping[str, Any]) -> str:
        """The paper's mark for answers whose spread over the options is not the key's."""
        return self._daggers.get(tuple(setting[name] for name in SETTING), "")

    @cached_property
    def _daggers(self) -> dict[tuple[Any, ...], str]:
        return {tuple(each.setting[name] for name in SETTING): each.dagger for each in self.biases}

    @cached_property
    def readings(self) -> list[dict[str, Any]]:
        """How the answers were read, by subject and question: by the rules, by a second reading, not at all."""
        second = pl.col("how").fill_null("").str.starts_with(SECOND) & (pl.col("outcome") != "unread")
        unread = pl.col("outcome") == "unread"
        found = (
            asked(self.rows)
            .group_by("who", "subject", "question")
            .agg(
                pl.len().alias("replies"),
                second=second.sum(),
                second_right=(second & (pl.col("outcome") == "right")).sum(),
                unread=unread.sum(),
            )
            .to_dicts()
        )
        return sorted(found, key=lambda each: self.rank({**dict.fromkeys(SETTING, ""), **each}))

    def rank(self, each: Mapping[str, Any]) -> tuple[Any, ...]:
        """Where a result belongs: subjects as examined, plain settings first, then measures and changes."""
        return (
            self.subjects.index(each["who"]) if each["who"] in self.subjects else len(self.subjects),
            self.labels.index(each["subject"]),
            *plainness(each),
            *(str(each[name]) for name in CONTEXT),
            [*MEASURES].index(each.get("score") or each.get("given") or each.get("question") or "avr"),
            [(*change,) for change in CHANGES].index((each["factor"], *each["levels"])) if "factor" in each else 0,
        )
