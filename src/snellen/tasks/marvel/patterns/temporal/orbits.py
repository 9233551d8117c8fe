"""Marks that go round or slide: over the sectors of a wheel, the rings of a grid, its rows and columns, a square.

A wheel is a polygon cut into sectors, or a flower with petals, and marks keep each to a lane of their own in it: in the
sectors, outside them, and the sector itself, shaded (in a flower: a dot where the petal begins). In a grid, too, each
keeps to a ring of its own: they never hide each other, whatever their steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from snellen.rng import Stream
from snellen.tasks.marvel.marks import (
    CENTRE,
    COLOURS,
    MIDDLE,
    SMALL,
    Mark,
    Spot,
    around,
    figure,
    grid,
    line,
    moved,
    path,
)
from snellen.tasks.marvel.patterns.choices import in_words
from snellen.tasks.marvel.patterns.clutter import corner_clutter
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.temporal.tracks import (
    MovementTrack,
    MovingScene,
    Places,
    around_words,
    listed,
    opening,
    steps_for,
    tell,
)
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

LANES = ("inner", "outer", "shade")
_NAMES = {4: "square", 5: "pentagon", 6: "hexagon", 8: "octagon"}


def mover(rng: Stream, shapes: str, kind: str, size: int, fill: str) -> Mark:
    """A mark at the panel's origin, to be put somewhere by `moved`."""
    if shapes == "abstract":
        return blob(rng, 0, 0, size + 3, fill=fill)
    return figure(kind, (0, 0), size, fill)


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
        ends = self._corners()
        drawn = [self._flower()] if self.abstract else [path(ends), *(line(CENTRE, end) for end in ends)]
        for lane, place, colour in zip(lanes, places, colours, strict=False):
            mark = self._mark(lane, place) | {"colour": colour}
            drawn.insert(0 if lane == "shade" and not self.abstract else len(drawn), mark)
        return drawn

    def _edge(self, place: float) -> float:
        """The direction in which a sector starts; a square has a side, not a corner, on top."""
        return (-45 if self.sides == 4 else 0) + 360 * place / self.sides

    def _corners(self) -> list[Spot]:
        return [around(self.radius, self._edge(i)) for i in range(self.sides)]

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
            return moved(self.movers[lane], around(64, middle))
        if lane == "inner":
            share = 0.74 if self.abstract else 0.45 if self.sides == 4 else 0.58
            return moved(self.movers[lane], around(self.radius * share, middle))
        if self.abstract:
            return figure("circle", around(16, middle), 6, "grey")
        ends = self._corners()
        return path((CENTRE, ends[place], ends[(place + 1) % self.sides]), fill="grey")


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


def orbit(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Marks go round a polygon's sectors or a flower's petals, each with its own step."""
    sides = rng.choice((4, 5, 6) if wish.shapes == "abstract" else (4, 5, 6, 8))
    lanes = [LANES[i] for i in sorted(rng.sample(range(3), wish.rules))]
    round_it = wheel(rng, wish.shapes, sides, lanes)
    colours = rng.sample(COLOURS, 3)
    tracks = tuple(MovementTrack(round_it.who[lane], round_it.place, sides, steps_for(rng, sides, 2)) for lane in lanes)

    def show(places: Places, row: int) -> list[Mark]:
        return round_it.marks(lanes, places, colours)

    rule = f"{opening(wish)} {listed([around_words(t) for t in tracks])} around the {round_it.name}."
    return tell(rng, wish, MovingScene("orbit", tracks, show, rule))


@lru_cache(maxsize=16)
def _ring_cells(width: int, inset: int) -> tuple[tuple[int, int], ...]:
    """The cells (column, row) of a ring of a square grid, clockwise from its upper left."""
    low, high = inset, width - 1 - inset
    along = range(low, high)
    cells = [(i, low) for i in along] + [(high, i) for i in along]
    return tuple(cells + [(high + low - i, high) for i in along] + [(low, high + low - i) for i in along])


_CELLS = {3: 38, 4: 29, 5: 24}


def _square_grid(width: int, filled: dict[tuple[int, int], str]) -> Mark:
    """A square grid with signs in some of its cells (column, row)."""
    return grid(_CELLS[width], ["".join(filled.get((i, j), ".") for i in range(width)) for j in range(width)])


def _cell_spot(width: int, cell: tuple[int, int]) -> Spot:
    """The middle of a cell."""
    side = _CELLS[width]
    corner = MIDDLE - width * side // 2
    return corner + cell[0] * side + side // 2, corner + cell[1] * side + side // 2


def ring(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Cells or figures go round the rings of a grid: one round the border, a second one round the ring within."""
    many = min(wish.rules, 2)
    width = rng.choice((3, 4, 5) if many == 1 else (4, 5))
    rings = [_ring_cells(width, inset) for inset in range(many)]
    as_cells = wish.shapes == "geometric" and rng.chance()
    fills, kinds, colours = rng.sample(("#", "o"), 2), rng.sample(SMALL, 2), rng.sample(COLOURS, 2)
    looks = zip(kinds, ("black", "white"), strict=True)
    things = [mover(rng, wish.shapes, kind, 12 if width == 3 else 9, fill) for kind, fill in looks]
    noun = "cell" if as_cells else "blot"
    who = ["the outer " + noun, "the inner " + noun] if many == 2 else [f"the {'filled cell' if as_cells else noun}"]
    if not as_cells and wish.shapes == "geometric":
        who = [f"the {kind}" for kind in kinds[:many]]
    tracks = tuple(
        MovementTrack(name, "cell", len(cells), steps_for(rng, len(cells), 3))
        for name, cells in zip(who, rings, strict=True)
    )

    def show(places: Places, row: int) -> list[Mark]:
        cells = [cells[place] for cells, place in zip(rings, places, strict=True)]
        if as_cells:
            return [_square_grid(width, dict(zip(cells, fills, strict=False)))]
        put = [
            moved(thing, _cell_spot(width, cell)) | {"colour": colour}
            for thing, cell, colour in zip(things, cells, colours, strict=False)
        ]
        return [_square_grid(width, {}), *put]

    rule = f"{opening(wish)} {listed([around_words(t) for t in tracks])} around the grid."
    return tell(rng, wish, MovingScene("ring", tracks, show, rule))


_MOVES = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))


