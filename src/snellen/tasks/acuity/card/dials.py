"""The tests with one number each, as scales one below the other: to the right is better, filled is what it sees."""

from snellen.charts.labels import spread
from snellen.charts.marks import BoxMark, LineMark, Mark, ShapeMark, TextMark
from snellen.charts.measure import cut, width
from snellen.charts.page import moved
from snellen.charts.rounds import number
from snellen.charts.shapes import hatched
from snellen.tasks.acuity.card.pieces import FINE, Logs, Part, paragraph, pointed
from snellen.tasks.acuity.card.tones import Tones
from snellen.tasks.acuity.study.readings import CardLine
from snellen.tasks.acuity.study.sights import sight

_NAME, _SAID, _LEAST = 8.6, 11.5, 7.0
_HIGH = 37.5
_BAR, _AT = 4.2, 21.5
_BELOW = _AT + _BAR + 2.0 + FINE
_NOTE = 0.66
"""The most of the width that goes to what is noted beside a finding; what the test asks for has the rest."""
_SLIPS = 0.1
"""A lapse above this stands beside the interval."""


def dial(reading: CardLine, wide: float, tones: Tones) -> Part:
    """One test; why it could not be measured is said below its scale."""
    size, (found, _, reason) = _SAID, reading.said.partition(": ")
    while width(found, size) > 0.62 * wide and size > _LEAST:
        size -= 0.5
    said = cut(found, size, max(0.72 * wide, wide - width(reading.title, _NAME) - 8))
    room = wide - width(said, size) - 8
    note = cut(_note(reading), FINE, _NOTE * wide)
    marks: list[Mark] = [
        TextMark(0, 8.0, cut(reading.title, _NAME, room), _NAME, tones.ink),
        TextMark(0, 16.4, cut(sight(reading.test).limit, FINE, wide - width(note, FINE) - 5), FINE, tones.soft),
        TextMark(wide, 8.6, said, size, tones.accent if reading.value is not None else tones.soft, "end"),
    ]
    if note:
        marks.append(TextMark(wide, 16.6, note, FINE, tones.soft, "end"))
    why, more = paragraph(reason, wide, FINE, tones.soft) if reason else ([], 0.0)
    return [*marks, *_bar(reading, wide, tones), *moved(why, 0, _HIGH + 1)], _HIGH + more + (4 if reason else 0)


def _note(reading: CardLine) -> str:
    """What goes with a finding: its interval, lapses if they are many, answers that could not be read."""
    lapse = reading.lapse or 0.0
    within = [f"95\u00a0%: {reading.within}"] if reading.within else []
    slips = [f"lapse {100 * lapse:.0f}\u00a0%"] if reading.within and lapse > _SLIPS else []
    return ", ".join([*within, *slips, *([reading.unread_said] if reading.unread_said else [])])


def _bar(reading: CardLine, wide: float, tones: Tones) -> list[Mark]:
    """The scale from easy to hard with what is seen of it."""
    if reading.hardest is None or reading.easiest is None:
        return []
    marks: list[Mark] = [BoxMark(0, _AT, wide, _BAR, tones.sheet, tones.line, 0.4)]
    if reading.kind == "threshold" and reading.value is not None:
        at, (low, high) = _scale(reading, wide).at(reading.value), _ends(reading, wide)
        marks += [
            BoxMark(low, _AT - 1.8, max(0.6, high - low), _BAR + 3.6, tones.band),
            BoxMark(0, _AT, at, _BAR, tones.accent),
            LineMark((((at, _AT - 2.8), (at, _AT + _BAR + 2.8)),), tones.accent, 1.4),
        ]
    elif reading.kind == "better than drawn":
        tip, y = wide + 3.2, _AT + _BAR / 2
        arrow = ShapeMark(((wide - 1, y - 4), (tip, y), (wide - 1, y + 4)), tones.accent)
        marks += [BoxMark(0, _AT, wide, _BAR, tones.accent), arrow]
    elif reading.kind == "not measurable":
        marks.append(hatched(0, _AT, wide, _BAR, tones.edge))
    easy, hard = number(reading.easiest), number(reading.hardest)
    marks += _lines(reading, (width(easy, FINE) + 5, wide - width(hard, FINE) - 5), wide, tones)
    return [*marks, TextMark(0, _BELOW, easy, FINE, tones.soft), TextMark(wide, _BELOW, hard, FINE, tones.soft, "end")]


def _lines(reading: CardLine, room: tuple[float, float], wide: float, tones: Tones) -> list[Mark]:
    """Where the sight of others ends: a thin line through the scale, its name below in the order of the lines. Of what
    lies beyond the scale there is a name with an arrow and no line."""
    scale, size = _scale(reading, wide), FINE - 1.0
    known = sorted(((line, line.at) for line in reading.anchors if line.at), key=lambda each: each[1])
    known = known if scale.start < scale.end else known[::-1]
    sides = [scale.beyond(at) for _, at in known]
    said = [
        pointed(f"{line.name} {'< ' if line.kind == 'better than drawn' else ''}{number(at)}", side)
        for (line, at), side in zip(known, sides, strict=True)
    ]
    places = [scale.at(at) for _, at in known]
    middles = spread(places, [width(each, size) for each in said], room, 5.0)
    marks: list[Mark] = [
        LineMark((((x, _AT - 2.2), (x, _AT + _BAR + 2.6)),), tones.ink, 0.6)
        for x, side in zip(places, sides, strict=True)
        if not side
    ]
    names = [TextMark(x, _BELOW, text, size, tones.soft, "middle") for text, x in zip(said, middles, strict=True)]
    return [*marks, *names]


def _ends(reading: CardLine, wide: float) -> tuple[float, float]:
    """The interval on the scale; an open end reaches to the end of the scale on its side."""
    scale = _scale(reading, wide)
    easier, harder = (reading.low, reading.high) if reading.falling else (reading.high, reading.low)
    return (0.0 if easier is None else scale.at(easier)), (wide if harder is None else scale.at(harder))


def _scale(reading: CardLine, wide: float) -> Logs:
    """Easy at the left end."""
    easy, hard = reading.easiest or 1.0, reading.hardest or 1.0
    return Logs(easy, hard, 0.0, wide) if easy <= hard else Logs(hard, easy, wide, 0.0)
