"""Players of board games: they read the board, from the pixels or from characters, and the rule from the words.

The pixel eye knows how the four boards of the ordinary size look and nothing of how they are drawn: it finds the grid
by its colour, cuts it into cells, and tells the pieces apart by ink and colour.
"""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fakes.minds import toss

Board = list[list[str]]
Pixels = NDArray[np.int64]
_RULE = re.compile(
    r"The sides are called (?P<one>\w+) and (?P<two>\w+)\..*?"
    r"Whoever (?:has (?P<line>\d+) in one unbroken straight line, across, down or diagonally,"
    r"|\w+ (?P<most>more|fewer) (?:pieces|boxes)(?: on the board)? at the end) (?P<holder>wins|loses|is \w+), "
    r"and the opponent (?P<other>wins|loses|is \w+)\. Which side (?P<asked>has won|has lost|is \w+)\?",
    re.DOTALL,
)
_ASKED = {"has won": "wins", "has lost": "loses"}


def whole_board(picture: bytes) -> str:
    """The board in characters."""
    return "\n".join("│".join(f" {piece} " for piece in row) for row in _read(picture))


def left_half(picture: bytes) -> str:
    """The same, but what is right of the middle is not seen."""
    board = _read(picture)
    return "\n".join("│".join(f" {p} " if 2 * k < len(row) - 1 else "   " for k, p in enumerate(row)) for row in board)


@lru_cache(maxsize=256)
def _read(picture: bytes) -> Board:
    with Image.open(io.BytesIO(picture)) as image:
        pixels: Pixels = np.asarray(image.convert("RGB")).astype(np.int64)
    red, green = (int(c) for c in pixels[pixels.shape[0] // 2, 4, :2])
    if green > red + 40:
        return _cells(pixels, pixels.sum(axis=2) < 120, 5, _disc)
    blue_there = pixels[:, :, 2] > pixels[:, :, 0] + 100
    if blue_there.mean() > 0.1:
        return _cells(pixels, blue_there, 4, _token)
    ink = pixels.sum(axis=2) < 380
    thick = ink[ink.any(axis=1)].mean(axis=1).max() > 0.6 and ink.sum(axis=1).argmax() < len(ink) // 2
    cells = 3 if thick and _lines(ink) == 2 else 6
    return _cells(pixels, ink, cells, _mark if cells == 3 else _letter)


def _lines(ink: NDArray[np.bool_]) -> int:
    """How many lines go all the way across."""
    full = ink.mean(axis=1) > 0.6
    return int((full[1:] & ~full[:-1]).sum())


def _cells(pixels: Pixels, grid: NDArray[np.bool_], many: int, read: Callable[[Pixels], str]) -> Board:
    down, across = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    rows = np.linspace(down[0], down[-1] + 1, many + 1)
    columns = np.linspace(across[0], across[-1] + 1, many + 1)
    return [[read(_middle(pixels, rows[i : i + 2], columns[k : k + 2])) for k in range(many)] for i in range(many)]


def _middle(pixels: Pixels, rows: NDArray[np.float64], columns: NDArray[np.float64]) -> Pixels:
    """A cell without its margin, where lines may run."""
    inwards = 0.14 * (rows[1] - rows[0]) * np.array((1, -1))
    (top, bottom), (left, right) = (rows + inwards).astype(int), (columns + inwards).astype(int)
    return pixels[top:bottom, left:right]


def _centre(cell: Pixels) -> tuple[int, int, int]:
    red, green, blue = cell[cell.shape[0] // 2, cell.shape[1] // 2]
    return int(red), int(green), int(blue)


def _disc(cell: Pixels) -> str:
    light = sum(_centre(cell))
    return "W" if light > 600 else "B" if light < 150 else " "


def _token(cell: Pixels) -> str:
    red, green, _ = _centre(cell)
    return " " if red < 150 or (red > 225 and green > 225) else "Y" if green > 120 else "R"


def _mark(cell: Pixels) -> str:
    ink = cell.sum(axis=2) < 380
    if ink.mean() < 0.02:
        return " "
    return "X" if sum(_centre(cell)) < 380 else "O"


def _letter(cell: Pixels) -> str:
    """B begins at its upper left, A does not."""
    ink = cell.sum(axis=2) < 380
    if not ink.any():
        return " "
    down, across = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    corner = ink[down[0] : down[0] + len(down) // 4, across[0] : across[0] + len(across) // 4]
    return "B" if corner.mean() > 0.5 else "A"


@dataclass(frozen=True)
class Player:
    """Says who won. `finds_lines`: whether it can find a line on a board. `by_heart`: the games ("line", "most") in
    which it goes by the rule it has always known, whatever it is told."""

    finds_lines: bool = True
    by_heart: tuple[str, ...] = ()

    def __call__(self, words: str) -> str:
        rule = _RULE.search(words)
        if rule is None:
            return "What is the rule?"
        sides = (rule["one"], rule["two"])
        most, holder, other = rule["most"], rule["holder"], rule["other"]
        if most and "most" in self.by_heart:
            most = "more"
        if rule["line"] and "line" in self.by_heart and holder == "loses":
            holder, other = other, holder
        board = _characters(words)
        if most:
            winner = _more_or_fewer(board, sides, most)
        else:
            winner = _has_line(board, sides, int(rule["line"])) if self.finds_lines else None
        if winner is None:
            return toss(words, sides)
        asked = _ASKED.get(rule["asked"], rule["asked"])
        return winner if asked == holder else sides[1 - sides.index(winner)]


def _characters(words: str) -> Board:
    lines = [line for line in words.split("\n") if "│" in line]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def _more_or_fewer(board: Board, sides: Sequence[str], most: str) -> str | None:
    one, two = (sum(cell == side[0] for row in board for cell in row) for side in sides)
    if one == two:
        return None
    return sides[(one > two) != (most == "more")]


def _has_line(board: Board, sides: Sequence[str], length: int) -> str | None:
    where = {(i, k): cell for i, row in enumerate(board) for k, cell in enumerate(row) if cell}
    for (i, k), cell in where.items():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all(where.get((i + step * down, k + step * right)) == cell for step in range(length)):
                return next((side for side in sides if side[0] == cell), None)
    return None
