"""How often right, how often unread, and how sure of it.

Accuracy is right answers over all trials that brought a reply: an unread answer is not right, and its rate stands
beside the accuracy, together with the accuracy among the answers that could be read. Calls that failed are missing and
counted apart.

Where each item was asked once the interval is Wilson's. Where items repeat, Wilson's interval is taken at the effective
number of trials: what remains of them once a seeded bootstrap of whole items has shown how much trials of one item
agree. (A bootstrap of the accuracy itself would call 40 right of 40 certain.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from snellen.analysis.rows import in_order
from snellen.charts.blocks import Value

Floats = NDArray[np.float64]
TIMES = 1000
REMEMBERED = 1 << 24
"""Resamples of so many bytes at most are remembered."""
AT_ONCE = 1 << 17
"""Random numbers in memory at a time."""
NARROW = 1 << 24
"""Whole numbers below it are exact in 32-bit floats."""
Z = 1.959963984540054  # below it lie 97.5 % of a normal distribution


@dataclass(frozen=True, slots=True)
class AtLevels:
    """Something that was found at some levels of factors: `found["subject"]` is the level of the factor subject."""

    levels: dict[str, Any]

    def __getitem__(self, factor: str) -> Any:
        return self.levels[factor]

    def at(self, **levels: Any) -> Self:
        """The same with these levels in addition, or in place of its own."""
        return replace(self, levels={**self.levels, **levels})

    def as_dict(self) -> dict[str, Any]:
        """The levels, then the numbers, by name."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "levels"}
        return {**self.levels, **numbers}


@dataclass(frozen=True, slots=True)
class Estimate(AtLevels):
    """How often right at some levels. Rates are shares from 0 to 1, None where nothing was answered.

    `accuracy_read`: right among the answers that could be read; `errors`: calls that failed.
    """

    trials: int
    items: int
    right: int
    wrong: int
    unread: int
    accuracy: float | None
    low: float | None
    high: float | None
    accuracy_read: float | None
    unread_rate: float | None
    errors: int

    @property
    def share(self) -> Value:
        """The accuracy with its interval."""
        return Value(self.accuracy, self.low, self.high, self.trials)

    @property
    def noted(self) -> Value:
        """The accuracy with its interval, and the unread rate as its note when there is one."""
        if self.accuracy is None:
            return Value(None)
        note = f"{100 * (self.unread_rate or 0.0):.1f} % unread" if self.unread else ""
        return replace(self.share, note=note)


def wilson(share: float, n: float, quantile: float = Z) -> tuple[float, float]:
    """Wilson's score interval of a proportion. None of n, or all, reach to 0 or 1 exactly, whatever is rounded."""
    square = quantile**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = quantile / (1 + square / n) * float(np.sqrt(share * (1 - share) / n + square / (4 * n**2)))
    return (max(0.0, middle - half) if share > 0 else 0.0), (min(1.0, middle + half) if share < 1 else 1.0)


def clustered_wilson(share: float, variance: float, items: int, n: int) -> tuple[float, float]:
    """Wilson's interval where `n` trials come from fewer items; `variance` is that of the share, from the bootstrap.

    Without spread between items to judge by (all right, all wrong), every item counts as one observation.
    """
    if items >= n:
        return wilson(share, n)
    effective = min(max(share * (1 - share) / variance, items), n) if variance > 1e-12 else items
    return wilson(share, effective, float(scipy.special.stdtrit(max(items - 1, 1), 0.975)))


@lru_cache(maxsize=2)
def _kept_resamples(items: int, seed: int) -> list[NDArray[np.uint8]]:
    return list(_resamples(items, seed))


