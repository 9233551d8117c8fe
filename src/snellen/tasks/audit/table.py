"""The trials of one group, column by column, and everyone who looks at them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.item import Picture
from snellen.tasks.audit.choosing import choosing, option_features, standout
from snellen.tasks.audit.guessing import Feature, Guesses, Trials, guesses, trials
from snellen.tasks.audit.judging import rated
from snellen.tasks.audit.learning import bag, probe, single
from snellen.tasks.audit.looking import Sight, stacked, words_of
from snellen.tasks.audit.observing import Observation
from snellen.tasks.audit.report import AuditRow

MAJORITY = "majority answer"
FEW_PICTURES = 4
"""Of more pictures than this, only the first and the last are looked at."""

LONGEST_CYCLE = 6
"""Whoever deals keys out in turn is found if the turns come round within so many items."""

Look = Callable[[Picture], Sight]


@dataclass(slots=True)
class Table:
    """The trials of one group in their order."""

    rows: list[Observation] = field(default_factory=list)

    def audited(self, group: str, look: Look) -> Iterator[AuditRow]:
        """Every observer with its accuracy, not yet corrected for how many there are."""
        keys = [row.key for row in self.rows]
        known = trials([row.cluster or row.item for row in self.rows], keys)
        frequent = Counter(keys).most_common(1)[0][1] / len(keys)
        offered = [row.choices for row in self.rows if row.choices]
        if known.classes == 1 and not offered:
            return  # a free answer that never varies: nothing is left to find out
        # Of four pieces one is right more often than of seven. Free answers: some are simply more frequent.
        plain = sum(1 / choices for choices in offered) / len(offered) if offered else frequent
        constant = np.zeros(len(keys), dtype=np.int64).tolist()
        yield from _rated(group, guesses(MAJORITY, constant, known), known, plain)
        if known.classes > 1:
            chance = max(plain, frequent)
            for made in self._guesses(known, look):
                yield from _rated(group, iter((made,)), known, max(chance, self._due(made.observer)))

    def _due(self, observer: str) -> float:
        """How often the observer is right for a good reason, on the average."""
        shares = (max((s for name, s in row.due.items() if observer.startswith(name)), default=0) for row in self.rows)
        return sum(shares) / len(self.rows)

    def _guesses(self, known: Trials, look: Look) -> Iterator[Guesses]:
        columns = {**self._features(), **self._names(), **self._order(), **self._standouts(look)}
        yield from _by_column(columns, known)
        yield from self._runs(known)
        yield from bag("wording", [words_of(row.words) for row in self.rows], known)
        yield from bag("id", [_parts(row.item) for row in self.rows], known)
        yield from self._chosen(known)
        for name, pictures in self._pictures().items():
            yield from _seen(name, pictures, known, look)

    def _features(self) -> dict[str, list[Feature | None]]:
        names = dict.fromkeys(name for row in self.rows for name in row.features)
        return {name: [row.features.get(name) for row in self.rows] for name in names}

    def _names(self) -> dict[str, list[Feature | None]]:
        """What an item's id tells: how long it is, the last number in it."""
        numbers = [int(digits[-1][-15:]) if (digits := re.findall(r"\d+", row.item)) else -1 for row in self.rows]
        columns: dict[str, list[Feature | None]] = {"id: length": [len(row.item) for row in self.rows]}
        return columns | _counted("id: number", numbers)

    def _order(self) -> dict[str, list[Feature | None]]:
        """Which place an item has among the others."""
        places: dict[str, int] = {}
        return _counted("order: place", [places.setdefault(row.item, len(places)) for row in self.rows])

    def _runs(self, known: Trials) -> Iterator[Guesses]:
        """Say the key of the row before. That the next is rather another is what counterbalancing is, and no leak; nor
        is it one that trials of a cluster, which stand together, have a key in common."""
        if len({row.item for row in self.rows}) == len(self.rows):  # else an item would be its own neighbour
            same = (known.keys[1:] == known.keys[:-1]).astype(np.float64)
            same[known.clusters[1:] == known.clusters[:-1]] = np.nan
            yield Guesses("order: same key as the row before", np.concatenate(([np.nan], same)))

    def _chosen(self, known: Trials) -> Iterator[Guesses]:
        """Everyone who goes by the options alone, where they are not always the same."""
        options = [row.options for row in self.rows]
        if all(options) and len(set(options)) > 1:
            yield from _by_column(option_features(options), known)
            right = np.array([int(row.key) for row in self.rows])
            yield from choosing(options, [row.words for row in self.rows], right, known)

    def _pictures(self) -> dict[str, list[Picture]]:
        """The pictures by their place; the first and the last, where there are many or not always as many."""
        counts = {len(row.pictures) for row in self.rows}
        if 0 in counts:
            return {}
        names = {0: "picture"} if counts == {1} else {0: "first picture", -1: "last picture"}
        if len(counts) == 1 and max(counts) <= FEW_PICTURES:
            names |= {place: f"picture {place + 1}" for place in range(1, max(counts) - 1)}
        return {name: [row.pictures[place] for row in self.rows] for place, name in names.items()}

    def _standouts(self, look: Look) -> dict[str, list[Feature | None]]:
        """Which of several pictures is the brightest, the widest, the longest file."""
        if not 1 < max(len(row.pictures) for row in self.rows) <= FEW_PICTURES:
            return {}
        sights = [[look(picture) for picture in row.pictures] for row in self.rows]
        measures: dict[str, Callable[[Sight], float]] = {
            "brightest picture": lambda sight: sight.brightness,
            "widest picture": lambda sight: sight.width,
            "largest file": lambda sight: sight.bytes,
        }
        return {name: [standout(list(map(measure, seen))) for seen in sights] for name, measure in measures.items()}


