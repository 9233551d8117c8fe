"""What colours, shapes and lines mean, in rows above a chart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snellen.charts.marks import LineMark, Mark, TextMark
from snellen.charts.measure import ASCENT, LEADING, TEXT, plain, width, wrap
from snellen.charts.palette import SOFT, SeriesStyle, looks
from snellen.charts.shapes import cross, dot, filled, whisker

ICON, GAP, BETWEEN, BELOW = 10.0, 3.0, 11.0, 6.0
_LINE = TEXT * LEADING


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A name and what stands before it; `icon` draws it from a left end around a middle line."""

    name: str
    icon: Callable[[float, float], Sequence[Mark]]


def part_entries(names: Sequence[str]) -> list[LegendEntry]:
    def icon(look: SeriesStyle) -> Callable[[float, float], Sequence[Mark]]:
        return lambda x, y: filled(look, x, y - 3, ICON, 6)

    return [LegendEntry(plain(name), icon(look)) for name, look in zip(names, looks(names), strict=True)]


def dot_entries(names: Sequence[str], first: int = 0) -> list[LegendEntry]:
    def icon(k: int) -> Callable[[float, float], Sequence[Mark]]:
        return lambda x, y: [dot(k, x + ICON / 2, y)]

    return [LegendEntry(plain(name), icon(k)) for k, name in enumerate(names, first)]


def line_entry(name: str) -> LegendEntry:
    return LegendEntry(plain(name), lambda x, y: [reference(x, x + ICON, y, y)])


def interval_entry() -> LegendEntry:
    return LegendEntry("95\u00a0% CI", lambda x, y: [whisker(x + 0.5, x + ICON - 0.5, y, SOFT)])


def missing_entry() -> LegendEntry:
    return LegendEntry("no value", lambda x, y: [cross(x + ICON / 2, y)])


def reference(x1: float, x2: float, y1: float, y2: float) -> LineMark:
    """A line to read values against."""
    return LineMark((((x1, y1), (x2, y2)),), SOFT, pen=0.9, dash=(3, 1.6))


Placed = tuple[LegendEntry, float, float]
"""An entry, its left end and its room."""


def legend(series: Sequence[LegendEntry], lines: Sequence[LegendEntry], room: float) -> tuple[list[Mark], float]:
    """Series or parts, and what lines mean, from the upper left corner on, and how much height they take.

    In one row if they fit, else series in even columns, with the lines after them or, if that is no longer, below.
    """
    together, apart = _rows([*series, *lines], room), [*_rows(series, room), *_rows(lines, room)]
    marks: list[Mark] = []
    y = 0.0
    for row in together if len(together) < len(apart) else apart:
        drawn = [_drawn(entry, x, y, wide) for entry, x, wide in row]
        marks += [mark for entry_marks in drawn for mark in entry_marks]
        y += _LINE * max(sum(isinstance(mark, TextMark) for mark in entry_marks) for entry_marks in drawn)
    return marks, y + BELOW if y else 0.0


def _rows(entries: Sequence[LegendEntry], room: float) -> list[list[Placed]]:
    """The entries in one row, or in even columns."""
    if _wide(entries) <= room:
        starts = [_wide(entries[:k]) + (BETWEEN if k else 0.0) for k in range(len(entries))]
        return [[(entry, x, room) for entry, x in zip(entries, starts, strict=True)]] if entries else []
    widest = max(_wide([entry]) for entry in entries)
    columns = max(1, int((room + BETWEEN) // (widest + BETWEEN)))
    columns = -(-len(entries) // -(-len(entries) // columns))  # as few as the same number of rows needs
    step = (room + BETWEEN) / columns
    placed = [(entry, k % columns * step, step - BETWEEN) for k, entry in enumerate(entries)]
    return [placed[k : k + columns] for k in range(0, len(placed), columns)]


def _wide(entries: Sequence[LegendEntry]) -> float:
    """How much room the entries take in one row."""
    return sum(ICON + GAP + width(entry.name, TEXT) + BETWEEN for entry in entries) - BETWEEN if entries else 0.0


def _drawn(entry: LegendEntry, x: float, y: float, room: float) -> list[Mark]:
    lines = wrap(entry.name, TEXT, room - ICON - GAP)
    base = y + ASCENT * TEXT
    words = [TextMark(x + ICON + GAP, base + k * _LINE, line) for k, line in enumerate(lines)]
    return [*entry.icon(x, base - 0.36 * TEXT), *words]
