"""Sheets about scenes of recognisable things: what is where, how many, on which colour, what is left of what."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recipes.small.drawing import drawn
from recipes.small.labels import looks
from recipes.small.labels import things as thing_numbers
from recipes.small.looking import coloured
from recipes.small.phrases import phrase, with_article
from recipes.small.sheets import PATCHES, Said, Sheet, distinct
from recipes.tiny.lessons import paradigm_words
from snellen.draw import scenes
from snellen.draw.icons import icons
from snellen.draw.scenes import COLUMNS, ROWS, SIDE, TILES, Scene, SceneThing, above, left_of, painted, touch
from snellen.rng import Stream, stream
from snellen.tasks.bongard.scenes.drafts import SceneLeaning, random_draft, settled
from snellen.tasks.bongard.scenes.kinds import every_kind

ASKED = 20
_NUMBERS = (1, 2, 2, 3, 3, 4, 4, 5, 6)
_TAKEN_STOCK = 0.08
_LONGEST_STOCK = 720
"""Characters of a description that leaves room for other questions."""
PLACES = tuple(
    "centre" if (row, column) == ("middle", "centre") else f"{row} {column}" for row in ROWS for column in COLUMNS
)

_KINDS = {
    "name": 5,
    "list": 3,
    "count": 2,
    "is": 4,
    "background": 1,
    "caption": 2,
    "describe": 1,
    "count colour": 2,
    "count category": 1,
    "tile is": 1,
}
_OF_ONE = {"tile": 4, "place": 4, "size": 2, "framed": 2, "category": 1, "living": 1}
"""Asked of a thing that is there once, so that its name says which is meant."""
_OF_TWO = {"relation": 4, "touch": 1}
_WEIGHTS = {"name": 1.5, "is": 1.3, "relation": 1.3, "tile is": 1.3}
_RELATIONS: dict[str, Callable[[SceneThing, SceneThing], bool]] = {
    "above": above,
    "below": lambda one, other: above(other, one),
    "to the left of": left_of,
    "to the right of": lambda one, other: left_of(other, one),
}


@dataclass(frozen=True)
class _Shown:
    scene: Scene
    things: tuple[SceneThing, ...]

    @cached_property
    def names(self) -> Counter[str]:
        return Counter(thing.icon.name for thing in self.things)

    @cached_property
    def single(self) -> Sequence[SceneThing]:
        return [thing for thing in self.things if self.names[thing.icon.name] == 1]

    @cached_property
    def kinds(self) -> dict[str, float]:
        return {**_KINDS, **(_OF_ONE if self.single else {}), **(_OF_TWO if len(self.single) > 1 else {})}


def scene_sheet(asked: bool, seed: int, number: int) -> Sheet:
    """The sheet of that number, with questions if `asked`."""
    rng = stream(seed, "small", "scene", number)
    scene = settled(random_draft(rng, rng.choice(_NUMBERS), SceneLeaning(every_kind())), rng)
    shown = _Shown(scene, scenes.things(scene))
    said = distinct(_asked(shown, rng)) if asked else ()
    return Sheet((coloured(*painted(scene)),), said, *_labels(shown))


def _labels(shown: _Shown) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Which thing's tile the middle of each patch is on, and the colour there."""
    what = np.zeros((PATCHES, PATCHES), np.int16)
    colour = np.full((PATCHES, PATCHES), looks()[shown.scene["background"]], np.int16)
    middles = (np.arange(PATCHES) + 0.5) * SIDE / PATCHES
    for thing in shown.things:
        here = np.ix_(np.abs(middles - thing.y) < thing.half, np.abs(middles - thing.x) < thing.half)
        what[here] = thing_numbers()[thing.icon.name]
        colour[here] = looks()[thing.tile]
    return what, colour


def _asked(shown: _Shown, rng: Stream) -> Sequence[Said]:
    said = []
    if rng.chance(_TAKEN_STOCK) and len(twin := scenes.twin(shown.scene)) <= _LONGEST_STOCK:
        said.append(Said("scene components", (0, paradigm_words("components")), twin))
    for _ in range(ASKED):
        kind = drawn(rng, shown.kinds)
        question, answer = _ASKING[kind](shown, rng)
        said.append(Said(f"scene {kind}", (0, question), answer, _WEIGHTS.get(kind, 1.0)))
    return said


_Asking = Callable[[_Shown, Stream], tuple[str, str]]


def _yes(holds: bool) -> str:
    return "Yes" if holds else "No"


