"""Pictures put together from icons, soft-edged shapes and signs, in one palette that serves them all.

A **plate** is such a picture under construction. Its colours are those of the icons and some for what stands round
them; a mixture at a soft edge takes the nearest of these. All of it is arithmetic of whole numbers, the same on every
machine.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from snellen.draw.coverage import FINE, Points, band, cover
from snellen.draw.icons import palette
from snellen.draw.icons.sprites import sprite
from snellen.draw.looks import Colour
from snellen.draw.png import encode
from snellen.draw.soft import STEPS, Cover, Pixels, fitted, glyph
from snellen.draw.tints import DYES, dye, nearest

WHITE: Colour = (255, 255, 255)
INK: Colour = (43, 52, 74)
LINE: Colour = (206, 211, 220)
WOOD: Colour = (193, 143, 92)
DARK_WOOD: Colour = (150, 104, 62)
HOLLOW: Colour = (246, 236, 220)
GROUNDS = {
    "cream": (250, 243, 221),
    "pale pink": (248, 226, 230),
    "pale blue": (222, 236, 248),
    "pale green": (225, 241, 224),
    "pale grey": (232, 232, 236),
}


def darker(colour: Colour) -> Colour:
    red, green, blue = (part * 3 // 4 for part in colour)
    return red, green, blue


@cache
def _palette() -> Pixels:
    """The icons' colours first, as `sprite` numbers them."""
    own = [WHITE, INK, LINE, WOOD, DARK_WOOD, HOLLOW, *GROUNDS.values(), *DYES.values(), *map(darker, DYES.values())]
    return np.concatenate((palette(), np.array(own, np.uint8)))


@cache
def _colours() -> bytes:
    return _palette().tobytes()


@lru_cache(maxsize=4096)
def _number(colour: Colour) -> int:
    return nearest(_palette().astype(np.int64), list(colour))


@lru_cache(maxsize=4096)
def _mixed(below: int, above: Colour, step: int) -> int:
    under = _palette()[below].tolist()
    red, green, blue = (
        (a * (STEPS - step) + b * step + STEPS // 2) // STEPS for a, b in zip(under, above, strict=True)
    )
    return _number((red, green, blue))


class PictureCanvas:
    """A picture under construction; places are in pixels from the upper left."""

    def __init__(self, height: int, width: int, ground: Colour) -> None:
        self.pixels: Pixels = np.full((height, width), _number(ground), np.uint8)

    def fill(self, top: int, left: int, height: int, width: int, colour: Colour) -> None:
        """A rectangle with hard edges."""
        self.pixels[top : top + height, left : left + width] = _number(colour)

    def lay(self, cover: Cover, top: int, left: int, colour: Colour) -> None:
        """Lay a colour through a cover whose corner is at (top, left)."""
        patch = self.pixels[top : top + cover.shape[0], left : left + cover.shape[1]]
        if patch.shape != cover.shape:
            raise ValueError("a shape leaves the plate")
        table = np.zeros((256, STEPS + 1), np.uint8)
        for below in np.unique(patch).tolist():
            table[below] = [below, *(_mixed(below, colour, step) for step in range(1, STEPS + 1))]
        patch[:] = table[patch, cover]

    def polygon(self, corners: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A filled polygon; what leaves the picture is cut off."""
        self._outline(np.array(corners, np.float64), colour)

    def line(self, points: Sequence[tuple[float, float]], width: float, colour: Colour) -> None:
        """Straight pieces with flat ends from point to point; what leaves the picture is cut off."""
        for piece in pairwise(points):
            self._outline(band(np.array(piece, np.float64), width), colour)

    def _outline(self, outline: Points, colour: Colour) -> None:
        part = cover([outline]).within(*self.pixels.shape)
        self.lay(((part.amount * STEPS * 2 + FINE) // (2 * FINE)).astype(np.uint8), part.top, part.left, colour)

    def icon(self, name: str, x: int, y: int, side: int, colour: str = "", *, turned: bool = False) -> None:
        """An icon, dyed where a colour is given, its middle at (x, y); `turned`: left and right exchanged."""
        top, left = y - side // 2, x - side // 2
        patch = self.pixels[top : top + side, left : left + side]
        if patch.shape != (side, side):
            raise ValueError(f"the {name} at ({x}, {y}) leaves the plate")
        ground = int(patch[side // 2, side // 2])  # icons stand on areas of one colour
        drawn = sprite(name, side, _colours(), ground)
        drawn = drawn[:, ::-1] if turned else drawn
        shown = dye(name, colour, _colours())[drawn] if colour else drawn
        np.copyto(patch, shown, where=drawn != ground)  # what stands in the corners of the square stays

    def sign(self, letter: str, x: int, y: int, extent: int, colour: Colour) -> None:
        """A letter or digit as large as fits a square of that extent, its middle at (x, y)."""
        side = extent + 4
        self.lay(fitted(letter, extent, side), y - side // 2, x - side // 2, colour)

    def label(self, text: str, x: int, y: int, size: int, colour: Colour) -> None:
        """A short word or number of that size (pixels per em), its middle at (x, y)."""
        side = size * len(text) + 4 & ~1
        self.lay(glyph(text, size, side), y - side // 2, x - side // 2, colour)

    def png(self) -> bytes:
        return encode(self.pixels, _palette())
