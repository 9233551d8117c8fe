"""Abstract shapes: blobs and free-form strokes, drawn at random but always clearly seen.

A blob is a closed curve whose distance from its middle goes in and out; a doodle is a set of open strokes, each
wandering in a lane of its own, so that strokes neither touch nor cross. All points are whole numbers.
"""

from math import cos, pi, sin
from typing import Any

from snellen.rng import Stream

Mark = dict[str, Any]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def _at(x: float, y: float, radius: float, angle: float) -> list[int]:
    """The point at this angle (in turns) around (x, y); rounded twice so that no last digit of a sine can matter."""
    return [round(round(x + radius * cos(2 * pi * angle), 3)), round(round(y + radius * sin(2 * pi * angle), 3))]


def blob(turn: Stream, x: int, y: int, size: int, points: int = 7, name: str = "", fill: str = "none") -> Mark:
    """A closed curved path around (x, y), within `size` of it, clearly irregular: near and far points mixed."""
    start = turn.between(0, 1)
    reach = [turn.between(0.85, 0.95) if i % 2 else turn.between(0.45, 0.65) for i in range(points)]
    reach[turn.below(points)] = turn.between(0.55, 0.95)
    spots = [_at(x, y, size * reach[i], start + (i + turn.between(-0.2, 0.2)) / points) for i in range(points)]
    mark: Mark = {"shape": "path", "points": spots, "closed": True, "curved": True, "fill": fill}
    if name:
        mark["name"] = name
    return mark


def moved(mark: Mark, x: int, y: int) -> Mark:
    """A path shifted by (x, y)."""
    return {**mark, "points": [[px + x, py + y] for px, py in mark["points"]]}


def doodle(turn: Stream, strokes: int, box: Box) -> list[Mark]:
    """So many open curved strokes side by side within the box, none touching another."""
    return [wander(turn, lane, curved=True) for lane in lanes(turn, strokes, box)]


def lanes(turn: Stream, number: int, box: Box) -> list[Box]:
    """The box cut into so many equal lanes, upright or lying, a few pixels apart."""
    left, top, right, bottom = box
    gap = 8
    if turn.chance():
        wide = (right - left + gap) / number
        return [(round(left + i * wide), top, round(left + (i + 1) * wide) - gap, bottom) for i in range(number)]
    high = (bottom - top + gap) / number
    return [(left, round(top + i * high), right, round(top + (i + 1) * high) - gap) for i in range(number)]


def wander(turn: Stream, box: Box, *, curved: bool, points: int = 4) -> Mark:
    """A stroke along the longer side of the box, swinging from side to side of it (curved) or straight across."""
    left, top, right, bottom = box
    upright = bottom - top >= right - left
    along, wide = (bottom - top, right - left) if upright else (right - left, bottom - top)
    inner = max(1, wide // 8)  # a smooth curve bulges beyond its points
    first = turn.below(2)
    steps = []
    number = points if curved else 2
    for i in range(number):
        swing = turn.between(0.0, 0.25)
        side = swing if (i + first) % 2 else 1 - swing
        steps.append((round(along * i / (number - 1)), round(inner + (wide - 2 * inner) * side)))
    spots = [[left + b, top + a] if upright else [left + a, top + b] for a, b in steps]
    return {"shape": "path", "points": spots, "closed": False, "curved": curved, "fill": "none"}
