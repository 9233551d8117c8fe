"""Problems made in pairs: a positive and a negative alike in all but what the concept is about.

A deed against another deed of the same animals at the same place, an actor against the same animal in the other role,
a place against another behind the same deed. Negatives of a deed often share a tool with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.draw.deeds import ACTORS, KINDS, SIDES, are_alike
from snellen.draw.plates import GROUNDS
from snellen.errors import UserError
from snellen.rng import Stream, stream
from snellen.tasks.bongard.natural.checker import parts, rivals
from snellen.tasks.bongard.natural.concepts import (
    DEEDS,
    PLACES,
    SORTS,
    TOOLS,
    NaturalConcept,
    words,
)
from snellen.tasks.bongard.natural.queries import are_level, query_deeds, query_place
from snellen.tasks.bongard.problem import Panel, Problem

_EXAMPLES = 6
_BEHIND = 3
_ATTEMPTS = 500
_NEAR = 0.6
"""How often the negative of a deed is one that shares something with it."""

Pair = tuple[Panel, Panel]


@dataclass(frozen=True, slots=True)
class MadeNatural:
    """A problem, its concept, and how many drafts of it were thrown away."""

    problem: Problem
    concept: NaturalConcept
    discarded: int


def make(seed: int, index: int) -> MadeNatural:
    """Problem number `index` of this seed; sorts take turns, and so do the concepts of a sort."""
    sort = tuple(SORTS)[index % len(SORTS)]
    order = list(SORTS[sort])
    stream(seed, "bongard natural", sort).shuffle(order)
    concept = order[index // len(SORTS) % len(order)]
    rng = stream(seed, "bongard natural", index)
    deed = rng.choice(tuple(DEEDS))
    positives, negatives, discarded = _proven(concept, deed, rng)
    sides = [_shuffled_but_last(side, rng) for side in (positives, negatives)]
    name = f"natural-{seed}/{index:04d}"
    problem = Problem(name, name, "natural", words(concept, deed), sort, sides[0], sides[1])
    return MadeNatural(problem, concept, discarded)


def _proven(concept: NaturalConcept, deed: str, rng: Stream) -> tuple[list[Panel], list[Panel], int]:
    """Both sides of the first draft that the checker accepts, and how many it refused."""
    for discarded in range(_ATTEMPTS):
        pairs = [_pair(concept, deed, turn, rng) for turn in range(_EXAMPLES)]
        pairs.append(_queries(concept, deed, rng))
        positives, negatives = ([pair[k] for pair in pairs] for k in (0, 1))
        if parts(concept, positives, negatives) and not any(rivals(concept, positives[:-1], negatives[:-1])):
            return positives, negatives, discarded
    raise UserError(f"no problem found for the concept: {words(concept, deed)}; take another seed")


def _shuffled_but_last(side: Sequence[Panel], rng: Stream) -> tuple[Panel, ...]:
    examples = list(side[:-1])
    rng.shuffle(examples)
    return (*examples, side[-1])


def _pair(concept: NaturalConcept, deed: str, turn: int, rng: Stream) -> Pair:
    word, value = concept
    if word in ("actor", "patient"):
        return _exchanged(word, value, deed, rng)
    base = _scene(*_two(rng.choice(ACTORS), rng), rng)
    if word == "place":
        drawn = rng.choice(tuple(DEEDS))
        other = rng.choice([place for place in PLACES if place != value])
        return (
            {**base, "deed": drawn, "behind": _behind(value, rng)},
            {**base, "deed": drawn, "behind": _behind(other, rng)},
        )
    own, kept_away = TOOLS[value] if word == "with" else ((value,), ())
    others = [name for name in KINDS if name not in own and name not in kept_away]
    near = [name for name in others if word == "deed" and _kin(name, value)]
    return (
        {**base, "deed": own[turn % len(own)]},
        {**base, "deed": rng.choice(near if near and rng.chance(_NEAR) else others)},
    )


def _queries(concept: NaturalConcept, deed: str, rng: Stream) -> Pair:
    """A pair like the others, whose pictures look alike to whoever finds no concept; see `queries`."""
    word, value = concept
    if word in ("actor", "patient"):
        return _exchanged(word, value, deed, rng)
    base = {**_scene(*_two(rng.choice(ACTORS), rng), rng), "deed": rng.choice(tuple(DEEDS))}
    if word != "place":
        own, other = query_deeds(word, value, rng)
        return {**base, "deed": own}, {**base, "deed": other}
    place = query_place(value, rng)
    while True:
        rows = _behind(value, rng), _behind(place, rng)
        if are_level(*rows):
            return {**base, "behind": rows[0]}, {**base, "behind": rows[1]}


def _exchanged(role: str, name: str, deed: str, rng: Stream) -> Pair:
    """The animal in its role, and in the other; everything goes the same way or the other way."""
    _, other = _two(name, rng)
    one, two = (name, other) if role == "actor" else (other, name)
    base = {**_scene(one, two, rng), "deed": deed}
    return base, {**base, "one": two, "other": one, "towards": rng.choice(SIDES)}


def _kin(one: str, other: str) -> bool:
    return any({one, other} <= set(own) for own, _ in TOOLS.values())


def _two(name: str, rng: Stream) -> tuple[str, str]:
    return name, rng.choice([other for other in ACTORS if other != name and not are_alike(name, other)])


def _scene(one: str, other: str, rng: Stream) -> dict[str, Any]:
    return {
        "background": rng.choice(tuple(GROUNDS)),
        "one": one,
        "other": other,
        "towards": rng.choice(SIDES),
        "behind": _behind(rng.choice(tuple(PLACES)), rng),
    }


def _behind(place: str, rng: Stream) -> list[str]:
    return [rng.choice(PLACES[place]) for _ in range(_BEHIND)]