def _rated(group: str, made: Iterator[Guesses], known: Trials, chance: float) -> Iterator[AuditRow]:
    return (row for one in made if (row := rated(group, one, known, chance)))


def _by_column(columns: Mapping[str, Sequence[Feature | None]], known: Trials) -> Iterator[Guesses]:
    """The observers of every feature that varies: what is the same everywhere tells nothing."""
    for name, column in columns.items():
        if len(set(column)) > 1:
            yield from guesses(name, column, known)


def _counted(name: str, numbers: Sequence[int]) -> dict[str, list[Feature | None]]:
    """A number by its size and by what is left when it is divided."""
    steps = range(2, LONGEST_CYCLE + 1)
    return {name: list(numbers), **{f"{name} mod {step}": [number % step for number in numbers] for step in steps}}


def _parts(name: str) -> list[str]:
    """An id in its words and numbers; its first and last letter for themselves."""
    return [*re.findall(r"[^\W\d_]+|\d+", name.lower()), f"{name[:1]}...", f"...{name[-1:]}"]


def _seen(name: str, pictures: Sequence[Picture], known: Trials, look: Look) -> Iterator[Guesses]:
    """Everyone who looks at the picture in this place."""
    sights = [look(picture) for picture in pictures]
    columns: dict[str, list[Feature | None]] = {
        f"{name}: width": [sight.width for sight in sights],
        f"{name}: height": [sight.height for sight in sights],
        f"{name}: file size": [sight.bytes for sight in sights],
        f"{name}: brightness": [sight.brightness for sight in sights],
        f"{name}: metadata": [sight.metadata for sight in sights],
    }
    yield from _by_column(columns, known)
    yield from bag(f"{name}: metadata", [words_of(sight.metadata) for sight in sights], known)
    colours = np.stack([sight.colours for sight in sights])
    yield from probe(f"{name}: colour histogram", colours, known)
    yield from single(f"{name}: colour histogram (one colour)", (255 * colours).astype(np.uint8), known)
    yield from probe(f"{name}: thumbnail 16 x 16", np.stack([sight.thumbnail for sight in sights]), known)
    yield from single(f"{name}: single pixel", stacked(pictures), known)
