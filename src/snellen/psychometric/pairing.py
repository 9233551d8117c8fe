"""Two observers on the same pictures: how far their thresholds go together.

Some pictures of a level are harder than others, for everybody. Who is compared on the same pictures shares that luck,
and the difference of their thresholds is known better than that of two who saw different ones. How much better is in
the answers: each answer pulls its observer's threshold up or down (its influence: by how much the estimate would move),
and where both are pulled the same way by the same picture, that part of the doubt cancels.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from snellen.psychometric.function import Psychometric, share_right
from snellen.psychometric.marginal import Floats, Marginal
from snellen.psychometric.posterior import Posterior

FEW = 8
"""Fewer pictures that both saw say nothing of how far they go together."""
_STEP = 1e-4
_LEAST = 1e-3
_PRIOR = np.diag([1 / 1.0**2, 1 / 0.6**2, 1 / 0.12**2])
"""What is known of threshold, log slope and lapse before any answer: as wide as the grid's own prior."""

Shared = Sequence[tuple[float, bool, bool]]
"""Pictures that both answered: log10 intensity, whether the first was right, whether the second was."""


def correlation(first: Posterior, second: Posterior, shared: Shared) -> float:
    """The correlation of two thresholds from the pictures that both answered, from -1 to 1; 0 where they are few.

    It is estimated, so it is taken at the cautious end of its own error, where the difference is in more doubt: a
    positive one nearer to 0, a negative one farther from it.
    """
    if len(shared) < FEW:
        return 0.0
    xs = np.array([x for x, _, _ in shared])
    pulls = [
        _pulls(found, xs, np.array([each[k] for each in shared], np.float64)) for k, found in ((1, first), (2, second))
    ]
    products = pulls[0] * pulls[1]
    whole = sqrt(_variance(first) * _variance(second))
    found = float(products.sum()) / whole
    doubt = sqrt(float(np.square(products - products.mean()).sum())) / whole
    cautious = found - doubt if found < 0 else max(0.0, found - doubt)
    return float(np.clip(cautious, -0.95, 0.95))


def paired_difference(first: Posterior, second: Posterior, correlation: float) -> Marginal:
    """The second threshold less the first (log10), of answers that go together so far: the difference of independent
    ones, drawn in towards its middle."""
    apart = second.threshold - first.threshold
    one, two = first.threshold.sd, second.threshold.sd
    whole = one**2 + two**2
    factor = sqrt(max(0.05, 1 - 2 * correlation * one * two / whole)) if whole else 1.0
    middle = apart.median
    return Marginal(middle + factor * (apart.values - middle), apart.masses)


def _slopes(eye: Psychometric, xs: Floats) -> tuple[Floats, Floats]:
    """How often right at these intensities, and how that changes with threshold, log slope and lapse."""
    here = eye.threshold, eye.slope, eye.lapse

    def at(threshold: float, slope: float, lapse: float) -> Floats:
        found = share_right(xs, threshold, slope, lapse, chance=eye.chance, falling=eye.falling)
        return np.asarray(found, np.float64)

    changes = [
        (at(here[0] + _STEP, *here[1:]) - at(here[0] - _STEP, *here[1:])) / (2 * _STEP),
        (at(here[0], here[1] * (1 + _STEP), here[2]) - at(here[0], here[1] * (1 - _STEP), here[2])) / (2 * _STEP),
        (at(*here[:2], here[2] + _STEP) - at(*here[:2], here[2])) / _STEP,
    ]
    return np.clip(at(*here), _LEAST, 1 - _LEAST), np.array(changes)


def _covariance(found: Posterior) -> Floats:
    """Of threshold, log slope and lapse: the inverse of what the answers, and the prior, tell of them."""
    known = [(x, counts.read) for x, counts in found.tally.items() if counts.read]
    xs, reads = (np.array(each, np.float64) for each in zip(*known, strict=True))
    shares, changes = _slopes(found.likeliest(), xs)
    return np.asarray(np.linalg.inv(_PRIOR + (changes * (reads / (shares * (1 - shares)))) @ changes.T))


def _variance(found: Posterior) -> float:
    return float(_covariance(found)[0, 0])


def _pulls(found: Posterior, xs: Floats, right: Floats) -> Floats:
    """By how much each answer moves the threshold."""
    shares, changes = _slopes(found.likeliest(), xs)
    return np.asarray(_covariance(found)[0] @ changes * ((right - shares) / (shares * (1 - shares))))
