"""Outlines to draw with: ovals, boxes, stars, limbs that taper, smooth lines through points.

Every outline runs clockwise as seen on the page (y down), so that several laid together are their union, and a
reversed one is a hole.
"""

from collections.abc import Sequence
from math import cos, pi, radians, sin

import numpy as np

from snellen.draw.pens import curve
from snellen.draw.things.raster import Points

Place = tuple[float, float]


def _points(places: Sequence[Place]) -> Points:
    return np.array(places, np.float64)


def clockwise(outline: Points) -> Points:
    """The same outline in the common direction."""
    x, y = outline.T
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
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


def oval(middle: Place, across: float, down: float, turn: float = 0) -> Points:
    """An ellipse by its half axes, the first turned by so many degrees."""
    angles = np.linspace(0, 2 * pi, max(16, min(72, int(6 * max(across, down) ** 0.5))), endpoint=False)
    along, off = across * np.cos(angles), down * np.sin(angles)
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


def bar(begin: Place, end: Place, wide: float, narrow: float | None = None, round_ends: bool = True) -> list[Points]:
    """A straight limb from `wide` at its beginning to `narrow` at its end."""
    narrow = wide if narrow is None else narrow
    (x0, y0), (x1, y1) = begin, end
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-6)
    across, down = -(y1 - y0) / length / 2, (x1 - x0) / length / 2
    trunk = poly(
        [
            (x0 + across * wide, y0 + down * wide),
            (x0 - across * wide, y0 - down * wide),
            (x1 - across * narrow, y1 - down * narrow),
            (x1 + across * narrow, y1 + down * narrow),
        ]
    )
    return [trunk, disc(begin, wide / 2), disc(end, narrow / 2)] if round_ends else [trunk]


def limb(places: Sequence[Place], widths: Sequence[float], smooth: bool = True) -> list[Points]:
    """A line through places whose width changes from place to place, with round ends."""
    line = curve(_points(places), False)[::2] if smooth and len(places) > 2 else _points(places)
    at = np.linspace(0, 1, len(line))
    half = np.interp(at, np.linspace(0, 1, len(widths)), widths) / 2
    ahead = np.gradient(line, axis=0)
    ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)[:, None]
    side = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1) * half[:, None]
    trunk = clockwise(np.concatenate((line + side, (line - side)[::-1])))
    first, last = tuple(line[0].tolist()), tuple(line[-1].tolist())
    return [trunk, disc(first, widths[0] / 2), disc(last, widths[-1] / 2)]


def stroke(outline: Points, width: float, closed: bool = True) -> list[Points]:
    """A line of this width along an outline, corners round."""
    ends = np.concatenate((outline[1:], outline[:1])) if closed else outline[1:]
    starts = outline if closed else outline[:-1]
    ahead = ends - starts
    length = np.hypot(ahead[:, 0], ahead[:, 1])
    starts, ends, ahead, length = (values[length > 1e-6] for values in (starts, ends, ahead, length))
    side = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1) / length[:, None] * (width / 2)
    quads = np.stack((starts - side, ends - side, ends + side, starts + side), axis=1)
    joint = oval((0, 0), width / 2, width / 2)[::2]
    places = starts if closed else np.concatenate((starts, ends[-1:]))
    return [quads, places[:, None, :] + joint[None, :, :]]
