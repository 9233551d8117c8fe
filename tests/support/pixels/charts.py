"""Reads charts of all kinds: what kind it is, its words, its axes, and every value."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, log10, pi, sin
from typing import Any

import numpy as np

from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.charts.frame import (
    BLUE,
    BOTTOM,
    COLOURS,
    FINE_GRID,
    GREY,
    GRID,
    INK,
    LEFT,
    ORANGE,
    PAPER,
    RIGHT,
    SMALL,
    TITLE,
    TOP,
    WORDS,
)
from support.pixels.lettering import Print
from support.pixels.looking import Colour, Pixels, amount, near, pixels_of, runs

_TOPICS = [topic for topics in table("charts")["topics"].values() for topic in topics]
_NAMES = sorted({name for names in table("charts")["names"].values() for name in names})
_SERIES = sorted(
    {one for kind in ("stacks", "duals") for topic in table("charts")["topics"][kind] for one in topic[3:]}
)
_LYING = 150
"""Where lying bars begin."""
_SPOTS = ((0, 28), (16, -12), (-16, -12), (0, -15))
"""Where the number of a point of a line may stand."""


def read_chart(data: bytes, parts: int = 1) -> dict[str, Any]:
    """All that a chart shows. `parts`: into how many the steps of its axis are parted, as the question says."""
    return ChartReader(pixels_of(data), parts).read()


class ChartReader:
    def __init__(self, pixels: Pixels, parts: int) -> None:
        self.pixels, self.parts = pixels, parts
        self.ink, self.grey = (Print(amount(pixels, PAPER, colour)) for colour in (INK, GREY))
        # Where lines may run into words: nothing that has a colour.
        self.dark = Print(amount(pixels, PAPER, INK) * (np.ptp(pixels, axis=2) < 30), 0.6)

    def read(self) -> dict[str, Any]:
        return {
            "title": self.ink.word(sorted({topic[0] for topic in _TOPICS}), 36, 46, "left", TITLE, bold=True),
            "unit": self.grey.word(sorted({topic[1] for topic in _TOPICS}), 36, 76, "left", WORDS),
            **self._body(),
        }

    def _body(self) -> dict[str, Any]:
        if near(self.pixels[BOTTOM - 1, _LYING : _LYING + 2], INK).all():
            return self._lying()
        if not near(self.pixels[BOTTOM, LEFT], INK):
            return self._pie()
        if near(self.pixels[TOP + 3, LEFT : RIGHT + 1], GRID).any():
            return self._scatter()
        if not near(self.pixels[BOTTOM, RIGHT - 2], INK):
            return self._dual()
        series = self._series()
        bottom = self.pixels[BOTTOM - 3]
        if series:
            colours = [colour for colour in COLOURS[: len(series)] if near(bottom, colour).any()]
            return {**(self._groups if len(colours) > 1 else self._stacks)(len(series)), "series": series}
        if near(self.pixels[BOTTOM + 4], INK).any() and self._ticks():
            return self._line()
        return self._bars() if near(bottom, BLUE).any() else self._area()

    # Axes and names.

    def _lines(self) -> tuple[list[int], list[int]]:
        """Where the lines across lie that have a number, and where the finer ones do, from below."""
        column = self.pixels[TOP:BOTTOM, LEFT + 1]
        numbered, fine = ((np.flatnonzero(near(column, grid))[::-1] + TOP).tolist() for grid in (GRID, FINE_GRID))
        return numbered, fine

    def _axis(self) -> dict[str, int]:
        """Step and top of the axis on the left, and how far apart its lines are."""
        numbered, fine = self._lines()
        top = self.grey.number(LEFT - 12, TOP + 6, "right", SMALL)
        step, rest = divmod(top, len(numbered))
        assert not rest
        assert self.grey.number(LEFT - 12, numbered[0] + 6, "right", SMALL) == step
        return {"step": step, "top": top, "lines": top // (len(numbered) + len(fine))}

    def _value(self, y: float, top: int, unit: float) -> int:
        return round(round((BOTTOM - y) * top / (BOTTOM - TOP) / unit) * unit)

    def _named(self, many: int, end: int = RIGHT) -> list[str]:
        return [self.ink.word(_NAMES, x, BOTTOM + 30, "middle", WORDS) for x in _middles(many, end)]

    def _series(self) -> list[str]:
        """The names beside the squares of the legend."""
        row = self.pixels[63]
        names = []
        for colour in COLOURS:
            begins = [begin for begin, end in runs(near(row, colour)) if end - begin == 16]
            if begins:
                names.append(self.ink.word(_SERIES, begins[0] + 24, 76, "left", WORDS))
        return names

    # Bars.

    def _bars(self) -> dict[str, Any]:
        axis, bars = self._axis(), runs(near(self.pixels[BOTTOM - 3], BLUE))
        tops = [self._begins(begin + 1, BLUE) for begin, _ in bars]
        middles = _middles(len(bars))
        labelled = any(
            near(self.pixels[y - 20 : y - 8, x - 12 : x + 12], INK, 30).any()
            for x, y in zip(middles, tops, strict=True)
        )
        if labelled:
            values = [self.ink.number(x, y - 8, "middle", SMALL, bold=True) for x, y in zip(middles, tops, strict=True)]
            self._agree(values, tops, axis["top"])
        else:
            values = [self._value(y, axis["top"], axis["step"] / self.parts) for y in tops]
        return {
            "kind": "bar",
            "categories": self._named(len(bars)),
            "values": [[v] for v in values],
            "labelled": labelled,
            **axis,
        }

    def _begins(self, x: int, colour: Colour) -> int:
        """How high a colour reaches up in a column."""
        return int(np.flatnonzero(near(self.pixels[TOP:BOTTOM, x], colour))[0]) + TOP

    def _agree(self, values: list[int], tops: Sequence[float], top: int) -> None:
        """Written values and the heights of their marks must say the same."""
        for value, y in zip(values, tops, strict=True):
            assert abs(BOTTOM - value * (BOTTOM - TOP) / top - y) < 1.5, (value, y)

    def _stacks(self, many: int) -> dict[str, Any]:
        axis, bars = self._axis(), runs(near(self.pixels[BOTTOM - 3], COLOURS[0]))
        rows, labelled = [], False
        for begin, end in bars:
            column, row, low = self.pixels[TOP:BOTTOM, begin + 1], [], BOTTOM
            for colour in COLOURS[:many]:
                ((first, last),) = runs(near(column, colour))
                high = first + TOP
                text = near(self.pixels[high + 3 : last + TOP - 3, begin + 3 : end - 3], colour, 30)
                labelled = labelled or not text.all()
                row.append((high, low, colour, begin, end))
                low = high
            rows.append(row)
        if labelled:
            values = [[self._inside(*part) for part in row] for row in rows]
            for row, numbers in zip(rows, values, strict=True):
                self._agree(np.cumsum(numbers).tolist(), [high for high, *_ in row], axis["top"])
        else:
            unit = axis["step"] / self.parts
            sums = [[0, *(self._value(high, axis["top"], unit) for high, *_ in row)] for row in rows]
            values = [np.diff(row).tolist() for row in sums]
        return {"kind": "stacked", "categories": self._named(len(bars)), "values": values, "labelled": labelled, **axis}

    def _inside(self, high: int, low: int, colour: Colour, begin: int, end: int) -> int:
        """The number written on a part of a stack, dark on light colours."""
        patch = self.pixels[high : low - 1, begin:end]
        ink = INK if near(patch, INK, 30).any() else PAPER
        at = (end - begin) // 2, (high + low) // 2 + 6 - high
        return Print(amount(patch, colour, ink)).number(*at, "middle", SMALL, bold=True, loose=1)

    def _groups(self, many: int) -> dict[str, Any]:
        axis = self._axis()
        columns = []
        for colour in COLOURS[:many]:
            bars = runs(near(self.pixels[BOTTOM - 3], colour))
            columns.append(
                [self._value(self._begins(b + 1, colour), axis["top"], axis["step"] / self.parts) for b, _ in bars]
            )
        rows = [list(row) for row in zip(*columns, strict=True)]
        return {"kind": "grouped", "categories": self._named(len(rows)), "values": rows, "labelled": False, **axis}

    def _lying(self) -> dict[str, Any]:
        fine = self.pixels[BOTTOM - 1]
        numbered, finer = (np.flatnonzero(near(fine, grid)).tolist() for grid in (GRID, FINE_GRID))
        top = self.grey.number(RIGHT, BOTTOM + 24, "middle", SMALL)
        step, rest = divmod(top, len(numbered))
        assert not rest
        assert self.grey.number(numbered[0], BOTTOM + 24, "middle", SMALL) == step
        bars = runs(near(self.pixels[:, _LYING + 3], BLUE))
        unit = step / self.parts
        names, values = [], []
        for begin, end in bars:
            ((_, far),) = runs(near(self.pixels[begin + 1, _LYING + 2 :], BLUE))
            values.append([round(round((far + 2) * top / (RIGHT - _LYING) / unit) * unit)])
            names.append(self.ink.word(_NAMES, _LYING - 12, begin + (end - begin) // 2 + 6, "right", WORDS))
        lines = top // (len(numbered) + len(finer))
        return {
            "kind": "horizontal",
            "categories": names,
            "values": values,
            "labelled": False,
            "step": step,
            "top": top,
            "lines": lines,
        }

    # Points.

    def _ticks(self) -> list[int]:
        """The places of the small marks below the axis. A point on the axis hides its own."""
        below = near(self.pixels[BOTTOM + 5, LEFT:RIGHT], INK)
        seen = [begin for begin, end in runs(below) if end - begin == 2]
        return _middles(round((RIGHT - LEFT) / min(np.diff(seen)))) if len(seen) > 1 else []

    def _line(self) -> dict[str, Any]:
        numbered, fine = self._lines()
        middles = self._ticks()
        tops = [self._spot(x, PAPER, 2.8, BLUE, (5.0, 6.5)) for x in middles]
        names = self._named(len(middles))
        gaps = np.diff([BOTTOM, *numbered])
        if fine and np.ptp(np.diff(sorted((BOTTOM, *numbered, *fine)))) > 3:
            return self._logarithmic(names, tops)
        assert np.ptp(gaps) <= 1
        axis = self._axis()
        labelled = all(self._beside(x, y) is not None for x, y in zip(middles, tops, strict=True))
        if labelled:
            values = [number for x, y in zip(middles, tops, strict=True) if (number := self._beside(x, y)) is not None]
            self._agree(values, tops, axis["top"])
        else:
            values = [self._value(y, axis["top"], axis["step"] / self.parts) for y in tops]
        return {"kind": "line", "categories": names, "values": [[v] for v in values], "labelled": labelled, **axis}

    def _beside(self, x: int, y: float) -> int | None:
        """The number written beside a point, if there is one."""
        found = []
        for aside, down in _SPOTS:
            try:
                number = self.dark.number(x + aside, y + down, "middle", SMALL, bold=True)
            except AssertionError:
                continue
            found.append((self.dark.unlike(str(number), x + aside, y + down, "middle", SMALL, True), number))
        return min(found)[1] if found else None

    def _spot(self, x: int, inner: Colour, core: float, outer: Colour, ring: tuple[float, float]) -> float:
        """How high in a column a disc of one colour lies with a ring of another around it."""
        down, across = np.mgrid[-9:10, -9:10]
        far = np.hypot(down, across)
        inside, around = far <= core, (far >= ring[0]) & (far <= ring[1])
        inked, rim = near(self.pixels, inner, 8), near(self.pixels, outer, 8)
        inked[BOTTOM : BOTTOM + 2] = rim[BOTTOM : BOTTOM + 2] = True  # the axis lies over points on it
        shares = {
            y: inked[y - 9 : y + 10, x - 9 : x + 10][inside].mean() + rim[y - 9 : y + 10, x - 9 : x + 10][around].mean()
            for y in range(TOP - 1, BOTTOM + 2)
        }
        best = max(shares.values())
        # A pixel's middle is half a pixel below its upper edge.
        return float(np.mean([y for y, share in shares.items() if share > best - 1e-9])) + 0.5

    def _logarithmic(self, names: list[str], tops: Sequence[float]) -> dict[str, Any]:
        top = self.grey.number(LEFT - 12, TOP + 6, "right", SMALL)
        step = self.grey.number(LEFT - 12, BOTTOM + 6, "right", SMALL)
        lines = {
            BOTTOM - log10(digit * 10**zeros) / log10(top / step) * (BOTTOM - TOP): digit * 10**zeros * step
            for zeros in range(4)
            for digit in range(1, 10)
        }
        values = [[lines[min(lines, key=lambda at: abs(at - y))]] for y in tops]
        return {"kind": "log", "categories": names, "values": values, "labelled": False, "step": step, "top": top}

    def _area(self) -> dict[str, Any]:
        axis = self._axis()
        strokes = [
            LEFT + begin + 1
            for begin, end in runs(near(self.pixels[BOTTOM - 2, LEFT:RIGHT], self._stroke()))
            if end - begin == 1
        ]
        middles = _middles(len(strokes))
        assert max(abs(a - b) for a, b in zip(strokes, middles, strict=True)) <= 1
        heights: list[list[float]] = [[] for _ in middles]
        for number, (x, after) in enumerate(pairwise(middles)):
            near_x, far_x = x + 8, after - 8
            y0, y1 = (self._middle(at) for at in (near_x, far_x))
            slope = (y1 - y0) / (far_x - near_x)
            heights[number].append(y0 - 8 * slope)
            heights[number + 1].append(y1 + 8 * slope)
        values = [[self._value(float(np.mean(ys)), axis["top"], axis["step"] / self.parts)] for ys in heights]
        return {"kind": "area", "categories": self._named(len(middles)), "values": values, "labelled": False, **axis}

    def _stroke(self) -> Colour:
        """The colour of the strokes below the points of an area."""
        return tuple((a * 55 + b * 45 + 50) // 100 for a, b in zip(BLUE, PAPER, strict=True))

    def _middle(self, x: int) -> float:
        share = 1 - np.abs(self.pixels[TOP - 3 : BOTTOM, x] - np.array(BLUE)).max(axis=1) / 100
        share = np.clip(share, 0, 1)
        return float((share * np.arange(TOP - 3, BOTTOM)).sum() / share.sum())

    def _scatter(self) -> dict[str, Any]:
        axis = self._axis()
        grid = (np.flatnonzero(near(self.pixels[TOP + 3, LEFT : RIGHT + 1], GRID)) + LEFT).tolist()
        far = self.grey.number(grid[-1], BOTTOM + 24, "middle", SMALL)
        unit, spots = axis["step"] / self.parts, []
        inked = near(self.pixels, BLUE)
        for place in range(far + 1):
            x = LEFT + place * (RIGHT - LEFT) // far
            if inked[TOP - 8 : BOTTOM + 8, x].sum() > 10:
                rows = np.flatnonzero(inked[:, x])
                y = round((rows[0] + rows[-1]) / 2)
                name = self.ink.word(_NAMES, x + 11, y - 7, "left", WORDS, bold=True, loose=1)
                spots.append((name, self._value(y, axis["top"], unit), place))
        across = sorted({topic[-1] for topic in table("charts")["topics"]["scatters"]})
        return {
            "kind": "scatter",
            "points": sorted(spots),
            "labelled": False,
            **axis,
            "across": self.grey.word(across, RIGHT, BOTTOM + 50, "right", WORDS),
        }

    def _dual(self) -> dict[str, Any]:
        axis, end = self._axis(), RIGHT - 40
        bars = runs(near(self.pixels[BOTTOM - 1], BLUE))
        middles = _middles(len(bars), end)
        highest = self.grey.number(end + 10, TOP + 6, "left", SMALL)
        left, right = axis["step"] / self.parts, highest * axis["step"] / axis["top"] / self.parts
        rows = []
        for (begin, end_of_bar), x in zip(bars, middles, strict=True):
            y = self._spot(x, ORANGE, 4.2, INK, (6.2, 7.0))
            # The line may hide a part of the bar's top, but not all of it.
            high = min(self._begins(column, BLUE) for column in range(begin, end_of_bar))
            rows.append([self._value(high, axis["top"], left), self._value(y, highest, right)])
        return {
            "kind": "dual",
            "categories": self._named(len(bars), end),
            "series": self._series(),
            "values": rows,
            "labelled": False,
            **axis,
            "right_minor": round(right),
        }

    # Pies.

    def _pie(self) -> dict[str, Any]:
        labelled = any(near(self._at(turn / 48, 158), colour, 6) for turn in range(48) for colour in COLOURS)
        radius = 164 if labelled else 148
        borders = self._borders()
        ends = [*borders[1:], 1.0]
        middles = [(start + end) / 2 for start, end in zip(borders, ends, strict=True)]
        if labelled:
            spots = [self._written(turn, radius) for turn in middles]
            written, shares = zip(*spots, strict=True)
            for value, start, end in zip(shares, borders, ends, strict=True):
                assert abs(value / sum(shares) - (end - start)) < 0.006, (value, start, end)
            return {"kind": "pie", "categories": list(written), "values": [[v] for v in shares], "labelled": True}
        dial = self._dial(radius)
        marks = dial["top"] // dial["lines"]
        rounded = [round(border * marks) for border in (*borders, 1.0)]
        values = [[many * dial["lines"]] for many in np.diff(rounded).tolist()]
        names = [self._aside((a + b) / 2 / marks, radius) for a, b in pairwise(rounded)]
        return {"kind": "pie", "categories": names, "values": values, "labelled": False, **dial}

    def _at(self, turn: float, far: float) -> Pixels:
        x, y = _around(turn, far)
        return self.pixels[int(y), int(x)]

    def _borders(self) -> list[float]:
        """Where slices begin, in turns from the top: white lines part them."""
        steps = 4320
        white = near(np.array([self._at(step / steps, 110) for step in range(steps)]), PAPER, 60)
        start = int(white.argmin())  # no line begins before and ends behind it
        found = [((begin + end - 1) / 2 + start) / steps % 1 for begin, end in runs(np.roll(white, -start))]
        return sorted(0.0 if min(at, 1 - at) < 0.004 else at for at in found)

    def _written(self, turn: float, radius: int) -> tuple[str, int]:
        x, y = _around(turn, radius + 20)
        y -= 4 + 22 * cos(2 * pi * turn)
        name = self.ink.word(_NAMES, x, y, _align(turn), WORDS, loose=1)
        return name, self.ink.number(x, y + 22, _align(turn), WORDS, bold=True, loose=1)

    def _dial(self, radius: int) -> dict[str, int]:
        steps = 2880
        short, long = (
            runs(
                near(np.array([self._at((step + 0.5) / steps - 0.02, radius + far) for step in range(steps)]), INK, 90)
            )
            for far in (6, 11)
        )
        turn = ((long[1][0] + long[1][1]) / 2 + 0.5) / steps - 0.02
        step = self.grey.number(
            *_below(_around(round(turn * len(long)) / len(long), radius + 28)), "middle", SMALL, loose=1
        )
        return {"step": step, "top": step * len(long), "lines": step * len(long) // len(short)}

    def _aside(self, turn: float, radius: int) -> str:
        x, y = _around(turn, radius + 56)
        align = _align(turn)
        if align == "middle":
            y += 20 if cos(2 * pi * turn) < 0 else -16
        return self.ink.word(_NAMES, x + {"left": 13, "middle": 0, "right": -13}[align], y + 6, align, WORDS, loose=1)


def _middles(many: int, end: int = RIGHT) -> list[int]:
    return [LEFT + (2 * place + 1) * (end - LEFT) // (2 * many) for place in range(many)]


def _around(turn: float, far: float) -> tuple[float, float]:
    """The place so far from the middle of a pie."""
    return 410 + far * sin(2 * pi * turn), 318 - far * cos(2 * pi * turn)


def _below(place: tuple[float, float]) -> tuple[float, float]:
    return place[0], place[1] + 6


def _align(turn: float) -> str:
    across = sin(2 * pi * turn)
    return "middle" if abs(across) < 0.2 else "left" if across > 0 else "right"
