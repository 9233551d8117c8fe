"""Winoground's three scores, sample by sample, and what they are compared with.

A sample has the text score if both pictures get their caption, the image score if both captions get their picture, the
group score if all four choices are right. A score counts only if all its choices were asked; a call that failed makes
it missing, an unread answer makes it not right.
"""

from dataclasses import replace
from functools import cached_property

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, ORACLES, ROLES, TWIN, own, side_by_side, with_casts
from snellen.analysis.contrasts import Contrast, adjust, contrast
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.scores import AboveChance, above_chance, together
from snellen.tasks.winoground.sample import HEADINGS

CHOICES = {
    "text": ("image_0", "image_1"),
    "image": ("caption_0", "caption_1"),
    "group": ("image_0", "image_1", "caption_0", "caption_1"),
}
"""The choices a score needs, by what is given."""
CHANCE = {"text": 1 / 4, "image": 1 / 4, "group": 1 / 16}
"""Two or four independent guesses. (By chance a measure of likeness gets a group score 1/6 of the time.)"""
SCORES = tuple(CHOICES)
CELL = ("who", "subject", "paradigm", "pack")
SAMPLE = (*CELL, *ROLES, "source", *HEADINGS, "item", "cluster")


def scored(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each sample and score, with its outcome."""
    return together(rows, "given", CHOICES, SAMPLE).with_columns(key=pl.col("score"))


class WinogroundResults:
    """All numbers of the Winoground trials of all subjects."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = with_casts(rows, "given", "source", *HEADINGS)
        self.scored = scored(self.rows)
        self.seed = seed
        self.subjects = [who for who in self.rows["who"].unique(maintain_order=True) if who not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.packs = self.rows["pack"].n_unique() > 1

    @cached_property
    def scores(self) -> list[AboveChance]:
        """Every score of every cast, with `chance` and the p-value of being above it."""
        estimates = sorted(accuracy(self.scored, [*CELL, "score"], self.seed), key=self.rank)
        return [above_chance(row, CHANCE[row["score"]]) for row in estimates]

    @cached_property
    def tags(self) -> list[Estimate]:
        """The same for each word under each heading; a sample with several words counts under each."""
        estimates = []
        for heading in HEADINGS:
            told = pl.col(heading).cast(pl.String).str.split(", ")
            words = self.scored.with_columns(word=told).explode("word")
            rows = accuracy(words.filter(pl.col("word") != ""), [*CELL, "word", "score"], self.seed)
            rows = sorted(rows, key=lambda row: (row["word"], *self.rank(row)))
            estimates += [row.at(heading=heading) for row in rows]
        return estimates

    @cached_property
    def choices(self) -> list[Estimate]:
        """Accuracy of the single choices, by what is given."""
        return sorted(accuracy(self.rows, [*CELL, "given"], self.seed), key=self.rank)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Exact words minus a describer's; descriptions, or a chain of thought, first minus direct (each subject in
        every role): score by score on the same samples. Holm family: all of one subject and wording."""
        words = self.scored.filter(pl.col("paradigm").is_in(IN_WORDS))
        helped = pl.col("describer") == TWIN
        pairs = side_by_side(words.filter(helped), words.filter(~helped), ("describer",))
        contrasts = [
            replace(row, sides=(TWIN, row["describer"]))
            for row in contrast(pairs, ["who", "pack", "paradigm", "describer", "score"], self.seed)
        ]
        alone = own(self.scored)
        plain = alone.filter(pl.col("paradigm") == "direct")
        for name in (*IN_WORDS, *CHAINS):
            pairs = side_by_side(alone.filter(pl.col("paradigm") == name), plain, ("paradigm", *ROLES))
            steps = contrast(pairs, ["who", "pack", "score"], self.seed, (name, "direct"))
            contrasts += [row.at(paradigm=name) for row in steps]
        return sorted(
            adjust(contrasts, ["who", "pack"]), key=lambda row: (*self.rank(row)[:-1], *row.sides, *self.rank(row)[-1:])
        )

    def rank(self, row: AtLevels) -> tuple[int | str | bool, ...]:
        """Where a result belongs: subjects as examined, the built-in wording first, then casts and scores."""
        return (
            self.subjects.index(row["who"]) if row["who"] in self.subjects else len(self.subjects),
            row["pack"],
            row["paradigm"] != "direct",
            row["paradigm"],
            self.labels.index(row["subject"]) if "subject" in row.levels else 0,
            SCORES.index(row["score"]) if "score" in row.levels else row.levels.get("given", ""),
        )
