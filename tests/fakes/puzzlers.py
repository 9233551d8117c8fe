"""Solvers of puzzles (MARVEL). What a puzzle in exact words comes to, they know by heart: there is no honest way to be
good at all of them in a page. What they lack is honest: crowded pictures, or whole layouts they cannot think in."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fakes.minds import toss

CHOICES = ("1", "2", "3", "4")
_PUZZLE = re.compile(r"The context has .*?(?=\n\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Puzzler:
    """`known`: the right choice by a puzzle's exact words. `able`: what it can think in, by their first line."""

    known: Mapping[str, str]
    able: Callable[[str], bool] = bool

    def __call__(self, words: str) -> str:
        puzzle = _PUZZLE.search(words)
        if puzzle is None or puzzle[0] not in self.known or not self.able(puzzle[0].split("\n")[0]):
            return f"Answer: {toss(words, CHOICES)}"
        return f"Answer: {self.known[puzzle[0]]}"


def only_rows(first_line: str) -> bool:
    """Thinks in rows of panels only."""
    return "in a row, the last of them blank" in first_line


def not_crowded(most: int) -> Callable[[str], str]:
    """An eye for which more than so many characters' worth of things is a blur."""
    return lambda twin: twin if len(twin) <= most else "Many small marks, too close to each other."
