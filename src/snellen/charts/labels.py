"""The names of rows, beside a chart: wrapped where they are long, under one heading where they begin alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from snellen.charts.marks import Mark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, LEADING, TEXT, plain, width, wrap

LINE = TEXT * LEADING
GUTTER = 8.0
"""Between a name and what it names."""
_INDENT, _SPACE = 5.0, 4.5
_WIDEST = 0.4
"""No more than this part of a figure is for names."""
_BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class RowLabel:
    """A row's name in lines, and the lines of a heading that stands above it, if one begins here."""

    lines: tuple[str, ...]
    heading: tuple[str, ...] = ()
    indent: float = 0.0
    first: bool = False

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
        return len(self.lines) * LINE

    def drawn(self, top: float, height: float) -> list[Mark]:
        """The heading from `top` on, and the name beside the middle of what is `height` high below it."""
        base = top + self.space + ASCENT * TEXT
        head: list[Mark] = [TextMark(0, base + k * LINE, line) for k, line in enumerate(self.heading)]
        first = top + self.above + (height - self.height) / 2 + (LINE + (ASCENT - DESCENT) * TEXT) / 2
        return [*head, *(TextMark(self.indent, first + k * LINE, line) for k, line in enumerate(self.lines))]


def labels(names: Sequence[str], room: float) -> tuple[list[RowLabel], float]:
    """The names as labels of a figure so wide, and how much of it they take."""
    split = headed([plain(name) for name in names])
    indents = [_INDENT if under else 0.0 for _, under, _ in split]
    widest = max((width(name, TEXT) + dx for (_, _, name), dx in zip(split, indents, strict=True)), default=0.0)
    most = min(widest, room * _WIDEST)
    made = [
        RowLabel(wrap(name, TEXT, most - dx + 0.01), wrap(heading, TEXT, room) if heading else (), dx, first=k == 0)
        for k, ((heading, _, name), dx) in enumerate(zip(split, indents, strict=True))
    ]
    taken = max((width(line, TEXT) + label.indent for label in made for line in label.lines), default=0.0)
    return made, taken + GUTTER if taken else 0.0


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
