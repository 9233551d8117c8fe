"""From space to the screen and back: in perspective, or along parallel rays (maps, and shadows as the light sees them).

Screen places here are counted in samples, of which a pixel may have several. See `camera` for what nearness is.
"""

from dataclasses import dataclass

import numpy as np

from snellen.tasks.capacity.draw.space.camera import Camera, dot
from snellen.tasks.capacity.draw.space.mesh import Flags, Mesh
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.polygons import Polygons, eyes, rows_of
from snellen.tasks.capacity.draw.space.solids import Point


@dataclass(frozen=True, slots=True)
class Perspective:
    """A camera's lens for a screen of width x height samples."""

    camera: Camera
    width: int
    height: int

    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        """The chosen faces that look towards the viewer."""
        return eyes((self.camera,), self.width, self.height).polygons(mesh, chosen)

    def point(self, x: Floats, y: Floats, near: Floats) -> tuple[Floats, Floats, Floats]:
        """The points of space at these places of the screen."""
        depth = 1.0 / near
        scale = depth * (1.0 / self.camera.focus(self.width))
        sideways, upwards = (x - self.width * 0.5) * scale, (self.height * 0.5 - y) * scale
        right, up, forward, eye = self.camera.right, self.camera.up, self.camera.forward, self.camera.eye
        px, py, pz = (eye[i] + sideways * right[i] + upwards * up[i] + depth * forward[i] for i in range(3))
        return px, py, pz

    def ruler(self, axis: Floats, origin: Floats) -> Floats:
        """How to measure along an axis per polygon (rows of `axis`): four columns of numbers for `measured`."""
        step = 1.0 / self.camera.focus(self.width)
        by_x, by_y = dot(axis, self.camera.right) * step, dot(axis, self.camera.up) * -step
        centre = dot(axis, self.camera.forward) - by_x * (self.width * 0.5) - by_y * (self.height * 0.5)
        return np.stack((by_x, by_y, centre, dot(axis, self.camera.eye) - origin))

    def measured(self, ruler: Floats, x: Floats, y: Floats, near: Floats) -> Floats:
        """How far along its axis, from its origin, each sample is; `ruler` has four rows, a column for each sample."""
        by_x, by_y, centre, start = ruler
        along: Floats = start + (by_x * x + by_y * y + centre) / near
        return along

    def spread(self, ruler: Floats, plane: Floats, at: Floats, near: Floats) -> Floats:
        """How far along its axis a sample's width and height reach together, given what was measured there."""
        by_x, by_y, _, start = ruler
        reach = at - start
        spread: Floats = (np.abs(by_x - reach * plane[0]) + np.abs(by_y - reach * plane[1])) / near
        return spread


@dataclass(frozen=True, slots=True)
class Parallel:
    """Parallel rays, with the methods of `Perspective`. `right`, `up` and `toward` (the viewer) are square to one
    another; `corner` is the screen's left upper corner in their measures; `scale` samples to a metre."""

    right: Point
    up: Point
    toward: Point
    corner: tuple[float, float]
    scale: float

    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        facing = dot(mesh.normals, self.toward)
        face = np.flatnonzero(chosen & ((facing > 1e-9) | (mesh.two_sided & (facing < -1e-9))))
        corners = mesh.corners[rows_of(mesh, face)]
        by_x = -dot(mesh.normals[face], self.right) / (facing[face] * self.scale)
        by_y = dot(mesh.normals[face], self.up) / (facing[face] * self.scale)
        x, y = self.screen(corners)
        counts = mesh.counts[face]
        first = np.cumsum(counts) - counts
        centre = dot(corners[first], self.toward) - by_x * x[first] - by_y * y[first]
        plane = np.stack((by_x, by_y, centre), axis=1)
        return Polygons(x, y, counts, face, plane, facing[face] < 0, np.zeros(len(face), np.int64))

    def screen(self, points: Floats) -> tuple[Floats, Floats]:
        x = (dot(points, self.right) - self.corner[0]) * self.scale
        return x, (self.corner[1] - dot(points, self.up)) * self.scale

    def point(self, x: Floats, y: Floats, near: Floats) -> tuple[Floats, Floats, Floats]:
        sideways = self.corner[0] + x * (1.0 / self.scale)
        upwards = self.corner[1] - y * (1.0 / self.scale)
        right, up, toward = self.right, self.up, self.toward
        px, py, pz = (sideways * right[i] + upwards * up[i] + near * toward[i] for i in range(3))
        return px, py, pz

    def ruler(self, axis: Floats, origin: Floats) -> Floats:
        step = 1.0 / self.scale
        right, up, toward = dot(axis, self.right), dot(axis, self.up), dot(axis, self.toward)
        return np.stack((right * step, up * -step, toward, right * self.corner[0] + up * self.corner[1] - origin))

    def measured(self, ruler: Floats, x: Floats, y: Floats, near: Floats) -> Floats:
        by_x, by_y, toward, start = ruler
        along: Floats = start + by_x * x + by_y * y + toward * near
        return along

    def spread(self, ruler: Floats, plane: Floats, at: Floats, near: Floats) -> Floats:
        by_x, by_y, toward, _ = ruler
        spread: Floats = np.abs(by_x + toward * plane[0]) + np.abs(by_y + toward * plane[1])
        return spread


Lens = Perspective | Parallel
