"""Two levels compared on the same items, pair by pair.

A pair is the same item under two conditions that differ in one thing. The risk difference comes with an interval that
resamples whole items; beside it stand two exact tests. McNemar's asks whether the discordant pairs lean to one side and
takes pairs as independent (what papers report). The sign-flip test asks the same of items: under the null each item's
net difference could as well have the other sign. With one pair an item the two are the same test; with several only
the second is honest, and it is the one the diagnosis listens to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from snellen.analysis.estimates import AtLevels, Floats, groups, variances
from snellen.analysis.rows import asked, factors, in_order
from snellen.charts.blocks import Value

EVEN = 1e-9
"""Rounding leaves weighted differences that are equal so far apart at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast(AtLevels):
    """Two sides compared on the same pairs: their accuracies `a` and `b`, the difference with its interval, in how many
    pairs only one side is right, McNemar's `p` and the sign-flip test `p_items`; unread rates and the sign-flip test of
    these. Each p with `_holm` is adjusted. `sides`: what `a` and `b` are called."""

    pairs: int
    items: int
    a: float
    b: float | None
    difference: float
    low: float
    high: float
    sides: tuple[str, str] = ("", "")
    only_a: int = 0
    only_b: int = 0
    p: float | None = None
    p_items: float | None = None
    unread_a: float = 0.0
    unread_b: float = 0.0
    p_unread: float | None = None
    p_holm: float | None = None
    p_items_holm: float | None = None
    p_unread_holm: float | None = None

    @property
    def gap(self) -> Value:
        """The difference with its interval, as a share."""
        return Value(self.difference, self.low, self.high, self.pairs)


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p-value of McNemar's test: a binomial on the discordant pairs."""
    return min(1.0, 2 * float(scipy.special.bdtr(min(only_a, only_b), only_a + only_b, 0.5)))


