"""How a chart is looked at: on which canvas, where on it, dark on light or light on dark, in which letters.

These are the conditions of the eye chart: the same item can be shown under any of them that it fits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import floor

from snellen.draw.sheet import POLARITIES, USUAL, ChartPage
from snellen.tasks.task import Factor

SQUARE = ("512", "256", "768", "1024", "1536", "2048", "3072", "4096")
"""Sides of square canvases, the usual one first."""
WIDE = ("1024x512", "1024x256", "2048x1024", "2048x512", "4096x2048", "4096x1024")
"""Shapes of 2:1 and 4:1: what a server does to these tells a cap of the longer side from one of the area, or tiles."""
CENTRE = "centre"
FIELD = 5
PLACES = tuple(f"r{row}c{column}" for row in range(1, FIELD + 1) for column in range(1, FIELD + 1))
"""The field map: rows from the top, columns from the left."""
_REACH = 128
OFFSETS = tuple(f"+{offset}" for offset in range(_REACH))
"""So many pixels right of and below the middle: whoever sees in patches sees by place within the patch."""
ALONG = tuple(f"+{37 * k % _REACH}" for k in range(_REACH // 2))
"""Half of them, evenly over the stretch, neighbours far apart in time: patches of any size from 10 to 64 px come round
at least twice, and no step between offsets is one of theirs."""
FONTS = ("sloan", "sans")
TIMES = ("1", *(f"{10 ** (k / 20):.3g}" for k in range(1, 29)))
"""How many times the middle of a chart may be enlarged, in steps of 0.05 log10."""
PRINTED = 1.25
"""A letter of print is wider than an optotype of its height, by no more than this."""

FACTORS = (
    Factor("polarity", POLARITIES, "dark on light, or light on dark"),
    Factor("canvas", (*SQUARE, *WIDE), "the picture's side, or width x height, in px"),
    Factor("place", (CENTRE, *PLACES, *OFFSETS), "position: row and column of the field, or px from the centre"),
    Factor("font", FONTS, "Sloan's letters, or those of DejaVu Sans Bold"),
    Factor("enlarged", TIMES, "the middle of the chart, cut out and enlarged this many times to the canvas size"),
)
USUALLY: Mapping[str, str] = {factor.name: factor.levels[0] for factor in FACTORS}


@dataclass(frozen=True, slots=True)
class ChartView:
    """The condition that a chart is drawn under."""

    page: ChartPage = USUAL
    place: str = CENTRE
    polarity: str = "dark"
    font: str = "sloan"
    enlarged: float = 1.0

    def spot(self, size: float, nudge: tuple[int, int]) -> tuple[float, float]:
        """The middle of something so wide and high at this place, as near as the page allows, its upper left corner on
        the corner of a pixel. `nudge`: whole pixels that an item stands off its place, so that no two are alike; an
        offset from the middle is exact. What is enlarged is nudged the less, and so stays in the part cut out."""
        x, y = self._middle()
        right, down = (0, 0) if self.place.startswith("+") else (round(each / self.enlarged) for each in nudge)
        return _fitting(x + right, size, self.page.width), _fitting(y + down, size, self.page.height)

    def _middle(self) -> tuple[float, float]:
        x, y = self.page.middle
        if self.place == CENTRE:
            return x, y
        if self.place.startswith("+"):
            return x + int(self.place), y + int(self.place)
        row, column = int(self.place[1]), int(self.place[3])
        return (2 * column - 1) * self.page.width / (2 * FIELD), (2 * row - 1) * self.page.height / (2 * FIELD)


def _fitting(middle: float, size: float, side: int) -> float:
    """A fifth of its size off the edge of the page, or in the middle if there is less room."""
    margin = min(round(size / 5), floor((side - size) / 2))
    return min(max(round(middle - size / 2), margin), floor(side - size) - margin) + size / 2


@cache
def page_of(canvas: str) -> ChartPage:
    width, _, height = canvas.partition("x")
    return ChartPage(int(width), int(height or width))


def view_of(condition: Mapping[str, str]) -> ChartView:
    place, polarity, font = (condition[name] for name in ("place", "polarity", "font"))
    return ChartView(page_of(condition["canvas"]), place, polarity, font, float(condition["enlarged"]))
