"""Line drawings made by a pen that is told to turn, to draw a line, to draw an arc.

A shape is a short program of **strokes**. Each first turns the pen and then moves it, straight or along an arc; its
style says what it leaves behind: a plain line, a zigzag, or a row of small circles, squares or triangles. Places are
complex numbers, x to the right and y upwards, in the program's own unit until the shape is put on the page.

The pen's track is a cloud of points half a pixel apart, rounded to eighths of a pixel. Each point is stamped onto the
page with soft edges, the darkest stamp winning: after the rounding all is integer arithmetic.
"""

from cmath import exp
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, pi, radians

import numpy as np
from numpy.typing import NDArray

from snellen.draw.png import encode
from snellen.item import Picture

Points = NDArray[np.complex128]
Floats = NDArray[np.float64]

SIDE = 320
STYLES = ("normal", "zigzag", "circles", "squares", "triangles")
_PLAIN = ("normal", "zigzag")

_THICK, _THIN = 1.35, 0.85
"""Half the width of a plain or zigzag line, and of a marker's outline, in pixels."""
_STEP = 0.6
_TOOTH, _BITE = 6.0, 2.8
"""Length of a zigzag's tooth along the path, and how far it reaches to either side."""
_MARKER, _SPACING = 4.2, 10.5
"""A marker's radius and the distance from one to the next."""
_PHASES = 8
_SHADES = 16


@dataclass(frozen=True, slots=True)
class PenStroke:
    """Turn the pen by `turn` degrees, then draw: a line `size` long, or if `angle` is not 0 an arc of radius `size`
    through that many degrees. Left is positive."""

    size: float
    angle: float = 0.0
    turn: float = 0.0
    style: str = "normal"

    @property
    def length(self) -> float:
        return self.size * radians(abs(self.angle)) if self.angle else self.size


@dataclass(frozen=True, slots=True)
class StrokeShape:
    """Strokes put on the page: the middle of their bounding box at (x, y) from the upper left corner, in pixels."""

    strokes: tuple[PenStroke, ...]
    x: float
    y: float
    scale: float
    heading: float


@dataclass(frozen=True, slots=True)
class PlacedStroke:
    """A stroke with the place and the direction (a unit number) it starts from."""

    stroke: PenStroke
    start: complex
    ahead: complex

    def at(self, shares: Floats) -> Points:
        """The points at these shares of the way."""
        if not self.stroke.angle:
            return np.asarray(self.start + self.ahead * self.stroke.size * shares)
        turned: Points = np.exp(1j * radians(self.stroke.angle) * shares)
        return self.start + self._spoke() * (1 - turned)

    def direction(self, shares: Floats) -> Points:
        return np.asarray(self.ahead * np.exp(1j * radians(self.stroke.angle) * shares))

    @property
    def end(self) -> complex:
        if not self.stroke.angle:
            return self.start + self.ahead * self.stroke.size
        return self.start + self._spoke() * (1 - exp(1j * radians(self.stroke.angle)))

    def _spoke(self) -> complex:
        """From the start to the middle of the arc's circle."""
        side = 1 if self.stroke.angle > 0 else -1
        return 1j * side * self.ahead * self.stroke.size


def legs(strokes: Sequence[PenStroke], heading: float = 0.0, scale: float = 1.0) -> list[PlacedStroke]:
    """Where each stroke starts, the first at 0 after its own turn."""
    path: list[PlacedStroke] = []
    place, ahead = 0j, exp(1j * radians(heading))
    for stroke in strokes:
        ahead *= exp(1j * radians(stroke.turn))
        scaled = PenStroke(stroke.size * scale, stroke.angle, stroke.turn, stroke.style)
        path.append(leg := PlacedStroke(scaled, place, ahead))
        place = leg.end
        ahead *= exp(1j * radians(stroke.angle))
    return path


def track(path: Sequence[PlacedStroke], degrees: float = 12.0) -> list[Points]:
    """Points along each leg, both ends included: two of a line, one for so many degrees of an arc."""
    return [leg.at(_shares(max(1, ceil(abs(leg.stroke.angle) / degrees)))) for leg in path]


@lru_cache(maxsize=64)
def _shares(many: int) -> Floats:
    return np.linspace(0, 1, many + 1)


def box(points: Points) -> tuple[complex, float, float]:
    """Middle, width and height of the bounding box."""
    left, right, low, high = points.real.min(), points.real.max(), points.imag.min(), points.imag.max()
    return complex(left + right, low + high) / 2, float(right - left), float(high - low)


def draw(shapes: Sequence[StrokeShape], *, alt: str = "", twin: str = "") -> Picture:
    """The shapes in black on white, as a PNG file of fixed size."""
    page = np.zeros((SIDE, SIDE), np.uint8)
    for shape in shapes:
        thick, thin = _inked(shape)
        _stamp(page, thick, _THICK)
        _stamp(page, thin, _THIN)
    return Picture(encode(page, _palette()), alt=alt, twin=twin)


