"""How a property runs along the lines of a puzzle, worked out backwards from the value its last panel must have.

A **property** is what a figure is like: where its axis of symmetry lies, whether its outline is closed. A **course** is
one value a panel and the clause that explains it. Whatever value the last panel should have, some course leads to it,
so the right choice may be drawn evenly before its course is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import Course
from snellen.tasks.marvel.puzzle import PuzzleWish


@dataclass(frozen=True, slots=True)
class Property:
    """`says` has every value and what it makes of a figure ("closed": "is closed").

    The values of a cycle turn into one another in their order, the last into the first; those of a ladder are numbers.
    `moves` is then what happens at each step forward and backward ("turns by 45 degrees clockwise").
    """

    name: str
    says: Mapping[str, str]
    noun: str = "figure"
    cycle: bool = False
    ladder: bool = False
    moves: tuple[str, str] = ("", "")

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.says)


PlaneCourse = Course[tuple[str, ...]]
"""Line by line, one value a panel; its words are a sentence without its capital and its stop."""
Planner = Callable[[Stream, Property, str, PuzzleWish], PlaneCourse | None]


def constant(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse:
    """The same value everywhere."""
    values = tuple((wanted,) * wish.length for _ in range(wish.lines))
    return Course(values, f"every {what.noun} {what.says[wanted]}")


def by_row(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """The same value along a row, another one in another row."""
    if wish.lines == 1:
        return None
    others = rng.sample([value for value in what.values if value != wanted], min(2, len(what.values) - 1))
    firsts = [others[i % len(others)] for i in range(wish.lines - 1)]
    values = tuple((value,) * wish.length for value in (*firsts, wanted))
    return Course(values, f"all {what.noun}s in a row agree in their {what.name}")


def in_order(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """The same three values in the same order in every row."""
    if wish.lines == 1 or wish.length != 3:
        return None
    other = rng.choice([value for value in what.values if value != wanted])
    row = [other, rng.choice(what.values)]
    rng.shuffle(row)
    first, second, third = (what.says[value] for value in (*row, wanted))
    clause = f"in each row the first {what.noun} {first}, the second {second}, the third {third}"
    return Course(((*row, wanted),) * wish.lines, clause)


def once_each(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """Three values, each once in every row and every column of a matrix."""
    if wish.lines != 3 or len(what.values) < 3:
        return None
    a, b = rng.sample([value for value in what.values if value != wanted], 2)
    rows = rng.choice((((a, wanted, b), (wanted, b, a)), ((wanted, a, b), (a, b, wanted))))
    values = (*rows, (b, a, wanted))
    return Course(values, f"in each row one {what.noun} {', one '.join(what.says[v] for v in (a, b, wanted))}")


def in_turns(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """Two values (or three, along a sequence of six or more) one after the other, again and again.

    Three panels of a sequence or five of two rows are too few to show it.
    """
    if wish.lines == 2 or wish.length == 4:
        return None
    longest = 3 if wish.lines == 1 and wish.length >= 6 and len(what.values) >= 3 and rng.chance() else 2
    kinds = [wanted, *rng.sample([value for value in what.values if value != wanted], longest - 1)]
    last = wish.lines + wish.length
    values = tuple(
        tuple(kinds[(last - 2 - line - place) % longest] for place in range(wish.length)) for line in range(wish.lines)
    )
    turns = ", the next ".join(what.says[kinds[-i % longest]] for i in range(longest))
    where = "along and across the rows " if wish.lines > 1 else ""
    return Course(values, f"{where}the {what.noun}s take turns: one {turns}")


def turning(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """One step around the cycle from panel to panel; every row starts elsewhere."""
    if not what.cycle:
        return None
    step = rng.choice((1, -1))
    size, end = len(what.values), what.values.index(wanted)
    others = rng.sample([place for place in range(size) if place != end], wish.lines - 1)
    values = tuple(
        tuple(what.values[(last - step * (wish.length - 1 - place)) % size] for place in range(wish.length))
        for last in (*others, end)
    )
    return Course(values, _along(wish, what.moves[0 if step == 1 else 1]))


def counting(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """One more, or one fewer, from panel to panel. (No other row goes 1, 2, 3: that might be read as a sum.)"""
    if not what.ladder:
        return None
    size, end, run = len(what.values), what.values.index(wanted), wish.length - 1
    steps = [step for step in (1, -1) if 0 <= end - step * run < size]
    if not steps:
        return None
    step = rng.choice(steps)
    ends = [last for last in range(size) if 0 <= last - step * run < size and last - step * run != 0] or [end]
    lasts = [*(rng.choice(ends) for _ in range(wish.lines - 1)), end]
    values = tuple(tuple(what.values[last - step * (run - place)] for place in range(wish.length)) for last in lasts)
    return Course(values, _along(wish, what.moves[0 if step == 1 else 1]))


def adding(rng: Stream, what: Property, wanted: str, wish: PuzzleWish) -> PlaneCourse | None:
    """The third of a row is the sum of the other two."""
    if not what.ladder or wish.lines == 1 or wish.length != 3:
        return None
    numbers = sorted(int(value) for value in what.values)
    sums = [(a, b, a + b) for a in numbers for b in numbers if a + b in numbers and (a, b) != (1, 2)]
    ending = [row for row in sums if row[2] == int(wanted)]
    if not ending:
        return None
    rows = [*rng.sample(sums, wish.lines - 1), rng.choice(ending)]
    things = what.name.removeprefix("number of ")
    return Course(
        tuple(tuple(str(number) for number in row) for row in rows),
        f"in each row the first two {what.noun}s together have as many {things} as the third",
    )


def _along(wish: PuzzleWish, moves: str) -> str:
    return f"in each row {moves}" if wish.lines > 1 else moves


CHANGING: tuple[Planner, ...] = (by_row, in_order, once_each, in_turns, turning, turning, counting, counting, adding)
"""Named twice: what few properties can do, they should do more often."""


def course(rng: Stream, what: Property, wanted: str, wish: PuzzleWish, *, still: bool = False) -> PlaneCourse:
    """A course to the wanted value; a constant one if `still`, in a group, and now and then otherwise."""
    if not (still or wish.configuration == "group" or rng.chance(0.08)):
        planners: Sequence[Planner] = rng.sample(CHANGING, len(CHANGING))
        for plan in planners:
            planned = plan(rng, what, wanted, wish)
            if planned:
                return planned
    return constant(rng, what, wanted, wish)
