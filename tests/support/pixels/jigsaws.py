"""Reads jigsaws: where their holes are, with which sides, the sides of every loose piece, and which piece fits where.

Of all knobs and places a side could have, that one is taken whose area and outline are seen most clearly.
"""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import binary_fill_holes, maximum_filter, minimum_filter, uniform_filter

from snellen.tasks.capacity.draw.jigsaws import BORDER, HOLE, KNOBS, REACH, STEP, TABLE
from support.pixels.fitting import SeenHole, SeenPiece, best_fits
from support.pixels.looking import Mask, Pixels, amount, near, pixels_of, sign_in

INK, SHADE = (38, 40, 52), (92, 86, 78)
_GRIDS = {(8, 7): 96, (4, 3): 152, (6, 5): 116, (10, 8): 84}
"""Columns and rows of puzzles, and how wide a piece is."""
_GAP, _LABEL = 14, 40
"""Pixels between loose pieces, and hundredths of a piece below each for its letter."""
Side = tuple[str, str, int]
Curve = NDArray[np.float64]
STRAIGHT: Side = ("straight", "", 0)
_WAYS: list[Side] = list(product(("tab", "blank"), KNOBS, (-1, 0, 1)))


def read_jigsaw(board: bytes, tray: bytes) -> dict[str, Any]:
    """Columns and rows, the holes in the order of their numbers with the sides of what is missing there, and the sides
    of each loose piece; and of each hole, the number (from 0) of the piece that fits."""
    puzzle = SeenPuzzle(pixels_of(board))
    loose, seen = SeenTray(pixels_of(tray), puzzle.cell), puzzle.read()
    holes = [puzzle.around(column, row, loose.edge) for column, row in seen["holes"]]
    return {**seen, "pieces": loose.read(), "fits": best_fits(holes, loose.pieces())}


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


@cache
def _covered(side: Side, cell: int) -> Mask:
    """What a piece covers near its upper side: as much above it as below."""
    kind, knob, place = side
    reach = cell * REACH // 100
    image = Image.new("1", (4 * cell, 8 * reach))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 4 * reach, 4 * cell, 8 * reach), fill=1)
    if knob:
        sign = -1 if kind == "tab" else 1
        points = [((50 + STEP * place + a) * cell / 25, 4 * reach + sign * out * cell / 25) for a, out in KNOBS[knob]]
        pen.polygon(points, fill=int(kind == "tab"))
    return np.asarray(image)[2::4, 2::4]


class Outlines:
    """Dark lines of a picture."""

    def __init__(self, pixels: Pixels) -> None:
        light = pixels.sum(axis=2) / 3
        self.dark, self.lit, self.mean = minimum_filter(light, 3), maximum_filter(light, 3), uniform_filter(light, 3)

    def clear(self, points: Curve, ways: Curve) -> float:
        """How much darker it is along a line than on either side of it."""

        def at(values: NDArray[np.float64], places: Curve) -> NDArray[np.float64]:
            x, y = np.clip(np.rint(places), 0, np.array(values.shape[::-1]) - 1).astype(int).T
            return values[y, x]

        around = (at(self.mean, points + 5 * ways) + at(self.mean, points - 5 * ways)) / 2
        darker, lighter = around - at(self.dark, points), at(self.lit, points + 1) - around
        # In the dark it is the lit edge of a seam that is seen.
        return float(np.mean(np.clip(np.where(around > 60, darker, lighter) / (around + 20), -0.5, 0.6)))


def _placed(side: Side, number: int, cell: int, corner: tuple[int, int]) -> tuple[Curve, Curve]:
    """A knob's outline on a side of a piece, and the steps across it."""
    points, ways = _curve(side, cell)
    return _turned(points, number, cell) + corner, _turned(ways, number, cell, way=True)


def _side_of(covered: Mask, outlines: Outlines, cell: int, corner: tuple[int, int], number: int) -> Side:
    """Which side a piece has, whose knob lies most exactly where something is covered and whose outline is drawn."""
    left, top = corner
    reach = cell * REACH // 100
    window = covered[top - reach : top + cell + reach, left - reach : left + cell + reach]
    strip = np.rot90(window, number)[: 2 * reach, reach:-reach]
    low, high = cell * 23 // 100, cell * 77 // 100  # beyond, knobs of other sides may lie
    best: tuple[float, Side] = (0.0, STRAIGHT)
    for side in (*_WAYS, STRAIGHT):
        # Turned half or three quarters around, left and right are exchanged.
        here = side if number < 2 else (side[0], side[1], -side[2])
        share = float((_covered(side, cell)[:, low:high] == strip[:, low:high]).mean())
        drawn = outlines.clear(*_placed(here, number, cell, corner)) if side[1] else 0.0
        best = max(best, (share + 0.15 * drawn, here))
    return best[1]


