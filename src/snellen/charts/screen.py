"""Charts as the report page takes them: marks as short lists, drawn at several widths.

The page repeats what it is given and knows no kind of chart. A colour is a place in the drawing's own list of paints:
the colour on light and on dark paper and, for hatching, its lines; paper itself is whatever lies behind the chart.
"""

from typing import Any

from snellen.charts.blocks import Chart
from snellen.charts.kinds import draw, narrowest
from snellen.charts.marks import BoxMark, DiscMark, HatchMark, Ink, LineMark, MarksPage, ShapeMark, SpotMark, TextMark
from snellen.charts.measure import width
from snellen.charts.palette import PAPER, on_dark
from snellen.charts.svg import path_of, short
from snellen.faculties import Hatch

WIDE, MIDDLE = 500.0, 300.0
"""Points of the wide and of the middle drawing; the narrow one is as narrow as the chart allows."""

_DIFFERS = 50.0
_ANCHORS = {"start": 0, "middle": 1, "end": 2}
_NONE = -1


def chart_json(chart: Chart) -> dict[str, Any]:
    """A chart with its drawings, widest first, and its numbers as a table."""
    sheets = [draw(chart, wide) for wide in _widths(narrowest(chart))]
    numbers = sheets[0].numbers
    return {
        "kind": "chart",
        "title": chart.title,
        "note": chart.note,
        "told": sheets[0].told,
        "drawings": [_drawing(sheet) for sheet in sheets],
        "numbers": numbers and [numbers.corner, numbers.columns, numbers.rows],
    }


def _widths(least: float) -> list[float]:
    """Widest first; a width that the chart hardly differs from at its narrowest is left out."""
    return [*(wide for wide in (WIDE, MIDDLE) if wide >= least + _DIFFERS), least]


def _drawing(sheet: MarksPage) -> dict[str, Any]:
    paints = _Paints()
    marks = [_mark(mark, paints) for mark in sheet.marks if not isinstance(mark, SpotMark)]
    spots = [
        [*map(_short, (mark.x, mark.y, mark.width, mark.height)), mark.text]
        for mark in sheet.marks
        if isinstance(mark, SpotMark)
    ]
    return {"size": [_short(sheet.width), _short(sheet.height)], "paints": paints.list, "marks": marks, "spots": spots}


class _Paints:
    """Every colour of a drawing once."""

    def __init__(self) -> None:
        self.list: list[Any] = []

    def place(self, colour: str | None, hatch: Hatch = ()) -> int:
        if colour is None:
            return _NONE
        pair = [str(colour), on_dark(colour)]
        paint = "paper" if pair == [PAPER, PAPER.dark] else [*pair, hatch] if hatch else pair
        if paint not in self.list:
            self.list.append(paint)
        return self.list.index(paint)


def _mark(mark: Ink | HatchMark, paints: _Paints) -> list[Any]:
    """Words as x, y, text, size, ink, width, anchor, upright; all else as path, fill, edge, pen, dashes."""
    if isinstance(mark, TextMark):
        place = [_short(mark.x), _short(mark.y), mark.text, _short(mark.size), paints.place(mark.ink)]
        return [*place, _short(width(mark.text, mark.size)), _ANCHORS[mark.anchor], int(mark.upright)]
    if isinstance(mark, LineMark):
        path = "".join(map(path_of, mark.runs))
        return [path, _NONE, paints.place(mark.ink), _short(mark.pen), " ".join(map(short, mark.dash))]
    if isinstance(mark, HatchMark):
        return [_box(mark), paints.place(mark.lines.ink, mark.hatch), _NONE, 0, ""]
    path = _round(mark) if isinstance(mark, DiscMark) else _box(mark) if isinstance(mark, BoxMark) else _closed(mark)
    dash = mark.dash if isinstance(mark, BoxMark) else ()
    edge = paints.place(mark.edge)
    return [path, paints.place(mark.fill), edge, _short(mark.pen), " ".join(map(short, dash))]


def _box(mark: BoxMark | HatchMark) -> str:
    x, y, wide, high = map(short, (mark.x, mark.y, mark.width, mark.height))
    return f"M{x} {y}h{wide}v{high}H{x}Z"


def _round(disc: DiscMark) -> str:
    x, y, radius, across = map(short, (disc.x - disc.radius, disc.y, disc.radius, 2 * disc.radius))
    return f"M{x} {y}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0-{across} 0Z"


def _closed(shape: ShapeMark) -> str:
    return f"{path_of(shape.points)}Z"


def _short(x: float) -> float:
    return round(x, 2)
