"""Noise that depends on the place alone: what grass, sand and fur are made of.

All arithmetic is elementwise, in the four basic operations, hence the same on every machine.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_SIDE = 256


def _table() -> Floats:
    """Numbers from 0 to 1 without order."""
    a, b = np.divmod(np.arange(_SIDE * _SIDE, dtype=np.int64), _SIDE)
    mixed = (a * 374761393 + b * 668265263) & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0x7FFFFFFF
    return np.asarray(((mixed ^ (mixed >> 16)) & 0xFF) / 255.0)


_NOISE = _table()


def smooth_noise(u: Floats, v: Floats) -> Floats:
    """A number from 0 to 1 that flows from one cell (a unit square) to the next; u and v are broadcast."""
    low_u, low_v = np.floor(u), np.floor(v)
    x, y = u - low_u, v - low_v
    x, y = x * x * (3.0 - 2.0 * x), y * y * (3.0 - 2.0 * y)
    a, b = low_u.astype(np.int64) & (_SIDE - 1), low_v.astype(np.int64) & (_SIDE - 1)
    here, beside = a * _SIDE, ((a + 1) & (_SIDE - 1)) * _SIDE
    above = (b + 1) & (_SIDE - 1)
    lower = _NOISE[here + b] + x * (_NOISE[beside + b] - _NOISE[here + b])
    upper = _NOISE[here + above] + x * (_NOISE[beside + above] - _NOISE[here + above])
    return np.asarray(lower + y * (upper - lower))


def blurred(values: Floats, reach: int) -> Floats:
    """Means over squares of 2 * reach + 1, twice over, along the first two axes; the edge goes on as it is.

    The values are whole numbers or become so: sums of whole numbers are the same in every order.
    """
    if reach < 1:
        return values
    side, whole = 2 * reach + 1, np.rint(values * 64).astype(np.int64)
    for axis in (0, 1, 0, 1):
        ends = [(0, 0)] * whole.ndim
        ends[axis] = (reach + 1, reach)
        sums = np.cumsum(np.pad(whole, ends, "edge"), axis=axis)
        whole = (sums[side:] - sums[:-side] if axis == 0 else sums[:, side:] - sums[:, :-side]) // side
    return np.asarray(whole / 64.0)
