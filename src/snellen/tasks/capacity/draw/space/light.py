"""Light: lamps infinitely far away, the shadows they cast, and what lights everything alike.

Outdoors there is one sun. Indoors the light must not tell the compass, so it comes from a ring of equal lamps high
around, which makes soft shadows under things; upright faces are told apart by a light that moves with the camera.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from snellen.tasks.capacity.draw.space.camera import dot, inner
from snellen.tasks.capacity.draw.space.lens import Parallel
from snellen.tasks.capacity.draw.space.mesh import Flags, Ints, Mesh
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.raster import nearness
from snellen.tasks.capacity.draw.space.solids import Point, cosine, sine

Points = tuple[Floats, Floats, Floats]
"""The x, y and z of points in space."""
Shade = tuple[float, float, float]
"""How strong a light is in red, green and blue; 1 shows a white face white."""


@dataclass(frozen=True, slots=True)
class Light:
    """`lamps` are directions towards the light, each of `strength`; `ambient` and `above` (for faces that look up)
    reach everywhere; `head` comes from the camera, over its left shoulder. `fog` is the distance in metres at which
    half of a colour is lost in the sky's (0: none); `texel` the finest detail of shadows in metres."""

    lamps: tuple[Point, ...]
    strength: Shade
    ambient: Shade
    above: Shade = (0.0, 0.0, 0.0)
    head: float = 0.0
    fog: float = 0.0
    texel: float = 0.02


def sun(bearing: float, elevation: float) -> Point:
    """The direction towards a sun at this bearing and height."""
    level = cosine(elevation)
    return (sine(bearing) * level, cosine(bearing) * level, sine(elevation))


def daylight(bearing: float = 215.0, elevation: float = 48.0) -> Light:
    """A sunny day."""
    return Light(
        (sun(bearing, elevation),),
        strength=(0.58, 0.54, 0.46),
        ambient=(0.54, 0.57, 0.63),
        above=(0.03, 0.03, 0.03),
        fog=350.0,
        texel=0.04,
    )


INDOORS = Light(
    tuple(sun(22.5 + 45.0 * i, 62.0) for i in range(8)),
    strength=(0.041, 0.040, 0.039),
    ambient=(0.56, 0.56, 0.565),
    head=0.36,
    texel=0.02,
)

_LARGEST_MAP = 2048
_FEW_LAMPS = 2
_CHART = 0.04
"""Metres between the spots of a chart."""
_CORNER, _CORNER_SHADE = 0.45, 2.6
"""How far from its edge (metres) the shade in a corner reaches, and how dark it is at the edge."""
_LARGE, _LARGE_WALL, _THIN = 1.5, 0.2, 0.2
"""Square metres from which a face of a thing or of a room has a chart, and how thin (metres) it may be."""


