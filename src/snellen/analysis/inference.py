"""How sure a fitted tree is: intervals, and whether the tree fits at all, when observations come in clusters.

Several pairs come from one item and rise and fall together, so the plain likelihood is too sure of itself. Each
parameter's **design effect** says by how much: its variance from the spread between items over its variance as if all
pairs were independent. An interval holds the values whose profile likelihood falls short of the best by less than the
usual amount times that design effect. Unlike a bootstrap of the estimate this keeps its word at the edges: forty
right answers of forty do not prove a probability of exactly one.

The **fit test** is Pearson's, with Rao and Scott's second-order correction for clusters.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from snellen.analysis.blocks import Value
from snellen.analysis.tree import EDGE, Bools, Floats, Tree, by_root, climb, fit, log_likelihood, probabilities, slopes

BISECTIONS = 14
ON_EDGE = 1e-4
FULL = 1e-3
"""An interval that comes this close to both 0 and 1 says nothing: the parameter is not identified."""


@dataclass(frozen=True, slots=True)
class Clustered:
    """Counts of many tables, and the items behind them.

    `counts`: tables x categories. `parts`: one row of counts for each item of each table. `table_of`: the table of each
    of these rows.
    """

    counts: Floats
    parts: Floats
    table_of: NDArray[np.intp]

    @property
    def items(self) -> Floats:
        return np.bincount(self.table_of, minlength=len(self.counts)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Misfit:
    """A fit test: the statistic, its mean and mean square if the tree is right, and how far off the table is.

    Kept as moments so that tests of independent tables can be added up before a p-value is taken. `moved` is the share
    of pairs that would have to change category for a perfect fit.
    """

    statistic: Floats
    mean: Floats
    square: Floats
    moved: Floats


def clustered(parts: Floats, table_of: NDArray[np.intp], tables: int) -> Clustered:
    counts = np.zeros((tables, parts.shape[1]))
    np.add.at(counts, table_of, parts)
    return Clustered(counts, parts, table_of)


def _inverse(matrix: Floats, free: Bools) -> Floats:
    """The inverse within the free parameters; zero elsewhere. Flat directions give no information, not infinities."""
    mask = free[:, :, None] & free[:, None, :]
    return np.asarray(np.linalg.pinv(np.where(mask, matrix, 0.0), rcond=1e-9, hermitian=True))


def _spread(data: Clustered, scores: Floats) -> Floats:
    """The covariance of a sum of item scores, from their spread between items."""
    tables, size = len(data.counts), scores.shape[1]
    outer = np.zeros((tables, size, size))
    np.add.at(outer, data.table_of, scores[:, :, None] * scores[:, None, :])
    return outer * (data.items / np.maximum(data.items - 1, 1))[:, None, None]


def _projected(data: Clustered, scores: Floats, onto: Floats) -> Floats:
    """Item scores taken to fewer dimensions, each table by a matrix of its own. (All at once would fill the memory.)"""
    found = np.zeros((len(scores), onto.shape[1]))
    order = np.argsort(data.table_of, kind="stable")
    ends = np.cumsum(data.items).astype(np.intp)[:-1]
    for table, members in enumerate(np.split(order, ends)):
        found[members] = scores[members] @ onto[table].T
    return found


def design_effects(tree: Tree, data: Clustered, theta: Floats) -> Floats:
    """For each table and parameter, how much clustering inflates the variance.

    At least 1. A parameter on its boundary shows no spread to judge by, so the worst case is taken for it: all pairs of
    an item are one observation.
    """
    inside = np.clip(theta, EDGE, 1 - EDGE)
    p, slope = probabilities(tree, inside), slopes(tree, inside)
    free = (theta > ON_EDGE) & (theta < 1 - ON_EDGE)
    trials = by_root(tree, data.counts)[:, tree.root_of]
    information = np.einsum("nc,ncp,ncq->npq", trials / p, slope, slope, optimize=True)
    scores = np.einsum("ic,icp->ip", data.parts / p[data.table_of], slope[data.table_of], optimize=True)
    plain = _inverse(information, free)
    robust = plain @ _spread(data, scores) @ plain
    ratio = np.einsum("npp->np", robust) / np.maximum(np.einsum("npp->np", plain), 1e-300)
    sizes = data.parts.sum(1)
    squares = np.bincount(data.table_of, weights=sizes**2, minlength=len(data.counts))
    worst = (squares / np.maximum(data.counts.sum(1), 1))[:, None]
    return np.asarray(np.where(free, np.clip(ratio, 1.0, None), np.maximum(worst, 1.0)))


def intervals(tree: Tree, data: Clustered, theta: Floats, names: tuple[str, ...]) -> Floats:
    """95 % profile-likelihood intervals: tables x names x (low, high)."""
    tables, size = theta.shape
    which = [tree.parameters.index(name) for name in names]
    quantile = special.stdtrit(np.maximum(data.items - 1, 1), 0.975)
    allowed = design_effects(tree, data, theta) * (quantile**2)[:, None] / 2
    best = log_likelihood(tree, data.counts, theta)

    shape = (tables, len(which), 2)
    table, slot, side = (index.ravel() for index in np.indices(shape))
    parameter = np.array(which)[slot]
    counts, floor = data.counts[table], best[table] - allowed[table, parameter]
    held = np.zeros((len(table), size), dtype=bool)
    row = np.arange(len(table))
    held[row, parameter] = True

    inside, outside = theta[table, parameter], side.astype(np.float64)
    place = theta[table]
    for attempt in range(BISECTIONS):
        middle = (inside + outside) / 2 if attempt else outside  # the very end first: it may well be inside
        trial = np.clip(place, 0.02, 0.98)
        trial[row, parameter] = middle
        trial = climb(tree, counts, trial, held, steps=25, tolerance=1e-5)
        kept = log_likelihood(tree, counts, trial) >= floor
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
        place = np.where(kept[:, None], trial, place)
    return np.asarray(inside.reshape(shape))


def fitted(tree: Tree, data: Clustered, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Estimates (in the order of `names`) and their intervals; tables without counts give noise nobody reads."""
    theta = fit(tree, data.counts)
    chosen = [tree.parameters.index(name) for name in names]
    return theta[:, chosen], intervals(tree, data, theta, names)


