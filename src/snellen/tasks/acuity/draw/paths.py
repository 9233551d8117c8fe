"""Paths: six lines tangled from left to right; the one that starts at a spot leads to which of six numbered ends?

In the tangle the lines run in lanes as far apart as the gap asked for, and neighbours change places. Before and behind
it they spread out at 45 degrees, the outer ones first, so that they come nowhere nearer to one another than in the
tangle and the numbers at the ends can be large whatever the gap.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from snellen.draw import letters
from snellen.draw.coverage import FINE, FineCover, Points, band, cover, disc
from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone, inked
from snellen.rng import Stream

LANES = 6
COLUMNS = 6
_MIDDLE = (LANES - 1) / 2
_CROSS, _STRAIGHT = 1.5, 0.5
"""How long a column's crossings and the straight parts behind them are, in lanes."""
_PORT = 11
"""The ends are an eleventh of the height apart, or a lane if that is more."""
_MARGIN = 10


@dataclass(frozen=True, slots=True)
class Tangle:
    """For each column the lanes (0 the topmost) that change places with the next one; `start` is the marked lane."""

    swaps: tuple[tuple[int, ...], ...]
    start: int
    gap: float
    width: float = 3.0
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        for column in self.swaps:
            lanes = [lane for swap in column for lane in (swap, swap + 1)]
            if len(set(lanes)) != len(lanes) or not set(lanes) <= set(range(LANES)):
                raise ValueError(f"lanes change places in pairs of neighbours among {LANES}, not {column}")
        if not 0 <= self.start < LANES:
            raise ValueError(f"the marked line starts in lane 0 to {LANES - 1}, not {self.start}")
        room = self.page.width * (1 - 1 / _MARGIN)
        if self.gap <= 0 or self._widest > room or self.port * LANES > self.page.height:
            raise ValueError(f"a tangle with gaps of {self.gap:g} px does not fit a page of {self.page}")

    @property
    def lane(self) -> float:
        """From the middle of a line to that of the next, in the tangle."""
        return self.gap + self.width

    @property
    def port(self) -> float:
        """From the middle of a line to that of the next, at the ends."""
        return max(self.page.height / _PORT, self.lane)

    @property
    def _edge(self) -> float:
        """The tangle's right edge."""
        return self.page.width / 2 + len(self.swaps) * (_CROSS + _STRAIGHT) * self.lane / 2

    @property
    def _widest(self) -> float:
        """How far right a line reaches before all have come to the height of their ends."""
        return max(self._spread(lane)[1][0] for lane in range(LANES))

    def lanes(self, start: int) -> tuple[int, ...]:
        """The lanes a line is in, from column to column."""
        run = [start]
        for column in self.swaps:
            here = run[-1]
            run.append(here + 1 if here in column else here - 1 if here - 1 in column else here)
        return tuple(run)

    @property
    def end(self) -> int:
        """The number of the end that the marked line leads to, 1 the topmost."""
        return self.lanes(self.start)[-1] + 1

    def line(self, start: int) -> Points:
        """The line that starts in a lane, from edge to edge."""
        run, x = self.lanes(start), self.page.width - self._edge
        points = []
        for before, after in pairwise(run):
            points += [(x, self._y(before)), (x + _CROSS * self.lane, self._y(after))]
            x += (_CROSS + _STRAIGHT) * self.lane
        points.append((x, self._y(run[-1])))
        first, last = self._spread(run[0]), self._spread(run[-1])
        before_it = [(self.page.width - far, y) for far, y in reversed(first)]
        return np.array(before_it + points + last)

    def _y(self, lane: int) -> float:
        return self.page.height / 2 + (lane - _MIDDLE) * self.lane

    def _spread(self, lane: int) -> list[tuple[float, float]]:
        """The way from the tangle's right edge to an end; the outer lines turn first."""
        inner = _MIDDLE - abs(lane - _MIDDLE)
        turn = self._edge + (inner + 1) * self.lane / 2
        port = self.page.height / 2 + (lane - _MIDDLE) * self.port
        return [
            (turn, self._y(lane)),
            (turn + abs(port - self._y(lane)), port),
            (self.page.width - self.page.width / _MARGIN, port),
        ]


def tangle(gap: float, source: Stream, page: ChartPage = USUAL, width: float = 3.0) -> Tangle:
    """Lines tangled at random: every start and, whatever the start, every end is equally likely."""
    start, wanted = source.below(LANES), source.below(LANES) + 1
    while True:
        columns = (_column(number, source) for number in range(COLUMNS))
        made = Tangle(tuple(columns), start, gap, width, page)
        if made.end == wanted:
            return made


def _column(number: int, source: Stream) -> tuple[int, ...]:
    """Some pairs of neighbours, from the first lane on in one column and from the second on in the next."""
    return tuple(lane for lane in range(number % 2, LANES - 1, 2) if source.chance(2 / 3))


@lru_cache(maxsize=64)
def _digit(digit: str, size: int) -> FineCover:
    side = size + size % 2
    return FineCover(letters.coverage(digit, size, 1, side) * FINE // 255, 0, 0)


def painted(tangle: Tangle) -> IndexedPixels:
    page = tangle.page
    lines = [tangle.line(start) for start in range(LANES)]
    x, y = lines[tangle.start][0]
    spot = disc(float(x), float(y), max(2.5 * tangle.width, page.height / 64))
    amount = cover([band(line, tangle.width) for line in lines] + [spot]).on(page.height, page.width)
    for lane in range(LANES):
        right, down = page.width * (1 - 1 / _MARGIN / 2), page.height / 2 + (lane - _MIDDLE) * tangle.port
        sign = _digit(str(lane + 1), round(page.height / _PORT * 0.75)).amount
        top, left = round(down - sign.shape[0] / 2), round(right - sign.shape[1] / 2)
        window = amount[top : top + sign.shape[0], left : left + sign.shape[1]]
        np.maximum(window, sign, out=window)
    return inked(page, FineCover(amount, 0, 0), tangle.tone)


def words(tangle: Tangle) -> str:
    steps = ["; ".join(f"{lane + 1} and {lane + 2}" for lane in column) or "none" for column in tangle.swaps]
    changes = ", then ".join(steps)
    return (
        f"A page of {tangle.page}, {tangle.tone}, with {LANES} lines from left to right in lanes 1 (top) to {LANES}"
        f" (bottom), ending at numbers 1 (top) to {LANES} (bottom). A spot marks the line that starts in lane"
        f" {tangle.start + 1}. From left to right, the lines in these lanes change places: {changes}."
    )
