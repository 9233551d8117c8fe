"""What the parts of a card are made of: paragraphs, titles, log scales. Every part is drawn from its upper left corner
on, and says how high it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from snellen.analysis.acuity.sights import number
from snellen.report.figures.marks import Mark, Words
from snellen.report.figures.measure import ASCENT, DESCENT, wrap

Part = tuple[list[Mark], float]
"""Marks and their height."""

TITLE, BODY, FINE = 9.5, 8.2, 6.4
LEADING = 1.28


def paragraph(text: str, wide: float, size: float, ink: str, *, most: int = 12) -> Part:
    """A text in lines; what is more than `most` lines is cut, and dots say so."""
    lines = list(wrap(text, size, wide))
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1].rstrip()} …"]
    step = size * LEADING
    marks: list[Mark] = [Words(0, ASCENT * size + k * step, line, size, ink) for k, line in enumerate(lines)]
    return marks, (len(lines) - 1) * step + (ASCENT + DESCENT) * size


@dataclass(frozen=True, slots=True)
class Logs:
    """From numbers to places on a log scale: `low` is at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, x: float) -> float:
        share = (log10(x) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return self.start + max(0.0, min(1.0, share)) * (self.end - self.start)


def round_numbers(low: float, high: float, room: int = 6) -> list[float]:
    """Round numbers on a log scale: powers of ten, with 2 and 5 between them where there is room."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in powers for step in steps]
        inside = [x for x in found if low * 0.999 <= x <= high * 1.001]
        if len(inside) <= room:
            return inside
    return inside


def short(x: float) -> str:
    """A number of an axis."""
    return f"{x:,.0f}" if x >= 1 and x == round(x) else number(x)


def above(marks: Sequence[Mark], height: float, more: float) -> Part:
    return list(marks), height + more
