"""What the wrong choices of MARVEL puzzles offered, from what their makers know, beside what was picked."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from snellen.charts.blocks import Section
from snellen.engine import Store
from snellen.tasks.marvel.mechanisms import mechanism_of
from snellen.tasks.marvel.study.mechanisms import Offers, betrayed, mechanism_section

TASK = "marvel"


def choice_sections(store: Store, rows: pl.DataFrame) -> tuple[Section, ...]:
    """The section on mechanisms, if wrong choices with one were picked."""
    if not (offers := _offers(store.truths(TASK))):
        return ()
    names = {name: _mechanism(name) for name in rows["mechanism"].cast(pl.String).unique().drop_nulls()}
    classed = rows.with_columns(pl.col("mechanism").cast(pl.String).fill_null("").replace(names))
    listed = betrayed(classed, offers)
    return (mechanism_section(listed),) if listed else ()


def _offers(truths: Iterable[tuple[str, Mapping[str, Any]]]) -> Offers:
    """The mechanisms of every puzzle's wrong choices; published ones have none."""
    offers = {
        item: [_mechanism(name) for name in truth.get("mechanisms") or () if name]
        for item, truth in truths  # one at a time: they are large
    }
    return {item: names for item, names in offers.items() if names and all(names)}


def _mechanism(name: str) -> str:
    """The class; "" for what is none (how a count went wrong, or a sentence that nobody knows any more)."""
    try:
        return mechanism_of(name)
    except ValueError:
        return ""
