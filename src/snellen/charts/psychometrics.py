"""Psychometric curves: percent right over levels, a panel a test, each over a log scale of its own."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, log10

from snellen.charts.axis import Scale
from snellen.charts.blocks import Bend, Graded, Psychometrics
from snellen.charts.labels import spread
from snellen.charts.legend import ICON, LegendEntry, legend
from snellen.charts.marks import LineMark, Mark, MarksPage, NumberTable, Point, ShapeMark, SpotMark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, TEXT, cut, plain, width
from snellen.charts.numbers import finite, interval, number, value_text
from snellen.charts.page import EDGE, NOTHING, empty, moved, sheet
from snellen.charts.palette import EDGE as AXIS
from snellen.charts.palette import LINE, PAPER, SOFT, mix
from snellen.charts.rounds import round_numbers, rounded
from snellen.charts.shapes import dot, part_colour

_HIGH, _NARROWEST, _BETWEEN, _BELOW = 78.0, 108.0, 14.0, 9.0
_TITLE, _NAMES = TEXT + 4.0, 8.0
_SMALL = TEXT - 1.5
_PALE, _SPOT = 0.84, 3.0
_HALF = (ASCENT - DESCENT) * TEXT / 2
_DASH, _GUESS, _THIN = (3.0, 1.6), (1.0, 1.6), (1.2, 1.2)


def draw(block: Psychometrics, wide: float) -> MarksPage:
    """The panels on a sheet so many points wide."""
    title = plain(block.title)
    if not block.panels:
        return empty(wide, title)
    room = wide - 2 * EDGE
    left = width("100", TEXT) + 6.0 + TEXT + 2.0
    columns = max(1, min(len(block.panels), int((room - left + _BETWEEN) // (_NARROWEST + _BETWEEN))))
    panel_width = (room - left - (columns - 1) * _BETWEEN) / columns
    above = _TITLE + (_NAMES if any(panel.references for panel in block.panels) else 0.0)
    step = above + _HIGH + 2 * (TEXT + 3.0) + _BELOW
    marks: list[Mark] = []
    for k, panel in enumerate(block.panels):
        row, column = divmod(k, columns)
        x, top = left + column * (panel_width + _BETWEEN), row * step
        if column == 0:
            marks += _upright(top + above, left)
        marks += moved(_panel(panel, block.series, panel_width, above), x, top)
    head, high = legend(_entries(block), [_ruled("threshold", _DASH), _ruled("guessing", _GUESS)], room)
    bottom = -(-len(block.panels) // columns) * step - _BELOW
    return sheet(wide, high + bottom, [*head, *moved(marks, 0, high)], title, _numbers(block), _told(block))


def _entries(block: Psychometrics) -> list[LegendEntry]:
    def entry(k: int, name: str) -> LegendEntry:
        def icon(x: float, y: float) -> Sequence[Mark]:
            return [LineMark((((x, y), (x + ICON, y)),), part_colour(k), 0.9), dot(k, x + ICON / 2, y)]

        return LegendEntry(plain(name), icon)

    return [entry(k, name) for k, name in enumerate(block.series)]


def _ruled(name: str, dash: tuple[float, ...]) -> LegendEntry:
    return LegendEntry(name, lambda x, y: [LineMark((((x, y), (x + ICON, y)),), SOFT, 0.7, dash)])


def _upright(top: float, left: float) -> list[Mark]:
    """The numbers along the left edge of a row of panels, and what they measure."""
    up = Scale(0, 100, top + _HIGH, top)
    numbers = [TextMark(left - 4, up.at(y) + _HALF, f"{y}", ink=SOFT, anchor="end") for y in (0, 50, 100)]
    return [*numbers, TextMark(ASCENT * TEXT, top + _HIGH / 2, "right (%)", anchor="middle", upright=True)]


def _panel(panel: Graded, series: Sequence[str], wide: float, top: float) -> list[Mark]:
    """One test: bands at the back, then what thresholds and others' lines there are, then curves and dots."""
    known = [(k, _known(bend)) for k, bend in enumerate(panel.bends) if bend is not None]
    asked = [(k, bend) for k, bend in known if bend.xs]
    floor = top + _HIGH
    title = TextMark(0, ASCENT * TEXT, cut(plain(panel.title), TEXT, wide))
    frame = LineMark((((0, top), (0, floor), (wide, floor)),), AXIS, pen=0.6)
    if not asked:
        return [title, frame, TextMark(wide / 2, top + _HIGH / 2 + _HALF, NOTHING, ink=SOFT, anchor="middle")]
    across = _across([bend for _, bend in asked], wide)
    up = Scale(0, 100, floor, top)
    grid = tuple(((0.0, up.at(y)), (wide, up.at(y))) for y in (50, 100))
    bands = [_band(bend, part_colour(k), across, up) for k, bend in asked]
    drawn = [mark for k, bend in reversed(asked) for mark in _bend(k, bend, across, up)]
    marks: list[Mark] = [
        title,
        *bands,
        LineMark(grid, LINE, pen=0.4),
        *_guessing(panel.chance, wide, up),
        *_others(panel, across, (top, floor)),
        *drawn,
        frame,
    ]
    spots = [spot for k, bend in asked for spot in _spots(plain(series[k]), bend, panel.unit, across, up)]
    return [*marks, *_axis(panel.unit, across, floor), *spots]


