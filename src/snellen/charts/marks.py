"""What a figure is made of: lines, boxes, shapes, discs and words, in points from the upper left corner.

A chart becomes a sheet of marks, and a sheet becomes a file; who writes the file knows nothing of charts.
"""

from dataclasses import dataclass
from typing import Literal

from snellen.charts.measure import ASCENT, DESCENT, TEXT, width
from snellen.charts.palette import INK

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


Mark = LineMark | BoxMark | ShapeMark | DiscMark | TextMark


@dataclass(frozen=True, slots=True)
class MarksPage:
    """A finished drawing; `title` and `told` (its numbers in words) are for those who cannot see it."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str = ""
    told: str = ""


def extent(mark: Mark) -> Extent:
    """The box a mark lies in, pens taken as thin."""
    if isinstance(mark, BoxMark):
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
