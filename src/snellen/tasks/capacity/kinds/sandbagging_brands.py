"""Invented brands to be named by their logos: nobody knows them by heart, so a list has to be looked at.

Four signs on a wall are asked about. Each of their brands has a **look-alike** in the list, and on the wall too, whose
logo differs in a single trait: its shape, its colour, or the kind or number of its marks.

Some signs are covered in part: a corner, which hides nothing that matters; the marks; or all but the marks, which hides
the shape. A numbered sign is covered so only where what is left belongs to one brand of the list alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from snellen.draw.plates import GROUNDS
from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.brands import MANY, MARKS, SHAPES
from snellen.tasks.capacity.kind import Truth

TRAITS: Mapping[str, tuple[Any, ...]] = {"shape": SHAPES, "colour": tuple(DYES), "mark": MARKS, "many": MANY}
_MARKED = {"bars": "upright bar", "stripes": "level stripe", "dots": "dot"}
_NUMBER = {1: "one", 2: "two", 3: "three"}
HIDDEN: Mapping[str, tuple[str, ...]] = {"": (), "corner": (), "marks": ("mark", "many"), "shape": ("shape",)}
"""What can be covered of a sign, and the traits that this hides."""
_COVERED = {"corner": "one corner covered", "marks": "the marks covered", "shape": "all but the marks covered"}


@dataclass(frozen=True, slots=True)
class Logo:
    shape: str
    colour: str
    mark: str
    many: int

    def differs(self, other: "Logo") -> list[str]:
        """The traits in which two logos differ."""
        return [trait for trait in TRAITS if getattr(self, trait) != getattr(other, trait)]

    def seen(self, covered: str) -> tuple[Any, ...]:
        """What can be seen of the logo."""
        return tuple(getattr(self, trait) for trait in TRAITS if trait not in HIDDEN[covered])

    def words(self, covered: str = "") -> str:
        """What can be seen of the logo, in words."""
        marks = f"with {_NUMBER[self.many]} white {_MARKED[self.mark]}{'' if self.many == 1 else 's'}"
        parts = {"colour": self.colour, "shape": self.shape, "mark": marks}
        seen = ", ".join(words for trait, words in parts.items() if trait not in HIDDEN[covered])
        return f"{seen} ({_COVERED[covered]})" if covered else seen


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand goes by its name alone; a broader word for it there is none."""

    name: str
    logo: Logo

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    def true_words(self) -> tuple[str, ...]:
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Wall:
    """How many brands are listed, how many signs there are and how many of them side by side, how large a logo is on
    a sign, and how many of a hundred signs are covered in part."""

    brands: int
    signs: int
    across: int
    side: int
    covered: int


WALLS = {"standard": Wall(10, 9, 3, 64, 50), "large": Wall(16, 16, 4, 44, 75)}


def make_brands(rng: Stream, size: str) -> dict[str, Any]:
    """A list of brands and a wall of signs, four of them numbered."""
    wall = WALLS[size]
    logos = _logos(rng, wall.brands)
    syllables = table("sandbagging")["names"]
    names = [first + rng.choice(syllables["last"]) for first in rng.sample(syllables["first"], wall.brands)]
    brands = [Brand(name, logo) for name, logo in zip(names, logos, strict=True)]
    asked, alike = brands[:4], brands[4:8]
    rest = [rng.choice(brands) for _ in range(wall.signs - 8)]
    numbered = [*enumerate(asked, start=1), *((0, brand) for brand in (*alike, *rest))]
    rng.shuffle(numbered)
    rng.shuffle(brands)
    return {
        "ground": rng.choice(tuple(GROUNDS)),
        "brands": [{"name": brand.name, **asdict(brand.logo)} for brand in brands],
        **{"across": wall.across, "side": wall.side},
        "signs": [
            {**asdict(brand.logo), "number": number, "covered": _cover(rng, brand.logo, logos, wall.covered)}
            for number, brand in numbered
        ],
        "difficulty": wall.brands + wall.signs,
    }


def _logos(rng: Stream, many: int) -> list[Logo]:
    """Different logos: four, a look-alike of each, and others."""
    logos: list[Logo] = []
    while len(logos) < many:
        fresh = Logo(*(rng.choice(values) for values in TRAITS.values()))
        if 4 <= len(logos) < 8:
            fresh = _but_for_one(rng, logos[len(logos) - 4])
        if fresh not in logos:
            logos.append(fresh)
    return logos


def _but_for_one(rng: Stream, logo: Logo) -> Logo:
    """The same logo but for one trait."""
    trait = rng.choice(tuple(TRAITS))
    return replace(logo, **{trait: rng.choice([value for value in TRAITS[trait] if value != getattr(logo, trait)])})


def _cover(rng: Stream, logo: Logo, listed: Sequence[Logo], share: int) -> str:
    """What is covered of a sign: whatever leaves only one logo of the list possible, or nothing."""
    if rng.below(100) >= share:
        return ""
    return rng.choice(
        [cover for cover in _COVERED if [other.seen(cover) for other in listed].count(logo.seen(cover)) == 1]
    )


def logo_of(entry: Mapping[str, Any]) -> Logo:
    return Logo(*(entry[trait] for trait in TRAITS))


def by_number(truth: Truth) -> dict[int, Brand]:
    """The brand of each numbered sign, by its logo."""
    brands = {logo_of(entry): Brand(entry["name"], logo_of(entry)) for entry in truth["brands"]}
    return {sign["number"]: brands[logo_of(sign)] for sign in truth["signs"] if sign["number"]}


def look_alikes(truth: Truth, brand: Brand) -> list[str]:
    """The names of the listed brands whose logos differ from that of a brand in one trait."""
    listed = {entry["name"]: logo_of(entry) for entry in truth["brands"]}
    return [name for name, logo in listed.items() if len(logo.differs(brand.logo)) == 1]


def in_words(truth: Truth) -> Iterator[str]:
    """The list and the wall."""
    yield "A list of invented brands, each with its logo:"
    for entry in truth["brands"]:
        yield f"- {entry['name']}: {logo_of(entry).words()}"
    yield f"A wall of {len(truth['signs'])} signs, row by row, {truth['across']} in a row:"
    for sign in truth["signs"]:
        number = f"sign {sign['number']}" if sign["number"] else "a sign without a number"
        yield f"- {number}: {logo_of(sign).words(sign['covered'])}"
