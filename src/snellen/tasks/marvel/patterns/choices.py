"""Four choices of which none looks more right than another.

The known leak of such puzzles: make the right choice, then three edits of it, and the right one is whatever most
choices have in common. So the four are drawn first, as a set in which every choice has the same standing, then the
right one evenly among them; the context is built backwards to lead to it.

- `square`: two attributes with two values each, in all four combinations: no value has a majority;
- `four`: four values of one attribute, everything else equal;
- `tetrad`: three attributes with two values each, in the four combinations that differ pairwise in two of them.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from snellen.rng import Stream
from snellen.tasks.marvel.puzzle import CHOICES, Panel, PuzzleDraft

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")


def square(rng: Stream, a: Sequence[T], b: Sequence[U]) -> tuple[list[tuple[T, U]], int]:
    """All combinations of two random values of `a` and two of `b`, in random order, and the place of the right one."""
    firsts, seconds = rng.sample(a, 2), rng.sample(b, 2)
    combinations = [(first, second) for first in firsts for second in seconds]
    rng.shuffle(combinations)
    return combinations, rng.below(CHOICES)


def four(rng: Stream, values: Sequence[T]) -> tuple[list[T], int]:
    """Four distinct values in random order, and the place of the right one."""
    return rng.sample(values, CHOICES), rng.below(CHOICES)


def tetrad(rng: Stream, a: Sequence[T], b: Sequence[U], c: Sequence[V]) -> tuple[list[tuple[T, U, V]], int]:
    """Half of the combinations of two random values each: any two differ in exactly two attributes."""
    firsts, seconds, thirds = rng.sample(a, 2), rng.sample(b, 2), rng.sample(c, 2)
    combinations = [(firsts[i], seconds[j], thirds[(i + j) % 2]) for i in range(2) for j in range(2)]
    rng.shuffle(combinations)
    return combinations, rng.below(CHOICES)


def counts(rng: Stream, number: int, low: int, high: int, *, near: bool) -> list[int]:
    """So many numbers from `low` to `high`: neighbours if `near`, else two or more apart where there is room."""
    gap = 1 if near or high - low < 2 * (number - 1) else 2
    slack = high - low - gap * (number - 1)
    if near:
        start = low + rng.below(slack + 1)
        return list(range(start, start + number))
    # Without their least gaps, spread numbers are any numbers, equal ones allowed: each set as likely as any other.
    packed = sorted(rng.sample(range(slack + number), number))
    return [low + value - i + gap * i for i, value in enumerate(packed)]


def draft(
    context: Sequence[Panel],
    choices: Sequence[Panel],
    right: int,
    mechanisms: Sequence[str],
    rule: str,
    family: str,
) -> PuzzleDraft:
    """The draft of these: `context` without its last panel; `mechanisms` one a choice, unused for the right one."""
    wrong = tuple((choices[i], mechanisms[i]) for i in range(len(choices)) if i != right)
    return PuzzleDraft((*context, choices[right]), wrong, rule, family)


def square_mechanisms(
    combinations: Sequence[tuple[T, U]],
    right: int,
    a: Callable[[T, T], str] | str,
    b: Callable[[U, U], str] | str,
) -> list[str]:
    """What each choice of a square does wrong: `a`, `b`, or both. A callable gets (value found, value wanted)."""
    wanted_a, wanted_b = combinations[right]
    mechanisms = []
    for found_a, found_b in combinations:
        parts = []
        if found_a != wanted_a:
            parts.append(a if isinstance(a, str) else a(found_a, wanted_a))
        if found_b != wanted_b:
            parts.append(b if isinstance(b, str) else b(found_b, wanted_b))
        mechanisms.append(" and ".join(parts))
    return mechanisms


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(number: int) -> str:
    """ "three" for 3; digits from thirteen on."""
    return _SMALL[number] if number < len(_SMALL) else str(number)


def off_by(found: int, wanted: int) -> str:
    """ "one too many", "two too few"; "" if right."""
    if found == wanted:
        return ""
    return f"{in_words(abs(found - wanted))} too {'many' if found > wanted else 'few'}"
