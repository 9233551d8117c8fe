"""How a value goes from panel to panel, built backwards from the right choice.

A course gives the value of every panel, line by line, and its words continue "the number of stars ...". There is
one for every right value: where it cannot be reached by steps it stays the same or goes back and forth, so that no
value is right more often than another.
"""

from collections.abc import Sequence
from typing import TypeVar

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import Course, in_words
from snellen.tasks.marvel.puzzle import PuzzleWish

T = TypeVar("T")

_STEPS = (1, 2, -1, -2)


def number_course(rng: Stream, wish: PuzzleWish, right: int, low: int, high: int) -> Course[int]:
    """A course of numbers within the bounds that ends with `right`."""
    if wish.configuration == "group":
        return Course((right,) * wish.length, f"is {in_words(right)} in all of the group")
    if wish.configuration == "sequence":
        return _sequence(rng, wish.length, right, low, high)
    return _lines(rng, wish.lines, right, low, high)


def _stepping(step: int) -> str:
    return f"goes {'up' if step > 0 else 'down'} by {in_words(abs(step))}"


def _sequence(rng: Stream, length: int, right: int, low: int, high: int) -> Course[int]:
    steps = [step for step in _STEPS if low <= right - step * (length - 1) <= high]
    if steps and rng.chance(0.85):
        step = rng.choice(steps)
        values = [right - step * (length - 1 - i) for i in range(length)]
        return Course(tuple(values), f"{_stepping(step)} from panel to panel")
    swings = [step for step in _STEPS if low <= right + step * (length // 2) <= high]
    if length % 2 and swings and rng.chance(0.7):
        step = rng.choice(swings)
        values = [right + step * min(i, length - 1 - i) for i in range(length)]
        back = "down" if step > 0 else "up"
        return Course(tuple(values), f"{_stepping(step)} to the middle panel and {back} again")
    others = [value for value in range(low, high + 1) if 0 < abs(value - right) <= 3]
    if length > 4 and rng.chance(0.7):
        other = rng.choice(others)
        values = [right if (length - 1 - i) % 2 == 0 else other for i in range(length)]
        first, second = in_words(values[0]), in_words(values[1])
        return Course(tuple(values), f"goes back and forth between {first} and {second}")
    return Course((right,) * length, f"is always {in_words(right)}")


def _lines(rng: Stream, lines: int, right: int, low: int, high: int) -> Course[int]:
    """Lines of three, the same rule in each, no two lines with the same numbers."""
    steps = [step for step in _STEPS if _starts(step, right, low, high, lines)]
    if lines == 3 and rng.chance(0.2):
        a, b = rng.sample([value for value in range(low, high + 1) if value != right], 2)
        ordered = [a, right, b, right, b, a, b, a, right]
        some = ", ".join(in_words(value) for value in sorted({a, b, right})[:2])
        return Course(tuple(ordered), f"is {some} and {in_words(max(a, b, right))} once each")
    if steps and rng.chance(0.8):
        step = rng.choice(steps)
        starts = rng.sample(_starts(step, right, low, high, lines), lines - 1)
        values = [start + step * i for start in (*starts, right - 2 * step) for i in range(3)]
        return Course(tuple(values), f"{_stepping(step)} from panel to panel")
    rows = rng.sample([value for value in range(low, high + 1) if value != right], lines - 1)
    return Course(tuple(value for value in (*rows, right) for _ in range(3)), "stays the same")


def _starts(step: int, right: int, low: int, high: int, lines: int) -> list[int]:
    """Where the other lines may start; nowhere if there are too few places or the last line has none.

    Two lines: not where the third number is also the sum or difference of the first two, which would be a rule too.
    """
    last = right - 2 * step
    if not low <= last <= high:
        return []
    starts = [start for start in range(low, high + 1) if low <= start + 2 * step <= high and start != last]
    if lines == 2:
        starts = [start for start in starts if start not in (step, -3 * step)]
    return starts if len(starts) >= lines - 1 else []


def kind_course(rng: Stream, wish: PuzzleWish, right: T, other: T, pool: Sequence[T]) -> Course[T]:
    """A course of kinds that ends with `right` and has `other`, the wrong one, elsewhere (not in a group)."""
    if wish.configuration == "group":
        return Course((right,) * wish.length, f"is {right} in all of the group")
    third = rng.choice([kind for kind in pool if kind not in (right, other)])
    if wish.configuration == "sequence":
        cycle = [other, right]
        if wish.length > 4 and rng.chance():
            cycle = [third, other, right] if rng.chance() else [other, third, right]
        values = tuple(cycle[(i - wish.length) % len(cycle)] for i in range(wish.length))
        return Course(values, f"goes {_listed(values[: len(cycle)])}, again and again")
    if rng.chance():
        rows = [other, right] if wish.lines == 2 else [*rng.sample([other, third], 2), right]
        return Course(tuple(kind for kind in rows for _ in range(3)), "stays the same")
    columns = [other, third, right] if rng.chance() else [third, other, right]
    if wish.lines == 3 and rng.chance():
        a, b, c = columns
        return Course((a, c, b, c, b, a, b, a, c), f"is {_listed(columns)} once each")
    return Course(tuple(columns) * wish.lines, f"goes {_listed(columns)}")


def _listed(kinds: Sequence[T]) -> str:
    return ", ".join(str(kind) for kind in kinds[:-1]) + f" and {kinds[-1]}"