def sign_flip(net: NDArray[np.int64]) -> float:
    """The exact two-sided p-value of the items' net differences under random signs.

    The sum's distribution is had from its characteristic function, a product of cosines, by a discrete Fourier
    transform: exact, and quick for thousands of items.
    """
    sizes, counts = np.unique(np.abs(net[net != 0]), return_counts=True)
    reach = int((sizes * counts).sum())
    if reach == 0:
        return 1.0
    turn = 2 * np.pi * np.arange(2 * reach + 1) / (2 * reach + 1)
    wave = np.prod(np.cos(np.outer(turn, sizes)) ** counts, axis=1)
    chance = np.fft.ifft(wave).real  # entry s is the probability of a sum of s, negative sums wrapping around
    totals = np.abs(np.fft.fftfreq(2 * reach + 1, 1 / (2 * reach + 1)))
    return float(np.clip(chance[totals >= abs(int(net.sum())) - 0.5].sum(), 1e-15, 1.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment over one family."""
    order = np.argsort(p_values, kind="stable")
    steps = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]


Counts = tuple[Floats, Floats]
"""Item by item: net difference in right answers, and pairs."""


def differences(cells: Sequence[Counts], seed: int) -> list[tuple[float, float, float]]:
    """Differences of accuracies on the same pairs, each with its interval.

    The interval is a t interval on the bootstrap's standard error, after adding two imaginary items of one pair each,
    one in favour of either side (Bonett and Price's adjustment). Where all items agree there is no spread to judge by;
    then the imaginary items are as large as the real ones, lest agreement prove a difference of exactly zero.
    """
    more = []
    for net, pairs in cells:
        size = 1.0 if np.ptp(net / pairs) > EVEN else float(pairs.mean())
        more.append((np.append(net, [size, -size]), np.append(pairs, [size, size])))
    gaps = []
    for (net, pairs), (more_net, more_pairs), variance in zip(cells, more, variances(more, seed), strict=True):
        gap, middle = float(net.sum() / pairs.sum()), float(more_net.sum() / more_pairs.sum())
        half = float(scipy.special.stdtrit(len(more_net) - 1, 0.975) * np.sqrt(variance))
        gaps.append((gap, max(min(middle - half, gap), -1.0), min(max(middle + half, gap), 1.0)))
    return gaps


def contrast(
    pairs: pl.DataFrame, by: Sequence[str], seed: int = 0, sides: tuple[str, str] = ("", "")
) -> list[Contrast]:
    """Contrasts of paired rows (`cluster`, whether `a` and `b` were right, whether they were unread), for each
    combination of `by`."""
    by = list(by)
    per_item = pairs.group_by([*by, "cluster"]).agg(
        pl.len().alias("pairs"),
        pl.col("a").sum(),
        pl.col("b").sum(),
        only_a=(pl.col("a") & ~pl.col("b")).sum(),
        only_b=(pl.col("b") & ~pl.col("a")).sum(),
        unread_a=pl.col("unread_a").sum(),
        unread_b=pl.col("unread_b").sum(),
    )
    per_item = in_order(per_item, [*by, "cluster"])
    numbers = per_item.select("pairs", "a", "b", "only_a", "only_b", "unread_a", "unread_b").to_numpy().astype(np.int64)
    cells = [({name: levels[name] for name in by}, numbers[where].T) for levels, where in groups(per_item, by)]
    gaps = differences([((own[1] - own[2]).astype(float), own[0].astype(float)) for _, own in cells], seed)
    return [
        Contrast(
            levels=levels,
            sides=sides,
            pairs=int(n.sum()),
            items=len(n),
            a=float(a.sum() / n.sum()),
            b=float(b.sum() / n.sum()),
            difference=gap,
            low=low,
            high=high,
            only_a=int(only_a.sum()),
            only_b=int(only_b.sum()),
            p=mcnemar(int(only_a.sum()), int(only_b.sum())),
            p_items=sign_flip(a - b),
            unread_a=float(unread_a.sum() / n.sum()),
            unread_b=float(unread_b.sum() / n.sum()),
            p_unread=sign_flip(unread_a - unread_b),
        )
        for (levels, (n, a, b, only_a, only_b, unread_a, unread_b)), (gap, low, high) in zip(cells, gaps, strict=True)
    ]


def paired(rows: pl.DataFrame, column: str, a: str, b: str, ignore: Sequence[str] = ()) -> pl.DataFrame:
    """Pairs of trials that differ only in `column` (level `a` against level `b`) and in the ignored columns."""
    same = ["subject", "task", "item", "paradigm", "pack", *factors(rows)]
    same = [name for name in dict.fromkeys(same) if name != column and name not in ignore]
    trials = asked(rows).with_columns(right=pl.col("outcome") == "right", unread=pl.col("outcome") == "unread")
    first = trials.filter(pl.col(column) == a).select(*same, "cluster", a="right", unread_a="unread")
    second = trials.filter(pl.col(column) == b).select(*same, b="right", unread_b="unread")
    return first.join(second, on=same, how="inner", nulls_equal=True)


C = TypeVar("C", bound=Contrast)


def adjust(contrasts: Sequence[C], family: Sequence[str]) -> list[C]:
    """The contrasts with their p-values adjusted among those that agree in the levels named by `family`."""
    families: dict[tuple[Any, ...], list[int]] = {}
    for index, row in enumerate(contrasts):
        families.setdefault(tuple(row[name] for name in family), []).append(index)
    done = list(contrasts)
    for members in families.values():
        for name in ("p", "p_items", "p_unread"):
            tested = [(index, p) for index in members if (p := getattr(contrasts[index], name)) is not None]
            for (index, _), p in zip(tested, holm([p for _, p in tested]), strict=True):
                adjusted: dict[str, Any] = {f"{name}_holm": p}
                done[index] = replace(done[index], **adjusted)
    return done


def p_text(p: float | None) -> str:
    """A p-value for people. Those of exact tests are fractions like 1/16, whose last digit shown is a tie: it is told
    from the fraction, not from what rounding made of it on this machine."""
    if p is None or p != p:
        return ""
    p = round(p, 9)
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def p_equals(p: float | None) -> str:
    """A p-value in a sentence: `p = 0.012`, `p < 0.001`."""
    text = p_text(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def p_in_brackets(p: float | None) -> str:
    """A p-value as the VLM-Fix paper prints it beside a figure."""
    return "" if p is None else "(<0.01)" if p < 0.01 else f"({p:.2f})"
