"""An arrow and a figure: it points at it, away from it, or past it on either side."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, kinds_for, tell
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, SMALL, Mark, around, figure
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_POINTS = ("at the figure", "past the figure on its left", "away from the figure", "past the figure on its right")
"""Each a quarter turn clockwise on from the one before: with the figure to the left of where it points, and so on."""
_SIZES = {"larger": (30, 18), "smaller": (20, 30)}


def arrows(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Where the arrow points; with a second rule also whether it is larger than the figure."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "moon"), 1)
    blobs = [blob(rng, 0, 0, 30) for _ in kinds] if wish.shapes == "abstract" else []
    ways = [45 * rng.below(8) for _ in kinds]
    fill, colour = rng.choice(("black", "grey", "white")), rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        large, small = _SIZES[values[1]] if len(values) > 1 else (26, 24)
        turn = ways[number] + 90 * _POINTS.index(values[0])
        arrow = figure("arrow", around(42, ways[number] + 180), large, fill, turn=turn, colour=colour)
        spot = around(42, ways[number])
        if blobs:
            points = [[round(x * small / 30), round(y * small / 30)] for x, y in blobs[number]["points"]]
            return [arrow, moved(blobs[number] | {"points": points, "fill": "white"}, *spot)]
        return [arrow, figure(kinds[number][0], spot, small, "white")]

    aspects: tuple[RelationAspect, ...] = (RelationAspect("the arrow points", _POINTS),)
    if wish.rules > 1:
        aspects = (*aspects, RelationAspect("the arrow is the", tuple(_SIZES)))
    return tell(rng, wish, RelationTheme("arrows", aspects, show))
