"""Random concepts, sort by sort, and how their words lean the scenes they are asked about."""

from collections.abc import Callable, Mapping

from snellen.draw.icons import icon
from snellen.draw.scenes import COLUMNS, ROWS, SIZES, TILES
from snellen.rng import Stream
from snellen.tasks.bongard.scenes.drafts import SceneLeaning
from snellen.tasks.bongard.scenes.kinds import (
    CATEGORIES,
    GROUPS,
    Kinds,
    blurring,
    every_kind,
    kinds_of,
    within,
    without,
)
from snellen.tasks.bongard.scenes.language import Concept, Description, descriptions, part
from snellen.tasks.bongard.scenes.staged import SALIENT, random_joined

Objects = tuple[int, int]
"""The fewest and the most things in a scene."""


def _count(rng: Stream, objects: Objects) -> Concept:
    low, high = objects
    between = range(low + 1, high)
    if between and rng.chance(0.3):
        return {"exactly": [rng.choice(between), {}]}
    description = rng.choice((_sort, _tile))(rng)
    if rng.chance(0.7):
        return {"exactly": [1 + rng.below(min(3, high - 1)), description]}
    return {"least": [2, description]}


def _colour(rng: Stream, objects: Objects) -> Concept:
    if rng.chance(0.25):
        return {"every": _tile(rng)}
    return {"some": {**_tile(rng), **(_sort(rng) if rng.chance(0.4) else {})}}


def _size(rng: Stream, objects: Objects) -> Concept:
    size = {"size": rng.choice(SIZES)}
    if rng.chance(0.3):
        return {"every": size}
    return {"some": {**size, **rng.choice((_sort, _sort, _tile))(rng)}}


def _position(rng: Stream, objects: Objects) -> Concept:
    """At an edge: whether something is in the middle row is hardly asked by anyone."""
    row, column = {"row": rng.choice(ROWS[::2])}, {"column": rng.choice(COLUMNS[::2])}
    return {"some": {**rng.choice((row, column)), **rng.choice((_sort, _sort, _tile))(rng)}}


def _relation(rng: Stream, objects: Objects) -> Concept:
    word = rng.choice(("same", "framed", "framed", "above", "above", "above", "left", "left", "touch", "touch"))
    if word == "same":
        return {"same": rng.choice(("kind", "tile"))}
    if word == "framed":
        return {"some": {"framed": "yes", **rng.choice((_sort, _tile))(rng)}}
    return {word: list(_two_descriptions(rng))}


def _not(rng: Stream, objects: Objects) -> Concept:
    choice = rng.below(10)
    if choice == 0:
        return {"not": {"same": rng.choice(("kind", "tile"))}}
    if choice == 1:
        return {"not": {"every": _tile(rng)}}
    return {"not": {"some": rng.choice((_sort, _sort, _tile))(rng)}}


def _sort(rng: Stream) -> Description:
    """What sort of thing: a category, a group, or living."""
    choice = rng.below(20)
    if choice < 11:
        return {"category": rng.choice(CATEGORIES)}
    return {"group": rng.choice(GROUPS)} if choice < 18 else {"life": "living"}


def _tile(rng: Stream) -> Description:
    return {"tile": rng.choice(tuple(TILES))}


def _two_descriptions(rng: Stream) -> tuple[Description, Description]:
    """Two descriptions, of two categories that are seen at a glance and that nothing belongs to both of."""
    while True:
        one, other = ({"category": name} for name in rng.sample(SALIENT, 2))
        if not _overlap(one, other):
            return one, other


def _overlap(one: Description, other: Description) -> bool:
    """Whether a kind could be taken for both: an animal and a bird, say, or a living thing and a fruit."""
    return bool(set(_claimed(one)) & set(_claimed(other)))


def _claimed(description: Description) -> Kinds:
    [(word, value)] = description.items()
    return kinds_of(word, value) + blurring(value)


_SORTS: Mapping[str, Callable[[Stream, Objects], Concept]] = {
    "kind": lambda rng, objects: {"some": {"kind": rng.choice(every_kind())}},
    "category": lambda rng, objects: {"some": _sort(rng)},
    "count": _count,
    "colour": _colour,
    "size": _size,
    "position": _position,
    "relation": _relation,
    "and": lambda rng, objects: random_joined("and", rng),
    "or": lambda rng, objects: random_joined("or", rng),
    "not": _not,
}
SORTS = tuple(_SORTS)
"""The sorts of concepts, which are the categories of the problems."""


def random_concept(sort: str, rng: Stream, objects: Objects) -> Concept:
    """A concept of that sort, fit for scenes of that many things."""
    return _SORTS[sort](rng, objects)


def fewest(concept: Concept) -> int:
    """How many things a scene needs for the concept to hold in it and to be spoiled by changing one thing."""
    word, what = part(concept)
    if word in ("exactly", "least"):
        return int(what[0])
    return 2 if word in ("same", "alike", "above", "left", "touch", "and", "or") else 1


def leaning(concept: Concept) -> SceneLeaning:
    """Things near to what a concept without connectives speaks of, and its tiles, so that they are about in every
    scene."""
    things = descriptions(concept)
    barred = [kind for description in things for value in description.values() for kind in blurring(value)]
    pool = without(every_kind(), tuple(barred))
    near = [kind for description in things for kind in _kin(description)]
    tiles = [description["tile"] for description in things if "tile" in description]
    return SceneLeaning(pool, within(tuple(dict.fromkeys(near)), pool), tuple(tiles))


def _kin(description: Description) -> Kinds:
    """Kinds of the sort described; of a group or a kind, all of the category it belongs to."""
    for word in ("category", "life"):
        if word in description:
            return kinds_of(word, description[word])
    for word in ("group", "kind"):
        if word in description:
            return kinds_of("category", icon(kinds_of(word, description[word])[0]).category)
    return ()
