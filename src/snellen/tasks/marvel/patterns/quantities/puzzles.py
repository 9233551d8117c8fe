"""From something that can be counted to a puzzle: choices first, then courses of all values that lead to the right one.

What is counted comes as a **plan**: its aspects (the number, then whatever else may follow a rule in the same puzzle)
and how to draw a panel in which they have given values.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import counts, draft, four, off_by, square, tetrad
from snellen.tasks.marvel.patterns.doodles import Mark
from snellen.tasks.marvel.patterns.family import Make
from snellen.tasks.marvel.patterns.quantities.courses import QuantitySequence, kind_course, number_course
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish

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


@dataclass(frozen=True, slots=True)
class QuantityPlan:
    """`draw(rng, values, place)`: the marks of a panel in which the aspects have these values.

    `place` counts all panels of the puzzle: the context, then the four choices.
    """

    aspects: Sequence[QuantityAspect]
    draw: Callable[[Stream, Sequence[Value], int], list[Mark]]


Planner = Callable[[Stream, PuzzleWish], QuantityPlan]


def family(name: str, plan: Planner) -> Make:
    """How puzzles of this family are made."""

    def make(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
        return _puzzle(rng, wish, plan(rng, wish), name)

    return make


def _puzzle(rng: Stream, wish: PuzzleWish, plan: QuantityPlan, name: str) -> PuzzleDraft:
    aspects = plan.aspects
    choices, right = _choices(rng, aspects, near=wish.near)
    courses = [
        _course(rng, wish, aspect, choices[right][i], [choice[i] for choice in choices])
        for i, aspect in enumerate(aspects)
    ]
    number = wish.lines * wish.length - 1
    context = [_panel(plan, rng, [course.values[place] for course in courses], place) for place in range(number)]
    shown = [_panel(plan, rng, choice, number + i) for i, choice in enumerate(choices)]
    mechanisms = [_mechanism(aspects, choice, choices[right]) for choice in choices]
    return draft(context, shown, right, mechanisms, _rule(wish, aspects, courses), name)


def _panel(plan: QuantityPlan, rng: Stream, values: Sequence[Value], place: int) -> Panel:
    return {"marks": plan.draw(rng, values, place)}


def _choices(rng: Stream, aspects: Sequence[QuantityAspect], *, near: bool) -> tuple[Sequence[tuple[Value, ...]], int]:
    number = 4 if len(aspects) == 1 else 2
    values = [_some(rng, aspect, number, near=near) for aspect in aspects]
    if len(aspects) == 1:
        only, right = four(rng, values[0])
        return [(value,) for value in only], right
    return square(rng, *values) if len(aspects) == 2 else tetrad(rng, *values)


def _some(rng: Stream, aspect: QuantityAspect, number: int, *, near: bool) -> list[Value]:
    if aspect.numeric:
        return list(counts(rng, number, min(aspect.values), max(aspect.values), near=near))
    return rng.sample(aspect.values, number)


def _course(
    rng: Stream, wish: PuzzleWish, aspect: QuantityAspect, right: Value, choices: Sequence[Value]
) -> QuantitySequence[Value]:
    if aspect.numeric:
        return number_course(rng, wish, right, min(aspect.values), max(aspect.values))
    return kind_course(rng, wish, right, next(value for value in choices if value != right), aspect.values)


def _mechanism(aspects: Sequence[QuantityAspect], found: Sequence[Value], wanted: Sequence[Value]) -> str:
    parts = []
    for aspect, value, target in zip(aspects, found, wanted, strict=True):
        if value != target:
            slip = off_by(value, target) if aspect.numeric else f"{value} instead of {target}"
            parts.append(slip if len(aspects) == 1 else f"{aspect.subject}: {slip}")
    return " and ".join(parts)


def _rule(wish: PuzzleWish, aspects: Sequence[QuantityAspect], courses: Sequence[QuantitySequence[Value]]) -> str:
    parts = [f"{aspect.subject} {course.words}" for aspect, course in zip(aspects, courses, strict=True)]
    rule = ", and ".join(parts) + "."
    return f"In each row {rule}" if wish.lines > 1 else rule[0].upper() + rule[1:]
