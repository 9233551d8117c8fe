"""Everything the language can say of one scene without connectives, as a set.

Concepts are held as tuples here, so that sets of them can be cut and joined quickly: ("some", (("tile", "red"),)),
("exactly", 2, description), ("above", description, description) and so on. `as_concept` gives the tree.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, permutations, product
from typing import Any

from snellen.draw.scenes import Scene, SceneThing, things
from snellen.tasks.bongard.scenes.language import READ, RELATIONS, Concept

Said = tuple[tuple[str, str], ...]
Fact = tuple[Any, ...]

COMPARED = ("kind", "category", "group", "tile", "size", "row", "column")
_IDLE = {
    frozenset(pair)
    for pair in (
        ("kind", "category"),
        ("kind", "group"),
        ("kind", "life"),
        ("kind", "look"),
        ("category", "group"),
        ("category", "life"),
        ("group", "life"),
    )
}
"""Pairs in which one attribute follows from the other: saying both says nothing new."""


def as_concept(fact: Fact) -> Concept:
    """The fact as a tree of the language."""
    word, *what = fact
    if word in ("same", "alike", "background"):
        return {word: what[0]}
    if word in ("some", "every"):
        return {word: dict(what[0])}
    return {word: [dict(argument) if isinstance(argument, tuple) else argument for argument in what]}


def fact_cost(fact: Fact) -> int:
    """The cost of the fact's concept, without making the concept."""
    word, *what = fact
    if word in ("same", "alike"):
        return 2
    attributes = sum(len(argument) for argument in what if isinstance(argument, tuple))
    return attributes if word == "some" else 1 + attributes


def facts(panel: Scene, budget: int) -> set[Fact]:
    """All that is true of the scene and costs at most the budget, relations between things apart."""
    if budget < 1:
        return set()
    content = things(panel)
    truths: set[Fact] = {("background", panel["background"])}
    counts = Counter(description for thing in content for description in _descriptions(thing, min(2, budget)))
    for description, number in counts.items():
        if description:
            truths.add(("some", description))
        if len(description) < budget:
            truths.add(("exactly", number, description))
            truths.update(("least", n, description) for n in range(2, number + 1))
            if len(description) == 1 and number == len(content):
                truths.add(("every", description))
    if budget >= 2:
        truths.update(_comparisons(content))
    return truths


def _comparisons(content: Sequence[SceneThing]) -> Iterator[Fact]:
    for attribute in COMPARED:
        values = [READ[attribute](thing) for thing in content]
        if len(set(filter(None, values))) < len(list(filter(None, values))):
            yield "same", attribute
        if len(set(values)) == 1 and values[0]:
            yield "alike", attribute


def relations(panel: Scene, budget: int) -> set[Fact]:
    """All relations between two things that hold in the scene, each thing described by at most one attribute."""
    truths: set[Fact] = set()
    if budget < 1:
        return truths
    content = [(thing, list(_descriptions(thing, 1)) if budget > 1 else [()]) for thing in things(panel)]
    for word, related in RELATIONS.items():
        for (one, of_one), (other, of_other) in permutations(content, 2):
            if related(one, other):
                one_empty = chain(product(of_one, [()]), product([()], of_other))
                pairs = product(of_one, of_other) if budget > 2 else one_empty
                truths.update((word, this, that) for this, that in pairs if word != "touch" or this <= that)
    return truths


def _descriptions(thing: SceneThing, longest: int) -> Iterator[Said]:
    """All true descriptions of the thing of up to that many attributes."""
    pairs = [(attribute, value) for attribute, read in READ.items() if (value := read(thing))]
    yield ()
    for pair in pairs:
        yield (pair,)
    if longest > 1:
        for one, other in combinations(pairs, 2):
            if frozenset((one[0], other[0])) not in _IDLE:
                yield (one, other)
