"""Dots with error bars: rows below one another, in each row one lane for every series."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from snellen.charts.axis import Scale, axis, grid, overhang
from snellen.charts.blocks import Intervals, Value
from snellen.charts.labels import WIDEST, RowLabel, labels
from snellen.charts.legend import (
    LegendEntry,
    dot_entries,
    interval_entry,
    legend,
    line_entry,
    missing_entry,
    reference,
)
from snellen.charts.marks import LineMark, Mark, MarksPage, SpotMark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, SMALL, TEXT, cut, plain, width
from snellen.charts.numbers import axis_title, finite, interval, number, number_table, remark, tip_unit, value_text
from snellen.charts.page import EDGE, empty, moved, sheet
from snellen.charts.palette import LINE
from snellen.charts.shapes import cross, dot, pen_colour, whisker

_LANE, _TIGHT, _GAP = 5.9, 4.6, 4.0
_MANY = 60
"""So many lanes are a page; more are set tighter."""
_CROSS, _BESIDE = 8.0, 10.0
"""Room for crosses beside the axis, and between the dots and the numbers beside them."""
_HALF = 3.0
_ROOMY = 340.0
"""Remarks stand below the names of a sheet so wide, and of a narrower one if they are no wider than names may be."""
_LEAST = 0.4
"""Numbers stand beside the dots only if so much of the figure is left for the dots."""
_TOPS = {"percent": 100.0, "probability": 1.0}

Lane = tuple[int, Value | None]


def draw(block: Intervals, wide: float) -> MarksPage:
    """The chart on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows:
        return empty(wide, title)
    block = replace(block, reference=finite(block.reference), references=tuple(map(finite, block.references)))
    room = wide - 2 * EDGE
    short = all(width(plain(text), SMALL) <= WIDEST * room for text in block.remarks)
    remarks = block.remarks if room >= _ROOMY or short else ()
    names, left = labels([label for label, _ in block.rows], room, block.adds, remarks)
    lanes = _lanes(block)
    if _lacks(lanes):
        left += _CROSS
    texts = _texts(block, lanes, room * (1 - _LEAST) - left)
    beside = max((width(text, TEXT) + _BESIDE for text in texts), default=0.0)
    low, high = _domain(block)
    hang = overhang(low, high, room - left - beside)
    scale = Scale(low, high, max(left, hang), room - max(beside, hang))
    say = partial(value_text, unit=block.unit)
    numbers = number_table(axis_title(block.quantity, block.unit), block.series, block.rows, say)

    def tip(row: int, series: int, value: Value) -> str:
        return numbers.says(row, series, remark(value), tip_unit(value, block.unit))

    rows, spans = _rows(names, lanes, texts, scale, room, tip)
    below, end = axis(scale, spans[-1][1], axis_title(block.quantity, block.unit), room)
    behind: list[Mark] = [grid(scale, spans)]
    behind += _lines(block, spans, scale)
    series = dot_entries(block.series) if len(block.series) > 1 else []
    head, top = legend(series, _line_entries(block, lanes), room)
    body = moved([*behind, *rows, *below], 0, top)
    return sheet(wide, top + end, [*head, *body], title, numbers)


def _lanes(block: Intervals) -> list[list[Lane]]:
    """For each row the series that have a lane there: all, or in a sparse chart those that have a value. Where no row
    has more than one value, each row is one lane."""
    if block.sparse or all(sum(value is not None for value in values) <= 1 for _, values in block.rows):
        return [[(k, v) for k, v in enumerate(values) if v is not None] or [(0, None)] for _, values in block.rows]
    return [list(enumerate(values)) for _, values in block.rows]


def _lacks(lanes: Sequence[Sequence[Lane]]) -> bool:
    return any(number(value) is None for row in lanes for _, value in row)


def _texts(block: Intervals, lanes: Sequence[Sequence[Lane]], room: float) -> list[str]:
    """What stands beside rows of a single lane, if there is room for it: the numbers, or why there are none."""
    if any(len(row) != 1 for row in lanes):
        return []
    full = [_text(row[0][1], block, room) for row in lanes]
    bare = [_text(_without_note(row[0][1]), block, room) for row in lanes]
    for texts in (full, bare):
        if max(width(text, TEXT) for text in texts) + _BESIDE <= room:
            return texts
    return []


def _text(value: Value | None, block: Intervals, room: float) -> str:
    note = plain(value.note) if value else ""
    if number(value) is None:
        return cut(note, TEXT, room - _BESIDE) if note else value_text(value, block.unit)
    return f"{value_text(value, block.unit)}{f' · {note}' if note else ''}"


