"""The language of concepts about scenes, and what it takes for one to hold.

A **description** says what a thing is like, {"category": "animal", "tile": "red"}: all of it must fit; {} fits
anything. A **concept** is a tree in JSON types:

    {"some": description}                          at least one such thing
    {"exactly": [n, description]}                  exactly n such things
    {"least": [n, description]}                    at least n such things
    {"every": description}                         all things are such
    {"same": attribute}                            two things have it in common
    {"alike": attribute}                           all things have it in common
    {"above" | "left" | "touch": [one, other]}     a thing like this above (left of, touching) another like that
    {"background": colour}
    {"not": concept}, {"and": [concept, concept]}, {"or": [concept, concept]}

Its **cost** is how much one has to say: 1 for each attribute, count, comparison, relation and connective. Costs
are what "no simpler concept" is measured by.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

from snellen.draw.scenes import SIZES, Scene, SceneThing, above, left_of, things, touch

Concept = Mapping[str, Any]
Description = Mapping[str, str]

READ: Mapping[str, Callable[[SceneThing], str]] = {
    "kind": lambda thing: thing.icon.name,
    "category": lambda thing: thing.icon.category,
    "group": lambda thing: thing.icon.group,
    "life": lambda thing: thing.icon.life,
    "look": lambda thing: thing.icon.colour,
    "tile": lambda thing: thing.tile,
    "size": lambda thing: thing.size,
    "row": lambda thing: thing.row,
    "column": lambda thing: thing.column,
    "framed": lambda thing: "yes" if thing.framed else "no",
}
"""The attributes of a thing. `look` is the icon's own colour, as against its tile's; group and look may be empty."""

OTHER = {"living": "inanimate", "yes": "no", SIZES[0]: SIZES[1]}
OTHER |= {opposite: value for value, opposite in OTHER.items()}
"""Of attributes with two values, the other value."""

TWO_VALUED = ("life", "size", "framed")
RELATIONS: Mapping[str, Callable[[SceneThing, SceneThing], bool]] = {"above": above, "left": left_of, "touch": touch}


def holds(concept: Concept, panel: Scene) -> bool:
    """Whether the concept is true of the scene."""
    return _true(concept, things(panel), panel["background"])


def _true(concept: Concept, content: Sequence[SceneThing], background: str) -> bool:
    (word, what) = part(concept)
    match word:
        case "some":
            return any(fits(thing, what) for thing in content)
        case "exactly":
            return bool(_number(content, what[1]) == what[0])
        case "least":
            return bool(_number(content, what[1]) >= what[0])
        case "every":
            return all(fits(thing, what) for thing in content)
        case "same":
            values = [value for value in map(READ[what], content) if value]
            return len(set(values)) < len(values)
        case "alike":
            return len({READ[what](thing) for thing in content} | {""}) == 2 and all(map(READ[what], content))
        case "background":
            return bool(background == what)
        case "not":
            return not _true(what, content, background)
        case "and":
            return all(_true(inner, content, background) for inner in what)
        case "or":
            return any(_true(inner, content, background) for inner in what)
    related = RELATIONS[word]
    return any(
        fits(one, what[0]) and fits(other, what[1]) and related(one, other) for one, other in permutations(content, 2)
    )


def _number(content: Sequence[SceneThing], description: Description) -> int:
    return sum(fits(thing, description) for thing in content)


def part(concept: Concept) -> tuple[str, Any]:
    """A concept's word and what it is said of."""
    [(word, what)] = concept.items()
    return word, what


def fits(thing: SceneThing, description: Description) -> bool:
    return all(READ[attribute](thing) == value for attribute, value in description.items())


def descriptions(concept: Concept) -> Sequence[Description]:
    """The descriptions of things that a concept without connectives, or its negation, speaks of."""
    word, what = part(concept)
    if word == "not":
        return descriptions(what)
    if word in ("exactly", "least"):
        return [what[1]]
    return [what] if word in ("some", "every") else list(what) if word in RELATIONS else []


def cost(concept: Concept) -> int:
    """How much the concept says."""
    word, what = part(concept)
    if word == "not":
        return 1 + cost(what)
    if word in ("and", "or"):
        return 1 + sum(map(cost, what))
    if word in ("same", "alike"):
        return 2
    return (word != "some") + sum(map(len, descriptions(concept)))


def meaning(concept: Concept) -> str:
    """A text that concepts have in common if they are the same thing said differently.

    Where an attribute has two values, "not one large thing" is "everything is small" and "not everything is large" is
    "some thing is small"; it does not matter in which order two things touch or two concepts are joined.
    """
    return json.dumps(_canonical(concept), sort_keys=True, ensure_ascii=False)


def _canonical(concept: Concept) -> Concept:
    word, what = part(concept)
    if word in ("and", "or"):
        return {word: sorted(map(_canonical, what), key=lambda tree: json.dumps(tree, sort_keys=True))}
    if word == "touch":
        return {word: sorted(what, key=lambda description: json.dumps(description, sort_keys=True))}
    if word == "not":
        inner, description = part(what)
        if inner in ("some", "every") and len(description) == 1:
            [(attribute, value)] = description.items()
            if attribute in TWO_VALUED:
                return {"every" if inner == "some" else "some": {attribute: OTHER[value]}}
        return {word: _canonical(what)}
    return concept
