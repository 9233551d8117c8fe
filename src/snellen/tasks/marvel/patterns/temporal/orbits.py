"""Marks that step round: over the sectors of a polygon or the petals of a flower, and over the cells of a grid.

In a grid, too, each keeps to a ring of its own: they never hide each other, whatever their steps.
"""

from functools import lru_cache

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, SMALL, Mark, Spot
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
from snellen.tasks.marvel.patterns.temporal.wheels import LANES, at, mover, wheel
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish


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


def ring(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Cells or figures go round the rings of a grid: one round the border, a second one round the ring within."""
    many = min(wish.rules, 2)
    width = rng.choice((3, 4, 5) if many == 1 else (4, 5))
    rings = [ring_cells(width, inset) for inset in range(many)]
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
            return [grid(width, dict(zip(cells, fills, strict=False)))]
        put = [at(thing, cell_spot(width, cell), c) for thing, cell, c in zip(things, cells, colours, strict=False)]
        return [grid(width, {}), *put]

    rule = f"{opening(wish)} {listed([around_words(t) for t in tracks])} around the grid."
    return tell(rng, wish, MovingScene("ring", tracks, show, rule))
