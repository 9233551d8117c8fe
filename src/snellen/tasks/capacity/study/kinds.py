"""What the capacity trials are made of: eleven kinds of items in three categories, conditions, and who marked them.

A trial may be there more than once: marked by the verifier (its `judge` level is empty) and by a judge. The two are
never mixed. The verifier's marks are the **score** of generated items. Published items are scored by a judge where one
was asked, in the whole setting or not at all.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from snellen.analysis import settings
from snellen.analysis.casts import ROLES, with_casts
from snellen.analysis.rows import factors, varying

CATEGORIES = {"spatial": "SR", "geometric": "GR", "knowledge": "VKR"}
CATEGORY_TITLES = {"spatial": "spatial", "geometric": "geometric", "knowledge": "visual knowledge"}
KINDS = {
    "satellite": ("Satellite Image Matching", "spatial"),
    "direction": ("Indoor Directional Reasoning", "spatial"),
    "counting": ("Indoor Deduplication Counting", "spatial"),
    "gomoku": ("Gomoku Variation", "geometric"),
    "unblock": ("Unblock Me", "geometric"),
    "maze": ("Maze", "geometric"),
    "jigsaw": ("Jigsaw Puzzle", "geometric"),
    "chart": ("Chart Modification", "geometric"),
    "sandbagging": ("Sandbagging", "knowledge"),
    "counterfactual": ("Counterfactual Instruction", "knowledge"),
    "wrong_answer": ("Finding Wrong Answer", "knowledge"),
}
"""The kinds by name: what the paper calls them and the category they count for there (its Table 2)."""
LEVELS = ("kind", "category", "size", "views", "difficulty")
"""What an item has of its own."""
PLAIN = {"source": "generated", "describe": "no", "instruction": "stated", "pack": "", "also": ""}
CONTEXT = ("paradigm", *PLAIN)
"""Besides who answers, what may differ between trials of one item. `also`: conditions this analysis does not know."""
PHRASES = {"describe": "described first", "instruction": "{} instruction", "also": "{}"}
SETTING = ("who", "subject", *CONTEXT)
VERIFIER = ""
"""The `judge` of what the verifier marked."""


def prepared(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with all that the analysis goes by; a condition that is not set is plain."""
    missing = [name for name in ("mechanism", "text") if name not in rows.columns]
    rows = with_casts(rows.with_columns(pl.lit("").alias(name) for name in missing), *LEVELS, *_CONDITIONS, "judge")
    rows = rows.with_columns(
        pl.col("mechanism", "text", "answer", "key").fill_null(""),
        *(pl.col(name).replace("", PLAIN[name]) for name in _CONDITIONS),
        category=pl.when(pl.col("category") == "")
        .then(pl.col("kind").replace_strict(_CATEGORY, default=""))
        .otherwise("category"),
    )
    return rows.with_columns(also=_also(rows))


_CONDITIONS = ("source", "describe", "instruction")
_CATEGORY = {name: category for name, (_, category) in KINDS.items()}


def _also(rows: pl.DataFrame) -> pl.Expr:
    """Conditions nobody told us of, in words: those that one item was asked under several levels of."""
    known = {*LEVELS, *ROLES, *PLAIN, "judge", "who"}
    names = [name for name in varying(rows, factors(rows)) if name not in known]
    names = [n for n in names if rows.group_by("subject", "item").agg(pl.col(n).n_unique())[n].max() != 1]
    if not names:
        return pl.lit("")
    said = [pl.format(f"{name} {{}}", pl.col(name).cast(pl.String)) for name in names]
    return pl.concat_str(said, separator=", ")


def verified(rows: pl.DataFrame) -> pl.DataFrame:
    """What the verifier marked."""
    return rows.filter(pl.col("judge") == VERIFIER)


def scored(rows: pl.DataFrame) -> pl.DataFrame:
    """The marks that count: one for each trial."""
    judged = rows.filter(pl.col("judge") != VERIFIER, pl.col("source") == "published")
    if judged.is_empty():
        return verified(rows)
    votes = judged.group_by([*SETTING, "judge"]).agg(pl.len().alias("n"))
    chosen = votes.sort([*SETTING, "n", "judge"], descending=[False] * len(SETTING) + [True, False])
    chosen = chosen.unique(SETTING, keep="first", maintain_order=True).drop("n")
    own = verified(rows).join(chosen, on=list(SETTING), how="anti", nulls_equal=True)
    theirs = judged.join(chosen, on=[*SETTING, "judge"], how="semi", nulls_equal=True)
    return pl.concat([own, theirs])


def kind_title(kind: str) -> str:
    """A kind as the paper calls it."""
    return KINDS[kind][0] if kind in KINDS else kind.replace("_", " ")


def kind_order(kind: str) -> tuple[int, str]:
    """Sorts kinds in the paper's order."""
    known = list(KINDS)
    return (known.index(kind) if kind in known else len(known), kind)


def place_title(category: str, kind: str) -> str:
    """What a difference is of: a kind, all of a category, or everything."""
    return kind_title(kind) if kind else f"all {CATEGORY_TITLES.get(category, category)}" if category else "overall"


def category_order(category: str) -> tuple[int, str]:
    known = list(CATEGORIES)
    return (known.index(category) if category in known else len(known), category)


def named_context(rows: pl.DataFrame) -> list[str]:
    """The parts of a setting worth naming."""
    return settings.named_context(rows, CONTEXT, PLAIN)


def label(setting: Mapping[str, Any], named: list[str], *more: str) -> str:
    """What a row of a chart is called."""
    return " · ".join((str(setting["subject"]), *settings.setting_words(setting, named, PLAIN, PHRASES), *more))
