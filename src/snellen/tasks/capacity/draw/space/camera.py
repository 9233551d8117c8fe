"""Where a view is taken from: a camera in perspective, or a look straight down on a map.

Both give the same answers: which plane of the screen's (x, y) a face's nearness is, where a point falls on the screen,
and which point of space a place on the screen at a given nearness is. **Nearness** grows towards the viewer and is
a flat function of the screen's x and y for every flat face: 1/depth in perspective, the depth negated from above.
Screen places are in pixels from the left upper corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import radians, tan

import numpy as np

from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.solids import Point, Spot, cosine, sine

NEAR = 0.05
"""Metres before the eye where the view begins."""


def dot(a: Floats, b: Floats | Point) -> Floats:
    """Products of rows of three, added in a fixed order (no BLAS, whose order differs between machines)."""
    b = np.asarray(b, np.float64)
    products: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return products


def inner(a: Sequence[Floats] | Floats, b: Floats | Point) -> Floats:
    """What `dot` gives, for three rows instead of rows of three."""
    products: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return products


@dataclass(frozen=True)
class Camera:
    """An eye in space. `yaw` is the bearing it looks to, `pitch` degrees upwards, `field` degrees from side to side."""

    eye: Point
    yaw: float
    pitch: float = 0.0
    field: float = 75.0

    @cached_property
    def forward(self) -> Point:
        level = cosine(self.pitch)
        return (sine(self.yaw) * level, cosine(self.yaw) * level, sine(self.pitch))

    @cached_property
    def right(self) -> Point:
        return (cosine(self.yaw), -sine(self.yaw), 0.0)

    @cached_property
    def up(self) -> Point:
        tilt = sine(self.pitch)
        return (-sine(self.yaw) * tilt, -cosine(self.yaw) * tilt, cosine(self.pitch))

    def focus(self, width: int) -> float:
        """Pixels per unit of (sideways / depth)."""
        return width * 0.5 / round(tan(radians(self.field * 0.5)), 6)

    def spot(self, point: Point, width: int, height: int) -> tuple[float, float, float]:
        """Where a point falls on the screen (x, y) and its depth; of use only where the depth is positive."""
        x, y, depth = (float(value[0]) for value in self.seen(np.array([point], np.float64)))
        focus = self.focus(width)
        safe = depth if abs(depth) > 1e-9 else 1e-9
        return width * 0.5 + focus * x / safe, height * 0.5 - focus * y / safe, depth

    def seen(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Points as (rightwards, upwards, depth) from the eye."""
        away = points - np.array(self.eye)
        return dot(away, self.right), dot(away, self.up), dot(away, self.forward)


@dataclass(frozen=True)
class Overhead:
    """A look straight down, north up, as from an aeroplane: `span` metres from left to right."""

    centre: Spot
    span: float

    def spot(self, point: Point, width: int, height: int) -> tuple[float, float, float]:
        scale = width / self.span
        x, y, z = point
        return width * 0.5 + (x - self.centre[0]) * scale, height * 0.5 - (y - self.centre[1]) * scale, -z
