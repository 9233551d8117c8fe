"""Looking at a plate: of the ten digits, the one whose dots differ most from the others in hue."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw import letters
from snellen.tasks.acuity.draw.colour import lab
from snellen.tasks.acuity.draw.dotted import DIGITS
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels
from snellen.tasks.acuity.eyes.masks import Mask

_CELLS = 36
"""Cells along a plate's side: about a dot each."""
_HIGH = 0.64
"""The digit's square, as a share of the page's shorter side."""
_DESIGN = 256
_CHROMA = 0.35
"""About how far, in CIELAB, a colour of a plate moves by one grey level in one channel."""
_SEEN = 4.0
"""So many sds of noise a digit must stand out for anything to be seen: hardly ever reached where there is none."""

Floats = NDArray[np.float64]


def digit(pixels: Pixels, gaze: Gaze) -> str | None:
    """Each cell's hue is seen with noise; the digit that is nearest then is the answer, if it is anything at all."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    hues, there = _hues(seen)
    if not there.any():
        return None
    sd = gaze.mind.noise * _CHROMA
    noisy = hues + sd * gaze.source("noise").standard_normal(hues.shape)
    shapes = [_laid(name)[there] for name in DIGITS]
    shapes = [shape - shape.mean() for shape in shapes]
    if max(_stands_out(noisy[there], shape) for shape in shapes) < _SEEN * sd:
        return None
    fitted = [shape[:, None] * (shape @ hues[there] / max(float(shape @ shape), 1e-9))[None, :] for shape in shapes]
    mean = hues[there].mean(axis=0)
    far = [float(np.square(noisy[there] - mean - fit).sum()) for fit in fitted]
    return DIGITS[int(np.argmin(far))]


def _stands_out(hues: Floats, shape: Floats) -> float:
    return float(np.linalg.norm(shape @ hues) / max(float(np.linalg.norm(shape)), 1e-9))


def _hues(seen: Glimpse) -> tuple[Floats, NDArray[np.bool_]]:
    """The hue (CIELAB's a and b) of the ink in each cell of the page's middle square, and where there is ink."""
    side = min(seen.size)
    ink = (seen.below - seen.seen).mean(axis=2).clip(0).astype(np.float64)
    down, across = (
        np.clip((np.arange(span.start, span.stop) + 0.5 - (whole - side) / 2) * _CELLS / side, 0, _CELLS - 1).astype(
            int
        )
        for span, whole in ((seen.down, seen.size[1]), (seen.across, seen.size[0]))
    )
    cell = (down[:, None] * _CELLS + across[None, :]).ravel()
    amount = np.bincount(cell, ink.ravel(), _CELLS**2)
    sums = [np.bincount(cell, (ink * seen.seen[:, :, channel]).ravel(), _CELLS**2) for channel in range(3)]
    colours = np.stack(sums, axis=1) / np.maximum(amount, 1e-9)[:, None]
    return lab(colours)[:, 1:], amount > amount.max() / 10


def _laid(name: str) -> Floats:
    """How much of each cell the digit covers."""
    return _shape(name).laid(_CELLS / 2, _CELLS / 2, _HIGH * _CELLS, (_CELLS, _CELLS)).ravel()


@lru_cache(maxsize=16)
def _shape(name: str) -> Mask:
    """The digit in its square, as plates have it."""
    size = letters.fitted(name, 3 * _DESIGN // 2, _DESIGN)
    return Mask(name, letters.coverage(name, size, 1, _DESIGN) / 255)
