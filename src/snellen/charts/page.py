"""Putting the pieces of a figure below one another."""

from collections.abc import Iterable
from dataclasses import replace

from snellen.charts.marks import (
    BoxMark,
    DiscMark,
    HatchMark,
    LineMark,
    Mark,
    MarksPage,
    NumberTable,
    ShapeMark,
    SpotMark,
    TextMark,
)
from snellen.charts.measure import ASCENT, DESCENT, TEXT
from snellen.charts.palette import SOFT

EDGE = 1.5
"""Nothing comes nearer to the edge of the sheet."""
NOTHING = "nothing to show"


def moved(marks: Iterable[Mark], dx: float, dy: float) -> list[Mark]:
    """The same marks elsewhere."""
    return [_moved(mark, dx, dy) for mark in marks]


def _moved(mark: Mark, dx: float, dy: float) -> Mark:
    if isinstance(mark, HatchMark):
        mark = replace(mark, lines=_moved_line(mark.lines, dx, dy))
    if isinstance(mark, BoxMark | DiscMark | TextMark | HatchMark | SpotMark):
        return replace(mark, x=mark.x + dx, y=mark.y + dy)
    if isinstance(mark, ShapeMark):
        return replace(mark, points=tuple((x + dx, y + dy) for x, y in mark.points))
    return _moved_line(mark, dx, dy)


def _moved_line(line: LineMark, dx: float, dy: float) -> LineMark:
    return replace(line, runs=tuple(tuple((x + dx, y + dy) for x, y in run) for run in line.runs))


def sheet(
    width: float, bottom: float, marks: Iterable[Mark], title: str, numbers: NumberTable | None, told: str = ""
) -> MarksPage:
    """A sheet of that width with `marks` on it, moved in by EDGE on all sides: they are laid out from (0, 0) to
    (`width - 2 * EDGE`, `bottom`). `told` describes the chart to those who cannot see it; without it, `numbers` do."""
    words = told or (numbers.told if numbers else "")
    return MarksPage(width, bottom + 2 * EDGE, tuple(moved(marks, EDGE, EDGE)), title, words, numbers)


def empty(width: float, title: str) -> MarksPage:
    words = TextMark(0, ASCENT * TEXT, NOTHING, ink=SOFT)
    return sheet(width, (ASCENT + DESCENT) * TEXT, [words], title, None, NOTHING)
