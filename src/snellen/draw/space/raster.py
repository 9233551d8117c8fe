"""Which face is nearest at each sample of a screen: a depth buffer filled polygon by polygon.

The rows a polygon crosses and where it begins and ends in each are found for all polygons at once; then each polygon
is laid over its rectangle of the buffer in a few numpy calls (the small ones all together). A sample belongs to
a polygon if its middle lies inside (on a left or upper edge counts as inside), so that polygons that share an edge
leave neither gap nor overlap.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.draw.space.lens import Polygons
from snellen.draw.space.mesh import Ints
from snellen.draw.space.paint import Floats

NOTHING = -1
_SMALL = 160
"""Samples of a rectangle up to which a polygon is small."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """For each sample the number of the nearest polygon (or NOTHING) and its nearness."""

    polygon: NDArray[np.int32]
    near: Floats


@dataclass(frozen=True, slots=True)
class _Spans:
    """Polygon p covers rows top[p] to bottom[p]; in row r the columns from left to right at first[p] + r - top[p]."""

    top: Ints
    bottom: Ints
    first: Ints
    left: NDArray[np.int16]
    right: NDArray[np.int16]


def fill(polygons: Polygons, width: int, height: int, empty: float) -> Buffer:
    """The nearest polygon everywhere; `empty` is the nearness of what is behind everything."""
    buffer = Buffer(np.full((height, width), NOTHING, np.int32), np.full((height, width), empty))
    spans = _spans(polygons, width, height)
    if not len(spans.left):
        return buffer
    seen = np.flatnonzero(spans.bottom > spans.top)
    start = np.minimum.reduceat(spans.left, spans.first[seen])
    stop = np.maximum.reduceat(spans.right, spans.first[seen])
    small = (stop - start) * (spans.bottom - spans.top)[seen] <= _SMALL
    _fill_small(buffer, polygons, spans, seen[small])
    large = ~small & (stop > start)
    _fill_large(
        buffer, polygons, spans, zip(seen[large].tolist(), start[large].tolist(), stop[large].tolist(), strict=True)
    )
    return buffer


def _fill_small(buffer: Buffer, polygons: Polygons, spans: _Spans, chosen: Ints) -> None:
    """Small polygons all at once: all their samples are listed, and of those that fall together the nearest kept."""
    rows = spans.bottom[chosen] - spans.top[chosen]
    polygon = np.repeat(chosen, rows)
    row = np.arange(len(polygon)) - np.repeat(np.cumsum(rows) - rows - spans.top[chosen], rows)
    slot = spans.first[polygon] + row - spans.top[polygon]
    left = spans.left[slot].astype(np.int64)
    wide = np.maximum(spans.right[slot] - left, 0)
    column = np.arange(int(wide.sum())) - np.repeat(np.cumsum(wide) - wide - left, wide)
    polygon, row = np.repeat(polygon, wide), np.repeat(row, wide)
    by_x, by_y, centre = polygons.plane[polygon].T
    depth = (by_y * (row + 0.5) + centre) + by_x * (column + 0.5)
    at = row * buffer.near.shape[1] + column
    order = np.lexsort((depth, at))
    last = np.append(at[order][1:] != at[order][:-1], True)[: len(order)]
    best = order[last]
    best = best[depth[best] > buffer.near.ravel()[at[best]]]
    buffer.near.ravel()[at[best]] = depth[best]
    buffer.polygon.ravel()[at[best]] = polygon[best]


def _fill_large(buffer: Buffer, polygons: Polygons, spans: _Spans, chosen: Iterable[tuple[int, int, int]]) -> None:
    """Polygons (number, first and last column) one by one, each over its rectangle."""
    height, width = buffer.near.shape
    columns = np.arange(width, dtype=np.int16)
    middles_x, middles_y = np.arange(width) + 0.5, np.arange(height) + 0.5
    left, right = spans.left[:, None], spans.right[:, None]
    planes, firsts = polygons.plane.tolist(), spans.first.tolist()
    tops, bottoms = spans.top.tolist(), spans.bottom.tolist()
    for p, start, stop in chosen:
        top, bottom, first = tops[p], bottoms[p], firsts[p]
        by_x, by_y, centre = planes[p]
        here = (slice(top, bottom), slice(start, stop))
        depth = (by_y * middles_y[top:bottom] + centre)[:, None] + by_x * middles_x[start:stop]
        behind = buffer.near[here]
        wins = depth > behind
        wins &= columns[start:stop] >= left[first : first + bottom - top]
        wins &= columns[start:stop] < right[first : first + bottom - top]
        np.copyto(behind, depth, where=wins)
        np.copyto(buffer.polygon[here], p, where=wins)


def _spans(polygons: Polygons, width: int, height: int) -> _Spans:
    """Every edge is walked from its upper end, so that two polygons that share it agree to the last bit."""
    counts = polygons.counts
    if not len(counts):
        none, nowhere = np.zeros(0, np.int64), np.zeros(0, np.int16)
        return _Spans(none, none, none, nowhere, nowhere)
    ends = np.cumsum(counts)
    owner = np.repeat(np.arange(len(counts)), counts)
    after = np.arange(1, len(owner) + 1)
    after[ends - 1] = ends - counts
    x, y = polygons.x, polygons.y
    falls = y[after] > y
    upper, lower = np.where(falls, np.arange(len(y)), after), np.where(falls, after, np.arange(len(y)))
    begin = np.clip(np.ceil(y[upper] - 0.5), 0, height).astype(np.int64)
    end = np.clip(np.ceil(y[lower] - 0.5), 0, height).astype(np.int64)
    top = np.minimum.reduceat(begin, ends - counts)
    bottom = np.maximum.reduceat(end, ends - counts)
    many = bottom - top
    first = np.cumsum(many) - many
    edges = np.flatnonzero(end > begin)
    rows = end[edges] - begin[edges]
    edge = np.repeat(edges, rows)
    row = np.arange(len(edge)) - np.repeat(np.cumsum(rows) - rows - begin[edges], rows)
    slope = np.zeros(len(y))
    slope[edges] = (x[lower[edges]] - x[upper[edges]]) / (y[lower[edges]] - y[upper[edges]])
    at = x[upper][edge] + (row + 0.5 - y[upper][edge]) * slope[edge]
    column = np.clip(np.ceil(at - 0.5), 0, width).astype(np.int16)
    slot = (first - top)[owner[edge]] + row
    is_left = (falls != polygons.flipped[owner])[edge]
    left, right = np.full(int(many.sum()), width, np.int16), np.zeros(int(many.sum()), np.int16)
    left[slot[is_left]] = column[is_left]
    right[slot[~is_left]] = column[~is_left]
    return _Spans(top, bottom, first, left, right)
