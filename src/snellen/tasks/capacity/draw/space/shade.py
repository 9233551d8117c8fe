"""The colour of what is seen: paint, light, shadow, distance.

Colours are kept as three rows (red, green, blue), as numpy is slow on short last axes.
"""

from dataclasses import dataclass

import numpy as np

from snellen.tasks.capacity.draw.space.camera import Camera, dot
from snellen.tasks.capacity.draw.space.lens import Lens
from snellen.tasks.capacity.draw.space.light import Light, Lighting
from snellen.tasks.capacity.draw.space.mesh import Ints, Mesh
from snellen.tasks.capacity.draw.space.paint import PATTERNS, Floats
from snellen.tasks.capacity.draw.space.polygons import Polygons

ZENITH, HORIZON = (0.42, 0.62, 0.88), (0.80, 0.88, 0.95)


@dataclass(frozen=True, slots=True)
class _Rulers:
    """How to measure along and across each polygon, and its plane; a column for each polygon."""

    along: Floats
    across: Floats
    plane: Floats


@dataclass(frozen=True, slots=True)
class Shader:
    """All that is needed to colour samples. The tables have a column for each polygon on the screen."""

    mesh: Mesh
    lighting: Lighting
    lens: Lens
    face: Ints
    rulers: _Rulers
    colour: Floats
    second: Floats
    base: Floats
    normals: Floats
    fog: float

    def colours(self, number: Ints, x: Floats, y: Floats, near: Floats) -> Floats:
        """The colours (0 to 1) of samples that show these polygons at these places of the screen."""
        paint = self.colour.take(number, axis=1)
        glow = self._shine(number, x, y, near)
        patterned = np.flatnonzero(self.mesh.pattern[self.face][number])
        if len(patterned):
            which = number[patterned]
            share = self._patterned(which, *(row[patterned] for row in (x, y, near)))
            for channel in range(3):
                first = paint[channel][patterned]
                paint[channel, patterned] = first + share * (self.second[channel][which] - first)
        for channel in range(3):
            paint[channel] *= self.base[channel][number] + glow * self.lighting.light.strength[channel]
        return self._in_fog(paint, near)

    def colours_of_one(self, polygon: int, x: Floats, y: Floats, near: Floats) -> Floats:
        """The same for samples that all show one polygon: nothing to look up for each, and equal to the last bit."""
        face = int(self.face[polygon])
        kind = int(self.mesh.pattern[face])
        glow = self._shine_on_one(polygon, face, x, y, near)
        share: Floats | None = None
        if kind:
            along, across = self.rulers.along[:, polygon], self.rulers.across[:, polygon]
            share = self._share(kind, self._footprint(along, across, self.rulers.plane[:, polygon], x, y, near))
        paint = np.empty((3, len(x)))
        for channel in range(3):
            light = self.base[channel, polygon] + glow * self.lighting.light.strength[channel]
            first = self.colour[channel, polygon]
            mixed = first if share is None else first + share * (self.second[channel, polygon] - first)
            np.multiply(mixed, light, out=paint[channel])
        return self._in_fog(paint, near)

    def _in_fog(self, paint: Floats, near: Floats) -> Floats:
        if self.fog:
            share = 1.0 / (1.0 + self.fog * near)
            for channel in range(3):
                paint[channel] += share * (HORIZON[channel] - paint[channel])
        return paint

    def _shine(self, number: Ints, x: Floats, y: Floats, near: Floats) -> Floats:
        """What the lamps give: read from the large faces' own charts, else looked up lamp by lamp."""
        glow = np.empty(len(number))
        face = self.face[number]
        charted = self.lighting.charted[face]
        at = np.flatnonzero(charted)
        if len(at):
            which, here = number[at], tuple(row[at] for row in (x, y, near))
            u = self.lens.measured(self.rulers.along.take(which, axis=1), *here)
            v = self.lens.measured(self.rulers.across.take(which, axis=1), *here)
            glow[at] = self.lighting.read(face[at], u, v)
        rest = np.flatnonzero(~charted)
        if len(rest):
            points = self.lens.point(*(row[rest] for row in (x, y, near)))
            glow[rest] = self.lighting.shine(points, self.normals, number[rest])
        return glow

    def _shine_on_one(self, polygon: int, face: int, x: Floats, y: Floats, near: Floats) -> Floats:
        if self.lighting.charted[face]:
            u = self.lens.measured(self.rulers.along[:, polygon], x, y, near)
            v = self.lens.measured(self.rulers.across[:, polygon], x, y, near)
            return self.lighting.read(face, u, v)
        normal = self.normals[:, polygon].tolist()
        return self.lighting.shine_on_plane(self.lens.point(x, y, near), (normal[0], normal[1], normal[2]))

    def _patterned(self, number: Ints, x: Floats, y: Floats, near: Floats) -> Floats:
        """How much of the second colour is seen."""
        along, across = self.rulers.along.take(number, axis=1), self.rulers.across.take(number, axis=1)
        footprint = self._footprint(along, across, self.rulers.plane.take(number, axis=1), x, y, near)
        share = np.empty(len(number))
        kind = self.mesh.pattern[self.face][number]
        many = np.bincount(kind)
        order, ends = np.argsort(kind.astype(np.int16), kind="stable"), np.cumsum(many)  # short numbers sort fast
        for k in np.flatnonzero(many).tolist():
            at = order[ends[k] - many[k] : ends[k]]
            u, v, du, dv = footprint
            share[at] = self._share(k, (u[at], v[at], du[at], dv[at]))
        return share

    def _footprint(
        self, along: Floats, across: Floats, plane: Floats, x: Floats, y: Floats, near: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Where on their faces samples are, along and across, and how far each reaches there."""
        u, v = self.lens.measured(along, x, y, near), self.lens.measured(across, x, y, near)
        return u, v, self.lens.spread(along, plane, u, near), self.lens.spread(across, plane, v, near)

    def _share(self, kind: int, footprint: tuple[Floats, Floats, Floats, Floats]) -> Floats:
        name, size = self.mesh.patterns[kind]
        u, v, du, dv = footprint
        return PATTERNS[name](u, v, 2.0 * du, 2.0 * dv, size)


def shader(mesh: Mesh, lighting: Lighting, lens: Lens, polygons: Polygons, camera: Camera | None) -> Shader:
    """What each polygon gets of the lights that cast no shadows is the same all over it."""
    face, light = polygons.face, lighting.light
    normals = mesh.normals[face] * np.where(polygons.flipped, -1.0, 1.0)[:, None]
    return Shader(
        mesh,
        lighting,
        lens,
        face,
        _Rulers(
            lens.ruler(mesh.along[face], mesh.origin[face, 0]),
            lens.ruler(mesh.across[face], mesh.origin[face, 1]),
            np.ascontiguousarray(polygons.plane.T),
        ),
        colour=np.ascontiguousarray(mesh.colour[face].T),
        second=np.ascontiguousarray(mesh.second[face].T),
        base=_base(normals, light, camera),
        normals=np.ascontiguousarray(normals.T),
        fog=light.fog if camera else 0.0,
    )


def _base(normals: Floats, light: Light, camera: Camera | None) -> Floats:
    """The light from everywhere and from the camera. From above, the camera's forward is down and its right east."""
    upwards = np.maximum(normals[:, 2], 0.0)
    base = np.stack([light.ambient[i] + upwards * light.above[i] for i in range(3)])
    forward, right = (camera.forward, camera.right) if camera else ((0.0, 0.0, -1.0), (1.0, 0.0, 0.0))
    seen = np.maximum(-dot(normals, forward), 0.0)
    base += light.head * (0.45 + 0.3 * seen - 0.25 * dot(normals, right))
    return base


def sky(camera: Camera, width: int, height: int, x: Floats, y: Floats) -> Floats:
    """The sky's colour at these places of the screen: by height above the horizon."""
    focus = camera.focus(width)
    upwards = (height * 0.5 - y) / focus
    sideways = (x - width * 0.5) / focus
    rise = camera.forward[2] + upwards * camera.up[2]
    rise = rise / np.sqrt(1.0 + upwards * upwards + sideways * sideways)
    share = np.clip(rise * 1.6, 0.0, 1.0)
    return np.stack([HORIZON[i] + share * (ZENITH[i] - HORIZON[i]) for i in range(3)])