def _name(shown: _Shown, rng: Stream) -> tuple[str, str]:
    place = rng.choice(shown.things).place if rng.chance(0.85) else rng.choice(PLACES)
    there = [thing.icon.name for thing in shown.things if thing.place == place]
    return phrase(rng, "scene", "name", place=place), there[0] if there else "nothing"


def _list(shown: _Shown, rng: Stream) -> tuple[str, str]:
    return phrase(rng, "scene", "list"), ", ".join(thing.icon.name for thing in shown.things)


def _caption(shown: _Shown, rng: Stream) -> tuple[str, str]:
    each = (f"{with_article(t.icon.name)} on a {t.tile} tile in the {t.place}" for t in shown.things)
    return phrase(rng, "scene", "caption"), f"There is {'; '.join(each)}. {_ground(shown)}"


def _describe(shown: _Shown, rng: Stream) -> tuple[str, str]:
    """Asked as by whoever has a picture described first."""
    each = (
        f"In the {t.place}: a {t.size} {t.tile} tile with {with_article(t.icon.name)}"
        f"{', inside a black frame' if t.framed else ''}."
        for t in shown.things
    )
    return paradigm_words("describe"), " ".join((_ground(shown), *each))


def _ground(shown: _Shown) -> str:
    return f"The background is {shown.scene['background']}."


def _count(shown: _Shown, rng: Stream) -> tuple[str, str]:
    return phrase(rng, "scene", "count"), str(len(shown.things))


def _is(shown: _Shown, rng: Stream) -> tuple[str, str]:
    name = rng.choice(shown.things).icon.name if rng.chance() else rng.choice(icons()).name
    return phrase(rng, "scene", "is", what=with_article(name)), _yes(name in shown.names)


def _background(shown: _Shown, rng: Stream) -> tuple[str, str]:
    return phrase(rng, "scene", "background"), shown.scene["background"]


def _count_colour(shown: _Shown, rng: Stream) -> tuple[str, str]:
    colour = rng.choice(tuple(TILES)) if rng.chance(0.3) else rng.choice(shown.things).tile
    number = sum(thing.tile == colour for thing in shown.things)
    return phrase(rng, "scene", "count_colour", colour=colour), str(number)


def _count_category(shown: _Shown, rng: Stream) -> tuple[str, str]:
    category = rng.choice(shown.things).icon.category if rng.chance(0.7) else rng.choice(icons()).category
    number = sum(thing.icon.category == category for thing in shown.things)
    return phrase(rng, "scene", "count_category", category=category), str(number)


def _tile_is(shown: _Shown, rng: Stream) -> tuple[str, str]:
    thing = rng.choice(shown.things)
    colour = thing.tile if rng.chance() else rng.choice(tuple(TILES))
    return phrase(rng, "scene", "tile_is", place=thing.place, colour=colour), _yes(colour == thing.tile)


def _relation(shown: _Shown, rng: Stream) -> tuple[str, str]:
    one, other = rng.sample(shown.single, 2)
    relation = rng.choice(tuple(_RELATIONS))
    question = phrase(rng, "scene", "relation", one=one.icon.name, other=other.icon.name, relation=relation)
    return question, _yes(_RELATIONS[relation](one, other))


def _touch(shown: _Shown, rng: Stream) -> tuple[str, str]:
    """Most things do not touch; a pair that does is asked for where there is one."""
    pairs = [(one, other) for one in shown.single for other in shown.single if one is not other and touch(one, other)]
    one, other = rng.choice(pairs) if pairs and rng.chance(0.7) else rng.sample(shown.single, 2)
    question = phrase(rng, "scene", "touch", one=one.icon.name, other=other.icon.name)
    return question, _yes(touch(one, other))


def _of_one(piece: str, answer: Callable[[SceneThing], str]) -> _Asking:
    def asking(shown: _Shown, rng: Stream) -> tuple[str, str]:
        thing = rng.choice(shown.single)
        return phrase(rng, "scene", piece, one=thing.icon.name), answer(thing)

    return asking


_ASKING: dict[str, _Asking] = {
    "name": _name,
    "list": _list,
    "count": _count,
    "is": _is,
    "background": _background,
    "caption": _caption,
    "describe": _describe,
    "count colour": _count_colour,
    "count category": _count_category,
    "tile is": _tile_is,
    "relation": _relation,
    "touch": _touch,
    "tile": _of_one("tile", lambda thing: thing.tile),
    "place": _of_one("place", lambda thing: thing.place),
    "size": _of_one("size", lambda thing: thing.size),
    "framed": _of_one("framed", lambda thing: _yes(thing.framed)),
    "category": _of_one("category", lambda thing: thing.icon.category),
    "living": _of_one("living", lambda thing: _yes(thing.icon.life == "living")),
}
