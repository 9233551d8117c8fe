"""Charts of points: lines, areas, named points between two axes, and a line over bars with an axis of its own."""

from snellen.draw.canvas import Canvas, mixed
from snellen.tasks.capacity.draw.charts.frame import (
    BLUE,
    BOTTOM,
    GREY,
    GRID,
    INK,
    LEFT,
    ORANGE,
    PAPER,
    RIGHT,
    SMALL,
    TOP,
    WORDS,
    DataChart,
    height,
    legend,
    middles,
    right,
)
from snellen.tasks.capacity.draw.lettering import words, write


def line(canvas: Canvas, chart: DataChart) -> None:
    points = [(x, height(chart, values[0])) for x, values in zip(middles(chart), chart.values, strict=True)]
    for x, _ in points:
        canvas.fill(BOTTOM, x - 1, 7, 2, INK)
    canvas.line(points, 3.5, BLUE)
    for number, (x, y) in enumerate(points):
        canvas.disc(x, y, 7.5, BLUE)
        canvas.disc(x, y, 4, PAPER)
        if chart.labelled:
            aside, down = _free_spot(points, number)
            write(canvas, words(str(chart.values[number][0]), SMALL, bold=True), x + aside, y + down, INK, "middle")


def _free_spot(points: list[tuple[int, int]], number: int) -> tuple[int, int]:
    """Where, as seen from a point of a line, its value does not lie on the line: right and down."""
    y = points[number][1]
    before = points[number - 1][1] if number else y
    after = points[number + 1][1] if number + 1 < len(points) else y
    if y > max(before, after) and y < BOTTOM - 34:
        return 0, 28
    if before < y < after:
        return 16, -12
    return (-16, -12) if before > y > after else (0, -15)


def area(canvas: Canvas, chart: DataChart) -> None:
    """A line with everything below it filled; the lines of the chart shine through."""
    points = [(x, height(chart, values[0])) for x, values in zip(middles(chart), chart.values, strict=True)]
    canvas.polygon([(points[0][0], BOTTOM), *points, (points[-1][0], BOTTOM)], BLUE, 6)
    for x, y in points:
        canvas.fill(y, x - 1, BOTTOM - y, 1, mixed(BLUE, PAPER, 45))
    canvas.line(points, 3, BLUE)


def scatter(canvas: Canvas, chart: DataChart) -> None:
    """Points with their names to the right of them."""
    step, top = places_axis(chart)

    def across(value: int) -> int:
        return LEFT + value * (RIGHT - LEFT) // top

    for value in range(0, top + 1, step):
        canvas.fill(TOP, across(value), BOTTOM - TOP, 1, GRID)
        write(canvas, words(str(value), SMALL), across(value), BOTTOM + 24, GREY, "middle")
    write(canvas, words(chart.across, WORDS), RIGHT, BOTTOM + 50, GREY, "right")
    for name, place, (value,) in zip(chart.categories, chart.places, chart.values, strict=True):
        x, y = across(place), height(chart, value)
        canvas.disc(x, y, 7, BLUE)
        write(canvas, words(name, WORDS, bold=True), x + 11, y - 7, INK)


def places_axis(chart: DataChart) -> tuple[int, int]:
    """The step and the end of the axis that goes across."""
    step = 5
    return step, step * (max(chart.places) // step + 1)


def dual(canvas: Canvas, chart: DataChart) -> None:
    """The first series as bars by the left axis, the second as a line by the right one."""
    parts = chart.step // chart.minor
    for place in range(chart.top // chart.step + 1):
        number = words(str(place * parts * chart.right_minor), SMALL)
        write(canvas, number, right(chart) + 10, height(chart, place * chart.step) + 6, GREY)
    xs = middles(chart)
    wide = min(60, (right(chart) - LEFT) // len(xs) * 56 // 100)
    for x, (value, _) in zip(xs, chart.values, strict=True):
        top = height(chart, value)
        canvas.fill(top, x - wide // 2, BOTTOM - top, wide, BLUE)
    points = [
        (x, height(chart, value // chart.right_minor * chart.minor))
        for x, (_, value) in zip(xs, chart.values, strict=True)
    ]
    canvas.line(points, 3.5, ORANGE)
    for x, y in points:
        canvas.disc(x, y, 7.5, INK)
        canvas.disc(x, y, 5.5, ORANGE)
    legend(canvas, chart.series)
