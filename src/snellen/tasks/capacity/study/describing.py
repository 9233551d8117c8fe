"""Describe first: the same items with and without the instruction to say what is seen before answering.

Per kind the difference is that of the pairs. For a category and overall, kinds weigh the same, as in the scores; the
sign-flip test weighs their items accordingly (weights rounded to whole numbers), McNemar's counts every pair once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.contrasts import Contrast, adjust, contrast, mcnemar, paired, sign_flip
from snellen.tasks.capacity.study.kinds import SETTING, category_order, kind_order
from snellen.tasks.capacity.study.weighing import levels, weighted_difference, weights

FIRST, PLAIN = "first", "no"
SIDES = ("described", "plain")
SAME = tuple(name for name in SETTING if name != "describe")
FINE = 64
"""The heaviest item's weight in the sign-flip test, in whole numbers."""


def described(rows: pl.DataFrame, seed: int) -> list[Contrast]:
    """Contrasts of every setting: by kind (`kind`), by category (`category`, kind ''), overall (both '').

    Holm families: the kinds of a setting; its categories and the whole.
    """
    pairs = paired(rows, "describe", FIRST, PLAIN)
    if pairs.is_empty():
        return []
    kinds = contrast(pairs, [*SAME, "category", "kind"], seed, SIDES)
    kinds.sort(key=lambda row: (category_order(row["category"]), kind_order(row["kind"])))
    settings: dict[tuple[Any, ...], list[Contrast]] = {}
    for row in kinds:
        settings.setdefault(tuple(row[name] for name in SAME), []).append(row)
    contrasts: list[Contrast] = []
    for setting, own in settings.items():
        here = pairs.filter(*(pl.col(n).eq_missing(v) for n, v in zip(SAME, setting, strict=True)))
        contrasts += [row.at(family="kinds") for row in own] + _wholes(own, here)
    return adjust(contrasts, [*SAME, "family"])


def _wholes(own: Sequence[Contrast], pairs: pl.DataFrame) -> list[Contrast]:
    kinds = {row["kind"]: row["category"] for row in own}
    weight = weights(kinds)
    wholes = []
    for level, members in levels(kinds):
        parts = [row for row in own if row["kind"] in members]
        gap = weighted_difference((weight[row["kind"]], row.gap) for row in parts)
        total = sum(weight[kind] for kind in members)
        [unread] = contrast(pairs.filter(pl.col("kind").is_in(list(members))), [])  # each pair counted once
        only_a, only_b = sum(row.only_a for row in parts), sum(row.only_b for row in parts)
        wholes.append(
            Contrast(
                {**{name: own[0][name] for name in SAME}, "category": level, "kind": "", "family": "whole"},
                sides=SIDES,
                pairs=sum(row.pairs for row in parts),
                items=sum(row.items for row in parts),
                a=sum(weight[row["kind"]] * row.a for row in parts) / total,
                b=sum(weight[row["kind"]] * (row.b or 0.0) for row in parts) / total,
                difference=gap.value or 0.0,
                low=gap.low or 0.0,
                high=gap.high or 0.0,
                only_a=only_a,
                only_b=only_b,
                p=mcnemar(only_a, only_b),
                p_items=_flips(pairs, parts, weight),
                unread_a=unread.unread_a,
                unread_b=unread.unread_b,
                p_unread=unread.p_unread,
            )
        )
    return wholes


def _flips(pairs: pl.DataFrame, parts: Sequence[Contrast], weight: Mapping[str, float]) -> float:
    """The sign-flip test of the weighted difference."""
    per_pair = {part["kind"]: weight[part["kind"]] / part.pairs for part in parts}
    heaviest = max(per_pair.values())
    whole = {kind: max(round(FINE * value / heaviest), 1) for kind, value in per_pair.items()}
    net = (
        pairs.filter(pl.col("kind").is_in(list(whole)))
        .group_by("kind", "cluster")
        .agg((pl.col("a").cast(pl.Int64) - pl.col("b").cast(pl.Int64)).sum().alias("net"))
        .select(pl.col("net") * pl.col("kind").replace_strict(whole, return_dtype=pl.Int64))
    )
    return sign_flip(net["net"].to_numpy().astype(np.int64))
