"""An eye chart as it hangs on the wall: lines of five letters that get smaller from the top down.

The layout is that of the ETDRS chart: letters stand one letter apart, a line stands as far below the one above as it is
high, and every line is 10 ** 0.1 (1.26) times smaller than the one above.
"""

from dataclasses import dataclass
from math import log10

from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone
from snellen.rng import Stream
from snellen.tasks.acuity.draw import optotypes
from snellen.tasks.acuity.draw.optotypes import LETTERS, UNITS, OptotypePage, aligned

ACROSS = 5
"""Letters in a line."""
STEP = 10**0.1
"""By how much a line is larger than the next."""
_SMALLEST = -2
"""Steps of the smallest line from a stroke of one pixel: 0.63 px."""
_LARGEST = 10
"""Steps of the largest line on a page of 512 px: a stroke of 10 px, so that the page is filled."""
_GROWTH = 2 / 3
"""How the largest line grows with the page: on 4,096 px a stroke is 40 px wide, legible even after a cap of 768 px."""


def strokes(side: int) -> tuple[float, ...]:
    """The stroke of every line on a page with this shorter side, in px, the largest first."""
    largest = _LARGEST + round(10 * _GROWTH * log10(side / 512))
    return tuple(STEP**k for k in range(largest, _SMALLEST - 1, -1))


def fits(side: int) -> bool:
    """Whether the largest line fits the page."""
    return (2 * ACROSS - 1) * UNITS * strokes(side)[0] <= side


def letters_of(lines: int, source: Stream) -> list[str]:
    """Letters for this many lines; no letter twice in a line."""
    return ["".join(source.sample(list(LETTERS), ACROSS)) for _ in range(lines)]


@dataclass(frozen=True, slots=True)
class LetterLines:
    """Lines of letters, the largest first, in the middle of a page; `right` and `down`: px off the middle."""

    rows: tuple[str, ...]
    page: ChartPage = USUAL
    tone: InkTone = BLACK
    right: int = 0
    down: int = 0

    @property
    def chart(self) -> OptotypePage:
        sizes = [UNITS * stroke for stroke in strokes(self.page.shorter)[: len(self.rows)]]
        x, y = self.page.middle
        top = y + self.down - (sum(sizes) + sum(sizes[1:])) / 2
        signs = []
        for row, size in zip(self.rows, sizes, strict=True):
            middle = x + self.right - (len(row) - 1) * size
            signs += [aligned(name, size / UNITS, middle + 2 * k * size, top + size / 2) for k, name in enumerate(row)]
            top += size * (1 + 1 / STEP)
        return OptotypePage(tuple(signs), self.page, self.tone)


def painted(lines: LetterLines) -> IndexedPixels:
    return optotypes.painted(lines.chart)


def words(lines: LetterLines) -> str:
    """The twin of a chart."""
    sizes = [UNITS * stroke for stroke in strokes(lines.page.shorter)[: len(lines.rows)]]
    rows = (
        f"line {k}, {size:.3g} px high: {' '.join(row)}"
        for k, (row, size) in enumerate(zip(lines.rows, sizes, strict=True), 1)
    )
    return f"A page of {lines.page}, {lines.tone}, showing lines of letters, from the top down: {'; '.join(rows)}."
