"""What eyes do to a picture (height x width x RGB, from 0 to 255): pure functions that keep its size."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from snellen.subjects.ground import ground
from snellen.tasks.acuity.draw.colour import light_of, value_of
from snellen.tasks.acuity.eyes.scaling import Averaging, Edges, Shown, averaging, even, resampled

Matrix = NDArray[np.float64]

WHITEST = 255


_SHARP = 0.125
"""Below this sigma a Gaussian, as it is taken at the middles of pixels up to four sigmas away, has but one of them."""


def blurred(pixels: Shown, sigma: float) -> Shown:
    """Through a Gaussian of `sigma` pixels. Beyond its edge a picture goes on as it ends there."""
    if sigma < _SHARP:
        return pixels
    once = gaussian_filter1d(pixels, sigma, axis=0, mode="nearest")
    return np.asarray(gaussian_filter1d(once, sigma, axis=1, mode="nearest"), np.float32)


# Contrast


def without_faint(pixels: Shown, least: float, below: Shown | None = None) -> Shown:
    """Without what differs from the ground by a contrast of less than `least`, which is the contrast that charts vary:
    what is darker counts by its share of the ground, what is lighter by its share of white. So it is Weber's contrast
    for dark letters on white, the same number for the two greys exchanged, and Michelson's for stripes on grey, whose
    dark halves go last. What differs by more in any channel stays as it is.

    `below` is the ground, if it is known; else what most of the edge shows."""
    if least == 0:
        return pixels
    below = ground(pixels) if below is None else below
    away = pixels - below
    contrast = np.where(away < 0, -away / np.maximum(below, 1), away / WHITEST)
    seen = contrast.max(axis=2, keepdims=True) >= least - _ROUNDING
    return np.where(seen, pixels, below)


_ROUNDING = 1e-6


# Colour

_TO_CONES: Matrix = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
"""From linear sRGB to the long, middle and short cones (Smith and Pokorny's, as Viénot et al. 1999 scale them)."""
_KEPT: Mapping[str, tuple[int, tuple[float, float, float]]] = {
    "protan": (0, (0, 0, 1)),
    "deutan": (1, (0, 0, 1)),
    "tritan": (2, (1, 0, 0)),
}
"""Which cone is missing, and which colour beside the greys is seen as it is."""
DEFICIENCIES = tuple(_KEPT)


def confusion(kind: str) -> Matrix:
    """The projection of linear sRGB along the colours that somebody without that kind of cone confuses: what the
    missing cone would say is made up from what the other two say, so that white and one more colour stay."""
    missing, colour = _KEPT[kind]
    others = [cone for cone in range(3) if cone != missing]
    known = np.array([_TO_CONES @ np.ones(3), _TO_CONES @ np.array(colour)])
    made_up = np.eye(3)
    made_up[missing] = 0
    made_up[missing, others] = np.linalg.solve(known[:, others], known[:, missing])
    return np.asarray(np.linalg.inv(_TO_CONES) @ made_up @ _TO_CONES)


def confused(pixels: Shown, kind: str, loss: float = 1) -> Shown:
    """As seen without that kind of cone; `loss`: how much of it is missing. Greys stay."""
    if loss == 0:
        return pixels
    mixing = (1 - loss) * np.eye(3) + loss * confusion(kind)
    light = light_of(pixels / np.float32(WHITEST)).astype(np.float32) @ mixing.T.astype(np.float32)
    return np.asarray(value_of(np.clip(light, 0, 1)) * WHITEST, np.float32)


# Patches


def in_patches(pixels: Shown, patch: int, cells: int, jitter: int) -> Shown:
    """As seen patch by patch: each is averaged in `cells` x `cells`, and what is in it is seen `jitter` pixels off its
    place: further down in even columns of patches and up in odd ones, to the right in even rows and to the left in odd
    ones. So what lies well within one patch is only moved, and what crosses a seam is torn: sight depends on the place
    within the grid. The last patch of a row or column may be cut off."""
    moved = _torn(pixels, patch, jitter) if jitter else pixels
    if cells == patch:
        return moved
    height, width = pixels.shape[:2]
    return resampled(moved, _there_and_back(height, patch, cells), _there_and_back(width, patch, cells))


def _torn(pixels: Shown, patch: int, jitter: int) -> Shown:
    height, width = pixels.shape[:2]
    row, column = np.arange(height)[:, None], np.arange(width)[None]
    down = jitter * (1 - 2 * (column // patch % 2))
    across = jitter * (1 - 2 * (row // patch % 2))
    torn: Shown = pixels[np.clip(row - down, 0, height - 1), np.clip(column - across, 0, width - 1)]
    return torn


def _there_and_back(length: int, patch: int, cells: int) -> Averaging:
    """From pixels to the cells of their patches, and to pixels again."""
    inner = _cells(length, patch, cells)
    both: Averaging = averaging(inner, even(length)) @ averaging(even(length), inner)
    return both


def _cells(length: int, patch: int, cells: int) -> Edges:
    """The edges of the cells of all patches along a side."""
    patches = -(-length // patch)
    edges = np.linspace(0, patches * patch, patches * cells + 1)
    return np.append(edges[edges < length], length)
