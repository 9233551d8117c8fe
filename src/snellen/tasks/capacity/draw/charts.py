"""Charts drawn plainly: bars, lines, stacked and grouped bars and pies, from a table.

Every value can be read exactly: it is written beside its mark, or its mark ends on a gridline whose value is written
on the axis, or on one of the finer lines that part the steps between these evenly; round a pie these are the marks of a
dial. Colours can be told apart by the
colour-blind (after Okabe and Ito), and neighbours differ in lightness.
"""

from dataclasses import dataclass
from itertools import accumulate, cycle
from math import cos, pi, sin

from snellen.draw.canvas import Canvas, mixed
from snellen.draw.looks import Colour
from snellen.tasks.capacity.draw.lettering import words, write

HEIGHT, WIDTH = 560, 820
KINDS = ("bar", "line", "pie", "stacked")
GROUPED = "grouped"
"""Bars side by side, one for each series."""

BLUE, ORANGE, GREEN = (0, 114, 178), (240, 173, 40), (0, 145, 110)
COLOURS: tuple[Colour, ...] = (BLUE, ORANGE, GREEN, (204, 121, 167), (86, 180, 233), (200, 86, 10))

_INK, _GREY, _GRID, _PAPER = (34, 38, 46), (92, 98, 108), (196, 201, 209), (255, 255, 255)
_FINE_GRID: Colour = (225, 228, 234)
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 788, 112, 492
_TITLE, _WORDS, _SMALL = 25, 18, 16
_MIDDLE = (WIDTH // 2, 318)
"""Of a pie."""


@dataclass(frozen=True, slots=True)
class DataChart:
    """A table and how it is drawn: `values` has for each category one number per series (without names: one series).

    The axis goes up to `top` in steps of `step`, with fine lines every `minor` if that is not 0; `labelled` charts have
    each value written beside its mark.
    """

    kind: str
    title: str
    unit: str
    categories: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    step: int
    top: int
    labelled: bool
    minor: int = 0


def draw(chart: DataChart) -> Canvas:
    """The chart as a picture."""
    canvas = Canvas(HEIGHT, WIDTH, _PAPER)
    write(canvas, words(chart.title, _TITLE, bold=True), 36, 46, _INK)
    write(canvas, words(chart.unit, _WORDS), 36, 76, _GREY)
    if chart.kind == "pie":
        _pie(canvas, chart)
        return canvas
    _axes(canvas, chart)
    {"bar": _bars, "line": _line, "stacked": _bars, GROUPED: _groups}[chart.kind](canvas, chart)
    canvas.fill(_BOTTOM, _LEFT, 2, _RIGHT - _LEFT, _INK)
    return canvas


def _height(chart: DataChart, value: int) -> int:
    """Where on the picture a value lies."""
    return _BOTTOM - (2 * value * (_BOTTOM - _TOP) + chart.top) // (2 * chart.top)


def _middles(chart: DataChart) -> list[int]:
    many = len(chart.categories)
    return [_LEFT + (2 * place + 1) * (_RIGHT - _LEFT) // (2 * many) for place in range(many)]


def _axes(canvas: Canvas, chart: DataChart) -> None:
    for value in range(0, chart.top + 1, chart.minor or chart.step):
        canvas.fill(_height(chart, value), _LEFT, 1, _RIGHT - _LEFT, _FINE_GRID)
    for value in range(0, chart.top + 1, chart.step):
        y = _height(chart, value)
        canvas.fill(y, _LEFT, 1, _RIGHT - _LEFT, _GRID)
        write(canvas, words(str(value), _SMALL), _LEFT - 12, y + 6, _GREY, "right")
    for name, x in zip(chart.categories, _middles(chart), strict=True):
        write(canvas, words(name, _WORDS), x, _BOTTOM + 30, _INK, "middle")


def _bars(canvas: Canvas, chart: DataChart) -> None:
    """One bar for each category, of one part or of several on top of one another."""
    pitch = (_RIGHT - _LEFT) // len(chart.categories)
    wide = min(84, pitch * 58 // 100)
    stacked = chart.kind == "stacked"
    for x, values in zip(_middles(chart), chart.values, strict=True):
        ends = [_height(chart, end) for end in accumulate(values, initial=0)]
        for colour, low, high, value in zip(COLOURS, ends, ends[1:], values, strict=False):
            canvas.fill(high, x - wide // 2, low - high - (1 if stacked and low < _BOTTOM else 0), wide, colour)
            if chart.labelled:
                label, ink = words(str(value), _SMALL, bold=True), _on(colour) if stacked else _INK
                write(canvas, label, x, (low + high) // 2 + 6 if stacked else high - 8, ink, "middle")
    if stacked:
        _legend(canvas, chart.series)


def _groups(canvas: Canvas, chart: DataChart) -> None:
    """For each category a group of bars that touch, in the order of the series."""
    pitch = (_RIGHT - _LEFT) // len(chart.categories)
    wide = min(44, pitch * 76 // (100 * len(chart.series)))
    for x, values in zip(_middles(chart), chart.values, strict=True):
        left = x - wide * len(values) // 2
        for place, (colour, value) in enumerate(zip(COLOURS, values, strict=False)):
            high = _height(chart, value)
            canvas.fill(high, left + place * wide, _BOTTOM - high, wide - 1, colour)
    _legend(canvas, chart.series)


def _on(colour: Colour) -> Colour:
    """Ink that is legible on a colour."""
    light = 299 * colour[0] + 587 * colour[1] + 114 * colour[2] > 140_000
    return _INK if light else _PAPER


def _legend(canvas: Canvas, series: tuple[str, ...]) -> None:
    """The names of the series with their colours, in a line that ends at the right."""
    names = [words(name, _WORDS) for name in series]
    x = _RIGHT - sum(name.width + 28 for name in names) - 26 * (len(names) - 1)
    for colour, name in zip(COLOURS, names, strict=False):
        canvas.fill(62, x, 16, 16, colour)
        write(canvas, name, x + 24, 76, _INK)
        x += name.width + 54


def _line(canvas: Canvas, chart: DataChart) -> None:
    points = [(x, _height(chart, values[0])) for x, values in zip(_middles(chart), chart.values, strict=True)]
    for x, _ in points:
        canvas.fill(_BOTTOM, x - 1, 7, 2, _INK)
    canvas.line(points, 3.5, BLUE)
    for number, (x, y) in enumerate(points):
        canvas.disc(x, y, 7.5, BLUE)
        canvas.disc(x, y, 4, _PAPER)
        if chart.labelled:
            aside, down = _free_spot(points, number)
            write(canvas, words(str(chart.values[number][0]), _SMALL, bold=True), x + aside, y + down, _INK, "middle")


def _free_spot(points: list[tuple[int, int]], number: int) -> tuple[int, int]:
    """Where, as seen from a point of a line, its value does not lie on the line: right and down."""
    y = points[number][1]
    before = points[number - 1][1] if number else y
    after = points[number + 1][1] if number + 1 < len(points) else y
    if y > max(before, after) and y < _BOTTOM - 34:
        return 0, 28
    if before < y < after:
        return 16, -12
    return (-16, -12) if before > y > after else (0, -15)


def _pie(canvas: Canvas, chart: DataChart) -> None:
    """Slices clockwise from the top, each with its name beside it, and its value or a dial to read that off."""
    radius = 164 if chart.labelled else 148
    shares = [values[0] for values in chart.values]
    total, bounds = sum(shares), list(accumulate(shares, initial=0))
    for colour, start, end in zip(cycle(COLOURS), bounds, bounds[1:], strict=False):
        steps = max(2, (end - start) * 120 // total)
        angles = [2 * pi * (start + (end - start) * step / steps) / total for step in range(steps + 1)]
        canvas.polygon([_MIDDLE, *(_around(angle, radius) for angle in angles)], colour)
    for start in bounds[:-1]:
        canvas.line([_MIDDLE, _around(2 * pi * start / total, radius)], 2.5, _PAPER)
    if not chart.labelled:
        _dial(canvas, chart, radius)
    for start, end, name, colour in zip(bounds, bounds[1:], chart.categories, cycle(COLOURS), strict=False):
        angle = pi * (start + end) / total
        align = "middle" if abs(sin(angle)) < 0.2 else "left" if sin(angle) > 0 else "right"
        if chart.labelled:
            canvas.line([_around(angle, radius + far) for far in (3, 14)], 1.6, mixed(_GREY, _PAPER, 35))
            x, y = _around(angle, radius + 20)
            y -= 4 + 22 * cos(angle)  # two lines: above the pie they end near it, below they begin there
            write(canvas, words(name, _WORDS), x, y, _INK, align)
            write(canvas, words(str(end - start), _WORDS, bold=True), x, y + 22, _INK, align)
        else:  # a dot of its colour keeps a name apart from the numbers of the dial
            x, y = _around(angle, radius + 56)
            canvas.disc(x, y, 6, colour)
            if align == "middle":
                y += 20 if cos(angle) < 0 else -16
            write(canvas, words(name, _WORDS), x + {"left": 13, "middle": 0, "right": -13}[align], y + 6, _INK, align)


def _dial(canvas: Canvas, chart: DataChart, radius: int) -> None:
    """Marks round a pie, clockwise from 0 at the top: every `minor`, with a number at every `step`."""
    for value in range(0, chart.top, chart.minor):
        angle, numbered = 2 * pi * value / chart.top, value % chart.step == 0
        canvas.line([_around(angle, radius + far) for far in (3, 13 if numbered else 9)], 1.6, _INK)
        if numbered:
            x, y = _around(angle, radius + 28)
            write(canvas, words(str(value), _SMALL), x, y + 6, _GREY, "middle")


def _around(angle: float, far: float) -> tuple[float, float]:
    """The point so far from the middle of a pie, at an angle clockwise from the top."""
    return _MIDDLE[0] + far * sin(angle), _MIDDLE[1] - far * cos(angle)
