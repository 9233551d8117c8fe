"""Marks (`marks.py`) on a page, checked and drawn.

Pixels are shades of grey, 255 white; of the shades next to black eight stand for the colours (see `palette`), and
nothing else uses them.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from snellen.draw.letters import coverage
from snellen.draw.pens import Pixels
from snellen.tasks.marvel.draw.figures import FIGURES, STEP, upright
from snellen.tasks.marvel.draw.stamps import Stamp, figure_stamp, paste, path_stamp, stripes
from snellen.tasks.marvel.marks import CELLS, FILLS, SIDE, Mark

WHITE, GREY, BLACK = 255, 168, 0
COLOURS = MappingProxyType(
    {
        "red": (208, 32, 40),
        "blue": (30, 84, 200),
        "green": (28, 140, 60),
        "orange": (238, 126, 12),
        "purple": (128, 54, 170),
        "brown": (134, 80, 38),
        "pink": (234, 104, 170),
        "teal": (0, 140, 150),
    }
)
_INKS = MappingProxyType({name: 1 + place for place, name in enumerate(COLOURS)})

_STRIPED = 254
_CELL_SHADES = np.full(128, WHITE, np.uint8)
for _sign, _shade in (("#", BLACK), ("o", GREY), ("/", _STRIPED)):
    _CELL_SHADES[ord(_sign)] = _shade

_GRID_PEN = 2
_CAPITALS = 1493
"""Height of a capital letter in the font, of 2048 units."""

_KEYS = MappingProxyType(
    {
        "line": ({"x", "y", "x2", "y2"}, set[str]()),
        "path": ({"points"}, {"closed", "curved", "fill", "name"}),
        "grid": ({"x", "y", "cell", "rows"}, set[str]()),
        "letter": ({"letter", "x", "y", "size"}, set[str]()),
    }
    | dict.fromkeys(FIGURES, ({"x", "y", "size"}, {"fill", "turn"}))
)


@lru_cache(maxsize=2)
def palette(colour: bool) -> Pixels:
    """Grey by number; with `colour`, the eight numbers after black are colours instead."""
    shades = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    if colour:
        shades[1 : 1 + len(COLOURS)] = list(COLOURS.values())
    return shades


def check(mark: Mark) -> None:
    """Raise ValueError, in one line, if a mark is none that can be drawn."""
    for fault in _faults(mark):
        raise ValueError(f"mark {dict(mark)}: {fault}")


def _faults(mark: Mark) -> Iterator[str]:
    shape = str(mark.get("shape"))
    if shape not in _KEYS:
        yield f"unknown shape {shape!r}; there are {', '.join(_KEYS)}"
    needed, optional = _KEYS[shape]
    given = set(mark) - {"shape", "colour"}
    if missing := needed - given:
        yield f"a {shape} needs {', '.join(sorted(missing))}"
    if unknown := given - needed - optional:
        yield f"a {shape} has no {', '.join(sorted(unknown))}"
    for what, default, possible in (("fill", "none", FILLS), ("colour", "red", COLOURS)):
        if mark.get(what, default) not in possible:
            yield f"unknown {what} {mark[what]!r}; there are {', '.join(possible)}"
    if mark.get("turn", 0) % STEP:
        yield f"turn must be a multiple of {STEP} degrees"
    if shape == "path" and len(mark["points"]) < 2:
        yield "a path needs two points or more"
    if shape == "grid":
        yield from _grid_faults(mark)


def _grid_faults(mark: Mark) -> Iterator[str]:
    rows = mark["rows"]
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        yield "rows of a grid must be equally long and not empty"
    if unknown := sorted(set("".join(rows)) - set(CELLS)):
        yield f"unknown cell {unknown[0]!r}; there are {' '.join(CELLS)}"
    right, bottom = mark["x"] + mark["cell"] * len(rows[0]), mark["y"] + mark["cell"] * len(rows)
    if min(mark["x"], mark["y"]) < 1 or max(right, bottom) >= SIDE:
        yield "a grid must lie within the panel"


def render(marks: Iterable[Mark], colour: bool, scale: int = 2) -> Pixels:
    """Marks on a white page, in order, as numbers of `palette(colour)`.

    `scale` is in halves: 3 draws everything half as large again.
    """
    page = np.full((SIDE * scale // 2, SIDE * scale // 2), WHITE, np.uint8)
    for mark in marks:
        _paint(page, mark, colour, scale)
    return page


def _paint(page: Pixels, mark: Mark, colour: bool, scale: int) -> None:
    """Draw a mark onto a page, in place."""
    check(mark)
    ink = _INKS[mark["colour"]] if colour and "colour" in mark else BLACK
    if mark["shape"] == "grid":
        _paint_grid(page, mark, ink, scale)
        return
    x, y, made = _stamp(mark, scale)
    left, top = x * scale // 2 + made.left, y * scale // 2 + made.top
    if made.cover is not None:
        paste(page, made.cover, left, top, GREY if mark["fill"] == "grey" else WHITE)
    paste(page, made.ink, left, top, ink)


def _stamp(mark: Mark, scale: int) -> tuple[int, int, Stamp]:
    """The place of a mark and the stamp that draws it there."""
    shape, fill = mark["shape"], mark.get("fill", "none")
    if shape == "line":
        (x, y), (x2, y2) = sorted([(mark["x"], mark["y"]), (mark["x2"], mark["y2"])])
        return x, y, path_stamp(((0, 0), (x2 - x, y2 - y)), False, False, fill, scale)
    if shape == "path":
        x, y = mark["points"][0]
        points = tuple((across - x, down - y) for across, down in mark["points"])
        return x, y, path_stamp(points, bool(mark.get("closed")), bool(mark.get("curved")), fill, scale)
    if shape == "letter":
        return mark["x"], mark["y"], _letter(mark["letter"], mark["size"] * scale // 2)
    turn = upright(shape, mark.get("turn", 0))
    return mark["x"], mark["y"], figure_stamp(shape, mark["size"], turn, fill, scale)


@lru_cache(maxsize=512)
def _letter(letter: str, size: int) -> Stamp:
    """A letter, capitals twice `size` high, in hard pixels."""
    side = 4 * size
    mask = coverage(letter, 2 * size * 2048 * 16 // _CAPITALS, 16, side) >= 128
    return Stamp(np.asarray(mask), None, -side // 2, -side // 2)


def _paint_grid(page: Pixels, mark: Mark, ink: int, scale: int) -> None:
    """Cells, each with its own paint, and thin lines centred on their borders."""
    left, top, cell = (mark[key] * scale // 2 for key in ("x", "y", "cell"))
    rows = mark["rows"]
    signs = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1)
    window = _CELL_SHADES[signs].repeat(cell, axis=0).repeat(cell, axis=1)
    height, width = window.shape
    if ord("/") in signs:
        window[(window == _STRIPED) & stripes(window.shape)] = BLACK
        window[window == _STRIPED] = WHITE
    if ink != BLACK:
        window[window == BLACK] = ink
    page[top : top + height, left : left + width] = window
    half = _GRID_PEN * scale // 4
    for y in range(top, top + height + 1, cell):
        page[y - half : y + half, left - half : left + width + half] = ink
    for x in range(left, left + width + 1, cell):
        page[top - half : top + height + half, x - half : x + half] = ink
