"""Charts drawn plainly, from a table: ten kinds."""

from collections.abc import Callable, Mapping

from snellen.draw.canvas import Canvas
from snellen.tasks.capacity.draw.charts.bars import bars, groups, lying
from snellen.tasks.capacity.draw.charts.frame import (
    AREA,
    BOTTOM,
    DUAL,
    GREY,
    GROUPED,
    HEIGHT,
    HORIZONTAL,
    INK,
    LEFT,
    LOG,
    PAPER,
    SCATTER,
    TITLE,
    WIDTH,
    WORDS,
    DataChart,
    axes,
    right,
)
from snellen.tasks.capacity.draw.charts.pie import pie
from snellen.tasks.capacity.draw.charts.points import area, dual, line, scatter
from snellen.tasks.capacity.draw.lettering import words, write

_DRAWN: Mapping[str, Callable[[Canvas, DataChart], None]] = {
    **{"bar": bars, "stacked": bars, GROUPED: groups, HORIZONTAL: lying},
    **{"line": line, LOG: line, AREA: area, SCATTER: scatter, DUAL: dual, "pie": pie},
}


def draw(chart: DataChart) -> Canvas:
    """The chart as a picture."""
    canvas = Canvas(HEIGHT, WIDTH, PAPER)
    write(canvas, words(chart.title, TITLE, bold=True), 36, 46, INK)
    write(canvas, words(chart.unit, WORDS), 36, 76, GREY)
    if chart.kind not in ("pie", HORIZONTAL):
        axes(canvas, chart, named=chart.kind != SCATTER)
    _DRAWN[chart.kind](canvas, chart)
    if chart.kind not in ("pie", HORIZONTAL):
        canvas.fill(BOTTOM, LEFT, 2, right(chart) - LEFT, INK)
    return canvas
