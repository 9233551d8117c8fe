"""Where a loss sits: does it depend on a factor, on the order of options, on the number of pictures, on time?

For each such **aspect** the units of the loss are split by its levels (or ranked, for the call number), and the level
that loses most beyond the others is compared with what random reassignment gives: levels of whole items are exchanged
between items, levels within an item between its units. One test an aspect, Holm over the aspects; the statistic is the
largest standardised difference of any level. The permutations are seeded, sums are compared with a tolerance, and the
order of rows does not matter.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis.contrasts import holm
from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.analysis.rows import factors

LEVEL = 0.02
DRAWS, FEWER_DRAWS = 4000, 1000
"""Reassignments; fewer in a task of very many trials, where a p is seldom near the level."""
AT_ONCE = 1 << 18
"""Random numbers in memory at a time."""
COUNTED = 10
"""Members of a cluster whose places are counted."""
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


def place_of(losses: Losses, seed: int, draws: int = DRAWS) -> LossPlace | None:
    """The aspect that the loss depends on most, if any is shown."""
    if len(losses.lost) < 2 * LEAST or np.ptp(losses.lost) == 0:
        return None
    aspects = list(_aspects(losses.trials))
    if not aspects:
        return None
    drawn = _drawn(losses, aspects, np.random.default_rng([seed, len(losses.lost)]), draws)
    tested = [_tested(losses, sums, aspect) for aspect, sums in zip(aspects, drawn, strict=True)]
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
    columns: NDArray[Any]
    """Units x levels: what is compared with the loss."""


def _aspects(trials: pl.DataFrame) -> Iterator[_Aspect]:
    """Everything about the trials that differs between them."""
    for name in factors(trials):
        if name not in _NOT_ASPECTS:
            yield from _by_level(name, trials[name].cast(pl.String).fill_null(""))
    yield from _by_order(trials["labels"])
    first = pl.col("labels").list.head(len(_ORDINALS)).list
    key = pl.col("key").cast(pl.String)
    ordinal = pl.coalesce(
        *(pl.when(first.get(k, null_on_oob=True) == key).then(pl.lit(name)) for k, name in enumerate(_ORDINALS)),
        pl.lit(""),
    )
    yield from _by_level(PLACE, trials.select(ordinal).to_series())
    if "pictures" in trials.columns:
        yield from _by_level(PICTURES, trials["pictures"].cast(pl.String).fill_null(""))
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


def _by_order(labels: pl.Series) -> Iterator[_Aspect]:
    """In which of two orders the same two options are offered: all of them together, and each pair by itself."""
    counts: Counter[tuple[str, ...]] = Counter()
    codes, distinct = _coded(labels)
    orders = [tuple(own) if len(own) == 2 and not any(", " in label for label in own) else () for own in distinct]
    for own, count in zip(orders, np.bincount(codes, minlength=len(orders)), strict=True):
        counts[own] += int(count)
    both = [bool(own) and own[::-1] in counts for own in orders]
    if not any(both):
        return
    sign_of = [int(keep) * (1 if own == tuple(sorted(own)) else -1) for own, keep in zip(orders, both, strict=True)]
    signs = np.array(sign_of, dtype=np.int8)
    pairs = [own for own in sorted(counts) if own and own == tuple(sorted(own)) and counts[own] >= LEAST]
    columns, levels = [signs], [ALPHABETICAL]
    for one in pairs if len(pairs) > 1 else ():
        columns.append(np.where([tuple(sorted(own)) == one for own in orders], signs, np.int8(0)))
        levels.append(", ".join(one))
    yield _Aspect(ORDER, tuple(levels), np.column_stack(columns)[codes])


def _coded(labels: pl.Series) -> tuple[NDArray[np.intp], list[list[str]]]:
    """Each trial's place among the distinct lists of labels, and these; a trial without labels has an empty one."""
    joined = labels.cast(pl.List(pl.String)).fill_null([]).to_frame("labels")
    distinct = joined.unique(maintain_order=True).with_row_index("place")
    places = joined.join(distinct, on="labels", how="left", maintain_order="left")["place"]
    return places.to_numpy().astype(np.intp), distinct["labels"].to_list()


def _by_level(name: str, levels: pl.Series) -> Iterator[_Aspect]:
    counts = dict(levels.value_counts().iter_rows())
    known = sorted(level for level, count in counts.items() if level and count >= LEAST)
    if len(counts) < 2 or not known or len(known) > MOST:
        return
    columns = np.column_stack([(levels == one).to_numpy() for one in known]).astype(np.int8)
    yield _Aspect(name, tuple(known), columns[:, :1] if len(counts) == 2 == len(known) else columns)


# Permutations


