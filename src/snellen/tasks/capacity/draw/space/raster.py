"""Which face is nearest at each sample of a screen: a depth buffer filled polygon by polygon.

The rows a polygon crosses and where it begins and ends in each are found for all polygons at once; then each polygon
is laid over its rectangle of the buffer in a few numpy calls a band (all but the largest together). A sample belongs to
a polygon if its middle lies inside (on a left or upper edge counts as inside), so that polygons that share an edge
leave neither gap nor overlap.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.capacity.draw.space.mesh import Flags, Ints
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.polygons import Polygons

NOTHING = -1
_SMALL = 160
"""Samples of a rectangle up to which a polygon is small."""
_ALONE = 2500
"""Samples of a rectangle from which a polygon is laid by itself on a small screen; on others all but small ones are."""
_SKETCH = 100_000
"""Samples up to which a screen is small."""
_BAND = 32_768
"""Samples laid at a time: few enough to stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """For each sample the number of the nearest polygon (or NOTHING) and its nearness. `polygon` may be left empty
    where only the nearness is wanted."""

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


def fill(polygons: Polygons, width: int, height: int, empty: float, screens: int = 1) -> Buffer:
    """The nearest polygon everywhere; `empty` is the nearness of what is behind everything. Several screens lie one
    below another in the buffer.

    Where two are equally near, a small polygon goes before all others, of two small ones the later and of two others
    the earlier. Which way a polygon is laid is a question of speed alone.
    """
    rows = screens * height
    buffer = Buffer(np.full((rows, width), NOTHING, np.int32), np.full((rows, width), empty))
    _fill(buffer, polygons, height)
    return buffer


def nearness(polygons: Polygons, width: int, height: int, empty: float) -> Floats:
    """How near the nearest polygon is everywhere, whichever it is."""
    buffer = Buffer(np.zeros((0, 0), np.int32), np.full((height, width), empty))
    _fill(buffer, polygons, height)
    return buffer.near


def _fill(buffer: Buffer, polygons: Polygons, height: int) -> None:
    width = buffer.near.shape[1]
    spans = _spans(polygons, width, height)
    if not len(spans.left):
        return
    seen = np.flatnonzero(spans.bottom > spans.top)
    start = np.minimum.reduceat(spans.left, spans.first[seen])
    stop = np.maximum.reduceat(spans.right, spans.first[seen])
    samples = (stop - start) * (spans.bottom - spans.top)[seen]
    small, alone = samples <= _SMALL, samples > (_ALONE if width * height <= _SKETCH else _SMALL)
    others = seen[~small & ~alone & (stop > start)]
    _fill_together(buffer, polygons, spans, height, np.concatenate((others[::-1], seen[small])))
    large = alone & (stop > start)
    is_small = np.zeros(0, bool)  # of use only where some that are not small were laid before their turn
    if len(others) and buffer.polygon.size:
        is_small = np.zeros(len(spans.top), bool)
        is_small[seen] = small
    chosen = zip(seen[large].tolist(), start[large].tolist(), stop[large].tolist(), strict=True)
    _fill_alone(buffer, polygons, spans, height, is_small, chosen)


def areas(polygons: Polygons, width: int, height: int, screens: int) -> Ints:
    """How many samples of each screen some polygon covers: rows of +1 where one begins and -1 behind its end, added
    up, within the columns and rows that any polygon reaches."""
    spans = _spans(polygons, width, height)
    drawn = np.flatnonzero(spans.right > spans.left)
    if not len(drawn):
        return np.zeros(screens, np.int64)
    rows = spans.bottom - spans.top
    row = (np.arange(len(spans.left)) - np.repeat(spans.first - spans.top, rows))[drawn]
    left, right = spans.left[drawn], spans.right[drawn]
    low, high = int(row.min()), int(row.max()) + 1
    first, wide = int(left.min()), int(right.max()) - int(left.min()) + 1
    at = (np.repeat(polygons.screen, rows)[drawn] * (high - low) + row - low) * wide - first
    steps = np.bincount(
        np.concatenate((at + left, at + right)), np.repeat((1.0, -1.0), len(drawn)), screens * (high - low) * wide
    )
    covered: Ints = np.count_nonzero(np.cumsum(steps.reshape(screens, -1), axis=1) > 0.5, axis=1)
    return covered


def _fill_together(buffer: Buffer, polygons: Polygons, spans: _Spans, height: int, chosen: Ints) -> None:
    """Polygons all at once: all their samples are listed, and of those that fall together the nearest kept."""
    top = spans.top[chosen]
    rows = spans.bottom[chosen] - top
    row = np.arange(int(rows.sum())) - np.repeat(np.cumsum(rows) - rows - top, rows)
    slot = row + np.repeat(spans.first[chosen] - top, rows)
    left = spans.left[slot].astype(np.int64)
    wide = np.maximum(spans.right[slot] - left, 0)
    by_x, by_y, centre = (np.repeat(part[chosen], rows) for part in polygons.plane.T)
    column = np.arange(int(wide.sum())) - np.repeat(np.cumsum(wide) - wide - left, wide)
    depth = np.repeat(by_y * (row + 0.5) + centre, wide) + np.repeat(by_x, wide) * (column + 0.5)
    at = np.repeat((np.repeat(polygons.screen[chosen] * height, rows) + row) * buffer.near.shape[1], wide) + column
    near = buffer.near.ravel()
    before = near[at]
    np.maximum.at(near, at, depth)
    if not buffer.polygon.size:
        return
    wins = np.flatnonzero((depth == near[at]) & (depth > before))
    polygon = np.repeat(np.repeat(chosen, rows), wide)
    buffer.polygon.ravel()[at[wins]] = polygon[wins]  # of equals the last stays


