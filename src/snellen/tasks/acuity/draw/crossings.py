"""Crossings: a red and a blue line from left to right that cross each other 0 to 4 times.

Between two of five knots the lines either cross or run side by side, never nearer than the gap asked for; both wander
up and down together, so that only their order from knot to knot tells the number.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from snellen.draw.coverage import Points, band, cover
from snellen.draw.looks import WHITE
from snellen.draw.sheet import USUAL, ChartPage, IndexedPixels, two_inks
from snellen.rng import Stream

KNOTS = 5
MOST = KNOTS - 1
RED, BLUE = (214, 39, 40), (31, 87, 180)
_MARGIN = 10
"""The lines begin and end a tenth of the width from the edge."""
_STEEPEST = 0.5


@dataclass(frozen=True, slots=True)
class Crossing:
    """`above` says at which knots red is above blue; `middles` (y, in px) is where the lines have their middle there.

    `gap` is the white between lines running side by side where they are steepest, in pixels; elsewhere it is a little
    more.
    """

    above: tuple[bool, ...]
    middles: tuple[float, ...]
    gap: float
    width: float = 4.0
    page: ChartPage = USUAL

    def __post_init__(self) -> None:
        if not len(self.above) == len(self.middles) == KNOTS:
            raise ValueError(f"a crossing has {KNOTS} knots, not {len(self.above)} and {len(self.middles)}")
        if not 0 < self.gap + self.width <= self._step / 2:
            raise ValueError(f"a gap of {self.gap:g} px does not fit a page of {self.page}")
        if max(abs(b - a) for a, b in pairwise(self.middles)) > _STEEPEST * self._step:
            raise ValueError("the lines are too steep to keep their gap")

    @property
    def _step(self) -> float:
        return self.page.width * (1 - 2 / _MARGIN) / MOST

    @property
    def count(self) -> int:
        return sum(a != b for a, b in pairwise(self.above))

    @property
    def lines(self) -> tuple[Points, Points]:
        """The knots of the red and of the blue line."""
        x = self.page.width / _MARGIN + self._step * np.arange(KNOTS)
        half = (self.gap + self.width) * sqrt(1 + _STEEPEST**2) / 2
        away = np.where(self.above, -half, half)
        middle = np.array(self.middles)
        return np.stack((x, middle + away), axis=1), np.stack((x, middle - away), axis=1)


def crossing(count: int, gap: float, source: Stream) -> Crossing:
    """Two random lines that cross `count` times."""
    if not 0 <= count <= MOST:
        raise ValueError(f"lines cross 0 to {MOST} times, not {count}")
    flips = set(source.sample(range(1, KNOTS), count))
    above = [source.chance()]
    for knot in range(1, KNOTS):
        above.append(above[-1] != (knot in flips))
    reach = _STEEPEST / 2 * USUAL.width * (1 - 2 / _MARGIN) / MOST
    reach = min(reach, USUAL.height / 4)
    middles = tuple(round(USUAL.height / 2 + source.between(-reach, reach), 2) for _ in range(KNOTS))
    return Crossing(tuple(above), middles, gap)


def painted(crossing: Crossing) -> IndexedPixels:
    red, blue = (cover([band(line, crossing.width)]) for line in crossing.lines)
    return two_inks(crossing.page, red, blue, (RED, BLUE), WHITE)


def words(crossing: Crossing) -> str:
    order = ", ".join("above" if above else "below" for above in crossing.above)
    return (
        f"A white page of {crossing.page} with a red and a blue line from left to right, each straight between"
        f" {KNOTS} marks. At the marks, from left to right, the red line is {order} the blue line."
    )