def _words(who: str, across: int, down: int) -> str:
    """ "the star moves one cell right and two down"."""
    parts = []
    if across:
        parts.append(f"{in_words(abs(across))} {'right' if across > 0 else 'left'}")
    if down:
        parts.append(f"{in_words(abs(down))} {'down' if down > 0 else 'up'}")
    return f"{who} moves {' and '.join(parts)}"


def slide(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """A figure slides over a grid, and with a second rule a grey cell as well."""
    many = min(wish.rules, 2)
    width = rng.choice((4, 5) if many == 2 or wish.lines == 1 else (3, 4, 5))
    kind = rng.choice(SMALL)
    thing = mover(rng, wish.shapes, kind, 12 if width == 3 else 9, "black")
    colour = rng.choice(COLOURS)
    moves = []
    for _ in range(many):
        across, down = rng.choice(_MOVES if width > 3 else _MOVES[:4])
        moves.append((across, down) if rng.chance() else (-across, -down))
    who = ["the blot" if wish.shapes == "abstract" else f"the {kind}", "the grey cell"][:many]
    tracks = []
    for name, (across, down) in zip(who, moves, strict=True):
        tracks.append(MovementTrack(name, "column", width, across, "sideways"))
        tracks.append(MovementTrack(name, "row", width, down, "up or down"))

    def show(places: Places, row: int) -> list[Mark]:
        grey = {(places[2], places[3]): "o"} if many == 2 else {}
        return [_square_grid(width, grey), moved(thing, _cell_spot(width, (places[0], places[1]))) | {"colour": colour}]

    movements = listed([_words(name, *move) for name, move in zip(who, moves, strict=True)])
    rule = f"{opening(wish)} {movements}; what leaves the grid comes in again on the other side."
    free = (0, 1) if many == 1 else (rng.below(2), 2 + rng.below(2))
    return tell(rng, wish, MovingScene("slide", tuple(tracks), show, rule), free)


_CORNERS: tuple[Spot, ...] = tuple((MIDDLE + 40 * x, MIDDLE + 40 * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
_KINDS = (*SMALL, "moon", "arrow", "pentagon")


def carousel(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Four figures, one of them black, go round the corners of a square by one place; with a second rule a ring round
    one of the places goes its own way."""
    rows = []
    for _ in range(wish.lines):
        black = rng.below(CHOICES)
        fills = ["black" if i == black else "white" for i in range(CHOICES)]
        looks = zip(rng.sample(_KINDS, CHOICES), fills, strict=True)
        rows.append([mover(rng, wish.shapes, kind, 20, fill) for kind, fill in looks])
    names = ("the figures", "the ring")[: min(wish.rules, 2)]
    tracks = tuple(MovementTrack(name, "place", CHOICES, steps_for(rng, CHOICES, 1)) for name in names)
    colours, extra = rng.sample(COLOURS, 4), corner_clutter(rng, wish)

    def show(places: Places, row: int) -> list[Mark]:
        drawn = [
            moved(mark, _CORNERS[(places[0] + i) % CHOICES]) | {"colour": colours[i]}
            for i, mark in enumerate(rows[row])
        ]
        return drawn + [figure("circle", _CORNERS[place], 31) for place in places[1:]]

    told = " and ".join(around_words(track).replace("figures moves", "figures move") for track in tracks)
    rule = f"{opening(wish)} {told} around the square."
    return tell(rng, wish, MovingScene("carousel", tracks, show, rule), extra=extra)
