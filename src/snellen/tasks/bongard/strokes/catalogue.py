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


def _free(shape: Callable[..., Outline], *ranges: tuple[float, float]) -> Maker:
    """The maker of a shape whose proportions are free within these ranges."""
    return lambda rng: shape(*(rng.between(low, high) for low, high in ranges))


def _mirrored(*right: complex) -> Outline:
    """A polygon by the corners of its right half, from below."""
    return polygon(*right, *(-corner.conjugate() for corner in reversed(right)))


def _isosceles(rng: Stream) -> Outline:
    height = rng.choice([rng.between(0.5, 0.7), rng.between(1.1, 1.8)])
    return polygon(-0.5, 0.5, 1j * height)


def _trapezoid(rng: Stream) -> Outline:
    top, height = rng.between(0.35, 0.7), rng.between(0.4, 0.8)
    left = rng.choice([(1 - top) / 2, 0.0, rng.between(-0.15, 0.3)])
    return polygon(0, 1, complex(left + top, height), complex(left, height))


def _house(wall: float, roof: float) -> Outline:
    return polygon(-0.5, 0.5, 0.5 + 1j * wall, 1j * (wall + roof), -0.5 + 1j * wall)


def _l_shape(wide: float, a: float, b: float) -> Outline:
    return polygon(0, wide, complex(wide, a), complex(b, a), complex(b, 1), 1j)


def _arrow(thin: float, wing: float, neck: float, tip: float) -> Outline:
    half = [complex(-thin, 0), complex(thin, 0), complex(thin, neck), complex(thin + wing, neck), 1j * (neck + tip)]
    return polygon(*half, complex(-thin - wing, neck), complex(-thin, neck))


def _t_shape(thin: float, arm: float, stem: float, bar: float) -> Outline:
    return _mirrored(complex(thin, 0), complex(thin, stem), complex(thin + arm, stem), complex(thin + arm, stem + bar))


def _u_shape(inner: float, leg: float, floor: float, high: float) -> Outline:
    wide = inner + leg
    return _mirrored(complex(wide, 0), complex(wide, high), complex(inner, high), complex(inner, floor))


def _drop(away: float) -> Outline:
    touch = exp(-1j * asin(1 / away))
    return Outline((-1j * away, touch, -touch.conjugate()), (0, 180 + 2 * degrees(asin(1 / away)), 0))


def _arch(wall: float) -> Outline:
    return Outline((-0.5, 0.5, 0.5 + 1j * wall, -0.5 + 1j * wall), (0, 0, 180, 0))


def _stadium(half: float) -> Outline:
    return Outline((-half - 0.5j, half - 0.5j, half + 0.5j, -half + 0.5j), (0, 180, 0, 180))


def _parallelogram(long: float, angle: float) -> Outline:
    side = long * exp(1j * angle)
    return polygon(0, 1, 1 + side, side)


_DIAGONAL = exp(0.25j * pi)
_HEART = Outline((0, _DIAGONAL, _DIAGONAL - _DIAGONAL.conjugate(), -_DIAGONAL.conjugate()), (0, 180, 180, 0))
MAKERS: dict[str, Maker] = {
    "triangle": lambda rng: blob(rng, 3, 0.2),
    "right triangle": _free(lambda high: polygon(0, 1, 1j * high), (0.5, 1.0)),
    "equilateral triangle": lambda rng: _ring(3),
    "isosceles triangle": _isosceles,
    "square": lambda rng: _ring(4),
    "rectangle": _free(lambda wide: polygon(0, wide, wide + 1j, 1j), (1.45, 2.6)),
    "rhombus": _free(lambda wide: polygon(-1, -1j * wide, 1, 1j * wide), (0.4, 0.68)),
    "parallelogram": _free(_parallelogram, (0.5, 0.75), (0.8, 1.25)),
    "trapezoid": _trapezoid,
    "kite": _free(
        lambda wide, low, top: polygon(-1j * low, wide, 1j * top, -wide), (0.35, 0.55), (0.8, 1.3), (0.25, 0.5)
    ),
    "arrowhead": _free(
        lambda wide, high, dent: polygon(1j * dent, wide, 1j * high, -wide), (0.45, 0.8), (0.9, 1.4), (0.25, 0.5)
    ),
    "regular pentagon": lambda rng: _ring(5),
    "house": _free(_house, (0.55, 1.0), (0.25, 0.5)),
    "regular hexagon": lambda rng: _ring(6),
    "L-shape": _free(_l_shape, (0.7, 1.0), (0.25, 0.42), (0.25, 0.42)),
    "arrow": _free(_arrow, (0.12, 0.2), (0.15, 0.25), (0.5, 0.8), (0.4, 0.55)),
    "T-shape": _free(_t_shape, (0.15, 0.22), (0.25, 0.4), (0.5, 0.8), (0.25, 0.4)),
    "U-shape": _free(_u_shape, (0.2, 0.35), (0.2, 0.3), (0.2, 0.35), (0.8, 1.1)),
    "four-pointed star": _free(lambda inner: _ring(4, inner), (0.3, 0.45)),
    "five-pointed star": _free(lambda inner: _ring(5, inner), (0.38, 0.5)),
    "semicircle": lambda rng: Outline((-1, 1), (0, 180)),
    "lens": _free(lambda bend: Outline((-1, 1), (bend, bend)), (70, 130)),
    "crescent": _free(lambda outer, inner: Outline((-1, 1), (outer, -inner)), (170, 230), (60, 120)),
    "quarter-disc": lambda rng: Outline((0, 1, 1j), (0, 90, 0)),
    "three-quarter disc": lambda rng: Outline((0, 1, -1j), (0, 270, 0)),
    "cone": _free(lambda low: Outline((-1j * low, 1, -1), (0, 180, 0)), (1.5, 2.8)),
    "drop": _free(_drop, (1.5, 2.4)),
    "arch": _free(_arch, (0.5, 1.3)),
    "stadium": _free(_stadium, (0.4, 1.2)),
    "heart": lambda rng: _HEART,
}


def miss(name: str, rng: Stream) -> Outline:
    """A shape of as many strokes that is another: mostly one with a name of its own, else this one spoilt."""
    if rng.chance(0.75) and (others := _RELATED[name]):
        return MAKERS[rng.choice(others)](rng)
    return spoilt(MAKERS[name](rng), rng)


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
