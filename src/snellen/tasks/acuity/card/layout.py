"""Where everything on a card goes: name and verdict, the chart beside prescription and scales, plots, curves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from snellen.charts.marks import BoxMark, LineMark, Mark, MarksPage, TextMark
from snellen.charts.measure import plain, width
from snellen.charts.page import moved
from snellen.tasks.acuity.card.chart import eye_chart
from snellen.tasks.acuity.card.curves import curves
from snellen.tasks.acuity.card.dials import dial
from snellen.tasks.acuity.card.maps import colours, field_maps
from snellen.tasks.acuity.card.pieces import BODY, FINE, TITLE, Part, paragraph
from snellen.tasks.acuity.card.plots import sensitivity, sizes
from snellen.tasks.acuity.card.tones import LIGHT, Tones
from snellen.tasks.acuity.study.card import Card

WIDE = 560.0
EDGE = 30.0
_ROOM = WIDE - 2 * EDGE
_CHART = 240.0
_BETWEEN = 28.0
_APART = 18.0
_NAME, _SMALLEST_NAME = 22.0, 13.0
_MARK = (13.0, 11.5, 10.0, 8.6, 7.4, 6.4, 5.5)
"""Sizes of the letters of our name, as on a chart."""
FOOT = (
    "A threshold is the level at which accuracy has risen 63\u00a0% of the way from chance to its maximum; intervals"
    " are 95\u00a0% credible intervals. Nothing is claimed beyond the range that was drawn."
)


def draw(card: Card, tones: Tones = LIGHT) -> MarksPage:
    """The whole card. What is left of the column beside the chart takes plots and curves, as far as they fit."""
    marks, y = _head(card, tones)
    y += 16
    wide = _ROOM - _CHART - _BETWEEN
    left, left_high = eye_chart(card.letters, _CHART, tones)
    right, right_high = _beside_chart(card, wide, tones)
    later: list[_Panel] = []
    for panel in _panels_of(card, tones):
        part, high = _titled(panel, wide)
        if right_high + _APART + high <= left_high + 10:
            right += moved(part, 0, right_high + _APART)
            right_high += _APART + high
        else:
            later.append(panel)
    marks += [*moved(left, 0, y + 10), *moved(right, _CHART + _BETWEEN, y)]
    y += max(left_high + 10, right_high) + 22
    plots, whole = ([each for each in later if each.whole is is_whole] for is_whole in (False, True))
    for part, high in (_rows(plots), *(_titled(each, _ROOM) for each in whole), _foot(card, tones)):
        if high:
            marks += moved(part, 0, y)
            y += high + 20
    high = y - 20 + 2 * EDGE
    ground = [BoxMark(0, 0, WIDE, high, tones.paper), BoxMark(0, 0, WIDE, 5, tones.accent)]
    return MarksPage(
        WIDE, high, (*ground, *moved(marks, EDGE, EDGE)), f"Eye chart of {plain(card.subject)}", told(card)
    )


def side_by_side(sheets: Sequence[MarksPage], tones: Tones = LIGHT) -> MarksPage:
    """Cards side by side, as high as the highest."""
    high = max(sheet.height for sheet in sheets)
    marks: list[Mark] = [BoxMark(0, 0, sum(sheet.width for sheet in sheets), high, tones.paper)]
    x = 0.0
    for k, sheet in enumerate(sheets):
        marks += moved(sheet.marks, x, 0)
        if k:
            marks.append(LineMark((((x, 16), (x, high - 16)),), tones.line, 0.6))
        x += sheet.width
    title = f"Eye charts of {', '.join(sheet.title.removeprefix('Eye chart of ') for sheet in sheets)}"
    return MarksPage(x, high, tuple(marks), title, "\n".join(sheet.told for sheet in sheets))


def told(card: Card) -> str:
    """The card in words, for those who cannot see it."""
    tests = [f"{each.title}: {each.said}" + (f" ({each.within})" if each.within else "") for each in
             (*card.readings, *card.gratings, *card.colours) if each.kind != "not asked"]  # fmt: skip
    absent = [f"Not asked: {', '.join(card.absent)}."] if card.absent else []
    lines = [
        plain(card.headline, 2000),
        *(f"{line}." for line in tests),
        *card.prescription,
        *card.resolution_lines,
        *card.held,
    ]
    return " ".join([*lines, *(f"{line}." for line in card.anchored), *absent])


def _head(card: Card, tones: Tones) -> Part:
    """Our name, the subject's, the verdict."""
    marks: list[Mark] = [TextMark(0, 10, "EYE CHART", 8.4, tones.soft), *_wordmark(tones)]
    name, size = plain(card.subject), _NAME
    while width(name, size) > _ROOM and size > _SMALLEST_NAME:
        size -= 1
    y = 22.0
    title, high = paragraph(name, _ROOM, size, tones.ink, most=3)
    marks += moved(title, 0, y)
    y += high + 7
    verdict, high = paragraph(card.verdict, _ROOM, 10.5, tones.ink)
    marks += moved(verdict, 0, y)
    y += high + 4
    asked, high = paragraph(card.asked, _ROOM, 7.4, tones.soft)
    marks += moved(asked, 0, y)
    y += high + 8
    return [*marks, LineMark((((0, y), (_ROOM, y)),), tones.line, 0.8)], y


def _wordmark(tones: Tones) -> list[Mark]:
    letters = list(zip("SNELLEN", _MARK, strict=True))
    wide = sum(width(letter, size) + 1.6 for letter, size in letters)
    x, marks = _ROOM - wide, []
    for letter, size in letters:
        marks.append(TextMark(x, 10, letter, size, tones.ink))
        x += width(letter, size) + 1.6
    return list(marks)


