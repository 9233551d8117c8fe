"""Textured grounds and skies, by the place alone: grass, road, sand, snow, water, wood.

A ground is seen from above, or from the side with a horizon. Places on it are in thousandths of the picture's side as
they would be at its lower edge; what is too fine for a pixel far away fades into the mean.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.bias.draw.things.noise import Floats, smooth_noise

_FAR = 0.1
"""How small a thing at the horizon is beside one at the lower edge."""
_FLAT = 2.0
"""How many times shorter than wide a square of the ground looks at the lower edge."""


@dataclass(frozen=True, slots=True)
class GroundPlaces:
    """Where on the ground the pixels are, and how much of it each takes, across and along."""

    u: Floats
    v: Floats
    wide: Floats
    long: Floats

    def noise(self, across: float, along: float, slant: float = 0) -> Floats:
        """Smooth noise in cells of this size, from -1 to 1."""
        soft = 2.0 - np.maximum(self.wide * (1 / across), self.long * (1 / along)) * 1.5
        wave = smooth_noise((self.u + slant * self.v) * (1 / across), self.v * (1 / along))
        return np.asarray((2.0 * wave - 1.0) * np.minimum(np.maximum(soft, 0.0), 1.0))


def along(size: int) -> tuple[Floats, Floats]:
    """The middles of columns and of rows of pixels, in thousandths, to be broadcast."""
    at = np.asarray((np.arange(size, dtype=np.float64) + 0.5) * (1000.0 / size))
    return at[None, :], at[:, None]


def places(size: int, horizon: float | None, start: tuple[float, float]) -> GroundPlaces:
    """The places of all pixels below the horizon; seen from above without one."""
    step = 1000.0 / size
    x, y = along(size)
    x = x - 500.0
    if horizon is None:
        return GroundPlaces(x + start[0], y + start[1], np.full_like(y, step), np.full_like(y, step))
    y = y[round(horizon / step) :]
    near = _FAR + (1 - _FAR) * (y - horizon) / (1000.0 - horizon)
    depth = _FLAT * (1000.0 - horizon) / (1 - _FAR)
    steep = depth * (1 - _FAR) / (1000.0 - horizon) / (near * near)
    u, v = x / near + start[0], start[1] - depth / near
    return GroundPlaces(np.asarray(u), np.asarray(v), np.asarray(step / near), np.asarray(step * steep))


def _grass(at: GroundPlaces) -> Floats:
    blades = np.maximum(np.maximum(at.noise(7, 70), at.noise(8, 60, 0.12)), at.noise(9, 66, -0.13))
    return 0.30 * at.noise(300, 420) + 0.22 * at.noise(90, 130) + 0.75 * blades - 0.33


def _road(at: GroundPlaces) -> Floats:
    cracks = np.minimum(np.abs(at.noise(260, 340, 0.2)) * 18.0, 1.0) - 1.0
    fine = 0.4 * at.noise(4, 6) + 0.3 * at.noise(11, 15)
    return np.asarray(fine + 0.22 * at.noise(220, 500) + 0.35 * cracks)


def _sand(at: GroundPlaces) -> Floats:
    bent = at.v * (1 / 46.0) + 1.3 * at.noise(230, 260) + 0.35 * at.noise(60, 90)
    part = bent - np.floor(bent)
    soft = np.minimum(np.maximum(2.0 - at.long * (1.5 / 23.0), 0.0), 1.0)
    ripples = (4.0 * np.abs(part - 0.5) - 1.0) * soft
    return np.asarray(0.28 * ripples + 0.25 * at.noise(320, 380) + 0.22 * at.noise(4, 5) + 0.12 * at.noise(14, 18))


def _snow(at: GroundPlaces) -> Floats:
    return 0.42 * at.noise(300, 300) + 0.22 * at.noise(80, 90) + 0.10 * at.noise(20, 22) + 0.12 * at.noise(4, 5)


def _water(at: GroundPlaces) -> Floats:
    crests = np.maximum(at.noise(190, 44, 0.25), at.noise(120, 36, -0.2))
    return 0.5 * crests + 0.3 * at.noise(46, 14) + 0.18 * at.noise(400, 300) - 0.1


def _wood(at: GroundPlaces) -> Floats:
    board = np.floor(at.u * (1 / 150.0))
    part = at.u * (1 / 150.0) - board
    tone = 2.0 * smooth_noise(board * 7.31 + 0.5, board * 0.0 + 0.5) - 1.0
    grain = GroundPlaces(at.u + 0.0, at.v + board * 371.0, at.wide, at.long)
    lines = 0.3 * grain.noise(9, 260) + 0.22 * grain.noise(26, 420) + 0.12 * grain.noise(4, 40)
    joint = np.where((part < 0.02) | (part > 0.985), -0.8, 0.0) * np.minimum(np.maximum(2.0 - at.wide * 0.4, 0.0), 1.0)
    return np.asarray(lines + 0.25 * tone + joint)


@dataclass(frozen=True, slots=True)
class GroundKind:
    """A ground: its tones, and its darkest, middle and lightest colour."""

    tone: Callable[[GroundPlaces], Floats]
    colours: tuple[Colour, Colour, Colour]


GROUND_KINDS: Mapping[str, GroundKind] = {
    "grass": GroundKind(_grass, ((38, 70, 22), (92, 134, 52), (170, 196, 104))),
    "road": GroundKind(_road, ((70, 70, 74), (122, 122, 126), (176, 176, 178))),
    "sand": GroundKind(_sand, ((158, 128, 84), (212, 184, 136), (244, 226, 190))),
    "snow": GroundKind(_snow, ((176, 194, 220), (226, 233, 242), (254, 254, 255))),
    "water": GroundKind(_water, ((18, 66, 88), (58, 122, 146), (176, 214, 224))),
    "wood": GroundKind(_wood, ((92, 58, 32), (166, 118, 74), (206, 164, 116))),
}
_TONES = 40
"""Shades of a ground: more would make larger files, not better pictures."""


def shades(tone: Floats, colours: tuple[Colour, Colour, Colour]) -> Floats:
    """The colours of tones from -1 (the first colour) to 1 (the last)."""
    level = np.rint(np.clip(tone, -1.0, 1.0) * (_TONES // 2)).astype(np.int64) + _TONES // 2
    dark, middle, light = (np.array(colour, np.float64) for colour in colours)
    share = (np.arange(_TONES + 1) * (2.0 / _TONES) - 1.0)[:, None]
    ramp = np.where(share < 0, middle + share * (middle - dark), middle + share * (light - middle))
    return np.asarray(np.rint(ramp)[level])


def ground(name: str, size: int, horizon: float | None, dice: Stream) -> Floats:
    """All pixels of the ground, as red, green and blue; far away it turns a little to the colour of haze."""
    at = places(size, horizon, (dice.between(0, 4e4), dice.between(0, 4e4)))
    kind = GROUND_KINDS[name]
    rgb = shades(kind.tone(at), kind.colours)
    if horizon is not None and name != "wood":
        haze = np.minimum(at.wide * (size / 1000.0) * 0.045, 0.5)[:, :, None]
        rgb = rgb + haze * (np.array((206.0, 218.0, 226.0)) - rgb)
    return np.asarray(rgb)


def sky(size: int, horizon: float, dice: Stream) -> Floats:
    """A sky with clouds, for the rows above the horizon."""
    x, y = along(size)
    y = y[: ceil(horizon * size / 1000)]
    above, below = dice.choice(_SKIES)
    share = np.minimum(y / max(horizon, 1.0), 1.0)[:, :, None]
    rgb = np.array(above, np.float64) * (1 - share) + np.array(below, np.float64) * share
    u, v = x + dice.between(0, 4e4), y * 2.0 + dice.between(0, 4e4)
    heap = 0.55 * smooth_noise(u / 260, v / 210) + 0.3 * smooth_noise(u / 90, v / 80)
    heap = heap + 0.15 * smooth_noise(u / 30, v / 30)
    cloud = np.rint(np.clip((heap - dice.between(0.46, 0.6)) * 4.0, 0.0, 0.9) * 24)[:, :, None] / 24
    return np.asarray(rgb + cloud * (np.array((250.0, 250.0, 252.0)) - rgb))


def wall(size: int, dice: Stream) -> Floats:
    """A plastered wall, lit from the left."""
    x, y = along(size)
    base = np.array(dice.choice(_WALLS), np.float64)
    u, v = x + dice.between(0, 4e4), y + dice.between(0, 4e4)
    tone = 0.05 * smooth_noise(u / 14, v / 14) + 0.08 * smooth_noise(u / 240, v / 240) - x * 0.00016
    return np.asarray(base * (1.0 + np.rint(tone * 80) / 80)[:, :, None])


_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((84, 140, 206), (206, 226, 240)),
    ((110, 160, 210), (232, 236, 232)),
    ((128, 146, 172), (222, 222, 220)),
    ((92, 150, 216), (246, 226, 200)),
)
_WALLS: tuple[Colour, ...] = ((226, 214, 196), (204, 214, 212), (222, 206, 206), (210, 206, 222))
