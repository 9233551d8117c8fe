"""What may be shown, drawn large: each shape once, to be laid on what is seen at any place and size."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw import letters
from snellen.draw.coverage import FINE, cover
from snellen.tasks.acuity.draw.optotypes import UNITS, Optotype

Floats = NDArray[np.float64]

_STROKE = 16
_SIDE = _STROKE * UNITS


@dataclass(frozen=True, eq=False)
class Mask:
    """How much of each cell of a box is covered, from 0 to 1, with the box's proportions."""

    name: str
    amount: Floats

    @property
    def aspect(self) -> float:
        """Width over height."""
        return float(self.amount.shape[1] / self.amount.shape[0])

    @property
    def middle(self) -> tuple[float, float]:
        """Where its ink has its middle, from that of the box, in heights of it (x, y)."""
        height = self.amount.shape[0]
        x, y = (_mean(self.amount.sum(axis=axis)) - self.amount.shape[1 - axis] / 2 for axis in (0, 1))
        return x / height, y / height

    @property
    def spread(self) -> float:
        """The mean square distance of its ink from its middle, in squares of its height."""
        return float(sum(_variance(self.amount.sum(axis=axis)) for axis in (0, 1)) / self.amount.shape[0] ** 2)

    def laid(self, x: float, y: float, height: float, shape: tuple[int, int]) -> Floats:
        """The covered share of each pixel of a window of that shape, with the box's middle at (x, y)."""
        down = _shares(y - height / 2, height, self.amount.shape[0], shape[0])
        width = height * self.aspect
        across = _shares(x - width / 2, width, self.amount.shape[1], shape[1])
        laid: Floats = down @ self.amount @ across.T
        return laid


def _mean(profile: Floats) -> float:
    return float(((np.arange(len(profile)) + 0.5) * profile).sum() / profile.sum())


def _variance(profile: Floats) -> float:
    away = np.arange(len(profile)) + 0.5 - _mean(profile)
    return float((away * away * profile).sum() / profile.sum())


def _shares(start: float, length: float, cells: int, pixels: int) -> Floats:
    """For each pixel along a side and each cell of a box: how much of the pixel lies in the cell."""
    edges = start + length * np.arange(cells + 1) / cells
    pixel = np.arange(pixels)[:, None]
    shares: Floats = np.clip(np.minimum(edges[1:], pixel + 1) - np.maximum(edges[:-1], pixel), 0, None)
    return shares


@lru_cache(maxsize=64)
def optotype(name: str) -> Mask:
    """A Sloan letter, or a Landolt C by where its gap points."""
    whole = cover(Optotype(name, _STROKE, _SIDE / 2, _SIDE / 2).outlines).on(_SIDE, _SIDE)
    return Mask(name, whole / FINE)


@lru_cache(maxsize=64)
def printed(name: str) -> Mask:
    """A letter or digit of the bundled font; its box is its ink's."""
    whole = letters.coverage(name, letters.fitted(name, 3 * _SIDE // 2, _SIDE), 1, _SIDE) / 255
    rows, columns = (np.flatnonzero(whole.max(axis=axis) > 0) for axis in (1, 0))
    return Mask(name, whole[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
