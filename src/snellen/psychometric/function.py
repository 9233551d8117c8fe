"""The psychometric function: how often somebody is right at an intensity.

A Weibull function of log10 intensity x. At `threshold` it has gone 63 % (1 - 1/e) of its way from `chance`, which
guessing gives, to 1 - `lapse`, which is left even where nothing is hard to see:

    right(x) = chance + (1 - chance - lapse) * (1 - exp(-10 ** (slope * (x - threshold))))

Most things get easier with intensity (larger letters, more contrast). Where they get harder (more dots to count) the
function is `falling`: the same curve, mirrored at the threshold.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_STEEPEST = 300.0
"""Powers of ten beyond this leave the range of a float; the curve has long arrived there."""


def share_right(
    x: ArrayLike, threshold: ArrayLike, slope: ArrayLike, lapse: ArrayLike, *, chance: float, falling: bool = False
) -> Floats:
    """The share of right answers at log10 intensities, for arrays that go together by numpy's rules."""
    above = np.asarray(x, np.float64) - np.asarray(threshold, np.float64)
    power = np.clip(np.asarray(slope) * (-above if falling else above), -_STEEPEST, _STEEPEST)
    return np.asarray(chance + (1 - chance - np.asarray(lapse)) * -np.expm1(-(10.0**power)))


@dataclass(frozen=True)
class Psychometric:
    """One psychometric function: somebody's sight as four numbers."""

    threshold: float
    slope: float
    chance: float = 0.0
    lapse: float = 0.0
    falling: bool = False

    def __post_init__(self) -> None:
        if not self.slope > 0:
            raise ValueError(f"slope {self.slope}: expected more than 0; a curve that falls is falling=True")
        if not (0 <= self.chance < 1 and 0 <= self.lapse < 1 - self.chance):
            raise ValueError(f"chance {self.chance}, lapse {self.lapse}: expected from 0 on, and less than 1 together")

    def __call__(self, x: ArrayLike) -> Floats:
        """The share of right answers at log10 intensities."""
        return share_right(x, self.threshold, self.slope, self.lapse, chance=self.chance, falling=self.falling)

    def where(self, share: float) -> float:
        """The log10 intensity at which this share is right."""
        if not self.chance < share < 1 - self.lapse:
            raise ValueError(f"{share} right: this curve goes from {self.chance} to {1 - self.lapse}, ends excluded")
        way = (share - self.chance) / (1 - self.chance - self.lapse)
        above = float(np.log10(-np.log1p(-way))) / self.slope
        return self.threshold + (-above if self.falling else above)