def _fill_alone(
    buffer: Buffer,
    polygons: Polygons,
    spans: _Spans,
    height: int,
    is_small: Flags,
    chosen: Iterable[tuple[int, int, int]],
) -> None:
    """Polygons (number, first and last column) one by one, band by band."""
    width = buffer.near.shape[1]
    columns = np.arange(width, dtype=np.int16)
    middles_x, middles_y = np.arange(width) + 0.5, np.arange(height) + 0.5
    most = max(_BAND, width)
    sheet, masks = np.empty(most), np.empty((2, most), bool)  # kept: fresh memory is slow
    for p, top, bottom, first, start, stop in _bands(spans, chosen):
        by_x, by_y, centre = polygons.plane[p].tolist()
        above = int(polygons.screen[p]) * height
        here = slice(above + top, above + bottom), slice(start, stop)
        shape = bottom - top, stop - start
        many = shape[0] * shape[1]
        depth, wins = sheet[:many].reshape(shape), masks[0, :many].reshape(shape)
        within = masks[1, :many].reshape(shape)
        np.add((by_y * middles_y[top:bottom] + centre)[:, None], by_x * middles_x[start:stop], out=depth)
        behind = buffer.near[here]
        np.greater(depth, behind, out=wins)
        if len(is_small) and np.equal(depth, behind, out=within).any():
            there = buffer.polygon[here]
            wins |= within & (there > p) & ~is_small[there]
        left, right = spans.left[first : first + bottom - top], spans.right[first : first + bottom - top]
        if left.max() > start:
            wins &= np.greater_equal(columns[start:stop], left[:, None], out=within)
        if right.min() < stop:
            wins &= np.less(columns[start:stop], right[:, None], out=within)
        np.copyto(behind, depth, where=wins)
        if buffer.polygon.size:
            np.copyto(buffer.polygon[here], p, where=wins)


def _bands(spans: _Spans, chosen: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The rectangles of these polygons cut into bands: number, rows, first row of the spans, columns. A band is as wide
    as the polygon is there, so that less is laid beside a slanting one."""
    firsts, tops, bottoms = spans.first.tolist(), spans.top.tolist(), spans.bottom.tolist()
    for p, start, stop in chosen:
        first, top, bottom = firsts[p], tops[p], bottoms[p]
        rows = max(1, _BAND // (stop - start))
        if bottom - top <= rows:
            yield p, top, bottom, first, start, stop
            continue
        for row in range(top, bottom, rows):
            end, at = min(row + rows, bottom), first + row - top
            left, right = spans.left[at : at + end - row].min(), spans.right[at : at + end - row].max()
            if left < right:
                yield p, row, end, at, int(left), int(right)


def _spans(polygons: Polygons, width: int, height: int) -> _Spans:
    """Every edge is walked from its upper end, so that two polygons that share it agree to the last bit."""
    counts = polygons.counts
    if not len(counts):
        none, nowhere = np.zeros(0, np.int64), np.zeros(0, np.int16)
        return _Spans(none, none, none, nowhere, nowhere)
    ends = np.cumsum(counts)
    after = np.arange(1, len(polygons.x) + 1)
    after[ends - 1] = ends - counts
    x, y, x_after, y_after = polygons.x, polygons.y, polygons.x[after], polygons.y[after]
    falls = y_after > y
    upper, lower = np.minimum(y, y_after), np.maximum(y, y_after)
    begin = np.clip(np.ceil(upper - 0.5), 0, height).astype(np.int64)
    end = np.clip(np.ceil(lower - 0.5), 0, height).astype(np.int64)
    top = np.minimum.reduceat(begin, ends - counts)
    bottom = np.maximum.reduceat(end, ends - counts)
    many = bottom - top
    first = np.cumsum(many) - many
    is_left, crossing = falls != np.repeat(polygons.flipped, counts), end > begin
    lefts, rights = np.flatnonzero(crossing & is_left), np.flatnonzero(crossing & ~is_left)
    edges = np.concatenate((lefts, rights))
    rows = (end - begin)[edges]
    row = np.arange(int(rows.sum())) - np.repeat(np.cumsum(rows) - rows - begin[edges], rows)
    fell, low, high = falls[edges], upper[edges], lower[edges]
    start, stop = (np.where(fell, near[edges], far[edges]) for near, far in ((x, x_after), (x_after, x)))
    slope = (stop - start) / (high - low)
    at = np.repeat(start, rows) + (row + 0.5 - np.repeat(low, rows)) * np.repeat(slope, rows)
    column = np.clip(np.ceil(at - 0.5), 0, width).astype(np.int16)
    slot = np.repeat(np.repeat(first - top, counts)[edges], rows) + row
    left, right = np.full(int(many.sum()), width, np.int16), np.zeros(int(many.sum()), np.int16)
    middle = int((end - begin)[lefts].sum())
    left[slot[:middle]] = column[:middle]
    right[slot[middle:]] = column[middle:]
    return _Spans(top, bottom, first, left, right)
