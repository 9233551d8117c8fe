"""Settings in words. A study says what its settings are made of (`context`) and which levels are plain (`plain`); what
is worth naming, what is said of it and which setting comes first is then the same for every study."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from snellen.analysis.rows import varying

BARE = ("paradigm", "source")
"""Said by their level alone, and also when it is plain."""


def named_context(rows: pl.DataFrame, context: Sequence[str], plain: Mapping[str, str]) -> list[str]:
    """The parts of a setting worth naming: those that differ between rows, and conditions that are not plain."""
    differing = varying(rows, context)
    return [name for name in context if name in differing or (name in plain and rows[name][0] != plain[name])]


def setting_words(
    setting: Mapping[str, Any], named: Sequence[str], plain: Mapping[str, str], phrases: Mapping[str, str] | None = None
) -> list[str]:
    """A setting in words: whatever is worth naming and not plain. `phrases`: how a study puts a level of some part,
    with `{}` for the level."""
    said = []
    for name in named:
        level = str(setting[name])
        if name in BARE:
            said.append(level)
        elif level and level != plain.get(name):
            said.append((phrases or {}).get(name, f"{name} {{}}").format(level))
    return said


def plainness(setting: Mapping[str, Any], plain: Mapping[str, str]) -> tuple[bool, ...]:
    """Sorts settings, the plainest first."""
    departures = (setting[name] != level for name, level in plain.items())
    return (setting["subject"] != setting["who"], setting["paradigm"] != "direct", *departures)
