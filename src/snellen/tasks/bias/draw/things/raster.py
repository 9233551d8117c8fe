"""From outlines to covers: how much of each pixel a shape takes, fast and in whole numbers.

An outline is a closed line of straight pieces. Its corners are rounded to sixteenths of a pixel; from there on all is
integer arithmetic, so that a shape has the same pixels on every machine. Every row of pixels is cut by four scan
lines. Where a scan line crosses the outline, it changes from outside to inside by a step that is shared between two
pixels as exactly as sixteenths allow; adding up the steps along the line gives the cover.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.draw.soft import STEPS

Points = NDArray[np.float64]
Ints = NDArray[np.int64]
Amounts = NDArray[np.uint8]
Window = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""

_UNIT = 16
"""Parts of a pixel that corners are rounded to."""
_LINES = 4
"""Scan lines to a row of pixels."""
_FULL = _UNIT * _LINES
_SMALL = 24_000
"""Pixels up to which several outlines are filled at once."""


@dataclass(frozen=True, slots=True)
class StepCover:
    """How much of each pixel is taken, 0 to STEPS, in a window whose corner is at (top, left)."""

    amount: Amounts
    top: int
    left: int


def cover(outlines: Sequence[Points], shape: tuple[int, int]) -> StepCover | None:
    """What the outlines enclose together, cut to a page of this height and width; None if nothing is on the page.

    An outline that runs the other way round than the first takes away: a ring is a disc and a smaller one reversed.
    """
    corners = [np.rint(outline * _UNIT).astype(np.int64) for outline in outlines]
    window = _window(np.concatenate(corners), shape)
    left, top, right, bottom = window
    if left >= right or top >= bottom:
        return None
    if len(corners) == 1 or (right - left) * (bottom - top) <= _SMALL:
        return StepCover(_filled(corners, window, len(corners) > 1)[0], top, left)
    return StepCover(_one_by_one(corners, window, shape), top, left)


def together(covers: Sequence[StepCover]) -> StepCover:
    """One cover for several, the greatest amount winning."""
    top, left = min(area.top for area in covers), min(area.left for area in covers)
    bottom = max(area.top + area.amount.shape[0] for area in covers)
    right = max(area.left + area.amount.shape[1] for area in covers)
    amount = np.zeros((bottom - top, right - left), np.uint8)
    for area in covers:
        height, width = area.amount.shape
        patch = amount[area.top - top : area.top - top + height, area.left - left : area.left - left + width]
        np.maximum(patch, area.amount, out=patch)
    return StepCover(amount, top, left)


def widened(area: StepCover, reach: int, shape: tuple[int, int]) -> StepCover:
    """A cover grown by so many pixels on all sides, cut to the page."""
    height, width = area.amount.shape
    row = np.zeros((height, width + 2 * reach), np.uint8)  # so far grown to either side
    row[:, reach : reach + width] = area.amount
    grown = np.zeros((height + 2 * reach, width + 2 * reach), np.uint8)
    sides = [int((reach * reach + reach - down * down) ** 0.5) for down in range(reach + 1)]
    for side in range(reach + 1):
        for begin in (reach - side, reach + side):
            np.maximum(row[:, begin : begin + width], area.amount, out=row[:, begin : begin + width])
        for down in (down for down in range(reach + 1) if min(sides[down], reach) == side):
            for top in (reach - down, reach + down):
                np.maximum(grown[top : top + height], row, out=grown[top : top + height])
    top, left = area.top - reach, area.left - reach
    cut = grown[max(0, -top) : max(0, shape[0] - top), max(0, -left) : max(0, shape[1] - left)]
    return StepCover(cut, max(0, top), max(0, left))


def _window(corners: Ints, shape: tuple[int, int]) -> Window:
    """The pixels of the page that the corners lie in."""
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return (
        max(0, left // _UNIT),
        max(0, top // _UNIT),
        min(shape[1], right // _UNIT + 1),
        min(shape[0], bottom // _UNIT + 1),
    )


def _one_by_one(corners: Sequence[Ints], window: Window, shape: tuple[int, int]) -> Amounts:
    """Outlines filled each in its own window, which is cheaper where they are large."""
    left, top, right, bottom = window
    amount = np.zeros((bottom - top, right - left), np.uint8)
    first = 0
    for line in corners:
        own = _window(line, shape)
        if own[0] >= own[2] or own[1] >= own[3]:
            continue
        filled, way = _filled([line], own, False)
        first = first or way
        patch = amount[own[1] - top : own[3] - top, own[0] - left : own[2] - left]
        if way == first:
            np.maximum(patch, filled, out=patch)
        else:
            np.minimum(patch, STEPS - filled, out=patch)
    return amount


def _filled(corners: Sequence[Ints], window: Window, fine: bool) -> tuple[Amounts, int]:
    """How much of each pixel is taken, and the way the outlines run (1 or -1).

    For a single outline the scan lines of a row of pixels are added up at once. Several may lie over one another, so
    that (`fine`) each scan line is limited by itself before they are. Of a scan line only the places are known where
    something changes; between them it is the same all along.
    """
    left, top, right, bottom = window
    width, rows = right - left + 2, (bottom - top) * (_LINES if fine else 1)
    places, steps = _changes(corners, window, 1 if fine else _LINES, width)
    order = np.argsort(places, kind="stable")
    places = places[order]
    taken = np.cumsum(steps[order])
    way = 1 if int(taken.sum()) >= 0 else -1
    lengths = np.diff(places, prepend=0, append=rows * width)
    values = np.zeros(len(lengths), np.uint8)
    values[1:] = np.minimum(np.abs(taken), _UNIT) if fine else _SHARES[np.minimum(np.abs(taken), _FULL)]
    filled = np.repeat(values, lengths).reshape(rows, width)[:, :-2]
    if not fine:
        return filled, way
    return _SHARES[filled[0::4] + filled[1::4] + filled[2::4] + filled[3::4]], way


def _changes(corners: Sequence[Ints], window: Window, lines_to_row: int, width: int) -> tuple[Ints, Ints]:
    """Where scan lines cross the outlines, and what changes there; rows are so many scan lines high."""
    left, top, right, bottom = window
    x0, y0 = np.concatenate(corners).T
    x1, y1 = np.concatenate([part for line in corners for part in (line[1:], line[:1])]).T
    pitch = _UNIT // _LINES
    first, last = -((pitch // 2 - y0) // pitch), -((pitch // 2 - y1) // pitch)  # scan line k lies at pitch * (k + 1/2)
    begin = np.maximum(np.minimum(first, last), top * _LINES)
    many = np.maximum(np.minimum(np.maximum(first, last), bottom * _LINES) - begin, 0)
    piece = np.repeat(np.arange(len(many)), many)
    line = np.arange(len(piece)) - (np.cumsum(many) - many - begin)[piece]
    rise = (y1 - y0)[piece]
    across = x0[piece] + (line * pitch + pitch // 2 - y0[piece]) * (x1 - x0)[piece] // rise
    across = np.minimum(np.maximum(across - left * _UNIT, 0), (right - left) * _UNIT)
    place = (line - top * _LINES) // lines_to_row * width + across // _UNIT
    way, rest = np.where(rise > 0, 1, -1), across % _UNIT
    return np.concatenate((place, place + 1)), np.concatenate((way * (_UNIT - rest), way * rest))


_SHARES = ((np.arange(_FULL + 1) * (2 * STEPS) + _FULL) // (2 * _FULL)).astype(np.uint8)
