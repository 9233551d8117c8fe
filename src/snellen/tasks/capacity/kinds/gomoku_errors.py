"""What a wrong move at five in a row betrays."""

from collections.abc import Iterator, Mapping

import numpy as np

from snellen.tasks.capacity.kinds.gomoku_search import (
    EMPTY,
    MOVER,
    OTHER,
    Board,
    best,
    longest_run,
    threats,
    windows,
)


def mechanisms(board: Board, extent: int, key: int, colours: Mapping[int, str]) -> dict[int, str]:
    """Cells with what playing there betrays; what is most telling comes first and keeps its name."""
    named: dict[int, str] = {}
    for cell, mechanism in _told(board, extent, key, colours):
        if cell != key:
            named.setdefault(cell, mechanism)
    return named


def _told(board: Board, extent: int, key: int, colours: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    yield from ((cell, "taken cell") for cell in np.flatnonzero(board).tolist())
    yield from ((cell, "blocks instead of winning") for cell in sorted(best(board, extent, OTHER)[1]))
    yield from ((cell, "wrong set of pieces") for cell in _alike(board, extent, colours))
    empty = np.flatnonzero(board == EMPTY).tolist()
    yield from ((cell, "four in a row only") for cell in empty if longest_run(board, extent, MOVER, cell) == 4)
    yield from ((cell, "threat that can be stopped") for cell in sorted(threats(board, extent, MOVER)))
    yield from ((cell, "off by one") for cell in _beside(extent, key))
    row, column = divmod(key, extent)
    yield (extent - 1 - row) * extent + column, "row counted from the top"
    yield column * extent + row, "row and column swapped"


def _alike(board: Board, extent: int, colours: Mapping[int, str]) -> Iterator[int]:
    """The cells that complete five of one colour, belonging to both sides: for those who go by colour."""
    numbers = {colour: number for number, colour in enumerate(sorted(set(colours.values())), 1)}
    tints = np.zeros_like(board)
    for cell, colour in colours.items():
        tints[cell] = numbers[colour]
    table = windows(extent)
    both = (board[table] == MOVER).any(axis=1) & (board[table] == OTHER).any(axis=1)
    for number in numbers.values():
        four = both & ((tints[table] == number).sum(axis=1) == 4) & ((tints[table] == 0).sum(axis=1) == 1)
        yield from sorted(table[four][tints[table[four]] == 0].tolist())


def _beside(extent: int, key: int) -> Iterator[int]:
    """The cells around: a row or a column misread by one, or a line followed one cell too far or too short."""
    row, column = divmod(key, extent)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if 0 <= row + down < extent and 0 <= column + right < extent:
                yield (row + down) * extent + column + right
