"""Worlds where words or numbers are used otherwise: for each, a scene, what is asked of it, and what each answer
means.

A maker gets a Stream and a turn number (so that answers come round equally often) and gives an `Inquiry`. In the plain
worlds one thing is turned about, in the chained ones two; there the four answers tell apart who turned about both,
only one of the two, or neither.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.placing import (
    CELLS,
    CORNERS,
    LARGE,
    SMALL,
    Cell,
    cells,
    clearly_above,
    clearly_left,
    pick,
    put,
    scene,
)
from snellen.tasks.capacity.things import Known

LITERAL, TWICE, BACKWARDS = "literal", "applied twice", "applied backwards"
WRONG_PAIR, MISCOUNTED = "wrong pair of the map", "miscounted by one"
ONLY_FIRST, ONLY_SECOND = "only the first map", "only the second map"
OTHER_ORDER = "maps in the other order"

TEN = 10
COUNTS = (2, 3, 4, 6, 7, 8)
"""Not 5: ten minus five is five."""
_OTHERS = 9


@dataclass(frozen=True, slots=True)
class Inquiry:
    """`slots` fill the words of the world; `options` are all answers, none where a number is asked for."""

    scene: Mapping[str, Any]
    slots: Mapping[str, str]
    options: Sequence[str]
    key: str
    wrong: Mapping[str, str]


Maker = Callable[[Stream, int], Inquiry]


def _opposites(one: str, other: str, literal: bool) -> tuple[tuple[str, str], str, dict[str, str]]:
    """Options, key and wrong answers where two words have changed places and the first is literally true (or not)."""
    true, told = (one, other) if literal else (other, one)
    return (one, other), told, {true: LITERAL}


def _sheet(rng: Stream, entries: list[dict[str, Any]], taken: Sequence[Known], cells_left: Sequence[Cell]) -> Any:
    """The scene with some other things besides."""
    many = min(_OTHERS, len(cells_left) - 4)
    others, places = pick(rng, many, taken), cells(rng, many, cells_left)
    return scene(rng, [*entries, *(put(rng, one, cell) for one, cell in zip(others, places, strict=True))])


def _two(rng: Stream, fits: Callable[[dict[str, Any], dict[str, Any]], bool]) -> tuple[Any, Known, Known]:
    """A scene with two things that lie to each other as wanted."""
    a, b = pick(rng, 2)
    while True:
        where = cells(rng, 2)
        one, other = (put(rng, thing, cell) for thing, cell in zip((a, b), where, strict=True))
        if fits(one, other):
            return _sheet(rng, [one, other], (a, b), [cell for cell in CELLS if cell not in where]), a, b


def left_right(rng: Stream, time: int) -> Inquiry:
    literal = time % 2 == 0
    drawn, a, b = _two(rng, lambda one, other: clearly_left(one, other) if literal else clearly_left(other, one))
    return Inquiry(drawn, {"a": a.name, "b": b.name}, *_opposites("left", "right", literal))


def above_below(rng: Stream, time: int) -> Inquiry:
    literal = time % 2 == 0
    drawn, a, b = _two(rng, lambda one, other: clearly_above(one, other) if literal else clearly_above(other, one))
    return Inquiry(drawn, {"a": a.name, "b": b.name}, *_opposites("above", "below", literal))


def presence(rng: Stream, time: int) -> Inquiry:
    literal = time % 2 == 0
    some = pick(rng, _OTHERS + 2)
    asked, shown = (some[0], some) if literal else (some[0], [*some[1:], *pick(rng, 1, some)])
    places = cells(rng, len(shown))
    drawn = scene(rng, [put(rng, one, cell) for one, cell in zip(shown, places, strict=True)])
    return Inquiry(drawn, {"a": asked.one}, *_opposites("present", "absent", literal))


def size(rng: Stream, time: int) -> Inquiry:
    literal = time % 2 == 0
    some = pick(rng, _OTHERS + 2)
    sides = [LARGE, SMALL] if literal else [SMALL, LARGE]
    sides += [rng.choice((SMALL, LARGE)) for _ in some[2:]]
    places = cells(rng, len(some))
    drawn = scene(rng, [put(rng, one, cell, side) for one, cell, side in zip(some, places, sides, strict=True)])
    return Inquiry(drawn, {"a": some[0].name, "b": some[1].name}, *_opposites("larger", "smaller", literal))


def _counted(rng: Stream, things: Sequence[Known], counts: Sequence[int]) -> Any:
    """A scene with so many of each, and a few other things."""
    others = pick(rng, 3, things)
    standing = [one for one, count in zip(things, counts, strict=True) for _ in range(count)] + others
    places = cells(rng, len(standing))
    return scene(rng, [put(rng, one, cell) for one, cell in zip(standing, places, strict=True)])


def amount(rng: Stream, time: int) -> Inquiry:
    literal = time % 2 == 0
    a, b = pick(rng, 2)
    few = 2 + rng.below(3)
    many = few + 2 + rng.below(3)
    drawn = _counted(rng, (a, b), (many, few) if literal else (few, many))
    return Inquiry(drawn, {"a": a.plural, "b": b.plural}, *_opposites("more", "fewer", literal))


def count(rng: Stream, time: int) -> Inquiry:
    many = COUNTS[time % len(COUNTS)]
    a, b = pick(rng, 2)
    drawn = _counted(rng, (a, b), (many, 2 + rng.below(4)))
    wrong = {str(TEN - many + off): MISCOUNTED for off in (1, -1)} | {str(many): LITERAL}
    return Inquiry(drawn, {"a": a.plural}, (), str(TEN - many), wrong)


def colour(rng: Stream, time: int) -> Inquiry:
    """Four colours each take the name of the next."""
    cycle = rng.sample(tuple(DYES), 4)
    dyed, asked = pick(rng, 4, dyed=True), time % 4
    plain = pick(rng, _OTHERS - 4, dyed, dyed=False)
    places = cells(rng, _OTHERS)
    entries = [put(rng, one, cell, colour=dye) for one, cell, dye in zip(dyed, places, cycle, strict=False)]
    entries += [put(rng, one, cell) for one, cell in zip(plain, places[4:], strict=True)]
    literal, told, twice, back = (cycle[(asked + step) % 4] for step in range(4))
    slots = {"a": dyed[asked].name} | {f"colour{k}": dye for k, dye in enumerate(cycle, start=1)}
    wrong = {literal: LITERAL, twice: TWICE, back: BACKWARDS}
    return Inquiry(scene(rng, entries), slots, sorted(cycle), told, wrong)


def name(rng: Stream, time: int) -> Inquiry:
    """Two pairs of things have exchanged their names."""
    four, asked = pick(rng, 4), time % 4
    others = pick(rng, _OTHERS - 4, four)
    places = cells(rng, _OTHERS)
    entries = [
        put(rng, one, cell, LARGE if number == asked else SMALL)
        for number, (one, cell) in enumerate(zip((*four, *others), places, strict=True))
    ]
    told = four[asked ^ 1].name
    pair = [four[asked ^ 2].name, four[asked ^ 3].name]
    wrong = {four[asked].name: LITERAL} | dict.fromkeys(pair, WRONG_PAIR)
    return Inquiry(scene(rng, entries), _exchanged(four), sorted(one.name for one in four), told, wrong)


def _exchanged(four: Sequence[Known]) -> dict[str, str]:
    return {f"thing{k}": one.one for k, one in enumerate(four, start=1)}


# Chains of two


def corner(rng: Stream, time: int) -> Inquiry:
    names = tuple(CORNERS)  # numbered so that left and right differ in the first bit, top and bottom in the second
    four, asked = pick(rng, 4), time % 4
    middle = [cell for cell in CELLS if cell not in CORNERS.values()]
    entries = [put(rng, one, cell) for one, cell in zip(four, CORNERS.values(), strict=True)]
    wrong = {names[asked]: LITERAL, names[asked ^ 1]: ONLY_FIRST, names[asked ^ 2]: ONLY_SECOND}
    slots = {"a": four[asked].name}
    return Inquiry(_sheet(rng, entries, four, middle), slots, names, names[asked ^ 3], wrong)


def name_place(rng: Stream, time: int) -> Inquiry:
    """The leftmost and the rightmost thing, of different pairs, with their partners between them."""
    four, side = pick(rng, 4), time % 2
    # The first pair has the leftmost thing, the second the rightmost; all else stands between them.
    places = [(rng.below(4), column) for column in (0, *rng.sample((1, 2, 3), 2), 4)]
    entries = [put(rng, one, cell) for one, cell in zip(four, places, strict=True)]
    between = [cell for cell in CELLS if 0 < cell[1] < 4 and cell not in places]
    left, left_told, right_told, right = (one.name for one in four)
    if side:
        left, left_told, right_told, right = right, right_told, left_told, left
    slots = {"a": ("leftmost", "rightmost")[side]} | _exchanged((four[0], four[1], four[3], four[2]))
    wrong = {left: LITERAL, right: ONLY_FIRST, left_told: ONLY_SECOND}
    options = sorted(one.name for one in four)
    return Inquiry(_sheet(rng, entries, four, between), slots, options, right_told, wrong)


def count_name(rng: Stream, time: int) -> Inquiry:
    a, b = pick(rng, 2)
    asked_of = COUNTS[time % len(COUNTS)]
    literal = rng.choice([many for many in COUNTS if many not in (asked_of, TEN - asked_of)])
    drawn = _counted(rng, (a, b), (literal, asked_of))
    wrong = {str(TEN - asked_of + off): MISCOUNTED for off in (1, -1)}
    wrong |= {str(literal): LITERAL, str(asked_of): ONLY_FIRST, str(TEN - literal): ONLY_SECOND}
    return Inquiry(drawn, {"a": a.plural, "b": b.plural}, (), str(TEN - asked_of), wrong)


def colour_name(rng: Stream, time: int) -> Inquiry:
    pairs, (a, b) = rng.sample(tuple(DYES), 4), pick(rng, 2, dyed=True)
    asked_of = time % 4
    literal = asked_of ^ 2 ^ rng.below(2)
    plain = pick(rng, _OTHERS - 2, (a, b), dyed=False)
    places = cells(rng, _OTHERS)
    entries = [put(rng, a, places[0], colour=pairs[literal]), put(rng, b, places[1], colour=pairs[asked_of])]
    entries += [put(rng, one, cell) for one, cell in zip(plain, places[2:], strict=True)]
    slots = {"a": a.one, "b": b.one, "name": a.name} | {f"colour{k}": dye for k, dye in enumerate(pairs, start=1)}
    wrong = {pairs[literal]: LITERAL, pairs[asked_of]: ONLY_FIRST, pairs[literal ^ 1]: ONLY_SECOND}
    return Inquiry(scene(rng, entries), slots, sorted(pairs), pairs[asked_of ^ 1], wrong)


def count_doubled(rng: Stream, time: int) -> Inquiry:
    many = COUNTS[time % len(COUNTS)]
    a, b = pick(rng, 2)
    drawn = _counted(rng, (a, b), (many, 2 + rng.below(4)))
    wrong = {str(2 * (TEN - many + off)): MISCOUNTED for off in (1, -1)}
    wrong |= {str(TEN - 2 * many): OTHER_ORDER} if 2 * many < TEN else {}
    wrong |= {str(2 * many): ONLY_SECOND, str(TEN - many): ONLY_FIRST, str(many): LITERAL}
    return Inquiry(drawn, {"a": a.plural}, (), str(2 * (TEN - many)), wrong)


WORLDS: Mapping[str, Mapping[str, Maker]] = {
    "standard": {
        "left_right": left_right,
        "above_below": above_below,
        "presence": presence,
        "size": size,
        "amount": amount,
        "count": count,
        "colour": colour,
        "name": name,
    },
    "chained": {
        "corner": corner,
        "name_place": name_place,
        "count_name": count_name,
        "colour_name": colour_name,
        "count_doubled": count_doubled,
    },
}
"""The worlds of each size, by name."""
