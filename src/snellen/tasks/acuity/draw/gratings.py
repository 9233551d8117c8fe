"""Gabor patches: stripes that fade out to all sides, for contrast at one fineness.

Frequency is in cycles per pixel, contrast is Michelson's: (brightest - darkest) / (brightest + darkest), of pixel
values. Stripes round to whole greys, so less than one grey level about the mean cannot be drawn and is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi

import numpy as np

from snellen.draw.sheet import USUAL, ChartPage, IndexedPixels, grey
from snellen.errors import unknown

MEAN = 128
LEAST = 1 / MEAN
MOST = 127 / MEAN
ORIENTATIONS: Mapping[str, tuple[float, float]] = {
    "upright": (1.0, 0.0),
    "leaning right": (0.5**0.5, 0.5**0.5),
    "level": (0.0, 1.0),
    "leaning left": (0.5**0.5, -(0.5**0.5)),
}
"""How the stripes run, with the direction across them (x to the right, y down)."""
_NUDGE = 2.0**-13
"""No grey lies just between two levels, where machines could round it differently."""


@dataclass(frozen=True, slots=True)
class Gabor:
    """A patch in the middle of a page. `spread` is the fading's standard deviation in px, `phase` in turns."""

    orientation: str
    frequency: float
    contrast: float
    spread: float = 48.0
    phase: float = 0.0
    page: ChartPage = USUAL

    def __post_init__(self) -> None:
        if self.orientation not in ORIENTATIONS:
            raise unknown("orientation", self.orientation, ORIENTATIONS)
        if not 0 < self.frequency <= 0.5:
            raise ValueError(f"stripes have up to 0.5 cycles a pixel, not {self.frequency:g}")
        if not LEAST <= self.contrast <= MOST:
            raise ValueError(f"contrast goes from {LEAST:.4f} (one grey level) to {MOST:.4f}, not {self.contrast:g}")
        if not 0 < self.spread * 6 <= min(self.page.width, self.page.height):
            raise ValueError(f"a patch of spread {self.spread:g} px leaves the page of {self.page}")


def painted(patch: Gabor) -> IndexedPixels:
    """The middle of the patch is the middle of a pixel, so that a phase of 0 has its full contrast there."""
    reach = int(3 * patch.spread)
    away = np.arange(-reach, reach + 1, dtype=np.float64)
    fading = np.exp(-(away * away) / (2 * patch.spread**2))
    right, down = ORIENTATIONS[patch.orientation]
    waves = np.cos(2 * pi * (patch.frequency * (away[None, :] * right + away[:, None] * down) + patch.phase))
    greys = MEAN + MEAN * patch.contrast * waves * fading[:, None] * fading[None, :]
    page = np.full((patch.page.height, patch.page.width), MEAN, np.uint8)
    top, left = patch.page.height // 2 - reach, patch.page.width // 2 - reach
    side = 2 * reach + 1
    page[top : top + side, left : left + side] = np.floor(greys + 0.5 + _NUDGE)
    return grey(page)


def words(patch: Gabor) -> str:
    return (
        f"A grey page of {patch.page} with a patch of fading stripes in the middle. The stripes are"
        f" {patch.orientation}, one every {1 / patch.frequency:.4g} px, contrast {patch.contrast:.4g}."
    )
