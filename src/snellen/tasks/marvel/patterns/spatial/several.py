"""Three or four figures: which two of a block are alike, where the black one of three stands, what lies between two."""

from math import cos, radians, sin

from snellen.rng import Stream
from snellen.tasks.marvel.marks import COLOURS, MIDDLE, SMALL, Mark, Spot, figure
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.spatial.relations import FigureCast, RelationAspect, Values, kinds_for, tell
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_KINDS = (*SMALL, "pentagon", "moon", "arrow")
_SPOTS = ((56, 56), (124, 56), (56, 124), (124, 124))
_PAIRS = {
    "on the falling diagonal": (0, 3),
    "on the rising diagonal": (1, 2),
    "in the upper row": (0, 1),
    "in the lower row": (2, 3),
    "in the left column": (0, 2),
    "in the right column": (1, 3),
}


def block(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Two of four figures are alike: where they stand, and with a second rule also their fill."""
    kinds = kinds_for(rng, wish, _KINDS, 3)
    cast = FigureCast(kinds)
    if wish.shapes == "abstract":  # told apart by how many corners they have
        cast = FigureCast(
            kinds, [[blob(rng, 0, 0, 28, corners) for corners in rng.sample((5, 6, 8, 10), 3)] for _ in kinds]
        )

    def show(values: Values, number: int) -> list[Mark]:
        alike, rest = _PAIRS[values[0]], iter((1, 2))
        marks = []
        for place, spot in enumerate(_SPOTS):
            fill = values[1] if len(values) > 1 and place in alike else "white"
            marks.append(cast.put(number, 0 if place in alike else next(rest), spot, 24, fill))
        return marks

    pairs = RelationAspect("the two figures that are alike stand", tuple(_PAIRS))
    fills = RelationAspect("they are", ("black", "white", "striped"))
    return tell(rng, wish, "block", show, *((pairs,) if wish.rules == 1 else (pairs, fills)))


_ENDS = ("first in line", "in the middle", "last in line")
_AXES = {
    "from left to right": (1, 0),
    "from top to bottom": (0, 1),
    "falling to the right": (1, 1),
    "rising to the right": (1, -1),
}


def order(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Three figures in a line: where the black one stands among them, and how the line runs."""
    kinds = kinds_for(rng, wish, _KINDS, 3)
    blobs = [[blob(rng, 0, 0, 22) for _ in three] for three in kinds] if wish.shapes == "abstract" else []
    cast, colour = FigureCast(kinds, blobs), rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        (across, down), black, others = _AXES[values[1]], _ENDS.index(values[0]), iter((1, 2))
        marks = []
        for place in range(3):
            spot = MIDDLE + 48 * across * (place - 1), MIDDLE + 48 * down * (place - 1)
            if place == black:
                marks.append(cast.put(number, 0, spot, 20, "black") | {"colour": colour})
            else:
                marks.append(cast.put(number, next(others), spot, 20, "white"))
        return marks

    line = RelationAspect("the figures run", tuple(_AXES), wish.rules == 1)
    return tell(rng, wish, "order", show, RelationAspect("the black figure is", _ENDS), line)


_WHERE = ("between the large ones", "beyond the black one", "beyond the white one", "off to one side")
_ALONG = {  # where black, white and small stand on the line through them, and how far the small one is off it
    _WHERE[0]: (-44, 44, 0, 0),
    _WHERE[1]: (-12, 48, -56, 0),
    _WHERE[2]: (-48, 12, 56, 0),
    _WHERE[3]: (-34, 34, 0, 46),
}


def between(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Where the small figure is; with a second rule also its fill."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "moon"), 2)
    little = kinds_for(rng, wish, ("circle", "square"), 1)
    blobs = [[blob(rng, 0, 0, 23) for _ in two] for two in kinds] if wish.shapes == "abstract" else []
    cast = FigureCast(kinds, blobs)
    ways, sides = [45 * rng.below(8) for _ in kinds], [rng.choice((-1, 1)) for _ in kinds]
    colour = rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        black, white, small, off = _ALONG[values[0]]
        fill = values[1] if len(values) > 1 else "grey"
        place = _spot(ways[number], small, off * sides[number])
        return [
            cast.put(number, 0, _spot(ways[number], black, 0), 20, "black"),
            cast.put(number, 1, _spot(ways[number], white, 0), 20, "white"),
            figure(little[number][0], place, 11, fill, colour=colour),
        ]

    aspects = RelationAspect("the small figure is", _WHERE), RelationAspect("it is", ("black", "white"))
    return tell(rng, wish, "between", show, *aspects[: min(wish.rules, 2)])


def _spot(degrees: int, along: float, off: float) -> Spot:
    """So far along a line through the middle of the panel, and so far off it."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return round(round(MIDDLE + along * c - off * s, 3)), round(round(MIDDLE + along * s + off * c, 3))
