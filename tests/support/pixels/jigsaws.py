"""Reads jigsaws: how the puzzle is cut, where its holes are, how each loose piece is cut, and where it belongs.

Of all knobs and places a side could have, that one is taken whose outline is drawn most clearly. Two pieces show the
same if their pixels are the same, but for the rim.
"""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter, uniform_filter

from snellen.tasks.capacity.draw.jigsaws import BORDER, HOLE, KNOBS, REACH, STEP, TABLE
from support.pixels.looking import Mask, Pixels, amount, extent, near, pixels_of, sign_in

INK = (38, 40, 52)
_GRIDS = {(8, 7): 96, (4, 3): 152, (6, 5): 116, (10, 8): 84}
"""Columns and rows of puzzles, and how wide a piece is."""
_GAP, _LABEL = 14, 40
"""Pixels between loose pieces, and hundredths of a piece below each for its letter."""
Side = tuple[str, str, int]
Curve = NDArray[np.float64]
STRAIGHT: Side = ("straight", "", 0)
_WAYS: list[Side] = list(product(("tab", "blank"), KNOBS, (-1, 0, 1)))


def read_jigsaw(board: bytes, tray: bytes) -> dict[str, Any]:
    """Columns, rows, seams and holes; for each loose piece its sides, and the number of the hole it belongs to: 0 where
    that is none, with what lures (its colours or its shape), to which hole, and the place of the painting it shows."""
    puzzle = SeenPuzzle(pixels_of(board))
    return {**puzzle.read(), "pieces": SeenTray(pixels_of(tray), puzzle).read()}


@cache
def _curve(side: Side, cell: int) -> tuple[Curve, Curve]:
    """Places on the outline of a knob, along the side and out from it, and unit steps across the outline."""
    kind, knob, place = side
    corners = np.array([(50 + STEP * place + along, out if kind == "tab" else -out) for along, out in KNOBS[knob]])
    corners = corners * cell / 100
    steps = np.hypot(*np.diff(corners, axis=0).T)
    at = np.linspace(0, steps.sum(), int(steps.sum()))
    dense = np.stack([np.interp(at, np.concatenate(([0], np.cumsum(steps))), part) for part in corners.T], axis=1)
    ways = np.gradient(dense, axis=0)
    return dense, np.stack((-ways[:, 1], ways[:, 0]), axis=1) / np.maximum(np.hypot(*ways.T), 1e-9)[:, None]


def _turned(points: Curve, number: int, cell: int, *, way: bool = False) -> Curve:
    """From along and out of a side (top, right, bottom, left) to right and down from the piece's corner."""
    along, out = points.T
    far = 0 if way else cell
    placed = {0: (along, -out), 1: (far + out, along), 2: (along, far + out), 3: (-out, along)}[number]
    return np.stack(placed, axis=1)


class Outlines:
    """Dark lines of a picture."""

    def __init__(self, pixels: Pixels) -> None:
        light = pixels.sum(axis=2) / 3
        self.dark, self.mean = minimum_filter(light, 3), uniform_filter(light, 3)

    def clear(self, points: Curve, ways: Curve) -> float:
        """How much darker it is along a line than on either side of it."""

        def at(values: NDArray[np.float64], places: Curve) -> NDArray[np.float64]:
            x, y = np.clip(np.rint(places), 0, np.array(values.shape[::-1]) - 1).astype(int).T
            return values[y, x]

        around = (at(self.mean, points + 5 * ways) + at(self.mean, points - 5 * ways)) / 2
        return float(np.mean(np.clip((around - at(self.dark, points)) / (around + 20), -0.5, 0.6)))

    def side(self, number: int, cell: int, corner: tuple[float, float]) -> tuple[float, Side]:
        """The side that is drawn most clearly there, and how clearly."""
        return max((self._clear(side, number, cell, corner), side) for side in _WAYS)

    def _clear(self, side: Side, number: int, cell: int, corner: tuple[float, float]) -> float:
        points, ways = _curve(side, cell)
        return self.clear(_turned(points, number, cell) + corner, _turned(ways, number, cell, way=True))


class SeenPuzzle:
    def __init__(self, board: Pixels) -> None:
        high, wide = (side - 2 * BORDER for side in board.shape[:2])
        (self.grid, self.cell) = next((g, cell) for g, cell in _GRIDS.items() if (g[0] * cell, g[1] * cell) == (wide, high))
        self.board, self.outlines = board, Outlines(board)

    def read(self) -> dict[str, Any]:
        columns, rows = self.grid
        return {
            "columns": columns,
            "rows": rows,
            "cell": self.cell,
            "level": [[self._seam(column, row, 2) for column in range(columns)] for row in range(rows - 1)],
            "upright": [[self._seam(column, row, 1) for column in range(columns - 1)] for row in range(rows)],
            "holes": self.holes(),
        }

    def corner(self, column: int, row: int) -> tuple[float, float]:
        return BORDER + column * self.cell, BORDER + row * self.cell

    def _seam(self, column: int, row: int, number: int) -> list[Any]:
        _, (kind, knob, place) = self.outlines.side(number, self.cell, self.corner(column, row))
        return [knob, place, "first" if kind == "tab" else "second"]

    def holes(self) -> list[list[int]]:
        """The places of the holes in the order of their numbers."""
        columns, rows = self.grid
        bare, numbers = near(self.board, HOLE, 4), {}
        for row, column in np.ndindex(rows, columns):
            x, y = (int(part) for part in self.corner(column, row))
            low, high = self.cell * 3 // 10, self.cell * 7 // 10
            window = (slice(y + low, y + high), slice(x + low, x + high))
            if bare[window].mean() > 0.4:
                ink = amount(self.board[window], HOLE, INK)
                numbers[int(sign_in(ink, "123456789"))] = [column, row]
        return [numbers[number] for number in sorted(numbers)]


class SeenTray:
    def __init__(self, tray: Pixels, puzzle: SeenPuzzle) -> None:
        self.tray, self.puzzle, self.cell = tray, puzzle, puzzle.cell
        self.edge = self.cell * REACH // 100 + 2
        self.outlines = Outlines(tray)

    def read(self) -> list[dict[str, Any]]:
        return [{"sides": [list(side) for side in self._sides(corner)]} for corner in self.corners()]

    def corners(self) -> list[tuple[int, int]]:
        """Where the squares of the loose pieces begin."""
        side = self.cell + 2 * self.edge
        pitch = side + self.cell * _LABEL // 100 + _GAP
        found = []
        for row in range((len(self.tray) - _GAP) // pitch):
            top = _GAP + row * pitch + self.edge
            middle = ~near(self.tray[top + self.cell // 4 : top + self.cell * 3 // 4], TABLE, 12)
            across = (self.tray.shape[1] - _GAP) // (side + _GAP)
            for many in range(across, 0, -1):
                lefts = [_GAP + (across - many) * (side + _GAP) // 2 + place * (side + _GAP) + self.edge for place in range(many)]
                if all(middle[:, left + 8 : left + self.cell - 8].mean() > 0.5 for left in lefts):
                    found += [(left, top) for left in lefts]
                    break
        return found

    def _sides(self, corner: tuple[int, int]) -> list[Side]:
        return [self._side(corner, number) for number in range(4)]

    def _side(self, corner: tuple[int, int], number: int) -> Side:
        return self.outlines.side(number, self.cell, corner)[1]
