"""Maps of a card: the field of view, and colours all the way round."""

from collections.abc import Sequence
from math import cos, log10, pi, sin
from typing import Literal

from snellen.charts.marks import BoxMark, DiscMark, LineMark, Mark, ShapeMark, TextMark
from snellen.charts.page import moved
from snellen.charts.rounds import number
from snellen.charts.shapes import hatched
from snellen.tasks.acuity.card.pieces import FINE, Part, paragraph
from snellen.tasks.acuity.card.tones import Tones
from snellen.tasks.acuity.charts.colour import HUES
from snellen.tasks.acuity.study.places import ACROSS, FieldMap
from snellen.tasks.acuity.study.readings import CardLine, unread_of
from snellen.tasks.acuity.study.sights import member

Anchor = Literal["start", "middle", "end"]

_REACH = 46.0
_RINGS = (2.0, 5.0, 10.0, 20.0)
_FROM = 1.0
_BETWEEN = -pi * 5 / 8
"""Where the numbers of the rings stand: between two hues."""
_SHOWN = {
    **{"red": "#d8434f", "orange": "#e0812b", "yellow": "#d3ae14", "lime": "#8aa829"},
    **{"green": "#2b9d66", "cyan": "#2a9fb5", "blue": "#3f6fd3", "purple": "#9b5bc8"},
}
"""The hues, stronger than any plate has them."""


def colours(readings: Sequence[CardLine], wide: float, tones: Tones) -> Part:
    """Around the circle of hues, how strong a colour must be to be told from grey: the nearer to the middle the
    better."""
    x, y = wide / 2, _REACH + 16
    marks: list[Mark] = []
    for ring in _RINGS:
        marks.append(DiscMark(x, y, _far(ring), None, tones.line, 0.5))
        at = (x + _far(ring) * cos(_BETWEEN), y + _far(ring) * sin(_BETWEEN) + 2)
        marks.append(TextMark(*at, number(ring).removesuffix(".0"), FINE - 1, tones.edge, "middle"))
    by_name = {member(each.test): each for each in readings}
    corners = []
    for name, degrees in HUES.items():
        turn = -degrees * pi / 180
        tip = (x + (_REACH + 4) * cos(turn), y + (_REACH + 4) * sin(turn))
        marks.append(LineMark((((x, y), (x + _REACH * cos(turn), y + _REACH * sin(turn))),), tones.line, 0.5))
        anchor: Anchor = "middle" if abs(cos(turn)) < 0.3 else "start" if cos(turn) > 0 else "end"
        each = by_name.get(name)
        label = f"{name} {_said(each)}"
        marks.append(TextMark(tip[0], tip[1] + 0.36 * FINE + 3 * sin(turn), label, FINE, tones.soft, anchor))
        if each is not None and (reach := _shown(each)) is not None:
            corners.append(((x + _far(reach) * cos(turn), y + _far(reach) * sin(turn)), name, each))
    if len(corners) > 2 and len(corners) == len(HUES):
        marks.append(ShapeMark(tuple(at for at, _, _ in corners), tones.band, tones.accent, 1.0))
    for (dx, dy), name, each in corners:
        full = each.kind == "threshold"
        marks.append(
            DiscMark(dx, dy, 3.0, _SHOWN[name] if full else tones.paper, tones.ink if full else _SHOWN[name], 0.7)
        )
    note = "\u0394E (CIEDE2000) from grey, just detected; nearer to the centre is better."
    if any(each.kind in ("better than drawn", "worse than drawn") for each in readings):
        note += " Hollow: beyond the range that was drawn."
    note += f" {unread}." if (unread := unread_of(readings)) else ""
    text, high = paragraph(note, wide, FINE, tones.soft)
    top = 2 * _REACH + 36
    return [*marks, *moved(text, 0, top)], top + high


def _far(difference: float) -> float:
    return _REACH * max(0.0, log10(difference / _FROM)) / log10(_RINGS[-1] / _FROM)


def _shown(each: CardLine) -> float | None:
    """Where on its ray a reading stands; the ends of what was drawn where it lies beyond them."""
    beyond = {"better than drawn": each.hardest, "worse than drawn": each.easiest}
    return each.value if each.value is not None else beyond.get(each.kind)


def _said(each: CardLine | None) -> str:
    if each is None:
        return "not asked"
    if each.value is not None:
        return number(each.value)
    short = {
        "better than drawn": f"< {number(each.hardest or 0)}",
        "worse than drawn": f"> {number(each.easiest or 0)}",
    }
    return short.get(each.kind, "?")


def field_maps(fields: Sequence[FieldMap], wide: float, tones: Tones) -> Part:
    """Five by five places a canvas, the darker the smaller the letters it reads there; three canvases at most."""
    some = list(fields)[:3]
    gap = 12.0
    side = min((wide - gap * (len(some) - 1)) / len(some), 86.0)
    known = [value for each in some for value in each.known]
    marks: list[Mark] = []
    for k, each in enumerate(some):
        marks += moved(_map(each, side, (min(known, default=1.0), max(known, default=1.0)), tones), k * (side + gap), 0)
    told = [f"{each.canvas} px: {'positions differ' if each.differ else 'no difference shown'}" for each in some]
    note = f"Smallest letters read at 25 positions, px a stroke; darker is better. {'; '.join(told)}."
    text, high = paragraph(note, wide, FINE, tones.soft)
    top = side + 2 * FINE + 4
    return [*marks, *moved(text, 0, top)], top + high


def _map(field: FieldMap, side: float, ends: tuple[float, float], tones: Tones) -> list[Mark]:
    cell = side / ACROSS
    marks: list[Mark] = []
    for row, readings in enumerate(field.cells):
        for column, each in enumerate(readings):
            at = (column * cell, row * cell)
            strength = _strength(each, ends)
            if each is None or strength is None:
                marks += [BoxMark(*at, cell, cell, tones.sheet), hatched(*at, cell, cell, tones.edge)]
                continue
            marks.append(BoxMark(*at, cell, cell, tones.heat(strength), tones.paper, 0.6))
            ink = tones.paper if strength > 0.55 else tones.ink
            marks.append(TextMark(at[0] + cell / 2, at[1] + cell / 2 + 1.9, _said(each), 5.2, ink, "middle"))
    return [*marks, TextMark(side / 2, side + FINE + 1.5, f"{field.canvas} px", FINE, tones.soft, "middle")]


def _strength(each: CardLine | None, ends: tuple[float, float]) -> float | None:
    """How dark a place is: from the worst to the best threshold of all maps, over a factor of two at least."""
    if each is None or each.kind in ("not measurable", "not asked"):
        return None
    if each.value is None:
        return 1.0 if each.kind == "better than drawn" else 0.0
    worst = max(ends[1], 2 * ends[0])
    return 0.08 + 0.84 * log10(worst / each.value) / log10(worst / ends[0])
