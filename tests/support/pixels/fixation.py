"""Reads a board of fixation in any rendering: which game and rendering it looks like, and what every cell holds."""

from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from snellen.tasks.fixation.draw.looks import FRAME, LOOKS, BoardDisc, BoardLook
from support.pixels.looking import Pixels, amount, near, pixels_of, sign_in, starts


@dataclass(frozen=True)
class SeenBoard:
    """What is seen of a board. `looks`: every game and rendering that looks so. `cells` are row-major: a letter, the
    number of a player's disc, or a dot."""

    looks: frozenset[tuple[str, str]]
    rows: int
    columns: int
    cells: str


def read_board(data: bytes) -> SeenBoard:
    pixels = pixels_of(data)
    seen = {
        (game, rendering): look
        for game, looks in LOOKS.items()
        for rendering, look in looks.items()
        if _is(pixels, look)
    }
    (look,) = set(seen.values())
    rows, columns = _shape(pixels, look)
    corners = (
        (look.margin + row * look.pitch, look.margin + column * look.pitch) for row, column in np.ndindex(rows, columns)
    )
    cells = (_held(pixels[y : y + look.pitch, x : x + look.pitch], look) for y, x in corners)
    return SeenBoard(frozenset(seen), rows, columns, "".join(cells))


def _shape(pixels: Pixels, look: BoardLook) -> tuple[int, int]:
    """Rows and columns by the size of the picture."""
    rows, columns = ((side - 2 * look.margin) // look.pitch for side in pixels.shape[:2])
    return rows, columns


def _is(pixels: Pixels, look: BoardLook) -> bool:
    """Whether a picture has the paper, the frame, the shades of the cells and as many lines as this look."""
    if not near(pixels[0, 0], look.paper, 0):
        return False
    if any((side - 2 * look.margin - look.line_width % 2) % look.pitch for side in pixels.shape[:2]):
        return False
    rows, columns = _shape(pixels, look)
    # A little way into a cell there is neither a line nor a piece.
    into = look.margin + look.pitch // 8 + look.line_width
    begin = look.margin - look.frame - look.line_width // 2
    if look.frame and starts(near(pixels[into], FRAME, 0))[:1] != [begin]:
        return False
    shades = [pixels[into + row * look.pitch, into + column * look.pitch] for row, column in np.ndindex(rows, columns)]
    places = list(np.ndindex(rows, columns))
    if not all(near(shade, look.shades[sum(place) % 2], 0) for shade, place in zip(shades, places, strict=True)):
        return False
    if look.lines is None:
        return True
    inked = near(pixels[into, look.margin // 2 : -look.margin // 2], look.lines.colour, 0)
    return len(starts(inked)) == columns + (1 if look.lines.outer else -1)


def _held(cell: Pixels, look: BoardLook) -> str:
    middle = cell[len(cell) // 2, len(cell) // 2]
    if isinstance(look.piece, BoardDisc):
        return next((str(player) for player in (1, 2) if near(middle, look.piece.fills[player], 0)), ".")
    low, high = len(cell) // 6, len(cell) - len(cell) // 6
    inner = cell[low:high, low:high]
    shade = cell[len(cell) // 8 + look.line_width, len(cell) // 8 + look.line_width]
    dark = int(bool(near(shade, look.shades[1], 0)) and look.shades[0] != look.shades[1])
    ink = amount(inner, look.shades[dark], look.piece.inks[dark])
    return sign_in(ink, ascii_uppercase) if (ink > 0.5).any() else "."
