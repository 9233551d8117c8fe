"""The names of rows, beside a chart: wrapped where they are long, under one heading where they begin alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from snellen.charts.marks import Mark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, LEADING, SMALL, TEXT, plain, width, wrap
from snellen.charts.palette import SOFT, SeriesStyle, looks
from snellen.charts.shapes import filled

LINE = TEXT * LEADING
GUTTER = 8.0
"""Between a name and what it names."""
_INDENT, _SPACE = 5.0, 4.5
WIDEST = 0.4
"""No more than this part of a figure is for names."""
_BETWEEN = " · "
_SMALL_LINE, _PATCH, _APART = SMALL * LEADING + 0.6, 6.0, 7.0

Piece = tuple[float, SeriesStyle | None, str]
"""Small words below a name: where they begin, the patch before them, if any, and what they say."""


@dataclass(frozen=True, slots=True)
class RowLabel:
    """A row's name in lines, and the lines of a heading that stands above it, if one begins here."""

    lines: tuple[str, ...]
    heading: tuple[str, ...] = ()
    indent: float = 0.0
    first: bool = False
    below: tuple[tuple[Piece, ...], ...] = ()

    @property
    def above(self) -> float:
        """The height of the heading."""
        return len(self.heading) * LINE + 1 + self.space if self.heading else 0.0

    @property
    def space(self) -> float:
        """What keeps a heading apart from the rows before it."""
        return 0.0 if self.first else _SPACE

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + len(self.below) * _SMALL_LINE

    def drawn(self, top: float, height: float) -> list[Mark]:
        """The heading from `top` on, and the name beside the middle of what is `height` high below it."""
        base = top + self.space + ASCENT * TEXT
        head: list[Mark] = [TextMark(0, base + k * LINE, line) for k, line in enumerate(self.heading)]
        first = top + self.above + (height - self.height) / 2 + (LINE + (ASCENT - DESCENT) * TEXT) / 2
        name = [TextMark(self.indent, first + k * LINE, line) for k, line in enumerate(self.lines)]
        base = first + (len(self.lines) - 1) * LINE
        small = [_drawn(piece, base + k * _SMALL_LINE) for k, line in enumerate(self.below, 1) for piece in line]
        return [*head, *name, *(mark for marks in small for mark in marks)]


def _drawn(piece: Piece, base: float) -> list[Mark]:
    x, look, text = piece
    patch = filled(look, x, base - 0.5 * SMALL - _PATCH / 2 + 0.8, _PATCH, _PATCH) if look else []
    return [*patch, TextMark(x + (_PATCH + 2 if look else 0), base, text, SMALL, SOFT)]


def labels(
    names: Sequence[str], room: float, adds: Sequence[Sequence[str]] = (), remarks: Sequence[str] = ()
) -> tuple[list[RowLabel], float]:
    """The names as labels of a figure so wide, and how much of it they take. Small below each name, where given: the
    parts it adds, with their patches, and a remark."""
    split = headed([plain(name) for name in names])
    indents = [_INDENT if under else 0.0 for _, under, _ in split]
    widest = max((width(name, TEXT) + dx for (_, _, name), dx in zip(split, indents, strict=True)), default=0.0)
    wanted = (widest, *(width(plain(remark), SMALL) for remark in remarks))
    wanted += tuple(_end(pieces) for parts in adds for pieces in _flow(parts, room))
    most = min(max(wanted), room * WIDEST)
    made = [
        RowLabel(
            wrap(name, TEXT, most - dx + 0.01),
            wrap(heading, TEXT, room) if heading else (),
            dx,
            first=k == 0,
            below=(*(_flow(adds[k], most) if adds else ()), *(_remark(remarks[k], most) if remarks else ())),
        )
        for k, ((heading, _, name), dx) in enumerate(zip(split, indents, strict=True))
    ]
    taken = max((width(line, TEXT) + label.indent for label in made for line in label.lines), default=0.0)
    taken = max((taken, *(_end(pieces) for label in made for pieces in label.below)))
    return made, taken + GUTTER if taken else 0.0


def _flow(parts: Sequence[str], room: float) -> tuple[tuple[Piece, ...], ...]:
    """Parts with their patches, as many in a line as it has room for."""
    lines: list[tuple[Piece, ...]] = []
    for part in parts:
        look, name = looks([part])[0], plain(part)
        x = _end(lines[-1]) + _APART if lines else 0.0
        if lines and x + _PATCH + 2 + width(name, SMALL) <= room:
            lines[-1] = (*lines[-1], (x, look, name))
        else:
            lines.append(((0.0, look, name),))
    return tuple(lines)


def _remark(text: str, room: float) -> tuple[tuple[Piece, ...], ...]:
    return tuple(((0.0, None, line),) for line in wrap(plain(text), SMALL, room + 0.01) if line)


def _end(pieces: Sequence[Piece]) -> float:
    """Where a line of pieces ends."""
    x, look, text = pieces[-1]
    return x + (_PATCH + 2 if look else 0) + width(text, SMALL)


def headed(names: Sequence[str]) -> list[tuple[str, bool, str]]:
    """For each name: the heading that begins above it, if any; whether it stands under one; and what is left of it.

    "a · x", "a · y" become x and y under a. A bare "a" serves as the heading of what follows it.
    """
    parts = [_split(name) for name in names]
    if not any(a[0] == b[0] and b[1] for a, b in pairwise(parts)):
        return [("", False, name) for name in names]
    rows, current = [], None
    for name, (head, tail) in zip(names, parts, strict=True):
        rows.append((head if tail and head != current else "", bool(tail), tail or name))
        current = head
    return rows


def _split(name: str) -> tuple[str, str]:
    head, _, tail = name.partition(_BETWEEN)
    return head, tail if any(c.isalnum() for c in tail) else ""


def spread(wanted: Sequence[float], sizes: Sequence[float], ends: tuple[float, float], gap: float) -> list[float]:
    """Middles of labels near where they are wanted, in the same order, none over another, all between the ends as long
    as there is room."""
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    placed = dict.fromkeys(order, 0.0)
    edge = ends[0]
    for k in order:
        placed[k] = max(wanted[k], edge + sizes[k] / 2)
        edge = placed[k] + sizes[k] / 2 + gap
    edge = ends[1]
    for k in reversed(order):
        placed[k] = min(placed[k], edge - sizes[k] / 2)
        edge = placed[k] - sizes[k] / 2 - gap
    return [placed[k] for k in range(len(wanted))]
