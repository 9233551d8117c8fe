"""Small drawings that charts share: dots, filled parts, whiskers.

Papers are printed in grey, so nothing is told by colour alone: series differ in shape and parts in hatching.
"""

from collections.abc import Iterator
from math import ceil, cos, floor, radians, sin

from snellen.charts.marks import BoxMark, DiscMark, Extent, HatchMark, LineMark, Mark, Point, ShapeMark
from snellen.charts.palette import INK, PAPER, SOFT, SeriesStyle, Tone, look_of
from snellen.faculties import Hatch

DOT = 2.1
"""Half the size of a dot."""
_SOLID = 5
"""So many shapes of dots; after them they come again, hollow."""


def part_colour(k: int) -> Tone:
    return look_of(k).colour


def pen_colour(k: int) -> Tone:
    """The colour of thin lines of series k."""
    return look_of(k).pen


def dot(k: int, x: float, y: float) -> Mark:
    """The dot of series k."""
    r, colour = DOT, part_colour(k)
    fill, edge, pen = (colour, PAPER, 0.4) if k // _SOLID % 2 == 0 else (PAPER, colour, 0.9)
    points: dict[int, tuple[Point, ...]] = {
        1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        2: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        3: ((0, -1.15), (1.15, 0.95), (-1.15, 0.95)),
        4: ((0, 1.15), (1.15, -0.95), (-1.15, -0.95)),
    }
    shape = points.get(k % _SOLID)
    if shape is None:
        return DiscMark(x, y, r, fill, edge, pen)
    return ShapeMark(tuple((x + r * dx, y + r * dy) for dx, dy in shape), fill, edge, pen)


def cross(x: float, y: float, ink: str = SOFT) -> LineMark:
    """Where a value is missing."""
    r = 0.75 * DOT
    return LineMark((((x - r, y - r), (x + r, y + r)), ((x - r, y + r), (x + r, y - r))), ink, pen=0.8)


def filled(look: SeriesStyle, x: float, y: float, width: float, height: float) -> list[Mark]:
    """A box in the colour and the hatching of a part."""
    box = BoxMark(x, y, width, height, fill=look.colour)
    lines = _hatching(x, y, width, height, look.hatch, look.lines)
    return [box, lines] if lines.lines.runs else [box]


def hatched(x: float, y: float, width: float, height: float, ink: str) -> HatchMark:
    """Thin slanting lines over a box: nothing is known of it."""
    return _hatching(x, y, width, height, ((-45, 3.5),), ink, pen=0.5)


def whisker(low: float, high: float, y: float, ink: str = INK, cap: float = 1.6, pen: float = 0.8) -> LineMark:
    """An interval from low to high, with its ends."""
    ends = (((low, y - cap), (low, y + cap)), ((high, y - cap), (high, y + cap)))
    return LineMark((((low, y), (high, y)), *ends), ink, pen)


def _hatching(x: float, y: float, width: float, height: float, hatch: Hatch, ink: str, pen: float = 0.45) -> HatchMark:
    box = (x, y, x + width, y + height)
    runs = tuple(run for angle, apart in hatch for run in _runs(radians(angle), apart, box))
    return HatchMark(x, y, width, height, hatch, LineMark(runs, ink, pen))


def _runs(angle: float, apart: float, box: Extent) -> Iterator[tuple[Point, ...]]:
    """Parallel lines across a box. They are laid over the whole sheet, so that neighbours of one part join up."""
    along, across = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    depths = [across[0] * x + across[1] * y for x, y in corners]
    for k in range(ceil(min(depths) / apart), floor(max(depths) / apart) + 1):
        start = (across[0] * k * apart, across[1] * k * apart)
        if (run := _clipped(start, along, box)) is not None:
            yield run


def _clipped(start: Point, along: Point, box: Extent) -> tuple[Point, ...] | None:
    """The piece of an endless line that lies within a box."""
    low, high = float("-inf"), float("inf")
    for axis in (0, 1):
        near, far = box[axis] - start[axis], box[axis + 2] - start[axis]
        if abs(along[axis]) < 1e-9:
            if near >= 0 or far <= 0:
                return None
            continue
        enter, leave = sorted((near / along[axis], far / along[axis]))
        low, high = max(low, enter), min(high, leave)
    if high - low < 1e-6:
        return None
    return tuple((start[0] + along[0] * t, start[1] + along[1] * t) for t in (low, high))
