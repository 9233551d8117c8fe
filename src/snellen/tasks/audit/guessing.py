"""Observers of one feature: each guesses items it has not seen by what it learned from others.

Items are dealt into ten folds, balanced by key, and **every fold is guessed from the folds before it**. In the usual
cross-validation all folds learn from one another, so their guesses go wrong together and no test of their sum is exact;
here a guess depends on the past alone, and under chance the right ones are counted like tosses of a coin.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.item import content_digest

Feature = str | int | float
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FOLDS = 10
MANY = 12
"""A numeric feature with more values than this is cut into bins and at a threshold."""
BINS = 8


@dataclass(frozen=True, slots=True)
class Trials:
    """Keys by number, and the fold and the cluster of each trial. A cluster lies in one fold."""

    keys: Ints
    folds: Ints
    clusters: Ints
    classes: int

    def rounds(self, start: int = 1) -> Iterator[tuple[Mask, Mask]]:
        """What is learned from and what is guessed, fold after fold, once so many folds have been seen."""
        for fold in range(start, FOLDS):
            learn, test = self.folds < fold, self.folds == fold
            if learn.any() and test.any():
                yield learn, test

    def unguessed(self) -> Floats:
        """The credit of an observer that has not guessed yet."""
        return np.full(len(self.keys), np.nan)


@dataclass(frozen=True, slots=True)
class Guesses:
    """What an observer achieved: its credit for each trial (nan where it only learned) and, if it is simple enough to
    say, the accuracy on the very items it learned from."""

    observer: str
    credit: Floats
    fitted: float | None = None


def trials(clusters: Sequence[str], keys: Sequence[str]) -> Trials:
    """The trials of these clusters, in folds made by cluster, balanced by key, in an order that is nobody's choice."""
    first: dict[str, str] = {}
    for cluster, key in zip(clusters, keys, strict=True):
        first.setdefault(cluster, key)
    order = sorted(first, key=lambda cluster: (first[cluster], content_digest(cluster)))
    place = {cluster: number for number, cluster in enumerate(order)}
    codes = np.array([place[cluster] for cluster in clusters])
    names, numbers = np.unique(np.array(keys), return_inverse=True)
    return Trials(numbers.astype(np.int64), codes % FOLDS, codes, len(names))


def guesses(name: str, column: Sequence[Feature | None], trials: Trials) -> Iterator[Guesses]:
    """All guesses that one feature allows."""
    values = set(column)
    if len(values) <= MANY or not all(isinstance(value, int | float) for value in values):
        yield Guesses(name, *_by_value(_codes(column), trials))
        return
    numbers = np.array(column, dtype=np.float64)
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, BINS + 1)[1:-1]))
    yield Guesses(f"{name} (bins)", *_by_value(np.searchsorted(edges, numbers), trials))
    yield Guesses(f"{name} (threshold)", *_by_threshold(numbers, trials))


def _codes(column: Sequence[Feature | None]) -> Ints:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
    return np.array([numbers[value] for value in column])


def _by_value(codes: Ints, trials: Trials) -> tuple[Floats, float]:
    """Guess the most frequent key of this value."""
    counts = np.zeros((FOLDS, int(codes.max()) + 1, trials.classes))
    np.add.at(counts, (trials.folds, codes, trials.keys), 1)
    seen = np.cumsum(counts, axis=0) - counts
    credit = shared_credit(_with_prior(seen)[trials.folds, codes], trials.keys)
    credit[trials.folds == 0] = np.nan
    return credit, float(shared_credit(counts.sum(axis=0)[codes], trials.keys).mean())


def _with_prior(counts: Floats) -> Floats:
    """Counts in which ties, above all between values never met, go to what is most frequent on the whole."""
    overall = counts.sum(axis=-2, keepdims=True)
    return np.asarray(counts + overall / (overall.sum(axis=-1, keepdims=True) + 1), np.float64)


def _by_threshold(numbers: Floats, trials: Trials) -> tuple[Floats, float]:
    """Guess the most frequent key on this side of the best threshold."""
    credit = trials.unguessed()
    for learn, test in trials.rounds():
        credit[test] = _cut_credit(numbers, trials, learn, test)
    everything = np.ones(len(numbers), dtype=np.bool_)
    return credit, float(_cut_credit(numbers, trials, everything, everything).mean())


def _cut_credit(numbers: Floats, trials: Trials, learn: Mask, test: Mask) -> Floats:
    order = np.argsort(numbers[learn], kind="stable")
    values, keys = numbers[learn][order], trials.keys[learn][order]
    below = np.cumsum(np.eye(trials.classes, dtype=np.int64)[keys], axis=0)
    right = below.max(axis=1) + (below[-1] - below).max(axis=1)
    right[:-1][values[:-1] == values[1:]] = -1  # no cut between equal values
    best = int(right.argmax())
    sides = np.stack([below[best], below[-1] - below[best]])
    return shared_credit(sides[(numbers[test] > values[best]).astype(np.int64)], trials.keys[test])


def shared_credit(scores: NDArray[np.float64] | Ints, keys: Ints) -> Floats:
    """1 where the highest score is the key's, a share of it where several are equally high."""
    best = scores == scores.max(axis=1, keepdims=True)
    right = best[np.arange(len(keys)), keys] / best.sum(axis=1)
    return np.asarray(right, dtype=np.float64)
