"""Logos of invented brands: a list of them with their names, and a wall of signs that show them.

A logo is a plain shape in a colour with white marks on it: `{"shape": "round", "colour": "red", "mark": "dots", "many":
2}`. Every trait can be told at a glance from every other. Where the lower right corner of a sign is covered all of them
can: the marks keep clear of it. Where its marks are covered, shape and colour can; where boards leave only a gap for
the marks, colour and marks can.

- **List**: `{"ground": "cream", "brands": [{"name": "Velta", ...logo}, ...]}`, two to a row.
- **Signs**: `{"ground": "cream", "across": 3, "side": 84, "signs": [{...logo, "number": 2, "covered": "marks"}, ...]}`,
  row by row, `covered` being "", "corner", "marks" or "shape"; signs without a number (0) are there to be passed over.
"""

from collections.abc import Mapping
from typing import Any

from snellen.draw.plates import DARK_WOOD, GROUNDS, INK, LINE, WHITE, WOOD, PictureCanvas
from snellen.draw.soft import box, disc, glyph
from snellen.draw.tints import DYES
from snellen.item import Picture

SHAPES = ("round", "square", "tall", "wide")
MARKS = ("bars", "stripes", "dots")
MANY = (1, 2, 3)

_LOGO, _ROW, _COLUMN, _NAME = 76, 100, 330, 30
_MIDDLE, _HALF = 45, 23
"""Per cent of a logo's side to the middle of its marks, from the left and from above, and from there to their end."""


def listed(description: Mapping[str, Any]) -> Picture:
    """All brands with their names."""
    brands = description["brands"]
    rows = -(-len(brands) // 2)
    plate = PictureCanvas(rows * _ROW + 24, 2 * _COLUMN + 24, GROUNDS[description["ground"]])
    for place, brand in enumerate(brands):
        row, column = divmod(place, 2)
        left, middle = 24 + column * _COLUMN, 12 + row * _ROW + _ROW // 2
        _logo(plate, brand, left + 8, middle - _LOGO // 2, _LOGO)
        _word(plate, brand["name"], left + 200, middle)
    return Picture(plate.png(), "image/png", f"A list of {len(brands)} brands with their logos")


def signs(description: Mapping[str, Any]) -> Picture:
    """A wall of signs, some of them numbered, some covered in part."""
    shown, across, side = description["signs"], description["across"], description["side"]
    board, pitch = side + 40, side + 84
    plate = PictureCanvas(-(-len(shown) // across) * pitch + 28, across * pitch + 28, GROUNDS[description["ground"]])
    for place, sign in enumerate(shown):
        row, column = divmod(place, across)
        top, left = 28 + row * pitch + 14, 28 + column * pitch + 14
        plate.lay(box(board, board, 12), top, left, LINE)
        plate.lay(box(board - 4, board - 4, 10), top + 2, left + 2, WHITE)
        _logo(plate, sign, left + 20, top + 20, side)
        _cover(plate, sign, left + 20, top + 20, side)
        if sign["number"]:
            plate.lay(disc(38, 4 * 38 - 4), top - 14, left - 14, INK)
            plate.sign(str(sign["number"]), left + 5, top + 5, 21, WHITE)
    return Picture(plate.png(), "image/png", f"A wall of {len(shown)} signs")


def _word(plate: PictureCanvas, text: str, x: int, y: int) -> None:
    side = _NAME * len(text) & ~1
    band = glyph(text, _NAME, side)[side // 2 - _NAME : side // 2 + _NAME]
    plate.lay(band, y - _NAME, x - side // 2, INK)


def _logo(plate: PictureCanvas, logo: Mapping[str, Any], left: int, top: int, side: int) -> None:
    colour = DYES[logo["colour"]]
    narrow, inset = side * 64 // 100, side * 18 // 100
    if logo["shape"] == "round":
        plate.lay(disc(side, 4 * side - 4), top, left, colour)
    elif logo["shape"] == "square":
        plate.lay(box(side, side, side // 10), top, left, colour)
    elif logo["shape"] == "tall":
        plate.lay(box(side, narrow, narrow // 2), top, left + inset, colour)
    else:
        plate.lay(box(narrow, side, narrow // 2), top + inset, left, colour)
    _marks(plate, logo, left + side * _MIDDLE // 100, top + side * _MIDDLE // 100, side)


def _cover(plate: PictureCanvas, sign: Mapping[str, Any], left: int, top: int, side: int) -> None:
    """Nail boards over part of the sign whose logo is at (left, top)."""
    low, high = (side * (_MIDDLE + half) // 100 for half in (-_HALF, _HALF))
    far = side - side * 34 // 100
    edge, out = side + 12, side + 24  # just within the sign, and a little beyond it
    boards = {
        "": (),
        "corner": ((far, far, side + 20, side + 20),),
        "marks": ((low, low, high, high),),
        "shape": ((-24, -12, out, low), (-24, high, out, edge), (-12, -24, low, out), (high, -24, edge, out)),
    }
    for above, before, below, behind in boards[sign["covered"]]:
        plate.fill(top + above, left + before, below - above, behind - before, DARK_WOOD)
        plate.fill(top + above + 2, left + before + 2, below - above - 4, behind - before - 4, WOOD)


def _marks(plate: PictureCanvas, logo: Mapping[str, Any], x: int, y: int, side: int) -> None:
    """White marks around (x, y), clear of the corner that may be covered."""
    thick, long = max(4, side * 8 // 100), side * 36 // 100
    dot = side * 13 // 100
    step = side * 17 // 100
    for number in range(logo["many"]):
        off = (2 * number - logo["many"] + 1) * step // 2
        if logo["mark"] == "bars":
            plate.fill(y - long // 2, x + off - thick // 2, long, thick, WHITE)
        elif logo["mark"] == "stripes":
            plate.fill(y + off - thick // 2, x - long // 2, thick, long, WHITE)
        else:
            plate.lay(disc(dot, 4 * dot - 2), y - dot // 2, x + off - dot // 2, WHITE)
