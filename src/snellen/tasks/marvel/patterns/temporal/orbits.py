"""Marks that step round: over the sectors of a polygon or the petals of a flower, and over the cells of a grid.

In a polygon each mark keeps to a lane of its own (in the sectors, outside, the shade of a sector), in a grid to a ring
of its own: they never hide each other, whatever their steps.
"""

from functools import lru_cache

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.temporal.marks import (
    COLOURS,
    MIDDLE,
    SMALL,
    Mark,
    Spot,
    around,
    figure,
    line,
    path,
)
from snellen.tasks.marvel.patterns.temporal.tracks import (
    Places,
    Scene,
    Track,
    around_words,
    listed,
    opening,
    steps_for,
    tell,
)
from snellen.tasks.marvel.puzzle import Draft, Wish

_NAMES = {4: "square", 5: "pentagon", 6: "hexagon", 8: "octagon"}
_RADIUS = {4: 58, 5: 54, 6: 52, 8: 52}
_LANES = ("inner", "outer", "shade")


@lru_cache(maxsize=64)
def corners(sides: int, radius: float) -> tuple[Spot, ...]:
    """The corners of a regular polygon, the first sector's first; a side (not a corner) of a square is on top."""
    first = -45 if sides == 4 else 0
    return tuple(around(radius, first + 360 * i / sides) for i in range(sides))


def _between(sides: int, place: int) -> float:
    """The direction of the middle of a sector."""
    return (-45 if sides == 4 else 0) + 360 * (place + 0.5) / sides


def spokes(sides: int, radius: float) -> list[Mark]:
    """A polygon cut into sectors."""
    ends = corners(sides, radius)
    return [path(ends), *(line((MIDDLE, MIDDLE), end) for end in ends)]


def flower(sides: int) -> list[Mark]:
    """A closed curve with so many petals."""
    points = []
    for i in range(sides):
        points += [around(28, _between(sides, i) - 180 / sides), around(57, _between(sides, i) - 68 / sides)]
        points.append(around(57, _between(sides, i) + 68 / sides))
    return [path(points, curved=True)]


def mover(turn: Stream, shapes: str, kind: str, size: int, fill: str) -> Mark:
    """A mark at the panel's origin, to be put somewhere by `at`."""
    if shapes == "abstract":
        return blob(turn, 0, 0, size + 3, fill=fill)
    return figure(kind, (0, 0), size, fill)


def at(mark: Mark, spot: Spot, colour: str = "") -> Mark:
    """The mark, made at the origin, at this spot."""
    put = moved(mark, *spot) if mark["shape"] == "path" else mark | {"x": spot[0], "y": spot[1]}
    return put | {"colour": colour} if colour else put


def orbit(turn: Stream, wish: Wish) -> Draft:
    """Marks go round a polygon's sectors or a flower's petals, each with its own step."""
    abstract = wish.shapes == "abstract"
    sides = turn.choice((4, 5, 6) if abstract else (4, 5, 6, 8))
    lanes = [_LANES[i] for i in sorted(turn.sample(range(3), wish.rules))]
    kinds = turn.sample(SMALL, 2)
    size = 8 if sides == 8 else 10
    things = {
        "inner": mover(turn, wish.shapes, kinds[0], size, "black"),
        "outer": mover(turn, wish.shapes, kinds[1], 7, "white"),
    }
    colours = turn.sample(COLOURS, 3)
    place = "petal" if abstract else "sector"
    who = _lane_words(abstract, kinds)
    tracks = tuple(Track(who[lane], place, sides, steps_for(turn, sides, 2)) for lane in lanes)

    def show(places: Places, row: int) -> list[Mark]:
        marks = list(frame(sides, abstract))
        for lane, where, colour in zip(lanes, places, colours, strict=False):
            mark = lane_mark(lane, sides, where, abstract, things) | {"colour": colour}
            marks.insert(0 if lane == "shade" and not abstract else len(marks), mark)
        return marks

    frame_name = "flower" if abstract else _NAMES[sides]
    rule = f"{opening(wish)} {listed([around_words(t) for t in tracks])} around the {frame_name}."
    return tell(turn, wish, Scene("orbit", tracks, show, rule))


