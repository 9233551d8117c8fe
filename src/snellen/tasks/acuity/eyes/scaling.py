"""Fewer pixels: the caps that servers put on a picture, and area averaging, which gives every new pixel the mean of
exactly what it covers. Values are averaged as they stand in the file, as servers do, not as light."""

from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Shown = NDArray[np.float32]
"""A picture on its way to the brain: height x width x RGB, from 0 to 255."""
Edges = NDArray[np.float64]
"""Where cells along one side of a picture begin and end, in pixels: one more than there are cells."""

Averaging: TypeAlias = "csr_array"
"""A matrix from the cells along a side to others: each of its rows adds up to one."""

TILE = 512
FITTED = 2048
"""Who caps the shorter side first brings the longer one down to this."""
Size = tuple[int, int]
"""Width and height."""


def long_edge(size: Size, cap: int) -> Size:
    """No side longer than `cap`."""
    longest = max(size)
    return size if longest <= cap else _scaled(size, cap, longest)


def short_edge(size: Size, cap: int) -> Size:
    """The shorter side no longer than `cap`, after the whole was fitted into a square of 2048 pixels."""
    fitted = long_edge(size, FITTED)
    shortest = min(fitted)
    return fitted if shortest <= cap else _scaled(fitted, cap, shortest)


def area(size: Size, cap: int) -> Size:
    """At most `cap` pixels in all."""
    width, height = size
    if width * height <= cap:
        return size
    # width * sqrt(cap / (width * height)), without rounding on the way
    across, down = isqrt(cap * width // height), isqrt(cap * height // width)
    # A strip cannot get thinner than a pixel, so it gets shorter.
    return (across, down) if across and down else (min(width, cap), 1) if across else (1, min(height, cap))


def tiles(size: Size, cap: int) -> Size:
    """No more than `cap` tiles of 512 pixels a side: the largest size that they cover."""
    if _count(size) <= cap:
        return size
    return max((_within(size, across, cap // across) for across in range(1, cap + 1)), key=lambda fit: fit[0] * fit[1])


def _count(size: Size) -> int:
    width, height = size
    return -(-width // TILE) * -(-height // TILE)


def _within(size: Size, across: int, down: int) -> Size:
    """The size that fits in so many tiles across and down."""
    width, height = size
    over_width, over_height = across * TILE * height, down * TILE * width
    if over_width >= width * height and over_height >= width * height:
        return size
    return _scaled(size, across * TILE, width) if over_width <= over_height else _scaled(size, down * TILE, height)


def _scaled(size: Size, part: int, whole: int) -> Size:
    width, height = size
    return max(1, width * part // whole), max(1, height * part // whole)


def shrunk(pixels: Shown, size: Size) -> Shown:
    """The picture in that size by area averaging."""
    height, width = pixels.shape[:2]
    if (width, height) == size:
        return pixels
    return resampled(
        pixels, averaging(even(height), even(height, size[1])), averaging(even(width), even(width, size[0]))
    )


def even(length: int, cells: int | None = None) -> Edges:
    """The edges of so many equal cells along a side; of its pixels if no number is given."""
    return np.linspace(0, length, (cells or length) + 1)


def averaging(source: Edges, target: Edges) -> Averaging:
    """The matrix that gives every cell of `target` the mean of the cells of `source` that it covers, each by its share.
    Both begin and end alike."""
    edges = np.union1d(source, target)
    pieces, middles = np.diff(edges), (edges[1:] + edges[:-1]) / 2
    rows, columns = np.searchsorted(target, middles) - 1, np.searchsorted(source, middles) - 1
    shares = pieces / np.diff(target)[rows]
    matrix = scipy.sparse.csr_array((shares, (rows, columns)), shape=(len(target) - 1, len(source) - 1))
    return scipy.sparse.csr_array(matrix.astype(np.float32))


def resampled(pixels: Shown, down: Averaging, across: Averaging) -> Shown:
    """A picture whose columns went through one matrix and whose rows through another."""
    height, width, channels = pixels.shape
    tall = (down @ pixels.reshape(height, -1)).reshape(-1, width, channels)
    turned = np.ascontiguousarray(tall.transpose(1, 0, 2)).reshape(width, -1)
    wide = (across @ turned).reshape(-1, tall.shape[0], channels)
    return np.ascontiguousarray(wide.transpose(1, 0, 2), np.float32)