def _beside_chart(card: Card, wide: float, tones: Tones) -> Part:
    """The prescription, then the scales of what was asked."""
    marks, y = _prescription(card, wide, tones)
    y += 16
    for reading in card.readings[1:]:
        if reading.kind != "not asked":
            part, high = dial(reading, wide, tones)
            marks += moved(part, 0, y)
            y += high + 2
    if card.blank is not None and card.blank.value is not None:
        part, high = _blank(card, wide, tones)
        marks += moved(part, 0, y)
        y += high
    return marks, y


def _prescription(card: Card, wide: float, tones: Tones) -> Part:
    inset, y = 12.0, 12.0
    words: list[Mark] = [TextMark(inset, y + 7.5, "Prescription", TITLE + 0.5, tones.accent)]
    y += 19
    for line in card.prescription:
        part, high = paragraph(plain(line), wide - 2 * inset - 8, BODY, tones.ink)
        words.append(TextMark(inset, y + 0.74 * BODY, "–", BODY, tones.accent))
        words += moved(part, inset + 8, y)
        y += high + 3.4
    y += 6
    return [BoxMark(0, 0, wide, y, tones.sheet), BoxMark(0, 0, 2.4, y, tones.accent), *words], y


def _blank(card: Card, wide: float, tones: Tones) -> Part:
    """What is seen on blank pages."""
    seen = card.blank
    if seen is None or seen.value is None:
        return [], 0.0
    said = f"{seen.value:.0f}\u00a0%"
    within, what = f"95\u00a0%: {seen.low:.0f}\u2013{seen.high:.0f}", "false alarms on blank pages"
    notes = [f"{within}, {card.blank_pages}"]
    if width(what, FINE) + width(notes[0], FINE) + FINE > wide:
        notes = [within, card.blank_pages]
    lines = [TextMark(wide, 16.6 + 8.4 * k, note, FINE, tones.soft, "end") for k, note in enumerate(notes)]
    return [
        TextMark(0, 8.0, "Blank pages", 8.6, tones.ink),
        TextMark(0, 16.4, what, FINE, tones.soft),
        TextMark(wide, 8.6, said, 11.5, tones.accent, "end"),
        *lines,
    ], 9.6 + 8.4 * len(lines)


@dataclass(frozen=True, slots=True)
class _Panel:
    """A plot that there is something to show of, drawn as wide as there is room; `whole`: it takes all the room."""

    name: str
    ink: str
    make: Callable[[float], Part]
    whole: bool = False


def _panels_of(card: Card, tones: Tones) -> Iterator[_Panel]:
    found = card.resolution
    if found is not None and any(point.threshold is not None for point in found.points):
        yield _Panel("Effective resolution", tones.ink, lambda wide: sizes(found, card.resolution_lines, wide, tones))
    elif card.resolution_lines:
        # Without thresholds to plot: of sizes that were not taken, of tokens, of patches.
        name = "Effective resolution" if found else "Pictures as received"
        yield _Panel(name, tones.ink, lambda wide: _lines(card.resolution_lines, wide, tones))
    if card.colours:
        yield _Panel("Colour", tones.ink, lambda wide: colours(card.colours, wide, tones))
    if card.gratings:
        yield _Panel("Contrast sensitivity", tones.ink, lambda wide: sensitivity(card.gratings, wide, tones))
    if card.fields:
        yield _Panel("Field of view", tones.ink, lambda wide: field_maps(card.fields, wide, tones))
    if card.held:
        yield _Panel("In other tasks", tones.ink, lambda wide: _lines(card.held, wide, tones), whole=True)
    # Curves of the tests with one number each; those of colours and gratings would be a dozen more.
    curved = [each for each in card.readings if each.curve is not None]
    if curved:
        yield _Panel(
            "Percent right at every level",
            tones.ink,
            lambda wide: curves(curved, wide, tones, columns=4 if wide > _ROOM / 2 else 2),
            whole=True,
        )


def _lines(lines: Sequence[str], wide: float, tones: Tones) -> Part:
    """Sentences one below the other."""
    marks: list[Mark] = []
    y = 0.0
    for line in lines:
        part, high = paragraph(plain(line, 600), wide, BODY, tones.ink)
        marks += moved(part, 0, y)
        y += high + 4
    return marks, y


def _titled(panel: _Panel, wide: float) -> Part:
    part, high = panel.make(wide)
    return [TextMark(0, TITLE, panel.name, TITLE, panel.ink), *moved(part, 0, TITLE + 8)], high + TITLE + 8


def _rows(panels: Sequence[_Panel]) -> Part:
    """Plots beside one another, three in a row if there are three."""
    columns = 3 if len(panels) == 3 else 2
    wide = (_ROOM - (columns - 1) * _BETWEEN) / columns
    marks: list[Mark] = []
    y = 0.0
    for k in range(0, len(panels), columns):
        row = [_titled(each, wide) for each in panels[k : k + columns]]
        for column, (part, _) in enumerate(row):
            marks += moved(part, column * (wide + _BETWEEN), y)
        y += max(high for _, high in row) + _APART
    return marks, max(0.0, y - _APART)


def _foot(card: Card, tones: Tones) -> Part:
    others = f"Thin lines, for comparison: {'; '.join(card.anchored)}. They read letters only."
    lines = [*([others] if card.anchored else []), FOOT]
    if card.absent:
        lines.insert(0, f"Not asked: {', '.join(card.absent).lower()}.")
    marks: list[Mark] = [LineMark((((0, 0), (_ROOM, 0)),), tones.line, 0.8)]
    y = 8.0
    for line in lines:
        part, high = paragraph(line, _ROOM, FINE + 0.4, tones.soft)
        marks += moved(part, 0, y)
        y += high + 3
    return marks, y
