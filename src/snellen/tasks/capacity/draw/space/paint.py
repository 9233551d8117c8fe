"""Paints: a colour, or a pattern of two colours over the metres of a face.

Patterns are functions of the place on the face, averaged over the footprint of the pixel, so that tiles and windows far
away melt into their mean colour instead of flickering. All arithmetic is elementwise, hence the same on every machine.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Paint:
    """What covers a face: `colour`, and where the pattern says so `second`. `size` is the pattern's, in metres.

    Colours above 255 shine: they look as bright in poor light as others in good light.
    """

    colour: Colour
    second: Colour = (0, 0, 0)
    pattern: str = "plain"
    size: tuple[float, float, float] = (1.0, 1.0, 0.1)


def stripe(at: Floats, blur: Floats, period: float, width: float) -> Floats:
    """How much of the stretch of length `blur` around `at` lies on bars [0, width) repeated every `period`."""
    half = blur * 0.5
    return (_bars(at + half, period, width) - _bars(at - half, period, width)) / blur


def _bars(at: Floats, period: float, width: float) -> Floats:
    """The length of bars from 0 to `at`."""
    scaled = at * (1.0 / period)
    whole = np.floor(scaled)
    return whole * width + np.minimum((scaled - whole) * period, width)


def _noise_table() -> Floats:
    """Numbers from 0 to 1 without order, 128 x 128 of them."""
    a, b = np.divmod(np.arange(128 * 128), 128)
    mixed = (a * 374761393 + b * 668265263) & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0x7FFFFFFF
    noise: Floats = ((mixed ^ (mixed >> 16)) & 0xFF).astype(np.float64) * (1.0 / 255.0)
    return noise


_NOISE = _noise_table()


def speckle(u: Floats, v: Floats, grain: float) -> Floats:
    """A number from 0 to 1 for each cell of the grain: it depends on the place alone."""
    a, b = np.floor(u * (1.0 / grain)).astype(np.int64), np.floor(v * (1.0 / grain)).astype(np.int64)
    return _NOISE[((a & 127) << 7) + (b & 127)]


def cloud(u: Floats, v: Floats, grain: float) -> Floats:
    """Noise that flows from cell to cell."""
    across, along = u * (1.0 / grain), v * (1.0 / grain)
    low_a, low_b = np.floor(across), np.floor(along)
    x, y = across - low_a, along - low_b
    x, y = x * x * (3.0 - 2.0 * x), y * y * (3.0 - 2.0 * y)
    a, b = low_a.astype(np.int64), low_b.astype(np.int64)
    here, beside = (a & 127) << 7, (a + 1 & 127) << 7
    b, above = b & 127, b + 1 & 127
    lower = _NOISE[here + b] + x * (_NOISE[beside + b] - _NOISE[here + b])
    upper = _NOISE[here + above] + x * (_NOISE[beside + above] - _NOISE[here + above])
    noise: Floats = lower + y * (upper - lower)
    return noise


def _faded(noise: Floats, blur_u: Floats, blur_v: Floats, grain: float) -> Floats:
    """Noise that turns into its mean where a pixel holds several grains."""
    strength = np.clip(2.0 - np.maximum(blur_u, blur_v) * (1.0 / grain), 0.0, 1.0)
    return 0.5 + (noise - 0.5) * strength


def _tiles(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    across, along = stripe(u, du, size[0], size[2]), stripe(v, dv, size[1], size[2])
    return across + along - across * along


def _planks(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    """Boards along v: fine joints, each board a tone of its own."""
    board = np.floor(u * (1.0 / size[0]))
    ends = v + board * (size[1] * 0.381966)
    tone = _faded(speckle(board, np.floor(ends * (1.0 / size[1])), 1.0), du, dv * 0.0, size[0])
    joints = stripe(u, du, size[0], size[2])
    joints = joints + (1.0 - joints) * stripe(ends, dv, size[1], size[2])
    return np.minimum(0.15 + 0.3 * tone + 0.55 * joints, 1.0)


def _checks(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    a, b = stripe(u, du, 2 * size[0], size[0]), stripe(v, dv, 2 * size[1], size[1])
    return a + b - 2.0 * a * b


def _bricks(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    course = np.floor(v * (1.0 / size[1]))
    shifted = u + (course - 2.0 * np.floor(course * 0.5)) * (size[0] * 0.5)
    return _tiles(shifted, v, du, dv, size)


def _panes(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    """Windows: one in the middle of each cell of size[0] x size[1], filling the share size[2] of its sides."""
    wide, high = size[0] * size[2], size[1] * size[2]
    a = stripe(u - (size[0] - wide) * 0.5, du, size[0], wide)
    return a * stripe(v - (size[1] - high) * 0.5, dv, size[1], high)


def _stripes(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    """Bars along v: size[2] wide, one every size[0]."""
    return stripe(u, du, size[0], size[2])


def _grain(u: Floats, v: Floats, du: Floats, dv: Floats, size: tuple[float, float, float]) -> Floats:
    """Grass, gravel: fine specks over wide soft patches; size[2] is the share of the patches."""
    fine = _faded(speckle(u, v, size[0]), du, dv, size[0])
    patches = _faded(cloud(u, v, size[1]), du, dv, size[1])
    return (1.0 - size[2]) * fine + size[2] * patches


Pattern = Callable[[Floats, Floats, Floats, Floats, tuple[float, float, float]], Floats]

PATTERNS: Mapping[str, Pattern] = {
    "tiles": _tiles,
    "planks": _planks,
    "checks": _checks,
    "bricks": _bricks,
    "panes": _panes,
    "stripes": _stripes,
    "grain": _grain,
}
"""How much of the second colour is seen at (u, v) within a footprint of du x dv."""
