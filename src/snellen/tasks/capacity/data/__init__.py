"""What the kinds draw from: names, colours, words and models, a TOML file for each subject."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def table(subject: str) -> Any:
    """The tables of a subject, their lists as tuples."""
    return frozen(tomllib.loads((Path(__file__).parent / f"{subject}.toml").read_text(encoding="utf-8")))


def frozen(value: Any) -> Any:
    """What JSON or TOML gave, its lists as tuples, all the way down."""
    if isinstance(value, dict):
        return {name: frozen(part) for name, part in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def listed(value: Any) -> Any:
    """A value for JSON: its tuples as lists."""
    return list(map(listed, value)) if isinstance(value, tuple) else value
