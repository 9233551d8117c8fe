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

_UNIT = 16
"""Parts of a pixel that corners are rounded to."""
_LINES = 4
"""Scan lines to a row of pixels."""


@dataclass(frozen=True, slots=True)
class Cover:
    """How much of each pixel is taken, 0 to STEPS, in a window whose corner is at (top, left)."""

    amount: Amounts
    top: int
    left: int


def cover(outlines: Sequence[Points], shape: tuple[int, int]) -> Cover | None:
    """What the outlines enclose together, cut to a page of this height and width; None if nothing is on the page.

    Each is an array of corners (n x 2), or several as long as each other (k x n x 2). Outlines that run the other way
    round take away: a ring is a disc and a smaller one reversed.
    """
    corners = [np.rint(outline * _UNIT).astype(np.int64) for outline in outlines]
    starts = np.concatenate([lines.reshape(-1, 2) for lines in corners])
    ends = np.concatenate([_followers(lines) for lines in corners])
    low, high = starts.min(axis=0).tolist(), starts.max(axis=0).tolist()
    left, top = max(0, low[0] // _UNIT), max(0, low[1] // _UNIT)
    right, bottom = min(shape[1], high[0] // _UNIT + 1), min(shape[0], high[1] // _UNIT + 1)
    if left >= right or top >= bottom:
        return None
    whole = len(outlines) == 1 and outlines[0].ndim == 2  # a single line does not lie over itself: its scan lines may be added up at once
    steps = _crossings(starts, ends, (left, top, right, bottom), _LINES if whole else 1)
    filled = np.abs(np.cumsum(steps, axis=1))
    if whole:
        amount = filled
    else:
        np.minimum(filled, _UNIT, out=filled)
        amount = filled[0::4] + filled[1::4] + filled[2::4] + filled[3::4]
    full = _UNIT * _LINES
    shares = (np.minimum(amount, full) * (2 * STEPS) + full) // (2 * full)
    return Cover(shares.astype(np.uint8), top, left)


def _followers(corners: Ints) -> Ints:
    """For each corner the next one."""
    return np.concatenate((corners[..., 1:, :], corners[..., :1, :]), axis=-2).reshape(-1, 2)


def _crossings(starts: Ints, ends: Ints, window: tuple[int, int, int, int], together: int) -> NDArray[np.int32]:
    """The steps along each scan line of a window, those of so many lines added up."""
    left, top, right, bottom = window
    (x0, y0), (x1, y1) = starts.T, ends.T
    pitch = _UNIT // _LINES
    first, last = -((pitch // 2 - y0) // pitch), -((pitch // 2 - y1) // pitch)  # scan line k lies at pitch * (k + 1/2)
    lines, offset = (bottom - top) * _LINES, top * _LINES
    begin = np.clip(np.minimum(first, last), offset, offset + lines)
    many = np.clip(np.maximum(first, last), offset, offset + lines) - begin
    piece = np.repeat(np.arange(len(many)), many)
    line = np.arange(len(piece)) - (np.cumsum(many) - many - begin)[piece]
    rise, run = (y1 - y0)[piece], (x1 - x0)[piece]
    across = x0[piece] + (line * pitch + pitch // 2 - y0[piece]) * run // rise
    across = np.clip(across - left * _UNIT, 0, (right - left) * _UNIT)
    column, rest = across // _UNIT, across % _UNIT
    width = right - left + 2
    place = (line - offset) // together * width + column
    sign = np.where(rise > 0, 1, -1)
    size = lines // together * width
    steps = np.bincount(place, sign * (_UNIT - rest), size) + np.bincount(place + 1, sign * rest, size)
    return steps.reshape(-1, width)[:, :-2].astype(np.int32)
