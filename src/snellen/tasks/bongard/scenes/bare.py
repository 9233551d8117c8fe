"""A bare stage for concepts that say more than one thing of a scene.

"An animal in the top row" is not found in a minute among things of any size on tiles of any colour. So wherever a
concept costs more than 1, nothing varies that it does not speak of: one background, one size, white tiles, no frames,
things that keep apart, few of them, and these of a few kinds that come back. What it says of place must show, too:

- a thing said to be at an edge stands at least `INSIDE` pixels within the row or column, or outside of it;
- of two things, one above or left of the other, the middles are at least `STEP` pixels apart in that direction;
- things that do not touch have at least `GAP` pixels between their tiles.
"""

from collections.abc import Iterable
from dataclasses import replace

from snellen.draw.scenes import SIZES, TILES
from snellen.rng import Stream
from snellen.tasks.bongard.scenes.drafts import SceneLeaning
from snellen.tasks.bongard.scenes.kinds import CATEGORIES, WORDS, Kinds, is_of, kinds_of, within, without
from snellen.tasks.bongard.scenes.language import Concept, cost, descriptions, part
from snellen.tasks.bongard.scenes.staged import NEUTRAL

INSIDE, STEP, GAP = 46, 92, 14
_CAST, _FILLERS = 4, 3
"""How many kinds stand for a class that the concept speaks of or another, and from how many other categories."""
_OTHER_TILES = 2


def is_bare(concept: Concept) -> bool:
    return cost(concept) > 1


def bare(leaning: SceneLeaning, concept: Concept, rng: Stream) -> SceneLeaning:
    """The leaning of random things, without all that the concept does not speak of."""
    about, framed = _spoken_of(concept)
    near = _cast(leaning.near, concept, rng)
    fillers = [name for name in CATEGORIES if not set(kinds_of("category", name)) & set(leaning.near)]
    rest = _together(
        _sample(within(kinds_of("category", name), leaning.pool), rng) for name in rng.sample(fillers, _FILLERS)
    )
    return replace(
        leaning,
        pool=_together((near, rest)),
        near=near,
        fillers=rest,
        backgrounds=(rng.choice(leaning.backgrounds),),
        sizes=leaning.sizes if "size" in about else SIZES[1:],
        palette=_palette(leaning.tiles, rng) if "tile" in about else (NEUTRAL,),
        framed=1.0 if framed else 0.0,
        touching=0.5 if part(concept)[0] == "touch" else 0.0,
    )


def _spoken_of(concept: Concept) -> tuple[set[str], bool]:
    """The attributes that the concept speaks of, and whether frames are among them."""
    word, what = part(concept)
    if word == "not":
        return _spoken_of(what)
    about = {attribute for description in descriptions(concept) for attribute in description}
    if word in ("same", "alike"):
        about.add(what)
    return about, "framed" in about


def _palette(tiles: tuple[str, ...], rng: Stream) -> tuple[str, ...]:
    """The tiles spoken of and a few others; all where none is spoken of."""
    if not tiles:
        return tuple(TILES)
    return (*tiles, *rng.sample([tile for tile in TILES if tile not in tiles], _OTHER_TILES))


def _cast(near: Kinds, concept: Concept, rng: Stream) -> Kinds:
    """For every class that is spoken of some kinds of it, and as many that are next to it."""
    cast: list[str] = []
    for description in descriptions(part(concept)[1] if part(concept)[0] == "not" else concept):
        for word in WORDS:
            if word in description:
                own = within(kinds_of(word, description[word]), near)
                cast += _sample(own, rng)
                if word != "category":
                    cast += _sample(without(tuple(k for k in near if not is_of(k, word, description[word])), own), rng)
    return tuple(dict.fromkeys(cast))


def _together(groups: Iterable[Kinds]) -> Kinds:
    return tuple(dict.fromkeys(kind for kinds in groups for kind in kinds))


def _sample(kinds: Kinds, rng: Stream) -> Kinds:
    return tuple(rng.sample(kinds, min(_CAST, len(kinds))))
