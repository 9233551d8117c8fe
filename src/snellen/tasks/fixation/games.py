"""The four games: boards, lines, and who won, read off a finished board alone.

Nothing here knows how a board came about, so that these rules can check every generator. Cells are row-major digits:
0 empty, 1 the first player, 2 the second. "First" is only an order of names; either may have moved first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from snellen.errors import unknown

SIZES = ("small", "medium", "large")


@dataclass(frozen=True, slots=True)
class BoardShape:
    """A board: so many rows and columns; `length` marks make a line (0 where pieces are counted)."""

    rows: int
    columns: int
    length: int = 0

    @property
    def area(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class Game:
    """One game: what decides it, what its players are called, and its boards from small to large."""

    name: str
    decided_by: Literal["line", "count"]
    labels: tuple[str, str]
    shapes: tuple[BoardShape, BoardShape, BoardShape]

    def shape(self, size: str) -> BoardShape:
        if size not in SIZES:
            raise unknown("size", size, SIZES)
        return self.shapes[SIZES.index(size)]


# The small boards are the published ones. On the larger ones a line keeps four marks: the search grows, the sight of
# a line does not, and play still ends in one often enough.
GAMES = {
    game.name: game
    for game in (
        Game("tictactoe", "line", ("X", "O"), (BoardShape(3, 3, 3), BoardShape(4, 4, 4), BoardShape(5, 5, 4))),
        Game("reversi", "count", ("Black", "White"), (BoardShape(5, 5), BoardShape(6, 6), BoardShape(8, 8))),
        Game("connect4", "line", ("Red", "Yellow"), (BoardShape(4, 4, 4), BoardShape(5, 5, 4), BoardShape(6, 7, 4))),
        Game("dots_boxes", "count", ("A", "B"), (BoardShape(6, 6), BoardShape(8, 8), BoardShape(10, 10))),
    )
}


def game_named(name: str) -> Game:
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    return GAMES[name]


Line = tuple[int, ...]
_STEPS = {"horizontal": (0, 1), "vertical": (1, 0), "diagonal down": (1, 1), "diagonal up": (-1, 1)}
PATTERNS = tuple(_STEPS)
"""Directions of a line, read from left to right."""


@cache
def lines(shape: BoardShape) -> dict[Line, str]:
    """Every line that would win on this board, as cell numbers, with its direction."""
    winning: dict[Line, str] = {}
    for pattern, (down, right) in _STEPS.items():
        for row in range(shape.rows):
            for column in range(shape.columns):
                places = [(row + k * down, column + k * right) for k in range(shape.length)]
                if all(0 <= r < shape.rows and 0 <= c < shape.columns for r, c in places):
                    winning[tuple(r * shape.columns + c for r, c in places)] = pattern
    return winning


def completed(shape: BoardShape, cells: str) -> dict[Line, int]:
    """The lines on the board that one player holds wholly, and who."""
    held = ((line, {cells[cell] for cell in line}) for line in lines(shape))
    return {line: int(owners.pop()) for line, owners in held if len(owners) == 1 and "0" not in owners}


def margin(cells: str) -> int:
    """How many more pieces the first player has than the second."""
    return cells.count("1") - cells.count("2")


def winner(game: Game, shape: BoardShape, cells: str) -> int:
    """Who won by the standard rule: 1 or 2, and 0 if nobody did."""
    if game.decided_by == "count":
        lead = margin(cells)
        return 1 if lead > 0 else 2 if lead < 0 else 0
    owners = set(completed(shape, cells).values())
    return owners.pop() if len(owners) == 1 else 0


def swapped(cells: str) -> str:
    """The same board with the two players exchanged."""
    return cells.translate(_SWAP)


_SWAP = str.maketrans("12", "21")


def digits(owners: Sequence[int]) -> str:
    return "".join(map(str, owners))
