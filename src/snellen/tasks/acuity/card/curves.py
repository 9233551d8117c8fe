"""Psychometric curves: how often right at every level, the curve through it with its band, and its threshold."""

from collections.abc import Sequence

from snellen.charts.labels import spread
from snellen.charts.marks import DiscMark, LineMark, Mark, ShapeMark, TextMark
from snellen.charts.measure import cut, width
from snellen.charts.page import moved
from snellen.charts.rounds import round_numbers, rounded
from snellen.tasks.acuity.card.pieces import FINE, Logs, Part, pointed
from snellen.tasks.acuity.card.tones import Tones
from snellen.tasks.acuity.study.readings import STRAY, Anchor, CardLine
from snellen.tasks.acuity.study.sights import sight

_HIGH, _TITLE, _BELOW = 54.0, 19.0, 18.0
_GAP = 14.0
_LEFT = 14.0


def curves(readings: Sequence[CardLine], wide: float, tones: Tones, columns: int = 4) -> Part:
    """Small plots beside and below one another."""
    each = (wide - (columns - 1) * _GAP) / columns
    high = _TITLE + _HIGH + _BELOW
    marks: list[Mark] = []
    for k, reading in enumerate(readings):
        marks += moved(_plot(reading, each, tones), k % columns * (each + _GAP), k // columns * (high + 4))
    return marks, -(-len(readings) // columns) * (high + 4) - 4


def _plot(reading: CardLine, wide: float, tones: Tones) -> list[Mark]:
    curve = reading.curve
    if curve is None:
        return []
    scale = sight(reading.test).scale
    low, high = (scale * x for x in (curve.xs[0], curve.xs[-1]))
    across = Logs(low, high, _LEFT, wide)
    top, floor = _TITLE, _TITLE + _HIGH

    def up(share: float) -> float:
        return floor - share * _HIGH

    xs = [across.at(scale * x) for x in curve.xs]
    band = [*zip(xs, map(up, curve.high), strict=True), *reversed(list(zip(xs, map(up, curve.low), strict=True)))]
    marks: list[Mark] = [
        TextMark(0, 7.4, cut(reading.title, 7.4, wide), 7.4, tones.ink),
        *(LineMark((((_LEFT, up(y)), (wide, up(y))),), tones.line, 0.4) for y in (0.5, 1.0)),
        ShapeMark(tuple(band), tones.band),
        LineMark((((_LEFT, up(reading.chance)), (wide, up(reading.chance))),), tones.edge, 0.5, (1.5, 1.5)),
        LineMark((tuple(zip(xs, map(up, curve.mean), strict=True)),), tones.accent, 1.0),
        LineMark((((_LEFT, top), (_LEFT, floor), (wide, floor)),), tones.edge, 0.6),
    ]
    marks += [
        DiscMark(across.at(scale * x), up(right / n), 0.9 + 0.45 * min(n, 25) ** 0.5, tones.ink, tones.paper, 0.4)
        for x, right, n in curve.points
    ]
    if reading.value is not None:
        x = across.at(reading.value)
        marks.append(LineMark((((x, floor), (x, top)),), tones.accent, 0.6, (2, 1.5)))
    marks += _lines(reading, across, (top, floor), tones)
    marks += [
        TextMark(_LEFT - 2.5, up(y) + 2, text, FINE - 1, tones.soft, "end")
        for y, text in ((1, "100"), (0.5, "50"), (0, "0"))
    ]
    marks += [
        TextMark(across.at(x), floor + 1.5 + FINE, rounded(x), FINE - 0.6, tones.soft, "middle")
        for x in round_numbers(low, high, 4)
    ]
    unit = reading.unit if reading.fit is None or reading.fit >= STRAY else f"{reading.unit}; fits badly"
    return [
        *marks,
        TextMark((_LEFT + wide) / 2, floor + 2.6 * FINE, cut(unit, FINE, wide - _LEFT), FINE, tones.soft, "middle"),
    ]


def _lines(reading: CardLine, across: Logs, ends: tuple[float, float], tones: Tones) -> list[Mark]:
    """Thresholds of others: thin lines with their names above; an arrow where they lie beyond what is shown."""
    known = sorted(((line, line.at) for line in reading.anchors if line.at), key=lambda each: each[1])
    size = FINE - 1.2
    sides = [across.beyond(at) or _side(line, reading.falling) for line, at in known]
    names = [pointed(line.name.rpartition("/")[2], side) for (line, _), side in zip(known, sides, strict=True)]
    places = [across.at(at) for _, at in known]
    middles = spread(places, [width(name, size) for name in names], (_LEFT, across.end), 3.0)
    marks: list[Mark] = [
        LineMark((((x, ends[1]), (x, ends[0])),), tones.edge, 0.5, (1.2, 1.2))
        for x, (_, at) in zip(places, known, strict=True)
        if not across.beyond(at)
    ]
    above = [
        TextMark(x, ends[0] - 4.2, name, size, tones.soft, "middle") for name, x in zip(names, middles, strict=True)
    ]
    return [*marks, *above]


def _side(line: Anchor, falling: bool) -> int:
    """To which side somebody's threshold lies of where their line stands: the end of what they were asked, maybe."""
    return 0 if line.kind == "threshold" else -1 if (line.kind == "better than drawn") != falling else 1
