"""A grid of patches: does sight come and go with the place, and every how many pixels?

Letters stand at many offsets from the middle, at sizes near the threshold, where a little more or less shows. What
counts is by how much an answer was better than answers to its like are on the whole, wherever they stood; alike are the
same letter in the same size, for some letters are easier than others. Does that follow a wave over the offsets (with
its first overtones, for seams are sharp)? All periods are tried, and the best of them is held against the best of as
many shuffled exams: offsets dealt anew among charts that are alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.tasks.acuity.study.places import UNLIKE
from snellen.tasks.acuity.study.spots import offset

Floats = NDArray[np.float64]
KNOWN = (14, 16, 28, 32, 56, 64)
"""Patches of today's models, alone or merged two by two: named where no other of these explains the answers as well."""
_SHORTEST, _LONGEST = 10, 64
_ROUNDS = 2
"""A period must come round so often within the offsets asked."""
_OVERTONES = 3
_AS_WELL = 12.0
"""Periods that explain the answers to within this much of the best (chi-square) are not told apart from it."""
_HALF_AS_WELL = 6.0
"""One that is to stand for its multiples must come nearer: it has part of their waves, and cannot but explain much."""
_SURELY = 0.002
"""A size is named where chance makes a grid look so clear with less than this."""
_TIMES = 999
_LEAST_PLACES, _LEAST_TRIALS = 16, 64


@dataclass(frozen=True, slots=True)
class Period:
    """Whether sight comes and goes with the place, and every how many pixels. `p`: how often an exam of somebody whom
    places are all the same to looks so. `period` is None where there is no grid, or where its size cannot be told;
    `between`: the least and the most it may be then, or the several stretches it may lie in."""

    p: float
    period: int | None
    between: tuple[tuple[int, int], ...]

    @property
    def grid(self) -> bool:
        return self.p < UNLIKE


def period(letters: pl.DataFrame) -> Period | None:
    """What answers at offsets say; None where too few were asked to tell any period."""
    read = letters.filter(pl.col("outcome") != "unread")
    at = np.array([-1 if (off := offset(str(place))) is None else off for place in read["place"]], np.int64)
    right = (read["outcome"] == "right").to_numpy().astype(np.float64)
    sizes, keys = (read[name].cast(pl.String).to_numpy().astype(np.str_) for name in ("level", "key"))
    graded = (at >= 0) & (sizes != "blank")
    alike = np.char.add(np.char.add(sizes, " "), keys)
    return of_answers(at[graded], alike[graded], right[graded])


def of_answers(at: NDArray[np.int64], alike: NDArray[np.str_], right: Floats) -> Period | None:
    """The same, of answers at these offsets; `alike`: charts of the same name are, but for where the letter stands."""
    places = np.unique(at)
    if len(at) < _LEAST_TRIALS or len(places) < _LEAST_PLACES:
        return None
    longest = min(_LONGEST, int(places[-1] - places[0] + 1) // _ROUNDS)
    tried = range(_SHORTEST, longest + 1)
    kinds = np.unique(alike, return_inverse=True)[1]
    away = right - _means(right, kinds)
    spread = _means(np.square(away), kinds)
    if not tried or not spread.any():
        return None
    waves = np.stack([_waves(tuple(at.tolist()), each) for each in tried])  # period, trial, wave
    waves = waves - np.stack([[_means(wave, kinds) for wave in each.T] for each in waves]).transpose(0, 2, 1)
    weights = np.stack([np.linalg.pinv(each.T @ (each * spread[:, None]), rcond=1e-6) for each in waves])
    found = _explained(away[None, :], waves, weights)[:, 0]
    chance = _explained(_dealt(away, kinds), waves, weights).max(axis=0)
    p = float((1 + np.count_nonzero(chance >= found.max() - 1e-9)) / (1 + _TIMES))
    if p >= UNLIKE:
        return Period(p, None, ())
    if p > _SURELY:
        return Period(p, None, ((tried[0], tried[-1]),))
    short = dict(zip(tried, found.max() - found, strict=True))
    return _told(p, {each: off for each, off in short.items() if off < _AS_WELL})


def _means(values: Floats, kinds: NDArray[np.int64]) -> Floats:
    """For every trial the mean of its kind."""
    sums, counts = np.bincount(kinds, values), np.bincount(kinds)
    return np.asarray((sums / counts)[kinds])


@lru_cache(maxsize=128)
def _waves(at: tuple[int, ...], period: int) -> Floats:
    turns = 2 * np.pi * np.array(at) / period
    each = [wave(k * turns) for k in range(1, _OVERTONES + 1) for wave in (np.cos, np.sin)]
    return np.stack(each, axis=1)


def _dealt(away: Floats, kinds: NDArray[np.int64]) -> Floats:
    """Exams in which the answers to charts that are alike were given at other offsets of theirs."""
    chances = np.random.default_rng(len(away))
    dealt = np.tile(away, (_TIMES, 1))
    for kind in np.unique(kinds):
        own = np.flatnonzero(kinds == kind)
        dealt[:, own] = chances.permuted(dealt[:, own], axis=1)
    return dealt


def _explained(away: Floats, waves: Floats, weights: Floats) -> Floats:
    """How much each period explains of each exam: a score test, chi-square where there is no grid."""
    each = np.einsum("en,pnw->pew", away, waves, optimize=True)
    return np.asarray(np.einsum("pew,pwv,pev->pe", each, weights, each, optimize=True))


def _told(p: float, alike: Mapping[int, float]) -> Period:
    """What can be said of periods that explain the answers about equally well, each with what it lacks. What repeats
    every 16 px repeats every 32, too: of a period and its multiples the shortest is meant."""
    stand = [each for each, short in alike.items() if short < _HALF_AS_WELL]
    shortest = [each for each in alike if not any(_multiple(each, other) for other in stand)]
    lobes: list[tuple[int, int]] = []
    for each in shortest:
        if lobes and each == lobes[-1][1] + 1:
            lobes[-1] = (lobes[-1][0], each)
        else:
            lobes.append((each, each))
    known = [each for each in KNOWN if any(low <= each <= high for low, high in lobes)]
    ((low, high), *others) = lobes
    if not others and (low == high or len(known) == 1):
        return Period(p, low if low == high else known[0], ())
    return Period(p, None, tuple(lobes))


def _multiple(long: int, short: int) -> bool:
    """Whether a period is about a multiple of another, as far as whole pixels tell."""
    times = round(long / short)
    return times >= 2 and abs(long - times * short) < 2 * times
