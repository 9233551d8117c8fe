"""What the pictures of deeds have in common: the size, the floor, animals that stand on it, carts and rushing lines.

Everything is laid out towards the left: `one`, who acts, mostly stands on the right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from snellen.draw.icons import SIDE as ICON_SIDE
from snellen.draw.icons import pixels
from snellen.draw.looks import Colour
from snellen.draw.plates import INK, WOOD, PictureCanvas
from snellen.draw.soft import box, disc
from snellen.draw.tints import DYES

WIDTH, HEIGHT = 448, 304
FLOOR = 262
TALL = 128
"""The side of an animal's square."""
LEFT, RIGHT = 84, 364
"""The middles of two animals that face one another."""
WATER: Colour = DYES["blue"]

Draw = Callable[[PictureCanvas, str, str], None]


@dataclass(frozen=True, slots=True)
class DeedKind:
    """A deed: where the two stand ("right", "left", "top", "bottom") and which way they face when all goes to the left,
    what else is there, how that is drawn, and the words between their names, if not the deed's name."""

    one: tuple[str, str]
    other: tuple[str, str]
    props: tuple[str, ...]
    draw: Draw
    words: str = ""


BEHIND, AHEAD = ("right", "left"), ("left", "left")
FACING = ("left", "right")


def place(
    plate: PictureCanvas, name: str, x: int, floor: int = FLOOR, *, side: int = TALL, turned: bool = False
) -> None:
    """An animal with its feet on a floor, its middle at x."""
    below = (ICON_SIDE - feet(name)) * side // ICON_SIDE
    plate.icon(name, x, floor + below - side // 2, side, turned=turned)


def face_to_face(plate: PictureCanvas, one: str, other: str) -> None:
    place(plate, other, LEFT, turned=True)
    place(plate, one, RIGHT)


@cache
def feet(name: str) -> int:
    """The row of a drawing below its feet."""
    rows = np.flatnonzero((pixels(name)[:, :, 3] > 127).any(axis=1))
    return int(rows[-1]) + 1


@cache
def height(name: str) -> int:
    """How tall an animal stands, in pixels of the picture."""
    top = int(np.flatnonzero((pixels(name)[:, :, 3] > 127).any(axis=1))[0])
    return (feet(name) - top) * TALL // ICON_SIDE


def rushing(plate: PictureCanvas, left: int) -> None:
    """Lines that say how fast somebody runs, behind them."""
    for down, width in ((96, 26), (70, 38), (44, 30)):
        plate.lay(box(6, width, 3), FLOOR - down, left, INK)


def cart(plate: PictureCanvas, left: int) -> int:
    """A cart with two wheels; what stands on it stands at the height that is returned."""
    top = FLOOR - 44
    plate.lay(box(18, 160, 6), top, left, WOOD)
    wheel(plate, left + 34)
    wheel(plate, left + 126)
    return top + 2


def wheel(plate: PictureCanvas, x: int) -> None:
    plate.lay(disc(36, 140), FLOOR - 34, x - 18, INK)
    plate.lay(disc(36, 60), FLOOR - 34, x - 18, WOOD)
