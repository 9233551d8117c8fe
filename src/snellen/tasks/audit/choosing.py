"""Observers of the options, where every question offers others: which one is right, going by what it says?

Options change places, so who learns which place is right learns nothing. Who learns that the longest is right, the
smallest number but one, the one most like the others, or the one with "only" in it, may.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.tasks.audit.guessing import Feature, Floats, Guesses, Ints, Mask, Trials, shared_credit
from snellen.tasks.audit.learning import START, regressed, vectors_of

CAUTION = 4.0
"""A value is believed to be right as often as others until it was offered about so many times."""


@dataclass(frozen=True, slots=True)
class Offers:
    """All options of all trials in one row: whose each is, in which place, and whether it is right."""

    owner: Ints
    place: Ints
    right: Ints

    @classmethod
    def of(cls, counts: Sequence[int], right: Ints) -> "Offers":
        owner = np.repeat(np.arange(len(counts)), counts)
        return cls(owner, np.concatenate([np.arange(count) for count in counts]), right)

    @property
    def hit(self) -> Floats:
        return np.asarray(self.right[self.owner] == self.place, np.float64)

    def credit(self, scores: Floats, test: Mask) -> Floats:
        """The credit of whoever takes the option with the highest score; `scores` are of the tested trials' options."""
        asked = test[self.owner]
        table = np.full((len(test), int(self.place.max()) + 1), -np.inf)
        table[self.owner[asked], self.place[asked]] = scores
        return shared_credit(table[test], self.right[test])


def ranks(values: Sequence[float | None]) -> list[Feature]:
    """The rank of each value among the others, counted from the nearer end: 0 is the smallest, -1 the largest.

    Equal values have one rank; where there is but one value, or none at all, nobody has any.
    """
    levels = sorted({value for value in values if value is not None})
    if len(levels) < 2:
        return [""] * len(values)
    rank = {value: place if place < len(levels) // 2 else place - len(levels) for place, value in enumerate(levels)}
    return ["" if value is None else rank[value] for value in values]


def by_option(name: str, seen: Sequence[Sequence[Feature]], right: Ints, trials: Trials) -> Iterator[Guesses]:
    """An observer that takes the option whose value was right most often; none where options never differ."""
    if all(len(set(values)) < 2 for values in seen):
        return
    offers = Offers.of([len(values) for values in seen], right)
    numbers: dict[Feature, int] = {}
    codes = np.array([numbers.setdefault(value, len(numbers)) for values in seen for value in values])
    hit, credit = offers.hit, trials.unguessed()
    for learn, test in trials.rounds():
        taught, asked = learn[offers.owner], test[offers.owner]
        offered = np.bincount(codes[taught], minlength=len(numbers))
        hits = np.bincount(codes[taught], hit[taught], minlength=len(numbers))
        rates = (hits + CAUTION * hit[taught].mean()) / (offered + CAUTION)
        credit[test] = offers.credit(rates[codes[asked]], test)
    yield Guesses(name, credit)


def by_words(name: str, seen: Sequence[Sequence[tuple[str, ...]]], right: Ints, trials: Trials) -> Iterator[Guesses]:
    """Observers that score every option by all its words, and by the one word that parted right from wrong best."""
    offers = Offers.of([len(bags) for bags in seen], right)
    vectors = vectors_of([words for bags in seen for words in bags])
    if not vectors.size:
        return
    hit, together, alone = offers.hit, trials.unguessed(), trials.unguessed()
    for learn, test in trials.rounds(START):
        taught, asked = learn[offers.owner], test[offers.owner]
        given, wanted = vectors[taught], hit[taught]
        together[test] = offers.credit(regressed(given, wanted[:, None], vectors[asked], scaled=False)[:, 0], test)
        counts = given.sum(axis=0)
        surplus = given.T @ wanted - counts * wanted.mean()
        best = int((surplus**2 / np.maximum(counts, CAUTION)).argmax())
        alone[test] = offers.credit(np.sign(surplus[best]) * vectors[asked, best], test)
    yield Guesses(f"{name} (bag of words)", together)
    yield Guesses(f"{name} (one word)", alone)
