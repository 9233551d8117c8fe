"""Thinking of satellite items and proving them: from no other candidate does the town look as in a photo."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.rng import Stream
from snellen.tasks.capacity import town as towns
from snellen.tasks.capacity.draw.space.models import LANDMARKS
from snellen.tasks.capacity.draw.space.render import RenderedStage, RenderedView
from snellen.tasks.capacity.draw.space.solids import Spot
from snellen.tasks.capacity.kinds.satellite_places import LETTERS, arms, confusable, think_of
from snellen.tasks.capacity.kinds.satellite_views import draft, is_flat, sights, small
from snellen.tasks.capacity.town_plan import Site, plan

_TOWNS, _PAIRS = 60, 3
_IN_PHOTO, _ANYWHERE = 0.015, 0.008
"""The landmark's least share of a photo, and of the view from any candidate."""
_CONTRAST, _MOVED = 11.0, 0.3
"""How much two views must differ: the mean difference of their colours (of 255), and the share of what stands in either
that is something else, or nothing, in the other."""
_TELLING = 6
"""How many things at least are seen in a photo besides the landmark, buildings counted twice."""


@dataclass(frozen=True, slots=True)
class MadeSatellite:
    """A proven item: places by number, which two the photos were taken at and how far aside they look."""

    town: towns.Town
    places: tuple[Spot, ...]
    taken: tuple[int, int]
    aside: tuple[float, float]
    differences: tuple[float, float]
    seen: tuple[list[list[Any]], list[list[Any]]]


def make(rng: Stream, index: int) -> MadeSatellite:
    """Towns are thought of until one holds."""
    for _ in range(_TOWNS):
        town, places = _town(rng, index)
        made = _proven(rng, town, places)
        if made:
            return made
    raise UserError(
        f"satellite: no town of {_TOWNS} had seven different views; found none, expected one: take another seed"
    )


def _town(rng: Stream, index: int) -> tuple[towns.Town, tuple[Spot, ...]]:
    landmark, front = tuple(LANDMARKS)[index % len(LANDMARKS)], 90 * rng.below(4)
    while True:
        half = round(rng.between(31.0, 35.0), 1)
        places = think_of(rng, half)
        if confusable(places, front):
            break
    needed = arms(places, half)
    left_out = rng.sample([arm for arm in towns.ARMS if arm not in needed], rng.below(3))
    kept = tuple(arm for arm in towns.ARMS if arm not in left_out)
    return plan(rng, Site(landmark, front, half, kept, places)), places


def _proven(rng: Stream, town: towns.Town, places: Sequence[Spot]) -> MadeSatellite | None:
    stage = draft(town)
    for _ in range(_PAIRS):
        first, second = rng.sample(range(len(places)), 2)
        aside = (_aside(rng), _aside(rng))
        seen = [_seen(stage, places[at], off) for at, off in zip((first, second), aside, strict=True)]
        if min(_telling(rows) for rows in seen) < _TELLING:
            continue
        nearest = _difference(stage, places, first, aside[0])
        second_nearest = _difference(stage, places, second, aside[1]) if nearest else 0.0
        if second_nearest:
            return MadeSatellite(
                town, tuple(places), (first, second), aside, (nearest, second_nearest), (seen[0], seen[1])
            )
    return None


def _telling(seen: list[list[Any]]) -> int:
    """How many things of a photo tell where it was taken: all but the landmark, and buildings twice."""
    return sum(1 + ("#" not in name) for name, *_ in seen) - 2


def _aside(rng: Stream) -> float:
    return round(rng.choice((-1, 1)) * rng.between(4.0, 17.0), 1)


def _difference(stage: RenderedStage, places: Sequence[Spot], at: int, aside: float) -> float:
    """How different the most alike of the other views is; 0 if one is too much alike, or the landmark too hidden."""
    views = []
    for number, place in enumerate(places):
        views.append(small(stage, place, aside))
        if _landmark_share(views[-1]) < (_IN_PHOTO if number == at else _ANYWHERE):
            return 0.0
    others = [view for number, view in enumerate(views) if number != at]
    least = min(moved(views[at], view) for view in others)
    if least < _MOVED or any(contrast(views[at], view) < _CONTRAST for view in others):
        return 0.0
    return least


def _landmark_share(view: RenderedView) -> float:
    """The landmark is the last thing of its scene."""
    return float((view.ids == len(view.names) - 1).mean())


def contrast(view: RenderedView, other: RenderedView) -> float:
    """The mean difference of colours."""
    return float(np.abs(view.pixels.astype(np.int64) - other.pixels).mean())


def moved(view: RenderedView, other: RenderedView) -> float:
    """The share of what stands in either view that is not so in the other."""
    flat = [number for number, name in enumerate(view.names) if is_flat(name)]
    standing = ~(np.isin(view.ids, [-1, *flat]) & np.isin(other.ids, [-1, *flat]))
    return float((view.ids != other.ids)[standing].mean())


def _seen(stage: RenderedStage, at: Spot, aside: float) -> list[list[Any]]:
    return [[s.name, s.left, s.right, s.top, s.share] for s in sights(stage, at, aside)]


def lettered(rng: Stream, made: MadeSatellite, index: int) -> Iterator[tuple[str, int]]:
    """A letter for each place; the photos' letters go through all pairs as the index grows."""
    first = index % 7
    pair = (LETTERS[first], LETTERS[(first + 1 + index // 7 % 6) % 7])
    others = [number for number in range(len(made.places)) if number not in made.taken]
    rng.shuffle(others)
    given = dict(zip(pair, made.taken, strict=True))
    for letter in LETTERS:
        yield letter, given[letter] if letter in given else others.pop()


def written(rng: Stream, made: MadeSatellite, index: int) -> Mapping[str, Any]:
    """The truth of an item."""
    letters = dict(lettered(rng, made, index))
    at = {number: letter for letter, number in letters.items()}
    photos = [
        {"at": at[number], "aside": aside, "seen": seen}
        for number, aside, seen in zip(made.taken, made.aside, made.seen, strict=True)
    ]
    return {
        "town": towns.write(made.town),
        "candidates": {letter: list(made.places[number]) for letter, number in letters.items()},
        "photos": photos,
        "difficulty": round(100 * (1.0 - min(made.differences))),
    }
