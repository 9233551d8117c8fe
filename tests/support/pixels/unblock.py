"""Reads a tray of sliding blocks: how large it is, its blocks by name, and where its frame is open."""

from string import ascii_lowercase
from typing import Any

import numpy as np

from support.pixels.looking import Pixels, amount, near, pixels_of, sign_in

SIDE, TRAY, FRAME = 640, 540, 26
FLOOR, GROOVE = (74, 50, 32), (88, 61, 40)
RED, WOODS = (206, 52, 46), ((226, 178, 116), (214, 162, 98))
LIGHT, DARK = (255, 255, 255), (40, 22, 8)
EXTENTS = range(4, 10)


def read_unblock(data: bytes) -> dict[str, Any]:
    """What the truth says of a level: extent, exit, and the blocks by name (the red one is R)."""
    pixels = pixels_of(data)
    many = next(many for many in EXTENTS if _has_corners(pixels, many))
    margin, pitch = _measures(many)
    blocks = []
    seen: set[tuple[int, int]] = set()
    for row, column in np.ndindex(many, many):
        if (row, column) in seen or not _wood(pixels, margin + row * pitch + pitch // 4, margin + column * pitch + 16):
            continue
        upright = _wood(pixels, margin + (row + 1) * pitch, margin + column * pitch + pitch // 4)
        length = 1
        while _goes_on(pixels, margin, pitch, (row, column, length), upright):
            length += 1
        cells = [(row + step, column) if upright else (row, column + step) for step in range(length)]
        seen.update(cells)
        blocks.append([_name(pixels, margin, pitch, cells), row, column, length, upright])
    return {"extent": many, "exit": _exit(pixels, margin, many * pitch), "blocks": sorted(blocks)}


def _measures(many: int) -> tuple[int, int]:
    pitch = TRAY // many
    return (SIDE - pitch * many) // 2, pitch


def _has_corners(pixels: Pixels, many: int) -> bool:
    """Whether the bare floor is seen wherever four cells of such a tray meet, and something else beside."""
    margin, pitch = _measures(many)
    spots = margin + pitch * np.arange(1, many)
    y, x = (part.ravel() for part in np.meshgrid(spots, spots))
    return bool(near(pixels[y, x], FLOOR, 0).all() and not near(pixels[y + pitch // 2, x + pitch // 2], FLOOR, 0).any())


def _wood(pixels: Pixels, y: int, x: int) -> bool:
    return any(bool(near(pixels[y, x], colour, 0)) for colour in (RED, *WOODS))


def _goes_on(pixels: Pixels, margin: int, pitch: int, block: tuple[int, int, int], upright: bool) -> bool:
    """Whether a block covers the border behind its last known cell."""
    row, column, length = block
    if upright:
        return _wood(pixels, margin + (row + length) * pitch, margin + column * pitch + pitch // 4)
    return _wood(pixels, margin + row * pitch + pitch // 4, margin + (column + length) * pitch)


def _name(pixels: Pixels, margin: int, pitch: int, cells: list[tuple[int, int]]) -> str:
    (top, left), (bottom, right) = cells[0], cells[-1]
    y, x = margin + (top + bottom + 1) * pitch // 2, margin + (left + right + 1) * pitch // 2
    reach = pitch // 3
    patch = pixels[y - reach : y + reach, x - reach : x + reach]
    wood = pixels[y - reach, x - reach]
    red = bool(near(wood, RED, 0))
    return sign_in(amount(patch, wood, LIGHT if red else DARK), ascii_lowercase + "R")


def _exit(pixels: Pixels, margin: int, across: int) -> str:
    """The side on which the frame shows the paper behind it."""
    paper, far = pixels[2, 2], margin + across
    bars = {
        "left": pixels[margin:far, margin - 12],
        "right": pixels[margin:far, far + 12],
        "top": pixels[margin - 12, margin:far],
        "bottom": pixels[far + 12, margin:far],
    }
    (side,) = (side for side, bar in bars.items() if near(bar, paper, 0).any())
    return side
