"""Things that anyone can name from their drawing, with all that people call them.

Names are generous and exclusive: all that one may fairly call the drawing (dog, puppy, hound), and nothing that is the
name of something else. A broader word that is true of a thing (animal for a dog) is neither a right name nor a wrong
one: `names` leaves it out, `true_words` has it too.

The reader of names (`answer/matching.py`) knows articles, plurals and describing words before a name, and takes the
last words of a longer name for the name ("retriever" for "golden retriever"). So a name that ends in the name of
another thing is given in one word ("hotdog", not "hot dog"): then a dog is no hot dog. The reader matches it however
it is spaced.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from snellen.draw.icons import icon
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.english import with_article

_TABLE = Path(__file__).with_name("things.csv")
_BROADER, _ALSO_A = (table("things")[part] for part in ("broader", "also_a"))
_UNUSED = frozenset(table("things")["unused"]["classes"])
_ANYTHING = ("object", "thing", "item")
_SMALL = {"of", "on", "the", "a"}


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing: its drawing, its everyday name, the plural of it, and what else it is called."""

    icon: str
    family: str
    name: str
    plural: str
    also: tuple[str, ...]

    @property
    def countable(self) -> bool:
        """Whether one can say "the ..." of one and "how many ..." of several."""
        return self.plural != self.name and " of " not in self.plural

    @property
    def with_article(self) -> str:
        """With its article: "a dog", "an owl"."""
        return with_article(self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of a thing, the everyday one first."""
        return _names(self)

    @property
    def true_words(self) -> tuple[str, ...]:
        """Its names and the broader words that are true of it."""
        return tuple(dict.fromkeys((*self.names, *self.broader, *_ANYTHING)))

    @property
    def broader(self) -> tuple[str, ...]:
        drawn = icon(self.icon)
        classes = (drawn.category, drawn.group)
        told = [word for word in classes if word not in _UNUSED]
        return (*told, *_ALSO_A.get(self.name, ()), *(word for name in classes for word in _BROADER.get(name, ())))

    @property
    def words(self) -> frozenset[str]:
        """Every single word of all that is true of it, but for those true of anything."""
        told = (self.name, *self.names, *self.broader)
        return frozenset(word for name in told for word in name.split()) - _SMALL


@cache
def _names(thing: NamedThing) -> tuple[str, ...]:
    plural = () if " " in thing.plural else (thing.plural,)
    own = (thing.name, thing.icon, *plural, *thing.also)
    return tuple(dict.fromkeys(_safe(name, own) for name in own))


@cache
def _called(thing: NamedThing) -> frozenset[str]:
    """Every name that is accepted for a thing, rare ones included."""
    return frozenset((*thing.names, *_ALSO_A.get(thing.name, ())))


@cache
def things() -> tuple[NamedThing, ...]:
    """All things, by family and name."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(
        NamedThing(row["icon"], row["family"], row["name"], row["plural"], tuple(filter(None, row["also"].split(";"))))
        for row in rows
    )


@cache
def _last_words() -> frozenset[str]:
    return frozenset(word for thing in things() for word in (thing.name, *thing.also) if " " not in word)


def _safe(name: str, own: tuple[str, ...]) -> str:
    """The name, in one word where its last word would name another thing."""
    last = name.rpartition(" ")[2]
    return name.replace(" ", "") if last not in own and last in _last_words() else name


@cache
def thing_of(icon_name: str) -> NamedThing:
    return next(thing for thing in things() if thing.icon == icon_name)


@cache
def countable() -> tuple[NamedThing, ...]:
    return tuple(thing for thing in things() if thing.countable)


def apart(some: Iterable[NamedThing]) -> bool:
    """Whether no word that is true of one of them is true of another."""
    return all(not thing.words & other.words for thing, other in combinations(some, 2))


def unlike(some: Iterable[NamedThing]) -> bool:
    """Whether none of them might go by a name of another, even at a pinch; words for whole classes may be shared."""
    called = [_called(thing) for thing in some]
    return len(frozenset().union(*called)) == sum(map(len, called))
