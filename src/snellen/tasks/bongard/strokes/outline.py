"""Shapes as their maker thinks of them: corners, and how much each side bends. Made into strokes at the end."""

from cmath import exp, phase
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import degrees, pi, radians, sin

from snellen.rng import Stream
from snellen.tasks.bongard.draw.strokes import PenStroke

Plan = tuple[PenStroke, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Corners in the order the pen visits them, and for each side the degrees it bends through (left positive).

    A closed outline has as many sides as corners and returns to the first; an open one has a side less. Closed
    outlines here run anticlockwise, so that a side that bends through a positive angle bulges outwards.
    """

    corners: tuple[complex, ...]
    bends: tuple[float, ...]

    @property
    def closed(self) -> bool:
        return len(self.bends) == len(self.corners)

    def moved(self, place: int, corner: complex) -> "Outline":
        corners = list(self.corners)
        corners[place] = corner
        return replace(self, corners=tuple(corners))

    def bent(self, side: int, bend: float) -> "Outline":
        bends = list(self.bends)
        bends[side] = bend
        return replace(self, bends=tuple(bends))

    def mapped(self, change: Callable[[complex], complex]) -> "Outline":
        return replace(self, corners=tuple(map(change, self.corners)))

    def stretched(self, factor: float, along: float) -> "Outline":
        """Longer by the factor in one direction (an angle in degrees)."""
        axis = exp(1j * radians(along))

        def change(corner: complex) -> complex:
            turned = corner / axis
            return complex(turned.real * factor, turned.imag) * axis

        return self.mapped(change)

    def opened(self, side: int, kept: float) -> "Outline":
        """Open: the pen starts behind this side and stops when this share of it is drawn."""
        order = [(side + 1 + k) % len(self.corners) for k in range(len(self.corners))]
        corners, bends = [self.corners[k] for k in order], [self.bends[k] for k in order]
        start, end, bend = corners[-1], corners[0], radians(bends[-1])
        share = (1 - exp(1j * bend * kept)) / (1 - exp(1j * bend)) if bend else kept
        corners.append(start + (end - start) * share)
        return Outline(tuple(corners), (*bends[:-1], bends[-1] * kept))


def polygon(*corners: complex) -> Outline:
    return Outline(corners, (0.0,) * len(corners))


def trace(outline: Outline, rng: Stream) -> Plan:
    """The strokes of an outline, begun at a random corner, in a random direction, perhaps as its mirror image.

    Sizes are in thousandths of the longest stroke, angles in tenths of a degree: a closed shape stays closed to the
    eye, and its numbers stay short.
    """
    corners, bends = list(outline.corners), list(outline.bends)
    if outline.closed:
        first = rng.below(len(corners))
        corners, bends = corners[first:] + corners[:first], bends[first:] + bends[:first]
        corners.append(corners[0])
    if rng.chance():
        corners, bends = corners[::-1], [-bend for bend in bends[::-1]]
    if rng.chance():
        corners, bends = [corner.conjugate() for corner in corners], [-bend for bend in bends]
    return _strokes(corners, bends)


def _strokes(corners: list[complex], bends: list[float]) -> Plan:
    chords = [b - a for a, b in pairwise(corners)]
    sizes = [_size(abs(chord), bend) for chord, bend in zip(chords, bends, strict=True)]
    unit = max(sizes)
    strokes: list[PenStroke] = []
    heading: float | None = None
    for chord, bend, size in zip(chords, bends, sizes, strict=True):
        start = degrees(phase(chord)) - bend / 2
        turn = 0.0 if heading is None else (start - heading + 180) % 360 - 180
        strokes.append(PenStroke(round(size / unit, 3), round(bend, 1), round(turn, 1)))
        heading = start + bend
    return tuple(strokes)


def _size(chord: float, bend: float) -> float:
    """The length of a line, or the radius of an arc."""
    return chord / (2 * sin(radians(abs(bend)) / 2)) if bend else chord


def blob(rng: Stream, many: int, rough: float) -> Outline:
    """A polygon around 0 with so many corners: the rougher, the more its corners differ in distance from there.

    With `rough` 0 the corners lie on an ellipse and the polygon is convex.
    """
    gaps = [rng.between(1.0, 2.0) for _ in range(many)]
    flat, at = rng.between(0.55, 1.0), rng.between(0, 2 * pi)
    corners: list[complex] = []
    for gap in gaps:
        at += 2 * pi * gap / sum(gaps)
        corner = exp(1j * at) * (1 - rough * rng.between(0, 1))
        corners.append(complex(corner.real, corner.imag * flat))
    return polygon(*corners)


def bulged(outline: Outline, rng: Stream, arcs: int, *, outwards: float = 0.7) -> Outline:
    """The outline with so many of its sides bent, each outwards with this probability."""
    for side in rng.sample(range(len(outline.bends)), arcs):
        bend = 10.0 * round(rng.between(7, 18))
        outline = outline.bent(side, bend if rng.chance(outwards) else -bend)
    return outline
