"""Where the ink is: what a recogniser is shown of a picture, so that it need not search for letters first."""

import numpy as np
from numpy.typing import NDArray

from snellen.subjects.ground import ground

Pixels = NDArray[np.uint8]


def cropped(pixels: Pixels, margin: float) -> Pixels | None:
    """The ink, which is all that differs from the ground by however little, with ground around it, `margin` times the
    ink's height and at least one pixel, also beyond the picture's edge. None if there is no ink."""
    below = ground(pixels)
    inked = (pixels != below).any(axis=2)
    if not inked.any():
        return None
    rows, columns = (np.flatnonzero(inked.any(axis=axis)) for axis in (1, 0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    around = max(1, round(margin * float(bottom - top)))
    line = np.empty((bottom - top + 2 * around, right - left + 2 * around, 3), np.uint8)
    line[:] = below
    line[around:-around, around:-around] = pixels[top:bottom, left:right]
    return line
