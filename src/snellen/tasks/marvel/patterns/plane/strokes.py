"""Single outlines by their line: straight or curved, closed or open, bulging or dented, named figures or abstract."""

from math import cos, pi, sin

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, MIDDLE, Mark, Spot, around, moved, path
from snellen.tasks.marvel.patterns.plane import stock
from snellen.tasks.marvel.patterns.plane.outlines import calm_radii, figure, ring

_STRAIGHT = ("square", "triangle", "diamond", "pentagon", "hexagon", "star", "cross", "rectangle", "trapezoid", "arrow")
_CURVED = ("circle", "ellipse", "heart", "moon")
_BULGING = {
    "straight": ("square", "triangle", "diamond", "pentagon", "hexagon", "rectangle", "trapezoid"),
    "curved": ("circle", "ellipse"),
}
_DENTED = {"straight": ("star", "cross", "arrow"), "curved": ("heart", "moon")}
_DENTED_CORNERS = ("chevron", "dart", "T-shape", "crown", "notched square", "funnel")


def closed(rng: Stream, line: str, size: int, fill: str, *, abstract: bool, at: Spot = CENTRE) -> Mark:
    """A closed outline of straight or of curved lines."""
    if abstract:
        outline = path(_wild(rng, line, size), curved=line == "curved", fill=fill)
        return moved(outline, (at[0] - MIDDLE, at[1] - MIDDLE))
    shape = rng.choice(_STRAIGHT if line == "straight" else _CURVED)
    return figure(shape, size, fill, 45 * rng.below(8), at)


def _wild(rng: Stream, line: str, size: int) -> list[Spot]:
    """Points around the middle, at uneven angles and distances: few and jagged, or more of them and wavy."""
    many = 5 + rng.below(2) if line == "straight" else 8
    first = rng.between(0, 360)
    points = []
    for i in range(many):
        reach = rng.between(0.85, 1.0) if i % 2 else rng.between(0.45, 0.65)
        points.append(around(size * reach, first + 360 * (i + rng.between(-0.15, 0.15)) / many))
    return points


def opened(rng: Stream, line: str, size: int, *, abstract: bool, at: Spot = CENTRE) -> Mark:
    """A line whose ends do not meet, by far."""
    if abstract:
        points = rng.choice((_jagged, _hooked) if line == "straight" else (_wavy, _curl))(rng, size)
    elif line == "straight":
        points = rng.choice((_part_of_polygon, _zigzag, _bracket))(rng, size)
    else:
        points = rng.choice((_arc, _snake, _spiral))(rng, size)
    return moved(path(points, curved=line == "curved", closed=False), (at[0] - MIDDLE, at[1] - MIDDLE))


def _jagged(rng: Stream, size: int) -> list[Spot]:
    """From one side to the other, up and down by uneven steps."""
    first, many = rng.choice((1, -1)), 4 + rng.below(2)
    return _turned(
        rng,
        [(-0.9 + 1.8 * i / (many - 1), first * (-1) ** i * rng.between(0.25, 0.9)) for i in range(many)],
        size,
    )


def _hooked(rng: Stream, size: int) -> list[Spot]:
    """Three long sides that go half around the middle, then one back inwards."""
    first = rng.between(0, 360)
    bend = [around(size * rng.between(0.8, 1.0), first + 80 * i + rng.between(-12, 12)) for i in range(4)]
    return [*bend, around(size * rng.between(0.1, 0.3), first + 200)]


def _wavy(rng: Stream, size: int) -> list[Spot]:
    """From one side to the other in uneven waves."""
    first = rng.choice((1, -1))
    points = []
    for i in range(9):
        swing = (0.0, 1.0, 0.0, -1.0)[i % 4] * rng.between(0.45, 0.85)
        points.append((-0.95 + 1.9 * i / 8, first * swing))
    return _turned(rng, points, size)


def _curl(rng: Stream, size: int) -> list[Spot]:
    """Around the middle and inwards, never quite round."""
    first, way = rng.between(0, 360), rng.choice((1, -1))
    return [around(size * (1.0 - 0.07 * i) * rng.between(0.86, 1.0), first + way * 38 * i) for i in range(10)]


def _turned(rng: Stream, points: list[tuple[float, float]], size: int) -> list[Spot]:
    """The points as they are, or turned by 90 degrees."""
    swap = rng.chance()
    spots = [(round(size * x), round(size * y)) for x, y in points]
    return [(MIDDLE + y, MIDDLE + x) if swap else (MIDDLE + x, MIDDLE + y) for x, y in spots]


def _part_of_polygon(rng: Stream, size: int) -> list[Spot]:
    """A regular polygon without its last side."""
    many = 4 + rng.below(3)
    return ring((1.0,) * many, size, 15 * rng.below(24))