def _means(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    sizes = np.maximum(np.bincount(clusters), 1)
    return np.asarray(np.bincount(clusters, weights=values) / sizes)


def _drawn(losses: Losses, aspects: Sequence[_Aspect], rng: np.random.Generator, draws: int) -> list[Floats]:
    """For each aspect the sums (draws x levels) that random reassignment gives: mean losses of clusters are exchanged
    between clusters, what units differ from their cluster's mean within it. A few draws at a time are in memory."""
    clusters = losses.clusters
    sizes = np.maximum(np.bincount(clusters), 1)
    means = _means(losses.lost, clusters)
    own = losses.lost - means[clusters]
    weighted, apart = [], []
    for aspect in aspects:
        centred = aspect.columns - aspect.columns.mean(0)
        middles = np.stack([_means(column, clusters) for column in centred.T], axis=1)
        weighted.append(middles * sizes[:, None])
        apart.append(centred - middles[clusters])
    widths = [part.shape[1] for part in weighted]
    between, exchange = np.hstack(weighted), _Exchange(own, clusters, np.hstack(apart))
    del weighted, apart
    sums = np.empty((draws, sum(widths)))
    for some in _blocks(draws, len(means)):
        sums[some] = np.stack([rng.permutation(means) for _ in range(draws)[some]]) @ between
    for some in _blocks(draws, len(own)) if exchange.runs else ():
        sums[some] += exchange.sums(rng.random((len(range(draws)[some]), len(own))))
    return np.hsplit(sums, np.cumsum(widths)[:-1])


def _blocks(draws: int, width: int) -> Iterator[slice]:
    """The draws, as many at a time as fit into memory with so many numbers each."""
    step = max(AT_ONCE // max(width, 1), 1)
    return (slice(start, min(start + step, draws)) for start in range(0, draws, step))


class _Exchange:
    """Sums over units of what each differs from its cluster's mean, times `within`, when by lot units change places
    within their cluster. `runs`: the clusters of each size (members x clusters) in which units do differ."""

    def __init__(self, own: Floats, clusters: NDArray[np.intp], within: Floats) -> None:
        differing = np.bincount(clusters, weights=own != 0) > 0
        sizes = np.bincount(clusters)
        order = np.argsort(clusters, kind="stable")
        order = order[differing[clusters[order]]]
        members = sizes[clusters[order]]
        self.runs = [order[members == size].reshape(-1, size).T for size in np.unique(members)]
        self._parts = [(own[run], within[run]) for run in self.runs]

    def sums(self, lots: Floats) -> Floats:
        """Draws x columns of `within`; `lots`: draws x units."""
        parts = zip(self.runs, self._parts, strict=True)
        sums = [_exchanged([lots.take(one, axis=1) for one in run], *part) for run, part in parts]
        return np.asarray(np.sum(sums, axis=0))


def _exchanged(lots: Sequence[Floats], own: Floats, within: Floats) -> Floats:
    """The sums of clusters of one size. In small ones a member's place is counted, which is quicker than to sort so
    many short lists. Who takes which place follows from all members and places but the last, so these are left out."""
    size = len(own)
    if size > COUNTED:
        placed = np.take_along_axis(own[None], np.argsort(np.stack(lots, axis=1), axis=1), axis=1)
        return np.asarray(placed.reshape(len(placed), -1) @ within.reshape(-1, within.shape[2]))
    places = np.zeros((size - 1, *lots[0].shape), dtype=np.int8)
    for one in range(size):
        for other in range(one):
            later = lots[one] > lots[other]
            places[other] += ~later
            if one < size - 1:
                places[one] += later
    last, end = own[-1], within[-1]
    totals = end * (own.sum(0) - size * last)[:, None] + last[:, None] * within.sum(0)
    sums, is_there = totals.sum(0)[None].repeat(len(lots[0]), axis=0), np.empty(lots[0].shape)
    for one in range(size - 1):
        for place in range(size - 1):
            np.copyto(is_there, places[one] == place)
            sums += is_there @ ((own[one] - last)[:, None] * (within[place] - end))
    return np.asarray(sums)


# The test


def _tested(losses: Losses, drawn: Floats, aspect: _Aspect) -> tuple[float, LossPlace, float]:
    """The standardised size of the aspect's largest difference, where it is, and its permutation p."""
    centred = aspect.columns - aspect.columns.mean(0)
    middle, spread = drawn.mean(0), np.maximum(drawn.std(0), 1e-9)
    seen = (losses.lost[:, None] * centred).sum(0)
    sizes_seen = np.abs((seen - middle) / spread)
    sizes_drawn = np.abs((drawn - middle) / spread).max(1)
    k = int(np.argmax(np.round(sizes_seen, 9)))
    p = float((1 + (sizes_drawn >= sizes_seen[k] - 1e-9).sum()) / (1 + len(drawn)))
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
