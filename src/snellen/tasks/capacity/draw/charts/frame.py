"""A chart as data, and what its kinds share: sizes, colours, axes, the legend.

Every value can be read exactly: it is written beside its mark, or its mark ends on a gridline, on one of the finer
lines that part the steps between these evenly, or (`ruled` is False) a whole number of such parts from a gridline. On a
logarithmic axis the lines are those of log paper. Colours can be told apart by the colour-blind (after Okabe and Ito),
and neighbours differ in lightness.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from snellen.draw.canvas import Canvas
from snellen.draw.looks import Colour
from snellen.tasks.capacity.draw.lettering import words, write

HEIGHT, WIDTH = 560, 820
KINDS = ("bar", "line", "pie", "stacked")
GROUPED, HORIZONTAL, AREA, SCATTER, LOG, DUAL = "grouped", "horizontal", "area", "scatter", "log", "dual"
"""Bars side by side, one for each series; lying bars; a filled line; named points; a line over a logarithmic axis; bars
and a line, each with an axis of its own."""

BLUE, ORANGE, GREEN = (0, 114, 178), (240, 173, 40), (0, 145, 110)
COLOURS: tuple[Colour, ...] = (BLUE, ORANGE, GREEN, (204, 121, 167), (86, 180, 233), (200, 86, 10))

INK, GREY, GRID, PAPER = (34, 38, 46), (92, 98, 108), (196, 201, 209), (255, 255, 255)
FINE_GRID: Colour = (225, 228, 234)
LEFT, RIGHT, TOP, BOTTOM = 86, 788, 112, 492
TITLE, WORDS, SMALL = 25, 18, 16
_LOGS = (0, 301030, 477121, 602060, 698970, 778151, 845098, 903090, 954243)
"""Millionths of the logarithms of 1 to 9."""


@dataclass(frozen=True, slots=True)
class DataChart:
    """A table and how it is drawn: `values` has for each category one number per series (without names: one series).

    The axis goes up to `top` in steps of `step`, with fine lines every `minor` if that is not 0, unless it is not
    `ruled`; `labelled` charts have each value written beside its mark. `log`: the axis goes from `step` to `top`, both
    powers of ten. `dual`: `right_minor` is to the right axis what `minor` is to the left one. `scatter`: `places` are
    the points' values on the other axis, which is called `across`.
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
    ruled: bool = True
    right_minor: int = 0
    places: tuple[int, ...] = ()
    across: str = ""


def height(chart: DataChart, value: int) -> int:
    """Where on the picture a value lies, by the left axis."""
    if chart.kind == LOG:
        share, whole = _logarithm(value) - _logarithm(chart.step), _logarithm(chart.top) - _logarithm(chart.step)
        return BOTTOM - (2 * share * (BOTTOM - TOP) + whole) // (2 * whole)
    return BOTTOM - (2 * value * (BOTTOM - TOP) + chart.top) // (2 * chart.top)


def _logarithm(value: int) -> int:
    """Of one of 1 to 9 times a power of ten, in millionths: whole numbers are the same on every machine."""
    zeros = len(str(value)) - 1
    return zeros * 1_000_000 + _LOGS[value // 10**zeros - 1]


def middles(chart: DataChart) -> list[int]:
    many = len(chart.categories)
    return [LEFT + (2 * place + 1) * (right(chart) - LEFT) // (2 * many) for place in range(many)]


def right(chart: DataChart) -> int:
    """Where the chart ends: before the numbers of a second axis."""
    return RIGHT - 40 if chart.kind == DUAL else RIGHT


def lines(chart: DataChart) -> Iterator[tuple[int, bool]]:
    """The values of the lines across the chart, and whether they have a number."""
    if chart.kind == LOG:
        decade = chart.step
        while decade < chart.top:
            yield from ((digit * decade, digit == 1) for digit in range(1, 10))
            decade *= 10
        yield chart.top, True
        return
    fine = chart.minor if chart.ruled and chart.minor else chart.step
    yield from ((value, value % chart.step == 0) for value in range(0, chart.top + 1, fine))


def axes(canvas: Canvas, chart: DataChart, *, named: bool = True) -> None:
    """The lines across with their numbers, and the names of the entries below (`named`)."""
    for value, numbered in sorted(lines(chart), key=lambda one: one[1]):
        y = height(chart, value)
        canvas.fill(y, LEFT, 1, right(chart) - LEFT, GRID if numbered else FINE_GRID)
        if numbered:
            write(canvas, words(str(value), SMALL), LEFT - 12, y + 6, GREY, "right")
    if named:
        for name, x in zip(chart.categories, middles(chart), strict=True):
            write(canvas, words(name, WORDS), x, BOTTOM + 30, INK, "middle")


def legend(canvas: Canvas, series: tuple[str, ...]) -> None:
    """The names of the series with their colours, in a line that ends at the right."""
    names = [words(name, WORDS) for name in series]
    x = RIGHT - sum(name.width + 28 for name in names) - 26 * (len(names) - 1)
    for colour, name in zip(COLOURS, names, strict=False):
        canvas.fill(62, x, 16, 16, colour)
        write(canvas, name, x + 24, 76, INK)
        x += name.width + 54
