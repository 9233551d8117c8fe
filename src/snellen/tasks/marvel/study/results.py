"""The numbers of a MARVEL study, each computed when first asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.casts import ORACLES
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.rows import asked
from snellen.analysis.scores import AboveChance, above_chance
from snellen.analysis.settings import named_context, plainness
from snellen.tasks.marvel.study.bias import Bias, biases
from snellen.tasks.marvel.study.examples import compared
from snellen.tasks.marvel.study.ladder import GivenPerception, given_perception
from snellen.tasks.marvel.study.puzzles import (
    CHANCE,
    CONTEXT,
    MEASURES,
    PLAIN,
    SETTING,
    level_order,
    measured,
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


@dataclass(frozen=True, slots=True)
class ReadingCounts(AtLevels):
    """How a subject's replies to a question were read: how many by a `second` reading, right there, not at all."""

    replies: int
    second: int
    second_right: int
    unread: int


class MarvelResults:
    """All numbers of the MARVEL trials of all subjects, in the order people expect them."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = prepared(rows)
        self.seed = seed
        self.subjects: list[str] = [w for w in self.rows["who"].unique(maintain_order=True) if w not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.named = named_context(self.rows, CONTEXT, PLAIN)

    @cached_property
    def scored(self) -> pl.DataFrame:
        """One row for each puzzle, setting and measure."""
        return measured(self.rows)

    @cached_property
    def _settings(self) -> list[dict[str, Any]]:
        return settings_of(self.rows).select(SETTING).to_dicts()

    def _accuracy(self, rows: pl.DataFrame, *by: str) -> list[Estimate]:
        """Accuracies by setting and whatever else."""
        return [
            replace(row, levels={**self._settings[row["setting"]], **{name: row[name] for name in by}})
            for row in accuracy(rows, ["setting", *by], self.seed)
        ]

    @cached_property
    def overall(self) -> list[AboveChance]:
        """Every measure in every setting, with `chance` and the p-value of being above it where there is one."""
        ranked = sorted(self._accuracy(self.scored, "score"), key=lambda row: self.rank(row.levels))
        return [above_chance(row, CHANCE.get(row["score"])) for row in ranked]

    @cached_property
    def _by(self) -> dict[str, list[Estimate]]:
        return {}

    def by(self, column: str) -> list[Estimate]:
        """The same for every level of the puzzles, such as their pattern. Puzzles without a level are left out."""
        if column not in self._by:
            levelled = self.scored.filter(~pl.col(column).is_in(["", "none"]))
            rows = self._accuracy(levelled, column, "score")
            self._by[column] = sorted(rows, key=lambda row: (self.rank(row.levels), level_order(column, row[column])))
        return self._by[column]

    @cached_property
    def given(self) -> list[GivenPerception]:
        """AVR where perception was right minus where it was wrong."""
        return sorted(given_perception(self.scored, self.seed), key=lambda row: self.rank(row.levels))

    @cached_property
    def with_examples(self) -> pl.DataFrame:
        """What was seen of each puzzle beside its answers without and with examples."""
        return compared(self.scored)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Each condition changed on the same puzzles, everything else equal, question by question. What words add to
        the picture is the perception gap. Holm family: all changes of one subject and question."""
        changes: list[Contrast] = []
        for place, (column, a, b) in enumerate(CHANGES):
            if a in set(self.rows[column].unique()):
                by = [*(name for name in SETTING if name != column), "question"]
                changed = contrast(paired(self.rows, column, a, b), by, self.seed, (a, b))
                changes += [row.at(**{column: b, "factor": column, "change": place}) for row in changed]
        return sorted(adjust(changes, ["who", "question"]), key=lambda row: self.rank(row.levels))

    @cached_property
    def biases(self) -> list[Bias]:
        """How the options picked are spread, beside the key."""
        return sorted(biases(self.rows, self.seed), key=lambda bias: self.rank(bias.levels))

    def dagger(self, setting: Mapping[str, Any]) -> str:
        """The paper's mark for answers whose spread over the options is not the key's."""
        return self._daggers.get(tuple(setting[name] for name in SETTING), "")

    @cached_property
    def _daggers(self) -> dict[tuple[Any, ...], str]:
        return {tuple(bias[name] for name in SETTING): bias.dagger for bias in self.biases}

    @cached_property
    def readings(self) -> list[ReadingCounts]:
        """How the answers were read, by subject and question: by the rules, by a second reading, not at all."""
        second = pl.col("how").cast(pl.String).fill_null("").str.starts_with(SECOND) & (pl.col("outcome") != "unread")
        unread = pl.col("outcome") == "unread"
        counts = (
            asked(self.rows)
            .group_by("who", "subject", "question")
            .agg(
                pl.len().alias("replies"),
                second=second.sum(),
                second_right=(second & (pl.col("outcome") == "right")).sum(),
                unread=unread.sum(),
            )
            .iter_rows()
        )
        readings = [
            ReadingCounts(dict(zip(("who", "subject", "question"), row[:3], strict=True)), *row[3:]) for row in counts
        ]
        return sorted(readings, key=lambda row: self.rank({**dict.fromkeys(SETTING, ""), **row.levels}))

    def rank(self, levels: Mapping[str, Any]) -> tuple[Any, ...]:
        """Where a result belongs: subjects as examined, plain settings first, then measures and changes."""
        return (
            self.subjects.index(levels["who"]) if levels["who"] in self.subjects else len(self.subjects),
            self.labels.index(levels["subject"]),
            *plainness(levels, PLAIN),
            *(str(levels[name]) for name in CONTEXT),
            [*MEASURES].index(levels.get("score") or levels.get("given") or levels.get("question") or "avr"),
            levels.get("change", 0),
        )
