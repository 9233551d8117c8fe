"""The eye chart of a card: lines of Sloan's letters, those it reads in ink, the others faded, and a line where sight
ends. All cards have the same lines, so that better eyes have more of them."""

from collections.abc import Sequence
from itertools import pairwise
from math import log10

from snellen.charts.labels import spread
from snellen.charts.marks import BoxMark, LineMark, Mark, ShapeMark, TextMark
from snellen.charts.measure import width, wrap
from snellen.charts.page import moved
from snellen.charts.rounds import number
from snellen.tasks.acuity.card.pieces import FINE, Part, paragraph
from snellen.tasks.acuity.card.tones import Tones
from snellen.tasks.acuity.draw.optotypes import THINNEST, UNITS, Optotype
from snellen.tasks.acuity.study.readings import CardLine

STROKES = tuple(20 * 10 ** (-0.15 * k) for k in range(11))
"""Pixels a stroke of the lines, from 20 down to 0.63."""
_SCALE = 0.78
"""Points a pixel."""
_ORDER = "NHKDZVSROCKDRHVNZCOSDVCKZNHRSOVKDCHZRNOSKVDNCRZHOSVDKRCNHOSZCVKDR"
_MOST = 9
_LABEL = 38.0
_LEAST_GAP = 8.0
_THIN = FINE - 1.0
"""Size of the words at the lines of others."""


def eye_chart(reading: CardLine, wide: float, tones: Tones) -> Part:
    """The chart, with what is said of it below."""
    rows, bottom = _rows()
    middle = (wide - _LABEL) / 2 + 2
    marks: list[Mark] = [*_band(reading, rows, wide, tones)]
    start = 0
    for k, (stroke, top) in enumerate(rows):
        ink = _ink(reading, stroke, tones)
        count = min(k + 1, _MOST)
        marks += _line(_ORDER[start : start + count], stroke, (middle, top), ink, tones.paper)
        start += count
        size = 5 * stroke * _SCALE
        shade = tones.soft if ink != tones.faded else tones.edge
        marks.append(TextMark(wide, top + size / 2 + 0.36 * FINE, number(stroke), FINE, shade, "end"))
    marks.append(TextMark(wide, -4, "px a stroke", FINE, tones.soft, "end"))
    marks += [*_end(reading, rows, wide, tones), *_lines(reading, rows, wide, tones)]
    below, end = _caption(reading, wide, bottom + 12, tones)
    return [*marks, *below], end


def _rows() -> tuple[list[tuple[float, float]], float]:
    """The lines with their strokes and their tops, and where the last one ends."""
    rows, y = [], 0.0
    for stroke in STROKES:
        rows.append((stroke, y))
        size = 5 * stroke * _SCALE
        y += size + max(_LEAST_GAP, 0.3 * size)
    return rows, rows[-1][1] + 5 * rows[-1][0] * _SCALE


def _line(letters: str, stroke: float, at: tuple[float, float], ink: str, paper: str) -> list[Mark]:
    """One line of letters around a middle: gaps are as wide as letters."""
    size = 5 * stroke * _SCALE
    left = at[0] - (2 * len(letters) - 1) * size / 2
    return [
        mark for k, name in enumerate(letters) for mark in letter(name, size, (left + 2 * k * size, at[1]), ink, paper)
    ]


def letter(name: str, size: float, at: tuple[float, float], ink: str, paper: str) -> list[Mark]:
    """A letter with its upper left corner there. What is cut out of it is paper."""
    stroke = max(THINNEST, size / UNITS)
    drawn = Optotype(name, stroke, UNITS * stroke / 2, UNITS * stroke / 2)  # round parts as fine as this size needs
    scale = size / drawn.size
    shapes: list[Mark] = []
    for k, outline in enumerate(drawn.outlines):
        points = tuple((at[0] + scale * float(x), at[1] + scale * float(y)) for x, y in outline)
        shapes.append(ShapeMark(points, paper if k else ink))
    return shapes


