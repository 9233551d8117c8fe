"""A small figure inside a large one, on its edge or outside it; at a corner, a side, or in one of four directions."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import moved
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, kinds_for, tell
from snellen.tasks.marvel.patterns.spatial.shapes import beyond, lobed, reach
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, Mark, Spot, figure
from snellen.tasks.marvel.patterns.temporal.wheels import at, mover
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_WHERE = ("inside the large one", "on the edge of the large one", "outside the large one")
_SIDES = ("at the top", "on the right", "at the bottom", "on the left")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_POLYGONS = {"square": 38, "hexagon": 46, "triangle": 46, "pentagon": 46}
_EVEN = {"square": 44, "circle": 46, "hexagon": 48}
_LITTLE = ("circle", "square", "triangle", "star", "heart", "diamond")
_SMALL = 9


def _out(where: str, gap: int, sharp: float = 1.0) -> float:
    """How far the middle of the small figure is outside the edge; `sharp` makes room in a pointed corner."""
    return {_WHERE[0]: -(_SMALL + gap) * sharp, _WHERE[1]: 0.0, _WHERE[2]: float(_SMALL + gap)}[where]


def inside(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The small figure's place: inside, on the edge, outside; at a corner or a side, or up, right, down, left."""
    if wish.shapes == "abstract" or rng.chance():
        return _in_directions(rng, wish)
    return _at_corners(rng, wish)


def _at_corners(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    hosts = kinds_for(rng, wish, tuple(_POLYGONS), 1)
    little = kinds_for(rng, wish, _LITTLE, 1)
    places = [rng.below(12) for _ in hosts]
    fill, colour, gap = rng.choice(("black", "white", "grey")), rng.choice(COLOURS), 5 if wish.near else 8

    def show(values: Values, number: int) -> list[Mark]:
        host = hosts[number][0]
        size, corner = _POLYGONS[host], values[1] == "at a corner"
        sharp = {"triangle": 2.0, "square": 1.4}.get(host, 1.2) if corner else 1.0
        x, y = beyond(host, size, places[number], corner, _out(values[0], gap, sharp))
        spot = (x + MIDDLE, y + MIDDLE)
        return [figure(host, (MIDDLE, MIDDLE), size), figure(little[number][0], spot, _SMALL, fill, colour=colour)]

    place = RelationAspect("the small figure is", ("at a corner", "at a side"), wish.rules == 1)
    return tell(rng, wish, RelationTheme("inside", (RelationAspect("the small figure is", _WHERE), place), show))


def _in_directions(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    abstract = wish.shapes == "abstract"
    hosts = kinds_for(rng, wish, tuple(_EVEN), 1)
    little = kinds_for(rng, wish, _LITTLE, 1)
    lobes = [lobed(rng, 48, 0.44) for _ in hosts] if abstract else []
    fill, colour, gap = rng.choice(("black", "white", "grey")), rng.choice(COLOURS), 5 if wish.near else 8
    blot = mover(rng, wish.shapes, "circle", 8, fill)

    def show(values: Values, number: int) -> list[Mark]:
        side = _SIDES.index(values[1])
        if abstract:
            large, far = moved(lobes[number][0], MIDDLE, MIDDLE), lobes[number][1]
            return [large, at(blot, _spot(side, far[side] + _out(values[0], gap)), colour)]
        host = hosts[number][0]
        spot = _spot(side, reach(host, _EVEN[host])[side] + _out(values[0], gap))
        large = figure(host, (MIDDLE, MIDDLE), _EVEN[host])
        return [large, figure(little[number][0], spot, _SMALL, fill, colour=colour)]

    place = RelationAspect("the small figure is", _SIDES, wish.rules == 1)
    return tell(rng, wish, RelationTheme("inside", (RelationAspect("the small figure is", _WHERE), place), show))


def _spot(side: int, away: float) -> Spot:
    across, down = _STEPS[side]
    return MIDDLE + round(across * away), MIDDLE + round(down * away)
