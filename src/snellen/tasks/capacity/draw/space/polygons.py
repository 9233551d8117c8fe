"""Faces on the screen, and how a camera puts them there: one camera, or many with a screen each.

Many small views cost more in numpy's calls than in arithmetic, so they are projected together. Each is the same to the
last bit as if it were alone: every row carries the numbers of its own camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from snellen.tasks.capacity.draw.space.camera import NEAR, Camera, inner
from snellen.tasks.capacity.draw.space.mesh import Flags, Ints, Mesh
from snellen.tasks.capacity.draw.space.paint import Floats


@dataclass(frozen=True, slots=True)
class Polygons:
    """Faces on screens, corners in rows as in a mesh. Nearness is plane[p] . (x, y, 1) on the screen `screen[p]`."""

    x: Floats
    y: Floats
    counts: Ints
    face: Ints
    plane: Floats
    flipped: Flags
    screen: Ints

    def only(self, chosen: Flags) -> "Polygons":
        """Some of them."""
        own = np.repeat(chosen, self.counts)
        return Polygons(
            self.x[own],
            self.y[own],
            self.counts[chosen],
            self.face[chosen],
            self.plane[chosen],
            self.flipped[chosen],
            self.screen[chosen],
        )


@dataclass(frozen=True, slots=True)
class Eyes:
    """Cameras that all have screens of the same size in samples. Each table has three rows (x, y, z) of a number for
    each camera, as columns: numpy is slow on short last axes."""

    eye: Floats
    right: Floats
    up: Floats
    forward: Floats
    focus: Floats
    width: int
    height: int

    def seen(self, points: Floats) -> Floats:
        """Points (three rows) as rightwards, upwards and depth from each camera."""
        away = points[:, None] - self.eye
        return np.stack((inner(away, self.right), inner(away, self.up), inner(away, self.forward)))

    def polygons(self, mesh: Mesh, chosen: Flags) -> Polygons:
        """The chosen faces that look towards each camera."""
        corners, normals, first = (np.ascontiguousarray(rows.T) for rows in (mesh.corners, mesh.normals, mesh.first))
        facing = -inner(normals, first[:, None] - self.eye)
        toward = (facing > 1e-9) | (mesh.two_sided & (facing < -1e-9))
        listed = np.flatnonzero(toward & chosen & self.in_view(mesh)[:, mesh.thing])
        camera, facing = listed // len(mesh.counts), facing.ravel()[listed]
        face = listed - camera * len(mesh.counts)
        counts = mesh.counts[face]
        starts = np.cumsum(counts) - counts
        at = rows_of(mesh, face)
        seen = self._own(np.stack([row[at] for row in corners]), camera, counts)
        whole, cut = self._on_screen(seen, starts, camera, counts)
        clipped = [_clipped(seen[:, starts[f] : starts[f] + counts[f]].T.tolist()) for f in cut.tolist()]
        kept = np.concatenate((whole, cut))
        camera, face, facing = camera[kept], face[kept], facing[kept]
        before = _listed(starts, counts, whole)
        x, y, depth = (
            np.concatenate((seen[i][before], [corner[i] for polygon in clipped for corner in polygon]))
            for i in range(3)
        )
        counts = np.concatenate((counts[whole], np.array([len(polygon) for polygon in clipped], np.int64)))
        scale = np.repeat(self.focus.ravel()[camera], counts) / depth
        return Polygons(
            x=self.width * 0.5 + x * scale,
            y=self.height * 0.5 - y * scale,
            counts=counts,
            face=face,
            plane=self._planes([row[face] for row in normals], facing, camera),
            flipped=facing < 0,
            screen=camera,
        )

    def in_view(self, mesh: Mesh) -> Flags:
        """Which things each camera may see, a row for each: the ball around the thing reaches into the view. It spares
        most of a flat's faces; a ball a little too large is safe."""
        x, y, depth = self.seen(np.ascontiguousarray(mesh.middle.T))
        radius = mesh.radius * 1.001 + 0.001
        ahead: Flags = depth > -radius
        for side, samples in ((x, self.width), (y, self.height)):
            slope = samples * 0.5 / self.focus
            ahead &= np.abs(side) - slope * depth <= radius * np.sqrt(1.0 + slope * slope)
        return ahead

    def _own(self, corners: Floats, camera: Ints, counts: Ints) -> Floats:
        """The corners of polygons, sorted by camera, as their own cameras see them."""
        seen, ends = np.empty_like(corners), np.cumsum(np.bincount(camera, counts, len(self.focus))).astype(np.int64)
        for number, (start, end) in enumerate(pairwise((0, *ends.tolist()))):
            away = corners[:, start:end] - self.eye[:, number]
            for row, axis in enumerate((self.right, self.up, self.forward)):
                seen[row, start:end] = inner(away, axis[:, number])
        return seen

    def _on_screen(self, seen: Floats, starts: Ints, camera: Ints, counts: Ints) -> tuple[Ints, Ints]:
        """The polygons (stretches of columns) of which something is on the screen: those wholly before the eye, and
        those that reach behind it and must be cut."""
        if not len(starts):
            return starts, starts
        x, y, depth = seen
        nearest = np.minimum.reduceat(depth, starts)
        keep = np.maximum.reduceat(depth, starts) > NEAR
        # outside the screen altogether, to any one side
        for side, samples in ((x, self.width), (y, self.height)):
            reach = np.repeat(samples * 0.5 / self.focus.ravel()[camera], counts) * depth
            for outside in (side - reach, -side - reach):
                keep &= np.minimum.reduceat(outside, starts) <= 0
        return np.flatnonzero(keep & (nearest >= NEAR)), np.flatnonzero(keep & (nearest < NEAR))

    def _planes(self, normals: Sequence[Floats], facing: Floats, camera: Ints) -> Floats:
        """Nearness is (normal . ray) / (normal . way to the face), and the ray is flat in x and y."""
        right, up, forward = (inner(normals, axes[:, camera, 0]) for axes in (self.right, self.up, self.forward))
        across = self.focus.ravel()[camera] * facing
        by_x, by_y, centre = -right / across, up / across, -forward / facing
        return np.stack((by_x, by_y, centre - by_x * (self.width * 0.5) - by_y * (self.height * 0.5)), axis=1)


def eyes(cameras: Sequence[Camera], width: int, height: int) -> Eyes:
    """The cameras with a screen of width x height samples each."""
    frames = np.array([(camera.eye, camera.right, camera.up, camera.forward) for camera in cameras])
    eye, right, up, forward = frames.transpose(1, 2, 0)[..., None]
    return Eyes(eye, right, up, forward, np.array([[camera.focus(width)] for camera in cameras]), width, height)


def rows_of(mesh: Mesh, face: Ints) -> Ints:
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
