"""Figures by their outline: straight or curved, open or closed, one in the other, bulging or dented."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import MIDDLE, Mark, Spot, path
from snellen.tasks.marvel.patterns.plane.assemble import FILL, SIZE, FigureKind, FigureLook, Values, dots_at_the_edge
from snellen.tasks.marvel.patterns.plane.course import Property
from snellen.tasks.marvel.patterns.plane.outlines import figure, ring
from snellen.tasks.marvel.patterns.plane.strokes import bulging, closed, dented, opened

LINE = Property(
    "kind of line",
    {
        "straight": "is made of straight lines",
        "curved": "is made of curved lines",
        "mixed": "is made of straight and curved lines",
    },
    noun="panel",
)
CLOSED = Property("openness", {"closed": "is closed", "open": "is open"})
OUTER = Property("outer line", {"straight": "has straight lines", "curved": "has curved lines"}, noun="outer figure")
INNER = Property("inner line", {"straight": "has straight lines", "curved": "has curved lines"}, noun="inner figure")
INNER_FILL = Property("inner fill", {"white": "is white", "black": "is black", "grey": "is grey"}, noun="inner figure")
FORM = Property("form", {"convex": "bulges outwards everywhere", "concave": "has a dent"})
FORM_LINE = Property("kind of line", {"straight": "is made of straight lines", "curved": "is made of curved lines"})

_ROOMY = {"straight": ("square", "hexagon", "pentagon"), "curved": ("circle", "ellipse")}
_INNER = {
    "straight": ("square", "triangle", "diamond", "star", "cross", "arrow"),
    "curved": ("circle", "heart", "moon", "ellipse"),
}


def build_lines(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """Two outlines side by side; of one kind of line, or one of each."""
    line, shut = values[LINE.name], values[CLOSED.name] == "closed"
    lines = ["straight", "curved"] if line == "mixed" else [line, line]
    rng.shuffle(lines)
    reach, off = round(look.size * 0.53), round(look.size * 0.58)
    upright = rng.chance()
    marks = []
    for way, sort in zip((-1, 1), lines, strict=True):
        at: Spot = (MIDDLE, MIDDLE + way * off) if upright else (MIDDLE + way * off, MIDDLE)
        if shut:
            marks.append(closed(rng, sort, reach, "white", abstract=look.abstract, at=at))
        else:
            marks.append(opened(rng, sort, reach, abstract=look.abstract, at=at))
    return marks


def build_open(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """One large outline, closed or open."""
    line = values.get(FORM_LINE.name, "curved" if look.curved else "straight")
    if values[CLOSED.name] == "closed":
        return [closed(rng, line, look.size, "white", abstract=look.abstract)]
    return [opened(rng, line, look.size, abstract=look.abstract)]


def build_nest(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """A figure inside a larger one."""
    outer, inner = values[OUTER.name], values[INNER.name]
    body = "grey" if look.fill == "grey" and INNER_FILL.name not in values else "white"
    fill = values.get(INNER_FILL.name, "white" if body == "grey" else "black")
    size = round(look.size * 0.5)
    if look.abstract:
        many = 5 + rng.below(3) if outer == "straight" else 2 * rng.choice((4, 5, 6))
        reach = tuple(rng.between(0.66, 0.74) if i % 2 else rng.between(0.9, 1.0) for i in range(many))
        outside = path(ring(reach, look.size, rng.between(0, 360)), curved=outer == "curved", fill=body)
        return [outside, closed(rng, inner, size, fill, abstract=True)]
    outside = figure(rng.choice(_ROOMY[outer]), look.size, body, 90 * rng.below(2))
    size = round(look.size * 0.44)
    return [outside, figure(rng.choice(_INNER[inner]), size, fill, 45 * rng.below(8))]


def build_form(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """A figure without a dent, or with one."""
    draw = bulging if values[FORM.name] == "convex" else dented
    return [draw(rng, values[FORM_LINE.name], look.size, look.fill, abstract=look.abstract)]


KINDS = (
    FigureKind("straight and curved", (LINE, CLOSED, SIZE), build_lines, dots_at_the_edge),
    FigureKind("open and closed", (CLOSED, FORM_LINE, SIZE), build_open, dots_at_the_edge),
    FigureKind("inside and outside", (OUTER, INNER, INNER_FILL), build_nest, dots_at_the_edge),
    FigureKind("convex and concave", (FORM, FORM_LINE, FILL), build_form, dots_at_the_edge),
)
