"""How things were asked about.

A **configuration** is one of the paper's four: the picture upright or flipped, the words base or alias. A **setting**
is everything else that differs: which set, how the thing is named, how large the picture is, paradigm and wording.
Kinds of things, sizes and wordings of the published set are pooled within it, as the paper does, though a pair always
agrees in them.
"""

import polars as pl

TOPICS = {"animals": "Animals", "marks": "Logos", "flags": "Flags", "boards": "Game Boards"}
"""The paper's topics, by the names that items have for them."""
CONFIGS = {
    ("upright", "base"): "Base",
    ("flipped", "base"): "Flip",
    ("upright", "alias"): "Alias",
    ("flipped", "alias"): "Flip+Alias",
}
CONTEXT = ("set", "name", "resolution", "paradigm", "pack")
PLAIN = {"name": "class", "resolution": "640", "pack": ""}
GENERATED = "generated"
HABIT = "the usual number"
"""The mechanism of an answer by habit (`tasks.bias.asking.HABIT`). Other mechanisms are none."""
_DEFAULTS = {
    "split": "",
    "source": "",
    "question": "",
    "topic": "",
    "kind": "",
    "drawing": "counterfactual",
    "view": "upright",
    "prompt": "base",
    "name": "class",
    "ask": "count",
    "resolution": "640",
}
_MODIFIED = ("", "main", "withtitle", "remove_background_q1q2")
"""The splits whose pictures go against the habit and whose questions count."""


def completed(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every factor: those a set lacks at their default; `config` from view and prompt, and `set`."""
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
