"""Gomoku variation: five in a row where the kind of a piece, not its colour, tells whose it is. Which move wins?

In half the items one move makes five at once, in the other half one move makes five next time unstoppable; a search
over all moves proves that it is the only one.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from snellen.item import Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.draw.gomoku import MIXED, PLAIN, THEMES, Position, Stone, draw, name, words
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.gomoku_making import think_of
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

_EXTENTS = {"standard": (11, 13), "small": (9,), "large": (15,)}
_ALIKE = 2
"""So many lines of pieces of both sides are given one colour, if there are any."""


def make(rng: Stream, size: str, index: int) -> Truth:
    """Depth, the side to move and the sets of pieces go round with the index; all else is drawn."""
    extent = rng.choice(_EXTENTS[size])
    depth, mover = 1 + index % 2, (MIXED, PLAIN)[index // 2 % 2]
    theme = list(THEMES)[index // 4 % len(THEMES)]
    board, key = think_of(rng, extent, depth)
    position = _dressed(rng, board, extent, theme, mover, key)
    return {
        "size": size,
        "extent": extent,
        "theme": theme,
        "mover": mover,
        "depth": depth,
        "board": _rows(position),
        "key": name(divmod(key, extent)),
        "difficulty": 100 * depth + len(position.pieces),
    }


def _dressed(rng: Stream, board: Board, extent: int, theme: str, mover: str, key: int) -> Position:
    """Every piece gets a look and a colour. Some lines of both sides have one colour, the winning ones have two."""
    stones = THEMES[theme]
    colours = {cell: rng.choice(list(stones.colours)) for cell in np.flatnonzero(board).tolist()}
    table = windows(extent)
    held = board[table]
    mixed = ((held == EMPTY).sum(axis=1) == 1) & (held == MOVER).any(axis=1) & (held == OTHER).any(axis=1)
    lines = table[mixed & ~(table == key).any(axis=1)].tolist()
    rng.shuffle(lines)
    for line in lines[:_ALIKE]:
        colours |= dict.fromkeys((cell for cell in line if cell in colours), rng.choice(list(stones.colours)))
    for line in table[(table == key).any(axis=1) & ((held == MOVER).sum(axis=1) > 2)].tolist():
        own = [cell for cell in line if board[cell] == MOVER]
        if len({colours[cell] for cell in own}) == 1:
            colours[rng.choice(own)] = next(colour for colour in stones.colours if colour != colours[own[0]])
    side_of = {MOVER: mover, OTHER: PLAIN if mover == MIXED else MIXED}
    looks = {
        cell: rng.choice(stones.in_colour(colour)) if side_of[int(board[cell])] == MIXED else "o"
        for cell, colour in colours.items()
    }
    pieces = {divmod(cell, extent): Stone(looks[cell], colour) for cell, colour in colours.items()}
    return Position(extent, theme, pieces)


def _rows(position: Position) -> list[str]:
    """The rows from the top, each piece as the letters of its look and its colour."""
    span = range(position.extent)
    cells = [[position.pieces.get((row, column)) for column in span] for row in reversed(span)]
    return [" ".join(piece.look + piece.colour if piece else "." for piece in row) for row in cells]


def read(truth: Truth) -> Position:
    """The position of a truth."""
    rows = [row.split() for row in reversed(truth["board"])]
    pieces = {
        (row, column): Stone(held[0], held[1])
        for row, cells in enumerate(rows)
        for column, held in enumerate(cells)
        if held != "."
    }
    return Position(truth["extent"], truth["theme"], pieces)


def board_of(position: Position, mover: str) -> Board:
    """The position as the search has it."""
    board: Board = np.zeros(position.extent**2, np.int8)
    for (row, column), piece in position.pieces.items():
        board[row * position.extent + column] = MOVER if piece.side == mover else OTHER
    return board


def show(truth: Truth) -> tuple[Picture, ...]:
    return (draw(read(truth)),)


def ask(truth: Truth) -> KindQuestion:
    position, theme = read(truth), THEMES[truth["theme"]]
    cells = tuple(name((row, column)) for row in range(position.extent) for column in range(position.extent))
    sides = {MIXED: theme.mixed, PLAIN: theme.plain}
    values = {
        "extent": str(position.extent),
        "mixed": theme.mixed,
        "looks": ", ".join(look for look, _ in theme.looks.values()),
        "plain": theme.plain,
        "mover": sides[truth["mover"]],
        "other": sides[PLAIN if truth["mover"] == MIXED else MIXED],
    }
    colours = {row * position.extent + column: piece.colour for (row, column), piece in position.pieces.items()}
    key = cells.index(truth["key"])
    betrayed = _mechanisms(board_of(position, truth["mover"]), position.extent, key, colours)
    named = {cells[cell]: mechanism for cell, mechanism in sorted(betrayed.items())}
    return KindQuestion(Form("choice", cells, asked="move"), truth["key"], values, named, twin=words(position))


def _mechanisms(board: Board, extent: int, key: int, colours: Mapping[int, str]) -> dict[int, str]:
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


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    position = read(truth)
    extent, pieces = position.extent, position.pieces
    empty = [(row, column) for row in range(extent) for column in range(extent) if (row, column) not in pieces]
    middle = tuple(sum(cell[axis] for cell in pieces) // len(pieces) for axis in (0, 1))

    def crowd(cell: tuple[int, int]) -> int:
        row, column = cell
        return sum((row + down, column + right) in pieces for down in (-1, 0, 1) for right in (-1, 0, 1))

    return {
        "mover": truth["mover"],
        "theme": truth["theme"],
        "extent": extent,
        "pieces": len(pieces),
        "most crowded empty cell": name(max(empty, key=crowd)),
        "most central empty cell": name(
            min(empty, key=lambda cell: abs(cell[0] * 2 - extent + 1) + abs(cell[1] * 2 - extent + 1))
        ),
        "middle of the pieces": name((middle[0], middle[1])),
    }


KIND = CapacityKind("gomoku", 122, make, show, ask, sizes=tuple(_EXTENTS), observe=observe)
