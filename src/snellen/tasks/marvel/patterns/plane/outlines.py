"""Random outlines with the symmetry that is asked for, and clearly with no other.

An outline is a ring of radii at equal angles around the middle of the panel; what it maps onto itself is decided by how
the radii repeat: mirrored when the list reads the same backwards from some place, turned when it repeats. Points are
clearly near or clearly far, and what is not symmetric has many of them in the wrong place, so that nobody has to
measure. Mirror images across the four main axes are exact in whole pixels.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from snellen.rng import Stream
from snellen.tasks.marvel.draw.figures import upright
from snellen.tasks.marvel.marks import CENTRE, MIDDLE, Mark, Spot, around
from snellen.tasks.marvel.marks import figure as any_figure

NEAR, FAR = 0.4, 1.0
"""How far from the middle an outline goes, as shares of its size."""
T = TypeVar("T")
Radii = tuple[float, ...]

AXES = ("vertical", "rising", "horizontal", "falling")
"""Directions of an axis, each the one before turned by 45 degrees clockwise."""


def figure(shape: str, size: int, fill: str, angle: int = 0, at: Spot = CENTRE) -> Mark:
    """A named figure, its turn no more than what one sees; a square on its corner is made smaller, to stay in place."""
    angle = upright(shape, angle)
    if shape == "square" and angle:
        size = round(size * 0.76)
    return any_figure(shape, at, size, fill) | {"turn": angle}


def mirrored(point: Spot, axis: str) -> Spot:
    """The point on the other side of an axis through the middle of the panel."""
    x, y = point[0] - MIDDLE, point[1] - MIDDLE
    x, y = {"vertical": (-x, y), "horizontal": (x, -y), "rising": (-y, -x), "falling": (y, x)}[axis]
    return MIDDLE + x, MIDDLE + y


def ring(radii: Radii, size: int, first: float = 0.0) -> list[Spot]:
    """The points of an outline, the first one at so many degrees clockwise from the top."""
    return [around(size * radius, first + 360 * i / len(radii)) for i, radius in enumerate(radii)]


def about_axis(radii: Radii, size: int, axis: str, *, upside_down: bool = False) -> list[Spot]:
    """A ring that reads the same backwards, laid along an axis, both halves exactly alike."""
    first = 45 * AXES.index(axis) + (180 if upside_down else 0)
    half = ring(radii, size, first)[: len(radii) // 2 + 1]
    half[0], half[-1] = _onto(half[0], axis), _onto(half[-1], axis)
    return half + [mirrored(point, axis) for point in reversed(half[1:-1])]


def _onto(point: Spot, axis: str) -> Spot:
    """The point moved onto the axis (rounding may have put it a pixel beside)."""
    x, y = point[0] - MIDDLE, point[1] - MIDDLE
    x, y = {"vertical": (0, y), "horizontal": (x, 0), "rising": (x, -x), "falling": (x, x)}[axis]
    return MIDDLE + x, MIDDLE + y


def opposite(points: Sequence[Spot]) -> list[Spot]:
    """The points, each on the other side of the middle."""
    return [(2 * MIDDLE - x, 2 * MIDDLE - y) for x, y in points]


@lru_cache(maxsize=64)
def _patterns(kind: str, many: int) -> tuple[tuple[int, ...], ...]:
    """All rings of near (0) and far (1) points that are symmetric in this way and clearly in no other."""
    free = {"none": many, "mirror": many // 2 + 1, "point": many // 2, "both": many // 4 + 1}[kind]
    patterns = []
    for number in range(2**free):
        bits = [number >> place & 1 for place in range(free)]
        whole = _unfolded(bits, kind)
        if _gaps(whole) == _WANTED[kind]:
            patterns.append(tuple(bits))
    return tuple(patterns)


def _unfolded(part: list[T], kind: str) -> list[T]:
    """The whole ring from the part of it that may be chosen freely."""
    if kind in ("mirror", "both"):
        part = part + part[-2:0:-1]
    return part * 2 if kind in ("point", "both") else part


_WANTED = {"none": (0, 0, 0), "mirror": (1, 0, 0), "point": (0, 1, 0), "both": (2, 1, 0)}


def _gaps(bits: list[int]) -> tuple[int, int, int]:
    """How many axes a ring has, whether half a turn changes nothing, and how many symmetries are neither there nor not.

    A symmetry is clearly not there if a quarter of the points go where they do not belong.
    """
    many = len(bits)
    doubled = bits + bits
    backwards = doubled[::-1]
    moved = [sum(a != b for a, b in zip(bits, backwards[i : i + many], strict=True)) for i in range(many)]
    half = sum(a != b for a, b in zip(bits, doubled[many // 2 : many // 2 + many], strict=True))
    return moved.count(0), int(half == 0), sum(0 < gap < many / 4 for gap in (*moved, half))


def radii(rng: Stream, kind: str) -> Radii:
    """Radii of an outline that is symmetric in this way only: none, mirror, point (half a turn) or both."""
    bits = rng.choice(_patterns(kind, 12 if kind == "none" else rng.choice((12, 16))))
    return tuple(_unfolded([_reach(rng, far) for far in bits], kind))


def calm_radii(rng: Stream) -> Radii:
    """Radii of an outline with few bulges, very different when turned by half, not symmetric in any way."""
    return tuple(_reach(rng, far) for far in rng.choice(_calm()))


@lru_cache(maxsize=1)
def _calm() -> tuple[tuple[int, ...], ...]:
    def calm(bits: tuple[int, ...]) -> bool:
        bulges = sum(a < b for a, b in pairwise((*bits, bits[0])))
        return bulges <= 3 and sum(bits[i] != bits[i - 6] for i in range(12)) >= 8

    return tuple(bits for bits in _patterns("none", 12) if calm(bits))


def folds(rng: Stream, number: int) -> Radii:
    """Radii of an outline with exactly this many axes of symmetry."""
    if number <= 2:
        return radii(rng, "mirror" if number == 1 else "both")
    far = rng.below(2)
    sector = [_reach(rng, far), _reach(rng, rng.below(2)), _reach(rng, 1 - far)]
    return tuple(_unfolded(sector, "mirror")) * number


def _reach(rng: Stream, far: int) -> float:
    """A radius clearly near or clearly far: what lies between makes outlines dull."""
    return rng.between(0.8, FAR) if far else rng.between(NEAR, 0.58)
