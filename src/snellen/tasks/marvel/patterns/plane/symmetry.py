"""Figures by their symmetry: where the axis lies, how many axes there are, mirrored or turned onto themselves."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import MIDDLE, Mark, Spot, around, path
from snellen.tasks.marvel.patterns.plane import stock
from snellen.tasks.marvel.patterns.plane.assemble import FILL, SIZE, FigureKind, FigureLook, Values, ring_around
from snellen.tasks.marvel.patterns.plane.course import Property
from snellen.tasks.marvel.patterns.plane.outlines import AXES, FAR, Radii, about_axis, figure, folds, radii, ring

DIRECTION = Property(
    "axis of symmetry",
    {
        "vertical": "has a vertical axis of symmetry",
        "rising": "has an axis of symmetry that rises to the right",
        "horizontal": "has a horizontal axis of symmetry",
        "falling": "has an axis of symmetry that falls to the right",
    },
    cycle=True,
    moves=(
        "the axis of symmetry turns by 45 degrees clockwise from figure to figure",
        "the axis of symmetry turns by 45 degrees counter-clockwise from figure to figure",
    ),
)
NUMBER = Property(
    "number of axes of symmetry",
    {
        str(n): f"has {word} {'axis' if n == 1 else 'axes'} of symmetry"
        for n, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)
    },
    ladder=True,
    moves=(
        "each figure has one axis of symmetry more than the one before",
        "each figure has one axis of symmetry fewer than the one before",
    ),
)
KIND = Property(
    "kind of symmetry",
    {
        "none": "is not symmetric at all",
        "mirror": "has an axis of symmetry and looks different after half a turn",
        "point": "looks the same after half a turn and has no axis of symmetry",
        "both": "has axes of symmetry and looks the same after half a turn",
    },
)

_ONE_AXIS = {"heart": 0, "arrow": 0, "drop": 0, "trapezoid": 0, "moon": 90}
"""Figures of one axis, and how far that is turned from upright at turn 0."""


def inside_of(fill: str) -> str:
    """A fill that shows on this one."""
    return "white" if fill == "black" else "black"


def with_axis(rng: Stream, axis: str, look: FigureLook) -> list[Mark]:
    """A figure with this axis of symmetry and no other."""
    flip = rng.chance()
    angle = 45 * AXES.index(axis) + 180 * flip
    if look.abstract:
        return _outline(about_axis(radii(rng, "mirror"), look.size, axis, upside_down=flip), look)
    if look.marks == 2:
        return _body_and_mark(rng, angle, look)
    if rng.chance(0.45):
        shape = rng.choice(tuple(_ONE_AXIS))
        return [figure(shape, look.size, look.fill, angle + _ONE_AXIS[shape])]
    name = rng.choice(tuple(stock.MIRROR))
    return [path(stock.mirror_corners(name, look.size, axis, upside_down=flip), curved=False, fill=look.fill)]


def _outline(points: list[Spot], look: FigureLook, *, curved: bool | None = None) -> list[Mark]:
    """A closed path, perhaps with a small dot in the middle, where it changes no symmetry."""
    outline = path(points, curved=look.curved if curved is None else curved, fill=look.fill)
    dot = figure("circle", max(5, look.size // 8), inside_of(look.fill))
    return [outline] if look.marks == 1 else [outline, dot]


def _body_and_mark(rng: Stream, angle: int, look: FigureLook) -> list[Mark]:
    """A large figure with all main axes, and a small one off its middle: the axis goes through both."""
    body = rng.choice(("circle", "square"))
    shape = rng.choice(("circle", "square", "triangle", "heart", "arrow"))
    size = round(look.size * rng.choice((0.22, 0.28)))
    mark = figure(shape, size, inside_of(look.fill), angle, around(look.size * 0.4, angle))
    return [figure(body, look.size, look.fill, 0 if body == "circle" else 45 * rng.below(2)), mark]


def build_direction(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    return with_axis(rng, values[DIRECTION.name], look)


_BY_NUMBER = {
    2: ("rectangle", "ellipse", "diamond"),
    3: ("triangle",),
    4: ("square", "cross"),
    5: ("pentagon", "star"),
    6: ("hexagon",),
}


def build_number(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    number = int(values[NUMBER.name])
    angle = 15 * rng.below(12)
    if look.abstract:
        return _outline(ring(folds(rng, number), look.size, angle), look)
    if number == 1:
        return with_axis(rng, rng.choice(AXES), look)
    plain = look.marks == 1 and (look.lone or number % 2 == 0) and rng.chance(0.6)
    if plain:
        return [figure(rng.choice(_BY_NUMBER[number]), look.size, look.fill, angle)]
    spiky = rng.choice((0.45, 0.6))
    if number == 2:  # a long diamond, a long hexagon, or a star with two long and two short arms
        half: Radii = rng.choice(((FAR, 0.5), (FAR, 0.55, 0.55), (FAR, 0.35, 0.6, 0.35), (FAR, 0.3, 0.75, 0.3)))
        return _outline(ring(half * 2, look.size, angle), look, curved=False)
    star = rng.chance(0.7)
    corners = ring((FAR, spiky) * number if star else (FAR,) * number, look.size, angle)
    return _outline(corners, look, curved=star and rng.chance(0.4))


def build_kind(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    kind = values[KIND.name]
    if look.abstract:
        reach = radii(rng, kind)
        axis = rng.choice(AXES)
        points = about_axis(reach, look.size, axis) if kind == "mirror" else ring(reach, look.size, 15 * rng.below(24))
        return _outline(points, look)
    return _dotted(rng, kind, look) if look.marks == 2 else _geometric(rng, kind, look)


def _geometric(rng: Stream, kind: str, look: FigureLook) -> list[Mark]:
    """A single figure with a name, or a plain polygon."""
    if kind == "mirror":
        if look.lone and rng.chance(0.3):
            return [figure(rng.choice(("triangle", "pentagon", "star")), look.size, look.fill, 45 * rng.below(8))]
        return with_axis(rng, rng.choice(AXES), look)
    if kind == "both" and rng.chance():
        shape = rng.choice(("rectangle", "ellipse", "diamond", "square", "cross", "hexagon"))
        return [figure(shape, look.size, look.fill, 45 * rng.below(4))]
    polygons = {"none": stock.NONE, "point": stock.POINT, "both": stock.BOTH}[kind]
    corners = polygons[rng.choice(tuple(polygons))]
    build = stock.corners if kind == "none" else stock.turned_corners
    return [_flipped(rng, build(corners, look.size), look)]


def _flipped(rng: Stream, points: list[Spot], look: FigureLook) -> Mark:
    """The polygon as it is, mirrored, or with x and y exchanged: none of this changes its symmetry."""
    across, down, swap = rng.chance(), rng.chance(), rng.chance()
    moved = []
    for point in points:
        x, y = point[0] - MIDDLE, point[1] - MIDDLE
        x, y = (-x if across else x), (-y if down else y)
        moved.append((MIDDLE + y, MIDDLE + x) if swap else (MIDDLE + x, MIDDLE + y))
    return path(moved, curved=False, fill=look.fill)


_SPOTS = {
    "none": ((0.52, 0.2), (-0.2, 0.42)),
    "mirror": ((-0.5, 0.42), (0.5, 0.42)),
    "point": ((-0.55, -0.27), (0.55, 0.27)),
    "both": ((-0.5, 0.0), (0.5, 0.0)),
}


def _dotted(rng: Stream, kind: str, look: FigureLook) -> list[Mark]:
    """A figure with many axes and two dots in it that leave it only some symmetry."""
    across, down, swap = rng.choice((1, -1)), rng.choice((1, -1)), rng.chance()
    body = (
        rng.choice(("square", "rectangle"))
        if kind in ("point", "none")
        else rng.choice(("square", "circle", "rectangle"))
    )
    stretch = 0.6 if body == "rectangle" else 1.0
    marks = [figure(body, look.size, look.fill, 90 if swap else 0)]
    for x, y in _SPOTS[kind]:
        x, y = look.size * x * across, look.size * y * down * stretch
        x, y = (y, x) if swap else (x, y)
        at = (MIDDLE + round(x), MIDDLE + round(y))
        marks.append(figure("circle", max(6, look.size // 7), inside_of(look.fill), at=at))
    return marks


KINDS = (
    FigureKind("axis direction", (DIRECTION, FILL, SIZE), build_direction, ring_around, beside=44),
    FigureKind("number of axes", (NUMBER, FILL, SIZE), build_number, ring_around, beside=44),
    FigureKind("kind of symmetry", (KIND, FILL, SIZE), build_kind, ring_around, beside=44),
)