def _known(bend: Bend) -> Bend:
    """The curve without what has no place on a log scale: levels of zero or less, and what is missing."""
    rows = zip(bend.xs, bend.mean, bend.low, bend.high, strict=True)
    kept = [row for row in rows if _level(row[0]) and all(finite(x) is not None for x in row)]
    xs, mean, low, high = zip(*kept, strict=True) if kept else ((), (), (), ())
    points = tuple((level, value) for level, value in bend.points if _level(level))
    threshold = bend.threshold if _level(number(bend.threshold)) else replace(bend.threshold, value=None)
    return Bend(xs, mean, low, high, points, threshold)


def _level(x: float | None) -> bool:
    return x is not None and isfinite(x) and x > 0


def _across(bends: Sequence[Bend], wide: float) -> Scale:
    """The log scale of a panel; a single level stands in the middle."""
    low, high = log10(min(bend.xs[0] for bend in bends)), log10(max(bend.xs[-1] for bend in bends))
    half = 0.0 if high > low else 0.5
    return Scale(low - half, high + half, 0, wide)


def _guessing(chance: float, wide: float, up: Scale) -> list[Mark]:
    if finite(chance) is None:
        return []
    return [LineMark((((0, up.at(chance)), (wide, up.at(chance))),), SOFT, 0.7, _GUESS)]


def _axis(unit: str, across: Scale, floor: float) -> list[Mark]:
    base = floor + 2.0 + ASCENT * TEXT
    marks: list[Mark] = []
    for x in round_numbers(10**across.low, 10**across.high, 4):
        at, half = across.at(log10(x)), width(rounded(x), TEXT) / 2
        marks.append(TextMark(max(half, min(across.right - half, at)), base, rounded(x), ink=SOFT, anchor="middle"))
        marks.append(LineMark((((at, floor), (at, floor + 1.8)),), AXIS, 0.6))
    middle = (across.left + across.right) / 2
    return [*marks, TextMark(middle, base + TEXT + 2.0, cut(plain(unit), TEXT, across.right), anchor="middle")]


def _places(xs: Sequence[float], ys: Sequence[float], across: Scale, up: Scale) -> tuple[Point, ...]:
    return tuple((across.at(log10(x)), up.at(y)) for x, y in zip(xs, ys, strict=True))


def _band(bend: Bend, colour: str, across: Scale, up: Scale) -> Mark:
    """A pale shape with thin edges, which show where bands lie over one another."""
    edges = _places(bend.xs, bend.high, across, up), _places(bend.xs, bend.low, across, up)
    return ShapeMark((*edges[0], *reversed(edges[1])), mix(colour, PAPER, _PALE), mix(colour, PAPER, 0.55), 0.35)


def _bend(k: int, bend: Bend, across: Scale, up: Scale) -> list[Mark]:
    """One series: its threshold, its curve, its answers with their intervals."""
    colour = part_colour(k)
    marks: list[Mark] = [LineMark((_places(bend.xs, bend.mean, across, up),), colour, 1.0)]
    threshold = number(bend.threshold)
    if threshold is not None:
        x = across.at(log10(threshold))
        marks.insert(0, LineMark((((x, up.left), (x, up.right)),), colour, 0.7, _DASH))
    for level, value in bend.points:
        y, ends, x = number(value), interval(value), across.at(log10(level))
        if y is None:
            continue
        if ends is not None:
            marks.append(LineMark((((x, up.at(ends[0])), (x, up.at(ends[1]))),), mix(colour, PAPER, 0.35), 0.4))
        marks.append(dot(k, x, up.at(y)))
    return marks


def _spots(name: str, bend: Bend, unit: str, across: Scale, up: Scale) -> list[Mark]:
    """Where each of a series' dots can be pointed at."""
    spots: list[Mark] = []
    for level, value in bend.points:
        if (y := number(value)) is not None:
            x, words = across.at(log10(level)), f"{name}, {rounded(level)} {plain(unit)}"
            says = f"{words}: {value_text(value, 'percent')} % right"
            spots.append(SpotMark(x - _SPOT, up.at(y) - _SPOT, 2 * _SPOT, 2 * _SPOT, says))
    return spots


def _others(panel: Graded, across: Scale, ends: tuple[float, float]) -> list[Mark]:
    """Thresholds of others, thin, with their names above; those beyond the scale are not drawn."""
    inside = [
        (name, log10(at)) for name, at in panel.references if _level(at) and across.low <= log10(at) <= across.high
    ]
    names = [plain(name).rpartition("/")[2] for name, _ in inside]
    places = [across.at(x) for _, x in inside]
    middles = spread(places, [width(name, _SMALL) for name in names], (across.left, across.right), 3.0)
    lines: list[Mark] = [LineMark((((x, ends[0]), (x, ends[1])),), AXIS, 0.5, _THIN) for x in places]
    return [
        *lines,
        *(TextMark(x, ends[0] - 3.4, name, _SMALL, SOFT, "middle") for x, name in zip(middles, names, strict=True)),
    ]


def _numbers(block: Psychometrics) -> NumberTable:
    """The thresholds."""
    rows = ((plain(panel.title), tuple(_threshold(bend, panel.unit) for bend in panel.bends)) for panel in block.panels)
    return NumberTable("threshold", tuple(map(plain, block.series)), tuple(rows))


def _threshold(bend: Bend | None, unit: str) -> str:
    if bend is None:
        return "not asked"
    measured = number(bend.threshold) is not None
    return plain(f"{value_text(bend.threshold, 'probability')} {unit}" if measured else bend.threshold.note)


def _told(block: Psychometrics) -> str:
    """Thresholds in words, of those who were asked."""
    return "; ".join(
        f"{plain(panel.title)}, {plain(name)}: {_threshold(bend, panel.unit)}"
        for panel in block.panels
        for name, bend in zip(block.series, panel.bends, strict=True)
        if bend is not None
    )
