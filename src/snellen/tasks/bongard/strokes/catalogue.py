"""Makers of the shapes that have names, each with free proportions, and of shapes that narrowly miss them."""

from cmath import exp
from collections.abc import Callable
from math import asin, degrees, pi

from snellen.rng import Stream
from snellen.tasks.bongard.strokes.outline import Outline, blob, polygon

Maker = Callable[[Stream], Outline]


def _ring(many: int, inner: float = 0.0) -> Outline:
    """A regular polygon, or a star with this inner radius."""
    points = many * 2 if inner else many
    radii = (1.0, inner) if inner else (1.0,)
    return polygon(*(radii[k % len(radii)] * exp(2j * pi * k / points) for k in range(points)))


def _isosceles(rng: Stream) -> Outline:
    height = rng.choice([rng.between(0.5, 0.7), rng.between(1.1, 1.8)])
    return polygon(-0.5, 0.5, 1j * height)


def _parallelogram(rng: Stream) -> Outline:
    side = rng.between(0.5, 0.75) * exp(1j * rng.between(0.8, 1.25))
    return polygon(0, 1, 1 + side, side)


def _trapezoid(rng: Stream) -> Outline:
    top, height = rng.between(0.35, 0.7), rng.between(0.4, 0.8)
    left = rng.choice([(1 - top) / 2, 0.0, rng.between(-0.15, 0.3)])
    return polygon(0, 1, complex(left + top, height), complex(left, height))


def _kite(rng: Stream) -> Outline:
    wide, low = rng.between(0.35, 0.55), rng.between(0.8, 1.3)
    return polygon(-1j * low, wide, 1j * rng.between(0.25, 0.5), -wide)


def _arrowhead(rng: Stream) -> Outline:
    wide, high = rng.between(0.45, 0.8), rng.between(0.9, 1.4)
    return polygon(1j * rng.between(0.25, 0.5), wide, 1j * high, -wide)


def _house(rng: Stream) -> Outline:
    wall = rng.between(0.55, 1.0)
    return polygon(-0.5, 0.5, 0.5 + 1j * wall, 1j * (wall + rng.between(0.25, 0.5)), -0.5 + 1j * wall)


def _l_shape(rng: Stream) -> Outline:
    wide, a, b = rng.between(0.7, 1.0), rng.between(0.25, 0.42), rng.between(0.25, 0.42)
    return polygon(0, wide, complex(wide, a), complex(b, a), complex(b, 1), 1j)


def _arrow(rng: Stream) -> Outline:
    thin, wing, neck, tip = (
        rng.between(0.12, 0.2),
        rng.between(0.15, 0.25),
        rng.between(0.5, 0.8),
        rng.between(0.4, 0.55),
    )
    half = [complex(-thin, 0), complex(thin, 0), complex(thin, neck), complex(thin + wing, neck), 1j * (neck + tip)]
    return polygon(*half, complex(-thin - wing, neck), complex(-thin, neck))


def _t_shape(rng: Stream) -> Outline:
    thin, arm, stem, bar = (
        rng.between(0.15, 0.22),
        rng.between(0.25, 0.4),
        rng.between(0.5, 0.8),
        rng.between(0.25, 0.4),
    )
    right = [complex(thin, 0), complex(thin, stem), complex(thin + arm, stem), complex(thin + arm, stem + bar)]
    return polygon(*right, *(-corner.conjugate() for corner in reversed(right)))


def _u_shape(rng: Stream) -> Outline:
    inner, leg, floor, high = (
        rng.between(0.2, 0.35),
        rng.between(0.2, 0.3),
        rng.between(0.2, 0.35),
        rng.between(0.8, 1.1),
    )
    right = [complex(inner + leg, 0), complex(inner + leg, high), complex(inner, high), complex(inner, floor)]
    return polygon(*right, *(-corner.conjugate() for corner in reversed(right)))


def _lens(rng: Stream) -> Outline:
    bend = rng.between(70, 130)
    return Outline((-1, 1), (bend, bend))


def _crescent(rng: Stream) -> Outline:
    return Outline((-1, 1), (rng.between(170, 230), -rng.between(60, 120)))


def _cone(rng: Stream) -> Outline:
    return Outline((-1j * rng.between(1.5, 2.8), 1, -1), (0, 180, 0))


def _drop(rng: Stream) -> Outline:
    away = rng.between(1.5, 2.4)
    touch = exp(-1j * asin(1 / away))
    return Outline((-1j * away, touch, -touch.conjugate()), (0, 180 + 2 * degrees(asin(1 / away)), 0))


