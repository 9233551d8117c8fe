"""How the marks of a panel lie to each other: what is inside what, where lines meet, how many areas they enclose.

All this follows from the coordinates, but is seen at a glance and hardly worked out from numbers.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from snellen.draw.pens import Points
from snellen.tasks.marvel.draw.drawn import DrawnMark
from snellen.tasks.marvel.draw.figures import FIGURES
from snellen.tasks.marvel.draw.geometry import within
from snellen.tasks.marvel.draw.marks import WHITE, render

_LARGER = 1.4
"""A figure may hold another if it is so many times as large."""
_SMALL = 14
_TOUCH = 3.0
"""Lines whose middles come so near touch, being four pixels wide."""
_ONE_PLACE = 6.0
_SPECK = 6
"""Areas of fewer pixels, at half the resolution, are chinks between lines rather than areas."""
_NEIGHBOURS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)


def place_in(drawn: DrawnMark, holder: DrawnMark) -> str:
    """Where a figure is relative to a larger closed one: inside, outside or on the edge of it."""
    if not drawn.near(holder, 0):
        return "outside"
    inner = within(drawn.line[:: max(1, len(drawn.line) // 24)], holder.line)
    return "inside" if inner.all() else "on the edge of" if inner.any() else "outside"


def holders(drawn: DrawnMark, marks: Sequence[DrawnMark]) -> list[DrawnMark]:
    """The closed figures a figure or letter may be said to be in or out of."""
    if drawn.shape in ("line", "grid") or not drawn.closed:
        return []
    return [
        other
        for other in marks
        if other.closed and other.shape not in ("letter", "grid") and other.reach > _LARGER * drawn.reach
    ]


def meetings(marks: Sequence[DrawnMark]) -> list[tuple[int, int]]:
    """The places where lines and large outlines cross or touch each other or themselves, from top to bottom."""
    lines = [drawn for drawn in marks if _is_line(drawn)]
    points = [point for drawn in lines if _knotted(drawn) for point in _crossings(drawn, drawn)]
    for drawn, other in combinations(lines, 2):
        if drawn.near(other):
            points += _crossings(drawn, other)
    places: list[tuple[float, float]] = []
    for x, y in sorted(points):
        if all(abs(x - x2) + abs(y - y2) > _ONE_PLACE for x2, y2 in places):
            places.append((x, y))
    return sorted(((round(x), round(y)) for x, y in places), key=lambda place: (place[1], place[0]))


def _knotted(drawn: DrawnMark) -> bool:
    """Whether a path crosses itself, going by the straight lines between its points."""
    points = drawn.mark.get("points", ())
    if len(points) < 4:
        return False
    corners = np.array(points, np.float64)
    return bool(_crossings(*(replace(drawn, line=corners),) * 2))


def _is_line(drawn: DrawnMark) -> bool:
    """Whether a mark is there as a line: a stroke, or an outline that is neither solid nor small."""
    if drawn.fill == "black":
        return False
    return drawn.shape in ("line", "path") or (drawn.shape in FIGURES and drawn.reach > _SMALL)


def _crossings(drawn: DrawnMark, other: DrawnMark) -> list[tuple[float, float]]:
    """Where the pieces of two lines cross, each made a little longer; of a line with itself, where they truly do."""
    same = drawn is other
    (a, along_a), (b, along_b) = _pieces(drawn), _pieces(other)
    apart = b[None] - a[:, None]
    across = _cross(along_a[:, None], along_b[None])
    with np.errstate(divide="ignore", invalid="ignore"):
        t, u = _cross(apart, along_b[None]) / across, _cross(apart, along_a[:, None]) / across
    slack = 0.0 if same else _TOUCH
    room_a = slack / np.maximum(np.hypot(along_a[:, 0], along_a[:, 1]), 1e-9)[:, None]
    room_b = slack / np.maximum(np.hypot(along_b[:, 0], along_b[:, 1]), 1e-9)[None]
    hit = (np.abs(across) > 1e-9) & (t >= -room_a) & (t <= 1 + room_a) & (u >= -room_b) & (u <= 1 + room_b)
    if same:
        gap = np.arange(len(b))[None] - np.arange(len(a))[:, None]
        hit &= (gap > 1) & ((gap < len(a) - 1) | (not drawn.closed))
    rows, _ = np.nonzero(hit)
    points = a[rows] + along_a[rows] * t[hit][:, None]
    return [(float(x), float(y)) for x, y in points]


def _pieces(drawn: DrawnMark) -> tuple[Points, Points]:
    """Where each straight piece starts, and the way it goes."""
    line = drawn.line
    if len(line) > 32:  # a curve: half its pieces will do
        line = line[::2] if drawn.closed else np.concatenate((line[:-1:2], line[-1:]))
    whole = np.concatenate((line, line[:1])) if drawn.closed else line
    return whole[:-1], np.diff(whole, axis=0)


def _cross(drawn: Points, other: Points) -> Points:
    crossed: Points = drawn[..., 0] * other[..., 1] - drawn[..., 1] * other[..., 0]
    return crossed


def enclosed_areas(marks: Sequence[DrawnMark], *, see_through: bool) -> int:
    """How many areas the ink closes off from the rest of the panel; grey and stripes count as areas."""
    from scipy.ndimage import label  # here, for whoever lists the tasks needs none of it

    plain = []
    for drawn in marks:
        tint = drawn.fill in ("grey", "striped")
        plain.append({**drawn.mark, "fill": "none" if see_through else "white"} if tint else drawn.mark)
    page = render(plain, False)[::2, ::2]  # lines are wide enough to hold at half the resolution
    page[[0, -1]] = page[:, [0, -1]] = WHITE  # the rim is one area
    numbers, many = label(page, _NEIGHBOURS)
    sizes = np.bincount(numbers.ravel(), minlength=many + 1)
    outside = numbers[0, 0]
    return sum(1 for number in range(1, many + 1) if number != outside and sizes[number] >= _SPECK)
