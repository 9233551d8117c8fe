"""From something that can be counted to a puzzle: choices first, then courses of all values that lead to the right one.

What is counted comes as a **plan**: its aspects (the number, then whatever else may follow a rule in the same puzzle)
and how to draw a panel in which they have given values.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.marks import COLOURS as ALL_COLOURS
from snellen.tasks.marvel.marks import Box, Mark
from snellen.tasks.marvel.patterns.choices import Course, counts, draft, instead, named, off_by, offer, slips
from snellen.tasks.marvel.patterns.quantities.courses import kind_course, number_course
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

COLOURS = tuple(colour for colour in ALL_COLOURS if colour != "pink")
Value = Any
"""A number, or the name of a kind."""


@dataclass(frozen=True, slots=True)
class QuantityAspect:
    """What a rule can be about. `values` are whole numbers in a row, or kinds; `subject` is it in words."""

    subject: str
    values: Sequence[Value]

    @property
    def numeric(self) -> bool:
        return isinstance(self.values[0], int)

    @property
    def slip(self) -> Callable[[Value, Value], str]:
        return off_by if self.numeric else instead

    def some(self, rng: Stream, number: int, *, near: bool) -> list[Value]:
        """So many of its values."""
        if self.numeric:
            return list(counts(rng, number, min(self.values), max(self.values), near=near))
        return rng.sample(self.values, number)

    def course(self, rng: Stream, wish: PuzzleWish, right: Value, offered: Sequence[Value]) -> Course[Value]:
        if self.numeric:
            return number_course(rng, wish, right, min(self.values), max(self.values))
        return kind_course(rng, wish, right, next(value for value in offered if value != right), self.values)


@dataclass(frozen=True, slots=True)
class QuantityPlan:
    """`draw(rng, values, place)`: the marks of a panel in which the aspects have these values.

    `place` counts all panels of the puzzle: the context, then the four choices.
    """

    aspects: Sequence[QuantityAspect]
    draw: Callable[[Stream, Sequence[Value], int], list[Mark]]


def box(wish: PuzzleWish, *, strip: bool = False) -> Box:
    """What is left for the things themselves, beside clutter and above a strip of small figures."""
    edge = 34 if wish.clutter else 20
    return (edge, edge, 180 - edge, 138 if strip else 180 - edge)


def quantity_puzzle(
    rng: Stream, wish: PuzzleWish, name: str, plan_for: Callable[[Stream, PuzzleWish], QuantityPlan]
) -> PuzzleDraft:
    """A puzzle of the family of this name."""
    plan = plan_for(rng, wish)
    aspects = plan.aspects
    several = len(aspects) > 1
    choices, right = offer(rng, *[aspect.some(rng, 2 if several else 4, near=wish.near) for aspect in aspects])
    courses = [
        aspect.course(rng, wish, choices[right][i], [choice[i] for choice in choices])
        for i, aspect in enumerate(aspects)
    ]
    blank = wish.lines * wish.length - 1
    return draft(
        (plan.draw(rng, [course.values[place] for course in courses], place) for place in range(blank)),
        (plan.draw(rng, choice, blank + i) for i, choice in enumerate(choices)),
        right,
        slips(choices, right, *(named(f"{a.subject}: " if several else "", a.slip) for a in aspects)),
        in_each_row(wish, [f"{a.subject} {c.words}" for a, c in zip(aspects, courses, strict=True)]),
        name,
    )


def in_each_row(wish: PuzzleWish, parts: Sequence[str]) -> str:
    """The sentence of a rule that has these parts."""
    rule = ", and ".join(parts) + "."
    return f"In each row {rule}" if wish.lines > 1 else rule[0].upper() + rule[1:]
