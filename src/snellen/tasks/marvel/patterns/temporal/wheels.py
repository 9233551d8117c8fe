"""A wheel: a polygon cut into sectors, or a flower with petals, and marks that each keep to a lane of their own in it.

The lanes are: in the sectors, outside them, and the sector itself, shaded (in a flower: a dot where the petal begins).
Marks of different lanes never hide each other, wherever they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.temporal.marks import MIDDLE, SMALL, Mark, Spot, around, figure, line, path

LANES = ("inner", "outer", "shade")
_NAMES = {4: "square", 5: "pentagon", 6: "hexagon", 8: "octagon"}


def mover(rng: Stream, shapes: str, kind: str, size: int, fill: str) -> Mark:
    """A mark at the panel's origin, to be put somewhere by `at`."""
    if shapes == "abstract":
        return blob(rng, 0, 0, size + 3, fill=fill)
    return figure(kind, (0, 0), size, fill)


def at(mark: Mark, spot: Spot, colour: str = "") -> Mark:
    """The mark, made at the origin, at this spot."""
    put = moved(mark, *spot) if mark["shape"] == "path" else mark | {"x": spot[0], "y": spot[1]}
    return put | {"colour": colour} if colour else put


@dataclass(frozen=True, slots=True)
class Wheel:
    """`radius` is that of the polygon; `movers` go round in it and outside; `who` names the lanes."""

    sides: int
    abstract: bool
    radius: int
    movers: Mapping[str, Mark]
    who: Mapping[str, str]

    @property
    def name(self) -> str:
        return "flower" if self.abstract else _NAMES[self.sides]

    @property
    def place(self) -> str:
        return "petal" if self.abstract else "sector"

    def marks(self, lanes: Sequence[str], places: Sequence[int], colours: Sequence[str]) -> list[Mark]:
        """The wheel with the marks of these lanes at these places."""
        drawn = [self._flower()] if self.abstract else self._spokes()
        for lane, place, colour in zip(lanes, places, colours, strict=False):
            mark = self._mark(lane, place) | {"colour": colour}
            drawn.insert(0 if lane == "shade" and not self.abstract else len(drawn), mark)
        return drawn

    def _edge(self, place: float) -> float:
        """The direction in which a sector starts; a square has a side, not a corner, on top."""
        return (-45 if self.sides == 4 else 0) + 360 * place / self.sides

    def _corners(self) -> list[Spot]:
        return [around(self.radius, self._edge(i)) for i in range(self.sides)]

    def _spokes(self) -> list[Mark]:
        ends = self._corners()
        return [path(ends), *(line((MIDDLE, MIDDLE), end) for end in ends)]

    def _flower(self) -> Mark:
        points = []
        for i in range(self.sides):
            middle, out = self._edge(i + 0.5), self.radius
            points += [around(28, self._edge(i)), around(out, middle - 68 / self.sides)]
            points.append(around(out, middle + 68 / self.sides))
        return path(points, curved=True)

    def _mark(self, lane: str, place: int) -> Mark:
        middle = self._edge(place + 0.5)
        if lane == "outer":
            return at(self.movers[lane], around(64, middle))
        if lane == "inner":
            share = 0.74 if self.abstract else 0.45 if self.sides == 4 else 0.58
            return at(self.movers[lane], around(self.radius * share, middle))
        if self.abstract:
            return figure("circle", around(16, middle), 6, "grey")
        ends = self._corners()
        return path(((MIDDLE, MIDDLE), ends[place], ends[(place + 1) % self.sides]), fill="grey")


def wheel(rng: Stream, shapes: str, sides: int, lanes: Sequence[str]) -> Wheel:
    """A wheel as large as its lanes allow."""
    abstract = shapes == "abstract"
    wide = "outer" not in lanes
    radius = (66 if wide else 56) if abstract else (68 if sides == 4 else 66) if wide else (58 if sides == 4 else 52)
    kinds = rng.sample(SMALL, 2)
    size = 8 if sides == 8 and not wide else 10
    movers = {"inner": mover(rng, shapes, kinds[0], size, "black"), "outer": mover(rng, shapes, kinds[1], 7, "white")}
    names = (
        ("black blot", "white blot outside", "grey dot") if abstract else (f"black {kinds[0]}", f"{kinds[1]} outside")
    )
    words = (*names, "grey sector")[:3]
    return Wheel(
        sides, abstract, radius, movers, {lane: f"the {word}" for lane, word in zip(LANES, words, strict=True)}
    )
