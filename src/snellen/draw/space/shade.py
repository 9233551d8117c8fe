"""The colour of what is seen: paint, light, shadow, distance."""

from dataclasses import dataclass

import numpy as np

from snellen.draw.space.camera import Camera, dot
from snellen.draw.space.lens import Lens, Polygons
from snellen.draw.space.light import Light, ShadowMap
from snellen.draw.space.mesh import Ints, Mesh
from snellen.draw.space.paint import PATTERNS, Floats
from snellen.draw.space.solids import Point

ZENITH, HORIZON = (0.42, 0.62, 0.88), (0.80, 0.88, 0.95)


@dataclass(frozen=True, slots=True)
class Shader:
    """All that is needed to colour samples. The tables have a row for each polygon on the screen."""

    mesh: Mesh
    light: Light
    shadows: tuple[ShadowMap, ...]
    lens: Lens
    polygons: Polygons
    base: Floats
    lamps: Floats
    eye: Point | None

    def colours(self, number: Ints, x: Floats, y: Floats, near: Floats) -> Floats:
        """The colours (rows of RGB, 0 to 1) of samples that show these polygons at these places of the screen."""
        face = self.polygons.face[number]
        px, py, pz = self.lens.point(x, y, near)
        paint = self.mesh.colour[face]
        patterned = np.flatnonzero(self.mesh.pattern[face])
        if len(patterned):
            points = np.stack((px[patterned], py[patterned], pz[patterned]), axis=1)
            paint[patterned] = self._patterned(face[patterned], number[patterned], points, near[patterned])
        glow = self.base[number]
        for k, shadow in enumerate(self.shadows):
            strength = self.lamps[number, k]
            lit = np.flatnonzero(strength > 0)
            normal = self.mesh.normals[face[lit]]
            offset = 1.2 / shadow.lens.scale
            shine = strength[lit] * shadow.lit(
                px[lit] + normal[:, 0] * offset, py[lit] + normal[:, 1] * offset, pz[lit] + normal[:, 2] * offset
            )
            for channel in range(3):
                glow[lit, channel] += shine * self.light.strength[channel]
        paint *= glow
        if self.light.fog and self.eye:
            self._veil(paint, px - self.eye[0], py - self.eye[1])
        return paint

    def _veil(self, paint: Floats, x: Floats, y: Floats) -> None:
        """Far things fade into the horizon's colour."""
        distance = np.sqrt(x * x + y * y)
        share = distance / (distance + self.light.fog)
        for channel in range(3):
            paint[:, channel] += share * (HORIZON[channel] - paint[:, channel])

    def _patterned(self, face: Ints, number: Ints, points: Floats, near: Floats) -> Floats:
        mesh, plane = self.mesh, self.polygons.plane[number]
        along, across = mesh.along[face], mesh.across[face]
        u, v = dot(points, along) - mesh.origin[face, 0], dot(points, across) - mesh.origin[face, 1]
        du = self.lens.footprint(along, points, near, plane)
        dv = self.lens.footprint(across, points, near, plane)
        share = np.zeros(len(face))
        kind = mesh.pattern[face]
        for k in np.flatnonzero(np.bincount(kind)).tolist():
            name, size = mesh.patterns[k]
            at = np.flatnonzero(kind == k)
            share[at] = PATTERNS[name](u[at], v[at], du[at], dv[at], size)
        first = mesh.colour[face]
        return first + share[:, None] * (mesh.second[face] - first)


def shader(
    mesh: Mesh, light: Light, shadows: tuple[ShadowMap, ...], lens: Lens, polygons: Polygons, camera: Camera | None
) -> Shader:
    """What each polygon gets of the lights, before shadows, is the same all over it."""
    normals = mesh.normals[polygons.face] * np.where(polygons.flipped, -1.0, 1.0)[:, None]
    upwards = np.maximum(normals[:, 2], 0.0)
    base = np.array(light.ambient) + upwards[:, None] * np.array(light.above)
    if camera and light.head:
        seen = np.maximum(-dot(normals, camera.forward), 0.0)
        beside = dot(normals, camera.right)
        base = base + light.head * (0.55 + 0.3 * seen - 0.25 * beside)[:, None]
    lamps = np.stack([np.maximum(dot(normals, lamp), 0.0) for lamp in light.lamps], axis=1)
    return Shader(mesh, light, shadows, lens, polygons, base, lamps, camera.eye if camera else None)


def sky(camera: Camera, width: int, height: int, x: Floats, y: Floats) -> Floats:
    """The sky's colour at these places of the screen: by height above the horizon."""
    focus = camera.focus(width)
    upwards = (height * 0.5 - y) / focus
    sideways = (x - width * 0.5) / focus
    rise = camera.forward[2] + upwards * camera.up[2]
    rise = rise / np.sqrt(1.0 + upwards * upwards + sideways * sideways)
    share = np.clip(rise * 1.6, 0.0, 1.0)[:, None]
    found: Floats = np.array(HORIZON) + share * (np.array(ZENITH) - np.array(HORIZON))
    return found
