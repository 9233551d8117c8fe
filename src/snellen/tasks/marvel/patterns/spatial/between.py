"""A black figure, a white one and a small one: between them, beyond one of them, or off to one side."""

from math import cos, radians, sin

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, kinds_for, tell
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, SMALL, Mark, figure
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_WHERE = ("between the large ones", "beyond the black one", "beyond the white one", "off to one side")
_ALONG = {  # where black, white and small stand on the line through them, and how far the small one is off it
    _WHERE[0]: (-44, 44, 0, 0),
    _WHERE[1]: (-12, 48, -56, 0),
    _WHERE[2]: (-48, 12, 56, 0),
    _WHERE[3]: (-34, 34, 0, 46),
}
_LITTLE = ("circle", "square")


def between(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Where the small figure is; with a second rule also its fill."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "moon"), 2)
    little = kinds_for(rng, wish, _LITTLE, 1)
    blobs = [[blob(rng, 0, 0, 23) for _ in two] for two in kinds] if wish.shapes == "abstract" else []
    ways, sides = [45 * rng.below(8) for _ in kinds], [rng.choice((-1, 1)) for _ in kinds]
    colour = rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        black, white, small, off = _ALONG[values[0]]
        spots = [_spot(ways[number], along, 0) for along in (black, white)]
        marks = []
        for i, (spot, fill) in enumerate(zip(spots, ("black", "white"), strict=True)):
            if blobs:
                marks.append(moved(blobs[number][i] | {"fill": fill}, *spot))
            else:
                marks.append(figure(kinds[number][i], spot, 20, fill))
        fill = values[1] if len(values) > 1 else "grey"
        place = _spot(ways[number], small, off * sides[number])
        return [*marks, figure(little[number][0], place, 11, fill, colour=colour)]

    aspects: tuple[RelationAspect, ...] = (RelationAspect("the small figure is", _WHERE),)
    if wish.rules > 1:
        aspects = (*aspects, RelationAspect("it is", ("black", "white")))
    return tell(rng, wish, RelationTheme("between", aspects, show))


def _spot(degrees: int, along: float, off: float) -> tuple[int, int]:
    """So far along a line through the middle of the panel, and so far off it; rounded twice, as sines differ."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return round(round(MIDDLE + along * c - off * s, 3)), round(round(MIDDLE + along * s + off * c, 3))
