"""Charts of bars: upright ones, of one part or several, in groups, and lying ones."""

from itertools import accumulate

from snellen.draw.canvas import Canvas
from snellen.draw.looks import Colour
from snellen.tasks.capacity.draw.charts.frame import (
    BLUE,
    BOTTOM,
    COLOURS,
    FINE_GRID,
    GREY,
    GRID,
    INK,
    LEFT,
    PAPER,
    RIGHT,
    SMALL,
    TOP,
    WORDS,
    DataChart,
    height,
    legend,
    lines,
    middles,
)
from snellen.tasks.capacity.draw.lettering import words, write

_NAMES = 150
"""Where lying bars begin."""


def bars(canvas: Canvas, chart: DataChart) -> None:
    """One bar for each category, of one part or of several on top of one another."""
    pitch = (RIGHT - LEFT) // len(chart.categories)
    wide = min(84, pitch * 58 // 100)
    stacked = chart.kind == "stacked"
    for x, values in zip(middles(chart), chart.values, strict=True):
        ends = [height(chart, end) for end in accumulate(values, initial=0)]
        for colour, low, high, value in zip(COLOURS, ends, ends[1:], values, strict=False):
            canvas.fill(high, x - wide // 2, low - high - (1 if stacked and low < BOTTOM else 0), wide, colour)
            if chart.labelled:
                label, ink = words(str(value), SMALL, bold=True), _on(colour) if stacked else INK
                write(canvas, label, x, (low + high) // 2 + 6 if stacked else high - 8, ink, "middle")
    if stacked:
        legend(canvas, chart.series)


def groups(canvas: Canvas, chart: DataChart) -> None:
    """For each category a group of bars that touch, in the order of the series."""
    pitch = (RIGHT - LEFT) // len(chart.categories)
    wide = min(44, pitch * 76 // (100 * len(chart.series)))
    for x, values in zip(middles(chart), chart.values, strict=True):
        left = x - wide * len(values) // 2
        for place, (colour, value) in enumerate(zip(COLOURS, values, strict=False)):
            high = height(chart, value)
            canvas.fill(high, left + place * wide, BOTTOM - high, wide - 1, colour)
    legend(canvas, chart.series)


def lying(canvas: Canvas, chart: DataChart) -> None:
    """Bars from left to right, the first entry on top; the axis is at the bottom."""

    def across(value: int) -> int:
        return _NAMES + (2 * value * (RIGHT - _NAMES) + chart.top) // (2 * chart.top)

    for value, numbered in sorted(lines(chart), key=lambda one: one[1]):
        canvas.fill(TOP, across(value), BOTTOM - TOP, 1, GRID if numbered else FINE_GRID)
        if numbered:
            write(canvas, words(str(value), SMALL), across(value), BOTTOM + 24, GREY, "middle")
    pitch = (BOTTOM - TOP) // len(chart.categories)
    thick = pitch * 58 // 100
    for place, (name, (value,)) in enumerate(zip(chart.categories, chart.values, strict=True)):
        top = TOP + place * pitch + (pitch - thick) // 2
        canvas.fill(top, _NAMES, thick, across(value) - _NAMES, BLUE)
        write(canvas, words(name, WORDS), _NAMES - 12, top + thick // 2 + 6, INK, "right")
    canvas.fill(TOP, _NAMES, BOTTOM - TOP, 2, INK)


def _on(colour: Colour) -> Colour:
    """Ink that is legible on a colour."""
    light = 299 * colour[0] + 587 * colour[1] + 114 * colour[2] > 140_000
    return INK if light else PAPER
