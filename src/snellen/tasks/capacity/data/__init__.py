"""What the kinds draw from: names, colours, words and models, a TOML file for each subject."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def table(subject: str) -> Any:
    """The tables of a subject, their lists as tuples."""
    return _frozen(tomllib.loads((Path(__file__).parent / f"{subject}.toml").read_text(encoding="utf-8")))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(part) for name, part in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
