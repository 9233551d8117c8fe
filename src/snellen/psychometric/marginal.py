"""What is held likely of one quantity: masses on a grid of values, each standing for the cell around it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PosteriorEstimate:
    """A median with its credible interval. An end is None where it lies beyond what was drawn: nobody looked there."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class Marginal:
    """Masses (they sum to 1) on rising values."""

    values: Floats
    masses: Floats

    @property
    def mean(self) -> float:
        return float(self.values @ self.masses)

    @property
    def sd(self) -> float:
        return float(np.sqrt(np.square(self.values - self.mean) @ self.masses))

    @property
    def median(self) -> float:
        return float(self.quantiles([0.5])[0])

    def beyond(self, value: float) -> float:
        """How likely the quantity is more than this value."""
        edges, below = self._cumulated()
        return max(0.0, 1 - float(np.interp(value, edges, below)))

    def quantiles(self, shares: Sequence[float]) -> Floats:
        """The values below which these shares of the mass lie."""
        edges, below = self._cumulated()
        return np.interp(shares, below, edges)

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """The central credible interval."""
        low, high = self.quantiles([(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)

    def estimate(self, share: float = 0.95) -> PosteriorEstimate:
        return PosteriorEstimate(self.median, *self.interval(share))

    def _cumulated(self) -> tuple[Floats, Floats]:
        """The edges of the cells, halfway between values, and the mass below each edge."""
        middles = (self.values[1:] + self.values[:-1]) / 2
        edges = np.concatenate([self.values[:1], middles, self.values[-1:]])
        return edges, np.concatenate([[0.0], np.cumsum(self.masses)])

    def __sub__(self, other: "Marginal") -> "Marginal":
        """The difference of two independent quantities on grids of the same even step."""
        step = float(self.values[1] - self.values[0])
        if not all(np.allclose(np.diff(each.values), step, rtol=0, atol=1e-9) for each in (self, other)):
            raise ValueError("a difference needs two even grids of the same step")
        masses = np.convolve(self.masses, other.masses[::-1])
        return Marginal(self.values[0] - other.values[-1] + step * np.arange(len(masses)), masses)