def _ink(reading: CardLine, stroke: float, tones: Tones) -> str:
    """In ink what it reads, faded what it does not, grey what lies within the interval."""
    if reading.kind == "better than drawn":
        return tones.ink if reading.hardest is None or stroke >= 0.98 * reading.hardest else tones.doubt
    if reading.value is None:
        return tones.faded
    if stroke >= (reading.high if reading.high is not None else reading.value):
        return tones.ink
    return tones.doubt if stroke >= (reading.low if reading.low is not None else 0.0) else tones.faded


def _height(rows: Sequence[tuple[float, float]], stroke: float) -> float:
    """How far down a stroke width lies, between the middles of the lines."""
    middles = [(log10(s), top + 5 * s * _SCALE / 2) for s, top in rows]
    x = log10(stroke)
    if x >= middles[0][0]:
        return max(-6.0, middles[0][1] - (x - middles[0][0]) / 0.15 * 60)
    for (above, y1), (below, y2) in pairwise(middles):
        if x >= below:
            return y1 + (above - x) / (above - below) * (y2 - y1)
    return middles[-1][1] + min(8.0, (middles[-1][0] - x) / 0.15 * 9)


def _band(reading: CardLine, rows: Sequence[tuple[float, float]], wide: float, tones: Tones) -> list[Mark]:
    if reading.value is None:
        return []
    top = _height(rows, reading.high if reading.high is not None else rows[0][0])
    bottom = _height(rows, reading.low if reading.low is not None else rows[-1][0])
    return [BoxMark(0, top, wide - _LABEL, max(0.8, bottom - top), tones.band)]


def _end(reading: CardLine, rows: Sequence[tuple[float, float]], wide: float, tones: Tones) -> list[Mark]:
    """The line where sight ends."""
    if reading.value is None:
        return []
    y = _height(rows, reading.value)
    return [LineMark((((0, y), (wide - _LABEL, y)),), tones.accent, 1.1)]


def _lines(reading: CardLine, rows: Sequence[tuple[float, float]], wide: float, tones: Tones) -> list[Mark]:
    """Where the sight of others ends: thin lines with their names at the left, where small letters leave room."""
    known = [(line, line.at) for line in reading.anchors if line.at]
    heights = [_height(rows, at) for _, at in known]
    ends = (-8.0, rows[-1][1] + 5 * rows[-1][0] * _SCALE + 14)
    middles = spread(heights, [_THIN + 1] * len(known), ends, 0.6)
    marks: list[Mark] = []
    for (line, at), y, middle in zip(known, heights, middles, strict=True):
        said = f"{line.name} {'< ' if line.kind == 'better than drawn' else ''}{number(at)}"
        long = width(said, _THIN) + 3
        marks.append(LineMark((((long, middle), (long + 4, y), (wide - _LABEL, y)),), tones.edge, 0.5, (1.2, 1.6)))
        marks.append(BoxMark(0, middle - _THIN / 2 - 0.6, long, _THIN + 1.2, tones.paper))
        marks.append(TextMark(0, middle + 0.36 * _THIN, said, _THIN, tones.soft))
    return marks


def _caption(reading: CardLine, wide: float, y: float, tones: Tones) -> Part:
    said = {
        "threshold": f"Last line it reads: {reading.said}",
        "better than drawn": f"It reads the last line: {reading.said}",
        "worse than drawn": f"It reads none of these: {reading.said}",
        "not asked": "Letters were not asked",
    }.get(reading.kind, f"Letters: {reading.said}")
    size = 9.5
    lines = wrap(said, size, wide)
    marks: list[Mark] = [
        TextMark(0, y + size * (0.74 + 1.25 * k), line, size, tones.accent) for k, line in enumerate(lines)
    ]
    y += size * 1.25 * len(lines)
    notes = [f"95\u00a0% interval {reading.within}"] if reading.within else []
    notes += [f"{reading.trials} charts"] if reading.trials else []
    notes += [reading.unread_said] if reading.unread_said else []
    notes += [reading.condition] if reading.condition else []
    if notes:
        words, high = paragraph(", ".join(notes), wide, FINE, tones.soft)
        marks += moved(words, 0, y)
        y += high
    return marks, y