def _lane_words(abstract: bool, kinds: list[str]) -> dict[str, str]:
    if abstract:
        return {"inner": "the black blot", "outer": "the white blot outside", "shade": "the dot in the middle"}
    return {"inner": f"the black {kinds[0]}", "outer": f"the white {kinds[1]} outside", "shade": "the grey sector"}


def frame(sides: int, abstract: bool) -> list[Mark]:
    """What the marks go round."""
    return flower(sides) if abstract else spokes(sides, _RADIUS[sides])


def lane_mark(lane: str, sides: int, place: int, abstract: bool, things: dict[str, Mark]) -> Mark:
    """The mark of a lane at this place."""
    if lane == "shade":
        return _shade(sides, place, abstract)
    if lane == "outer":
        return at(things[lane], around(64, _between(sides, place)))
    reach = 42 if abstract else _RADIUS[sides] * (0.45 if sides == 4 else 0.56)
    return at(things[lane], around(reach, _between(sides, place)))


def _shade(sides: int, place: int, abstract: bool) -> Mark:
    """A grey sector; in a flower, a dot where the petal begins."""
    if abstract:
        return figure("circle", around(16, _between(sides, place)), 6, "grey")
    ends = corners(sides, _RADIUS[sides])
    return path(((MIDDLE, MIDDLE), ends[place], ends[(place + 1) % sides]), fill="grey")


@lru_cache(maxsize=16)
def ring_cells(width: int, inset: int) -> tuple[tuple[int, int], ...]:
    """The cells (column, row) of a ring of a square grid, clockwise from its upper left."""
    low, high = inset, width - 1 - inset
    along = range(low, high)
    cells = [(i, low) for i in along] + [(high, i) for i in along]
    return tuple(cells + [(high + low - i, high) for i in along] + [(low, high + low - i) for i in along])


_CELLS = {3: 38, 4: 29, 5: 24}


def grid(width: int, filled: dict[tuple[int, int], str]) -> Mark:
    """A square grid in the middle of the panel."""
    cell = _CELLS[width]
    rows = ["".join(filled.get((i, j), ".") for i in range(width)) for j in range(width)]
    corner = MIDDLE - width * cell // 2
    return {"shape": "grid", "x": corner, "y": corner, "cell": cell, "rows": rows}


def cell_spot(width: int, cell: tuple[int, int]) -> Spot:
    """The middle of a cell."""
    side = _CELLS[width]
    corner = MIDDLE - width * side // 2
    return corner + cell[0] * side + side // 2, corner + cell[1] * side + side // 2


def ring(turn: Stream, wish: Wish) -> Draft:
    """Cells or figures go round the rings of a grid: one round the border, a second one round the ring within."""
    many = min(wish.rules, 2)
    width = turn.choice((3, 4) if many == 1 else (4, 5))
    rings = [ring_cells(width, inset) for inset in range(many)]
    as_cells = wish.shapes == "geometric" and turn.chance()
    fills, kinds, colours = turn.sample(("#", "o"), 2), turn.sample(SMALL, 2), turn.sample(COLOURS, 2)
    things = [mover(turn, wish.shapes, kind, 12 if width == 3 else 9, "black") for kind in kinds]
    noun = "cell" if as_cells else "blot"
    who = ["the outer " + noun, "the inner " + noun] if many == 2 else [f"the {'filled cell' if as_cells else noun}"]
    if not as_cells and wish.shapes == "geometric":
        who = [f"the {kind}" for kind in kinds[:many]]
    tracks = tuple(
        Track(name, "cell", len(cells), steps_for(turn, len(cells), 3)) for name, cells in zip(who, rings, strict=True)
    )

    def show(places: Places, row: int) -> list[Mark]:
        cells = [cells[place] for cells, place in zip(rings, places, strict=True)]
        if as_cells:
            return [grid(width, dict(zip(cells, fills, strict=False)))]
        put = [at(thing, cell_spot(width, cell), c) for thing, cell, c in zip(things, cells, colours, strict=False)]
        return [grid(width, {}), *put]

    rule = f"{opening(wish)} {listed([around_words(t) for t in tracks])} around the grid."
    return tell(turn, wish, Scene("ring", tracks, show, rule))
