"""Looking at letters and rings: the nearest of those that there are."""

from collections.abc import Sequence

import numpy as np

from snellen.tasks.acuity.draw.crowding import SIDES
from snellen.tasks.acuity.draw.optotypes import DIRECTIONS, LETTERS
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels
from snellen.tasks.acuity.eyes.masks import Mask, optotype, printed
from snellen.tasks.acuity.eyes.matching import nearest

_EDGE = 0.5
"""The share of the strongest ink at which a blurred edge is taken to be."""
_STRAY = 0.995
"""So much of the ink must lie inside of the letters: corners may be off by a pixel."""


def letter(pixels: Pixels, gaze: Gaze) -> str | None:
    """A letter of either font."""
    seen = gaze.at(pixels)
    return None if seen is None else _nearest(seen, _letters(), gaze)


def ring(pixels: Pixels, gaze: Gaze) -> str | None:
    """Where the gap of a Landolt C points."""
    seen = gaze.at(pixels)
    return None if seen is None else _nearest(seen, [optotype(name) for name in DIRECTIONS], gaze)


def middle(pixels: Pixels, gaze: Gaze) -> str | None:
    """The letter in the middle of five; where they stand nearer than is needed, any of them."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    x, y, size, apart = _cross(seen)
    if apart < gaze.mind.crowd * gaze.wobble("crowd") * size:
        right, down = [(0, 0), *SIDES.values()][gaze.source("which").integers(1 + len(SIDES))]
        x, y = x + right * apart, y + down * apart
    return _nearest(seen.alone(x, y, min(apart / 2, size)), _letters(), gaze)


def _letters() -> list[Mask]:
    return [shape(name) for shape in (optotype, printed) for name in LETTERS]


def _nearest(seen: Glimpse, masks: Sequence[Mask], gaze: Gaze) -> str:
    return nearest(seen, masks, gaze.mind.noise, gaze.source("noise")).mask.name


def _cross(seen: Glimpse) -> tuple[float, float, float, float]:
    """Where the middle of five letters is, how large each is and how far from the next, in pixels of the window.

    Ink at u along an arm and v beside it is in a letter of size s if 2v <= s, and if either 2u <= s (the middle one) or
    u is no further than s from the arm's end. The smallest size that holds for all ink is theirs.
    """
    grey = np.abs(seen.grey)
    rows, columns = np.nonzero(grey >= _EDGE * grey.max())
    x, y = ((int(at.min()) + int(at.max()) + 1) / 2 for at in (columns, rows))
    half = max(int(np.ptp(at)) + 1 for at in (columns, rows)) / 2
    away = np.sort(np.abs([columns + 0.5 - x, rows + 0.5 - y]), axis=0) + 0.5  # as far as the pixel reaches
    beside, along = away
    least = np.maximum(2 * beside, np.minimum(2 * along, half - along + 1))
    size = float(np.quantile(least, _STRAY))
    return x, y, size, half - size / 2
