"""Two figures: one in the other or outside, how close they come, on which side; an arrow; two strokes.

A small figure is inside a large one, on its edge or outside it, at a corner, a side, or in one of four directions. Two
of equal rank are apart, touching, overlapping or one in the other. Two strokes cross, end on each other, meet or stay
apart.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import hypot, isqrt

from snellen.rng import Stream
from snellen.tasks.marvel.draw.figures import outline
from snellen.tasks.marvel.marks import (
    CENTRE,
    COLOURS,
    MIDDLE,
    SMALL,
    Mark,
    Spot,
    around,
    figure,
    line,
    moved,
    path,
    spun,
)
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.spatial.relations import FigureCast, RelationAspect, Values, kinds_for, tell
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

Reach = tuple[int, int, int, int]
"""How far a figure reaches from its middle: up, right, down, left, straight along the axes."""

ROUND = ("circle", "square", "diamond", "hexagon", "cross", "ellipse", "rectangle")
"""Figures that reach farthest straight along the axes: two of them side by side touch where they should."""


@lru_cache(maxsize=256)
def reach(kind: str, size: int) -> Reach:
    points = outline(kind, size)
    across, down = round(float(points[:, 0].max())), round(float(points[:, 1].max()))
    return down, across, down, across


def beyond(kind: str, size: int, place: int, corner: bool, out: float) -> Spot:
    """The spot `out` pixels outside a corner or the middle of a side of a polygon (inside if negative)."""
    ends = outline(kind, size).tolist()
    (x, y), (x2, y2) = ends[place % len(ends)], ends[(place + 1) % len(ends)]
    middle_x, middle_y = sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends)
    if not corner:
        x, y = (x + x2) / 2, (y + y2) / 2
    away = hypot(x - middle_x, y - middle_y)
    share = 1 + out / away
    return (
        round(round(middle_x + (x - middle_x) * share, 3)),
        round(round(middle_y + (y - middle_y) * share, 3)),
    )


def lobed(rng: Stream, size: int, waist: float) -> tuple[Mark, Reach]:
    """A closed curve with four uneven lobes around the origin, and how far they reach; a small `waist` parts them more.

    The curve's neighbours of each tip are level with each other, so the tip is exactly where the curve turns back.
    """
    up, right, down, left = (round(size * rng.between(0.76, 1)) for _ in range(4))
    top, east, bottom, west = (round(size * rng.between(waist, 0.62)) for _ in range(4))
    points = [(0, -up), (east, -top), (right, 0), (east, bottom), (0, down), (-west, bottom), (-left, 0), (-west, -top)]
    return path(points, curved=True), (up, right, down, left)


# --- inside ---

_WHERE = ("inside the large one", "on the edge of the large one", "outside the large one")
_SIDES = ("at the top", "on the right", "at the bottom", "on the left")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_POLYGONS = {"square": 38, "hexagon": 46, "triangle": 46, "pentagon": 46}
_EVEN = {"square": 44, "circle": 46, "hexagon": 48}
_LITTLE = ("circle", "square", "triangle", "star", "heart", "diamond")
_SMALL = 9


def inside(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The small figure's place: inside, on the edge, outside; at a corner or a side, or up, right, down, left."""
    abstract = wish.shapes == "abstract"
    in_directions = abstract or rng.chance()
    hosts = kinds_for(rng, wish, tuple(_EVEN if in_directions else _POLYGONS), 1)
    little = kinds_for(rng, wish, _LITTLE, 1)
    lobes = [lobed(rng, 48, 0.44) for _ in hosts] if abstract else []
    places = [] if in_directions else [rng.below(12) for _ in hosts]
    fill, colour, gap = rng.choice(("black", "white", "grey")), rng.choice(COLOURS), 5 if wish.near else 8
    blot = blob(rng, 0, 0, 11, fill=fill) if abstract else {}

    def at_corner(values: Values, number: int) -> list[Mark]:
        host, corner = hosts[number][0], values[1] == "at a corner"
        sharp = {"triangle": 2.0, "square": 1.4}.get(host, 1.2) if corner else 1.0
        x, y = beyond(host, _POLYGONS[host], places[number], corner, _out(values[0], gap, sharp))
        small = figure(little[number][0], (x + MIDDLE, y + MIDDLE), _SMALL, fill, colour=colour)
        return [figure(host, CENTRE, _POLYGONS[host]), small]

    def in_direction(values: Values, number: int) -> list[Mark]:
        side, host = _SIDES.index(values[1]), hosts[number][0]
        across, down = _STEPS[side]
        far = (lobes[number][1] if abstract else reach(host, _EVEN[host]))[side] + _out(values[0], gap)
        spot = MIDDLE + round(across * far), MIDDLE + round(down * far)
        if abstract:
            return [moved(lobes[number][0], CENTRE), moved(blot, spot) | {"colour": colour}]
        small = figure(little[number][0], spot, _SMALL, fill, colour=colour)
        return [figure(host, CENTRE, _EVEN[host]), small]

    what, steady = "the small figure is", wish.rules == 1
    place = RelationAspect(what, _SIDES if in_directions else ("at a corner", "at a side"), steady)
    return tell(rng, wish, "inside", in_direction if in_directions else at_corner, RelationAspect(what, _WHERE), place)


