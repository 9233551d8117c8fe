"""Wind roses side by side: shares all the way around, the first at the top. Areas are shares."""

from collections.abc import Sequence
from math import cos, pi, sin, sqrt

from snellen.charts.blocks import Compass, Value
from snellen.charts.legend import LegendEntry, interval_entry, legend
from snellen.charts.marks import (
    DiscMark,
    LineMark,
    Mark,
    MarksPage,
    NumberTable,
    Point,
    ShapeMark,
    SpotMark,
    TextMark,
)
from snellen.charts.measure import ASCENT, DESCENT, LEADING, SMALL, TEXT, cut, plain, wrap
from snellen.charts.numbers import MISSING, fixed, interval, number, number_table, share_text, share_title, whole
from snellen.charts.page import EDGE, empty, moved, sheet
from snellen.charts.palette import INK, LINE, PAPER, SOFT
from snellen.charts.shapes import part_colour

_REACH, _OUT = 32.0, 13.5
"""How far the largest share reaches, and how far beyond it the names stand."""
_MIDDLE = _REACH + _OUT + 1.2 * SMALL
_CELL, _APART = 114.0, 10.0
_FIRST, _OTHERS = 0, 4
"""The parts whose colours the first direction and all others have."""
_LINE = TEXT * LEADING


def draw(block: Compass, wide: float) -> MarksPage:
    """The roses on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows or not block.parts:
        return empty(wide, title)
    room = wide - 2 * EDGE
    columns = max(1, min(len(block.rows), int(room // _CELL)))
    cell = room / columns
    most = max((0.01, *(_furthest(value) for _, values in block.rows for value in values)))
    numbers = number_table(share_title(block.of), block.parts, block.rows, share_text)
    marks, y = legend([], _entries(block, most), room)
    for k in range(0, len(block.rows), columns):
        bottoms = []
        for i, (label, values) in enumerate(block.rows[k : k + columns]):
            rose, bottom = _rose(plain(label), block.parts, values, most, cell)
            spots = _spots(numbers, k + i, len(block.parts), cell)
            marks += moved([*rose, *spots], (i + 0.5) * cell, y)
            bottoms.append(bottom)
        y += max(bottoms) + _APART
    return sheet(wide, y - _APART, marks, title, numbers)


def _furthest(value: Value | None) -> float:
    return max(number(value) or 0.0, *(interval(value) or ()), 0.0)


def _entries(block: Compass, most: float) -> list[LegendEntry]:
    """Areas, rings and lines: what they stand for."""

    def ring(share: float) -> str:
        return f"{fixed(100 * share, 0 if share >= 0.1 else 1)}\u00a0%"

    entries = [
        LegendEntry(share_title(block.of), lambda x, y: _wedge(8, pi / 2, 0.4, _FIRST, (x + 1, y))),
        LegendEntry(
            f"rings: {ring(most / 4)} and {ring(most)}", lambda x, y: [DiscMark(x + 5, y, 2.9, None, SOFT, 0.5)]
        ),
    ]
    if any(interval(value) for _, values in block.rows for value in values):
        entries.append(interval_entry())
    return entries


def _rose(
    label: str, parts: Sequence[str], values: Sequence[Value | None], most: float, cell: float
) -> tuple[list[Mark], float]:
    """One rose around the middle of a cell, with its name below, and where that ends."""
    middle = _MIDDLE
    step = 2 * pi / len(parts)
    chord = max(18.0, 2 * (_REACH + _OUT) * sin(step / 2) - 2)
    marks: list[Mark] = [DiscMark(0, middle, radius, PAPER, LINE) for radius in (_REACH, _REACH / 2)]
    words: list[Mark] = []
    for k, part in enumerate(parts):
        value = values[k] if k < len(values) else None
        share, turn = number(value), k * step
        if share:
            marks += _wedge(_far(share, most), turn, 0.4 * step, _OTHERS if k else _FIRST, (0, middle))
        if share is not None and (ends := interval(value)) is not None:
            marks.append(_reach(_far(ends[0], most), _far(ends[1], most), turn, (0, middle)))
        x, y = _at(turn, _REACH + _OUT, (0, middle))
        name = cut(plain(part), SMALL, min(cell - 2 * abs(x), chord))
        words.append(TextMark(x, y - 0.1 * SMALL, name, SMALL, SOFT, "middle"))
        text = MISSING if share is None else f"{whole(100 * share)}\u00a0%"
        words.append(TextMark(x, y + 0.95 * SMALL, text, SMALL, INK, "middle"))
    y = 2 * middle + ASCENT * TEXT + 2
    lines = wrap(label, TEXT, cell - 6)
    words += [TextMark(0, y + k * _LINE, line, anchor="middle") for k, line in enumerate(lines)]
    return [*marks, *words], y + (len(lines) - 1) * _LINE + DESCENT * TEXT


def _spots(numbers: NumberTable, row: int, parts: int, cell: float) -> list[Mark]:
    """Where each direction can be pointed at: around its name and its share."""
    spots: list[Mark] = []
    half = min(12.0, cell / 6)
    for k in range(min(parts, len(numbers.rows[row][1]))):
        x, y = _at(k * 2 * pi / parts, _REACH + _OUT / 2, (0, _MIDDLE))
        spots.append(SpotMark(x - half, y - half, 2 * half, 2 * half, numbers.says(row, k)))
    return spots


def _far(share: float, most: float) -> float:
    return _REACH * sqrt(max(0.0, share) / most)


def _at(turn: float, radius: float, middle: Point) -> Point:
    """A place so far from the middle, so much turned clockwise from the top."""
    return middle[0] + radius * sin(turn), middle[1] - radius * cos(turn)


def _reach(near: float, far: float, turn: float, middle: Point) -> LineMark:
    """An interval outwards from the middle, with its ends."""
    ends = [_at(turn, radius, middle) for radius in (near, far)]
    dx, dy = 1.3 * cos(turn), 1.3 * sin(turn)
    caps = (((x - dx, y - dy), (x + dx, y + dy)) for x, y in ends)
    return LineMark((tuple(ends), *caps), INK, pen=0.6)


def _wedge(radius: float, turn: float, half: float, part: int, middle: Point) -> list[Mark]:
    arc = tuple(_at(turn + half * (k / 8 - 1), radius, middle) for k in range(17))
    return [ShapeMark((middle, *arc), part_colour(part), PAPER, 0.3)]
