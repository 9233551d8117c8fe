"""What the parts of a card are made of: paragraphs, titles, log scales. Every part is drawn from its upper left corner
on, and says how high it is."""

from dataclasses import dataclass
from math import log10

from snellen.charts.marks import Mark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, cut, wrap

Part = tuple[list[Mark], float]
"""Marks and their height."""

TITLE, BODY, FINE = 9.5, 8.2, 6.4
LEADING = 1.28


def paragraph(text: str, wide: float, size: float, ink: str, *, most: int = 12) -> Part:
    """A text in lines; what is more than `most` lines is cut, and dots say so."""
    lines = list(wrap(text, size, wide))
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), size, wide)]
    step = size * LEADING
    marks: list[Mark] = [TextMark(0, ASCENT * size + k * step, line, size, ink) for k, line in enumerate(lines)]
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

    def beyond(self, x: float) -> int:
        """-1 if a number lies beyond the side where the scale starts, 1 if beyond the other, else 0."""
        if 0.999 * self.low <= x <= 1.001 * self.high:
            return 0
        right = self.start < self.end
        return 1 if (x > self.high) == right else -1


def pointed(name: str, side: int) -> str:
    """A name with an arrow to where what it names lies, if that is beyond a scale."""
    return f"\u2190 {name}" if side < 0 else f"{name} \u2192" if side > 0 else name
