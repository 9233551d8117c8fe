"""Scenes for two conditions joined, on a bare stage: what a person can find in a minute.

"An animal, or something on a red tile" is two things to find at once, and neither is true of all positives. Among
things of any size on tiles of any colour nobody finds it. So here nothing varies that the concept does not speak of:
one background, one size, no frames, few things, and these from a small **cast** that comes back in many pictures.
Of what it does speak of, both sides show equally much: a scene without the red tile has one of another colour.

Which condition holds where is laid out beforehand, so that each has its share:

    A or B            half of the positives A alone, half B alone; the negatives neither
    A and B           all positives both; half of the negatives A alone, half B alone
    A and no B        all positives A alone; half of the negatives both, half neither
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.draw.scenes import BACKGROUNDS, TILES
from snellen.rng import Stream
from snellen.tasks.bongard.scenes.drafts import DraftThing, SceneDraft, settled
from snellen.tasks.bongard.scenes.kinds import CATEGORIES, Kinds, blurring, every_kind, kinds_of, within, without
from snellen.tasks.bongard.scenes.language import Concept, part

SALIENT = tuple(name for name in CATEGORIES if name not in ("vegetable", "prepared food", "electric device"))
"""Categories that are seen at a glance."""
NEUTRAL = "white"
"""The tile of whatever is not to stand out."""
_COLOURS = tuple(tile for tile in TILES if tile != NEUTRAL)
JOINED = ("and", "or")

_ALIVE = ("animal", "plant")
_SIZE = "large"
_CAST = 4
"""How many kinds of a category there are in a problem."""
_FILLERS = 2
"""From how many other categories the rest of the things comes."""

Holds = tuple[bool, bool]
"""Which of the two conditions hold in a scene."""


def random_joined(word: str, rng: Stream) -> Concept:
    """Two conditions joined, each about what sort of thing is there or on which tile."""
    one, other = _two_conditions(rng)
    if word == "and" and rng.chance(0.15):
        return {"and": [one, {"not": other}]}
    return {word: [one, other]}


def _two_conditions(rng: Stream) -> tuple[Concept, Concept]:
    category = rng.choice(SALIENT)
    one: Concept = {"some": {"category": category}}
    choice = rng.below(20)
    if choice < 9:
        return one, {"some": {"category": rng.choice(_apart(category))}}
    colour, second = ({"some": {"tile": tile}} for tile in rng.sample(_COLOURS, 2))
    if choice < 17:
        return (one, colour) if rng.chance() else (colour, one)
    return colour, second


def _apart(*categories: str) -> tuple[str, ...]:
    """The salient categories that no thing could belong to beside one of these. Animals and plants are kept apart: what
    both have in common, that they are alive, is simpler than either."""
    claimed = {kind for name in categories for kind in (*kinds_of("category", name), *blurring(name))}
    alive = set(_ALIVE) if set(_ALIVE) & set(categories) else set()
    return tuple(
        name for name in SALIENT if name not in alive and not claimed & {*kinds_of("category", name), *blurring(name)}
    )


def both_sides(word: str, negated: bool, examples: int, rng: Stream) -> tuple[list[Holds], list[Holds]]:
    """Which condition holds in which picture, of the positives and of the negatives, the query last on either side."""
    if word == "or":
        return _halves((True, False), (False, True), examples, rng), [(False, False)] * (examples + 1)
    if negated:
        return [(True, False)] * (examples + 1), _halves((True, True), (False, False), examples, rng)
    return [(True, True)] * (examples + 1), _halves((True, False), (False, True), examples, rng)


def _halves(one: Holds, other: Holds, examples: int, rng: Stream) -> list[Holds]:
    shown = [one, other] * (examples // 2)
    rng.shuffle(shown)
    return [*shown, rng.choice((one, other))]


@dataclass(frozen=True, slots=True)
class SceneStage:
    """What is about in all scenes of a problem. `tiles`: those that stand in where a condition about tiles does not
    hold; `coloured`: how many things stand out in every scene."""

    conditions: tuple[tuple[str, str], tuple[str, str]]
    casts: dict[str, Kinds]
    fillers: Kinds
    tiles: tuple[str, ...]
    coloured: int
    background: str

    def scene(self, holds: Holds, number: int, rng: Stream) -> dict[str, Any]:
        """A scene of that many things in which just these conditions hold."""
        true = [condition for condition, is_so in zip(self.conditions, holds, strict=True) if is_so]
        wanted = {name: [value for word, value in true if word == name] for name in ("category", "tile")}
        kinds = [rng.choice(self.casts[category]) for category in wanted["category"]]
        kinds += rng.sample(self.fillers, number - len(kinds))
        rng.shuffle(kinds)
        tiles = [*wanted["tile"], *rng.sample(self.tiles, self.coloured - len(wanted["tile"]))]
        tiles += [NEUTRAL] * (number - len(tiles))
        rng.shuffle(tiles)
        cells = rng.sample(range(9), number)
        pieces = [DraftThing(kind, _SIZE, tile, cell) for kind, tile, cell in zip(kinds, tiles, cells, strict=True)]
        return settled(SceneDraft(self.background, pieces), rng)


def is_negated(concept: Concept) -> bool:
    """Whether the second condition must not hold."""
    return part(part(concept)[1][1])[0] == "not"


def stage(concept: Concept, rng: Stream) -> SceneStage:
    """A stage for the concept: its casts, and what stands in for what it speaks of."""
    word, joined = part(concept)
    one, other = (_plain(inner) for inner in joined)
    categories, tiles = ([value for name, value in (one, other) if name == about] for about in ("category", "tile"))
    pool = without(every_kind(), tuple(kind for name in categories for kind in blurring(name)))
    others = [colour for colour in _COLOURS if colour not in tiles]
    return SceneStage(
        conditions=(one, other),
        casts={name: _cast(name, pool, rng) for name in categories},
        fillers=tuple(kind for name in _filling(categories, rng) for kind in _cast(name, pool, rng)),
        tiles=tuple(rng.sample(others, 2)),
        coloured=len(tiles) if word == "and" else min(len(tiles), 1),
        background=rng.choice(tuple(BACKGROUNDS)),
    )


def _plain(condition: Concept) -> tuple[str, str]:
    """What a condition is about, and what it says of it."""
    word, what = part(condition)
    return _plain(what) if word == "not" else next(iter(what.items()))


def _cast(category: str, pool: Kinds, rng: Stream) -> Kinds:
    return tuple(rng.sample(within(kinds_of("category", category), pool), _CAST))


def _filling(categories: Sequence[str], rng: Stream) -> list[str]:
    """The categories of everything else. Where an animal matters there are plants, and the other way round: else to be
    alive would say the same."""
    alive = [name for name in _ALIVE if name not in categories] if set(_ALIVE) & set(categories) else []
    free = [name for name in _apart(*categories) if name not in alive]
    return [*alive, *rng.sample(free, _FILLERS - len(alive))]


def numbers_of_things(fewest: int, most: int) -> tuple[int, int]:
    """From how many things to how many a scene has: few, and not the same everywhere."""
    return fewest, min(most, fewest + 1)
