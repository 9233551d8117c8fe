"""Alignment: four pairs of upright bars, one above the other; in one pair the lower bar stands a little to the side.

Each pair stands at its own fraction of a pixel, so that grey edges alone do not tell which one it is.
"""

from dataclasses import dataclass

import numpy as np

from snellen.draw.coverage import Points, cover
from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone, inked
from snellen.errors import unknown
from snellen.rng import Stream

CORNERS = ("upper left", "upper right", "lower left", "lower right")
_PHASES = 16


@dataclass(frozen=True, slots=True)
class Vernier:
    """`offset` is how far the lower bar of the odd pair stands to the right (or left, below 0), in pixels.

    `middles` are where the pairs stand, in the order of `CORNERS`; a bar is `width` wide and `length` long.
    """

    odd: str
    offset: float
    middles: tuple[tuple[float, float], ...]
    width: float = 4.0
    length: float = 48.0
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        if self.odd not in CORNERS:
            raise unknown("corner", self.odd, CORNERS)
        if self.offset == 0 or len(self.middles) != len(CORNERS):
            raise ValueError("four pairs of bars, and an offset other than 0")
        for x, y in (middle for pair in self.bars for middle in pair):
            across, down = self.width / 2, self.length / 2
            if not (across <= x <= self.page.width - across and down <= y <= self.page.height - down):
                raise ValueError(f"a bar of {self.length:g} px at ({x:g}, {y:g}) leaves the page of {self.page}")

    @property
    def bars(self) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
        """For each pair the middles of the upper and of the lower bar."""
        apart = self.length / 2 + self.width
        shifts = [self.offset if corner == self.odd else 0.0 for corner in CORNERS]
        return tuple(
            ((x, y - apart), (x + shift, y + apart)) for (x, y), shift in zip(self.middles, shifts, strict=True)
        )


def scattered(page: ChartPage, source: Stream) -> tuple[tuple[float, float], ...]:
    """Places for the four pairs: about the middles of the page's quarters, at any sixteenth of a pixel."""
    reach = min(page.width, page.height) // 16 * _PHASES
    quarters = [(page.width * across / 4, page.height * down / 4) for down in (1, 3) for across in (1, 3)]
    return tuple(
        (x + (source.below(2 * reach) - reach) / _PHASES, y + (source.below(2 * reach) - reach) / _PHASES)
        for x, y in quarters
    )


def painted(vernier: Vernier) -> IndexedPixels:
    bars = [_bar(middle, vernier) for pair in vernier.bars for middle in pair]
    return inked(vernier.page, cover(bars), vernier.tone)


def _bar(middle: tuple[float, float], vernier: Vernier) -> Points:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    bar: Points = corners * (vernier.width, vernier.length) + np.array(middle)
    return bar


def words(vernier: Vernier) -> str:
    pairs = "; ".join(
        f"{corner}: upper bar at x = {above[0]:g}, lower bar at x = {below[0]:g}"
        for corner, (above, below) in zip(CORNERS, vernier.bars, strict=True)
    )
    return (
        f"A page of {vernier.page}, {vernier.tone}, showing four pairs of upright bars, one bar above the other."
        f" {pairs[0].upper()}{pairs[1:]}."
    )