def probability(value: float, bounds: Floats, n: int) -> Value:
    """A fitted parameter with its interval; without a value where the data do not identify it."""
    low, high = float(bounds[0]), float(bounds[1])
    if low < FULL and high > 1 - FULL:
        return Value(None, note="not identified", n=n)
    return Value(float(value), min(low, float(value)), max(high, float(value)), n)


def misfit(tree: Tree, data: Clustered, theta: Floats, merge: Floats | None = None) -> Misfit:
    """Pearson's statistic against the fitted tree, with its moments under clustering if the tree is right.

    Where a tree has many categories with few counts each, `merge` (categories x groups) says which to test together.
    """
    p = probabilities(tree, theta)
    expected = by_root(tree, data.counts)[:, tree.root_of] * p
    seen = expected > 1e-6
    scale = np.where(seen, 1 / np.sqrt(np.where(seen, expected, 1.0)), 0.0)
    off = (data.counts - expected) * scale
    free = (theta > ON_EDGE) & (theta < 1 - ON_EDGE)
    tangent = by_root(tree, data.counts)[:, tree.root_of, None] * slopes(tree, theta) * scale[:, :, None]
    tangent = np.where(free[:, None, :], tangent, 0.0)
    residual = np.eye(p.shape[1]) - tangent @ np.linalg.pinv(tangent, rcond=1e-6)
    own = by_root(tree, data.parts)[:, tree.root_of] * p[data.table_of]
    scores = (data.parts - own) * scale[data.table_of]
    if merge is None:
        spread = residual @ _spread(data, scores) @ residual
    else:
        within = np.sqrt(np.maximum(expected @ merge, 1e-6))
        share = merge.T * np.sqrt(np.where(seen, expected, 0.0))[:, None, :] / within[:, :, None]
        off = np.einsum("ngc,nc->ng", share, off)
        spread = _spread(data, _projected(data, scores, share @ residual))
    total = np.maximum(data.counts.sum(1), 1)
    return Misfit(
        statistic=(off**2).sum(1),
        mean=np.einsum("ncc->n", spread),
        square=(spread**2).sum((1, 2)),
        moved=np.abs(data.counts - expected).sum(1) / (2 * total),
    )


def misfit_p(statistic: Floats, mean: Floats, square: Floats) -> Floats:
    """The p-value of a fit test; NaN where nothing is left to test."""
    tested = mean > EDGE
    scale = np.where(tested, square, 1.0) / np.where(tested, mean, 1.0)
    freedom = mean**2 / np.where(tested, square, 1.0)
    p = special.gammaincc(np.maximum(freedom, EDGE) / 2, statistic / (2 * scale))
    return np.where(tested, p, np.nan)
