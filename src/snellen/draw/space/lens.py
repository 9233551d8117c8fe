"""From space to the screen and back: in perspective, or along parallel rays (maps, and shadows as the light sees them).

Screen places here are counted in samples, of which a pixel may have several. See `camera` for what nearness is.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np

from snellen.draw.space.camera import NEAR, Camera, dot
from snellen.draw.space.mesh import Flags, Ints, Mesh
from snellen.draw.space.paint import Floats
from snellen.draw.space.solids import Point


@dataclass(frozen=True, slots=True)
class Polygons:
    """Faces on the screen, corners in rows as in a mesh. Nearness is plane[p] . (x, y, 1)."""

    x: Floats
    y: Floats
    counts: Ints
    face: Ints
    plane: Floats
    flipped: Flags


class Lens(Protocol):
    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        """The chosen faces that look towards the viewer."""

    def point(self, x: Floats, y: Floats, near: Floats) -> tuple[Floats, Floats, Floats]:
        """The points of space at these places of the screen."""

    def ruler(self, axis: Floats, origin: Floats) -> Floats:
        """How to measure along an axis per polygon (rows of `axis`): four columns of numbers for `measured`."""

    def measured(self, ruler: Floats, x: Floats, y: Floats, near: Floats) -> Floats:
        """How far along its axis, from its origin, each sample is; `ruler` has four rows, a column for each sample."""

    def spread(self, ruler: Floats, plane: Floats, at: Floats, near: Floats) -> Floats:
        """How far along its axis a sample's width and height reach together, given what was measured there."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """A camera's lens for a screen of width x height samples."""

    camera: Camera
    width: int
    height: int

    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        focus = self.camera.focus(self.width)
        facing = -dot(mesh.normals, mesh.first - np.array(self.camera.eye))
        chosen = chosen & self._in_view(mesh).take(mesh.thing)
        toward = np.flatnonzero(chosen & ((facing > 1e-9) | (mesh.two_sided & (facing < -1e-9))))
        x, y, depth = self.camera.seen(mesh.corners[_rows(mesh, toward)])
        counts = mesh.counts[toward]
        starts = np.cumsum(counts) - counts
        nearest, keep = np.zeros(0), np.zeros(0, bool)
        if len(toward):
            nearest = np.minimum.reduceat(depth, starts)
            keep = np.maximum.reduceat(depth, starts) > NEAR
            # outside the screen altogether, to any one side
            slope_x, slope_y = self.width * 0.5 / focus, self.height * 0.5 / focus
            for outside in (x - slope_x * depth, -x - slope_x * depth, y - slope_y * depth, -y - slope_y * depth):
                keep &= np.minimum.reduceat(outside, starts) <= 0
        whole, cut = np.flatnonzero(keep & (nearest >= NEAR)), np.flatnonzero(keep & (nearest < NEAR))
        seen = np.stack((x, y, depth), axis=1)
        clipped = [_clipped(seen[starts[f] : starts[f] + counts[f]].tolist()) for f in cut.tolist()]
        corners = np.concatenate(
            (seen[_listed(starts, counts, whole)], np.array([c for polygon in clipped for c in polygon]).reshape(-1, 3))
        )
        face = toward[np.concatenate((whole, cut))]
        scale = focus / corners[:, 2]
        return Polygons(
            x=self.width * 0.5 + corners[:, 0] * scale,
            y=self.height * 0.5 - corners[:, 1] * scale,
            counts=np.concatenate((counts[whole], np.array([len(polygon) for polygon in clipped], np.int64))),
            face=face,
            plane=self._planes(mesh.normals[face], facing[face], focus),
            flipped=facing[face] < 0,
        )

    def _in_view(self, mesh: Mesh) -> Flags:
        """Which things may be seen: the ball around each reaches into the view. It spares the corners of the others,
        most of a flat's; a ball a little too large is safe."""
        x, y, depth = self.camera.seen(mesh.middle)
        radius = mesh.radius * 1.001 + 0.001
        ahead: Flags = depth > -radius
        for side, samples in ((x, self.width), (y, self.height)):
            slope = samples * 0.5 / self.camera.focus(self.width)
            ahead &= np.abs(side) - slope * depth <= radius * sqrt(1.0 + slope * slope)
        return ahead

    def _planes(self, normals: Floats, facing: Floats, focus: float) -> Floats:
        """Nearness is (normal . ray) / (normal . way to the face), and the ray is flat in x and y."""
        right, up = dot(normals, self.camera.right), dot(normals, self.camera.up)
        forward = dot(normals, self.camera.forward)
        by_x, by_y = -right / (focus * facing), up / (focus * facing)
        centre = -forward / facing
        return np.stack((by_x, by_y, centre - by_x * (self.width * 0.5) - by_y * (self.height * 0.5)), axis=1)

    def point(self, x: Floats, y: Floats, near: Floats) -> tuple[Floats, Floats, Floats]:
        depth = 1.0 / near
        scale = depth * (1.0 / self.camera.focus(self.width))
        sideways, upwards = (x - self.width * 0.5) * scale, (self.height * 0.5 - y) * scale
        right, up, forward, eye = self.camera.right, self.camera.up, self.camera.forward, self.camera.eye
        px, py, pz = (eye[i] + sideways * right[i] + upwards * up[i] + depth * forward[i] for i in range(3))
        return px, py, pz

    def ruler(self, axis: Floats, origin: Floats) -> Floats:
        step = 1.0 / self.camera.focus(self.width)
        by_x, by_y = dot(axis, self.camera.right) * step, dot(axis, self.camera.up) * -step
        centre = dot(axis, self.camera.forward) - by_x * (self.width * 0.5) - by_y * (self.height * 0.5)
        return np.stack((by_x, by_y, centre, dot(axis, self.camera.eye) - origin))

    def measured(self, ruler: Floats, x: Floats, y: Floats, near: Floats) -> Floats:
        by_x, by_y, centre, start = ruler
        along: Floats = start + (by_x * x + by_y * y + centre) / near
        return along

    def spread(self, ruler: Floats, plane: Floats, at: Floats, near: Floats) -> Floats:
        by_x, by_y, _, start = ruler
        reach = at - start
        spread: Floats = (np.abs(by_x - reach * plane[0]) + np.abs(by_y - reach * plane[1])) / near
        return spread


