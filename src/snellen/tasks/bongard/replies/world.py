"""Scenes as they are, or as somebody says they are: things with attributes, some perhaps unknown.

The same judgement serves both: `holds` says whether a concept is true of a scene, with None for "the words do not say".
Things that a description does not mention are taken not to be there, and the same goes for frames and for touching; an
attribute that is not mentioned is unknown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from snellen.draw.icons import icon
from snellen.draw.scenes import COLUMNS, ROWS, things, touch
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.scenes.language import READ, Concept, part
from snellen.tasks.bongard.strokes.truth import Truth, every, negated, some

Entity = Mapping[str, str]
"""A thing: the attributes that are known of it ('' is a known "none")."""
DERIVED = ("category", "group", "life", "look")
"""What follows from a kind."""


@dataclass(frozen=True, slots=True)
class World:
    """The things of a scene, which of them touch (by their places in the list), and what stands above or left of what
    where somebody said so."""

    things: tuple[Entity, ...]
    touching: frozenset[frozenset[int]] = frozenset()
    told: frozenset[tuple[str, int, int]] = frozenset()
    background: str = ""
    said: tuple[str, ...] = ()
    """The words each thing was mentioned in, where somebody did."""


def facts(panel: Panel) -> World:
    """The scene as it is."""
    content = things(panel)
    entities = tuple({name: read(thing) for name, read in READ.items()} for thing in content)
    pairs = frozenset(
        frozenset((i, j)) for (i, one), (j, other) in permutations(enumerate(content), 2) if i < j and touch(one, other)
    )
    return World(entities, pairs, background=str(panel["background"]))


def of_kind(kind: str) -> dict[str, str]:
    """What is known of a thing whose kind is."""
    return {"kind": kind, **{name: getattr(icon(kind), "colour" if name == "look" else name) for name in DERIVED}}


def fits(entity: Entity, description: Mapping[str, str]) -> Truth:
    return every(entity[name] == value if name in entity else None for name, value in description.items())


def holds(concept: Concept, world: World) -> Truth:
    """Whether the concept is true of the scene; None if what is known does not decide it."""
    word, what = part(concept)
    if word in _JUDGES:
        return _JUDGES[word](what, world)
    return some(
        every((fits(world.things[i], what[0]), fits(world.things[j], what[1]), _related(word, i, j, world)))
        for i, j in permutations(range(len(world.things)), 2)
    )


def _number(world: World, description: Mapping[str, str]) -> tuple[int, int]:
    """How many things fit: surely, and at most."""
    truths = [fits(entity, description) for entity in world.things]
    sure = truths.count(True)
    return sure, sure + truths.count(None)


def _exactly(what: Sequence[Any], world: World) -> Truth:
    low, high = _number(world, what[1])
    return low == what[0] if low == high else None if low <= what[0] <= high else False


def _least(what: Sequence[Any], world: World) -> Truth:
    low, high = _number(world, what[1])
    return True if low >= what[0] else None if high >= what[0] else False


def _same(attribute: str, world: World) -> Truth:
    known = [entity[attribute] for entity in world.things if entity.get(attribute)]
    if len(set(known)) < len(known):
        return True
    return None if any(attribute not in entity for entity in world.things) and len(world.things) > 1 else False


def _alike(attribute: str, world: World) -> Truth:
    known = {entity[attribute] for entity in world.things if attribute in entity}
    if len(known) > 1 or "" in known:
        return False
    return True if all(attribute in entity for entity in world.things) else None


def _background(colour: str, world: World) -> Truth:
    return world.background == colour if world.background else None


_JUDGES: dict[str, Callable[[Any, World], Truth]] = {
    "some": lambda what, world: some(fits(entity, what) for entity in world.things),
    "every": lambda what, world: every(fits(entity, what) for entity in world.things),
    # Not a word of the generator's language: of the things like this, all are like that.
    "all": lambda what, world: every(
        some((negated(fits(entity, what[0])), fits(entity, what[1]))) for entity in world.things
    ),
    "exactly": _exactly,
    "least": _least,
    "same": _same,
    "alike": _alike,
    "background": _background,
    "not": lambda what, world: negated(holds(what, world)),
    "and": lambda what, world: every(holds(inner, world) for inner in what),
    "or": lambda what, world: some(holds(inner, world) for inner in what),
}


def _related(word: str, i: int, j: int, world: World) -> Truth:
    if word == "touch":
        return frozenset((i, j)) in world.touching
    attribute, order = ("row", ROWS) if word == "above" else ("column", COLUMNS)
    one, other = world.things[i].get(attribute), world.things[j].get(attribute)
    if one and other:
        return order.index(one) < order.index(other)
    if (word, i, j) in world.told:
        return True
    return False if (word, j, i) in world.told else None