def _zigzag(rng: Stream, size: int) -> list[Spot]:
    many = 4 + rng.below(2)
    high = rng.choice((0.4, 0.6, 0.8))
    return _turned(rng, [(-0.9 + 1.8 * i / (many - 1), high * (-1) ** i) for i in range(many)], size)


def _bracket(rng: Stream, size: int) -> list[Spot]:
    """A staple, an L or a hook."""
    side = rng.choice((1, -1))
    shape = rng.choice(
        (
            [(-0.8, -0.7), (-0.8, 0.7), (0.8, 0.7), (0.8, -0.7)],
            [(-0.6, -0.9), (-0.6, 0.8), (0.7, 0.8)],
            [(-0.5, -0.9), (0.6, -0.9), (0.6, 0.8), (-0.6, 0.8), (-0.6, 0.1)],
        )
    )
    return _turned(rng, [(side * x, y) for x, y in shape], size)


def _arc(rng: Stream, size: int) -> list[Spot]:
    """Half to three quarters of a circle."""
    first, wide = 15 * rng.below(24), rng.choice((180, 225, 270))
    return [around(size * 0.9, first + wide * i / 9) for i in range(10)]


def _snake(rng: Stream, size: int) -> list[Spot]:
    side, high = rng.choice((1, -1)), rng.choice((0.45, 0.65))
    points = [(-0.95 + 1.9 * i / 12, side * high * sin(2 * pi * i / 12)) for i in range(13)]
    return _turned(rng, [(round(x, 3), round(y, 3)) for x, y in points], size)


def _spiral(rng: Stream, size: int) -> list[Spot]:
    first, way = 15 * rng.below(24), rng.choice((1, -1))
    return [around(size * (0.15 + 0.85 * i / 15), first + way * 36 * i) for i in range(16)]


def bulging(rng: Stream, line: str, size: int, fill: str, *, abstract: bool) -> Mark:
    """An outline without a dent."""
    if not abstract and (line == "straight" or rng.chance(0.6)):
        return figure(rng.choice(_BULGING[line]), size, fill, 15 * rng.below(12))
    many = 5 + rng.below(3) if line == "straight" else 10
    narrow, first = rng.between(0.55, 0.8), rng.between(0, 360)
    points = []
    for i in range(many):
        uneven = rng.between(-0.22, 0.22) if line == "straight" else 0.0
        points.append(_on_egg(size, narrow, first, 360 * (i + uneven) / many))
    return path(points, curved=line == "curved", fill=fill)


def _on_egg(size: int, narrow: float, turned: float, angle: float) -> Spot:
    """A point of an ellipse, thinner towards one end, that is turned by so many degrees."""
    along, aside = cos(angle * pi / 180), sin(angle * pi / 180)
    aside *= narrow * (1 - 0.25 * along)
    lean = turned * pi / 180
    across, down = along * cos(lean) - aside * sin(lean), along * sin(lean) + aside * cos(lean)
    return MIDDLE + round(round(size * across, 3)), MIDDLE + round(round(size * down, 3))


def dented(rng: Stream, line: str, size: int, fill: str, *, abstract: bool) -> Mark:
    """An outline with a clear dent."""
    if abstract:
        many = 6 + rng.below(2)
        reach = [rng.between(0.85, 1.0) for _ in range(many)]
        reach[0] = rng.between(0.2, 0.3)
        if rng.chance():
            reach[many // 2] = rng.between(0.3, 0.4)
        first = rng.between(0, 360)
        return path(ring(tuple(reach), size, first), curved=line == "curved", fill=fill)
    if line == "straight" and rng.chance():
        name = rng.choice(_DENTED_CORNERS)
        axis = rng.choice(("vertical", "horizontal", "rising", "falling"))
        return path(stock.mirror_corners(name, size, axis, upside_down=rng.chance()), curved=False, fill=fill)
    if line == "curved" and rng.chance(0.4):
        return path(_bean(rng, size), curved=True, fill=fill)
    return figure(rng.choice(_DENTED[line]), size, fill, 45 * rng.below(8))


def _bean(rng: Stream, size: int) -> list[Spot]:
    """A bean, or a peanut with a dent on either side."""
    reach = rng.choice(((1.0, 0.8, 0.62, 0.8, 1.0, 0.75, 0.3, 0.75), (1.0, 0.7, 0.32, 0.7) * 2))
    return ring(reach, size, 15 * rng.below(24))


def lopsided(rng: Stream, size: int, *, abstract: bool) -> list[Spot]:
    """Corners of a figure that looks different however it is turned or mirrored."""
    if abstract:
        return ring(calm_radii(rng), size, 30 * rng.below(12))
    return stock.corners(stock.NONE[rng.choice(tuple(stock.NONE))], size)
