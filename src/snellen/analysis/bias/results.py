"""The numbers of a bias study, each computed when first asked for."""

from collections.abc import Iterable
from functools import cached_property
from math import sqrt
from typing import Any

import polars as pl

from snellen.analysis.bias.asked import (
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
from snellen.analysis.bias.recall import Recall, of_held, recalls
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import accuracy
from snellen.analysis.rows import sorted_levels
from snellen.analysis.settings import named_context

SETTING = ("subject", *CONTEXT)
POOLED, MACRO = "", "mean over topics"
"""In place of a topic: all trials together, and the mean in which every topic weighs the same."""
MEASURES = ("accuracy", "bias")

Rate = dict[str, Any]
"""An estimate (see `estimates.accuracy`) with its `measure`, `config` and `topic`."""


class Results:
    """All numbers of the bias trials of all subjects."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        known = completed(rows)
        recalling = pl.col("ask") == "recall"
        self.recalled: dict[str, Recall] = recalls(known.filter(recalling))
        self.everything = known.filter(~recalling)
        self.rows = counted(self.everything)
        self.seed = seed
        self.subjects: list[str] = self.everything["subject"].unique(maintain_order=True).to_list()
        self.configs = sorted_levels(self.rows, "config", list(CONFIGS.values()))
        self.topics = sorted_levels(self.rows, "topic", list(TOPICS))
        self.named = named_context(self.rows, CONTEXT, PLAIN) if self.rows.height else []

    @cached_property
    def rates(self) -> list[Rate]:
        """Accuracy and bias rate of every setting and configuration: pooled, topic by topic, and their mean."""
        found: list[Rate] = []
        for measure, rows in self._measured():
            whole = [{**each, "topic": POOLED} for each in accuracy(rows, [*SETTING, "config"], self.seed)]
            parts = accuracy(rows, [*SETTING, "config", "topic"], self.seed)
            found += [{**each, "measure": measure} for each in (*whole, *parts, *_macro(parts))]
        return sorted(found, key=self.rank)

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """Each configuration minus Base and minus its control, pooled and topic by topic, by both measures. Holm
        families: the configurations that are compared with the same, of one subject, setting, measure and topic."""
        found: list[Contrast] = []
        for measure, rows in self._measured():
            for config, against in self._compared():
                pairs = paired(rows, "config", config, against, ignore=("mechanism",))
                both = [{**each, "topic": POOLED} for each in contrast(pairs, SETTING, self.seed)]
                both += contrast(pairs, [*SETTING, "topic"], self.seed)
                found += [{**each, "config": config, "against": against, "measure": measure} for each in both]
        ranked = sorted(adjust(found, [*SETTING, "measure", "topic", "against"]), key=self.rank)
        return sorted(ranked, key=lambda each: each["against"] != BASE)

    def _compared(self) -> list[tuple[str, str]]:
        """Each configuration with Base, and with its control where that was asked, too."""
        with_base = [(config, BASE) for config in self.configs if config != BASE]
        return with_base + [(config, own) for config in self.configs if (own := CONTROLS.get(config)) in self.configs]

    def _measured(self) -> Iterable[tuple[str, pl.DataFrame]]:
        """The trials by either measure: right, and the usual number where the subject holds the habit."""
        habits = of_held(by_habit(self.rows), self.recalled)
        return [(measure, rows) for measure, rows in zip(MEASURES, (self.rows, habits), strict=True) if rows.height]

    @cached_property
    def noticed(self) -> list[dict[str, Any]]:
        """Whether it notices: how often it calls an unusual number unusual, and a usual one."""
        asked = self.everything.filter(pl.col("ask") == "usual")
        return accuracy(asked, [*SETTING, "drawing"], self.seed) if asked.height else []

    @cached_property
    def noticed_by_count(self) -> list[dict[str, Any]]:
        """The same on unusual drawings, by what was counted there: right, the usual number, or another."""
        things = self.everything.filter(pl.col("drawing") == "counterfactual")
        same = [*SETTING, "item", "config"]
        habit = pl.when(pl.col("mechanism").fill_null("") == HABIT).then(pl.lit(HABIT))
        said = habit.when(pl.col("outcome") == "right").then(pl.lit("right")).otherwise(pl.lit("another number"))
        counts = things.filter(pl.col("ask") == "count").select(*same, said=said)
        asked = things.filter(pl.col("ask") == "usual").join(counts, on=same, how="inner")
        return accuracy(asked, [*SETTING, "said"], self.seed) if asked.height else []

    def rank(self, each: dict[str, Any]) -> tuple[Any, ...]:
        """Where a result belongs: subjects as examined, plain settings first, the paper's configurations and topics."""
        return (
            self.subjects.index(each["subject"]),
            *(each[name] != PLAIN.get(name, each[name]) for name in CONTEXT),
            *(each[name] for name in CONTEXT),
            MEASURES.index(each["measure"]),
            self.configs.index(each["config"]),
            [POOLED, MACRO, *self.topics].index(each["topic"]),
        )


def rate_key(each: Rate) -> tuple[str, ...]:
    """What a rate is of, whichever measure it has."""
    return tuple(str(each[name]) for name in (*SETTING, "config", "topic"))


def _macro(parts: list[Rate]) -> list[Rate]:
    """The mean over topics. Topics share no item, so their intervals add up like independent errors (each end by
    itself, as Wilson's are not symmetric)."""
    groups: dict[tuple[Any, ...], list[Rate]] = {}
    for each in parts:
        if each["accuracy"] is not None:
            groups.setdefault(tuple(each[name] for name in (*SETTING, "config")), []).append(each)
    found = []
    for own in groups.values():
        middle = sum(each["accuracy"] for each in own) / len(own)
        low = sqrt(sum((each["accuracy"] - each["low"]) ** 2 for each in own)) / len(own)
        high = sqrt(sum((each["high"] - each["accuracy"]) ** 2 for each in own)) / len(own)
        sums = {name: sum(each[name] for each in own) for name in ("trials", "items", "right", "wrong", "unread")}
        read = [each["accuracy_read"] for each in own if each["accuracy_read"] is not None]
        found.append(
            {
                **own[0],
                **sums,
                "topic": MACRO,
                "accuracy": middle,
                "low": max(0.0, middle - low),
                "high": min(1.0, middle + high),
                "accuracy_read": sum(read) / len(read) if len(read) == len(own) else None,
                "unread_rate": sum(each["unread_rate"] for each in own) / len(own),
                "errors": sum(each["errors"] for each in own),
            }
        )
    return found
