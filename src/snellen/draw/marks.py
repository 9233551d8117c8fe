"""Marks on a page: figures, lines, paths, grids and letters, checked and drawn.

A mark is a plain mapping (JSON types), the vocabulary of all puzzles:

- a figure `{"shape": "star", "x": 90, "y": 60, "size": 20, "fill": "white", "turn": 0}`: (x, y) its middle, `size` half
  the larger side of its upright bounding box, `turn` degrees clockwise, `fill` one of `figures.FILLS`;
- a line `{"shape": "line", "x": .., "y": .., "x2": .., "y2": ..}`;
- a path `{"shape": "path", "points": [[x, y], ...], "closed": .., "curved": .., "fill": ..}`, perhaps with a `name`;
- a grid `{"shape": "grid", "x": left, "y": top, "cell": 20, "rows": ["#..", ".o#"]}`;
- a letter `{"shape": "letter", "letter": "A", "x": .., "y": .., "size": ..}`, size half its height.

Any of them may have a `colour`. Pixels are shades of grey, 255 white; of the shades next to black eight stand for the
colours (see `palette`), and nothing else uses them.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from snellen.draw.figures import FIGURES, FILLS, STEP, paste, pen_width, stamp, stripes, upright
from snellen.draw.letters import coverage
from snellen.draw.pens import Mask, Pixels, Points, curve, inside, trace

Mark = Mapping[str, Any]

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
CELLS = MappingProxyType({"#": "black", ".": "white", "o": "grey", "/": "striped"})

_PEN, _GRID_PEN = 4, 2
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
SHAPES = tuple(_KEYS)


@lru_cache(maxsize=2)
def palette(colour: bool) -> Pixels:
    """Grey by number; with `colour`, the eight numbers after black are colours instead."""
    shades = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    if colour:
        shades[1 : 1 + len(COLOURS)] = list(COLOURS.values())
    return shades


def check(mark: Mark) -> None:
    """Raise ValueError, in one line, if a mark is none that can be drawn."""
    shape = str(mark.get("shape"))
    if shape not in _KEYS:
        raise ValueError(f"mark {dict(mark)}: unknown shape {shape!r}; there are {', '.join(SHAPES)}")
    needed, optional = _KEYS[shape]
    given = set(mark) - {"shape", "colour"}
    if missing := needed - given:
        raise ValueError(f"mark {dict(mark)}: a {shape} needs {', '.join(sorted(missing))}")
    if unknown := given - needed - optional:
        raise ValueError(f"mark {dict(mark)}: a {shape} has no {', '.join(sorted(unknown))}")
    if mark.get("fill", "none") not in FILLS:
        raise ValueError(f"mark {dict(mark)}: unknown fill {mark['fill']!r}; there are {', '.join(FILLS)}")
    if mark.get("colour", "red") not in COLOURS:
        raise ValueError(f"mark {dict(mark)}: unknown colour {mark['colour']!r}; there are {', '.join(COLOURS)}")
    if mark.get("turn", 0) % STEP:
        raise ValueError(f"mark {dict(mark)}: turn must be a multiple of {STEP} degrees")
    if shape == "path" and len(mark["points"]) < 2:
        raise ValueError(f"mark {dict(mark)}: a path needs two points or more")
    if shape == "grid":
        _check_grid(mark)


def _check_grid(mark: Mark) -> None:
    rows = mark["rows"]
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise ValueError(f"mark {dict(mark)}: rows of a grid must be equally long and not empty")
    if unknown := sorted(set("".join(rows)) - set(CELLS)):
        raise ValueError(f"mark {dict(mark)}: unknown cell {unknown[0]!r}; there are {' '.join(CELLS)}")


def paint(page: Pixels, mark: Mark, colour: bool, scale: int = 2) -> None:
    """Draw a mark onto a page, in place. `scale` is in halves: 3 draws everything half as large again."""
    check(mark)
    ink = 1 + list(COLOURS).index(mark["colour"]) if colour and "colour" in mark else BLACK
    shape = mark["shape"]
    if shape == "line":
        ends = np.array([[mark["x"], mark["y"]], [mark["x2"], mark["y2"]]]) * (scale / 2)
        trace(page, ends, ink, width=_PEN * scale // 2)
    elif shape == "path":
        _paint_path(page, mark, ink, scale)
    elif shape == "grid":
        _paint_grid(page, mark, ink, scale)
    elif shape == "letter":
        size = mark["size"] * scale // 2
        mask = _letter(mark["letter"], size)
        paste(page, mask, mark["x"] * scale // 2 - mask.shape[1] // 2, mark["y"] * scale // 2 - mask.shape[0] // 2, ink)
    else:
        _paint_figure(page, mark, ink, scale)


def _paint_figure(page: Pixels, mark: Mark, ink: int, scale: int) -> None:
    shape, fill = mark["shape"], mark.get("fill", "none")
    width = pen_width(mark["size"]) * scale // 2
    made = stamp(shape, mark["size"] * scale // 2, upright(shape, mark.get("turn", 0)), fill, width)
    left, top = mark["x"] * scale // 2 - made.reach, mark["y"] * scale // 2 - made.reach
    if made.cover is not None:
        paste(page, made.cover, left, top, GREY if fill == "grey" else WHITE)
    paste(page, made.ink, left, top, ink)


def path_line(mark: Mark) -> Points:
    """The line of a path as straight pieces."""
    points = np.array(mark["points"], np.float64)
    if mark.get("curved") and len(points) > 2:
        return curve(points, bool(mark.get("closed")))
    return points


def _paint_path(page: Pixels, mark: Mark, ink: int, scale: int) -> None:
    line = path_line(mark) * (scale / 2)
    fill = mark.get("fill", "none")
    if fill != "none":
        body = inside(line, page.shape)
        paste(page, body, 0, 0, {"black": ink, "grey": GREY}.get(fill, WHITE))
        if fill == "striped":
            paste(page, body & stripes(page.shape), 0, 0, ink)
    trace(page, line, ink, closed=bool(mark.get("closed")), width=_PEN * scale // 2)


def _paint_grid(page: Pixels, mark: Mark, ink: int, scale: int) -> None:
    """Cells, each with its own paint, and thin lines centred on their borders."""
    left, top, cell = (mark[key] * scale // 2 for key in ("x", "y", "cell"))
    paints = {"black": ink, "grey": GREY}
    for i, row in enumerate(mark["rows"]):
        for j, sign in enumerate(row):
            window = page[top + i * cell : top + (i + 1) * cell, left + j * cell : left + (j + 1) * cell]
            window[:] = paints.get(CELLS[sign], WHITE)
            if CELLS[sign] == "striped":
                window[stripes((cell, cell))[: window.shape[0], : window.shape[1]]] = ink
    down, across = len(mark["rows"]), len(mark["rows"][0])
    half = _GRID_PEN * scale // 4
    for i in range(down + 1):
        page[top + i * cell - half : top + i * cell + half, left - half : left + across * cell + half] = ink
    for j in range(across + 1):
        page[top - half : top + down * cell + half, left + j * cell - half : left + j * cell + half] = ink


@lru_cache(maxsize=512)
def _letter(letter: str, size: int) -> Mask:
    """A letter whose capitals are twice `size` high, in hard pixels, in the middle of a square."""
    side = 4 * size
    return np.asarray(coverage(letter, 2 * size * 2048 * 16 // _CAPITALS, 16, side) >= 128)
