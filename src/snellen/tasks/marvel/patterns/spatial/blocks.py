"""Several figures in a fixed order: which two of a block of four are alike, and where the black one of three stands."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, kinds_for, tell
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, SMALL, Mark, figure
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
    blobs = [_three_blobs(rng) for _ in kinds] if wish.shapes == "abstract" else []
    pairs = RelationAspect("the two figures that are alike stand", tuple(_PAIRS))

    def show(values: Values, number: int) -> list[Mark]:
        alike = _PAIRS[values[0]]
        rest = iter((1, 2))
        marks = []
        for place, spot in enumerate(_SPOTS):
            which = 0 if place in alike else next(rest)
            fill = values[1] if len(values) > 1 and place in alike else "white"
            if blobs:
                marks.append(moved(blobs[number][which] | {"fill": fill}, *spot))
            else:
                marks.append(figure(kinds[number][which], spot, 24, fill))
        return marks

    fills = RelationAspect("they are", ("black", "white", "striped"))
    return tell(rng, wish, RelationTheme("block", (pairs,) if wish.rules == 1 else (pairs, fills), show))


def _three_blobs(rng: Stream) -> list[Mark]:
    """Three that are told apart by how many corners they have."""
    return [blob(rng, 0, 0, 28, points) for points in rng.sample((5, 6, 8, 10), 3)]


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
    colour = rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        across, down = _AXES[values[1]]
        black = _ENDS.index(values[0])
        others = iter((1, 2))
        marks = []
        for place in range(3):
            spot = MIDDLE + 48 * across * (place - 1), MIDDLE + 48 * down * (place - 1)
            which = 0 if place == black else next(others)
            fill = "black" if place == black else "white"
            if blobs:
                mark = moved(blobs[number][which] | {"fill": fill}, *spot)
            else:
                mark = figure(kinds[number][which], spot, 20, fill)
            marks.append(mark | {"colour": colour} if place == black else mark)
        return marks

    line = RelationAspect("the figures run", tuple(_AXES), wish.rules == 1)
    return tell(rng, wish, RelationTheme("order", (RelationAspect("the black figure is", _ENDS), line), show))
