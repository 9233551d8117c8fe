"""Four choices of which none looks more right than another, and the draft of a puzzle around them.

The known leak of such puzzles: make the right choice, then three edits of it, and the right one is whatever most
choices have in common. So the four are drawn first, as a set in which every choice has the same standing, then the
right one evenly among them; the context is built backwards to lead to it (`offer`):

- one attribute: four values of it, everything else equal;
- two attributes with two values each, in all four combinations: no value has a majority;
- three attributes with two values each, in the four combinations that differ pairwise in two of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Course(Generic[T]):
    """How a value goes from panel to panel: `values`, one a panel or one tuple a line, the right one last, and `words`
    that say how it goes."""

    values: Sequence[T]
    words: str


def four(rng: Stream, values: Sequence[T]) -> tuple[list[T], int]:
    """Four distinct values in random order, and the place of the right one."""
    return rng.sample(values, CHOICES), rng.below(CHOICES)


def offer(rng: Stream, *pools: Sequence[Any]) -> tuple[list[tuple[Any, ...]], int]:
    """Four choices, each with a value of every pool (one, two or three), and the place of the right one."""
    if len(pools) == 1:
        values, right = four(rng, pools[0])
        return [(value,) for value in values], right
    pairs = [rng.sample(pool, 2) for pool in pools]
    places = [(a, b, a ^ b)[: len(pools)] for a in (0, 1) for b in (0, 1)]
    choices = [tuple(pair[i] for pair, i in zip(pairs, combination, strict=True)) for combination in places]
    rng.shuffle(choices)
    return choices, rng.below(CHOICES)


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


def slips(choices: Sequence[Sequence[T]], right: int, *say: Callable[[T, T], str]) -> list[str]:
    """What each choice does wrong: of every attribute that is not as wanted, what `say` makes of (value, wanted)."""
    return [
        " and ".join(
            tell(value, wanted)
            for tell, value, wanted in zip(say, choice, choices[right], strict=True)
            if value != wanted
        )
        for choice in choices
    ]


def instead(value: object, wanted: object) -> str:
    return f"{value} instead of {wanted}"


def named(what: str, say: Callable[[Any, Any], str]) -> Callable[[Any, Any], str]:
    """The same said of something by its name."""
    return lambda value, wanted: what + say(value, wanted)


def draft(
    context: Iterable[list[Mark]],
    choices: Iterable[list[Mark]],
    right: int,
    mechanisms: Sequence[str],
    rule: str,
    family: str,
) -> PuzzleDraft:
    """The draft of panels with these marks: `context` (drawn first) without its last panel, `mechanisms` one a choice,
    unused for the right one."""
    told = [{"marks": marks} for marks in context]
    offered = [{"marks": marks} for marks in choices]
    wrong = tuple((offered[i], mechanisms[i]) for i in range(len(offered)) if i != right)
    return PuzzleDraft((*told, offered[right]), wrong, rule, family)


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(number: int) -> str:
    """ "three" for 3; digits from thirteen on."""
    return _SMALL[number] if number < len(_SMALL) else str(number)


def off_by(value: int, wanted: int) -> str:
    """ "one too many", "two too few"; "" if right."""
    if value == wanted:
        return ""
    return f"{in_words(abs(value - wanted))} too {'many' if value > wanted else 'few'}"
