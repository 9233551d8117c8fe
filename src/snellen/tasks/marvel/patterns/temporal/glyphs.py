"""Lopsided figures, and the eight ways to lay one: turned by quarters, flipped or not.

A glyph is made of marks around the origin, drawn in units of a sixth of its size. It looks different in all eight
positions, so what was done to it can always be told. Only marks that whole numbers can turn and flip exactly are used:
lines, paths, and figures as even as a circle.
"""

from collections.abc import Callable, Mapping, Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark, Spot, figure, line, path

Op = tuple[int, int, int, int]
"""A turn or flip: (x, y) becomes (a x + b y, c x + d y)."""

STAY: Op = (1, 0, 0, 1)
ACROSS: Op = (-1, 0, 0, 1)
DOWN: Op = (1, 0, 0, -1)
HALF: Op = (-1, 0, 0, -1)
QUARTER: Op = (0, -1, 1, 0)
BACK: Op = (0, 1, -1, 0)
SLANT: Op = (0, 1, 1, 0)
OTHER_SLANT: Op = (0, -1, -1, 0)
OPS = (STAY, ACROSS, DOWN, HALF, QUARTER, BACK, SLANT, OTHER_SLANT)
TURNS = (STAY, QUARTER, HALF, BACK)
OP_WORDS = {
    STAY: "unchanged",
    ACROSS: "flipped left to right",
    DOWN: "flipped top to bottom",
    HALF: "turned by 180 degrees",
    QUARTER: "turned by 90 degrees clockwise",
    BACK: "turned by 90 degrees anticlockwise",
    SLANT: "flipped about a diagonal",
    OTHER_SLANT: "flipped about the other diagonal",
}


def then(first: Op, second: Op) -> Op:
    """First the one, then the other."""
    a, b, c, d = second
    e, f, g, h = first
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


def undo(op: Op) -> Op:
    a, b, c, d = op  # turns and flips are orthogonal: the inverse is the transpose
    return (a, c, b, d)


def laid(marks: Sequence[Mark], op: Op, spot: Spot) -> list[Mark]:
    """The glyph, laid this way, around a spot."""
    a, b, c, d = op

    def put(x: int, y: int) -> list[int]:
        return [a * x + b * y + spot[0], c * x + d * y + spot[1]]

    placed = []
    for mark in marks:
        place: Mark = {"points": [put(x, y) for x, y in mark["points"]]} if "points" in mark else {}
        for across, down in (("x", "y"), ("x2", "y2")):
            if across in mark:
                place[across], place[down] = put(mark[across], mark[down])
        placed.append(mark | place)
    return placed


def _scaled(points: Sequence[tuple[float, float]], size: int) -> list[Spot]:
    return [(round(x * size / 6), round(y * size / 6)) for x, y in points]


_EVEN = ("circle", "square", "cross")
"""Figures that look the same after every quarter turn and every flip."""
_TILES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((-4, -6), (0, -6), (0, 2), (4, 2), (4, 6), (-4, 6)),
    ((-4, -6), (4, -6), (4, 2), (0, 2), (0, 6), (-4, 6)),
    ((-2, -6), (6, -6), (6, -2), (2, -2), (2, 6), (-2, 6), (-2, 2), (-6, 2), (-6, -2), (-2, -2)),
    ((-4, -6), (0, -6), (0, -2), (4, -2), (4, 6), (0, 6), (0, 1), (-4, 1)),
    ((-2, -6), (2, -6), (2, 6), (-2, 6), (-2, -1), (-6, -1), (-6, -5), (-2, -5)),
    ((-3, 6), (-3, -6), (4, 6)),
    ((-6, 4), (-6, -4), (-1, -4), (6, 4)),
)
"""Outlines of lopsided tiles."""

_HOOKS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((-5, 6), (-5, -3), (1, -6), (4, -1), (0, 1)),
    ((-6, -3), (-1, -6), (1, 0), (-2, 5), (5, 6)),
    ((0, -6), (5, -4), (0, 0), (-5, 3), (0, 6), (5, 4)),
    ((-6, 0), (-2, -6), (2, -2), (-1, 3), (6, 3)),
    ((-5, -6), (-1, 1), (3, -5), (6, 0), (1, 6)),
)
_DOTS: tuple[tuple[int, int], ...] = ((5, 5), (-5, -5), (5, -5), (-5, 5), (5, 0), (0, 5), (-5, 0), (0, -5))

_COMMAS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((-3, -5), (2, -6), (4, -1), (0, 6), (-1, 1), (-4, -1)),
    ((-4, -6), (-1, -2), (4, -4), (3, 2), (4, 6), (-2, 4)),
    ((-4, -3), (0, -6), (4, -5), (0, -1), (1, 6), (-3, 4)),
    ((-4, 0), (-2, -6), (0, -2), (4, -3), (2, 5), (-3, 6)),
)


_OUTLINE_FILLS = ("none", "black", "striped")


def silhouettes(rng: Stream, shapes: str, number: int, size: int) -> list[Mark]:
    """Closed outlines, all different."""
    outlines = rng.sample(_COMMAS if shapes == "abstract" else _TILES, number)
    return [path(_scaled(points, size), curved=shapes == "abstract") for points in outlines]


Maker = Callable[[Stream, int], list[Mark]]


def glyph(rng: Stream, shapes: str, size: int) -> list[Mark]:
    """A lopsided drawing of several marks."""
    return _drawn(rng, rng.choice(_MAKERS[shapes]), size)


