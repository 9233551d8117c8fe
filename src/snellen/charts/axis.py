"""An axis along the bottom: grid, ticks with their numbers, and what they measure."""

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.charts.marks import LineMark, Mark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, LEADING, TEXT, width, wrap
from snellen.charts.numbers import tick_texts, ticks
from snellen.charts.palette import EDGE, INK, LINE, SOFT

_TICK = 2.5
_APART = 30.0
"""Ticks are about this far from one another."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From numbers to places: `low` is at `left`, `high` at `right`."""

    low: float
    high: float
    left: float
    right: float

    def at(self, x: float) -> float:
        inside = max(self.low, min(self.high, x))
        return self.left + (inside - self.low) / (self.high - self.low) * (self.right - self.left)

    @property
    def marks(self) -> list[float]:
        return ticks(self.low, self.high, max(2.0, (self.right - self.left) / _APART))


def overhang(low: float, high: float, room: float) -> float:
    """How far the numbers of the outermost ticks may reach beyond an axis in so much room. Keeping that free at one
    end or at both makes the axis shorter, whose ticks may then be others, with longer numbers."""
    hang = 0.0
    while (wider := max(_half(low, high, room - ends * hang) for ends in range(3))) > hang:
        hang = wider
    return hang


def _half(low: float, high: float, room: float) -> float:
    """Half of the longest number of an axis so long."""
    return max(width(text, TEXT) for text in tick_texts(Scale(low, high, 0, room).marks)) / 2 + 0.5


def grid(scale: Scale, spans: Sequence[tuple[float, float]]) -> LineMark:
    """Thin lines up from the ticks, through the given heights only: headings are kept clear of them."""
    runs = tuple(((x, top), (x, bottom)) for x in map(scale.at, scale.marks) for top, bottom in spans)
    return LineMark(runs, LINE, pen=0.5)


def axis(scale: Scale, y: float, title: str, sheet: float) -> tuple[list[Mark], float]:
    """The axis at height y of a sheet so wide, and where it ends below."""
    base = y + _TICK + 1.5 + ASCENT * TEXT
    places = [scale.at(x) for x in scale.marks]
    marks: list[Mark] = [
        LineMark((((scale.left, y), (scale.right, y)), *(((x, y), (x, y + _TICK)) for x in places)), EDGE, pen=0.6),
        *(
            TextMark(x, base, text, ink=SOFT, anchor="middle")
            for x, text in zip(places, tick_texts(scale.marks), strict=True)
        ),
    ]
    for line in wrap(title, TEXT, sheet):
        base += TEXT * LEADING + 0.5
        half = width(line, TEXT) / 2
        middle = max(half, min(sheet - half, (scale.left + scale.right) / 2))
        marks.append(TextMark(middle, base, line, ink=INK, anchor="middle"))
    return marks, base + DESCENT * TEXT
