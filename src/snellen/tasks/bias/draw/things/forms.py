"""Outlines to draw with: ovals, boxes, stars, limbs that taper, smooth lines through points.

Every outline runs clockwise as seen on the page (y down), so that several laid together are their union, and a
reversed one is a hole.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, radians, sin

import numpy as np

from snellen.draw.pens import curve
from snellen.tasks.bias.draw.things.raster import Points

Place = tuple[float, float]


def _points(places: Sequence[Place]) -> Points:
    return np.array(places, np.float64)


def clockwise(outline: Points) -> Points:
    """The same outline in the common direction."""
    x, y = outline.T
    area = float(np.dot(x[:-1], y[1:]) - np.dot(y[:-1], x[1:]) + x[-1] * y[0] - y[-1] * x[0])
    return outline if area >= 0 else outline[::-1]


def poly(places: Sequence[Place]) -> Points:
    return clockwise(_points(places))


def blob(places: Sequence[Place]) -> Points:
    """A smooth closed line through places."""
    return clockwise(curve(_points(places), True)[::2])


def arc(middle: Place, radius: float, begin: float, end: float, pieces: int = 24) -> Points:
    """Places along an arc, in degrees clockwise from the right; not closed."""
    angles = np.radians(np.linspace(begin, end, pieces + 1))
    return np.stack((middle[0] + radius * np.cos(angles), middle[1] + radius * np.sin(angles)), axis=1)


@lru_cache(maxsize=128)
def _circle(corners: int) -> Points:
    angles = np.arange(corners) * (2 * pi / corners)
    return np.stack((np.cos(angles), np.sin(angles)))


def oval(middle: Place, across: float, down: float, turn: float = 0) -> Points:
    """An ellipse by its half axes, the first turned by so many degrees."""
    circle = _circle(max(16, min(96, int(6 * max(across, down) ** 0.5))))
    along, off = across * circle[0], down * circle[1]
    c, s = cos(radians(turn)), sin(radians(turn))
    return np.stack((middle[0] + along * c - off * s, middle[1] + along * s + off * c), axis=1)


def disc(middle: Place, radius: float) -> Points:
    return oval(middle, radius, radius)


def ring(middle: Place, radius: float, width: float) -> list[Points]:
    """A circular line of this width, `radius` to its middle."""
    return [disc(middle, radius + width / 2), disc(middle, radius - width / 2)[::-1]]


def box(left: float, top: float, right: float, bottom: float, radius: float = 0) -> Points:
    """A rectangle, with round corners if a radius is given."""
    if not radius:
        return _points([(left, top), (right, top), (right, bottom), (left, bottom)])
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    corners = [(right, top, -1, 1), (right, bottom, -1, -1), (left, bottom, 1, -1), (left, top, 1, 1)]
    arcs = [
        arc((x + dx * radius, y + dy * radius), radius, 90 * k - 90, 90 * k, 8)
        for k, (x, y, dx, dy) in enumerate(corners)
    ]
    return np.concatenate(arcs)


def star(middle: Place, points: int, outer: float, inner: float, turn: float = -90) -> Points:
    """A star by its outer and inner radius, the first point in the direction `turn`."""
    angles = np.radians(turn + np.arange(2 * points) * 180 / points)
    reach = np.where(np.arange(2 * points) % 2, inner, outer)
    return np.stack((middle[0] + reach * np.cos(angles), middle[1] + reach * np.sin(angles)), axis=1)


def bar(begin: Place, end: Place, wide: float, narrow: float | None = None, round_ends: bool = True) -> Points:
    """A straight limb from `wide` at its beginning to `narrow` at its end."""
    narrow = wide if narrow is None else narrow
    if round_ends:
        return limb((begin, end), (wide, narrow))
    (x0, y0), (x1, y1) = begin, end
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-6)
    across, down = -(y1 - y0) / length / 2, (x1 - x0) / length / 2
    return poly(
        [
            (x0 + across * wide, y0 + down * wide),
            (x0 - across * wide, y0 - down * wide),
            (x1 - across * narrow, y1 - down * narrow),
            (x1 + across * narrow, y1 + down * narrow),
        ]
    )


def limb(places: Sequence[Place], widths: Sequence[float]) -> Points:
    """A smooth line through places whose width changes on the way, with round ends."""
    line = curve(_points(places), False)[::2] if len(places) > 2 else _points(places)
    half = np.interp(np.linspace(0, 1, len(line)), np.linspace(0, 1, len(widths)), widths) / 2
    ahead = np.empty_like(line)
    ahead[1:-1] = line[2:] - line[:-2]
    ahead[0], ahead[-1] = line[1] - line[0], line[-1] - line[-2]
    ahead /= np.maximum(np.sqrt((ahead * ahead).sum(axis=1)), 1e-9)[:, None]
    side = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1)
    # Around each end half a circle, as seen along the way.
    turn = _HALF_CIRCLE
    last = line[-1] + half[-1] * (side[-1] * turn[:, :1] + ahead[-1] * turn[:, 1:])
    first = line[0] - half[0] * (side[0] * turn[:, :1] + ahead[0] * turn[:, 1:])
    side = side * half[:, None]
    return clockwise(np.concatenate((line + side, last, (line - side)[::-1], first)))


_HALF_CIRCLE = np.stack((np.cos(np.linspace(0, pi, 13)), np.sin(np.linspace(0, pi, 13))), axis=1)[1:-1]
