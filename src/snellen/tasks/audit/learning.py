"""Observers that learn: a ridge regression on a vector of features, and the one of many that parts the keys best.

What many features say a little of each, the regression finds; what one alone says, the choice of the best finds sooner.

They have more to learn than an observer of one feature, so they guess only once four folds of ten have been seen.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.audit.guessing import MANY, Floats, Guesses, Ints, Mask, Trials, shared_credit

Pixels = NDArray[np.uint8]

START = 4
COMMON = 400
"""Of a bag of words, so many of the most frequent words are looked at."""


def bag(name: str, texts: Sequence[Sequence[str]], trials: Trials) -> Iterator[Guesses]:
    """Observers of which words are there; none where all have the same."""
    vectors = vectors_of(texts)
    yield from probe(f"{name} (bag of words)", vectors, trials, scaled=False)
    yield from single(f"{name} (one word)", vectors.astype(np.uint8), trials)


def vectors_of(texts: Sequence[Sequence[str]]) -> Floats:
    """Which of the common words each text has, of those that not all have."""
    counts: dict[str, int] = {}
    for text in texts:
        for word in set(text):
            counts[word] = counts.get(word, 0) + 1
    telling = (word for word, count in counts.items() if 1 < count < len(texts))
    places = {word: i for i, word in enumerate(sorted(telling, key=lambda word: (-counts[word], word))[:COMMON])}
    vectors = np.zeros((len(texts), len(places)))
    for row, text in enumerate(texts):
        vectors[row, [places[word] for word in text if word in places]] = 1
    return vectors


def probe(name: str, vectors: Floats, trials: Trials, *, scaled: bool = True) -> Iterator[Guesses]:
    """An observer that goes by the sum of what every feature says; none where no feature varies."""
    vectors = vectors[:, vectors.min(axis=0) < vectors.max(axis=0)]
    if not vectors.size:
        return
    credit = trials.unguessed()
    for learn, test in trials.rounds(START):
        scores = regressed(vectors[learn], np.eye(trials.classes)[trials.keys[learn]], vectors[test], scaled=scaled)
        credit[test] = shared_credit(scores, trials.keys[test])
    yield Guesses(name, credit)


def regressed(given: Floats, wanted: Floats, asked: Floats, *, scaled: bool) -> Floats:
    """A linear regression of the classes that is held back by as much as an average item weighs.

    It takes as many equations as there are features or, in its dual form, items: whichever are fewer.
    """
    centre = given.mean(axis=0)
    spread = given.std(axis=0) if scaled else 1.0
    width = np.where(spread > 0, spread, np.inf)
    train, test = (given - centre) / width, (asked - centre) / width
    weight = max(float((train**2).sum()) / len(train), 1e-12)
    frequent = wanted.mean(axis=0)
    items, features = train.shape
    if features < items:
        slopes = np.linalg.solve(train.T @ train + weight * np.eye(features), train.T @ (wanted - frequent))
    else:
        slopes = train.T @ np.linalg.solve(train @ train.T + weight * np.eye(items), wanted - frequent)
    scores = test @ slopes + frequent
    return np.asarray(np.round(scores, 9), np.float64)


def single(name: str, values: Pixels, trials: Trials) -> Iterator[Guesses]:
    """An observer of the one value (of trials x values) that parted the keys best so far: it takes the nearest mean."""
    if trials.classes > MANY or not values.size or (values == values[:1]).all():
        return
    credit = trials.unguessed()
    tally = _Tally.empty(trials.classes, values.shape[1])
    seen: Mask = np.zeros(len(values), dtype=np.bool_)
    for learn, test in trials.rounds(START):
        tally.add(values[learn & ~seen], trials.keys[learn & ~seen])
        seen = learn
        best = int(tally.parted().argmax())
        means = tally.sums[:, best] / np.maximum(tally.counts, 1)
        distance = np.abs(values[test, best].astype(np.float64)[:, None] - means)
        distance[:, tally.counts == 0] = np.inf
        credit[test] = shared_credit(-distance, trials.keys[test])
    yield Guesses(name, credit)


class _Tally:
    """Sums over pictures, class by class, from which the variance between classes follows."""

    def __init__(self, counts: Ints, sums: Floats, squares: Floats) -> None:
        self.counts, self.sums, self.squares = counts, sums, squares

    @classmethod
    def empty(cls, classes: int, size: int) -> "_Tally":
        return cls(np.zeros(classes, np.int64), np.zeros((classes, size)), np.zeros(size))

    def add(self, values: Pixels, keys: Ints) -> None:
        for key in np.unique(keys):
            rows = values[keys == key]
            self.counts[key] += len(rows)
            self.sums[key] += rows.sum(axis=0, dtype=np.uint32)
        for row in values:
            self.squares += np.square(row, dtype=np.uint16)

    def parted(self) -> Floats:
        """Which share of the variance lies between the classes, value by value."""
        filled = self.counts > 0
        middle = self.sums.sum(axis=0) ** 2 / self.counts.sum()
        between = (self.sums[filled] ** 2 / self.counts[filled, None]).sum(axis=0) - middle
        total = self.squares - middle
        return np.asarray(np.divide(between, total, out=np.zeros_like(total), where=total > 0.5), np.float64)
