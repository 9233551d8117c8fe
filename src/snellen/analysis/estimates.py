"""How often right, how often unread, and how sure of it.

Accuracy is right answers over all trials that brought a reply: an unread answer is not right, and its rate stands
beside the accuracy, together with the accuracy among the answers that could be read. Calls that failed are missing and
counted apart.

Where each item was asked once the interval is Wilson's. Where items repeat, Wilson's interval is taken at the effective
number of trials: what remains of them once a seeded bootstrap of whole items has shown how much trials of one item
agree. (A bootstrap of the accuracy itself would call 40 right of 40 certain.)
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from snellen.analysis.blocks import Value

Floats = NDArray[np.float64]
TIMES = 1000
Z = 1.959963984540054  # below it lie 97.5 % of a normal distribution


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


@lru_cache(maxsize=16)
def _resamples(items: int, seed: int) -> Floats:
    """How often each item is drawn in each bootstrap sample: samples x items."""
    drawn = np.random.default_rng([seed, items]).integers(0, items, (TIMES, items))
    flat = (drawn + np.arange(TIMES)[:, None] * items).ravel()
    return np.bincount(flat, minlength=TIMES * items).reshape(TIMES, items).astype(np.float64)


def variances(ratios: Sequence[tuple[Floats, Floats]], seed: int) -> Floats:
    """The variance of each ratio of sums over items (tops over bottoms, one entry an item), resampling whole items.

    Ratios over equally many items share their resamples and are had in one product of matrices. Sums of counts are
    whole numbers, which float64 holds exactly: neither the order of adding them up nor the number of threads matters.
    """
    found = np.zeros(len(ratios))
    sizes = np.array([len(tops) for tops, _ in ratios])
    for items in np.unique(sizes[sizes > 1]):
        members = [int(k) for k in np.flatnonzero(sizes == items)]
        tops = np.column_stack([ratios[k][0] for k in members])
        bottoms = np.column_stack([ratios[k][1] for k in members])
        sums = _resamples(int(items), seed) @ np.hstack([tops, bottoms])
        above, below = np.hsplit(sums, 2)
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


def accuracy(rows: pl.DataFrame, by: Sequence[str], seed: int = 0) -> list[dict[str, Any]]:
    """One estimate for each combination of `by`: counts, accuracy with its interval, unread rate.

    Keys: those of `by`, then trials, items, right, wrong, unread, accuracy, low, high, accuracy_read, unread_rate,
    errors. Rates are shares from 0 to 1, None where nothing was answered.
    """
    by = list(by)
    error = pl.col("reason").fill_null("") == "error"
    outcome = pl.col("outcome")
    per_item = (
        rows.group_by([*by, "cluster"])
        .agg(
            right=((outcome == "right") & ~error).sum(),
            wrong=((outcome == "wrong") & ~error).sum(),
            unread=((outcome == "unread") & ~error).sum(),
            errors=error.sum(),
        )
        .sort([*by, "cluster"])
    )
    counts = per_item.select("right", "wrong", "unread", "errors").to_numpy().astype(np.float64)
    cells = [({name: levels[name] for name in by}, counts[where]) for levels, where in groups(per_item, by)]
    answered = [own[own[:, :3].sum(1) > 0] for _, own in cells]
    spread = variances([(own[:, 0], own[:, :3].sum(1)) for own in answered], seed)
    return [
        {**levels, **_estimate(own, float(variance)), "errors": int(whole[:, 3].sum())}
        for (levels, whole), own, variance in zip(cells, answered, spread, strict=True)
    ]


def _estimate(counts: Floats, variance: float) -> dict[str, Any]:
    right, wrong, unread = (int(total) for total in counts[:, :3].sum(0))
    n, items = right + wrong + unread, len(counts)
    found: dict[str, Any] = {"trials": n, "items": items, "right": right, "wrong": wrong, "unread": unread}
    if n == 0:
        return {**found, "accuracy": None, "low": None, "high": None, "accuracy_read": None, "unread_rate": None}
    low, high = clustered_wilson(right / n, variance, items, n)
    found |= {"accuracy": right / n, "low": low, "high": high}
    return {**found, "accuracy_read": right / (right + wrong) if right + wrong else None, "unread_rate": unread / n}


def percent(estimate: dict[str, Any]) -> Value:
    """The accuracy of an estimate in percent, the unread rate as its note when there is one."""
    if estimate["accuracy"] is None:
        return Value(None)
    note = f"{100 * estimate['unread_rate']:.1f} % unread" if estimate["unread"] else ""
    return Value(100 * estimate["accuracy"], 100 * estimate["low"], 100 * estimate["high"], estimate["trials"], note)
