"""Rooms, streets and crowds with a question of each kind about them.

The two answers to a question are exchangeable here, too: numbers are drawn before the picture is, and a wrong colour,
thing or place is that of something else there.
"""

from collections.abc import Iterator, Mapping

from snellen.rng import Stream
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.kinds.wrong_answer_pairs import AnswerPair, Described, neighbours
from snellen.tasks.capacity.scenes import SETTINGS
from snellen.tasks.capacity.scenes.facts import BESIDE, NEARER, Facts
from snellen.tasks.capacity.scenes.setting import SceneWish

SCENES = ("room", "street", "crowd")
_COUNTS: Mapping[str, Mapping[bool, tuple[int, int]]] = {
    "room": {False: (2, 5), True: (3, 6)},
    "street": {False: (4, 8), True: (6, 10)},
    "crowd": {False: (4, 8), True: (6, 10)},
}
"""The fewest and the most of what is counted, as usual and in the large size."""
_DRAWS = 12
Spoken = tuple[AnswerPair, frozenset[str]]
"""A pair with all that it speaks of."""


def staged(rng: Stream, sort: str, *, large: bool) -> Described:
    """A picture with a pair of each kind, about different things."""
    numbers = neighbours(rng, *_COUNTS[sort][large])
    while True:
        described = SETTINGS[sort].make(rng, SceneWish((numbers[0],), large=large))
        facts = SETTINGS[sort].facts(described)
        for _ in range(_DRAWS):
            if pairs := _pairs(rng, facts, numbers):
                return dict(described), pairs


def _pairs(rng: Stream, facts: Facts, numbers: tuple[int, int]) -> list[AnswerPair]:
    """A pair of each kind, at most one of them about the theme; none if they cannot be kept apart."""
    (plural,) = facts.counts
    pairs = [AnswerPair("count", f"How many {plural} are there?", *map(str, numbers))]
    taken = frozenset(plural.split())
    on_theme = rng.choice((_attributes, _identities, _positions, None)) if facts.theme else None
    for kind in (_attributes, _identities, _positions, _relations):
        free = [spoken for spoken in kind(facts) if not spoken[1] & taken]
        if facts.theme:
            free = [spoken for spoken in free if (facts.theme in spoken[1]) == (kind is on_theme)]
        if not free:
            return []
        pair, about = rng.choice(free)
        pairs.append(pair)
        taken |= about
    return pairs


def _attributes(facts: Facts) -> Iterator[Spoken]:
    for name, own in facts.colours.items():
        for other in facts.colours.values():
            if own != other:
                question = f"What colour is the {facts.coloured.format(name)}?"
                about = frozenset({name, own, other})
                yield AnswerPair("attribute", question, own, other), about | ({facts.theme} if facts.theme else set())
    for choice in facts.attributes:
        for other in choice.others:
            yield AnswerPair("attribute", choice.question, choice.right, other), choice.about


def _identities(facts: Facts) -> Iterator[Spoken]:
    for choice in facts.names:
        for other in choice.others:
            pair = AnswerPair("identity", choice.question, with_article(choice.right), with_article(other))
            yield pair, choice.about | {choice.right, other}


def _positions(facts: Facts) -> Iterator[Spoken]:
    for choice in facts.positions:
        for other in choice.others:
            yield AnswerPair("position", choice.question, choice.right, other), choice.about


def _relations(facts: Facts) -> Iterator[Spoken]:
    ways = (
        (facts.beside(), BESIDE, "{}", ("to the left", "to the right")),
        (facts.nearer(), NEARER, facts.deep, ("nearer", "farther")),
    )
    for pairs, question, spoken, words in ways:
        for a, b in pairs:
            for pair, answers in (((a, b), words), ((b, a), words[::-1])):
                asked = question.format(a=spoken.format(pair[0]), b=spoken.format(pair[1]))
                yield AnswerPair("relation", asked, *answers), frozenset({a, b})
