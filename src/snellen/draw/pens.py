"""A round pen that leaves hard-edged lines, and what lies inside a closed line.

Lines are drawn as the scans of printed puzzles look: black, about four pixels wide, jagged. The pen is a disc of whole
pixels, put down at points less than a pixel apart that are rounded to quarters of a pixel; after that all is integer
arithmetic, so that a line has the same pixels on every machine. Places are in pixels, x to the right and y down, (0, 0)
the outer corner of the first pixel: a line of even width along x = 90 covers as much left as right of the middle.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]
Ints = NDArray[np.int64]

_PHASES = 4
_STEP = 0.8
_SLACK = 19
"""So much is the pen larger (squared, in eighths of a pixel), just enough that level lines get no beads."""
_SAMPLES = 16
"""Straight pieces of a curve between two of its points."""


def curve(points: Points, closed: bool) -> Points:
    """A smooth line through all the points (a Catmull-Rom spline), as short straight pieces."""
    if closed:
        whole = np.concatenate((points[-1:], points, points[:2]))
    else:
        # Beyond an open end the line goes on as if mirrored there, so that it does not bend at the end.
        whole = np.concatenate((2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]))
    # Whole points and sixteenths: every sum and product below is exact, whatever the machine.
    t = (np.arange(_SAMPLES) / _SAMPLES)[None, :, None]
    p, q, r, s = (side[:, None, :] for side in (whole[:-3], whole[1:-2], whole[2:-1], whole[3:]))
    smooth = q + t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p))) / 2
    flat: Points = smooth.reshape(-1, 2)
    return flat if closed else np.concatenate((flat, points[-1:]))


def trace(shape: tuple[int, int], points: Points, width: int) -> Mask:
    """The pixels a line of straight pieces through the points covers, on a page (height, width) it stays within."""
    whole = np.rint(_track(points) * _PHASES).astype(np.int64)
    corner, phase = whole // _PHASES, whole % _PHASES
    rows, columns = _dots(width)
    dots = (rows * shape[1] + columns)[phase[:, 1] * _PHASES + phase[:, 0]]
    page = np.zeros(shape, bool)
    page.reshape(-1)[(corner[:, 1] * shape[1] + corner[:, 0])[:, None] + dots] = True
    return page


def _track(corners: Points) -> Points:
    """Points less than a pixel apart along a line of straight pieces, both ends included."""
    steps = np.diff(corners, axis=0)
    many = 1 + (np.abs(steps).max(axis=1) / _STEP).astype(np.int64)
    ends = np.cumsum(many)
    piece = np.repeat(np.arange(len(many)), many)
    share = (np.arange(ends[-1]) - (ends - many)[piece]) / many[piece]
    return np.concatenate((corners[piece] + steps[piece] * share[:, None], corners[-1:]))


@lru_cache(maxsize=16)
def _dots(width: int) -> tuple[Ints, Ints]:
    """For each phase (y, then x) the rows and columns of the pixels a pen covers, seen from the pixel it stands in.

    Phases that cover fewer pixels than others repeat one, so that all are equally long.
    """
    reach = width // 2 + 1
    offsets = np.arange(-reach, reach + 1)
    covers = []
    for y in range(_PHASES):
        for x in range(_PHASES):
            down, right = (offsets * 2 + 1) * _PHASES - 2 * y, (offsets * 2 + 1) * _PHASES - 2 * x  # in eighths
            near = down[:, None] ** 2 + right[None, :] ** 2 <= (width * _PHASES) ** 2 + _SLACK
            covers.append(np.argwhere(near) - reach)
    longest = max(map(len, covers))
    padded = np.stack([np.concatenate((dot, np.repeat(dot[:1], longest - len(dot), 0))) for dot in covers])
    return padded[:, :, 0], padded[:, :, 1]


def inside(shape: tuple[int, int], points: Points) -> Mask:
    """The pixels of a page (height, width) whose middles lie inside the closed line through the points.

    Along each row of pixels, every crossing with the line changes from outside to inside or back.
    """
    x, y = np.concatenate((points, points[:1])).T
    heights = np.ceil(y - 0.5).astype(np.int64)
    first = np.minimum(heights[1:], heights[:-1])
    many = np.abs(np.diff(heights))
    piece = np.repeat(np.arange(len(many)), many)
    row = np.arange(len(piece)) - (np.cumsum(many) - many - first)[piece]
    across = x[piece] + (row + 0.5 - y[piece]) * np.diff(x)[piece] / np.diff(y)[piece]
    column = np.clip(np.ceil(across - 0.5).astype(np.int64), 0, shape[1])
    changes = np.zeros((shape[0], shape[1] + 1), np.uint8)  # of use is only whether they are odd: a byte is enough
    np.add.at(changes.ravel(), row * (shape[1] + 1) + column, np.uint8(1))
    odd = changes[:, :-1] & np.uint8(1)
    return np.asarray(np.bitwise_xor.accumulate(odd, axis=1, out=odd).view(bool))