def _arch(rng: Stream) -> Outline:
    wall = rng.between(0.5, 1.3)
    return Outline((-0.5, 0.5, 0.5 + 1j * wall, -0.5 + 1j * wall), (0, 0, 180, 0))


def _stadium(rng: Stream) -> Outline:
    half = rng.between(0.4, 1.2)
    return Outline((-half - 0.5j, half - 0.5j, half + 0.5j, -half + 0.5j), (0, 180, 0, 180))


def _heart(rng: Stream) -> Outline:
    right = exp(0.25j * pi)
    return Outline((0, right, right - right.conjugate(), -right.conjugate()), (0, 180, 180, 0))


def _rectangle(rng: Stream) -> Outline:
    wide = rng.between(1.45, 2.6)
    return polygon(0, wide, wide + 1j, 1j)


MAKERS: dict[str, Maker] = {
    "triangle": lambda rng: blob(rng, 3, 0.2),
    "right triangle": lambda rng: polygon(0, 1, 1j * rng.between(0.5, 1.0)),
    "equilateral triangle": lambda rng: _ring(3),
    "isosceles triangle": _isosceles,
    "square": lambda rng: _ring(4),
    "rectangle": _rectangle,
    "rhombus": lambda rng: polygon(-1, -1j * (wide := rng.between(0.4, 0.68)), 1, 1j * wide),
    "parallelogram": _parallelogram,
    "trapezoid": _trapezoid,
    "kite": _kite,
    "arrowhead": _arrowhead,
    "regular pentagon": lambda rng: _ring(5),
    "house": _house,
    "regular hexagon": lambda rng: _ring(6),
    "L-shape": _l_shape,
    "arrow": _arrow,
    "T-shape": _t_shape,
    "U-shape": _u_shape,
    "four-pointed star": lambda rng: _ring(4, rng.between(0.3, 0.45)),
    "five-pointed star": lambda rng: _ring(5, rng.between(0.38, 0.5)),
    "semicircle": lambda rng: Outline((-1, 1), (0, 180)),
    "lens": _lens,
    "crescent": _crescent,
    "quarter-disc": lambda rng: Outline((0, 1, 1j), (0, 90, 0)),
    "three-quarter disc": lambda rng: Outline((0, 1, -1j), (0, 270, 0)),
    "cone": _cone,
    "drop": _drop,
    "arch": _arch,
    "stadium": _stadium,
    "heart": _heart,
}


def miss(name: str, rng: Stream) -> Outline:
    """A shape of as many strokes that is nearly this one: spoilt, or another named shape, perhaps spoilt too."""
    outline = MAKERS[name](rng)
    if rng.chance(0.3) and (others := _RELATED[name]):
        outline = MAKERS[rng.choice(others)](rng)
        if rng.chance(0.6):
            return outline
    return spoilt(outline, rng)


def spoilt(outline: Outline, rng: Stream) -> Outline:
    """The outline with one thing changed: a corner moved, a side bent otherwise, stretched as a whole, or open."""
    size = max(abs(a - b) for a in outline.corners for b in outline.corners)
    way = rng.below(10)
    if way < 4 and len(outline.corners) > 2:
        place = rng.below(len(outline.corners))
        return outline.moved(
            place, outline.corners[place] + size * rng.between(0.2, 0.4) * exp(2j * pi * rng.between(0, 1))
        )
    if way < 7:
        return _rebent(outline, rng)
    if way < 9 and len(outline.corners) > 2:
        return outline.stretched(rng.between(1.4, 1.8), rng.choice([0.0, 90.0, 45.0, rng.between(0, 180)]))
    return outline.opened(rng.below(len(outline.corners)), rng.between(0.4, 0.7))


def _rebent(outline: Outline, rng: Stream) -> Outline:
    """A line becomes an arc; an arc is bent more, less or the other way."""
    side = rng.below(len(outline.bends))
    bend = outline.bends[side]
    if not bend:
        return outline.bent(side, rng.choice([-1, 1]) * rng.between(60, 120))
    return outline.bent(side, rng.choice([bend * 0.5, -bend * 0.6, -bend, min(bend * 1.5, 280), bend * 0.7]))


def _sides(name: str) -> int:
    return len(MAKERS[name](Stream(0)).corners)


_RELATED = {name: [other for other in MAKERS if other != name and _sides(other) == _sides(name)] for name in MAKERS}
