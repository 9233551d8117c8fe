"""From trials to puzzles: what was asked about each, in which setting, and what came of it.

A **setting** is how the puzzles were asked: paradigm, source, conditions, wording. Within it each puzzle has up to five
questions: how many panels in the context, among the choices, in the whole (coarse), one about a detail (fine), and the
puzzle itself (AVR, abstract visual reasoning). **Measures** are single questions, and groups of them that count only
together.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from snellen.analysis.casts import with_casts
from snellen.analysis.scores import together
from snellen.analysis.settings import setting_words

PLAIN = {
    "words": "none",
    "shots": "zero",
    "indices": "digits",
    "blank": "empty",
    "wording": "usual",
    "panels": "together",
    "ink": "black",
    "demos": "same-pattern",
}
"""The conditions and their plainest levels, the more telling departures first."""
CONTEXT = ("paradigm", *PLAIN, "pack", "source")
SETTING = ("who", "subject", *CONTEXT)
LEVELS = ("pattern", "configuration", "shapes", "fine_type")
"""What sets puzzles apart."""
PATTERNS = {
    "temporal": "Temporal Movement",
    "spatial": "Spatial Relationship",
    "quantities": "Quantities",
    "mathematical": "Mathematical",
    "2d": "2D-Geometry",
    "3d": "3D-Geometry",
}
CONFIGURATIONS = {
    "sequence": "Sequence",
    "two-row": "Two-row",
    "matrix": "Matrix",
    "group": "Group",
    "reassembling": "Reassembling",
}
FINE_TYPES = {
    "location": "Location",
    "colour": "Color",
    "shape": "Shape",
    "quantity": "Quantity",
    "comparison": "Comparison",
}
"""Levels and what the paper calls them."""
NAMES = {"pattern": PATTERNS, "configuration": CONFIGURATIONS, "fine_type": FINE_TYPES}
COARSE = ("context", "choices", "whole")
MEASURES = {
    "avr": ("avr",),
    "fine": ("fine",),
    **{name: (name,) for name in COARSE},
    "perc_c": COARSE,
    "perc_cf": (*COARSE, "fine"),
    "perc_cf_avr": (*COARSE, "fine", "avr"),
}
"""Each measure and the questions that must all be right for it."""
LABELS = {
    "avr": "AVR",
    "fine": "fine",
    "context": "count of the context",
    "choices": "count of the choices",
    "whole": "count of the whole",
    "perc_c": "Perc^C",
    "perc_cf": "Perc^C&F",
    "perc_cf_avr": "Perc^C&F&AVR",
}
OPTIONS = 4
CHANCE = {"avr": 1 / OPTIONS, "fine": 1 / 2}
PUZZLE = ("setting", *LEVELS, "item", "cluster")


def prepared(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with everything a setting is made of; a condition that is not set is plain, and without examples it
    does not matter which they would be. Settings are numbered."""
    rows = with_casts(rows, "question", "source", *LEVELS, *PLAIN)
    if "how" not in rows.columns:
        rows = rows.with_columns(how=pl.lit(""))
    rows = rows.with_columns(pl.col(name).replace("", level) for name, level in PLAIN.items())
    none = pl.col("shots") == PLAIN["shots"]
    rows = rows.with_columns(demos=pl.when(none).then(pl.lit(PLAIN["demos"])).otherwise(pl.col("demos")))
    rows = _aligned(rows.filter(pl.struct(*SETTING, "item", "question").is_last_distinct()))
    # Grouped and joined over and over: one number is faster than a dozen names.
    named = rows.select(SETTING).join(settings_of(rows), on=list(SETTING), how="left", maintain_order="left")
    return rows.with_columns(named["setting"])


def settings_of(rows: pl.DataFrame) -> pl.DataFrame:
    """The settings there are, numbered (`setting`) in the order they were asked."""
    return rows.select(SETTING).unique(maintain_order=True).with_row_index("setting")


def _aligned(rows: pl.DataFrame) -> pl.DataFrame:
    """Perception questions beside the puzzle they belong to: one that is only ever asked under a level the puzzles are
    never shown in (counting, on pictures without names) counts for the plainest level they are shown in."""
    puzzle = rows["question"] == "avr"
    for question in (*COARSE, "fine"):
        here = rows["question"] == question
        for name, plain in PLAIN.items():
            puzzles, own = (set(rows[name].filter(where).unique()) for where in (puzzle, here))
            if puzzles and own and not puzzles & own:
                level = plain if plain in puzzles else min(puzzles)
                rows = rows.with_columns(pl.when(here).then(pl.lit(level)).otherwise(pl.col(name)).alias(name))
    return rows


def measured(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each puzzle, setting and measure (`score`), with its outcome."""
    scored = together(rows, "question", MEASURES, PUZZLE)
    return scored.join(settings_of(rows), on="setting", how="left", maintain_order="left")


def place(column: str, options: int = OPTIONS) -> pl.Expr:
    """Where the label in a column stands among the row's labels, from 0; null if it is none of them."""
    return pl.coalesce(
        pl.when(pl.col("labels").list.get(k, null_on_oob=True) == pl.col(column)).then(k) for k in range(options)
    )


def chosen() -> pl.Expr:
    """The place of the option chosen, null if unread. (Where two choices are the same, either counts as the key.)"""
    right, wrong = pl.col("outcome") == "right", pl.col("outcome") == "wrong"
    return pl.when(right).then(place("key")).when(wrong).then(place("answer"))


def label(setting: Mapping[str, Any], named: list[str], *more: str) -> str:
    """What a row of a chart is called."""
    return " · ".join((str(setting["subject"]), *more, *setting_words(setting, named, PLAIN)))


def level_name(column: str, level: str) -> str:
    """A level of the puzzles as the paper calls it."""
    return NAMES.get(column, {}).get(level, level)


def level_order(column: str, level: str) -> tuple[int, str]:
    """Sorts levels in the paper's order."""
    known = list(NAMES.get(column, ("geometric", "abstract")))
    return (known.index(level) if level in known else len(known), level)