def glyph_pair(rng: Stream, shapes: str, size: int, near: bool) -> list[list[Mark]] | None:
    """Two that differ however they are laid: of the same kind if near, else of two kinds. None if that failed."""
    kinds = [rng.choice(_MAKERS[shapes])] * 2 if near else rng.sample(_MAKERS[shapes], 2)
    first, second = (_drawn(rng, kind, size) for kind in kinds)
    return None if _look(first) in _looks(second) else [first, second]


def _drawn(rng: Stream, make: Maker, size: int) -> list[Mark]:
    for _ in range(20):
        marks = make(rng, size)
        if len(_looks(marks)) == len(OPS):
            return marks
    return _flag(rng, size)


def _looks(marks: Sequence[Mark]) -> set[frozenset[object]]:
    return {_look(laid(marks, op, (0, 0))) for op in OPS}


def _look(marks: Sequence[Mark]) -> frozenset[object]:
    """Something equal for marks that look equal."""
    look = set()
    for mark in marks:
        spots = mark.get("points") or [(mark[x], mark[y]) for x, y in (("x", "y"), ("x2", "y2")) if x in mark]
        look.add((mark["shape"], mark.get("fill"), frozenset(map(tuple, spots))))
    return frozenset(look)


def _comma(rng: Stream, size: int) -> list[Mark]:
    fill = rng.choice(_OUTLINE_FILLS)
    points = [(x + rng.between(-0.6, 0.6), y + rng.between(-0.6, 0.6)) for x, y in rng.choice(_COMMAS)]
    return [path(_scaled(points, size), curved=True, fill=fill)]


def _tile(rng: Stream, size: int) -> list[Mark]:
    fill = rng.choice(_OUTLINE_FILLS)
    return [path(_scaled(rng.choice(_TILES), size), fill=fill)]


def _hook(rng: Stream, size: int) -> list[Mark]:
    """A bent stroke and a dot well away from it."""
    points = [(x + rng.between(-0.5, 0.5), y + rng.between(-0.5, 0.5)) for x, y in rng.choice(_HOOKS)]
    dot = max(_DOTS, key=lambda d: min((d[0] - x) ** 2 + (d[1] - y) ** 2 for x, y in points))
    (spot,) = _scaled([dot], size)
    return [path(_scaled(points, size), closed=False, curved=True), figure("circle", spot, max(5, size // 8), "black")]


def _flag(rng: Stream, size: int) -> list[Mark]:
    """A pole with a pennant, and something at its foot."""
    top, bottom = _scaled([(-3, -6), (-3, 6)], size)
    pennant = _scaled(rng.choice((((-3, -6), (5, -3), (-3, 0)), ((-3, -6), (4, -6), (4, -1), (-3, -1)))), size)
    (foot,) = _scaled([(2.5, 4)], size)
    thing = figure(rng.choice(_EVEN), foot, size // 5, rng.choice(("black", "white")))
    return [line(top, bottom), path(pennant, fill=rng.choice(("none", "black"))), thing]


def _framed(rng: Stream, size: int) -> list[Mark]:
    """A frame with three different things in three of its corners and sides."""
    frame = figure("square", (0, 0), size)
    spots = rng.sample(((-3, -3), (3, -3), (3, 3), (-3, 3)), 3)
    fills = rng.sample(("black", "white", "black"), 3)
    kinds = rng.sample(_EVEN, 3)
    things = [figure(k, s, size // 4, f) for k, s, f in zip(kinds, _scaled(spots, size), fills, strict=True)]
    return [frame, *things]


def _clock(rng: Stream, size: int) -> list[Mark]:
    """A face with a long and a short hand at right angles, one ending in a disc, the other in a square."""
    long, short = _scaled([(0, -4), (rng.choice((-2.6, 2.6)), 0)], size)
    heads = figure("circle", long, size // 7, "black"), figure("square", short, size // 8, "white")
    return [figure("circle", (0, 0), size), line((0, 0), long), line((0, 0), short), *heads]


_SEGMENTS = {
    "top": ((-1, -2), (1, -2)),
    "middle": ((-1, 0), (1, 0)),
    "bottom": ((-1, 2), (1, 2)),
    "upper left": ((-1, -2), (-1, 0)),
    "upper right": ((1, -2), (1, 0)),
    "lower left": ((-1, 0), (-1, 2)),
    "lower right": ((1, 0), (1, 2)),
}
_DIGITS = {
    2: ("top", "upper right", "middle", "lower left", "bottom"),
    4: ("upper left", "middle", "upper right", "lower right"),
    5: ("top", "upper left", "middle", "lower right", "bottom"),
    6: ("top", "upper left", "middle", "lower left", "lower right", "bottom"),
    7: ("top", "upper right", "lower right"),
    9: ("top", "upper left", "upper right", "middle", "lower right", "bottom"),
}


def _digits(rng: Stream, size: int) -> list[Mark]:
    """Two digits as calculators show them."""
    marks = []
    for digit, middle in zip(rng.sample(tuple(_DIGITS), 2), (-3, 3), strict=True):
        for segment in _DIGITS[digit]:
            start, end = _scaled([(middle + 2 * x, 2.6 * y) for x, y in _SEGMENTS[segment]], size)
            marks.append(line(start, end))
    return marks


_MAKERS: Mapping[str, Sequence[Maker]] = {
    "abstract": (_hook, _comma),
    "geometric": (_flag, _tile, _digits, _clock, _framed),
}
