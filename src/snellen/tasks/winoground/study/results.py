"""Winoground's three scores, sample by sample, and what they are compared with.

A sample has the text score if both pictures get their caption, the image score if both captions get their picture, the
group score if all four choices are right. A score counts only if all its choices were asked; a call that failed makes
it missing, an unread answer makes it not right.
"""

from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, ORACLES, ROLES, TWIN, own, side_by_side, with_casts
from snellen.analysis.contrasts import Contrast, adjust, contrast
from snellen.analysis.estimates import accuracy
from snellen.analysis.scores import above_chance, together

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
SAMPLE = (*CELL, *ROLES, "source", "tag", "item", "cluster")


def scored(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each sample and score, with its outcome."""
    return together(rows, "given", CHOICES, SAMPLE).with_columns(key=pl.col("score"))


class WinogroundResults:
    """All numbers of the Winoground trials of all subjects."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = with_casts(rows, "given", "source", "tag")
        self.scored = scored(self.rows)
        self.seed = seed
        self.subjects = [who for who in self.rows["who"].unique(maintain_order=True) if who not in ORACLES]
        self.labels: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.packs = self.rows["pack"].n_unique() > 1

    @cached_property
    def scores(self) -> list[dict[str, Any]]:
        """Every score of every cast, with `chance` and the p-value of being above it."""
        found = sorted(accuracy(self.scored, [*CELL, "score"], self.seed), key=self.rank)
        for each in found:
            each["chance"] = CHANCE[each["score"]]
            each["p_chance"] = above_chance(each["right"], each["trials"], each["chance"]) if each["trials"] else None
        return found

    @cached_property
    def tags(self) -> list[dict[str, Any]]:
        """The same for each tag."""
        found = accuracy(self.scored, [*CELL, "tag", "score"], self.seed)
        return sorted(found, key=lambda each: (each["tag"], *self.rank(each)))

    @cached_property
    def choices(self) -> list[dict[str, Any]]:
        """Accuracy of the single choices, by what is given."""
        return sorted(accuracy(self.rows, [*CELL, "given"], self.seed), key=self.rank)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Exact words minus a describer's; descriptions, or a chain of thought, first minus direct (each subject in
        every role): score by score on the same samples. Holm family: all of one subject and wording."""
        words = self.scored.filter(pl.col("paradigm").is_in(IN_WORDS))
        helped = pl.col("describer") == TWIN
        pairs = side_by_side(words.filter(helped), words.filter(~helped), ("describer",))
        found = [
            {**each, "a_is": TWIN, "b_is": each["describer"]}
            for each in contrast(pairs, ["who", "pack", "paradigm", "describer", "score"], self.seed)
        ]
        mine = own(self.scored)
        plain = mine.filter(pl.col("paradigm") == "direct")
        for name in (*IN_WORDS, *CHAINS):
            pairs = side_by_side(mine.filter(pl.col("paradigm") == name), plain, ("paradigm", *ROLES))
            steps = contrast(pairs, ["who", "pack", "score"], self.seed)
            found += [{**each, "paradigm": name, "a_is": name, "b_is": "direct"} for each in steps]
        return sorted(
            adjust(found, ["who", "pack"]),
            key=lambda each: (*self.rank(each)[:-1], each["a_is"], each["b_is"], *self.rank(each)[-1:]),
        )

    def rank(self, each: dict[str, Any]) -> tuple[int | str | bool, ...]:
        """Where a result belongs: subjects as examined, the built-in wording first, then casts and scores."""
        return (
            self.subjects.index(each["who"]) if each["who"] in self.subjects else len(self.subjects),
            each["pack"],
            each["paradigm"] != "direct",
            each["paradigm"],
            self.labels.index(each["subject"]) if "subject" in each else 0,
            SCORES.index(each["score"]) if "score" in each else each.get("given", ""),
        )
