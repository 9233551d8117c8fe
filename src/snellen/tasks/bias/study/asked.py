"""How things were asked about.

A **configuration** is the picture, upright or flipped, and the words: base; alias (the paper's: parts are reported as
ITEMs); of generated things, renamed (generic words for the parts); and reworded, the control of both: a sentence that
changes as much and keeps the names. A **setting** is everything else that differs: which set, icons or scenes, how the
thing is named, how large the picture is, paradigm and wording. Kinds of things, sizes and wordings of the published set
are pooled within it, as the paper does, though a pair always agrees in them.
"""

import polars as pl

TOPICS = {"animals": "Animals", "marks": "Logos", "flags": "Flags", "boards": "Game Boards"}
"""The paper's topics, by the names that items have for them."""
CONFIGS = {
    ("upright", "base"): "Base",
    ("flipped", "base"): "Flip",
    ("upright", "alias"): "Alias",
    ("flipped", "alias"): "Flip+Alias",
    ("upright", "renamed"): "Renamed",
    ("flipped", "renamed"): "Flip+Renamed",
    ("upright", "reworded"): "Reworded",
    ("flipped", "reworded"): "Flip+Reworded",
}
BASE = "Base"
CONTROLS = {"Alias": "Reworded", "Renamed": "Reworded", "Flip+Alias": "Flip+Reworded", "Flip+Renamed": "Flip+Reworded"}
"""What a configuration differs from in nothing but the names."""
CONTEXT = ("set", "scene", "name", "resolution", "paradigm", "pack")
PLAIN = {"scene": "icon", "name": "class", "resolution": "640", "pack": ""}
GENERATED = "generated"
HABIT = "the usual number"
"""The mechanism of an answer by habit (`tasks.bias.asking.HABIT`). Other mechanisms are none."""
_DEFAULTS = {
    "split": "",
    "source": "",
    "question": "",
    "topic": "",
    "kind": "",
    "scene": "icon",
    "drawing": "counterfactual",
    "view": "upright",
    "prompt": "base",
    "name": "class",
    "ask": "count",
    "resolution": "640",
}
_MODIFIED = ("", "main", "withtitle", "remove_background_q1q2")
"""The splits whose pictures go against the habit and whose questions count."""


_SAME_TRIAL = (
    "subject",
    "paradigm",
    "pack",
    "sample",
    "item",
    "drawing",
    "view",
    "prompt",
    "name",
    "ask",
    "resolution",
)


def completed(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every factor: those a set lacks at their default; `config` from view and prompt, and `set`."""
    rows = _in_names_of_today(rows)
    known = [
        (pl.when(pl.col(name).cast(pl.String) == "").then(pl.lit(level)).otherwise(pl.col(name).cast(pl.String)))
        if name in rows.columns
        else pl.lit(level)
        for name, level in _DEFAULTS.items()
    ]
    rows = rows.with_columns(column.alias(name) for name, column in zip(_DEFAULTS, known, strict=True))
    both = pl.concat_str("view", "prompt", separator=" ")
    names = {" ".join(levels): name for levels, name in CONFIGS.items()}
    which = pl.when(pl.col("split") == "").then(pl.lit(GENERATED)).otherwise("split")
    factors = {name: pl.col(name).cast(pl.Categorical) for name in _DEFAULTS}
    return rows.with_columns(config=both.replace(names).cast(pl.Categorical), set=which.cast(pl.Categorical), **factors)


def _in_names_of_today(rows: pl.DataFrame) -> pl.DataFrame:
    """Of generated things, `prompt=alias` was what is now called renamed: older trials count as such, unless the same
    was asked again under its new name."""
    if not {"prompt", "source"} <= set(rows.columns):
        return rows
    prompt, generated = pl.col("prompt").cast(pl.String), pl.col("source").cast(pl.String).fill_null("") != ""
    older = generated & (prompt == "alias")
    if rows.filter(older).is_empty():
        return rows
    same = [name for name in _SAME_TRIAL if name in rows.columns]
    rows = rows.with_columns(older=older, prompt=pl.when(older).then(pl.lit("renamed")).otherwise(prompt))
    return rows.sort("older", maintain_order=True).unique(same, keep="first", maintain_order=True).drop("older")


def counted(rows: pl.DataFrame) -> pl.DataFrame:
    """The trials in which parts were counted against the habit: only there can it show."""
    return rows.filter(
        pl.col("drawing") == "counterfactual",
        pl.col("ask") == "count",
        pl.col("source") != "synth-legs",
        pl.col("question") != "Q3",
        pl.col("split").cast(pl.String).is_in(_MODIFIED),
    ).drop("view", "prompt")


def by_habit(rows: pl.DataFrame) -> pl.DataFrame:
    """The same trials, where "right" is to have said the usual number: what is said of accuracies can then be said of
    the bias rate. An answer that was not read said nothing."""
    habit = pl.col("mechanism").fill_null("") == HABIT
    outcome = pl.when(pl.col("outcome") == "unread").then(pl.lit("unread")).when(habit).then(pl.lit("right"))
    return rows.with_columns(outcome=outcome.otherwise(pl.lit("wrong")))
