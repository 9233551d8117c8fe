"""The numbers of a fixation study, each computed when first asked for."""

from functools import cached_property

import polars as pl

from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.rows import sorted_levels
from snellen.tasks.fixation.study.asked import CONFIGS, CONTEXT, DEFAULTS, GAMES, configured, named_context

SETTING = ("subject", "config", *CONTEXT)
MAIN = CONFIGS[1:5]
"""The columns that are set against Base, in one Holm family with the two rules of a subject and a game."""


class FixationResults:
    """All numbers of the fixation trials of all subjects, in the order people expect them."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows = configured(rows)
        self.seed = seed
        self.subjects: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.configs = sorted_levels(self.rows, "config", CONFIGS)
        self.games = sorted_levels(self.rows, "game", list(GAMES))
        self.named = named_context(self.rows)

    @cached_property
    def cells(self) -> list[Estimate]:
        """Accuracy of every setting, game and rule."""
        return sorted(accuracy(self.rows, [*SETTING, "game", "rule"], self.seed), key=self.rank)

    @cached_property
    def pooled(self) -> list[Estimate]:
        """Accuracy of every setting and rule, over all games."""
        return sorted(accuracy(self.rows, [*SETTING, "rule"], self.seed), key=self.rank)

    @cached_property
    def gaps(self) -> list[Contrast]:
        """The standard-inverse gap of every setting, over all games (`game` is '') and game by game. Holm families, for
        unread rates: all settings of one subject and game."""
        pairs = paired(self.rows, "rule", "standard", "inverse")
        sides = ("standard", "inverse")
        whole = [gap.at(game="") for gap in contrast(pairs, SETTING, self.seed, sides)]
        both = whole + contrast(pairs, [*SETTING, "game"], self.seed, sides)
        return sorted(adjust(both, ["subject", "game"]), key=self.rank)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Each configuration minus Base under the same rule, over all games (`game` is '') and game by game.

        Holm families: the four main columns x two rules of one subject, game and context; Descriptive and mixed
        configurations stand in a family of their own.
        """
        contrasts: list[Contrast] = []
        by = ["subject", *CONTEXT, "rule"]
        for config in self.configs:
            if config != "Base":
                pairs, sides = paired(self.rows, "config", config, "Base"), (config, "Base")
                both = [row.at(game="") for row in contrast(pairs, by, self.seed, sides)]
                both += contrast(pairs, [*by, "game"], self.seed, sides)
                contrasts += [row.at(config=config, family=config in MAIN) for row in both]
        return sorted(adjust(contrasts, ["subject", *CONTEXT, "game", "family"]), key=self.rank)

    def rank(self, row: AtLevels) -> tuple[int | str, ...]:
        """Where a result belongs: subjects as examined, plain contexts first, the paper's configurations and games."""
        return (
            self.subjects.index(row["subject"]),
            *(row[name] != DEFAULTS.get(name, row[name]) for name in CONTEXT),
            *(row[name] for name in CONTEXT),
            self.configs.index(row["config"]),
            ["", *self.games].index(row.levels.get("game", "")),
            row.levels.get("rule", "standard") != "standard",
        )