def _without_note(value: Value | None) -> Value | None:
    return replace(value, note="") if value and number(value) is not None else value


def _domain(block: Intervals) -> tuple[float, float]:
    """The range of the axis: the whole of a share, or what there is of a difference."""
    values = [value for _, row in block.rows for value in row]
    numbers = [x for value in values for x in (number(value), *(interval(value) or ())) if x is not None]
    numbers += [block.reference or 0.0, *(x for x in block.references if x is not None)]
    low, high = min(numbers), max(numbers)
    if (top := _TOPS.get(block.unit)) is not None:
        return min(0.0, 1.05 * low), max(top, high)  # a kappa may be below zero
    space = max((high - low) * 0.06, 2.0)
    return max(-100.0, low - space), min(100.0, high + space)


def _line_entries(block: Intervals, lanes: Sequence[Sequence[Lane]]) -> list[LegendEntry]:
    """What else is drawn: intervals, the reference, values that are missing."""
    entries = []
    if any(interval(value) for _, values in block.rows for value in values):
        entries.append(interval_entry())
    if any(x is not None for x in block.references):
        entries.append(line_entry(f"{block.line or 'reference'} (each row its own)"))
    elif block.reference is not None:
        unit = "\u00a0%" if block.unit == "percent" else ""
        where = f" ({block.reference:g}{unit})" if block.reference else ""
        entries.append(line_entry(f"{block.line or 'reference'}{where}"))
    if _lacks(lanes):
        entries.append(missing_entry())
    return entries


def _rows(
    names: Sequence[RowLabel],
    rows: Sequence[Sequence[Lane]],
    texts: Sequence[str],
    scale: Scale,
    room: float,
    tip: Callable[[int, int, Value], str],
) -> tuple[list[Mark], list[tuple[float, float]]]:
    """All rows from the top, and the heights between which their dots lie."""
    lane = _LANE if sum(map(len, rows)) <= _MANY else _TIGHT
    marks: list[Mark] = []
    spans: list[tuple[float, float]] = []
    y = 0.0
    for r, (name, lanes) in enumerate(zip(names, rows, strict=True)):
        high = max(len(lanes) * lane, name.height) + _GAP
        top = y + name.above
        if spans and len(lanes) > 1 and not name.heading:
            marks.append(LineMark((((0, top), (scale.right, top)),), LINE, pen=0.5, dash=(0.5, 2)))
        marks += name.drawn(y, high)
        first = top + (high - len(lanes) * lane) / 2 + lane / 2
        for i, (k, value) in enumerate(lanes):
            marks += _point(k, value, scale, first + i * lane)
            if value is not None:
                left, right = _sides(value, scale)
                middle = first + i * lane
                marks.append(SpotMark(left, middle - lane / 2, right - left, lane, tip(r, k, value)))
        if texts:
            marks.append(TextMark(room, top + high / 2 + (ASCENT - DESCENT) * TEXT / 2, texts[r], anchor="end"))
        y = top + high
        spans.append((top, y))
    return marks, spans


def _point(series: int, value: Value | None, scale: Scale, y: float) -> list[Mark]:
    """One dot with its interval; what is missing is a cross beside the axis, where no value can be."""
    colour, x, ends = pen_colour(series), number(value), interval(value)
    if x is None:
        return [cross(max(2.0, scale.left - 5), y, colour)]
    bars: list[Mark] = [whisker(scale.at(ends[0]), scale.at(ends[1]), y, colour)] if ends else []
    return [*bars, dot(series, scale.at(x), y)]


def _sides(value: Value, scale: Scale) -> tuple[float, float]:
    """From where to where a value can be pointed at: its dot and its interval, or the cross beside the axis."""
    x = number(value)
    if x is None:
        return max(0.0, scale.left - 8), scale.left
    places = [scale.at(end) for end in (x, *(interval(value) or ()))]
    return max(0.0, min(places) - _HALF), max(places) + _HALF


def _lines(block: Intervals, spans: Sequence[tuple[float, float]], scale: Scale) -> list[Mark]:
    """The line to read the dots against: one through all rows, or each row's own."""
    if block.references:
        own = zip(block.references, spans, strict=True)
        return [reference(scale.at(x), scale.at(x), top, bottom) for x, (top, bottom) in own if x is not None]
    if block.reference is None:
        return []
    x = scale.at(block.reference)
    return [reference(x, x, top, bottom) for top, bottom in _joined(spans)]


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans that touch, as one: a dashed line goes on evenly."""
    made: list[tuple[float, float]] = []
    for top, bottom in spans:
        if made and abs(made[-1][1] - top) < 1e-6:
            top = made.pop()[0]
        made.append((top, bottom))
    return made
