"""Lays every loose piece of a jigsaw into every hole, by pixels alone: what it covers, and where colours go on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, binary_erosion, binary_fill_holes, label
from scipy.optimize import linear_sum_assignment

from support.pixels.looking import Mask, Pixels

_IN, _OUT = 3, 4
"""So far from its edge a piece's pixels are compared with the board's: between them lie both outlines."""
_SPILT = 400
"""How much the share of a piece's square that it covers wrongly, or leaves open, counts against steps of colour."""


@dataclass(frozen=True)
class SeenHole:
    """A window of the board around a hole: its pixels, where it is empty, where nothing is painted either (number,
    outline, table)."""

    pixels: Pixels
    empty: Mask
    blank: Mask


class SeenPiece:
    """A loose piece in its window."""

    def __init__(self, pixels: Pixels, covered: Mask) -> None:
        parts, _ = label(binary_fill_holes(covered))
        mask = parts == parts[len(parts) // 2, len(parts) // 2]
        mask = binary_dilation(binary_erosion(mask, iterations=3), iterations=3)  # no threads of shadow
        self.mask, self.core, self.halo = mask, binary_erosion(mask, iterations=2), binary_dilation(mask, iterations=3)
        self.inner, self.outer = self._edges()
        self.colours = pixels[self.inner]

    def _edges(self) -> tuple[tuple[NDArray[np.intp], ...], tuple[NDArray[np.intp], ...]]:
        inner, outer = [], []
        for way in np.array(((0, 1), (0, -1), (1, 0), (-1, 0))):
            edge = np.argwhere(self.mask & ~np.roll(self.mask, -way, (0, 1)))
            inner.append(edge - _IN * way)
            outer.append(edge + _OUT * way)
        last = len(self.mask) - 1
        first, second = (np.clip(np.concatenate(places), 0, last).T for places in (inner, outer))
        return tuple(first), tuple(second)

    def misfit(self, hole: SeenHole) -> float:
        """Pixels covered that are painted, or left open that are empty, and steps of colour across the edge."""
        spilt = np.count_nonzero(self.core & ~hole.empty & ~hole.blank) + np.count_nonzero(hole.empty & ~self.halo)
        painted = ~self.mask[self.outer] & ~hole.blank[self.outer] & ~hole.empty[self.outer]
        steps = np.abs(self.colours - hole.pixels[self.outer]).mean(axis=1)[painted]
        return float(spilt * _SPILT / self.mask.sum() + (steps.mean() if len(steps) else 255))


def best_fits(holes: list[SeenHole], pieces: list[SeenPiece]) -> list[int]:
    """Of each hole the piece, so that all together fit best."""
    table = np.array([[piece.misfit(hole) for piece in pieces] for hole in holes])
    return [int(piece) for piece in linear_sum_assignment(table)[1]]
