"""Reads dice of puzzles, flat, in nets and as bodies: the faces of each panel and where their pips are."""

import numpy as np
from scipy.ndimage import binary_fill_holes, center_of_mass, label

from support.pixels.looking import Mask, Pixels

Spot = tuple[float, float]
"""Right and down from a panel's corner, in its own measure of 180 by 180."""
Face = tuple[Spot, list[Spot]]
"""The middle of a face and its pips."""

_PANEL = 180
_LEAST = 250
"""So many white pixels a face has, of a panel drawn in its own measure."""


def read_dice(page: Pixels, left: int, top: int, side: int) -> list[Face]:
    """The faces in a panel that begins here and is so wide, by their places."""
    panel = page[top : top + side, left : left + side].min(axis=2) > 127
    scale = side / _PANEL
    white, many = label(panel)
    sizes = np.bincount(white.ravel(), minlength=many + 1)
    outside = sizes[1:].argmax() + 1  # the paper round the dice
    faces = [number for number in range(1, many + 1) if number != outside and sizes[number] > _LEAST * scale * scale]
    return sorted(_face(white == number, scale) for number in faces)


def _face(bare: Mask, scale: float) -> Face:
    whole = binary_fill_holes(bare)
    pips, many = label(whole & ~bare)
    return _at(whole, scale), sorted(_at(pips == number, scale) for number in range(1, many + 1))


def _at(mask: Mask, scale: float) -> Spot:
    down, right = center_of_mass(mask)
    return round((right + 0.5) / scale, 1), round((down + 0.5) / scale, 1)
