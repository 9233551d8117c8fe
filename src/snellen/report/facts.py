"""What is known of an item beside its trials: its concept, its category, whatever its maker wrote down in a word or a
number. Longer truths (boards, scenes) stay in the store."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from snellen.report.columns import coded, column
from snellen.report.container import pack, texts

FactsOf = Callable[[str], Mapping[str, Any]]
"""From an item's id to what its maker knows of it."""

LONGEST = 600
MOST = 12


def nothing(item: str) -> Mapping[str, Any]:
    """Of no item is anything known."""
    return {}


def pack_facts(rows: pl.DataFrame, facts_of: FactsOf) -> bytes:
    """The facts of each item, in the order in which the trials' items are coded."""
    items, _ = coded(column(rows, "item"))
    return pack({}, texts(json.dumps(_plain(facts_of(item or "")), ensure_ascii=False) for item in items))


def _plain(facts: Mapping[str, Any]) -> dict[str, str]:
    """Those that are a word, a number or a sentence."""
    plain = {str(name): str(fact) for name, fact in facts.items() if isinstance(fact, str | int | float)}
    told = {name: fact[:LONGEST] for name, fact in plain.items() if fact.strip()}
    return dict(list(told.items())[:MOST])
