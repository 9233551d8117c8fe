"""Where a loss sits: does it depend on a factor, on the order of options, on the number of pictures, on time?

For each such **aspect** the units of the loss are split by its levels (or ranked, for the call number), and the level
that loses most beyond the others is compared with what random reassignment gives: levels of whole items are exchanged
between items, levels within an item between its units. One test an aspect, Holm over the aspects; the statistic is the
largest standardised difference of any level. The permutations are seeded, sums are compared with a tolerance, and the
order of rows does not matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.contrasts import holm
from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.rows import factors

LEVEL = 0.02
DRAWS = 4000
LEAST = 5
"""Levels of fewer units than this are not looked at by themselves."""
MOST = 12
ORDER, PLACE, PICTURES, CALL = "option order", "place of the right option", "number of pictures", "call number"
ALPHABETICAL, BACKWARDS = "in alphabetical order", "in reverse alphabetical order"


@dataclass(frozen=True, slots=True)
class LossPlace:
    """Where a loss sits: an aspect and its level, what is lost there and elsewhere (shares), and the test (Holm over
    so many aspects). For the call number: the first and the last third of the exam."""

    aspect: str
    level: str
    there: float
    elsewhere: float
    p: float
    tests: int


@dataclass(frozen=True, slots=True)
class Losses:
    """What is lost, trial by trial (`lost`, luck taken out where the step takes it out), whose cluster it is of, and
    the rows of the trials with all their columns."""

    lost: Floats
    clusters: NDArray[np.intp]
    trials: pl.DataFrame


def step_losses(result: LadderResult, lower: RungResult | None, upper: RungResult, by_habit: bool) -> Losses:
    """The paired losses of one step. Those of the lowest step, slips, show on every rung: there all rungs count, each
    against its own mean."""
    if lower is None:
        parts = [_own_losses(result, rung, None, by_habit=False) for rung in result.line if rung.read.any()]
        mean = float(parts[0].lost.mean())
        return Losses(
            np.concatenate([part.lost - part.lost.mean() + mean for part in parts]),
            np.concatenate([part.clusters for part in parts]),
            pl.concat([part.trials for part in parts], how="diagonal_relaxed"),
        )
    return _own_losses(result, upper, lower, by_habit)


def _own_losses(result: LadderResult, upper: RungResult, lower: RungResult | None, by_habit: bool) -> Losses:
    both = (upper.read > 0) & (lower.read > 0 if lower else True)
    places = np.flatnonzero(both)
    above = upper.right[both] / upper.read[both]
    below = lower.right[both] / lower.read[both] if lower else np.ones(len(places))
    weight = 1.0 if by_habit else 1 / (1 - result.luck[both])
    # Without a unit on both rungs the list is empty, and polars could not tell its type.
    units = pl.Series("unit", [result.units[k] for k in places], upper.trials.schema["unit"])
    names = pl.DataFrame({"unit": units, "_place": np.arange(len(places))})
    first = upper.trials.unique("unit", keep="first", maintain_order=True)
    trials = names.join(first, on="unit", how="left").sort("_place")
    return Losses((below - above) * weight, result.clusters[both], trials)


def place_of(losses: Losses, seed: int) -> LossPlace | None:
    """The aspect that the loss depends on most, if any is shown."""
    if len(losses.lost) < 2 * LEAST or np.ptp(losses.lost) == 0:
        return None
    aspects = list(_aspects(losses.trials))
    if not aspects:
        return None
    permuted = _permuted(losses, np.random.default_rng([seed, len(losses.lost)]))
    tested = [_tested(losses, permuted, aspect) for aspect in aspects]
    adjusted = holm([p for _, _, p in tested])
    shown = [(size, place, p) for (size, place, _), p in zip(tested, adjusted, strict=True) if p < LEVEL]
    if not shown:
        return None
    _, place, p = max(shown, key=lambda one: one[0])
    return LossPlace(place.aspect, place.level, place.there, place.elsewhere, p, len(tested))


# Aspects


@dataclass(frozen=True, slots=True)
class _Aspect:
    name: str
    levels: tuple[str, ...]
    columns: Floats
    """Units x levels: what is compared with the loss."""


def _aspects(trials: pl.DataFrame) -> Iterator[_Aspect]:
    """Everything about the trials that differs between them."""
    for name in factors(trials):
        if name not in _NOT_ASPECTS:
            yield from _by_level(name, trials[name].cast(pl.String).fill_null("").to_list())
    labels = [list(own) if own is not None else [] for own in trials["labels"].to_list()]
    yield from _by_order(labels)
    keys = trials["key"].cast(pl.String).to_list()
    yield from _by_level(
        PLACE, [_ORDINALS[own.index(key)] if key in own[:6] else "" for own, key in zip(labels, keys, strict=True)]
    )
    if "pictures" in trials.columns:
        yield from _by_level(PICTURES, [str(n) if n is not None else "" for n in trials["pictures"].to_list()])
    if "nth" in trials.columns and trials["nth"].null_count() == 0 and trials["nth"].n_unique() > 2 * LEAST:
        ranks = trials["nth"].rank("average").to_numpy().astype(np.float64)
        yield _Aspect(CALL, ("later",), (ranks / len(ranks))[:, None])


_NOT_ASPECTS = {
    "subject",
    "item",
    "unit",
    "who",
    "paradigm",
    "cluster",
    "pack",
    "key",
    "answer",
    "exam",
    "trial",
    "judge",
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _by_order(labels: Sequence[Sequence[str]]) -> Iterator[_Aspect]:
    """In which of two orders the same two options are offered: all of them together, and each pair by itself."""
    orders = [tuple(own) if len(own) == 2 and not any(", " in label for label in own) else () for own in labels]
    known = set(orders)
    both = [bool(own) and own[::-1] in known for own in orders]
    if not any(both):
        return
    signs = np.array(
        [float(keep) * (1.0 if own == tuple(sorted(own)) else -1.0) for own, keep in zip(orders, both, strict=True)]
    )
    pairs = [own for own in sorted(known) if own and own == tuple(sorted(own)) and orders.count(own) >= LEAST]
    columns, levels = [signs], [ALPHABETICAL]
    for one in pairs if len(pairs) > 1 else ():
        columns.append(np.where([tuple(sorted(own)) == one for own in orders], signs, 0.0))
        levels.append(", ".join(one))
    yield _Aspect(ORDER, tuple(levels), np.column_stack(columns))


def _by_level(name: str, levels: Sequence[str]) -> Iterator[_Aspect]:
    known = sorted({level for level in levels if level and levels.count(level) >= LEAST})
    if len(set(levels)) < 2 or not known or len(known) > MOST:
        return
    columns = np.array([[float(level == one) for one in known] for level in levels])
    yield _Aspect(name, tuple(known), columns[:, :1] if len(set(levels)) == 2 == len(known) else columns)


# Permutations


@dataclass(frozen=True, slots=True)
class _Permuted:
    between: Floats
    """Draws x clusters: the mean losses of clusters, exchanged."""
    within: Floats
    """Draws x units: what units differ from their cluster's mean, exchanged within it."""


