"""What speaks about one subject in its plainest setting: the tree, what exact words would save, how it picks."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.blocks import Value
from snellen.analysis.casts import credited, own, side_by_side
from snellen.analysis.contrasts import Contrast, p_text
from snellen.analysis.estimates import accuracy
from snellen.analysis.marvel.bias import Bias
from snellen.analysis.marvel.puzzles import CONTEXT, OPTIONS, SETTING, plainness, setting_words
from snellen.analysis.marvel.results import Results
from snellen.analysis.marvel.trees import Fit
from snellen.analysis.stages import NOTHING, lost, missing, solved

MISFIT_P = 0.01
MISFIT_MOVED = 0.05


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks about one subject in the setting the verdict rests on. `whole`: the share of puzzles lost, luck taken
    out; `seeing`, `thinking`: lost without and even with exact words; `measures`: accuracies in that setting."""

    subject: str
    setting: dict[str, Any]
    fit: Fit | None
    bias: Bias | None
    whole: Value
    seeing: Value
    thinking: Value
    measures: dict[str, Value]
    unread: float
    estimate: dict[str, Any]

    @property
    def solved(self) -> Value:
        """The share of puzzles solved, luck taken out."""
        return missing(self.whole)

    @property
    def fitting(self) -> bool:
        """Whether there is a tree that fits."""
        fit = self.fit
        return fit is not None and not (fit.p is not None and fit.p < MISFIT_P and fit.moved > MISFIT_MOVED)


def evidence(found: Results, who: str) -> Evidence:
    """All that speaks about one subject."""
    mine = found.rows.filter(pl.col("who") == who)
    setting = _reference(found, mine, who)
    puzzles = own(mine).filter(pl.col("question") == "avr")
    here = _at(puzzles, setting)
    told = side_by_side(_at(puzzles, {**setting, "words": "given"}), here, ("words",), OPTIONS)
    words = told if setting["words"] == "none" else told.clear()
    measures = {
        each["score"]: Value(each["accuracy"], each["low"], each["high"], each["trials"])
        for each in found.overall
        if all(each[name] == setting[name] for name in SETTING) and each["accuracy"] is not None
    }
    fit = next((fit for fit in found.fits if fit.setting == setting), None)
    silent = (here["outcome"] == "unread").mean() if here.height else 0.0
    return Evidence(
        subject=who,
        setting=setting,
        fit=fit,
        bias=next((bias for bias in found.biases if bias.setting == setting), None),
        whole=missing(solved(credited(here, OPTIONS), "credit", found.seed, OPTIONS)),
        seeing=lost(words, found.seed, OPTIONS),
        thinking=missing(solved(words, "credit_a", found.seed, OPTIONS)) if words.height else NOTHING,
        measures=measures,
        unread=fit.unread / (fit.puzzles + fit.unread) if fit else float(str(silent)),
        estimate=accuracy(mine, ["who"], found.seed)[0],
    )


def _at(rows: pl.DataFrame, setting: dict[str, Any]) -> pl.DataFrame:
    return rows.filter(*(pl.col(name) == setting[name] for name in CONTEXT))


def _reference(found: Results, mine: pl.DataFrame, who: str) -> dict[str, Any]:
    """The setting a diagnosis rests on: one with a tree, then one with puzzles, then the plainest; among equals, the
    one with most trials."""
    trees = [fit.setting for fit in found.fits if fit.setting["who"] == who]
    counts = mine.group_by(SETTING).agg(pl.len().alias("n"), avr=(pl.col("question") == "avr").any()).to_dicts()

    def order(row: dict[str, Any]) -> tuple[Any, ...]:
        setting = {name: row[name] for name in SETTING}
        names = (str(setting[name]) for name in CONTEXT)
        return setting not in trees, not row["avr"], *plainness(setting), -row["n"], *names

    best = min(counts, key=order)
    return {name: best[name] for name in SETTING}


def setting_note(mine: Evidence, found: Results) -> str:
    """The setting in words."""
    said = [mine.setting["source"] if "source" not in found.named else "", *setting_words(mine.setting, found.named)]
    return ", ".join(word for word in said if word) or "the plainest setting"


def in_points(each: Contrast, how: str = "paired over puzzles") -> str:
    """A difference in points with its interval and test."""
    return (
        f"{100 * each['difference']:+.0f} points ({100 * each['low']:+.0f} to {100 * each['high']:+.0f}), p"
        f" {p_text(each['p_items_holm'])} ({how}, Holm)"
    )