def _inked(shape: StrokeShape) -> tuple[Points, Points]:
    """The points the thick and the thin pen touch, on the page with y upwards."""
    path = legs(shape.strokes, shape.heading, shape.scale)
    middle, _, _ = box(np.concatenate(track(path)))
    shift = complex(shape.x, -shape.y) - middle
    marks: dict[bool, list[Points]] = {True: [], False: []}
    for place, leg in enumerate(path):
        follower = path[(place + 1) % len(path)]
        shared = abs(follower.start - leg.end) < _MARKER and follower.stroke.style not in _PLAIN
        marks[leg.stroke.style in _PLAIN].append(_mark(leg, not shared) + shift)
    empty = np.empty(0, np.complex128)
    return np.concatenate([*marks[True], empty]), np.concatenate([*marks[False], empty])


def _mark(leg: PlacedStroke, full: bool) -> Points:
    """What the pen leaves behind; of a row of markers the last only if `full` (else the next stroke begins there)."""
    length = leg.stroke.length
    if leg.stroke.style == "normal":
        return leg.at(np.linspace(0, 1, 2 + int(length / _STEP)))
    if leg.stroke.style == "zigzag":
        return _dense(_teeth(leg, max(2, round(length / _TOOTH))))
    many = max(2, round(length / _SPACING))
    shares = np.arange(many + full) / many
    return (leg.at(shares)[:, None] + leg.direction(shares)[:, None] * _marker(leg.stroke.style)).ravel()


def _teeth(leg: PlacedStroke, many: int) -> Points:
    """The corners of a zigzag: from the start, left and right of the path by turns, to the end."""
    shares = np.concatenate(([0.0], (np.arange(many) + 0.5) / many, [1.0]))
    sides = np.zeros(many + 2)
    sides[1:-1] = np.where(np.arange(many) % 2, -_BITE, _BITE)
    return leg.at(shares) + 1j * leg.direction(shares) * sides


def _dense(corners: Points) -> Points:
    """Points half a pixel apart along a polyline of short pieces."""
    steps = np.diff(corners)
    many = 1 + int(np.abs(steps).max() / _STEP)
    shares = np.arange(many) / many
    return np.append((corners[:-1, None] + steps[:, None] * shares).ravel(), corners[-1])


@lru_cache(maxsize=len(STYLES))
def _marker(style: str) -> Points:
    """A marker's outline around 0, for a pen that moves to the right."""
    if style == "circles":
        return np.asarray(_MARKER * np.exp(2j * pi * np.arange(40) / 40))
    turns = np.array([0, 1, 2, 0]) / 3 if style == "triangles" else np.array([1, 3, 5, 7, 1]) / 8
    return _dense(_MARKER * 1.15 * np.exp(2j * pi * turns))


def _stamp(page: NDArray[np.uint8], points: Points, radius: float) -> None:
    """Stamp a soft dot of this radius at each point, in place, nothing lighter than before."""
    if not len(points):
        return
    # One flat array of x and y in phases; rounding here is the last thing done in floating point.
    x = np.rint(points.real * _PHASES).astype(np.int64)
    y = np.rint(-points.imag * _PHASES).astype(np.int64)
    reach, dots = _dots(radius)
    left, top = x // _PHASES - reach, y // _PHASES - reach
    width = 2 * reach + 1
    inside = (left >= 0) & (top >= 0) & (left + width <= SIDE) & (top + width <= SIDE)
    if not inside.all():
        raise ValueError("a shape leaves the page")
    window = (np.arange(width)[:, None] * SIDE + np.arange(width)).ravel()
    places = (top * SIDE + left)[:, None] + window
    np.maximum.at(page.reshape(-1), places.ravel(), dots[y % _PHASES, x % _PHASES].ravel())


@lru_cache(maxsize=4)
def _dots(radius: float) -> tuple[int, NDArray[np.uint8]]:
    """For each phase in y and x the shades of a dot, row by row, in a window that begins `reach` pixels before."""
    reach = int(radius + 1)
    pixels = np.arange(2 * reach + 1) - reach + 0.5
    offsets = pixels[None, :] - (np.arange(_PHASES) / _PHASES)[:, None]
    distances = np.hypot(offsets[:, None, :, None], offsets[None, :, None, :])
    shades = np.clip(np.rint((radius + 0.5 - distances) * _SHADES), 0, _SHADES).astype(np.uint8)
    return reach, shades.reshape(_PHASES, _PHASES, -1)


@lru_cache(maxsize=1)
def _palette() -> NDArray[np.uint8]:
    """From white to black."""
    greys = 255 - np.arange(_SHADES + 1) * 255 // _SHADES
    return np.repeat(greys[:, None], 3, axis=1).astype(np.uint8)
