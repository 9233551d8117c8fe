"""Icons at the size and on the colour they are wanted, in the numbers of a palette.

Scaling is by area, blending by coverage, and the nearest palette colour is looked up by the five highest bits of each
channel. All of it is arithmetic of whole numbers, so that every machine gets the same pixels.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from snellen.draw.icons import SIDE, pixels

Pixels = NDArray[np.uint8]

HALO = 2
"""Width of the white edge round an icon, in pixels."""


@lru_cache(maxsize=4096)
def sprite(name: str, side: int, colours: bytes, ground: int) -> Pixels:
    """The icon, side x side, in numbers of these colours (RGB after RGB), on colour number `ground`. Read-only."""
    ink = _haloed(name, side).astype(np.int32)
    under = np.array(tuple(colours[3 * ground : 3 * ground + 3]), np.int32)
    mixed = ink[:, :, :3] + (under * (255 - ink[:, :, 3:]) + 127) // 255
    bits = np.minimum(mixed, 255) >> 3
    numbers: Pixels = _nearest(colours)[bits[:, :, 0], bits[:, :, 1], bits[:, :, 2]]
    numbers[ink[:, :, 3] == 0] = ground
    numbers.setflags(write=False)
    return numbers


@lru_cache(maxsize=512)
def cutout(name: str, side: int) -> tuple[Pixels, NDArray[np.int64]]:
    """The icon in full colour without an edge: RGB, and how much of each pixel it takes (of 255). Read-only."""
    ink = _scaled(name, side).astype(np.int64)
    amount = ink[:, :, 3]
    whole = np.maximum(amount, 1)[:, :, None]
    colours = np.minimum((ink[:, :, :3] * 255 + whole // 2) // whole, 255).astype(np.uint8)
    for part in (colours, amount):
        part.setflags(write=False)
    return colours, amount


@lru_cache(maxsize=1024)
def _haloed(name: str, side: int) -> Pixels:
    """The icon with a thin white edge, like a sticker: red scissors are to be seen on a red tile too."""
    ink = np.zeros((side, side, 4), np.int32)
    ink[HALO:-HALO, HALO:-HALO] = _scaled(name, side - 2 * HALO)
    around = np.pad(ink[:, :, 3], HALO)
    reach = range(-HALO, HALO + 1)
    near = [(down, right) for down in reach for right in reach if down * down + right * right <= HALO * HALO + 1]
    shifted = [around[HALO + d : HALO + d + side, HALO + r : HALO + r + side] for d, r in near]
    cover = np.maximum.reduce(shifted)
    ink[:, :, :3] += np.maximum(cover - ink[:, :, 3], 0)[:, :, None]
    ink[:, :, 3] = cover
    return ink.astype(np.uint8)


def _scaled(name: str, side: int) -> Pixels:
    """The icon at another size: RGB already weighed by coverage, and coverage."""
    ink = pixels(name).astype(np.int64)
    ink[:, :, :3] *= ink[:, :, 3:]
    ink[:, :, 3] *= 255
    both = _summed(_summed(ink, side).swapaxes(0, 1), side).swapaxes(0, 1)
    whole = 255 * SIDE**2
    return ((both + whole // 2) // whole).astype(np.uint8)


def _summed(ink: NDArray[np.int64], side: int) -> NDArray[np.int64]:
    """What lies in each new pixel down the first axis, an old one counting `side` if it lies there wholly."""
    sums = np.zeros((SIDE + 1, *ink.shape[1:]), np.int64)
    np.cumsum(ink, axis=0, out=sums[1:])
    number, rest = np.divmod(np.arange(side + 1) * SIDE, side)
    padded = np.concatenate((ink, np.zeros_like(ink[:1])))
    return np.diff(sums[number] * side + padded[number] * rest[:, None, None], axis=0)


@cache
def _nearest(colours: bytes) -> Pixels:
    """For every colour, cut to five bits a channel, the number of the nearest of these (the first, if several)."""
    steps = np.arange(32) * 8 + 4
    palette = np.frombuffer(colours, np.uint8).reshape(-1, 3).astype(np.int32)
    red, green, blue = ((steps[:, None] - palette[:, channel]) ** 2 for channel in range(3))
    table = np.empty((32, 32, 32), np.uint8)
    for number in range(32):  # a slice at a time keeps memory small
        table[number] = (red[number] + green[:, None] + blue[None]).argmin(axis=2)
    return table
