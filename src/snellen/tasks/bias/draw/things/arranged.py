"""Things made of like parts: around a middle (stars, clocks), side by side (stripes, strings), in columns (cards)."""

from dataclasses import dataclass
from math import cos, hypot, radians, sin

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place
from snellen.tasks.bias.draw.things.inks import Coat, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.sketch import Sketch, outlines, pieces
from snellen.tasks.bias.draw.things.strokes_font import written


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a part goes: its sketch times `matrix` plus `shift`; and its neutral counterpart."""

    matrix: Points
    shift: Place
    mark: Mark

    def placed(self, outline: Points) -> Points:
        return np.asarray(outline @ self.matrix + np.array(self.shift))


@dataclass(frozen=True, slots=True)
class RingArrangement:
    """Parts around `middle`, spread over `sweep` degrees: a full circle, or an arc with the upward ray in its middle.

    The sketch of a part is the one that points up, in places seen from the middle. `mark`: from where to where along
    that ray, and how wide. `spins`: the first part may point anywhere, else up. `upright` parts keep their own
    direction wherever they are.
    """

    mark: tuple[float, float, float]
    middle: Place = (0, 0)
    sweep: float = 360
    spins: bool = True
    upright: bool = False

    def seats(self, count: int, look: ThingLook) -> list[Seat]:
        if self.sweep < 360:
            return [self.seat(self.sweep * (k / (count - 1) - 0.5) if count > 1 else 0) for k in range(count)]
        begin = look.stream("spin").between(0, 360) if self.spins else 0
        return [self.seat(begin + 360 * k / count) for k in range(count)]

    def seat(self, angle: float) -> Seat:
        c, s = cos(radians(angle)), sin(radians(angle))
        (x, y), (near, far, width) = self.middle, self.mark
        mark = Mark((x + s * near, y - c * near), (x + s * far, y - c * far), width)
        if self.upright:
            return Seat(np.eye(2), mark.begin, mark)
        return Seat(np.array([[c, s], [-s, c]]), self.middle, mark)


@dataclass(frozen=True, slots=True)
class RowArrangement:
    """Parts from `begin` to `end`, the outermost at the ends.

    With `inset` these keep half a step from the ends: a row that fills a case. With `pitch` parts are so far apart, in
    the middle between the ends. `grow`: by how much of itself the last part is higher than the first. `mark` is the
    neutral counterpart, seen from the part.
    """

    begin: Place
    end: Place
    mark: Mark
    inset: bool = False
    pitch: float = 0
    grow: float = 0

    def seats(self, count: int, look: ThingLook) -> list[Seat]:
        return [self._seat(self._share(number, count)) for number in range(count)]

    def _share(self, number: int, count: int) -> float:
        """Where on the way from beginning to end a part stands."""
        if self.pitch:
            length = hypot(self.end[0] - self.begin[0], self.end[1] - self.begin[1])
            return 0.5 + (number - (count - 1) / 2) * self.pitch / length
        if self.inset:
            return (number + 0.5) / count
        return number / (count - 1) if count > 1 else 0.5

    def _seat(self, share: float) -> Seat:
        x, y = (a + (b - a) * share for a, b in zip(self.begin, self.end, strict=True))
        (x0, y0), (x1, y1), high = self.mark.begin, self.mark.end, 1.0 + self.grow * share
        mark = Mark((x0 + x, y0 * high + y), (x1 + x, y1 * high + y), self.mark.width, self.mark.hollow)
        return Seat(np.diag((1.0, high)), (x, y), mark)


@dataclass(frozen=True, slots=True)
class ColumnArrangement:
    """Parts in columns at `across`, as many in each as `columns` says when their number is usual.

    Those of a column are `step` apart around its middle; the only one of a column stands there or at `single`.
    `flexible` are the columns that may get one more or less. With `lying` columns are rows. `width` is that of the
    neutral dots.
    """

    across: tuple[float, ...]
    columns: tuple[int, ...]
    step: float
    width: float
    flexible: tuple[int, ...]
    lying: bool = False
    single: float = 0

    def seats(self, count: int, look: ThingLook) -> list[Seat]:
        places = [
            (along, across) if self.lying else (across, along)
            for across, many in zip(self.across, self._lengths(count, look), strict=True)
            for along in self._along(many)
        ]
        return [Seat(np.eye(2), place, Mark(place, place, self.width)) for place in places]

    def _lengths(self, count: int, look: ThingLook) -> list[int]:
        """How many parts each column has."""
        columns = list(self.columns)
        order = list(self.flexible)
        look.stream("columns").shuffle(order)
        missing = count - sum(columns)
        for k in range(abs(missing)):
            columns[order[k % len(order)]] += 1 if missing > 0 else -1
        return columns

    def _along(self, many: int) -> list[float]:
        return [self.single] if many == 1 else [self.step * (k - (many - 1) / 2) for k in range(many)]


@dataclass(frozen=True, slots=True)
class Arranged:
    """A thing of parts in an arrangement: `part` is the sketch of one, `behind` and `over` what surrounds them."""

    part: Sketch
    arrangement: RingArrangement | RowArrangement | ColumnArrangement
    coats: tuple[Coat, ...]
    behind: Sketch = ()
    over: Sketch = ()
    joined: bool = False
    """Whether the parts and what is over them are one body for the outline."""
    edged: bool = True
    """Whether the outline style draws a line around the parts."""
    loose: bool = False
    """Whether what is over the parts is no body that holds them."""
    round: bool = True
    """Whether the shaded style shades it."""
    over_spins: bool = False
    """Whether what is over the parts may point anywhere around the middle of a ring."""
    lamps: tuple[str, ...] = ()
    """The inks that a part's ink "lamp" stands for, part by part."""
    signs: tuple[tuple[str, Place, float], ...] = ()
    """What is written on it: sign, place, height (upside down if below 0)."""


def arranged(thing: Arranged, count: int, look: ThingLook) -> ThingScene:
    inks = full_coat(look.stream("coat").choice(thing.coats))
    seats = thing.arrangement.seats(count, look)
    parts = [
        ColouredPiece(
            [seat.placed(line) for line in outlines(shape)], inks[_ink(thing, shape[1], number)], number, thing.round
        )
        for number, seat in enumerate(seats)
        for shape in thing.part
    ]
    signs = [ColouredPiece(_sign(*sign), inks["sign"], round=False) for sign in thing.signs]
    over = _over(thing, pieces(thing.over, inks, thing.round), look)
    if thing.joined:
        front = [Group(parts + over)]
    else:
        front = [Group(parts, thing.edged), Group(over, role="clutter" if thing.loose else "")]
    groups = [Group(pieces(thing.behind, inks, thing.round)), Group(signs, edged=False, role="sign"), *front]
    return ThingScene([group for group in groups if group.pieces], [seat.mark for seat in seats])


def _ink(thing: Arranged, ink: str, number: int) -> str:
    return thing.lamps[number % len(thing.lamps)] if ink == "lamp" else ink


def _over(thing: Arranged, over: list[ColouredPiece], look: ThingLook) -> list[ColouredPiece]:
    if not thing.over_spins or not isinstance(thing.arrangement, RingArrangement):
        return over
    seat = thing.arrangement.seat(look.stream("over").between(0, 360))
    return [ColouredPiece([seat.placed(line) for line in piece.outlines], piece.ink) for piece in over]


def _sign(sign: str, at: Place, height: float) -> list[Points]:
    if height > 0:
        return written(sign, at, height)
    return [2 * np.array(at) - line for line in written(sign, at, -height)]
