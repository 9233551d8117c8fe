"""Whether pieces fit, pixel by pixel: by outline, and by what is painted along the seam."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw.canvas import Pixels
from snellen.tasks.capacity.draw.jigsaws import Mask, Outline, mask

Ints = NDArray[np.int64]

APART = 30
"""Outlines that differ by at least so many thousandths of a square are told apart."""
PLAIN_STEP, SMOOTH_STEP = 30, 14
"""From here on a side's colours plainly do not go on beyond the seam; up to here they do."""
_SHIFTS = (-3, 0, 3)
_WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Down and right to what lies beyond the top, right, bottom and left edge of a pixel."""


def difference(first: Mask, second: Mask) -> int:
    """By how many pixels two masks differ at least, if one may be nudged a little."""
    return min(
        int(np.count_nonzero(first ^ np.roll(second, (down, right), (0, 1)))) for down in _SHIFTS for right in _SHIFTS
    )


def apart(first: Outline, second: Outline, cell: int) -> bool:
    """Whether two outlines are plainly different."""
    return difference(mask(first, cell), mask(second, cell)) * 1000 >= APART * cell * cell


def lopsided(outline: Outline, cell: int) -> bool:
    """Whether a piece is plainly different from itself turned or mirrored."""
    own = mask(outline, cell)
    turned = [np.rot90(flat, times) for flat in (own, own[:, ::-1]) for times in range(4)]
    return all(np.count_nonzero(own ^ other) * 1000 >= APART * cell * cell for other in turned[1:])


@dataclass(frozen=True, slots=True)
class Seams:
    """What is painted on both sides of a piece's edge: pairs of neighbouring pixels, and the side each pair is on."""

    inner: Ints
    outer: Ints
    side: Ints

    @property
    def steps(self) -> Ints:
        """How far the colours of each pair are apart, as a mean over the channels."""
        steps: Ints = np.abs(self.inner - self.outer).sum(axis=1) // 3
        return steps

    def mean(self, side: int, outer: bool) -> list[int] | None:
        """The mean colour along a side, within the piece or beyond its edge; None where the picture ends."""
        there = (self.outer if outer else self.inner)[self.side == side]
        return [int(value) for value in there.sum(axis=0) // len(there)] if len(there) else None


def seams(outline: Outline, pixels: Pixels, around: Pixels, cell: int) -> Seams:
    """The seams of a piece with these pixels if it lies in a window that shows `around`. Straight sides have none."""
    covered = mask(outline, cell)
    side_of = _quarters(len(covered))
    straight = [number for number, side in enumerate(outline) if side.kind == "straight"]
    inner, outer, sides = [], [], []
    for down, right in _WAYS:
        beyond = np.roll(covered, (-down, -right), (0, 1))
        rows, columns = np.nonzero(covered & ~beyond)
        quarter = side_of[rows, columns]
        keep = ~np.isin(quarter, straight)
        rows, columns = rows[keep], columns[keep]
        inner.append(pixels[rows, columns])
        outer.append(around[rows + down, columns + right])
        sides.append(quarter[keep])
    joined = (np.concatenate(part).astype(np.int64) for part in (inner, outer, sides))
    return Seams(*joined)


@cache
def _quarters(side: int) -> Ints:
    """For each pixel of a square window which side it is nearest to: top, right, bottom or left."""
    offset = 2 * np.arange(side) - side + 1
    down, right = offset[:, None], offset[None, :]
    level = np.where(right > 0, 1, 3)
    quarters: Ints = np.where(np.abs(right) > np.abs(down), level, np.where(down > 0, 2, 0))
    return quarters


def unlike(first: Pixels, second: Pixels, shared: Mask) -> int:
    """How far two pieces' pixels are apart on average, where both have some."""
    steps = np.abs(first[shared].astype(np.int64) - second[shared].astype(np.int64))
    return int(steps.sum()) // (3 * len(steps))
