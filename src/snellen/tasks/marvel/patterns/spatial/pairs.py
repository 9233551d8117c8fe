"""Two figures of equal rank: apart, touching, overlapping or one in the other; and which stands on which side."""

from collections.abc import Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob, moved
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, kinds_for, tell
from snellen.tasks.marvel.patterns.spatial.shapes import ROUND, Reach, lobed, reach
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, SMALL, Mark, Spot, around, figure
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_CLOSE = ("apart", "touching", "overlapping", "one in the other")
_AXES = ("side by side", "one above the other")
_SIZES = ((31, 31), (31, 23), (23, 31))
_OUTER = 56
_INNER = {"cross": 13, "diamond": 15, "rectangle": 18, "ellipse": 18}
"""How large a figure may be within these; in others more."""


def pair(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """How close two figures come to each other; with a second rule also whether they stand or lie."""
    panels = wish.lines * wish.length
    kinds = [rng.choice(([a, b], [a, a])) for a, b in kinds_for(rng, wish, ROUND, 2)]
    shapes = [[_Shape(rng, wish.shapes, kind) for kind in two] for two in kinds]
    axes = [rng.choice(_AXES) for _ in range(panels)]
    sizes = [rng.choice(_SIZES) for _ in range(panels)]
    colours = rng.sample(COLOURS, 2)

    def show(values: Values, number: int) -> list[Mark]:
        one, two = shapes[number]
        if values[0] == _CLOSE[3]:
            marks = [one.at((MIDDLE, MIDDLE), _OUTER), two.at((MIDDLE, MIDDLE), one.room)]
        else:
            axis = values[1] if len(values) > 1 else axes[number]
            marks = _placed((one, two), sizes[number], values[0], axis, wish.near)
        return [mark | {"colour": colour} for mark, colour in zip(marks, colours, strict=True)]

    if wish.rules == 1:
        aspects: tuple[RelationAspect, ...] = (RelationAspect("the two figures are", _CLOSE),)
    else:
        aspects = RelationAspect("the two figures are", _CLOSE[:3]), RelationAspect("they stand", _AXES)
    return tell(rng, wish, RelationTheme("pair", aspects, show))


class _Shape:
    """A figure or an abstract shape that can be had in any size."""

    def __init__(self, rng: Stream, shapes: str, kind: str) -> None:
        self.kind = kind
        self.room = 18 if shapes == "abstract" else _INNER.get(kind, 24)
        self.lobes = lobed(rng, 60, 0.3) if shapes == "abstract" else None

    def reach(self, size: int) -> Reach:
        if self.lobes is None:
            return reach(self.kind, size)
        up, right, down, left = (round(far * size / 60) for far in self.lobes[1])
        return up, right, down, left

    def at(self, spot: Spot, size: int) -> Mark:
        if self.lobes is None:
            return figure(self.kind, spot, size)
        points = [[round(x * size / 60), round(y * size / 60)] for x, y in self.lobes[0]["points"]]
        return moved(self.lobes[0] | {"points": points}, *spot)


def _placed(shapes: Sequence[_Shape], sizes: tuple[int, int], close: str, axis: str, near: bool) -> list[Mark]:
    """Two figures along an axis through the middle of the panel."""
    upright = axis == _AXES[1]
    first, second = (shape.reach(size) for shape, size in zip(shapes, sizes, strict=True))
    ahead, behind = (first[2], second[0]) if upright else (first[1], second[3])
    apart = {"apart": 10 if near else 15, "touching": 0}.get(close, -round(min(ahead, behind) * (0.6 if near else 0.9)))
    before, after = (first[0], second[2]) if upright else (first[3], second[1])
    whole = before + ahead + apart + behind + after
    start = MIDDLE - whole // 2 + before
    end = start + ahead + apart + behind
    spots = [(MIDDLE, start), (MIDDLE, end)] if upright else [(start, MIDDLE), (end, MIDDLE)]
    return [shape.at(spot, size) for shape, spot, size in zip(shapes, spots, sizes, strict=True)]


_COMPASS = (
    "above",
    "above and to the right of",
    "to the right of",
    "below and to the right of",
    "below",
    "below and to the left of",
    "to the left of",
    "above and to the left of",
)
_LARGE, _EQUAL, _LITTLE = 28, 22, 15


def beside(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """On which side of the white figure the black one stands; with a second rule also which of them is larger."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "hexagon", "moon", "drop", "ellipse", "rectangle"), 2)
    blobs = [[blob(rng, 0, 0, 28) for _ in two] for two in kinds] if wish.shapes == "abstract" else []
    colour = rng.choice(COLOURS)
    first = rng.below(8)
    pool = [(first + (i if wish.near else 2 * i)) % 8 for i in range(4)]
    sides = RelationAspect("the black figure is", tuple(f"{_COMPASS[i]} the white one" for i in pool))

    def show(values: Values, number: int) -> list[Mark]:
        degrees = 45 * pool[sides.values.index(values[0])]
        sizes = (
            [_EQUAL, _EQUAL] if len(values) < 2 else [_LARGE, _LITTLE] if values[1] == "larger" else [_LITTLE, _LARGE]
        )
        marks = []
        for i, (fill, away) in enumerate((("black", 0), ("white", 180))):
            spot = around(42, degrees + away)
            if blobs:
                marks.append(_blot(blobs[number][i], spot, sizes[i], fill))
            else:
                marks.append(figure(kinds[number][i], spot, sizes[i], fill))
        return [marks[0] | {"colour": colour}, marks[1]]

    aspects = (sides,) if wish.rules == 1 else (sides, RelationAspect("the black figure is", ("larger", "smaller")))
    return tell(rng, wish, RelationTheme("beside", aspects, show))


def _blot(mark: Mark, spot: Spot, size: int, fill: str) -> Mark:
    points = [[round(x * size / 28), round(y * size / 28)] for x, y in mark["points"]]
    return moved(mark | {"points": points, "fill": fill}, *spot)
