"""A wall of signs with real-world marks, some of them numbered, some partly behind boards.

`{"ground": "cream", "across": 4, "signs": [{"mark": "give way", "number": 2, "covered": "left"}, ...]}`, row by row;
`covered` is the side that a board hides, or empty; signs without a number (0) are there to be passed over.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.draw.canvas import WHOLE, Canvas, Cover, mixed
from snellen.draw.plates import DARK_WOOD, GROUNDS, INK, LINE, WHITE, WOOD
from snellen.draw.soft import STEPS, box, fitted
from snellen.item import Picture
from snellen.tasks.capacity.marks import HIDDEN, SIDE, pixels

_PAD, _PITCH, _EDGE = 14, 160, 30
_BOARD = SIDE + 2 * _PAD
_BRICK = 40, 20
_BADGE, _DIGIT = 19, 21


def wall(description: Mapping[str, Any]) -> Picture:
    shown, across = description["signs"], description["across"]
    rows = -(-len(shown) // across)
    canvas = Canvas(rows * _PITCH + _EDGE, across * _PITCH + _EDGE, GROUNDS[description["ground"]])
    _bricks(canvas, GROUNDS[description["ground"]])
    for place, sign in enumerate(shown):
        row, column = divmod(place, across)
        top, left = (_EDGE // 2 + (_PITCH - _BOARD) // 2 + step * _PITCH for step in (row, column))
        canvas.lay(_round(_BOARD, 12, top + 3, left + 3), (0, 0, 0), 3)
        canvas.lay(_round(_BOARD, 12, top, left), mixed(LINE, INK, 20))
        canvas.lay(_round(_BOARD - 4, 10, top + 2, left + 2), WHITE)
        canvas.rgb[top + _PAD : top + _PAD + SIDE, left + _PAD : left + _PAD + SIDE] = pixels(sign["mark"])
        if sign["covered"]:
            _board(canvas, sign["covered"], top, left)
        if sign["number"]:
            canvas.disc(left, top, _BADGE, INK)
            digit = fitted(str(sign["number"]), _DIGIT, _DIGIT + 4)
            at = (top - _DIGIT // 2 - 2, left - _DIGIT // 2 - 2)
            canvas.lay(Cover(np.asarray(digit, np.int64) * WHOLE // STEPS, *at), WHITE)
    return Picture(canvas.png(), "image/png", f"A wall of {len(shown)} signs")


def _round(side: int, radius: int, top: int, left: int) -> Cover:
    return Cover(np.asarray(box(side, side, radius), np.int64) * WHOLE // STEPS, top, left)


def _bricks(canvas: Canvas, ground: tuple[int, int, int]) -> None:
    """Joints a little darker than the wall."""
    wide, high = _BRICK
    joint = mixed(ground, INK, 8)
    for row, top in enumerate(range(0, canvas.height, high)):
        canvas.fill(top, 0, 1, canvas.width, joint)
        for left in range(row % 2 * wide // 2, canvas.width, wide):
            canvas.fill(top, left, high, 1, joint)


def _board(canvas: Canvas, side: str, top: int, left: int) -> None:
    """A board over one side of the sign at (top, left), a little longer than it."""
    deep = _PAD + HIDDEN
    far = _BOARD - deep
    above, before, high, wide = {
        "left": (-10, -6, _BOARD + 20, deep + 6),
        "right": (-10, far, _BOARD + 20, deep + 6),
        "upper": (-6, -10, deep + 6, _BOARD + 20),
        "lower": (far, -10, deep + 6, _BOARD + 20),
    }[side]
    canvas.fill(top + above, left + before, high, wide, DARK_WOOD)
    canvas.fill(top + above + 2, left + before + 2, high - 4, wide - 4, WOOD)
    grain = mixed(WOOD, DARK_WOOD, 35)
    for line in range(8, min(high, wide) - 4, 9):
        if high > wide:
            canvas.fill(top + above + 2, left + before + line, high - 4, 1, grain)
        else:
            canvas.fill(top + above + line, left + before + 2, 1, wide - 4, grain)
