"""From trials to pairs: the standard and the inverse answer to one board, asked in the same way.

A **setting** is how the boards were asked: configuration (the prompt or rendering that is changed against Base),
response, modality, states, size, paradigm, wording. Games, targets and orders are pooled within it, as the paper does,
though a pair always agrees in them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.rows import asked, varying
from snellen.analysis.tree import Floats

GAMES = {
    "tictactoe": "Tic-Tac-Toe",
    "reversi": "Reversi",
    "connect4": "Connect Four",
    "dots_boxes": "Dots and Boxes",
}
CONFIGS = ("Base", "Glyph", "Checkerboard", "Alias", "SemAlias", "Descriptive")
CONTEXT = ("response", "modality", "states", "size", "paradigm", "pack")
DEFAULTS = {
    "config": "Base",
    "response": "direct",
    "modality": "image",
    "paradigm": "direct",
    "pack": "",
    "size": "small",
}
"""The plainest way to ask, the more telling departures first."""
PROMPTS = {"alias": "Alias", "semalias": "SemAlias", "descriptive": "Descriptive"}
RENDERINGS = {"glyph": "Glyph", "checkerboard": "Checkerboard"}
CATEGORIES = tuple(f"{k} {a}{b}" for k in (1, 2) for a in (1, 2) for b in (1, 2))


def configured(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with a `config` column in place of prompt and rendering; factors a set lacks take their default."""
    missing = {
        "prompt": "base",
        "rendering": "base",
        "order": "image_first",
        "target": "winner",
        "response": "direct",
        "modality": "image",
        "states": "",
        "size": "",
    }
    rows = rows.with_columns(pl.lit(level).alias(name) for name, level in missing.items() if name not in rows.columns)
    prompt = pl.col("prompt").cast(pl.String).replace({"base": "", **PROMPTS})
    rendering = pl.col("rendering").cast(pl.String).replace({"base": "", **RENDERINGS})
    both = (prompt + pl.lit(" ") + rendering).str.strip_chars()
    config = pl.when(both == "").then(pl.lit("Base")).otherwise(both).cast(pl.Categorical)
    return rows.with_columns(config=config).drop("prompt", "rendering")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs by category. `cells`: one for each subject, setting and game, with how many pairs were left out as unread.

    `parts`: category counts, one row for each item of a cell; `cell_of`: the cell of each such row.
    """

    cells: list[dict[str, Any]]
    parts: Floats
    cell_of: NDArray[np.intp]


def pairs_of(rows: pl.DataFrame) -> Pairs:
    """All standard-inverse pairs of configured rows."""
    cell = ["subject", "config", *CONTEXT, "game"]
    same = [*cell, "item", "target", "order"]
    first = pl.col("labels").list.get(0, null_on_oob=True)
    second = pl.col("labels").list.get(1, null_on_oob=True)

    def player(column: str) -> pl.Expr:
        named = pl.col(column)
        return pl.when(named == first).then(1).when(named == second).then(2)

    trials = asked(rows).with_columns(
        said=pl.when(pl.col("outcome") != "unread").then(player("answer")), right=player("key")
    )
    standard = trials.filter(pl.col("rule") == "standard").select(*same, "cluster", a="said", k="right")
    inverse = trials.filter(pl.col("rule") == "inverse").select(*same, b="said", other="right")
    joined = standard.join(inverse, on=same, how="inner").filter(pl.col("k") != pl.col("other"))
    read = pl.col("a").is_not_null() & pl.col("b").is_not_null()
    index = (pl.col("k") - 1) * 4 + (pl.col("a") - 1) * 2 + pl.col("b") - 1
    per_item = (
        joined.group_by([*cell, "cluster"])
        .agg(
            *(((index == number) & read).sum().alias(name) for number, name in enumerate(CATEGORIES)),
            left_out=(~read).sum(),
        )
        .sort([*cell, "cluster"])
    )
    cells = per_item.group_by(cell, maintain_order=True).agg(pl.col("left_out").sum())
    numbered = per_item.join(cells.with_row_index("cell").select(*cell, "cell"), on=cell, how="left").filter(
        pl.sum_horizontal(CATEGORIES) > 0
    )
    return Pairs(
        cells=cells.to_dicts(),
        parts=numbered.select(CATEGORIES).to_numpy().astype(np.float64),
        cell_of=numbered["cell"].to_numpy().astype(np.intp),
    )


def setting_label(setting: dict[str, Any], named: list[str]) -> str:
    """A setting in words: its configuration, and whatever else differs between settings."""
    extra = [_wording(setting[name]) if name == "pack" else str(setting[name]) for name in named]
    return ", ".join([setting["config"], *(word for word in extra if word)])


def _wording(pack: str) -> str:
    return f"wording {pack}" if pack else "built-in wording"


def named_context(rows: pl.DataFrame) -> list[str]:
    """The parts of a setting worth naming: those that differ between rows."""
    return varying(rows, CONTEXT)
