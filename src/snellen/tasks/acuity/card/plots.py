"""Plots on two log scales: sensitivity over fineness, thresholds over sizes of canvases."""

from collections.abc import Sequence
from math import sqrt

from snellen.charts.marks import BoxMark, DiscMark, LineMark, Mark, ShapeMark, TextMark
from snellen.charts.measure import width
from snellen.charts.page import moved
from snellen.charts.rounds import round_numbers, rounded
from snellen.tasks.acuity.card.pieces import FINE, Logs, Part, paragraph
from snellen.tasks.acuity.card.tones import Tones
from snellen.tasks.acuity.study.readings import CardLine, unread_of
from snellen.tasks.acuity.study.resolution import Point, Resolution
from snellen.tasks.acuity.study.sights import member

_HIGH = 104.0
_BELOW = 20.0


def frame(across: Logs, up: Logs, names: tuple[str, str], tones: Tones) -> list[Mark]:
    """Grid, numbers and names of two axes."""
    marks: list[Mark] = []
    for x in round_numbers(across.low, across.high, 7):
        marks.append(LineMark((((across.at(x), up.start), (across.at(x), up.end)),), tones.line, 0.5))
        marks.append(TextMark(across.at(x), up.start + 2 + FINE, rounded(x), FINE, tones.soft, "middle"))
    for y in round_numbers(up.low, up.high, 6):
        marks.append(LineMark((((across.start, up.at(y)), (across.end, up.at(y))),), tones.line, 0.5))
        marks.append(TextMark(across.start - 3, up.at(y) + 0.36 * FINE, rounded(y), FINE, tones.soft, "end"))
    middle = (across.start + across.end) / 2
    return [
        *marks,
        LineMark((((across.start, up.end), (across.start, up.start), (across.end, up.start)),), tones.edge, 0.6),
        TextMark(middle, up.start + 2 + 2.3 * FINE, names[0], FINE, tones.soft, "middle"),
        TextMark(FINE * 0.75, (up.start + up.end) / 2, names[1], FINE, tones.soft, "middle", upright=True),
    ]


def whisker(x: float, low: float, high: float, ink: str) -> LineMark:
    return LineMark(
        (((x, low), (x, high)), ((x - 1.5, low), (x + 1.5, low)), ((x - 1.5, high), (x + 1.5, high))), ink, 0.7
    )


def sensitivity(gratings: Sequence[CardLine], wide: float, tones: Tones) -> Part:
    """Contrast sensitivity over fineness of stripes: 100 is a contrast of 1 %. What was not measured is said below."""
    fine = {each.test: float(member(each.test)) for each in gratings}
    across = Logs(min(fine.values()) / 1.3, max(fine.values()) * 1.3, 34, wide - 4)
    up = Logs(1.0, 140.0, _HIGH, 2)
    marks = frame(across, up, ("stripes per 100 px", "sensitivity (1 / contrast)"), tones)
    known = [(across.at(fine[each.test]), each) for each in gratings if each.value]
    run = tuple((x, up.at(100 / each.value)) for x, each in known if each.value)
    if len(run) > 1:
        marks.append(LineMark((run,), tones.accent, 1.1))
    for x, each in known:
        low = up.at(100 / each.high) if each.high else up.start
        high = up.at(100 / each.low) if each.low else up.end
        marks.append(whisker(x, low, high, tones.accent))
    marks += [DiscMark(x, y, 2.2, tones.accent, tones.paper, 0.5) for x, y in run]
    for each in gratings:
        if each.kind == "better than drawn" and each.hardest:
            marks.append(_arrow(across.at(fine[each.test]), up.at(100 / each.hardest), -1, tones))
        if each.kind == "worse than drawn" and each.easiest:
            marks.append(_arrow(across.at(fine[each.test]), up.at(100 / each.easiest), 1, tones))
    lost = [f"{member(each.test)}: {each.said}" for each in gratings if each.kind == "not measurable"]
    high = _HIGH + _BELOW
    for note in ("; ".join(lost), unread_of(gratings)):
        if note:
            text, more = paragraph(note, wide, FINE, tones.soft)
            marks += moved(text, 0, high)
            high += more
    return marks, high


