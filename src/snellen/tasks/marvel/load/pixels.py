"""What the pixels of a published puzzle tell: that it is laid out as its label says, and which choices are the same.

Puzzles that were published twice (transposed, in another order, with one row less) share their four choices, so the
choices as a set name the cluster of a puzzle. Tones are brought to black and white first: some copies differ in the
grey of a few edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.tasks.marvel.draw.puzzles import Layout, layout_of
from snellen.tasks.marvel.puzzle import CHOICES
from snellen.tasks.panels import Unfit, look, shown

Pixels = NDArray[np.uint8]

_CELL = 180
_FRAME, _NET_FRAME = 6, 9
"""How far the lines of a frame reach into a cell."""
_INK = 128


def grey_pixels(data: bytes, name: str) -> Pixels:
    """The picture in shades of grey; transparency is laid on white."""
    look(BytesIO(data), name, whole=False)
    try:
        with Image.open(BytesIO(data)) as image:
            if image.has_transparency_data:
                white = Image.new("RGBA", image.size, "white")
                return np.asarray(Image.alpha_composite(white, image.convert("RGBA")).convert("L"))
            return np.asarray(image if image.mode == "L" else image.convert("L"))
    except Exception as error:  # Pillow's decoders raise all sorts on files that are cut off or damaged
        raise Unfit(f"{name} cannot be decoded ({shown(str(error) or type(error).__name__, 100)})") from None


def context_panels(pixels: Pixels, where: Layout) -> list[Pixels]:
    """What is drawn in each cell of the context, row by row, without the lines of the frame and without the blank."""
    corners = [where.cell(row, column) for row in range(where.rows) for column in range(where.columns)]
    frame = _NET_FRAME if where.net else _FRAME
    return [_inside(pixels, corner, where.side, frame) for corner in (corners if where.net else corners[:-1])]


def choice_panels(pixels: Pixels, where: Layout) -> list[Pixels]:
    """What is drawn in each choice, without the lines of the frame."""
    return [_inside(pixels, where.choice(k), _CELL, _FRAME) for k in range(CHOICES)]


def _inside(pixels: Pixels, corner: tuple[int, int], side: int, frame: int) -> Pixels:
    left, top = corner
    return pixels[top + frame : top + side - frame, left + frame : left + side - frame]


@dataclass(frozen=True, slots=True)
class ChoicePanels:
    """`same` has for each choice the place of the first that looks like it; `empty` the places of empty panels."""

    same: tuple[int, ...]
    empty: tuple[int, ...]
    cluster: str


def choices(pixels: Pixels, where: Layout) -> ChoicePanels:
    """The choices compared with each other."""
    ink = [panel < _INK for panel in choice_panels(pixels, where)]
    prints = [np.packbits(panel).tobytes() for panel in ink]
    digest = sha256(b"".join(sorted(sha256(bits).digest() for bits in prints))).hexdigest()
    empty = tuple(k for k, panel in enumerate(ink) if not panel.any())
    return ChoicePanels(tuple(map(prints.index, prints)), empty, f"choices-{digest[:16]}")


def layout_found(configuration: str, size: Sequence[int]) -> Layout:
    """The layout of a puzzle of that configuration, if its picture has the size for it."""
    width, height = size
    where = layout_of(configuration, max(3, width // _CELL - 2))
    if (where.width, where.height) != (width, height):
        expected = f"{where.width} x {where.height}"
        raise Unfit(f"the picture has {width} x {height} pixels; a {configuration} puzzle has {expected}")
    return where
