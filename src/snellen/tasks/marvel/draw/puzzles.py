"""Puzzles in the layout of the published ones: frames, captions, indices, the blank; and edits of published pictures.

The published puzzles are grey pictures, all laid out alike: a frame of context panels, below it one of four choices.
The figures here are theirs, pixel for pixel (the lettering is in another font, in boxes of the same size). Pages are
arrays of grey, so the functions that draw a puzzle's frame and indices serve as well to change a published picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np

from snellen.draw.pens import Pixels
from snellen.draw.png import encode
from snellen.item import Picture
from snellen.tasks.marvel.draw.captions import caption
from snellen.tasks.marvel.draw.marks import BLACK, WHITE, palette
from snellen.tasks.marvel.draw.panel_words import HOW_TO_READ, panel_words
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.look import NAMES, Indices
from snellen.tasks.marvel.marks import SIDE
from snellen.tasks.marvel.puzzle import CHOICES, LAYOUTS, Panel

_LINE, _NET_LINE = 5, 7
_NET = SIDE * 3 // 2
_GAP = 50
"""Between the frame of the context and that of the choices."""
_CAPTIONS = MappingProxyType({"Context": (121, 26), "Choices": (127, 26)})
_CAPTION_LEFT, _CAPTION_RISE = 12, 42
_INDEX_BOXES = MappingProxyType(
    {"1": (73, 13), "2": (71, 17), "3": (72, 16), "4": (71, 17)}
    | {"A": (68, 23), "B": (70, 20), "C": (69, 22), "D": (69, 21)}
)
"""Left edge within the choice's cell and width of each index."""
_INDEX_TOP, _INDEX_HEIGHT = 193, 26
_INDEX_BAND = (185, 226)
"""Rows below a choice's upper edge that hold nothing but the indices."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things are on a puzzle's picture. A **net** is a single large panel that has no blank beside it."""

    width: int
    height: int
    rows: int
    columns: int
    context: tuple[int, int]
    choices: tuple[int, int]

    @property
    def net(self) -> bool:
        return self.rows * self.columns == 1

    @property
    def side(self) -> int:
        """The side of a context panel."""
        return _NET if self.net else SIDE

    def cell(self, row: int, column: int) -> tuple[int, int]:
        """The upper left corner of a context panel, as (x, y)."""
        return self.context[0] + column * self.side, self.context[1] + row * self.side

    def blank(self) -> tuple[int, int]:
        """The corner of the blank, the last panel."""
        return self.cell(self.rows - 1, self.columns - 1)

    def choice(self, number: int) -> tuple[int, int]:
        """The corner of a choice, counted from 0."""
        return self.choices[0] + number * SIDE, self.choices[1]