def _resamples(items: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """How often each item is drawn in each bootstrap sample: samples x items, some samples at a time. (Nobody draws an
    item out of 256 or more that often.)"""
    rng = np.random.default_rng([seed, items])
    step = max(AT_ONCE // items, 1)
    for start in range(0, TIMES, step):
        drawn = rng.integers(0, items, (min(step, TIMES - start), items))
        drawn += np.arange(len(drawn))[:, None] * items
        yield np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.uint8)


def _sums(values: Floats, seed: int) -> Floats:
    """The sums of some columns (items x columns) in each bootstrap sample. Those of the same number of items are the
    same samples, which are remembered; whole numbers are exact in the narrower type, too, which is twice as fast."""
    items = len(values)
    is_exact = items * np.abs(values).max(initial=0) < NARROW and bool((values == np.rint(values)).all())
    values = values.astype(np.float32) if is_exact else values
    drawn = _kept_resamples(items, seed) if items * TIMES <= REMEMBERED else _resamples(items, seed)
    return np.concatenate([counts.astype(values.dtype) @ values for counts in drawn]).astype(np.float64)


def variances(ratios: Sequence[tuple[Floats, Floats]], seed: int) -> Floats:
    """The variance of each ratio of sums over items (tops over bottoms, one entry an item), resampling whole items.

    Ratios over equally many items share their resamples and are had in one product of matrices. Sums of counts are
    whole numbers, which floats hold exactly: neither the order of adding them up nor the number of threads matters.
    """
    found = np.zeros(len(ratios))
    sizes = np.array([len(tops) for tops, _ in ratios])
    for items in np.unique(sizes[sizes > 1]):
        members = [int(k) for k in np.flatnonzero(sizes == items)]
        tops = np.column_stack([ratios[k][0] for k in members])
        bottoms = np.column_stack([ratios[k][1] for k in members])
        above, below = np.hsplit(_sums(np.hstack([tops, bottoms]), seed), 2)
        whole = tops.sum(0) / np.maximum(bottoms.sum(0), 1)
        shares = np.where(below > 0, above / np.maximum(below, 1), whole)
        found[members] = shares.var(axis=0, ddof=1) * items / (items - 1)
    return found


def groups(frame: pl.DataFrame, by: Sequence[str]) -> Iterator[tuple[dict[str, Any], slice]]:
    """The runs of equal `by` in a frame sorted by it: their levels and where they are."""
    if frame.is_empty():
        return
    if not by:
        yield {}, slice(0, frame.height)
        return
    runs = frame.select(pl.struct(by).rle_id()).to_series().to_numpy()
    starts = np.flatnonzero(np.diff(runs, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], frame.height], strict=True):
        yield frame.row(int(start), named=True), slice(int(start), int(stop))


def accuracy(rows: pl.DataFrame, by: Sequence[str], seed: int = 0) -> list[Estimate]:
    """One estimate for each combination of the columns `by`."""
    by = list(by)
    error = pl.col("reason").fill_null("") == "error"
    outcome = pl.col("outcome")
    per_item = rows.group_by([*by, "cluster"]).agg(
        right=((outcome == "right") & ~error).sum(),
        wrong=((outcome == "wrong") & ~error).sum(),
        unread=((outcome == "unread") & ~error).sum(),
        errors=error.sum(),
    )
    per_item = in_order(per_item, [*by, "cluster"])
    counts = per_item.select("right", "wrong", "unread", "errors").to_numpy().astype(np.float64)
    cells = [({name: levels[name] for name in by}, counts[where]) for levels, where in groups(per_item, by)]
    answered = [own[own[:, :3].sum(1) > 0] for _, own in cells]
    spread = variances([(own[:, 0], own[:, :3].sum(1)) for own in answered], seed)
    return [
        _estimate(levels, own, float(variance), int(whole[:, 3].sum()))
        for (levels, whole), own, variance in zip(cells, answered, spread, strict=True)
    ]


def _estimate(levels: dict[str, Any], counts: Floats, variance: float, errors: int) -> Estimate:
    right, wrong, unread = (int(total) for total in counts[:, :3].sum(0))
    n, items = right + wrong + unread, len(counts)
    if n == 0:
        return Estimate(levels, n, items, right, wrong, unread, None, None, None, None, None, errors)
    low, high = clustered_wilson(right / n, variance, items, n)
    of_read = right / (right + wrong) if right + wrong else None
    return Estimate(levels, n, items, right, wrong, unread, right / n, low, high, of_read, unread / n, errors)
