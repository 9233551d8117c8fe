"""How the boards were asked.

A **setting** is how the boards were asked: configuration (the prompt or rendering that is changed against Base),
response, modality, states, size, paradigm, wording. Games, targets and orders are pooled within it, as the paper does,
though a pair always agrees in them.
"""

from typing import Any

import polars as pl

from snellen.analysis.rows import varying

GAMES = {"tictactoe": "Tic-Tac-Toe", "reversi": "Reversi", "connect4": "Connect Four", "dots_boxes": "Dots and Boxes"}
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


def setting_label(setting: dict[str, Any], named: list[str]) -> str:
    """A setting in words: its configuration, and whatever else differs between settings."""
    extra = [_wording(setting[name]) if name == "pack" else str(setting[name]) for name in named]
    return ", ".join([setting["config"], *(word for word in extra if word)])


def _wording(pack: str) -> str:
    return f"wording {pack}" if pack else "built-in wording"


def named_context(rows: pl.DataFrame) -> list[str]:
    """The parts of a setting worth naming: those that differ between rows."""
    return varying(rows, CONTEXT)