@dataclass(frozen=True, slots=True)
class Parallel:
    """Parallel rays: `right`, `up` and `toward` (the viewer) are square to one another; `corner` is the screen's left
    upper corner in their measures; `scale` samples to a metre."""

    right: Point
    up: Point
    toward: Point
    corner: tuple[float, float]
    scale: float

    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        facing = dot(mesh.normals, self.toward)
        face = np.flatnonzero(chosen & ((facing > 1e-9) | (mesh.two_sided & (facing < -1e-9))))
        corners = mesh.corners[_rows(mesh, face)]
        by_x = -dot(mesh.normals[face], self.right) / (facing[face] * self.scale)
        by_y = dot(mesh.normals[face], self.up) / (facing[face] * self.scale)
        x, y = self.screen(corners)
        counts = mesh.counts[face]
        first = np.cumsum(counts) - counts
        centre = dot(corners[first], self.toward) - by_x * x[first] - by_y * y[first]
        return Polygons(x, y, counts, face, np.stack((by_x, by_y, centre), axis=1), facing[face] < 0)

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


def _rows(mesh: Mesh, face: Ints) -> Ints:
    """The rows of the corners of these faces, one face after another."""
    return _listed(mesh.starts, mesh.counts, face)


def _listed(starts: Ints, counts: Ints, chosen: Ints) -> Ints:
    """The chosen stretches of rows, each from its start on, one after another."""
    many = counts[chosen]
    ends = np.cumsum(many)
    rows: Ints = np.arange(int(many.sum())) + np.repeat(starts[chosen] - (ends - many), many)
    return rows


def _clipped(corners: list[list[float]]) -> list[list[float]]:
    """The part of a polygon that lies before the eye (Sutherland and Hodgman's rule for one plane)."""
    kept = []
    for here, after in zip(corners, corners[1:] + corners[:1], strict=True):
        if here[2] >= NEAR:
            kept.append(here)
        if (here[2] >= NEAR) != (after[2] >= NEAR):
            share = (NEAR - here[2]) / (after[2] - here[2])
            kept.append([here[0] + share * (after[0] - here[0]), here[1] + share * (after[1] - here[1]), NEAR])
    return kept
