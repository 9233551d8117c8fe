"""The checker: does the concept part the pictures, and does no other fact or its absence part those that are shown?

It knows nothing of how a problem was made: it reads twins. The queries are left out of the search, as whoever is asked
does not know their sides.
"""

from collections.abc import Iterator, Sequence

from snellen.tasks.bongard.natural.concepts import NaturalConcept
from snellen.tasks.bongard.natural.draw import twin
from snellen.tasks.bongard.natural.facts import Fact, facts
from snellen.tasks.bongard.problem import Panel

_SAME = {
    "actor": ("actor", "patient"),
    "patient": ("actor", "patient"),
}


def holds(concept: NaturalConcept, panel: Panel) -> bool:
    return concept in facts(twin(panel))


def parts(concept: NaturalConcept, positives: Sequence[Panel], negatives: Sequence[Panel]) -> bool:
    """Whether the concept holds in all positives and in no negative."""
    return all(holds(concept, panel) for panel in positives) and not any(holds(concept, panel) for panel in negatives)


def rivals(concept: NaturalConcept, positives: Sequence[Panel], negatives: Sequence[Panel]) -> Iterator[Fact]:
    """Every fact of another meaning that holds on one side throughout and nowhere on the other."""
    inside, outside = ([facts(twin(panel)) for panel in side] for side in (positives, negatives))
    for here, there in ((inside, outside), (outside, inside)):
        for fact in frozenset.intersection(*here) - frozenset().union(*there):
            if fact != concept and not _says_the_same(concept, fact):
                yield fact


def _says_the_same(concept: NaturalConcept, fact: Fact) -> bool:
    """Where an animal is in every picture, not to do the deed is to have it done."""
    return fact[1] == concept[1] and fact[0] in _SAME.get(concept[0], ())
