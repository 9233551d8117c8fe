"""Texts as strips, from the first word to the last: what they are given to, and where something happens."""

from collections.abc import Sequence
from dataclasses import replace

from snellen.charts.axis import Scale, axis, overhang
from snellen.charts.blocks import Strip, Strips
from snellen.charts.labels import RowLabel, labels
from snellen.charts.legend import ICON, LegendEntry, dot_entries, legend, part_entries
from snellen.charts.marks import LineMark, Mark, MarksPage, SpotMark, TextMark
from snellen.charts.measure import ASCENT, LEADING, SMALL, plain, width, wrap
from snellen.charts.numbers import MISSING, finite, whole
from snellen.charts.page import EDGE, empty, moved, sheet
from snellen.charts.palette import SOFT, look_of
from snellen.charts.shapes import DOT, dot, filled

_STRIP, _MARK, _GAP = 11.0, 5.4, 4.5
_FIRST = 3
"""The shape and colour of the first mark: those before are of parts."""
_ROOMY = 340.0
"""Remarks stand beside the strips of a sheet so wide, above them on a narrower one."""
_REMARK, _BESIDE = 0.3, 8.0
_LINE = SMALL * LEADING
_TITLE = "place in the text (%)"


def draw(block: Strips, wide: float) -> MarksPage:
    """The strips on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows:
        return empty(wide, title)
    block = replace(block, rows=tuple(map(_known, block.rows)))
    room = wide - 2 * EDGE
    names, left = labels([row.label for row in block.rows], room)
    hang = overhang(0, 100, room - left)
    beside = _beside(block, room)
    scale = Scale(0, 1, max(left, hang), room - max(beside, hang))
    marks: list[Mark] = []
    y = 0.0
    for name, row in zip(names, block.rows, strict=True):
        drawn, y = _row(name, row, len(block.marks) if row.marks else 0, scale, y, room if beside else 0.0)
        marks += [*drawn, *_spots(block.parts, row, scale, y)]
    below, end = axis(Scale(0, 100, scale.left, scale.right), y, _TITLE, room)
    head, top = legend(part_entries(block.parts), _line_entries(block), room)
    told = "; ".join(f"{plain(row.label)}: {plain(row.remark)}" for row in block.rows)
    return sheet(wide, top + end, [*head, *moved([*marks, *below], 0, top)], title, None, told)


def _known(row: Strip) -> Strip:
    """The strip without stretches and marks whose place is missing; a share that is missing is not drawn."""
    cells = tuple(
        (begin, end, tuple(finite(share) or 0.0 for share in shares))
        for begin, end, shares in row.cells
        if finite(begin) is not None and finite(end) is not None
    )
    return replace(row, cells=cells, marks=tuple(mark for mark in row.marks if finite(mark[1]) is not None))


def _line_entries(block: Strips) -> list[LegendEntry]:
    entries = dot_entries(block.marks, _FIRST) if any(row.marks for row in block.rows) else []
    if any(0 < share < 1 for row in block.rows for _, _, shares in row.cells for share in shares):
        entries.append(
            LegendEntry("full height: 100\u00a0% of the text there", lambda x, y: [_upright(x + ICON / 2, y)])
        )
    return entries


def _upright(x: float, y: float) -> LineMark:
    runs = (((x, y - 3), (x, y + 3)), ((x - 1.5, y - 3), (x + 1.5, y - 3)), ((x - 1.5, y + 3), (x + 1.5, y + 3)))
    return LineMark(runs, SOFT, 0.8)


def _beside(block: Strips, room: float) -> float:
    """How much room remarks take beside the strips, 0 if they stand above them."""
    widest = max(width(plain(row.remark), SMALL) for row in block.rows)
    return min(widest, _REMARK * room) + _BESIDE if room >= _ROOMY and widest else 0.0


def _row(name: RowLabel, row: Strip, lanes: int, scale: Scale, y: float, edge: float) -> tuple[list[Mark], float]:
    """One strip with its name, its marks and its remark (up to `edge`, or above the strip), and where it ends."""
    beside = scale.right + _BESIDE
    remark = wrap(plain(row.remark), SMALL, edge - beside if edge else scale.right - scale.left) if row.remark else ()
    long = len(remark) * _LINE
    over = 0.0 if edge else long
    body = over + lanes * _MARK + _STRIP
    high = max(body, name.height, long if edge else 0.0) + _GAP
    top = y + name.above
    start = top + (high - body) / 2
    strip = start + body - _STRIP
    x, first = (beside, strip + (_STRIP - long) / 2) if edge else (scale.left, start - 1)
    words = [TextMark(x, first + ASCENT * SMALL + k * _LINE, line, SMALL, SOFT) for k, line in enumerate(remark)]
    dots = [
        dot(_FIRST + which, min(scale.right - DOT, max(scale.left + DOT, scale.at(at))), start + over + _middle(which))
        for which, at in row.marks
    ]
    # a short name stands beside its strip, a long one beside all that belongs to it
    label = name.drawn(y, 2 * (strip - top) + _STRIP if name.height <= _STRIP else high)
    return [*label, *words, *_cells(row.cells, scale, strip), *dots], top + high


def _middle(mark: int) -> float:
    """How far below the top of the marks those of one kind stand."""
    return (mark + 0.5) * _MARK - 0.6


def _cells(cells: Sequence[tuple[float, float, tuple[float, ...]]], scale: Scale, y: float) -> list[Mark]:
    """The parts of every stretch, one on top of the other."""
    marks: list[Mark] = []
    for begin, end, shares in cells:
        left, right = scale.at(begin), scale.at(end)
        at = y
        for k, share in enumerate(shares):
            if share > 0 and right > left:
                marks += filled(look_of(k), left, at, max(0.3, right - left - 0.4), share * _STRIP)
            at += share * _STRIP
    return marks


def _spots(parts: Sequence[str], row: Strip, scale: Scale, bottom: float) -> list[Mark]:
    """Where each stretch of a strip that ends at `bottom` can be pointed at."""
    spots: list[Mark] = []
    for begin, end, shares in row.cells:
        left, right = scale.at(begin), scale.at(end)
        told = ", ".join(f"{plain(part)} {whole(100 * x)} %" for part, x in zip(parts, shares, strict=False) if x > 0)
        where = f"{plain(row.label)}, {whole(100 * begin)} to {whole(100 * end)} %"
        if right > left:
            spots.append(
                SpotMark(left, bottom - _GAP / 2 - _STRIP, right - left, _STRIP, f"{where}: {told or MISSING}")
            )
    return spots
