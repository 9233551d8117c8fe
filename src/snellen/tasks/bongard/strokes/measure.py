"""What is true of a drawn shape, measured on points of its track and on nothing else.

This is the checker's eye. It never asks how a shape was made or what its maker called it: even whether a stroke is
straight is found from points along it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.bongard.draw.strokes import PenStroke, Points, legs
from snellen.tasks.bongard.strokes.crossings import StrokeCrossings, meetings
from snellen.tasks.bongard.strokes.truth import Truth, above, near, negated, some

_SHARES = np.linspace(0, 1, 17)
_STRAIGHT = 0.01
_SAMPLES = 128
_MIRRORED = (0.03, 0.09)
"""A mirror image this far off at most (of the size) is the shape itself, from the second distance on it is not."""


@dataclass(frozen=True, slots=True)
class StrokeSide:
    """A stroke as seen: the distance of its ends, and the degrees it bends through (0 if straight).

    In a closed figure without crossings a side that bulges outwards bends through a positive angle.
    """

    chord: float
    sweep: float

    @property
    def straight(self) -> bool:
        return self.sweep == 0


@dataclass(frozen=True, slots=True)
class StrokeFigure:
    """A shape's properties.

    `angles` are those between a side and the one before it, so an open figure has one fewer: inside the figure if it
    is closed and free of crossings, else the smaller one. `size` is the largest distance of two of its points, `length`
    that of the whole track. `lopsided` says how far (of the size) the best mirror image is off.
    """

    sides: tuple[StrokeSide, ...]
    angles: tuple[float, ...]
    closed: Truth
    convex: Truth
    symmetric: Truth
    lopsided: float
    meets_itself: Truth
    equal_parts: Truth
    size: float
    length: float

    @property
    def straight(self) -> int:
        return sum(side.straight for side in self.sides)

    @property
    def arcs(self) -> int:
        return len(self.sides) - self.straight

    @property
    def corners(self) -> tuple[float, ...]:
        """The smaller angle at each place where the direction changes abruptly."""
        smaller = (min(angle, 360 - angle) for angle in self.angles)
        return tuple(angle for angle in smaller if angle < 175)

    @property
    def right_angle(self) -> Truth:
        return self._some_corner([near(angle, 90, 3, 15) for angle in self.corners])

    @property
    def acute_angle(self) -> Truth:
        return self._some_corner([negated(above(angle, 75, 87)) for angle in self.corners])

    @property
    def obtuse_angle(self) -> Truth:
        return self._some_corner([None if angle > 165 else above(angle, 93, 105) for angle in self.corners])

    def _some_corner(self, truths: list[Truth]) -> Truth:
        # Where a track crosses itself there are angles that are no corners: hard to say.
        return some(truths) if self.meets_itself is False else None


def measure(strokes: Sequence[PenStroke]) -> StrokeFigure:
    """The properties of the shape these strokes draw, whatever their styles."""
    return _measure(tuple((stroke.size, stroke.angle, stroke.turn) for stroke in strokes))


@lru_cache(maxsize=4096)
def _measure(moves: tuple[tuple[float, float, float], ...]) -> StrokeFigure:
    points = np.array([leg.at(_SHARES) for leg in legs([PenStroke(*move) for move in moves])])
    sweeps = _sweeps(points)
    polyline = _polyline(points, sweeps)
    size = float(np.abs(polyline[:, None] - polyline).max())
    closed = negated(above(abs(polyline[-1] - polyline[0]) / size, 0.02, 0.1))
    if closed:
        polyline[-1] = polyline[0]
    met = meetings(polyline, closed is True, size)
    meets = True if met.points and met.clear else None if met.points or not met.clear else False
    lopsided = _lopsided(polyline, met) / size
    symmetric = negated(above(lopsided, *_MIRRORED))
    area = _area(polyline)
    angles, sweeps = _oriented(points, sweeps, closed is True, area if meets is False else 0.0)
    return StrokeFigure(
        sides=tuple(StrokeSide(float(abs(p[-1] - p[0])), float(w)) for p, w in zip(points, sweeps, strict=True)),
        angles=tuple(angles),
        closed=closed,
        convex=_convex(polyline, area, meets) if closed else None,
        symmetric=None if closed is None or (symmetric is False and len(met.points) > 1) else symmetric,
        lopsided=lopsided,
        meets_itself=meets,
        equal_parts=_equal_parts(polyline, met) if closed else closed,
        size=size,
        length=float(np.abs(np.diff(polyline)).sum()),
    )


def _sweeps(points: Points) -> NDArray[np.float64]:
    """The degrees each stroke bends through, by how far its middle is off the line between its ends; left positive."""
    chord = points[:, -1] - points[:, 0]
    height = ((points[:, 8] - points[:, 0]) * chord.conj()).imag / np.abs(chord)
    sweeps = -4 * np.degrees(np.arctan2(2 * height, np.abs(chord)))
    return np.where(np.abs(height) < _STRAIGHT * np.abs(chord), 0.0, sweeps)


def _polyline(points: Points, sweeps: NDArray[np.float64]) -> Points:
    """One track of all strokes: straight ones by their ends, bent ones by all their points."""
    pieces = [row[-1:] if sweep == 0 else row[1:] for row, sweep in zip(points, sweeps, strict=True)]
    return np.concatenate([points[0, :1], *pieces])


def _area(ring: Points) -> float:
    """The area within a closed track, positive if it runs anticlockwise."""
    return float((ring[:-1].conj() * ring[1:]).imag.sum()) / 2


def _oriented(
    points: Points, sweeps: NDArray[np.float64], closed: bool, area: float
) -> tuple[list[float], NDArray[np.float64]]:
    """Angles and sweeps as they are seen from inside, if there is an inside."""
    chord = points[:, -1] - points[:, 0]
    half = np.exp(1j * np.radians(sweeps / 2))
    outgoing, incoming = chord / half, chord * half
    before = np.roll(incoming, 1) if closed else incoming[:-1]
    turns = np.degrees(np.angle((outgoing if closed else outgoing[1:]) / before))
    if not closed or not area:
        return [float(angle) for angle in 180 - np.abs(turns)], sweeps
    side = 1 if area > 0 else -1
    return [float(angle) for angle in 180 - side * turns], side * sweeps


def _convex(ring: Points, area: float, meets: Truth) -> Truth:
    """By the share the figure takes of its convex hull."""
    if meets is not False:
        return negated(meets)
    hull = _hull_area(ring)
    return above(abs(area) / hull, 0.95, 0.99) if hull else None


def _hull_area(ring: Points) -> float:
    """The area of the convex hull (lower and upper chain, by x)."""
    places = sorted(set(zip(ring.real.tolist(), ring.imag.tolist(), strict=True)))
    total = 0.0
    for row in (places, places[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in row:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], (x, y)) <= 0:
                chain.pop()
            chain.append((x, y))
        total += sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise(chain))
    return total / 2


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _lopsided(polyline: Points, met: StrokeCrossings) -> float:
    """How far the best mirror image of a track is off at its worst place.

    A mirror maps the track to itself, run backwards (or onwards, in some figures that meet themselves) from another
    starting point. How well the two agree is a convolution over all starting points at once; the best is looked at.
    """
    closed = polyline[0] == polyline[-1]
    even = resampled(polyline, _SAMPLES, closed)
    even = even - even.mean()
    if not closed:
        return _away(even, even[::-1], (even * even[::-1]).sum())
    waves = np.fft.fft(even)
    backwards = np.fft.ifft(waves * waves)
    start = int(np.abs(backwards).argmax())
    away = _away(even, np.roll(even[::-1], start + 1), backwards[start])
    if met.points:
        onwards = np.fft.ifft(waves * np.roll(waves[::-1], 1))
        start = int(np.abs(onwards).argmax())
        away = min(away, _away(even, np.roll(even, start), onwards[start]))
    return away


def _away(one: Points, other: Points, overlap: complex) -> float:
    """The largest distance of a track from the mirror image of another, at the mirror line that the overlap gives."""
    axis = overlap / abs(overlap) if overlap else 1.0
    return float(np.abs(one - axis * other.conj()).max())


def resampled(polyline: Points, many: int, closed: bool) -> Points:
    """So many points of a track at equal distances along it; of a closed one the start is not repeated at the end."""
    along = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(polyline)))))
    at = np.linspace(0, along[-1], many, endpoint=not closed)
    return np.interp(at, along, polyline.real) + 1j * np.interp(at, along, polyline.imag)


def _equal_parts(ring: Points, met: StrokeCrossings) -> Truth:
    """Does one point part the figure into two of the same area? No if the track never meets itself."""
    if not met.clear or len(met.points) > 1:
        return None
    if not met.points:
        return False
    meeting = met.points[0]
    along = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(ring)))))
    within = (along > meeting.first) & (along < meeting.second)
    inner = np.concatenate(([meeting.place], ring[within], [meeting.place]))
    outer = np.concatenate((ring[:-1][along[:-1] < meeting.first], [meeting.place], ring[along > meeting.second]))
    outer = np.append(outer, outer[0])
    small, large = sorted((abs(_area(inner)), abs(_area(outer))))
    return above(small / large, 0.5, 0.85) if large else None
