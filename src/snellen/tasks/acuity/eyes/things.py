"""Looking at bars and dots: which pair is out of line, how many there are."""

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from snellen.tasks.acuity.draw.vernier import CORNERS
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels

_EDGE = 0.5
_WEBER = 0.15
"""How far off estimates are beyond what is counted, as a share of the number."""

Grey = NDArray[np.float64]


def out_of_line(pixels: Pixels, gaze: Gaze) -> str | None:
    """The pair whose bars' middles are furthest apart, each found by its ink under noise."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    grey = np.abs(seen.grey.astype(np.float64))
    noise = gaze.mind.noise * gaze.source("noise").standard_normal(grey.shape)
    off = [_off(grey[quarter], noise[quarter], gaze.eyes.blur) for quarter in _quarters(seen)]
    return CORNERS[int(np.argmax(off))]


def _quarters(seen: Glimpse) -> list[tuple[slice, slice]]:
    """The quarters of the page in the window, in the order of `CORNERS`."""
    down, across = (
        np.clip(round(side / 2) - window.start, 0, window.stop - window.start)
        for side, window in ((seen.size[1], seen.down), (seen.size[0], seen.across))
    )
    return list(product((slice(0, down), slice(down, None)), (slice(0, across), slice(across, None))))


def _off(grey: Grey, noise: Grey, blur: float) -> float:
    """How far the lower bar's middle is from the upper one's; 0 where there are no bars."""
    if not grey.size or grey.max() <= 0:
        return 0.0
    rows, columns = (np.flatnonzero((grey >= _EDGE * grey.max()).any(axis=axis)) for axis in (1, 0))
    reach = round(2 * blur) + 1
    left, right = max(0, int(columns[0]) - reach), int(columns[-1]) + 1 + reach
    half = (int(rows[0]) + int(rows[-1]) + 1) // 2
    halves = slice(max(0, int(rows[0]) - reach), half), slice(half, int(rows[-1]) + 1 + reach)
    above, below = (_middle(grey[rows, left:right], noise[rows, left:right]) for rows in halves)
    return abs(below - above)


def _middle(grey: Grey, noise: Grey) -> float:
    """The middle of the ink across, under noise; far from it noise would count for more than it is worth."""
    at = np.arange(grey.shape[1]) + 0.5
    total = grey.sum()
    true = (grey * at).sum() / total
    return float(true + (noise * (at - true)).sum() / total)


def number(pixels: Pixels, gaze: Gaze) -> str | None:
    """How many separate things there are: exactly, as far as it can count, and beyond that by estimate."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    grey = np.abs(seen.grey)
    there = int(label(grey >= _EDGE * grey.max())[1])
    most = gaze.mind.count
    if most is None or there <= (most + 0.5) / gaze.wobble("count"):
        return str(there)
    source = gaze.source("estimate")
    off = max(1, round(abs(_WEBER * there * source.standard_normal())))
    return str(there - off if source.random() < 0.5 and off < there else there + off)
