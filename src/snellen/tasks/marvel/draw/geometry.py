"""Lines as points: how they run, what they enclose, where they cross."""

import numpy as np
from numpy.typing import NDArray

from snellen.draw.pens import Points

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SPACING = 5.0
"""How far apart the points along a line may be."""


def box_of(line: Points) -> Box:
    """The box around a line."""
    (left, top), (right, bottom) = line.min(axis=0).tolist(), line.max(axis=0).tolist()
    return left, top, right, bottom


def along_line(line: Points, closed: bool) -> Points:
    """The line with points between its own, so that none are further apart than the spacing."""
    starts = line if closed else line[:-1]
    ends = np.concatenate((line[1:], line[:1])) if closed else line[1:]
    pieces = np.maximum(1, np.ceil(np.hypot(*(ends - starts).T) / SPACING)).astype(int)
    which = np.repeat(np.arange(len(starts)), pieces)
    part = (np.arange(len(which)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[which]
    points = starts[which] + (ends - starts)[which] * part[:, None]
    return points if closed else np.concatenate((points, line[-1:]))


def evenly(line: Points, closed: bool) -> Points:
    """A smooth line by points the spacing apart."""
    if closed:
        line = np.concatenate((line, line[:1]))
    way = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    many = max(2, int(np.ceil(round(float(way[-1]), 3) / SPACING)))
    at = np.linspace(0.0, way[-1], many + 1)
    points = np.stack([np.interp(at, way, axis) for axis in line.T], axis=1)
    return np.round(points[:-1] if closed else points, 3)


def within(points: Points, loop: Points) -> NDArray[np.bool_]:
    """Which points lie inside a closed line (crossings of a ray to the right)."""
    x, y = points[:, :1], points[:, 1:]
    (x1, y1), (x2, y2) = loop.T, np.concatenate((loop[1:], loop[:1])).T
    rises = (y1 > y) != (y2 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = x < x1 + (y - y1) * (x2 - x1) / (y2 - y1)
    return np.asarray((rises & meets).sum(axis=1) % 2 == 1)


def distances(points: Points, others: Points) -> Points:
    """How far each point is from the nearest of the others."""
    gaps = points[:, None, :] - others[None, :, :]
    return np.asarray(np.sqrt((gaps * gaps).sum(axis=2).min(axis=1)))


def hits(line: Points, other: Points) -> tuple[NDArray[np.intp], Points, NDArray[np.bool_]]:
    """Where two lines cross: the pieces of each, the spots, and whether they cross at a steep angle."""
    way, way2 = np.diff(line, axis=0), np.diff(other, axis=0)
    turn = way[:, None, 0] * way2[None, :, 1] - way[:, None, 1] * way2[None, :, 0]
    between = other[None, :-1] - line[:-1, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (between[..., 0] * way2[None, :, 1] - between[..., 1] * way2[None, :, 0]) / turn
        along2 = (between[..., 0] * way[:, None, 1] - between[..., 1] * way[:, None, 0]) / turn
    pieces = np.argwhere((along >= 0) & (along < 1) & (along2 >= 0) & (along2 < 1))
    first, second = pieces.T
    spots = line[first] + along[first, second][:, None] * way[first]
    steep = np.abs(turn[first, second]) > 0.4 * np.hypot(*way[first].T) * np.hypot(*way2[second].T)
    return pieces, spots, steep


def lies_in(box: Box, room: Box, slack: float = 3) -> bool:
    """Whether a box lies within another, or not further out of it than the slack."""
    (left, top, right, bottom), (x, y, x2, y2) = box, room
    return left >= x - slack and top >= y - slack and right <= x2 + slack and bottom <= y2 + slack