class SeenPuzzle:
    def __init__(self, board: Pixels) -> None:
        high, wide = (side - 2 * BORDER for side in board.shape[:2])
        (self.grid, self.cell) = next(
            (grid, cell) for grid, cell in _GRIDS.items() if (grid[0] * cell, grid[1] * cell) == (wide, high)
        )
        self.board, self.outlines = board, Outlines(board)
        self.bare = near(board, HOLE, 4)
        self.hole = maximum_filter(self.bare, 5)  # with its rim

    def read(self) -> dict[str, Any]:
        holes = self._holes()
        return {
            "columns": self.grid[0],
            "rows": self.grid[1],
            "holes": holes,
            "around": [[list(self._side(x, y, number)) for number in range(4)] for x, y in holes],
        }

    def around(self, column: int, row: int, edge: int) -> SeenHole:
        """A hole with so much around it; beyond the picture there is more of its border."""
        x, y = self._corner(column, row)
        side = self.cell + 2 * edge

        def window(seen: NDArray[Any]) -> NDArray[Any]:
            wide = np.pad(seen, [(edge, edge)] * 2 + [(0, 0)] * (seen.ndim - 2), mode="edge")
            return wide[y : y + side, x : x + side]

        inside = binary_fill_holes(window(self.hole))
        blank = inside | near(window(self.board), TABLE)
        return SeenHole(window(self.board), window(self.bare), blank)

    def _corner(self, column: int, row: int) -> tuple[int, int]:
        return BORDER + column * self.cell, BORDER + row * self.cell

    def _side(self, column: int, row: int, number: int) -> Side:
        """A side of the piece that is missing."""
        columns, rows = self.grid
        if (row == 0, column == columns - 1, row == rows - 1, column == 0)[number]:
            return STRAIGHT
        return _side_of(self.hole, self.outlines, self.cell, self._corner(column, row), number)

    def _holes(self) -> list[list[int]]:
        """The places of the holes in the order of their numbers."""
        columns, rows = self.grid
        numbers = {}
        for row, column in np.ndindex(rows, columns):
            x, y = self._corner(column, row)
            low, high = self.cell * 3 // 10, self.cell * 7 // 10
            window = (slice(y + low, y + high), slice(x + low, x + high))
            if self.bare[window].mean() > 0.4:
                ink = amount(self.board[window], HOLE, INK)
                numbers[int(sign_in(ink, "123456789"))] = [column, row]
        return [numbers[number] for number in sorted(numbers)]


class SeenTray:
    def __init__(self, tray: Pixels, cell: int) -> None:
        self.tray, self.cell, self.outlines = tray, cell, Outlines(tray)
        self.edge = self.cell * REACH // 100 + 2
        # Bare table, in the light or in a piece's shadow.
        shadow = np.array(TABLE) - np.array(SHADE)
        share = np.clip((np.array(TABLE) - tray) @ shadow / (shadow @ shadow), 0, 0.45)
        self.bare = np.abs(np.array(TABLE) - share[:, :, None] * shadow - tray).max(axis=2) < 7

    def read(self) -> list[list[list[Any]]]:
        return [
            [list(_side_of(~self.bare, self.outlines, self.cell, corner, number)) for number in range(4)]
            for corner in self.corners()
        ]

    def pieces(self) -> list[SeenPiece]:
        far = self.cell + self.edge
        windows = [
            (slice(top - self.edge, top + far), slice(left - self.edge, left + far)) for left, top in self.corners()
        ]
        return [SeenPiece(self.tray[window], ~self.bare[window]) for window in windows]

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
                lefts = [
                    _GAP + (across - many) * (side + _GAP) // 2 + place * (side + _GAP) + self.edge
                    for place in range(many)
                ]
                if all(middle[:, left + 8 : left + self.cell - 8].mean() > 0.5 for left in lefts):
                    found += [(left, top) for left in lefts]
                    break
        return found
