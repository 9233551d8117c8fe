"""The trials of one group and everyone who looks at them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np

from snellen.tasks.audit.guessing import Feature, Guesses, Trials, guesses, trials
from snellen.tasks.audit.judging import rated
from snellen.tasks.audit.learning import single
from snellen.tasks.audit.looking import Look, Sight, picture_observers, stacked
from snellen.tasks.audit.observer import Observation, Observer, guessed
from snellen.tasks.audit.offering import option_observers
from snellen.tasks.audit.report import AuditRow
from snellen.tasks.audit.wording import text_observers

MAJORITY = "majority answer"
FEW_PICTURES = 4
"""Of more pictures than this, only the first and the last are looked at."""

MOST_OPTIONS = 26
"""Of more options than this, such as all cells of a board, none is looked at by what it says."""

LONGEST_CYCLE = 6
"""Whoever deals keys out in turn is found if the turns come round within so many items."""

Rows = Sequence[Observation]


def audited(group: str, rows: Rows, look: Look) -> Iterator[AuditRow]:
    """Every observer with its accuracy, not yet corrected for how many there are."""
    keys = [row.key for row in rows]
    data = trials([row.cluster or row.item for row in rows], keys)
    frequent = Counter(keys).most_common(1)[0][1] / len(keys)
    offered = [row.choices for row in rows if row.choices]
    if data.classes == 1 and not offered:
        return  # a free answer that never varies: nothing is left to find out
    # Of four pieces one is right more often than of seven. Free answers: some are simply more frequent.
    plain = sum(1 / choices for choices in offered) / len(offered) if offered else frequent
    constant = [0] * len(keys)
    made = ((guess, plain) for guess in guesses(MAJORITY, constant, data))
    others = _guesses(rows, data, look) if data.classes > 1 else ()
    for guess, luck in chain(made, ((guess, max(plain, frequent)) for guess in others)):
        row = rated(group, guess, data, max(luck, _due(rows, guess.observer)))
        if row:
            yield row


def _due(rows: Rows, observer: str) -> float:
    """How often the observer is right for a good reason, on the average."""
    shares = (max((s for name, s in row.due.items() if observer.startswith(name)), default=0) for row in rows)
    return sum(shares) / len(rows)


def _guesses(rows: Rows, data: Trials, look: Look) -> Iterator[Guesses]:
    for observer in observers(rows, look):
        yield from guessed(observer, rows, data)
    yield from _runs(rows, data)
    for name, place in _pictures(rows).items():
        yield from single(f"{name}: single pixel", stacked([row.pictures[place] for row in rows]), data)


def observers(rows: Rows, look: Look) -> Iterator[Observer]:
    """The observers that look at one trial at a time and apply to these rows."""
    for name in dict.fromkeys(name for row in rows for name in row.features):
        yield Observer.of(name, lambda row: row.features, partial(_feature, name))
    yield from _names()
    yield from _order(rows)
    yield from text_observers("wording", lambda row: row.words)
    yield from text_observers("twin", lambda row: row.twin)
    if all(1 < len(row.options) <= MOST_OPTIONS for row in rows) and len({row.options for row in rows}) > 1:
        yield from option_observers()
    for name, place in _pictures(rows).items():
        yield from picture_observers(name, place, look)
    if 1 < max(len(row.pictures) for row in rows) <= FEW_PICTURES:
        yield from _standouts(look)


def _feature(name: str, features: Mapping[str, Feature]) -> Feature | None:
    return features.get(name)


def _names() -> Iterator[Observer]:
    """What an item's id tells: how long it is, the last number in it, its parts."""
    yield Observer("id: length", lambda row: len(row.item))
    yield from _counted("id: number", _last_number)
    yield Observer("id", lambda row: _parts(row.item))


def _last_number(row: Observation) -> int:
    digits = re.findall(r"\d+", row.item)
    return int(digits[-1][-15:]) if digits else -1


def _parts(name: str) -> tuple[str, ...]:
    """An id in its words and numbers; its first and last letter for themselves."""
    return (*re.findall(r"[^\W\d_]+|\d+", name.lower()), f"{name[:1]}...", f"...{name[-1:]}")


def _order(rows: Rows) -> Iterator[Observer]:
    """Observers of an item's place among the others."""
    places: dict[str, int] = {}
    for row in rows:
        places.setdefault(row.item, len(places))
    yield from _counted("order: place", lambda row: places[row.item])


def _counted(name: str, number: Callable[[Observation], int]) -> Iterator[Observer]:
    """Observers of a number's size and of its remainders."""
    yield Observer(name, number)
    for step in range(2, LONGEST_CYCLE + 1):
        yield Observer.of(f"{name} mod {step}", number, step.__rmod__)


def _runs(rows: Rows, data: Trials) -> Iterator[Guesses]:
    """Say the key of the row before. That the next is rather another is what counterbalancing is, and no leak; nor is
    it one that trials of a cluster, which stand together, have a key in common."""
    if len({row.item for row in rows}) == len(rows):  # else an item would be its own neighbour
        same = (data.keys[1:] == data.keys[:-1]).astype(np.float64)
        same[data.clusters[1:] == data.clusters[:-1]] = np.nan
        yield Guesses("order: same key as the row before", np.concatenate(([np.nan], same)))


def _pictures(rows: Rows) -> dict[str, int]:
    """The places of pictures that are looked at: first and last, where there are many or not always as many."""
    counts = {len(row.pictures) for row in rows}
    if 0 in counts:
        return {}
    names = {"picture": 0} if counts == {1} else {"first picture": 0, "last picture": -1}
    if len(counts) == 1 and max(counts) <= FEW_PICTURES:
        names |= {f"picture {place + 1}": place for place in range(1, max(counts) - 1)}
    return names


def _standouts(look: Look) -> Iterator[Observer]:
    """Which of several pictures is the brightest, the widest, the longest file."""
    measures: dict[str, Callable[[Sight], float]] = {
        "brightest picture": lambda sight: sight.brightness,
        "widest picture": lambda sight: sight.width,
        "largest file": lambda sight: sight.bytes,
    }
    for name, measure in measures.items():
        yield Observer.of(name, partial(_measured, measure, look), _standout)


def _measured(measure: Callable[[Sight], float], look: Look, row: Observation) -> list[float]:
    return [measure(look(picture)) for picture in row.pictures]


def _standout(values: Sequence[float]) -> Feature:
    """The place of the one highest value; -1 if there is none."""
    highest = [place for place, value in enumerate(values) if value == max(values)]
    return highest[0] if len(highest) == 1 < len(values) else -1