def _out(where: str, gap: int, sharp: float = 1.0) -> float:
    """How far the middle of the small figure is outside the edge; `sharp` makes room in a pointed corner."""
    return {_WHERE[0]: -(_SMALL + gap) * sharp, _WHERE[1]: 0.0, _WHERE[2]: float(_SMALL + gap)}[where]


# --- pair ---

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
        first, second = shapes[number]
        if values[0] == _CLOSE[3]:
            marks = [first.at(CENTRE, _OUTER), second.at(CENTRE, first.room)]
        else:
            axis = values[1] if len(values) > 1 else axes[number]
            marks = _placed((first, second), sizes[number], values[0], axis, wish.near)
        return [mark | {"colour": colour} for mark, colour in zip(marks, colours, strict=True)]

    what = "the two figures are"
    if wish.rules == 1:
        return tell(rng, wish, "pair", show, RelationAspect(what, _CLOSE))
    return tell(rng, wish, "pair", show, RelationAspect(what, _CLOSE[:3]), RelationAspect("they stand", _AXES))


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
        return figure(self.kind, spot, size) if self.lobes is None else moved(self.lobes[0], spot, size=size, of=60)


def _placed(shapes: tuple[_Shape, _Shape], sizes: tuple[int, int], close: str, axis: str, near: bool) -> list[Mark]:
    """Two figures along an axis through the middle of the panel."""
    upright = axis == _AXES[1]
    first, second = (shape.reach(size) for shape, size in zip(shapes, sizes, strict=True))
    ahead, behind = (first[2], second[0]) if upright else (first[1], second[3])
    apart = {"apart": 13 if near else 18, "touching": 0}.get(close, -round(min(ahead, behind) * (0.6 if near else 0.9)))
    before, after = (first[0], second[2]) if upright else (first[3], second[1])
    start = MIDDLE - (before + ahead + apart + behind + after) // 2 + before
    end = start + ahead + apart + behind
    spots = [(MIDDLE, start), (MIDDLE, end)] if upright else [(start, MIDDLE), (end, MIDDLE)]
    return [shape.at(spot, size) for shape, spot, size in zip(shapes, spots, sizes, strict=True)]


# --- beside ---

_COMPASS = (
    *("above", "above and to the right of", "to the right of", "below and to the right of"),
    *("below", "below and to the left of", "to the left of", "above and to the left of"),
)
_LARGER = {"": (22, 22), "larger": (28, 15), "smaller": (15, 28)}
"""Sizes of the black and the white figure."""


