"""What stands in a panel: its marks as things that can be compared from panel to panel.

A thing has a kind, a place, a size, a turn and a fill, whatever mark it came from. Turns that nobody can see (of a
circle; of a square by a quarter) are taken out. Abstract outlines get a kind by their form, so that the same outline
moved, turned, mirrored or scaled is one kind in the whole puzzle. A grid becomes its frame and one thing per cell that
is not white.
"""

from collections.abc import Sequence
from math import atan2, degrees, hypot
from typing import Any, NamedTuple

from snellen.tasks.marvel.marks import CELLS, Mark

# How far a figure turns until it looks the same again; those not named here need a whole turn.
REPEATS = {
    "circle": 1, "square": 90, "triangle": 120, "diamond": 180, "pentagon": 72, "hexagon": 60, "star": 72,
    "cross": 90, "rectangle": 180, "ellipse": 180, "line": 180, "grid": 90
}  # fmt: skip


class SolverThing(NamedTuple):
    """`flip` is True for an abstract outline that is the mirror image of the first of its kind."""

    kind: str
    x: float
    y: float
    size: float
    turn: float
    fill: str
    colour: str
    flip: bool
    mark: Mark

    @property
    def shape(self) -> str:
        return str(self.mark["shape"])


class _Form(NamedTuple):
    """A path with place and size taken out: its points as complex numbers around 0."""

    points: list[complex]
    closed: bool
    curved: bool


class Forms:
    """The outlines met so far in a puzzle, each a kind of its own."""

    def __init__(self) -> None:
        self._known: list[_Form] = []
        self._seen: dict[tuple[Any, ...], tuple[str, float, bool, float]] = {}

    def name(self, mark: Mark) -> tuple[str, float, bool, float]:
        """The kind of this path, how far it is turned against the first of its kind, whether mirrored, its size."""
        spots = mark["points"]
        (x, y), closed, curved = spots[0], bool(mark.get("closed")), bool(mark.get("curved"))
        key = (closed, curved, *[(px - x, py - y) for px, py in spots])
        named = self._seen.get(key)
        if named is None:
            points = [complex(px, py) for px, py in spots]
            middle = sum(points) / len(points)
            around = [point - middle for point in points]
            size = (sum(abs(point) ** 2 for point in around) / len(around)) ** 0.5 or 1.0
            form = _Form([point / size for point in around], closed, curved)
            named = self._seen[key] = (*self._find(form, size), size)
        return named

    def _find(self, form: _Form, size: float) -> tuple[str, float, bool]:
        # How well two outlines must fit on each other (1: exactly); whole-number points cost small ones most.
        same = 1 - 1 / size**2 - 0.001
        for number, earlier in enumerate(self._known):
            if (len(earlier.points), earlier.closed, earlier.curved) != (len(form.points), form.closed, form.curved):
                continue
            for flip in (False, True):
                fit = _fit(earlier.points, form.points, same, flip=flip)
                if fit is not None:
                    return f"form {number}", fit, flip
        self._known.append(form)
        return f"form {len(self._known) - 1}", 0.0, False


def _fit(earlier: Sequence[complex], other: Sequence[complex], same: float, *, flip: bool) -> float | None:
    """The turn in degrees that lays `known` (mirrored if `flip`) on `other`, None if it does not fit."""
    # Points come in the order in which the path was made, so the same outline has them in the same order; an open
    # path may also have been walked from its other end.
    for way in (other, other[::-1]):
        if flip:
            product = sum([b * a for a, b in zip(earlier, way, strict=True)])
        else:
            product = sum([b * a.conjugate() for a, b in zip(earlier, way, strict=True)])
        if abs(product) > same * len(earlier):
            return degrees(atan2(product.imag, product.real)) % 360
    return None


def things(marks: Sequence[Mark], forms: Forms) -> list[SolverThing]:
    """The things of a panel, in no order that matters."""
    seen: list[SolverThing] = []
    for mark in marks:
        shape = mark["shape"]
        if shape == "grid":
            seen.extend(_grid(mark))
        elif shape == "line":
            seen.append(_line(mark))
        elif shape == "path":
            seen.append(_path(mark, forms))
        else:
            seen.append(_figure(mark, shape))
    grids = [mark for mark in marks if mark["shape"] == "grid"]
    return _snapped(seen, grids[0]) if len(grids) == 1 else seen


def _snapped(seen: list[SolverThing], grid: Mark) -> list[SolverThing]:
    """Things in the cells of a grid, moved to the middle of their cell, as an outline's middle is a matter of taste."""
    left, top, cell = grid["x"], grid["y"], grid["cell"]
    wide, tall = len(grid["rows"][0]), len(grid["rows"])
    snapped = []
    for thing in seen:
        column, row = (thing.x - left) // cell, (thing.y - top) // cell
        if thing.size < cell and 0 <= column < wide and 0 <= row < tall and thing.mark is not grid:
            thing = thing._replace(x=left + (column + 0.5) * cell, y=top + (row + 0.5) * cell)
        snapped.append(thing)
    return snapped


def _figure(mark: Mark, shape: str) -> SolverThing:
    kind = f"letter {mark['letter']}" if shape == "letter" else shape
    turn = mark.get("turn", 0) % REPEATS.get(shape, 360)
    fill = mark.get("fill", "none")
    return SolverThing(kind, mark["x"], mark["y"], mark["size"], turn, fill, mark.get("colour", ""), False, mark)


def _line(mark: Mark) -> SolverThing:
    x, y, x2, y2 = mark["x"], mark["y"], mark["x2"], mark["y2"]
    turn = degrees(atan2(y2 - y, x2 - x)) % 180
    middle = ((x + x2) / 2, (y + y2) / 2)
    return SolverThing("line", *middle, hypot(x2 - x, y2 - y) / 2, turn, "none", mark.get("colour", ""), False, mark)


def _path(mark: Mark, forms: Forms) -> SolverThing:
    kind, turn, flip, size = forms.name(mark)
    points = mark["points"]
    x, y = sum([point[0] for point in points]) / len(points), sum([point[1] for point in points]) / len(points)
    return SolverThing(kind, x, y, size, turn, mark.get("fill", "none"), mark.get("colour", ""), flip, mark)


def _grid(mark: Mark) -> list[SolverThing]:
    rows, cell, left, top = mark["rows"], mark["cell"], mark["x"], mark["y"]
    tall, wide = len(rows), len(rows[0])
    colour = mark.get("colour", "")
    x, y = left + wide * cell / 2, top + tall * cell / 2
    cells = [SolverThing(f"grid {wide}x{tall}", x, y, max(wide, tall) * cell / 2, 0, "none", colour, False, mark)]
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter != ".":
                x, y = left + (column + 0.5) * cell, top + (row + 0.5) * cell
                fill = CELLS[letter]
                cells.append(SolverThing(f"{fill} cell", x, y, cell / 2, 0, fill, colour, False, mark))
    return cells
