"""Marks of the real world to be named: who does not know them sees shapes and cannot say which of the names is theirs.

Four signs on a wall are asked about, each of another family (warning signs of roads, flags, ...). Each of them has a
**look-alike** of its group in the list, and on the wall too. The list has equally many names of each of the four
families, so that the family alone leaves several.

Some signs are partly behind boards, which hide two fifths of the mark from one side. A sign is covered only so that
what is left differs visibly, by pixels, from the same part of every other mark of the list.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.draw.plates import GROUNDS
from snellen.rng import Stream
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.marks import CLEAR, SIDES, KnownMark, difference, marks


@dataclass(frozen=True, slots=True)
class Wall:
    """How many names of each of the four families are listed, how many signs there are and how many of them side by
    side, and how many of a hundred signs are covered in part."""

    names: int
    signs: int
    across: int
    covered: int


WALLS = {"standard": Wall(4, 12, 4, 50), "large": Wall(7, 20, 5, 75)}
ASKED = 4


def make_marks(rng: Stream, size: str) -> dict[str, Any]:
    """A wall of signs, four of them numbered, and a list of names."""
    wall = WALLS[size]
    families = [_family(rng, family, wall.names) for family in rng.sample(_families(), ASKED)]
    listed = [name for names in families for name in names]
    rng.shuffle(listed)
    rest = [name for names in families for name in names[2:]]
    shown = [names[0] for names in families], [names[1] for names in families], rng.sample(rest, wall.signs - 2 * ASKED)
    numbered = [*enumerate(shown[0], start=1), *((0, name) for name in (*shown[1], *shown[2]))]
    rng.shuffle(numbered)
    return {
        "ground": rng.choice(tuple(GROUNDS)),
        "listed": listed,
        "across": wall.across,
        "signs": [
            {"mark": name, "number": number, "covered": _cover(rng, name, listed, wall.covered)}
            for number, name in numbered
        ],
        "difficulty": len(listed) + wall.signs,
    }


def _families() -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.family for mark in marks().values()))


def _family(rng: Stream, family: str, many: int) -> list[str]:
    """So many marks of a family, the first two of which are look-alikes."""
    own = [mark for mark in marks().values() if mark.family == family]
    first = rng.choice([mark for mark in own if len(look_alikes(mark.name, [other.name for other in own])) > 0])
    second = rng.choice(look_alikes(first.name, [mark.name for mark in own]))
    return [first.name, second, *rng.sample([m.name for m in own if m.name not in (first.name, second)], many - 2)]


def _cover(rng: Stream, name: str, listed: Sequence[str], share: int) -> str:
    """From which side a sign is covered: any that leaves only one mark of the list possible, or none."""
    if rng.below(100) >= share:
        return ""
    others = [other for other in listed if other != name]
    fitting = [side for side in SIDES if all(difference(name, other, side) >= CLEAR for other in others)]
    return rng.choice(fitting) if fitting else ""


def by_number(truth: Truth) -> dict[int, KnownMark]:
    """The mark of each numbered sign."""
    return {sign["number"]: marks()[sign["mark"]] for sign in truth["signs"] if sign["number"]}


def look_alikes(name: str, listed: Sequence[str]) -> list[str]:
    """The listed marks of the same group as this one."""
    own = marks()[name]
    others = [marks()[other] for other in listed if other != name]
    return [other.name for other in others if (other.family, other.group) == (own.family, own.group)]


def in_words(truth: Truth) -> Iterator[str]:
    """The wall, sign by sign."""
    yield f"A wall of {len(truth['signs'])} signs, row by row, {truth['across']} in a row:"
    for sign in truth["signs"]:
        number = f"sign {sign['number']}" if sign["number"] else "a sign without a number"
        behind = f" (its {sign['covered']} part behind a board)" if sign["covered"] else ""
        yield f"- {number}: {sign['mark']}{behind}"