@dataclass(frozen=True)
class ShadowMap:
    """How near to the lamp the nearest caster is along each of its rays."""

    lens: Parallel
    near: NDArray[np.float32]

    @cached_property
    def _four(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the largest of each ray and the three right of it, below it and both: most points lie before
        or behind all four, and only the others need a closer look. Of two neighbours first, then of two such pairs."""
        extremes = []
        for extreme in (np.minimum, np.maximum):
            pairs = self.near.copy()
            extreme(self.near[:, :-1], self.near[:, 1:], out=pairs[:, :-1])
            extreme(pairs[:-1], pairs[1:], out=pairs[:-1])
            extremes.append(pairs.ravel())
        return extremes[0], extremes[1]

    def lit(self, x: Floats, y: Floats, z: Floats) -> Floats:
        """The share of the lamp's light that reaches these points: blended between the four rays around each."""
        lens, points = self.lens, (x, y, z)
        height, width = self.near.shape
        across = inner(points, lens.right)
        across -= lens.corner[0]
        down = np.subtract(lens.corner[1], inner(points, lens.up))
        for place, side in ((across, width), (down, height)):  # in place: fresh memory is slow
            place *= lens.scale
            place -= 0.5
            np.clip(place, 0.0, side - 2.0, out=place)
        depth = inner(points, lens.toward)
        depth += 0.5 / lens.scale
        at = down.astype(np.int64)
        at *= width
        at += across.astype(np.int64)
        least, most = self._four
        whole = most[at] <= depth
        lit: Floats = whole.astype(np.float64)
        partly = np.flatnonzero(~whole)
        partly = partly[least[at[partly]] <= depth[partly]]
        if len(partly):
            lit[partly] = self._blended(across[partly], down[partly], depth[partly])
        return lit

    def _blended(self, across: Floats, down: Floats, depth: Floats) -> Floats:
        column, row = across.astype(np.int64), down.astype(np.int64)
        share_x, share_y = across - column, down - row
        flat, width = self.near.ravel(), self.near.shape[1]
        at = row * width + column
        here, beside = flat[at] <= depth, flat[at + 1] <= depth
        below, both = flat[at + width] <= depth, flat[at + (width + 1)] <= depth
        upper = here + share_x * (beside.astype(np.int8) - here)
        lower = below + share_x * (both.astype(np.int8) - below)
        blended: Floats = upper + share_y * (lower - upper)
        return blended


@dataclass(frozen=True, slots=True)
class Lighting:
    """A light in a scene: the shadow map of each lamp, and charts of how large faces are lit.

    With many lamps it is dear to ask each for every sample. So the large faces (floors, walls) have a **chart**: how
    much light falls on each spot of a grid over them, all lamps together. Charts lie one after another in `chart`;
    the grid of face f begins at `first[f]`, has `high[f]` rows of `wide[f]` and starts at (`left[f]`, `low[f]`) on the
    face. A chart is drawn when it is first read, as photos of a flat show about half of its walls: `drawn` tells which
    are.
    """

    light: Light
    shadows: tuple[ShadowMap, ...]
    mesh: Mesh
    charted: Flags
    drawn: Flags
    chart: Floats
    first: Ints
    wide: Ints
    high: Ints
    left: Floats
    low: Floats

    def shine(self, points: Points, normals: Floats, number: Ints) -> Floats:
        """What falls on these points from all lamps, in units of a lamp's strength. Normals are columns by number."""
        glow = np.zeros(len(number))
        slope = normals.take(number, axis=1)
        for lamp, shadow in zip(self.light.lamps, self.shadows, strict=True):
            facing = inner(normals, lamp)[number]
            lit = np.flatnonzero(facing > 0)
            if len(lit):
                offset = 1.2 / shadow.lens.scale
                x, y, z = (points[i][lit] + slope[i][lit] * offset for i in range(3))
                glow[lit] += facing[lit] * shadow.lit(x, y, z)
        return glow

    def shine_on_plane(self, points: Points, normal: Point) -> Floats:
        """The same for points that all look the same way: much cheaper, and equal to the last bit."""
        glow = np.zeros(len(points[0]))
        moved: dict[float, list[Floats]] = {}  # most maps are as fine as the others
        for lamp, shadow in zip(self.light.lamps, self.shadows, strict=True):
            facing = normal[0] * lamp[0] + normal[1] * lamp[1] + normal[2] * lamp[2]
            if facing > 0:
                offset = 1.2 / shadow.lens.scale
                if offset not in moved:
                    moved[offset] = [points[i] + normal[i] * offset for i in range(3)]
                glow += facing * shadow.lit(*moved[offset])
        return glow

    def read(self, face: Ints | int, u: Floats, v: Floats) -> Floats:
        """What falls on the spots (u, v) of charted faces, blended between the four nearest of the grid."""
        self._draw(np.atleast_1d(face))
        across = np.clip((u - self.left[face]) * (1.0 / _CHART), 0.0, np.inf)  # faster than np.maximum
        along = np.clip((v - self.low[face]) * (1.0 / _CHART), 0.0, np.inf)
        column, row = across.astype(np.int64), along.astype(np.int64)
        share_x, share_y = across - column, along - row
        wide = self.wide[face]
        at = self.first[face] + row * wide + column
        here, below = self.chart[at], self.chart[at + wide]
        upper = here + share_x * (self.chart[at + 1] - here)
        lower = below + share_x * (self.chart[at + wide + 1] - below)
        lit: Floats = upper + share_y * (lower - upper)
        return lit

    def _draw(self, face: Ints) -> None:
        """The charts of these faces that are not there yet."""
        for f in np.unique(face[~self.drawn[face]]).tolist():
            u = self.left[f] + _CHART * np.arange(int(self.wide[f])) + self.mesh.origin[f, 0]
            v = (self.low[f] + _CHART * np.arange(int(self.high[f])) + self.mesh.origin[f, 1])[:, None]
            spots = _chart(self, f, u, v)
            self.chart[self.first[f] : self.first[f] + spots.size] = spots.ravel()
            self.drawn[f] = True


def lighting(mesh: Mesh, light: Light) -> Lighting:
    """The shadows of a scene, and room for charts of its large faces if there are many lamps."""
    shadows = tuple(_shadow_map(mesh, lamp, light.texel) for lamp in light.lamps)
    few = len(light.lamps) <= _FEW_LAMPS
    left, low, span_u, span_v = np.zeros((4, len(mesh.counts))) if few else _extents(mesh)
    large = np.where(mesh.casts, _LARGE, _LARGE_WALL)
    charted = (span_u * span_v > large) & (np.minimum(span_u, span_v) > _THIN) & ~mesh.two_sided
    wide, high = (span_u / _CHART).astype(np.int64) + 3, (span_v / _CHART).astype(np.int64) + 3
    many = np.where(charted, wide * high, 0)
    chart, drawn = np.zeros(int(many.sum())), np.zeros(len(charted), bool)
    return Lighting(light, shadows, mesh, charted, drawn, chart, np.cumsum(many) - many, wide, high, left, low)


def _extents(mesh: Mesh) -> tuple[Floats, Floats, Floats, Floats]:
    """From where on each face reaches along and across, and how far."""
    owner = np.repeat(np.arange(len(mesh.counts)), mesh.counts)
    u = dot(mesh.corners, mesh.along[owner]) - mesh.origin[owner, 0]
    v = dot(mesh.corners, mesh.across[owner]) - mesh.origin[owner, 1]
    left, low = np.minimum.reduceat(u, mesh.starts), np.minimum.reduceat(v, mesh.starts)
    return left, low, np.maximum.reduceat(u, mesh.starts) - left, np.maximum.reduceat(v, mesh.starts) - low


def _chart(lighting: Lighting, f: int, u: Floats, v: Floats) -> Floats:
    """How much light falls on each spot of the grid u x v of a face, smoothed a little."""
    mesh = lighting.mesh
    along, across, normal = mesh.along[f].tolist(), mesh.across[f].tolist(), mesh.normals[f]
    level = float(dot(mesh.corners[mesh.starts[f]], normal))
    x, y, z = (((u * along[i] + v * across[i]) + level * float(normal[i])).ravel() for i in range(3))
    glow = lighting.shine_on_plane((x, y, z), (float(normal[0]), float(normal[1]), float(normal[2])))
    return _smooth(_smooth(glow.reshape(len(v), -1) - _corners(mesh, f, u, v)).T).T


def _corners(mesh: Mesh, f: int, u: Floats, v: Floats) -> Floats:
    """The shade in the corners of a room, in units of a lamp's strength: along the edges of floors and ceilings, and
    along the heads of walls. Things that cast shadows of their own need none."""
    if mesh.casts[f]:
        return np.zeros((len(v), len(u)))
    level = abs(float(mesh.normals[f, 2])) > 0.5
    return _rim(v.max() - _CHART - v) + (_rim(v - v.min()) + _rim(u - u.min()) + _rim(u.max() - _CHART - u)) * level


def _rim(inside: Floats) -> Floats:
    """The shade at this distance from an edge."""
    near = np.clip(1.0 - inside * (1.0 / _CORNER), 0.0, 1.0)
    shade: Floats = _CORNER_SHADE * near * near
    return shade


def _smooth(rows: Floats) -> Floats:
    """Each number blended with its neighbours in the row."""
    smooth = rows * 0.5
    smooth[:, 1:] += rows[:, :-1] * 0.25
    smooth[:, :-1] += rows[:, 1:] * 0.25
    smooth[:, 0] += rows[:, 0] * 0.25
    smooth[:, -1] += rows[:, -1] * 0.25
    return smooth


def _shadow_map(mesh: Mesh, toward: Point, texel: float) -> ShadowMap:
    level = sqrt(toward[0] ** 2 + toward[1] ** 2)
    right = (-toward[1] / level, toward[0] / level, 0.0) if level > 1e-6 else (1.0, 0.0, 0.0)
    up = (
        toward[1] * right[2] - toward[2] * right[1],
        toward[2] * right[0] - toward[0] * right[2],
        toward[0] * right[1] - toward[1] * right[0],
    )
    casters = mesh.corners[np.repeat(mesh.casts, mesh.counts)]
    if not len(casters):
        return ShadowMap(Parallel(right, up, toward, (0.0, 0.0), 1.0), np.full((3, 3), -1e9, np.float32))
    across, upwards = dot(casters, right), dot(casters, up)
    low, high = float(across.min()), float(across.max())
    bottom, top = float(upwards.min()), float(upwards.max())
    texel = max(texel, (high - low) / (_LARGEST_MAP - 4), (top - bottom) / (_LARGEST_MAP - 4))
    lens = Parallel(right, up, toward, (low - 2 * texel, top + 2 * texel), 1.0 / texel)
    width, height = int((high - low) / texel) + 5, int((top - bottom) / texel) + 5
    near = nearness(lens.polygons(mesh, mesh.casts), width, height, -1e9)
    return ShadowMap(lens, near.astype(np.float32))
