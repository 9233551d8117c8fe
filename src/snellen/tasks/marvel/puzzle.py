"""A puzzle as plain values: panels, choices, the rule behind them.

A **panel** is what a 180 x 180 picture shows: marks (`marks.py`) in the order they are drawn. A
**draft** is a puzzle that a pattern has thought of, complete, with its right choice still in its place; a **puzzle** is
one that can be asked: choices in their order, the right one among them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Panel = Mapping[str, Any]
"""{"marks": [...]}, each mark a mapping as `marks.py` has it; of nets and solids also words and faces."""

PATTERNS = ("temporal", "spatial", "quantities", "mathematical", "2d", "3d")
CONFIGURATIONS = ("sequence", "two-row", "matrix", "group", "reassembling")
SHAPES = ("geometric", "abstract")
FINE_TYPES = ("location", "colour", "shape", "quantity", "comparison")
CHOICES = 4
LAYOUTS = {"two-row": (2, 3), "matrix": (3, 3), "group": (1, 3), "reassembling": (1, 1)}
"""Rows and columns of the context, the blank included; a sequence is a row of four to seven."""


@dataclass(frozen=True, slots=True)
class PuzzleWish:
    """What is wanted of a puzzle besides its pattern.

    `lines` x `length` panels stand in the context, the blank included: 1 x 4..7 for a sequence, 2 x 3, 3 x 3, 1 x 3 for
    a group. `rules`: how many rules hold at once (1 to 3; a pattern may do with fewer). `near`: distractors that come
    close. `clutter`: marks that follow no rule.
    """

    configuration: str
    lines: int
    length: int
    shapes: str = "geometric"
    rules: int = 1
    near: bool = False
    clutter: bool = False


@dataclass(frozen=True, slots=True)
class PuzzleDraft:
    """A complete puzzle: `panels` line by line, the last one right; three wrong ones, each with what it betrays.

    `rule` is one sentence in plain English that explains the puzzle, without naming a choice. `family` names the kind
    of rule within its pattern ("rotation", "closed areas").
    """

    panels: tuple[Panel, ...]
    wrong: tuple[tuple[Panel, str], ...]
    rule: str
    family: str


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle to be asked. `panels` is the context without the blank; the blank comes last (a net has none).

    `answer` is the place of the right choice, from 0; `mechanisms` has one entry a choice, "" for the right one.
    `rows` x `columns` is how the context is laid out, the blank included; 1 x 1 for a net.
    """

    id: str
    pattern: str
    configuration: str
    shapes: str
    rows: int
    columns: int
    panels: tuple[Panel, ...]
    choices: tuple[Panel, ...]
    answer: int
    mechanisms: tuple[str, ...]
    rule: str
    family: str
