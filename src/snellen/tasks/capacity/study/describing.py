"""Describe first: the same items with and without the instruction to say what is seen before answering.

Per kind the difference is that of the pairs. For a category and overall, kinds weigh the same, as in the scores; the
sign-flip test weighs their items accordingly (weights rounded to whole numbers), McNemar's counts every pair once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.contrasts import Contrast, adjust, contrast, mcnemar, paired, sign_flip
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import SETTING, category_order, kind_order
from snellen.tasks.capacity.study.weighing import levels, weighted_difference, weights

FIRST, PLAIN = "first", "no"
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
    kinds = contrast(pairs, [*SAME, "category", "kind"], seed)
    kinds.sort(key=lambda each: (category_order(each["category"]), kind_order(each["kind"])))
    settings: dict[tuple[Any, ...], list[Contrast]] = {}
    for each in kinds:
        settings.setdefault(tuple(each[name] for name in SAME), []).append(each)
    found: list[Contrast] = []
    for setting, own in settings.items():
        here = pairs.filter(*(pl.col(n).eq_missing(v) for n, v in zip(SAME, setting, strict=True)))
        found += [{**each, "family": "kinds"} for each in own] + _wholes(own, here)
    return adjust(found, [*SAME, "family"])


def _wholes(own: Sequence[Contrast], pairs: pl.DataFrame) -> list[Contrast]:
    kinds = {each["kind"]: each["category"] for each in own}
    weight = weights(kinds)
    found = []
    for level, members in levels(kinds):
        parts = [each for each in own if each["kind"] in members]
        gap = weighted_difference((weight[each["kind"]], _value(each)) for each in parts)
        total = sum(weight[kind] for kind in members)
        sums = {name: sum(each[name] for each in parts) for name in ("pairs", "items", "only_a", "only_b")}
        means = {name: sum(weight[each["kind"]] * each[name] for each in parts) / total for name in ("a", "b")}
        found.append(
            {name: own[0][name] for name in SAME}
            | {"category": level, "kind": "", "family": "whole", **sums, **means}
            | {"difference": gap.value, "low": gap.low, "high": gap.high}
            | {"p": mcnemar(sums["only_a"], sums["only_b"]), "p_items": _flips(pairs, parts, weight)}
            | _unread(pairs, members)
        )
    return found


def _unread(pairs: pl.DataFrame, kinds: Sequence[str]) -> dict[str, float]:
    """The unread rates of all pairs of some kinds, each pair counted once."""
    [whole] = contrast(pairs.filter(pl.col("kind").is_in(list(kinds))), [])
    return {name: whole[name] for name in ("unread_a", "unread_b", "p_unread")}


def _value(each: Contrast) -> Value:
    return Value(each["difference"], each["low"], each["high"], each["pairs"])


def _flips(pairs: pl.DataFrame, parts: Sequence[Contrast], weight: Mapping[str, float]) -> float:
    """The sign-flip test of the weighted difference."""
    each = {part["kind"]: weight[part["kind"]] / part["pairs"] for part in parts}
    heaviest = max(each.values())
    whole = {kind: max(round(FINE * value / heaviest), 1) for kind, value in each.items()}
    net = (
        pairs.filter(pl.col("kind").is_in(list(whole)))
        .group_by("kind", "cluster")
        .agg((pl.col("a").cast(pl.Int64) - pl.col("b").cast(pl.Int64)).sum().alias("net"))
        .select(pl.col("net") * pl.col("kind").replace_strict(whole, return_dtype=pl.Int64))
    )
    return sign_flip(net["net"].to_numpy().astype(np.int64))
