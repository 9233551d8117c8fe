"""What a chart is made of: lines, boxes, shapes, discs, words and hatching, in points from the upper left corner.

A chart becomes a sheet of marks, and a sheet becomes a file or part of the page; who writes these knows nothing of
charts. Colours are strings; a `Tone` among them is another one on dark paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from snellen.charts.measure import ASCENT, DESCENT, TEXT, width
from snellen.charts.palette import INK
from snellen.faculties import Hatch

Point = tuple[float, float]
Extent = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class LineMark:
    """Runs of straight lines drawn with one pen."""

    runs: tuple[tuple[Point, ...], ...]
    ink: str = INK
    pen: float = 0.6
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class BoxMark:
    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    edge: str | None = None
    pen: float = 0.5
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapeMark:
    """A closed shape with straight sides."""

    points: tuple[Point, ...]
    fill: str | None = None
    edge: str | None = None
    pen: float = 0.5


@dataclass(frozen=True, slots=True)
class DiscMark:
    x: float
    y: float
    radius: float
    fill: str | None = None
    edge: str | None = None
    pen: float = 0.5


@dataclass(frozen=True, slots=True)
class TextMark:
    """One line of words: `x` is their start, middle or end, `y` the line they stand on. Upright ones run upwards."""

    x: float
    y: float
    text: str
    size: float = TEXT
    ink: str = INK
    anchor: Literal["start", "middle", "end"] = "start"
    upright: bool = False

    @property
    def before(self) -> float:
        """How much of the words lies before their anchor."""
        return {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width(self.text, self.size)


@dataclass(frozen=True, slots=True)
class HatchMark:
    """Parallel lines across a box, given twice: `hatch` is the pattern (angle and distance of its lines), which the
    page repeats over the box; `lines` is every single line, which SVG, PDF and PNG files draw."""

    x: float
    y: float
    width: float
    height: float
    hatch: Hatch
    lines: LineMark


@dataclass(frozen=True, slots=True)
class SpotMark:
    """A box on the page that shows `text` as a tip when it is pointed at or reached by key. Files leave it out."""

    x: float
    y: float
    width: float
    height: float
    text: str


Ink = LineMark | BoxMark | ShapeMark | DiscMark | TextMark
Mark = Ink | HatchMark | SpotMark


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A chart's numbers in words: under each column, for each row; `corner` says what they are."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def says(self, row: int, column: int, note: str = "", unit: str = "") -> str:
        """One number of the table as a tooltip: "row: column number unit (note)"."""
        label, texts = self.rows[row]
        name = self.columns[column] if len(self.columns) > 1 else ""
        words = f"{name} {texts[column]}{unit}".strip() + (f" ({note})" if note else "")
        return f"{label}: {words}" if label else words

    @property
    def told(self) -> str:
        rows = ((label, zip(self.columns, texts, strict=False)) for label, texts in self.rows)
        return "; ".join(
            (f"{label}: " if label else "") + ", ".join(f"{name} {text}".strip() for name, text in row)
            for label, row in rows
        )


@dataclass(frozen=True, slots=True)
class MarksPage:
    """A finished drawing; `title` and `told` (its numbers in words) are for those who cannot see it, `numbers` for
    those who want them all."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str = ""
    told: str = ""
    numbers: NumberTable | None = None

    @property
    def inked(self) -> Iterator[Ink]:
        """The marks as paper has them: hatching as lines, and no spots."""
        for mark in self.marks:
            if isinstance(mark, HatchMark):
                yield mark.lines
            elif not isinstance(mark, SpotMark):
                yield mark


def extent(mark: Mark) -> Extent:
    """The box a mark lies in, pens taken as thin."""
    if isinstance(mark, BoxMark | HatchMark | SpotMark):
        return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
    if isinstance(mark, DiscMark):
        return mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius
    if isinstance(mark, TextMark):
        long, start = width(mark.text, mark.size), mark.before
        if mark.upright:
            return (
                *(mark.x - ASCENT * mark.size, mark.y + start - long),
                *(mark.x + DESCENT * mark.size, mark.y + start),
            )
        return (
            *(mark.x - start, mark.y - ASCENT * mark.size),
            *(mark.x - start + long, mark.y + DESCENT * mark.size),
        )
    points = mark.points if isinstance(mark, ShapeMark) else tuple(point for run in mark.runs for point in run)
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)