def beside(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """On which side of the white figure the black one stands; with a second rule also which of them is larger."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "hexagon", "moon", "drop", "ellipse", "rectangle"), 2)
    blobs = [[blob(rng, 0, 0, 28) for _ in two] for two in kinds] if wish.shapes == "abstract" else []
    cast, colour = FigureCast(kinds, blobs, 28), rng.choice(COLOURS)
    first = rng.below(8)
    pool = {f"{_COMPASS[i]} the white one": i for i in ((first + (k if wish.near else 2 * k)) % 8 for k in range(4))}

    def show(values: Values, number: int) -> list[Mark]:
        degrees, sizes = 45 * pool[values[0]], _LARGER[values[1] if len(values) > 1 else ""]
        black = cast.put(number, 0, around(42, degrees), sizes[0], "black")
        return [black | {"colour": colour}, cast.put(number, 1, around(42, degrees + 180), sizes[1], "white")]

    what = "the black figure is"
    aspects = RelationAspect(what, tuple(pool)), RelationAspect(what, ("larger", "smaller"))
    return tell(rng, wish, "beside", show, *aspects[: min(wish.rules, 2)])


# --- arrows ---

_POINTS = ("at the figure", "past the figure on its left", "away from the figure", "past the figure on its right")
"""Each a quarter turn clockwise on from the one before: with the figure to the left of where it points, and so on."""
_ARROW = {"": (26, 24), "larger": (30, 18), "smaller": (20, 30)}
"""Sizes of the arrow and of the figure."""


def arrows(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Where the arrow points; with a second rule also whether it is larger than the figure."""
    kinds = kinds_for(rng, wish, (*SMALL, "pentagon", "moon"), 1)
    cast = FigureCast(kinds, [[blob(rng, 0, 0, 30)] for _ in kinds] if wish.shapes == "abstract" else [], 30)
    ways = [45 * rng.below(8) for _ in kinds]
    fill, colour = rng.choice(("black", "grey", "white")), rng.choice(COLOURS)

    def show(values: Values, number: int) -> list[Mark]:
        large, small = _ARROW[values[1] if len(values) > 1 else ""]
        way, turn = ways[number], ways[number] + 90 * _POINTS.index(values[0])
        arrow = figure("arrow", around(42, way + 180), large, fill, turn=turn, colour=colour)
        return [arrow, cast.put(number, 0, around(42, way), small, "white")]

    aspects = RelationAspect("the arrow points", _POINTS), RelationAspect("the arrow is the", ("larger", "smaller"))
    return tell(rng, wish, "arrows", show, *aspects[: min(wish.rules, 2)])


# --- crossing ---

_MEETING = ("crossing", "one ending on the other", "joined at their ends", "apart")
_LIES = {"lying": 0, "upright": 90, "slanting": 45}


@dataclass(frozen=True, slots=True)
class _StrokeWidths:
    """How the strokes of a panel are drawn: half the length of the longer one, the length of the other, how far from
    the middle they meet, and whether the other end of the longer one is meant where they are joined at their ends."""

    long: int
    other: int
    aside: int
    flip: bool


def crossing(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """How two strokes meet; with a second rule also how the longer one lies (it is much longer where they cross)."""
    panels = wish.lines * wish.length
    turns = [15 * rng.below(24) for _ in range(panels)]
    halves = [180 * rng.below(2) for _ in range(panels)]
    off = [(rng.below(7) - 3, rng.below(7) - 3) for _ in range(panels)]  # not all in the very middle
    colours = rng.sample(COLOURS, 2)
    wavy = wish.shapes == "abstract"
    pens = [_pen(rng, wavy) for _ in range(panels)]
    gap = 18 if wish.near else 28

    def show(values: Values, number: int) -> list[Mark]:
        degrees = turns[number] if len(values) < 2 else _LIES[values[1]] + halves[number]
        strokes = _strokes(values[0], pens[number], gap)
        marks = [_stroke(start, end, degrees, wavy, off[number]) for start, end in strokes]
        return [mark | {"colour": colour} for mark, colour in zip(marks, colours, strict=True)]

    aspects = RelationAspect("the two strokes are", _MEETING), RelationAspect("the longer one is", tuple(_LIES))
    return tell(rng, wish, "crossing", show, *aspects[: min(wish.rules, 2)])


def _pen(rng: Stream, wavy: bool) -> _StrokeWidths:
    """Wavy strokes meet where they do not swing: in the middle of the longer one."""
    aside = 0 if wavy else rng.choice((-18, -9, 0, 9, 18))
    long = rng.choice((44, 49, 54))
    return _StrokeWidths(long, 2 * long * rng.choice((54, 62, 70)) // 100, aside, rng.chance())


def _strokes(meeting: str, pen: _StrokeWidths, gap: int) -> tuple[tuple[Spot, Spot], tuple[Spot, Spot]]:
    """The ends of the longer stroke, lying, and of the other one, seen from the middle of the panel."""
    long, aside = pen.long, pen.aside
    if meeting == "crossing":
        reach = pen.other // 3
        return ((-long, 0), (long, 0)), ((aside, -reach), (aside, reach))
    lying, top = ((-long, 32), (long, 32)), 32 - pen.other
    if meeting == "joined at their ends":
        end = long if pen.flip else -long
        return lying, ((end // 2, 32 - isqrt(pen.other**2 - (long // 2) ** 2)), (end, 32))
    if meeting == "one ending on the other":
        return lying, ((aside, top), (aside, 32))
    half = gap // 2
    return ((-long, 32 + half), (long, 32 + half)), ((aside, top - half), (aside, 32 - half))


def _stroke(start: Spot, end: Spot, degrees: int, wavy: bool, off: Spot) -> Mark:
    (x, y), (x2, y2) = start, end
    points = [start, end]
    if wavy:  # a swing to either side; the middle, where another stroke may meet it, stays in place
        dx, dy = (x2 - x) // 4, (y2 - y) // 4
        swing_x, swing_y = round(-dy * 0.36), round(dx * 0.36)
        quarter, three = (x + dx + swing_x, y + dy + swing_y), (x2 - dx - swing_x, y2 - dy - swing_y)
        points = [start, quarter, ((x + x2) // 2, (y + y2) // 2), three, end]
    spots = [(x + MIDDLE + off[0], y + MIDDLE + off[1]) for x, y in spun(points, degrees, (0, 0))]
    return path(spots, closed=False, curved=True) if wavy else line(spots[0], spots[1])
