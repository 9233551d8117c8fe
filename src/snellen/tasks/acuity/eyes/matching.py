"""The nearest of the shapes that may be there: each is laid where it would fit best and sent through the same optics.

Place, size and contrast are not known, so each shape gets the ones that suit it: first those that give it the same
amount, middle and spread of ink, then (for those that come near) those that leave the least difference. What is left
is compared under noise: it is as if every pixel had been seen with an error, and the shape that is nearest then is the
answer. Shapes that differ by less than the noise are confused, those that differ by more are not: that makes a
psychometric function with a threshold and a slope.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.acuity.eyes.glimpse import Glimpse
from snellen.tasks.acuity.eyes.masks import Mask
from snellen.tasks.acuity.eyes.optics import WHITEST
from snellen.tasks.acuity.eyes.sight import through

Grey = NDArray[np.float32]

_ROUNDS = 2
_REFINED = 6
"""How many of the shapes are fitted closely: the others are too far off to matter."""
_CLEARLY, _BEYOND = 4, 20
"""How much worse than the best another shape must be for no noise to make a difference: it fits so many times worse,
and differs by so many times the noise."""
_ENOUGH = 48
"""Pixels along a window's side that are enough to tell shapes apart."""
_NUDGE = 0.05
_SMALLEST = 0.2
"""In pixels as they arrive; nothing smaller is thought of."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A shape where it fits best, in pixels of the window: its box's middle and height, its contrast in grey levels
    (below 0: darker than the ground), and what it looks like there."""

    mask: Mask
    x: float
    y: float
    height: float
    ink: float
    look: Grey
    rest: float
    """The sum of the squared differences from what is seen."""


def nearest(seen: Glimpse, masks: Sequence[Mask], noise: float, source: np.random.Generator) -> Fit:
    """The shape that is nearest to what is seen under noise (its sd, in grey levels)."""
    by = _coarseness(seen)
    seen, noise = _coarser(seen, by), noise / by  # the mean of so many pixels has so much less noise
    grey = seen.grey
    noisy = grey + noise * source.standard_normal(grey.shape, np.float32)
    return min(fits(seen, masks, noise), key=lambda fit: float(np.square(noisy - fit.look).sum()))


def _coarseness(seen: Glimpse) -> int:
    """Large shapes need not be looked at pixel by pixel; seen in patches they must be."""
    return 1 if seen.sight.patch else max(1, min(seen.seen.shape[:2]) // _ENOUGH)


def _coarser(seen: Glimpse, by: int) -> Glimpse:
    """The same with the mean of `by` x `by` pixels for each; what is left over at the edges is ground."""
    if by == 1:
        return seen
    height, width = (side // by for side in seen.seen.shape[:2])
    blocks = seen.seen[: height * by, : width * by].reshape(height, by, width, by, -1)
    return replace(seen, seen=blocks.mean(axis=(1, 3)), sight=replace(seen.sight, blur=seen.sight.blur / by))


def fits(seen: Glimpse, masks: Sequence[Mask], noise: float = 0) -> list[Fit]:
    """Every shape as well as it fits, or at least as well as it matters under that noise."""
    first = sorted((_roughly(seen, mask) for mask in masks), key=lambda fit: fit.rest)
    others = [fit.rest for fit in first if fit.mask.name != first[0].mask.name]
    if noise and others and others[0] > max(_CLEARLY * first[0].rest, (_BEYOND * noise) ** 2):
        return first
    return [_closely(seen, fit) for fit in first[:_REFINED]] + first[_REFINED:]


def _roughly(seen: Glimpse, mask: Mask) -> Fit:
    """By moments: blur and pixels add to the spread what they always add."""
    away = np.abs(seen.grey.astype(np.float64))
    total = away.sum()
    y, x = (((np.arange(away.shape[axis]) + 0.5) * away.sum(axis=1 - axis)).sum() / total for axis in (0, 1))
    spread = sum(
        (np.square(np.arange(away.shape[axis]) + 0.5 - middle) * away.sum(axis=1 - axis)).sum() / total
        for axis, middle in ((0, y), (1, x))
    )
    own = 2 * (seen.sight.blur**2 + 1 / 12)
    height = max(_SMALLEST, np.sqrt(max(spread - own, 0) / mask.spread))
    right, down = mask.middle
    return _fitted(seen, mask, float(x - right * height), float(y - down * height), float(height))


def _closely(seen: Glimpse, fit: Fit) -> Fit:
    """By least squares, from where it is."""
    for _ in range(_ROUNDS):
        step = max(_NUDGE * fit.height, 0.02)
        moved = (
            _look(seen, fit.mask, fit.x + step, fit.y, fit.height, fit.ink),
            _look(seen, fit.mask, fit.x, fit.y + step, fit.height, fit.ink),
            _look(seen, fit.mask, fit.x, fit.y, fit.height + step, fit.ink),
        )
        slopes = np.stack([((one - fit.look) / step).ravel() for one in moved], axis=1).astype(np.float64)
        # ink and height are all but the same for the tiniest shapes: the ridge keeps such a step small
        slopes = np.concatenate((slopes, fit.look.ravel()[:, None] / max(abs(fit.ink), 1)), axis=1)
        left = (seen.grey - fit.look).ravel().astype(np.float64)
        square = slopes.T @ slopes
        square += 1e-3 * np.diag(np.diag(square)) + 1e-9 * np.eye(4)
        right, down, taller, _ = np.linalg.solve(square, slopes.T @ left)
        most = fit.height / 3
        x, y, height = (
            old + float(np.clip(by, -most, most)) for old, by in ((fit.x, right), (fit.y, down), (fit.height, taller))
        )
        better = _fitted(seen, fit.mask, x, y, max(_SMALLEST, height))
        if better.rest >= fit.rest:
            break
        fit = better
    return fit


def _fitted(seen: Glimpse, mask: Mask, x: float, y: float, height: float) -> Fit:
    """With the ink that suits the shape there, as far as there is such ink."""
    grey = seen.grey
    ground = float(seen.below.mean())
    clear = replace(seen, sight=replace(seen.sight, contrast=0)) if seen.sight.contrast else seen
    full = _look(clear, mask, x, y, height, 1)
    there = full * (grey != 0) if seen.sight.contrast else full  # what was too faint says nothing of the ink
    share = float(np.vdot(there, grey)) / max(float(np.vdot(there, there)), 1e-12)
    ink = float(np.clip(share, -ground, WHITEST - ground))
    look = _look(seen, mask, x, y, height, ink) if seen.sight.contrast else ink * full
    return Fit(mask, x, y, height, ink, look, float(np.square(grey - look).sum()))


def _look(seen: Glimpse, mask: Mask, x: float, y: float, height: float, ink: float) -> Grey:
    """What a shape there would look like through the same optics, as a difference from the ground. But nobody expects
    letters to be torn: what lies within a patch is known again, what crosses a seam is not."""
    covered = mask.laid(x, y, height, (seen.seen.shape[0], seen.seen.shape[1]))
    below = np.array([seen.below.mean()], np.float32)
    shown = (below + ink * covered[:, :, None]).astype(np.float32)
    return through(shown, replace(seen.sight, jitter=0), below)[:, :, 0] - below
