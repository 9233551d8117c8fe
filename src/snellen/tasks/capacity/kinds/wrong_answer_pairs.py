"""Pictures with a question of each kind about them, and for each question the right answer and a nearly right one.

The two answers are exchangeable: from the words alone nobody can tell which is which. Counts come from two
neighbouring numbers of which a coin makes one true; colours, names and places come from two things of the picture and
belong to one as well as to the other. The five questions are about different things, so that no answer contradicts or
confirms another.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from snellen.draw.plates import GROUNDS
from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.english import ORDINALS
from snellen.tasks.capacity.placing import (
    CELLS,
    CORNERS,
    LARGE,
    MEDIUM,
    SMALL,
    Entry,
    cells,
    clearly_above,
    clearly_left,
    pick,
    put,
    scene,
)
from snellen.tasks.capacity.things import NamedThing

KINDS = ("attribute", "count", "relation", "identity", "position")
SHELVES = ("top", "middle", "bottom")
HIGHEST, LOWEST = ("highest", "second highest"), ("lowest", "second lowest")
FRAMED = 92
_FEWEST, _MOST = 2, 6
"""Of the things that are counted, one more or less."""
_WIDE = 5
Place = tuple[int, int]
Places = tuple[Place, Place]
_PLACES: tuple[Place, ...] = tuple(product(range(len(SHELVES)), range(_WIDE)))


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """A question with its right answer and one that a small change makes wrong."""

    kind: str
    question: str
    right: str
    wrong: str


Described = tuple[dict[str, Any], list[AnswerPair]]


def neighbours(rng: Stream, low: int, high: int) -> tuple[int, int]:
    """Two numbers next to each other, from low to high, in random order."""
    lower = low + rng.below(high - low)
    return (lower, lower + 1) if rng.chance() else (lower + 1, lower)


def _counting(thing: NamedThing, numbers: tuple[int, int]) -> AnswerPair:
    return AnswerPair("count", f"How many {thing.plural} are there?", str(numbers[0]), str(numbers[1]))


def _colouring(thing: NamedThing, own: str, other: str) -> AnswerPair:
    return AnswerPair("attribute", f"What colour is the {thing.name}?", own, other)


def _two_colours(rng: Stream) -> tuple[str, str]:
    first, second = rng.sample(tuple(DYES), 2)
    return first, second


# Scenes


def scattered(rng: Stream) -> Described:
    """Things all over a sheet: four in its corners, two in frames, several of one kind."""
    numbers = neighbours(rng, _FEWEST, _MOST)
    dyed = pick(rng, 2, dyed=True)
    rest = pick(rng, 9, dyed, dyed=False)
    corner, framed, related, counted = rest[:4], rest[4:6], rest[6:8], rest[8]
    sized = rng.chance()

    def side() -> int:
        return rng.choice((SMALL, LARGE)) if sized else MEDIUM

    inner = [cell for cell in CELLS if cell not in CORNERS.values()]
    places = cells(rng, 6 + numbers[0], inner)
    colours = _two_colours(rng)
    cornered = [put(rng, thing, cell, side()) for thing, cell in zip(corner, CORNERS.values(), strict=True)]
    shapes = ("round", "square")
    held = [put(rng, thing, places[k], FRAMED, frame=shapes[k]) for k, thing in enumerate(framed)]
    seen = [put(rng, thing, places[2 + k], side(), colours[k]) for k, thing in enumerate(dyed)]
    many = [put(rng, counted, cell, side()) for cell in places[6:]]
    relation = None
    while relation is None:
        two = [put(rng, thing, places[4 + k], side()) for k, thing in enumerate(related)]
        relation = _relation(rng, related, two)
        if relation is None:
            places[4:6] = cells(rng, 2, [cell for cell in inner if cell not in places[:4] + places[6:]])
    described = scene(rng, [*cornered, *held, *seen, *two, *many])
    attribute = _sizing(dyed[0], seen[0]) if sized else _colouring(dyed[0], *colours)
    pairs = [attribute, _counting(counted, numbers), relation, _framing(rng, framed), _cornering(rng, corner)]
    return described, pairs


def _sizing(thing: NamedThing, entry: Entry) -> AnswerPair:
    answers = ("large", "small") if entry["side"] == LARGE else ("small", "large")
    return AnswerPair("attribute", f"Is the {thing.name} drawn large or small?", *answers)


def _relation(rng: Stream, things: Sequence[NamedThing], entries: Sequence[Entry]) -> AnswerPair | None:
    """How the first lies to the second, if that is clear in some direction."""
    (a, b), (entry, other) = (thing.name for thing in things), entries
    ways = [
        (clearly_left, f"Is the {a} to the left or to the right of the {b}?", "to the left", "to the right"),
        (clearly_above, f"Is the {a} above or below the {b}?", "above", "below"),
    ]
    rng.shuffle(ways)
    for clearly, question, first, second in ways:
        if clearly(entry, other):
            return AnswerPair("relation", question, first, second)
        if clearly(other, entry):
            return AnswerPair("relation", question, second, first)
    return None


def _framing(rng: Stream, framed: Sequence[NamedThing]) -> AnswerPair:
    number = rng.below(2)
    question = f"What is inside the {('round', 'square')[number]} frame?"
    return AnswerPair("identity", question, framed[number].with_article, framed[1 - number].with_article)


def _cornering(rng: Stream, corner: Sequence[NamedThing]) -> AnswerPair:
    number, names = rng.below(4), tuple(CORNERS)
    beside = number ^ rng.choice((1, 2))
    return AnswerPair("position", f"In which corner is the {corner[number].name}?", names[number], names[beside])


# Racks


def racked(rng: Stream) -> Described:
    """Three shelves of five compartments, with several things of one kind."""
    numbers, colours = neighbours(rng, _FEWEST, _MOST), _two_colours(rng)
    dyed = pick(rng, 2, dyed=True)
    rest = pick(rng, len(SHELVES) * _WIDE - numbers[0] - 1, dyed, dyed=False)
    counted, (first, beside, placed, high, low), others = rest[0], rest[1:6], rest[6:]
    asked, told = _two_places(rng)
    upper, lower = _shelves(rng, (*asked, told[0]))
    fixed = {asked[0]: first, asked[1]: beside, told[0]: placed, upper: high, lower: low}
    free = [place for place in _PLACES if place not in fixed]
    rng.shuffle(free)
    at = fixed | dict(zip(free, [*others, *dyed, *[counted] * numbers[0]], strict=True))
    shelves = [[_standing(at[row, column], dyed, colours) for column in range(_WIDE)] for row in range(len(SHELVES))]
    thing, other, answers = (high, low, ("higher", "lower")) if rng.chance() else (low, high, ("lower", "higher"))
    pairs = [
        _colouring(dyed[0], *colours),
        _counting(counted, numbers),
        AnswerPair("relation", f"Is the {thing.name} on a higher or a lower shelf than the {other.name}?", *answers),
        AnswerPair("identity", f"What is {_compartment(asked[0])}?", first.with_article, beside.with_article),
        AnswerPair("position", f"Where is the {placed.name}?", *map(_compartment, told)),
    ]
    return {"ground": rng.choice(tuple(GROUNDS)), "shelves": shelves}, pairs


def _two_places(rng: Stream) -> tuple[Places, Places]:
    """Two compartments side by side, and two others side by side or one above the other, each two in random order."""
    level = [((row, column), (row, column + 1)) for row, column in _PLACES if column + 1 < _WIDE]
    upright = [((row, column), (row + 1, column)) for row, column in _PLACES if row + 1 < len(SHELVES)]
    asked = rng.choice(level)
    told = rng.choice([two for two in level + upright if not set(two) & set(asked)])
    return (asked[::-1] if rng.chance() else asked), (told[::-1] if rng.chance() else told)


def _shelves(rng: Stream, taken: Sequence[Place]) -> Places:
    """Two more compartments, the first on a higher shelf."""
    free = [place for place in _PLACES if place not in taken]
    return rng.choice([(upper, lower) for upper in free for lower in free if upper[0] < lower[0]])


def _standing(thing: NamedThing, dyed: Sequence[NamedThing], colours: Sequence[str]) -> dict[str, str]:
    return {"icon": thing.icon, "colour": colours[dyed.index(thing)]} if thing in dyed else {"icon": thing.icon}


def _compartment(place: Place) -> str:
    return f"on the {SHELVES[place[0]]} shelf, {ORDINALS[place[1]]} from the left"


# Charts


def charted(rng: Stream) -> Described:
    """Eight bars, all of different heights. None of the two highest and the two lowest is asked for its height: a
    height of ten, told of a bar beside the highest, would give itself away."""
    things, numbers = pick(rng, 8), neighbours(rng, 3, 8)
    middle = [numbers[0], *rng.sample([value for value in range(3, 9) if value != numbers[0]], 3)]
    values = dict(zip(things, (10, 9, 2, 1, *middle), strict=True))
    counted, coloured, placed, fourth = things[4:]
    place = neighbours(rng, 0, 7)
    order = [thing for thing in things if thing != placed]
    rng.shuffle(order)
    order.insert(place[0], placed)
    colours, at = _colours(rng, len(order)), order.index(coloured)
    beside = rng.choice([near for near in (at - 1, at + 1) if 0 <= near < len(order)])
    extremes, ranks, others = (
        (things[:2], HIGHEST, things[2:4]) if rng.chance() else (things[3:1:-1], LOWEST, things[:2])
    )
    rank = rng.below(2)
    pairs = [
        AnswerPair("attribute", f"What colour is the bar of the {coloured.name}?", colours[at], colours[beside]),
        AnswerPair("count", f"How high is the bar of the {counted.name}?", str(numbers[0]), str(numbers[1])),
        _higher(rng, (*others, fourth), values),
        AnswerPair(
            "identity", f"What has the {ranks[rank]} bar?", extremes[rank].with_article, extremes[1 - rank].with_article
        ),
        AnswerPair("position", f"Which bar from the left is that of the {placed.name}?", *map(_ordinal, place)),
    ]
    bars = [
        {"icon": thing.icon, "colour": dye, "value": values[thing]} for thing, dye in zip(order, colours, strict=True)
    ]
    return {"ground": rng.choice(tuple(GROUNDS)), "bars": bars}, pairs


def _ordinal(place: int) -> str:
    return f"the {ORDINALS[place]}"


def _colours(rng: Stream, many: int) -> list[str]:
    """No two bars side by side have one colour."""
    colours: list[str] = []
    for _ in range(many):
        colours.append(rng.choice([dye for dye in DYES if dye not in colours[-1:]]))
    return colours


def _higher(rng: Stream, free: Sequence[NamedThing], values: Mapping[NamedThing, int]) -> AnswerPair:
    """Which of two bars is higher, by two units at least."""
    while True:
        a, b = rng.sample(free, 2)
        if abs(values[a] - values[b]) >= 2:
            answers = ("higher", "lower") if values[a] > values[b] else ("lower", "higher")
            question = f"Is the bar of the {a.name} higher or lower than the bar of the {b.name}?"
            return AnswerPair("relation", question, *answers)


SHEETS: Mapping[str, Callable[[Stream], Described]] = {"scene": scattered, "rack": racked, "bars": charted}