def layout(rows: int, columns: int) -> Layout:
    """The layout of a context of so many panels, the blank included; 1 x 1 is a net."""
    if rows * columns == 1:
        return Layout(5 * SIDE, 640, 1, 1, (315, 45), (SIDE // 2, 365))
    width = max(columns + 2, 5) * SIDE
    bottom = 90 + rows * SIDE
    return Layout(width, bottom + _GAP + 320, rows, columns, (180, 90), ((width - CHOICES * SIDE) // 2, bottom + _GAP))


def layout_of(configuration: str, columns: int = 0) -> Layout:
    """The layout of a configuration; `columns` counts the panels of a sequence, the blank included."""
    return layout(1, columns) if configuration == "sequence" else layout(*LAYOUTS[configuration])


def draw_puzzle(
    context: Sequence[Panel],
    choices: Sequence[Panel],
    rows: int,
    columns: int,
    *,
    indices: Indices = "digits",
    blank: Literal["empty", "question"] = "empty",
    colour: bool = False,
) -> Picture:
    """The whole puzzle as one picture: the context, its last panel blank (but not a net), and the four choices."""
    where = layout(rows, columns)
    if len(context) != rows * columns - (not where.net) or len(choices) != CHOICES:
        raise ValueError(f"a {rows} x {columns} puzzle of {len(context)} panels and {len(choices)} choices")
    page = _empty(where).copy()
    for place, panel in enumerate(context):
        _put(page, panel_pixels(panel, colour, 3 if where.net else 2), *where.cell(*divmod(place, columns)))
    for place, panel in enumerate(choices):
        _put(page, panel_pixels(panel, colour), *where.choice(place))
    write_indices(page, where.choices[1], indices)
    if blank == "question" and not where.net:
        write_question_mark(page, *where.blank())
    return Picture(encode(page, palette(colour)), alt="a puzzle")


@lru_cache(maxsize=16)
def _empty(where: Layout) -> Pixels:
    """Frames and captions."""
    page = np.full((where.height, where.width), WHITE, np.uint8)
    _frame(page, where.context, where.rows, where.columns, where.side, _NET_LINE if where.net else _LINE)
    _frame(page, where.choices, 1, CHOICES, SIDE, _LINE)
    _write(page, "Context", where.context[1] - (32 if where.net else 37))
    _write(page, "Choices", where.choices[1] - _CAPTION_RISE)
    page.setflags(write=False)
    return page


def _frame(page: Pixels, corner: tuple[int, int], rows: int, columns: int, side: int, line: int) -> None:
    """Lines around and between cells: the outer ones within the frame, the inner ones centred on the borders."""
    left, top = corner
    bottom, right = top + rows * side, left + columns * side
    for i in range(rows + 1):
        y = min(max(top + i * side - line // 2, top), bottom - line)
        page[y : y + line, left:right] = BLACK
    for j in range(columns + 1):
        x = min(max(left + j * side - line // 2, left), right - line)
        page[top:bottom, x : x + line] = BLACK


def _put(page: Pixels, panel: Pixels, left: int, top: int) -> None:
    """A panel into its cell, darkening only, so that no frame is painted over."""
    window = page[top : top + len(panel), left : left + len(panel)]
    np.minimum(window, panel, out=window)


def _write(page: Pixels, word: str, top: int) -> None:
    width, height = _CAPTIONS[word]
    page[top : top + height, _CAPTION_LEFT : _CAPTION_LEFT + width] = caption(word, width, height)


def write_indices(page: Pixels, choices_y: int, indices: Indices) -> None:
    """Write the indices under the choices, in place, over whatever was there."""
    first, last = _INDEX_BAND
    page[choices_y + first : choices_y + last] = WHITE
    left = (page.shape[1] - CHOICES * SIDE) // 2
    top = choices_y + _INDEX_TOP
    for place, name in enumerate(NAMES.get(indices, ())):
        offset, width = _INDEX_BOXES[name]
        x = left + place * SIDE + offset
        page[top : top + _INDEX_HEIGHT, x : x + width] = caption(name, width, _INDEX_HEIGHT)


def write_question_mark(page: Pixels, cell_x: int, cell_y: int) -> None:
    """A large question mark in the middle of the cell with this corner, in place."""
    width, height = 50, 84
    top, left = cell_y + (SIDE - height) // 2, cell_x + (SIDE - width) // 2
    page[top : top + height, left : left + width] = caption("?", width, height)


def puzzle_words(
    context: Sequence[Panel],
    choices: Sequence[Panel],
    rows: int,
    columns: int,
    names: Sequence[str],
    *,
    colour: bool = False,
) -> str:
    """The twin of a whole puzzle: how it is laid out, each context panel by its place, each choice by its name."""
    net = rows * columns == 1
    told = [f"{_layout_words(rows, columns)} {HOW_TO_READ}", "Context"]
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        where = "The panel" if net else f"Panel {column + 1}" if rows == 1 else f"Row {row + 1}, panel {column + 1}"
        blank = place == len(context)
        told.append(f"{where}: {'blank, to be filled.' if blank else panel_words(context[place], colour)}")
    told.append("Choices")
    told += [f"{name}: {panel_words(panel, colour)}" for name, panel in zip(names, choices, strict=True)]
    return "\n".join(told)


def _layout_words(rows: int, columns: int) -> str:
    if rows * columns == 1:
        return "The context is a single large panel; below it stand four choices in a row."
    where = f"{columns} panels in a row" if rows == 1 else f"{rows * columns} panels in {rows} rows of {columns}"
    return f"The context has {where}, the last of them blank; below it stand four choices in a row."
