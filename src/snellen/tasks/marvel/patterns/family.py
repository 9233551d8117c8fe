"""What a family of rules is: one way of making puzzles within a pattern."""

from collections.abc import Callable
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.puzzle import SHAPES, PuzzleDraft, PuzzleWish

Make = Callable[[Stream, PuzzleWish], PuzzleDraft | None]
"""A draft for the wish, or None if this draw came to nothing and another should be tried."""

IN_LINES = ("sequence", "two-row", "matrix")


@dataclass(frozen=True, slots=True)
class PatternFamily:
    """`configurations` and `shapes` say what it can be asked for."""

    name: str
    make: Make
    configurations: tuple[str, ...] = IN_LINES
    shapes: tuple[str, ...] = SHAPES
