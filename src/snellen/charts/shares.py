"""Stacked bars: in each row what a whole is made of, and below the bar how far each part might reach."""

from collections.abc import Sequence
from dataclasses import replace

from snellen.charts.axis import Scale, axis, grid, overhang
from snellen.charts.blocks import Shares, Value, percent
from snellen.charts.labels import RowLabel, labels
from snellen.charts.legend import LegendEntry, interval_entry, legend, part_entries
from snellen.charts.marks import BoxMark, Mark, MarksPage, NumberTable, SpotMark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, SMALL, plain, width
from snellen.charts.numbers import interval, number, number_table, share_text, share_title, whole, whole_text
from snellen.charts.page import EDGE, NOTHING, empty, moved, sheet
from snellen.charts.palette import EDGE as DASHED
from snellen.charts.palette import INK, PAPER, SOFT, SeriesStyle, looks, mix
from snellen.charts.shapes import filled, whisker

_BAR, _LANE, _GAP = 11.0, 2.7, 6.0
_HALF = 2.0
"""A whisker can be pointed at so far beyond its ends."""
_THINNEST = 0.05  # a thinner part is a rounding error of nothing, and that differs between machines
_UNKNOWN = "not known"


def draw(block: Shares, wide: float) -> MarksPage:
    """The chart on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows:
        return empty(wide, title)
    room = wide - 2 * EDGE
    names, left = labels([label for label, _ in block.rows], room)
    hang = overhang(0, 100, room - left)
    scale = Scale(0, 100, max(left, hang), room - hang)
    numbers = number_table(share_title(block.of), block.parts, block.rows, share_text)
    rows, spans = _rows(names, [values for _, values in block.rows], looks(block.parts), scale, numbers)
    below, end = axis(scale, spans[-1][1], share_title(block.of), room)
    has_intervals = any(interval(value) for _, values in block.rows for value in values)
    head, top = legend(_entries(block), [interval_entry()] if has_intervals else [], room)
    body = moved([grid(scale, spans), *rows, *below], 0, top)
    return sheet(wide, top + end, [*head, *body], title, numbers)


def _entries(block: Shares) -> list[LegendEntry]:
    """What the parts are; the numbers of a single row without a name stand beside them."""
    entries = part_entries(block.parts)
    if len(block.rows) > 1 or block.rows[0][0]:
        return entries
    texts = (whole_text(percent(value)) for value in block.rows[0][1])
    return [replace(entry, name=f"{entry.name} {text}") for entry, text in zip(entries, texts, strict=True)]


def _rows(
    names: Sequence[RowLabel],
    rows: Sequence[Sequence[Value | None]],
    parts: Sequence[SeriesStyle],
    scale: Scale,
    numbers: NumberTable,
) -> tuple[list[Mark], list[tuple[float, float]]]:
    """All rows from the top, and the heights between which their bars lie."""
    marks: list[Mark] = []
    spans: list[tuple[float, float]] = []
    y = 0.0
    for r, (name, values) in enumerate(zip(names, rows, strict=True)):
        lanes = len(values) if any(interval(value) for value in values) else 0
        body = _BAR + (lanes * _LANE + 1.5 if lanes else 0.0)
        high = max(body, name.height) + _GAP
        top = y + name.above
        bar = top + (high - body) / 2
        marks += name.drawn(y, 2 * (bar - top) + _BAR if name.height <= _BAR else high)
        marks += _stack(values, parts, scale, bar)
        marks += _spots(values, r, numbers, scale, bar)
        y = top + high
        spans.append((top, y))
    return marks, spans


def _stack(values: Sequence[Value | None], parts: Sequence[SeriesStyle], scale: Scale, y: float) -> list[Mark]:
    """One bar from the left. What is not known is left open, never taken for nothing."""
    middle = y + _BAR / 2 + (ASCENT - DESCENT) * SMALL / 2
    if all(number(value) is None for value in values):
        return [TextMark(scale.left + 3, middle, NOTHING, SMALL, SOFT)]
    marks: list[Mark] = []
    start = 0.0
    for k, (look, value) in enumerate(zip(parts, values, strict=False)):
        share = max(0.0, min(1.0 - start, number(value) or 0.0))
        x, end = scale.at(100 * start), scale.at(100 * (start + share))
        if end - x >= _THINNEST:
            marks += filled(look, x, y, end - x, _BAR)
            marks += _inside(look, share, (x + end) / 2, middle, end - x)
        if (ends := interval(value)) is not None:
            low, high = _reach(ends, start, last=k == len(values) - 1)
            lane = _lane(y, k) + _LANE / 2
            marks.append(whisker(scale.at(100 * low), scale.at(100 * high), lane, look.pen, cap=1.1, pen=0.7))
        start += share
    if start < 0.995 and any(number(value) is None for value in values):
        x = scale.at(100 * start)
        marks.append(BoxMark(x, y, scale.right - x, _BAR, edge=DASHED, dash=(1.5, 1.5)))
        if scale.right - x > width(_UNKNOWN, SMALL) + 4:
            marks.append(TextMark((x + scale.right) / 2, middle, _UNKNOWN, SMALL, SOFT, "middle"))
    return marks


def _lane(bar: float, k: int) -> float:
    """The top of the lane below a bar in which the whisker of part k lies."""
    return bar + _BAR + 1.5 + k * _LANE


def _spots(values: Sequence[Value | None], row: int, numbers: NumberTable, scale: Scale, y: float) -> list[Mark]:
    """Where each part of a bar can be pointed at, and below it the whisker of each: a part of nothing has only that."""
    boxes: list[Mark] = []
    lanes: list[Mark] = []
    start = 0.0
    for k, value in enumerate(values):
        share = max(0.0, min(1.0 - start, number(value) or 0.0))
        x, end = scale.at(100 * start), scale.at(100 * (start + share))
        if end - x >= _THINNEST:
            boxes.append(SpotMark(x, y, end - x, _BAR, numbers.says(row, k)))
        if (ends := interval(value)) is not None:
            low, high = (scale.at(100 * at) for at in _reach(ends, start, last=k == len(values) - 1))
            left, right = max(scale.left, min(low, high) - _HALF), min(scale.right, max(low, high) + _HALF)
            lanes.append(SpotMark(left, _lane(y, k), right - left, _LANE, numbers.says(row, k)))
        start += share
    return [*boxes, *lanes]


def _inside(look: SeriesStyle, share: float, x: float, y: float, room: float) -> list[Mark]:
    """The number in a part that has room for it; where there is hatching, on a pale ground."""
    text = f"{whole(100 * share)}\u00a0%"
    wide = width(text, SMALL) + 3
    if wide > room:
        return []
    words = TextMark(x, y, text, SMALL, INK if look.hatch else look.letters, "middle")
    ground = BoxMark(x - wide / 2, y - 0.84 * SMALL, wide, 0.98 * SMALL, fill=mix(look.colour, PAPER, 0.75))
    return [ground, words] if look.hatch else [words]


def _reach(ends: tuple[float, float], start: float, last: bool) -> tuple[float, float]:
    """From where to where the whisker of a part goes. A part begins at `start`, so its interval is that of its right
    end. The last part always ends at 1, so its interval is that of its left end."""
    return (1 - ends[1], 1 - ends[0]) if last else (start + ends[0], start + ends[1])
