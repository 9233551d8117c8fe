"""Stamps: what a figure or a line covers, worked out once and then pasted wherever it stands.

The same few figures and strokes come back in all panels of a puzzle, at other places. A stamp has the ink and, of a
figure that hides what is below, the paper or grey inside it, in a window that is placed by the figure's own origin.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.draw.pens import Mask, Pixels, Points, curve, inside, trace
from snellen.tasks.marvel.draw.figures import outline

_FINE, _FINE_WIDTH, _WIDTH = 12, 3, 4
"""Figures up to this size get a finer outline."""
_STRIPE, _EVERY = 3, 8


@dataclass(frozen=True, slots=True)
class Stamp:
    """Masks of the ink and of what is covered without ink (None: nothing), and their corner as seen from the origin."""

    ink: Mask
    cover: Mask | None
    left: int
    top: int


@lru_cache(maxsize=4096)
def figure_stamp(shape: str, size: int, turn: int, fill: str, scale: int = 2) -> Stamp:
    """A figure around its middle. The outline lies within the size, so that `size` is what one sees.

    `scale` is in halves: 3 draws it half as large again.
    """
    width = (_FINE_WIDTH if size <= _FINE else _WIDTH) * scale // 2
    line = outline(shape, max(size * scale / 2 - width / 2, 0.5), turn)
    return _stamp(line, True, fill, width)


@lru_cache(maxsize=2048)
def path_stamp(points: tuple[tuple[int, int], ...], closed: bool, curved: bool, fill: str, scale: int = 2) -> Stamp:
    """A line through points."""
    line = path_line(points, closed, curved) * (scale / 2)
    return _stamp(line, closed, fill, _WIDTH * scale // 2)


def path_line(points: Sequence[Sequence[int]], closed: bool, curved: bool) -> Points:
    """The line through points as straight pieces, without the one that closes it."""
    if not curved or len(points) < 3:
        return np.array(points, np.float64)
    x, y = points[0]
    return _curve(tuple((across - x, down - y) for across, down in points), closed) + np.array((x, y), np.float64)


@lru_cache(maxsize=2048)
def _curve(points: tuple[tuple[int, int], ...], closed: bool) -> Points:
    return curve(np.array(points, np.float64), closed)


def _stamp(line: Points, closed: bool, fill: str, width: int) -> Stamp:
    low = np.floor(line.min(axis=0)).astype(np.int64) - width
    high = np.ceil(line.max(axis=0)).astype(np.int64) + width
    window = (int(high[1] - low[1]), int(high[0] - low[0]))
    local = line - low
    ink = trace(window, np.concatenate((local, local[:1])) if closed else local, width)
    left, top = int(low[0]), int(low[1])
    if fill == "none":
        return Stamp(ink, None, left, top)
    body = inside(window, local)
    if fill == "black":
        return Stamp(ink | body, None, left, top)
    return Stamp(ink | (body & stripes(window)) if fill == "striped" else ink, body, left, top)


def stripes(shape: tuple[int, int]) -> Mask:
    """Slanting lines all over a window."""
    return np.asarray((np.arange(shape[0])[:, None] + np.arange(shape[1])) % _EVERY < _STRIPE)


def paste(page: Pixels, mask: Mask, left: int, top: int, value: int) -> None:
    """Paint the pixels of a mask whose corner lies at (left, top), in place; what leaves the page is cut off."""
    height, width = mask.shape
    if left < 0 or top < 0:
        mask = mask[max(0, -top) :, max(0, -left) :]
    window = page[max(0, top) : max(0, top + height), max(0, left) : max(0, left + width)]
    np.copyto(window, np.uint8(value), where=mask[: window.shape[0], : window.shape[1]])
