"""How much of each pixel a shape covers: exactly, not by samples.

A shape is closed lines of straight pieces; where lines run against one another (an outline and its hole) they cancel.
Every line is cut where it passes from one pixel into the next. A piece inside one pixel covers a known part of that
pixel and the whole of those to its right, so that one running sum along each row gives all areas. Only the four basic
operations are used on points rounded to `1 / FINE` of a pixel, so that every machine finds the same areas. A letter is
given by its outline, never by overlapping parts: where two shapes of one cover lie over one another, a pixel at the
edges of both adds up both shares (up to the whole), which is good enough for lines that cross.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Ints = NDArray[np.int64]

FINE = 4096
"""Steps of a pixel, for places and for areas."""


@dataclass(frozen=True, eq=False)
class FineCover:
    """The covered share of each pixel, in steps from 0 to `FINE`, in a window whose corner is at (top, left)."""

    amount: Ints
    top: int
    left: int

    def within(self, height: int, width: int) -> "FineCover":
        """The same without what leaves a page of this size."""
        top, left = max(0, -self.top), max(0, -self.left)
        bottom, right = max(top, height - self.top), max(left, width - self.left)
        return FineCover(self.amount[top:bottom, left:right], self.top + top, self.left + left)

    def on(self, height: int, width: int) -> Ints:
        """The covered shares on a whole page."""
        page, part = np.zeros((height, width), np.int64), self.within(height, width)
        rows, columns = part.amount.shape
        page[part.top : part.top + rows, part.left : part.left + columns] = part.amount
        return page


def cover(outlines: Sequence[Points]) -> FineCover:
    """The cover of a shape with these outlines (each n x 2, closed by itself); holes run the other way round."""
    rounded = [np.rint(outline * FINE) / FINE for outline in outlines]
    if not rounded:
        return FineCover(np.zeros((0, 0), np.int64), 0, 0)
    starts = np.concatenate(rounded)
    ends = np.concatenate([np.roll(outline, -1, axis=0) for outline in rounded])
    left, top = np.floor(starts.min(axis=0)).astype(np.int64).tolist()
    right, bottom = np.ceil(starts.max(axis=0)).astype(np.int64).tolist()
    corner = np.array([left, top], np.float64)
    height, width = max(1, bottom - top), max(1, right - left)  # a shape may have shrunk to a line
    sums = _sums(*_pieces(starts - corner, ends - corner), height, width)
    amount = np.rint(np.abs(np.cumsum(sums, axis=1)[:, :-2]) * FINE).astype(np.int64)
    return FineCover(np.minimum(amount, FINE), top, left)


def _pieces(starts: Points, ends: Points) -> tuple[Points, Points]:
    """The lines, cut wherever they pass from one pixel into another."""
    line = np.arange(len(starts))
    where, shares = [line, line], [np.zeros(len(line)), np.ones(len(line))]
    for axis in (0, 1):
        a, b = starts[:, axis], ends[:, axis]
        first = np.floor(np.minimum(a, b)).astype(np.int64) + 1
        many = np.maximum(np.ceil(np.maximum(a, b)).astype(np.int64) - first, 0)
        owner = np.repeat(line, many)
        at = first[owner] + np.arange(len(owner)) - (np.cumsum(many) - many)[owner]
        where.append(owner)
        shares.append((at - a[owner]) / (b - a)[owner])
    owners, cuts = np.concatenate(where), np.concatenate(shares)
    order = np.lexsort((cuts, owners))
    owners, cuts = owners[order], cuts[order]
    points = starts[owners] + cuts[:, None] * (ends - starts)[owners]
    whole = cuts == 1.0
    points[whole] = ends[owners[whole]]
    same = owners[1:] == owners[:-1]
    return points[:-1][same], points[1:][same]


def _sums(starts: Points, ends: Points, height: int, width: int) -> Points:
    """What each piece adds to its pixel and to all that follow, to be summed up along the rows."""
    middle, rise = (starts + ends) / 2, ends[:, 1] - starts[:, 1]
    column = np.clip(np.floor(middle[:, 0]).astype(np.int64), 0, width)
    row = np.clip(np.floor(middle[:, 1]).astype(np.int64), 0, height - 1)
    beyond = (middle[:, 0] - column) * rise
    index, size = row * (width + 2) + column, height * (width + 2)
    here, behind = np.bincount(index, rise - beyond, size), np.bincount(index + 1, beyond, size)
    flat = np.asarray(here, np.float64) + np.asarray(behind, np.float64)
    return flat.reshape(height, width + 2)


def arc(middle: tuple[float, float], radius: float, start: float, end: float, scale: float = 1.0) -> Points:
    """Points along an arc, both ends included; degrees, 0 to the right, 90 up (y points down).

    `scale` is how many pixels a unit will have: so many points that no piece leaves the arc by 1/512 of a pixel.
    """
    turn = abs(end - start) / 180 * pi
    pieces = max(2, ceil(8 * turn * sqrt(max(radius * scale, 0.25))))
    angles = np.radians(start + (end - start) * np.arange(pieces + 1) / pieces)
    x, y = middle
    return np.stack((x + radius * np.cos(angles), y - radius * np.sin(angles)), axis=1)


def disc(x: float, y: float, radius: float) -> Points:
    """The outline of a disc, in pixels."""
    return arc((x, y), radius, 0, 360, 1.0)[:-1]


def band(points: Points, width: float) -> Points:
    """The outline of a line of that width with flat ends and mitred corners; it must not turn by 90 degrees or more."""
    steps = np.diff(points, axis=0)
    steps = steps / np.sqrt((steps * steps).sum(axis=1, keepdims=True))
    normals = np.stack((-steps[:, 1], steps[:, 0]), axis=1)
    before, after = np.concatenate((normals[:1], normals)), np.concatenate((normals, normals[-1:]))
    mitre = (before + after) / (1 + (before * after).sum(axis=1, keepdims=True))
    return np.concatenate((points + mitre * (width / 2), (points - mitre * (width / 2))[::-1]))