def _arrow(x: float, y: float, down: int, tones: Tones) -> ShapeMark:
    """Beyond what was drawn: upwards or downwards from there."""
    return ShapeMark(((x - 3, y), (x + 3, y), (x, y + 5 * down)), tones.accent)


def sizes(found: Resolution, lines: Sequence[str], wide: float, tones: Tones) -> Part:
    """Thresholds of letters over the sizes of the canvases they stood on, and the rule that describes them."""
    told = [(point, point.threshold) for point in found.points if point.threshold is not None]
    by_edge = found.told[:1] == ("edge",)
    side = {point: max(point.size) if by_edge else sqrt(point.size[0] * point.size[1]) for point, _ in told}
    lows = [point.low or value for point, value in told]
    highs = [point.high or value for point, value in told]
    across = Logs(min(side.values()) / 1.25, max(side.values()) * 1.25, 30, wide - 4)
    up = Logs(min(lows) / 1.3, max(highs) * 1.3, _HIGH, 2)
    marks = frame(
        across, up, ("longer side sent (px)" if by_edge else "side of an equal-area square (px)", "px a stroke"), tones
    )
    marks += _rule(found, across, up, tones)
    for point, value in told:
        x, y = across.at(side[point]), up.at(value)
        marks.append(whisker(x, up.at(point.low or up.low), up.at(point.high or up.high), tones.ink))
        marks.append(_dot(point, x, y, tones))
    if any(_wide(point) for point, _ in told):
        marks += _key(across, tones)
    text, more = paragraph(" ".join(lines), wide, 7.2, tones.ink, most=16)
    return [*marks, *moved(text, 0, _HIGH + _BELOW + 2)], _HIGH + _BELOW + 2 + more


def _wide(point: Point) -> bool:
    return point.size[0] != point.size[1]


def _dot(point: Point, x: float, y: float, tones: Tones) -> Mark:
    """Squares are discs, wide canvases are flat boxes."""
    return _flat(x, y, tones) if _wide(point) else DiscMark(x, y, 2.3, tones.ink, tones.paper, 0.5)


def _flat(x: float, y: float, tones: Tones) -> BoxMark:
    return BoxMark(x - 3.2, y - 1.4, 6.4, 2.8, tones.paper, tones.ink, 0.8)


def _key(across: Logs, tones: Tones) -> list[Mark]:
    """What the dots stand for."""
    x, y, names = across.start + 8, 9.0, ("wide canvas", "square")
    second = x + 18 + width(names[0], FINE)
    return [
        _flat(x, y, tones),
        TextMark(x + 6, y + 0.36 * FINE, names[0], FINE, tones.soft),
        DiscMark(second, y, 2.3, tones.ink, tones.paper, 0.5),
        TextMark(second + 5, y + 0.36 * FINE, names[1], FINE, tones.soft),
    ]


def _rule(found: Resolution, across: Logs, up: Logs, tones: Tones) -> list[Mark]:
    """Flat up to the break, a step there if what was resampled is harder, then rising as pictures shrink; for
    squares."""
    if found.plain is None or found.kind == "unclear":
        return []
    end = across.high
    if found.kind == "whole" or found.best is None or found.side is None:
        return [LineMark((((across.start, up.at(found.plain)), (across.end, up.at(found.plain))),), tones.accent, 1.1)]
    best = min(max(found.side.value, across.low), end)
    low, high = (across.at(x) if x else across.at(best) for x in (found.side.low, found.side.high))
    step = found.plain * found.harder
    corners = ((across.low, found.plain), (best, found.plain), (best, step), (end, step * end / best))
    run = tuple((across.at(x), up.at(y)) for x, y in corners)
    box = ShapeMark(((low, up.end), (high, up.end), (high, up.start), (low, up.start)), tones.band)
    return [box, LineMark((run,), tones.accent, 1.1)]
