"""Observers of one feature: what each has learned, tested on items it has not seen."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.item import content_digest

Feature = str | int | float
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FOLDS = 10
MANY = 12
"""A numeric feature with more values than this is cut into bins and at a threshold."""
BINS = 8


@dataclass(frozen=True, slots=True)
class Trials:
    """Keys by number, the fold of each trial, and its weight: every item counts once, however often it was asked."""

    keys: Ints
    folds: Ints
    weights: Floats
    classes: int

    def mean(self, credit: Floats) -> float:
        return round(float(credit @ self.weights), 12)  # so that all right is exactly 1


def trials(items: Sequence[str], keys: Sequence[str]) -> Trials:
    """The trials of these items. Folds are made by item and balanced by key, in an order that is nobody's choice."""
    first: dict[str, str] = {}
    for item, key in zip(items, keys, strict=True):
        first.setdefault(item, key)
    order = sorted(first, key=lambda item: (first[item], content_digest(item)))
    fold = {item: place % FOLDS for place, item in enumerate(order)}
    asked = Counter(items)
    names, numbers = np.unique(np.array(keys), return_inverse=True)
    return Trials(
        numbers.astype(np.int64),
        np.array([fold[item] for item in items]),
        np.array([1 / asked[item] / len(asked) for item in items]),
        len(names),
    )


def observers(name: str, column: Sequence[Feature | None], known: Trials) -> Iterator[tuple[str, float, float]]:
    """Every observer that goes by this feature, with its accuracy cross-validated and on what it learned from."""
    values = set(column)
    if len(values) <= MANY or not all(isinstance(value, int | float) for value in values):
        yield name, *_by_value(_codes(column), known)
        return
    numbers = np.array(column, dtype=np.float64)
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, BINS + 1)[1:-1]))
    yield f"{name} (bins)", *_by_value(np.searchsorted(edges, numbers), known)
    yield f"{name} (threshold)", *_by_threshold(numbers, known)


def _codes(column: Sequence[Feature | None]) -> Ints:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
    return np.array([numbers[value] for value in column])


def _by_value(codes: Ints, known: Trials) -> tuple[float, float]:
    """Say what was most frequent for this value."""
    counts = np.zeros((FOLDS, int(codes.max()) + 1, known.classes), dtype=np.int64)
    np.add.at(counts, (known.folds, codes, known.keys), 1)
    seen = counts.sum(axis=0)[codes]
    unseen_fold = counts[known.folds, codes]
    return known.mean(_credit(seen - unseen_fold, known.keys)), known.mean(_credit(seen, known.keys))


def _by_threshold(numbers: Floats, known: Trials) -> tuple[float, float]:
    """Say what was most frequent on this side of the cut that parts the answers best."""
    credit = np.zeros(len(numbers))
    for fold in range(FOLDS):
        test = known.folds == fold
        if test.any() and not test.all():
            credit[test] = _cut_credit(numbers, known, ~test, test)
    everything = np.ones(len(numbers), dtype=np.bool_)
    return known.mean(credit), known.mean(_cut_credit(numbers, known, everything, everything))


def _cut_credit(numbers: Floats, known: Trials, learn: NDArray[np.bool_], test: NDArray[np.bool_]) -> Floats:
    order = np.argsort(numbers[learn], kind="stable")
    values, keys = numbers[learn][order], known.keys[learn][order]
    below = np.cumsum(np.eye(known.classes, dtype=np.int64)[keys], axis=0)
    right = below.max(axis=1) + (below[-1] - below).max(axis=1)
    right[:-1][values[:-1] == values[1:]] = -1  # no cut between equal values
    best = int(right.argmax())
    sides = np.stack([below[best], below[-1] - below[best]])
    return _credit(sides[(numbers[test] > values[best]).astype(np.int64)], known.keys[test])


def _credit(counts: Ints, keys: Ints) -> Floats:
    """1 where the most frequent answer is the key, a share of it where several are equally frequent."""
    best = counts == counts.max(axis=1, keepdims=True)
    right = best[np.arange(len(keys)), keys] / best.sum(axis=1)
    return np.asarray(right, dtype=np.float64)
