"""Lines over a number that goes up, in panels side by side: one scale for all, so that panels can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from snellen.charts.axis import Scale, axis
from snellen.charts.blocks import Curves, Value
from snellen.charts.legend import ICON, LegendEntry, legend
from snellen.charts.marks import LineMark, Mark, MarksPage, NumberTable, SpotMark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, TEXT, cut, plain, width
from snellen.charts.numbers import interval, number, number_table, tick_texts, ticks, tip_unit, value_text
from snellen.charts.page import EDGE, empty, moved, sheet
from snellen.charts.palette import EDGE as AXIS
from snellen.charts.palette import LINE, SOFT
from snellen.charts.shapes import dot, pen_colour

_HIGH, _NARROWEST, _BETWEEN, _BELOW = 92.0, 105.0, 12.0, 8.0
_TITLE, _TICKS, _APART = TEXT + 5.0, 5.0, 20.0
_DASHES = ((), (4.0, 1.5), (1.2, 1.4), (5.0, 1.4, 1.2, 1.4))
"""Lines differ in their dashes too: papers are printed in grey."""
_SPOT = 3.0
_UNITS = {"percent": "%", "nats": "nats"}

Line = Sequence[Value | None]


@dataclass(frozen=True, slots=True)
class _Along(Scale):
    """A scale with its ticks where there are values, as many as have room beside one another; the last always has."""

    xs: tuple[float, ...] = ()

    @property
    def marks(self) -> list[float]:
        room = max(width(text, TEXT) for text in tick_texts(self.xs)) + _TICKS
        kept: list[float] = []
        for x in sorted(self.xs, reverse=True):
            if not kept or self.at(kept[-1]) - self.at(x) >= room:
                kept.append(x)
        return kept[::-1]


def draw(block: Curves, wide: float) -> MarksPage:
    """The panels on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows or not block.xs or not block.series:
        return empty(wide, title)
    room = wide - 2 * EDGE
    low, high = _domain(block)
    left = max(width(text, TEXT) for text in tick_texts(_levels(low, high))) + 6.0 + TEXT + 3.0
    columns = max(1, min(len(block.rows), int((room - left + _BETWEEN) // (_NARROWEST + _BETWEEN))))
    panel_width = (room - left - (columns - 1) * _BETWEEN) / columns
    marks: list[Mark] = []
    bottom = 0.0
    for k, (name, lines) in enumerate(block.rows):
        if k % columns == 0:
            top = bottom + (_BELOW if k else 0.0)
            marks += _upright(block, Scale(low, high, top + _TITLE + _HIGH, top + _TITLE), left)
        x = left + k % columns * (panel_width + _BETWEEN)
        drawn, bottom = _panel(block, name, lines, (x, x + panel_width), top)
        marks += drawn
    head, above = legend(_entries(block), [], room)
    numbers = _numbers(block)
    told = replace(numbers, columns=tuple(f"{name}:" for name in numbers.columns)).told
    return sheet(wide, above + bottom, [*head, *moved(marks, 0, above)], title, numbers, told)


def _numbers(block: Curves) -> NumberTable:
    rows = [
        (f"{panel}, {series}", values)
        for panel, lines in block.rows
        for series, values in zip(block.series, lines, strict=True)
    ]
    say = partial(value_text, unit="percent" if block.unit == "percent" else "probability")
    return number_table(plain(block.across), [f"{x:g}" for x in block.xs], rows, say)


def _domain(block: Curves) -> tuple[float, float]:
    """The range of the values, the same in all panels; never empty."""
    low, high = block.bounds or _range(block)
    return (low, high) if high > low else (low, low + 1.0)


def _range(block: Curves) -> tuple[float, float]:
    """From the least to the largest value, with some space, and zero in any case."""
    values = [value for _, lines in block.rows for line in lines for value in line]
    numbers = [x for value in values for x in (number(value), *(interval(value) or ())) if x is not None] or [0.0]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    space = max(0.05 * (high - low), 0.01)
    return low - (space if low < 0 else 0.0), high + (space if high > 0 else 0.0)


def _levels(low: float, high: float) -> list[float]:
    """The ticks upwards, for the numbers and the grid alike."""
    return ticks(low, high, _HIGH / _APART)


def _entries(block: Curves) -> list[LegendEntry]:
    def entry(k: int, name: str) -> LegendEntry:
        def icon(x: float, y: float) -> Sequence[Mark]:
            stroke = _stroke(block, k, [((x, y), (x + ICON, y))])
            return [stroke] if name in block.flat else [stroke, dot(k, x + ICON / 2, y)]

        return LegendEntry(plain(name), icon)

    return [entry(k, name) for k, name in enumerate(block.series)]


def _stroke(block: Curves, k: int, runs: Sequence[tuple[tuple[float, float], ...]]) -> LineMark:
    if block.series[k] in block.flat:
        return LineMark(tuple(runs), SOFT, 1.1, _DASHES[1 + block.flat.index(block.series[k]) % 3])
    return LineMark(tuple(runs), pen_colour(k), 0.9, _DASHES[k // 3 % len(_DASHES)])


def _upright(block: Curves, scale: Scale, left: float) -> list[Mark]:
    """The numbers along the left edge of a row of panels, and what they measure."""
    half, levels = (ASCENT - DESCENT) * TEXT / 2, _levels(scale.low, scale.high)
    words: list[Mark] = [
        TextMark(left - 5, scale.at(y) + half, text, ink=SOFT, anchor="end")
        for y, text in zip(levels, tick_texts(levels), strict=True)
    ]
    name = f"{plain(block.quantity)} ({_UNITS[block.unit]})"
    middle = (scale.left + scale.right) / 2
    return [*words, TextMark(ASCENT * TEXT, middle, cut(name, TEXT, _HIGH + _TITLE), anchor="middle", upright=True)]


def _panel(
    block: Curves, name: str, lines: Sequence[Line], sides: tuple[float, float], top: float
) -> tuple[list[Mark], float]:
    """One panel with its title and its axes, and where it ends."""
    ceiling, floor = top + _TITLE, top + _TITLE + _HIGH
    inset = max(width(text, TEXT) for text in tick_texts(block.xs)) / 2 + 1.0
    half = 0.0 if len(set(block.xs)) > 1 else 0.5  # a single value stands in the middle
    ends = min(block.xs) - half, max(block.xs) + half
    across = _Along(*ends, sides[0] + inset, sides[1] - inset, block.xs)
    up = Scale(*_domain(block), floor, ceiling)
    grid = tuple(((sides[0], up.at(y)), (sides[1], up.at(y))) for y in _levels(up.low, up.high))
    frame = LineMark((((sides[0], ceiling), (sides[0], floor), (sides[1], floor)),), AXIS, pen=0.6)
    words = TextMark(sides[0], top + ASCENT * TEXT, cut(plain(name), TEXT, sides[1] - sides[0]))
    below, end = axis(across, floor, plain(block.across), sides[1])
    # the first series lies on top
    drawn = [mark for k in reversed(range(len(lines))) for mark in _line(block, k, lines[k], across, up)]
    spots = _spots(block, name, lines, across, up)
    return [LineMark(grid, LINE, pen=0.5), frame, words, *below, *drawn, *spots], end


def _line(block: Curves, k: int, line: Line, across: Scale, up: Scale) -> list[Mark]:
    """One series in one panel: its line, its intervals, its dots. Where a value is missing the line goes on."""
    dots = [(across.at(x), y, interval(value)) for x, value in zip(block.xs, line, strict=True)
             if (y := number(value)) is not None]  # fmt: skip
    if not dots:
        return []
    points = [(x, up.at(y)) for x, y, _ in dots]
    if block.series[k] in block.flat:
        return [_stroke(block, k, [((across.left, points[0][1]), (across.right, points[0][1]))])]
    runs = tuple(((x, up.at(ends[0])), (x, up.at(ends[1]))) for x, _, ends in dots if ends)
    bars: list[Mark] = [LineMark(runs, pen_colour(k), 0.5)] if runs else []
    strokes: list[Mark] = [_stroke(block, k, list(pairwise(points)))] if len(points) > 1 else []
    return [*bars, *strokes, *(dot(k, x, y) for x, y in points)]


def _spots(block: Curves, name: str, lines: Sequence[Line], across: Scale, up: Scale) -> list[Mark]:
    """Where each dot of a panel can be pointed at."""
    return [
        SpotMark(across.at(x) - _SPOT, up.at(y) - _SPOT, 2 * _SPOT, 2 * _SPOT, _says(block, name, k, x, value))
        for k, line in enumerate(lines)
        if block.series[k] not in block.flat
        for x, value in zip(block.xs, line, strict=True)
        if (y := number(value)) is not None
    ]


def _says(block: Curves, panel: str, k: int, x: float, value: Value | None) -> str:
    text = value_text(value, "percent" if block.unit == "percent" else "probability") + tip_unit(value, block.unit)
    return f"{plain(panel)}, {plain(block.series[k])}, {plain(block.across)} {x:g}: {text}"
