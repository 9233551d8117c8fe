"""The trials of one group, column by column, and everyone who looks at them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.item import Picture
from snellen.tasks.audit.guessing import Feature, Guesses, Trials, guesses, trials
from snellen.tasks.audit.judging import rated
from snellen.tasks.audit.learning import bag, best_pixel, probe
from snellen.tasks.audit.looking import Sight, stacked, words_of
from snellen.tasks.audit.observing import Observation
from snellen.tasks.audit.report import AuditRow

MAJORITY = "majority answer"
FEW_PICTURES = 4
"""Of more pictures than this, only the first and the last are looked at."""

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
        choices = max(row.choices for row in self.rows)
        plain = 1 / choices if choices else frequent  # free answers: some are simply more frequent
        constant = np.zeros(len(keys), dtype=np.int64).tolist()
        yield from _rated(group, guesses(MAJORITY, constant, known), known, plain)
        if known.classes > 1:
            yield from _rated(group, self._guesses(known, look), known, max(plain, frequent))

    def _guesses(self, known: Trials, look: Look) -> Iterator[Guesses]:
        for name, column in {**self._features(), **self._names(known), **self._order(known)}.items():
            if len(set(column)) > 1:
                yield from guesses(name, column, known)
        bags = {
            "wording (bag of words)": [words_of(row.words) for row in self.rows],
            "id (bag of parts)": [_parts(row.item) for row in self.rows],
        }
        yield from _able(bag(name, texts, known) for name, texts in bags.items())
        for name, pictures in self._pictures().items():
            yield from _seen(name, pictures, known, look)

    def _features(self) -> dict[str, list[Feature | None]]:
        names = dict.fromkeys(name for row in self.rows for name in row.features)
        return {name: [row.features.get(name) for row in self.rows] for name in names}

    def _names(self, known: Trials) -> dict[str, list[Feature | None]]:
        """What an item's id tells: how long it is, the last number in it."""
        numbers = [int(found[-1][-15:]) if (found := re.findall(r"\d+", row.item)) else -1 for row in self.rows]
        columns: dict[str, list[Feature | None]] = {"id: length": [len(row.item) for row in self.rows]}
        return columns | _counted("id: number", numbers, known)

    def _order(self, known: Trials) -> dict[str, list[Feature | None]]:
        """Which place an item has among the others, and which key the one before it has."""
        places: dict[str, int] = {}
        ranks = [places.setdefault(row.item, len(places)) for row in self.rows]
        columns = _counted("order: place", ranks, known)
        if len(places) == len(self.rows):  # an item asked several times would be its own neighbour
            columns["order: key of the row before"] = ["", *(row.key for row in self.rows[:-1])]
        return columns

    def _pictures(self) -> dict[str, list[Picture]]:
        """The pictures by their place, where every trial has as many."""
        counts = {len(row.pictures) for row in self.rows}
        if len(counts) > 1 or counts == {0}:
            return {}
        count = counts.pop()
        places = range(count) if count <= FEW_PICTURES else (0, count - 1)
        names = {place: "picture" if count == 1 else f"picture {place + 1}" for place in places}
        return {name: [row.pictures[place] for row in self.rows] for place, name in names.items()}


def _rated(group: str, made: Iterator[Guesses], known: Trials, chance: float) -> Iterator[AuditRow]:
    return (row for one in made if (row := rated(group, one, known, chance)))


def _able(made: Iterator[Guesses | None]) -> Iterator[Guesses]:
    return (one for one in made if one is not None)


def _counted(name: str, numbers: Sequence[int], known: Trials) -> dict[str, list[Feature | None]]:
    """A number by its size and by what is left when it is divided: whoever deals keys out in turn shows there."""
    steps = sorted({2, 3, known.classes} & set(range(2, 13)))
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
    for feature, column in columns.items():
        if len(set(column)) > 1:
            yield from guesses(feature, column, known)
    yield from _able(
        iter(
            (
                bag(f"{name}: metadata (bag of words)", [words_of(sight.metadata) for sight in sights], known),
                probe(f"{name}: colour histogram", np.stack([sight.colours for sight in sights]), known),
                probe(f"{name}: thumbnail 16 x 16", np.stack([sight.thumbnail for sight in sights]), known),
                best_pixel(f"{name}: single pixel", stacked(pictures), known),
            )
        )
    )
