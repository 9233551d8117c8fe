"""The checker: does the concept part the pictures, and is it the only one that does?

It knows nothing of how a problem was made. It lists every concept of the language that costs no more than the intended
one, and looks for **rivals**: concepts of another meaning that hold in all the positives shown and in none of the
negatives shown. The queries are left out of the list on purpose: whoever is asked does not know their sides, so a rival
must fail on what is shown already.

Listed are all simple statements with descriptions of up to two attributes (one in relations), their negations, and all
pairs of those joined by and / or. Statements true of no picture need not be listed: they cannot part the sets, alone,
negated or joined.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from snellen.draw.scenes import Scene
from snellen.tasks.bongard.scenes.facts import Fact, as_concept, fact_cost, facts, relations
from snellen.tasks.bongard.scenes.language import TWO_VALUED, Concept, cost, holds, meaning

Listed = Callable[[Scene, int], set[Fact]]
"""What lists the statements true of a scene: `facts` or `relations`."""


class Literal(NamedTuple):
    """A fact or its negation: in which positives and which negatives it holds (bit sets), and what it costs."""

    fact: Fact
    negated: bool
    inside: int
    outside: int
    cost: int

    @property
    def concept(self) -> Concept:
        return {"not": as_concept(self.fact)} if self.negated else as_concept(self.fact)


def parts(concept: Concept, positives: Iterable[Scene], negatives: Iterable[Scene]) -> bool:
    """Whether the concept holds in all positives and in no negative."""
    return all(holds(concept, panel) for panel in positives) and not any(holds(concept, panel) for panel in negatives)


def rivals(concept: Concept, positives: Sequence[Scene], negatives: Sequence[Scene]) -> Iterator[Concept]:
    """Every concept of another meaning and no higher cost that parts the same pictures."""
    own = meaning(concept)
    for rival in separators(cost(concept), positives, negatives):
        if meaning(rival) != own:
            yield rival


def separators(budget: int, positives: Sequence[Scene], negatives: Sequence[Scene]) -> Iterator[Concept]:
    """Every concept within the budget that parts the pictures; first those that are found fastest."""
    yield from _joined(budget, positives, negatives)
    for literal in _literals(budget, positives, negatives):
        if literal.inside == _all(positives) and not literal.outside:
            yield literal.concept
    yield from _common(budget, positives, negatives)
    for concept in _common(budget - 1, negatives, positives):
        yield {"not": concept}


def _joined(budget: int, positives: Sequence[Scene], negatives: Sequence[Scene]) -> Iterator[Concept]:
    """Pairs joined by and / or. Neither part may cost more than leaves 1 for the other and 1 for joining them."""
    everywhere = _all(positives)
    cheap = [
        *_literals(budget - 2, positives, negatives),
        *_literals(budget - 2, positives, negatives, relations),
    ]
    holding = [
        literal for literal in cheap if literal.inside == everywhere and literal.outside not in (0, _all(negatives))
    ]
    failing = [literal for literal in cheap if not literal.outside and literal.inside not in (0, everywhere)]
    by_outside, by_inside = _by(holding, lambda literal: literal.outside), _by(failing, lambda literal: literal.inside)
    for one, other in _pairs(by_outside, budget, lambda these, those: not these & those):
        yield {"and": [one.concept, other.concept]}
    for one, other in _pairs(by_inside, budget, lambda these, those: these | those == everywhere):
        yield {"or": [one.concept, other.concept]}


def _all(panels: Sequence[Scene]) -> int:
    return (1 << len(panels)) - 1


def _literals(
    budget: int, positives: Sequence[Scene], negatives: Sequence[Scene], listed: Listed = facts
) -> Iterator[Literal]:
    """All statements within the budget that are true of some picture, and their negations."""
    inside, outside = _where(positives, budget, listed), _where(negatives, budget, listed)
    for fact in inside.keys() | outside.keys():
        here, there, price = inside.get(fact, 0), outside.get(fact, 0), fact_cost(fact)
        yield Literal(fact, False, here, there, price)
        if price < budget and not _has_plain_opposite(fact):
            yield Literal(fact, True, _all(positives) ^ here, _all(negatives) ^ there, price + 1)


def _where(panels: Sequence[Scene], budget: int, listed: Listed) -> dict[Fact, int]:
    """In which pictures each statement holds."""
    where: dict[Fact, int] = {}
    for number, panel in enumerate(panels):
        for fact in listed(panel, budget):
            where[fact] = where.get(fact, 0) | 1 << number
    return where


def _has_plain_opposite(fact: Fact) -> bool:
    """Whether its negation is another plain statement, as "not one large thing" is "everything is small"."""
    return fact[0] in ("some", "every") and len(fact[1]) == 1 and fact[1][0][0] in TWO_VALUED


def _common(budget: int, here: Sequence[Scene], not_there: Sequence[Scene]) -> Iterator[Concept]:
    """Relations that hold in all the pictures here and in none there."""
    if budget < 1:
        return
    left = sorted(here, key=lambda panel: len(panel["things"]))  # the fewest things have the fewest relations
    common = relations(left[0], budget)
    for panel in left[1:3]:
        common &= relations(panel, budget)
    for fact in common:
        concept = as_concept(fact)
        if parts(concept, left[3:], not_there):
            yield concept


def _by(literals: Iterable[Literal], key: Callable[[Literal], int]) -> dict[int, list[Literal]]:
    """The literals sorted into those that hold in the same pictures: there are far fewer such sets than literals."""
    groups: dict[int, list[Literal]] = {}
    for literal in literals:
        groups.setdefault(key(literal), []).append(literal)
    return groups


def _pairs(
    literals: Mapping[int, list[Literal]], budget: int, suit: Callable[[int, int], bool]
) -> Iterator[tuple[Literal, Literal]]:
    """Pairs of literals whose sets of pictures suit each other, within the budget."""
    for one, other in combinations(literals, 2):
        if suit(one, other):
            for pair in product(literals[one], literals[other]):
                if pair[0].cost + pair[1].cost < budget:
                    yield pair
