"""Trials as columns: each a list of levels and, for every trial, a small code.

Whatever column is not one of the known ones is a factor of some task; the page offers it as a filter and for pairing
without knowing what it means.
"""

import json
from collections.abc import Sequence

import numpy as np
import polars as pl

from snellen.report.container import Array, narrow, pack

ASKED = ("task", "subject", "paradigm", "item", "pack", "exam")
ANSWERED = ("outcome", "reason", "mechanism", "answer", "key", "labels", "how", "finish")
NUMBERS = {
    "span_start": "int32",
    "span_end": "int32",
    "tokens_in": "int32",
    "tokens_out": "int32",
    "tokens_cached": "int32",
    "tokens_written": "int32",
    "seconds": "float32",
    "confidence": "float32",
}
SELDOM = ("tokens_cached", "tokens_written")
"""Numbers that a page has only where some trial has one."""
OTHERS = (*("trial", "cluster", "text", "calls", "reasoning", "tokens_reasoning", "tokens_picture", "pictures", "nth"),)

SHORTEST_ID = 8


def factors(rows: pl.DataFrame) -> list[str]:
    """The columns that are factors and have a level anywhere; which sample a trial is, where there are several."""
    other_columns = {*ASKED, *ANSWERED, *NUMBERS, *OTHERS}
    if "sample" in rows.columns and not rows["sample"].fill_null(0).cast(pl.Boolean).any():
        other_columns.add("sample")
    return [c for c in rows.columns if c not in other_columns and rows[c].null_count() < rows.height]


def pack_trials(rows: pl.DataFrame) -> bytes:
    """Everything the list, the filters and the pairing need; the long texts come separately."""
    names = [*ASKED, *factors(rows), *ANSWERED]
    levels: dict[str, list[str | None]] = {}
    arrays: dict[str, Array] = {}
    for name in names:
        levels[name], arrays[name] = coded(column(rows, name))
    for name, kind in NUMBERS.items():
        missing = float("nan") if kind == "float32" else -1
        values = column(rows, name).cast(pl.Float64, strict=False)
        if name in SELDOM and not values.sum():
            continue
        arrays[name] = values.fill_null(missing).to_numpy().astype(kind)
    head = {
        "rows": rows.height,
        "factors": factors(rows),
        "levels": levels,
        "trials": short_ids(column(rows, "trial").cast(pl.String).fill_null("").to_list()),
    }
    return pack(head, arrays)


def column(rows: pl.DataFrame, name: str) -> pl.Series:
    """A column, or one of nothing but gaps if the rows have none of that name."""
    if name in rows.columns:
        return rows[name]
    return pl.Series(name, [None] * rows.height, dtype=pl.String)


def coded(series: pl.Series) -> tuple[list[str | None], Array]:
    """The distinct values in order of appearance, and each row's place among them."""
    plain = _lists_as_json(series) if series.dtype == pl.List else series.cast(pl.String)
    distinct = plain.unique(maintain_order=True)
    if not plain.len():
        return [], np.zeros(0, dtype=np.uint8)
    codes = plain.to_frame("v").join(
        distinct.to_frame("v").with_row_index("code"), on="v", how="left", nulls_equal=True, maintain_order="left"
    )
    return distinct.to_list(), narrow(codes["code"].to_numpy())


def short_ids(ids: Sequence[str]) -> list[str]:
    """The ids cut to the shortest length at which they still differ: enough to find a trial and to link to it."""
    distinct = len(set(ids))
    longest = max(map(len, ids), default=0)
    for length in range(SHORTEST_ID, longest):
        if len({i[:length] for i in ids}) == distinct:
            return [i[:length] for i in ids]
    return list(ids)


def _lists_as_json(series: pl.Series) -> pl.Series:
    seen: dict[tuple[str, ...], str] = {}
    written: list[str | None] = []
    for value in series.to_list():
        if value is None:
            written.append(None)
        else:
            as_key = tuple(value)
            written.append(seen[as_key] if as_key in seen else seen.setdefault(as_key, json.dumps(value)))
    return pl.Series(series.name, written, dtype=pl.String)
