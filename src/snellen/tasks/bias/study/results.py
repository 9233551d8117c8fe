"""The numbers of a bias study, each computed when first asked for."""

from collections.abc import Iterable
from functools import cached_property
from math import sqrt
from typing import Any

import polars as pl

from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.rows import sorted_levels
from snellen.analysis.settings import named_context
from snellen.tasks.bias.study.asked import (
    BASE,
    CONFIGS,
    CONTEXT,
    CONTROLS,
    HABIT,
    PLAIN,
    TOPICS,
    by_habit,
    completed,
    counted,
)
from snellen.tasks.bias.study.recall import RecallAnswers, of_held, recalls

SETTING = ("subject", *CONTEXT)
POOLED, MACRO = "", "mean over topics"
"""In place of a topic: all trials together, and the mean in which every topic weighs the same."""
MEASURES = ("accuracy", "bias")


class BiasResults:
    """All numbers of the bias trials of all subjects."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        trials = completed(rows)
        recalling = pl.col("ask") == "recall"
        self.recalled: dict[str, RecallAnswers] = recalls(trials.filter(recalling))
        self.everything = trials.filter(~recalling)
        self.rows = counted(self.everything)
        self.seed = seed
        self.subjects: list[str] = self.everything["subject"].unique(maintain_order=True).to_list()
        self.configs = sorted_levels(self.rows, "config", list(CONFIGS.values()))
        self.topics = sorted_levels(self.rows, "topic", list(TOPICS))
        self.named = named_context(self.rows, CONTEXT, PLAIN) if self.rows.height else []

    @cached_property
    def rates(self) -> list[Estimate]:
        """Accuracy and bias rate of every setting and configuration: pooled, topic by topic, and their mean."""
        rates: list[Estimate] = []
        for measure, rows in self._measured():
            whole = [rate.at(topic=POOLED) for rate in accuracy(rows, [*SETTING, "config"], self.seed)]
            parts = accuracy(rows, [*SETTING, "config", "topic"], self.seed)
            rates += [rate.at(measure=measure) for rate in (*whole, *parts, *_macro(parts))]
        return sorted(rates, key=self.rank)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Each configuration minus Base and minus its control, pooled and topic by topic, by both measures. Holm
        families: the configurations that are compared with the same, of one subject, setting, measure and topic."""
        contrasts: list[Contrast] = []
        for measure, rows in self._measured():
            for sides in self._compared():
                pairs = paired(rows, "config", *sides, ignore=("mechanism",))
                both = [row.at(topic=POOLED) for row in contrast(pairs, SETTING, self.seed, sides)]
                both += contrast(pairs, [*SETTING, "topic"], self.seed, sides)
                contrasts += [row.at(config=sides[0], against=sides[1], measure=measure) for row in both]
        ranked = sorted(adjust(contrasts, [*SETTING, "measure", "topic", "against"]), key=self.rank)
        return sorted(ranked, key=lambda row: row["against"] != BASE)

    def _compared(self) -> list[tuple[str, str]]:
        """Each configuration with Base, and with its control where that was asked, too."""
        with_base = [(config, BASE) for config in self.configs if config != BASE]
        return with_base + [(config, own) for config in self.configs if (own := CONTROLS.get(config)) in self.configs]

    def _measured(self) -> Iterable[tuple[str, pl.DataFrame]]:
        """The trials by either measure: right, and the usual number where the subject holds the habit."""
        habits = of_held(by_habit(self.rows), self.recalled)
        return [(measure, rows) for measure, rows in zip(MEASURES, (self.rows, habits), strict=True) if rows.height]

    @cached_property
    def noticed(self) -> list[Estimate]:
        """Whether it notices: how often it calls an unusual number unusual, and a usual one."""
        asked = self.everything.filter(pl.col("ask") == "usual")
        return accuracy(asked, [*SETTING, "drawing"], self.seed) if asked.height else []

    @cached_property
    def noticed_by_count(self) -> list[Estimate]:
        """The same on unusual drawings, by what was counted there: right, the usual number, or another."""
        things = self.everything.filter(pl.col("drawing") == "counterfactual")
        same = [*SETTING, "item", "config"]
        habit = pl.when(pl.col("mechanism").fill_null("") == HABIT).then(pl.lit(HABIT))
        said = habit.when(pl.col("outcome") == "right").then(pl.lit("right")).otherwise(pl.lit("another number"))
        counts = things.filter(pl.col("ask") == "count").select(*same, said=said)
        asked = things.filter(pl.col("ask") == "usual").join(counts, on=same, how="inner")
        return accuracy(asked, [*SETTING, "said"], self.seed) if asked.height else []

    def rank(self, row: AtLevels) -> tuple[Any, ...]:
        """Where a result belongs: subjects as examined, plain settings first, the paper's configurations and topics."""
        return (
            self.subjects.index(row["subject"]),
            *(row[name] != PLAIN.get(name, row[name]) for name in CONTEXT),
            *(row[name] for name in CONTEXT),
            MEASURES.index(row["measure"]),
            self.configs.index(row["config"]),
            [POOLED, MACRO, *self.topics].index(row["topic"]),
        )


def rate_key(rate: AtLevels) -> tuple[str, ...]:
    """What a rate is of, whichever measure it has."""
    return tuple(str(rate[name]) for name in (*SETTING, "config", "topic"))


def _macro(parts: list[Estimate]) -> list[Estimate]:
    """The mean over topics. Topics share no item, so their intervals add up like independent errors (each end by
    itself, as Wilson's are not symmetric)."""
    groups: dict[tuple[Any, ...], list[Estimate]] = {}
    for rate in parts:
        if rate.accuracy is not None:
            groups.setdefault(tuple(rate[name] for name in (*SETTING, "config")), []).append(rate)
    return [_mean(rates) for rates in groups.values()]


def _mean(rates: list[Estimate]) -> Estimate:
    n = len(rates)
    ends = [(rate.accuracy or 0.0, rate.low or 0.0, rate.high or 0.0) for rate in rates]
    middle = sum(value for value, _, _ in ends) / n
    low = sqrt(sum((value - low) ** 2 for value, low, _ in ends)) / n
    high = sqrt(sum((high - value) ** 2 for value, _, high in ends)) / n
    read = [rate.accuracy_read for rate in rates if rate.accuracy_read is not None]
    return Estimate(
        levels={**rates[0].levels, "topic": MACRO},
        trials=sum(rate.trials for rate in rates),
        items=sum(rate.items for rate in rates),
        right=sum(rate.right for rate in rates),
        wrong=sum(rate.wrong for rate in rates),
        unread=sum(rate.unread for rate in rates),
        accuracy=middle,
        low=max(0.0, middle - low),
        high=min(1.0, middle + high),
        accuracy_read=sum(read) / len(read) if len(read) == n else None,
        unread_rate=sum(rate.unread_rate or 0.0 for rate in rates) / n,
        errors=sum(rate.errors for rate in rates),
    )
