"""Pies, with a dial round them where values are not written."""

from itertools import accumulate, cycle
from math import cos, pi, sin

from snellen.draw.canvas import Canvas, mixed
from snellen.tasks.capacity.draw.charts.frame import COLOURS, GREY, INK, PAPER, SMALL, WIDTH, WORDS, DataChart
from snellen.tasks.capacity.draw.lettering import words, write

_MIDDLE = (WIDTH // 2, 318)


def pie(canvas: Canvas, chart: DataChart) -> None:
    """Slices clockwise from the top, each with its name beside it, and its value or a dial to read that off."""
    radius = 164 if chart.labelled else 148
    shares = [values[0] for values in chart.values]
    total, bounds = sum(shares), list(accumulate(shares, initial=0))
    for colour, start, end in zip(cycle(COLOURS), bounds, bounds[1:], strict=False):
        steps = max(2, (end - start) * 120 // total)
        angles = [2 * pi * (start + (end - start) * step / steps) / total for step in range(steps + 1)]
        canvas.polygon([_MIDDLE, *(_around(angle, radius) for angle in angles)], colour)
    for start in bounds[:-1]:
        canvas.line([_MIDDLE, _around(2 * pi * start / total, radius)], 2.5, PAPER)
    if not chart.labelled:
        _dial(canvas, chart, radius)
    for start, end, name, colour in zip(bounds, bounds[1:], chart.categories, cycle(COLOURS), strict=False):
        angle = pi * (start + end) / total
        align = "middle" if abs(sin(angle)) < 0.2 else "left" if sin(angle) > 0 else "right"
        if chart.labelled:
            canvas.line([_around(angle, radius + far) for far in (3, 14)], 1.6, mixed(GREY, PAPER, 35))
            x, y = _around(angle, radius + 20)
            y -= 4 + 22 * cos(angle)  # two lines: above the pie they end near it, below they begin there
            write(canvas, words(name, WORDS), x, y, INK, align)
            write(canvas, words(str(end - start), WORDS, bold=True), x, y + 22, INK, align)
        else:  # a dot of its colour keeps a name apart from the numbers of the dial
            x, y = _around(angle, radius + 56)
            canvas.disc(x, y, 6, colour)
            if align == "middle":
                y += 20 if cos(angle) < 0 else -16
            write(canvas, words(name, WORDS), x + {"left": 13, "middle": 0, "right": -13}[align], y + 6, INK, align)


def _dial(canvas: Canvas, chart: DataChart, radius: int) -> None:
    """Marks round a pie, clockwise from 0 at the top: every `minor`, with a number at every `step`."""
    for value in range(0, chart.top, chart.minor):
        angle, numbered = 2 * pi * value / chart.top, value % chart.step == 0
        canvas.line([_around(angle, radius + far) for far in (3, 13 if numbered else 9)], 1.6, INK)
        if numbered:
            x, y = _around(angle, radius + 28)
            write(canvas, words(str(value), SMALL), x, y + 6, GREY, "middle")


def _around(angle: float, far: float) -> tuple[float, float]:
    """The point so far from the middle of a pie, at an angle clockwise from the top."""
    return _MIDDLE[0] + far * sin(angle), _MIDDLE[1] - far * cos(angle)