def _means(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    sizes = np.maximum(np.bincount(clusters), 1)
    return np.asarray(np.bincount(clusters, weights=values) / sizes)


def _permuted(losses: Losses, rng: np.random.Generator) -> _Permuted:
    clusters = losses.clusters
    means = _means(losses.lost, clusters)
    own = losses.lost - means[clusters]
    between = np.stack([means[rng.permutation(len(means))] for _ in range(DRAWS)])
    # Sorted by cluster and lot: units change places within their cluster only.
    order = np.argsort(clusters[None] + rng.random((DRAWS, len(own))), axis=1)
    back = np.argsort(clusters, kind="stable")
    within = np.empty_like(order, dtype=np.float64)
    within[:, back] = own[order]
    return _Permuted(between, within)


def _tested(losses: Losses, permuted: _Permuted, aspect: _Aspect) -> tuple[float, LossPlace, float]:
    """The standardised size of the aspect's largest difference, where it is, and its permutation p."""
    clusters = losses.clusters
    sizes = np.maximum(np.bincount(clusters), 1)
    centred = aspect.columns - aspect.columns.mean(0)
    means = np.stack([_means(column, clusters) for column in centred.T], axis=1)
    apart = centred - means[clusters]
    weighted = means * sizes[:, None]
    drawn = permuted.between @ weighted + permuted.within @ apart
    middle, spread = drawn.mean(0), np.maximum(drawn.std(0), 1e-9)
    seen = (losses.lost[:, None] * centred).sum(0)
    sizes_seen = np.abs((seen - middle) / spread)
    sizes_drawn = np.abs((drawn - middle) / spread).max(1)
    k = int(np.argmax(np.round(sizes_seen, 9)))
    p = float((1 + (sizes_drawn >= sizes_seen[k] - 1e-9).sum()) / (1 + DRAWS))
    return float(sizes_seen[k]), _described(losses, aspect, k, bool(seen[k] > middle[k])), p


def _described(losses: Losses, aspect: _Aspect, k: int, more: bool) -> LossPlace:
    column = aspect.columns[:, k]
    if aspect.name == CALL:
        late, early = column > 2 / 3, column <= 1 / 3
        there, elsewhere = float(losses.lost[late].mean()), float(losses.lost[early].mean())
        return LossPlace(CALL, "later" if more else "earlier", there, elsewhere, 0.0, 0)
    if aspect.name == ORDER:
        level = aspect.levels[k] if more else _turned(aspect.levels[k])
        one, other = (losses.lost[column == sign] for sign in ((1.0, -1.0) if more else (-1.0, 1.0)))
        return LossPlace(ORDER, level, float(one.mean()), float(other.mean()), 0.0, 0)
    inside = column > 0.5
    if not more and aspect.columns.shape[1] == 1 and len(aspect.levels) == 2:
        k, inside = 1, ~inside
    return LossPlace(
        aspect.name, aspect.levels[k], float(losses.lost[inside].mean()), float(losses.lost[~inside].mean()), 0.0, 0
    )


def _turned(order: str) -> str:
    return BACKWARDS if order == ALPHABETICAL else ", ".join(reversed(order.split(", ")))
