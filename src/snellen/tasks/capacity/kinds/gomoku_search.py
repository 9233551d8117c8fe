"""Five in a row: which moves win at once, and which win with the next piece whatever the opponent does.

A board is an array of cells, row by row: 0 empty, 1 the side to move, 2 the other side. Everything is read off the
**windows**, all stretches of five cells in a line: whoever fills one has won.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

Board = NDArray[np.int8]
Windows = NDArray[np.int64]

EMPTY, MOVER, OTHER = 0, 1, 2
FIVE = 5
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@cache
def windows(extent: int) -> Windows:
    """All windows of a board as rows of five cell numbers."""
    rows = []
    for row in range(extent):
        for column in range(extent):
            for down, right in DIRECTIONS:
                last_row, last_column = row + (FIVE - 1) * down, column + (FIVE - 1) * right
                if last_row < extent and 0 <= last_column < extent:
                    rows.append([(row + k * down) * extent + column + k * right for k in range(FIVE)])
    table = np.array(rows)
    table.setflags(write=False)
    return table


def _short_of(board: Board, extent: int, side: int, missing: int) -> Windows:
    """The windows in which a side has all but so many of the cells and nothing else stands; their empty cells."""
    table = windows(extent)
    held = board[table]
    fitting = ((held == side).sum(axis=1) == FIVE - missing) & ((held == EMPTY).sum(axis=1) == missing)
    cells: Windows = table[fitting][held[fitting] == EMPTY].reshape(-1, missing)
    return cells


def has_won(board: Board, extent: int, side: int) -> bool:
    return bool((board[windows(extent)] == side).all(axis=1).any())


def wins_now(board: Board, extent: int, side: int) -> set[int]:
    """The cells that complete five."""
    return set(_short_of(board, extent, side, 1).ravel().tolist())


def wins_next(board: Board, extent: int, side: int) -> set[int]:
    """The cells after which nothing stops five with the very next piece, where no cell completes five at once.

    A move does that if it threatens five in two cells, for only one of them can be taken; and if the opponent, whose
    turn it is then, cannot complete five first.
    """
    answers = wins_now(board, extent, MOVER + OTHER - side)
    then = threats(board, extent, side)
    return {cell for cell, after in then.items() if len(after) > 1 and not answers - {cell}}


def threats(board: Board, extent: int, side: int) -> dict[int, set[int]]:
    """The cells that make a new threat of five, each with the cells where five would then be completed."""
    completed_by: dict[int, set[int]] = {}
    for first, second in _short_of(board, extent, side, 2).tolist():
        completed_by.setdefault(first, set()).add(second)
        completed_by.setdefault(second, set()).add(first)
    return completed_by


def best(board: Board, extent: int, side: int) -> tuple[int, set[int]]:
    """With how many pieces of its own a side can win by force, if with one or two, and the moves that do; else 0."""
    if now := wins_now(board, extent, side):
        return 1, now
    after = wins_next(board, extent, side)
    return (2, after) if after else (0, set())


def longest_run(board: Board, extent: int, side: int, cell: int) -> int:
    """The longest unbroken line a side would have through a cell by playing there."""
    row, column = divmod(cell, extent)
    longest = 1
    for down, right in DIRECTIONS:
        length = 1
        for way in (-1, 1):
            r, c = row + way * down, column + way * right
            while 0 <= r < extent and 0 <= c < extent and board[r * extent + c] == side:
                length, r, c = length + 1, r + way * down, c + way * right
        longest = max(longest, length)
    return longest
