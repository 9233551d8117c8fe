"""Thinking of a position in which exactly one move wins fastest.

The winning cell is drawn first, anywhere on the board, and kept through several attempts, so that few cells are
favoured. Around it goes what makes it win; then lines that tempt (of the opponent, of both sides mixed, blocked ones),
then pieces here and there, each kept only if the winning move stays the only one.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from snellen.rng import Stream
from snellen.tasks.capacity.kinds.gomoku_search import (
    DIRECTIONS,
    EMPTY,
    FIVE,
    MOVER,
    OTHER,
    Board,
    best,
    has_won,
    windows,
    wins_now,
)

Pattern = Mapping[int, int]
"""What is to be in some cells; EMPTY for those that must stay so."""

_ATTEMPTS = 8


def think_of(rng: Stream, extent: int, depth: int) -> tuple[Board, int]:
    """A position that the side to move wins with its first (depth 1) or second piece, and the one cell to play."""
    while True:
        key = rng.below(extent**2)
        for _ in range(_ATTEMPTS):
            board = _attempt(rng, extent, depth, key)
            if board is not None:
                return board, key


class _Draft:
    """A position in the making, with the cells that must stay empty."""

    def __init__(self, extent: int, depth: int, key: int) -> None:
        self.extent, self.depth, self.key = extent, depth, key
        self.board: Board = np.zeros(extent**2, np.int8)
        self.kept = {key}

    def put(self, pattern: Pattern) -> bool:
        """Put pieces down if their cells are free, and take them back if the position would not be right with them."""
        pieces = {cell: side for cell, side in pattern.items() if side != EMPTY}
        fresh = [cell for cell in pieces if self.board[cell] == EMPTY]
        bare = [cell for cell in pattern if cell not in pieces]
        clash = any(self.board[cell] not in (EMPTY, side) or cell in self.kept for cell, side in pieces.items())
        if clash or any(self.board[cell] != EMPTY for cell in bare):
            return False
        for cell in fresh:
            self.board[cell] = pieces[cell]
        if self.right():
            return True
        self.board[fresh] = EMPTY
        return False

    def right(self) -> bool:
        """Whether the winning move is the only one, and nobody has won. The opponent may threaten five in one cell,
        but only if the win comes first."""
        if best(self.board, self.extent, MOVER) != (self.depth, {self.key}):
            return False
        threats = len(wins_now(self.board, self.extent, OTHER))
        return threats <= 2 - self.depth and not any(has_won(self.board, self.extent, side) for side in (MOVER, OTHER))

    def count(self, side: int) -> int:
        return int((self.board == side).sum())


def _attempt(rng: Stream, extent: int, depth: int, key: int) -> Board | None:
    draft = _Draft(extent, depth, key)
    motif = _four(rng, extent, key) if depth == 1 else _double(rng, extent, key)
    if motif is None or not draft.put(motif):
        return None
    draft.kept |= {cell for cell, side in motif.items() if side == EMPTY}
    _tempt(rng, draft)
    lead = rng.below(2)
    wanted = extent**2 * (15 + rng.below(6)) // 100
    return draft.board if _fill(rng, draft, (wanted - lead, wanted)) else None


# What wins


def _line(extent: int, cell: int, direction: tuple[int, int], steps: range) -> list[int] | None:
    """The cells so many steps from a cell along a direction; nothing if one is off the board."""
    row, column = divmod(cell, extent)
    places = [(row + step * direction[0], column + step * direction[1]) for step in steps]
    if all(0 <= r < extent and 0 <= c < extent for r, c in places):
        return [r * extent + c for r, c in places]
    return None


def _four(rng: Stream, extent: int, key: int) -> Pattern | None:
    """Four in a window of which the key is the fifth."""
    begin = -rng.below(FIVE)
    cells = _line(extent, key, rng.choice(DIRECTIONS), range(begin, begin + FIVE))
    return {cell: MOVER for cell in cells if cell != key} | {key: EMPTY} if cells else None


def _double(rng: Stream, extent: int, key: int) -> Pattern | None:
    """Threes that the key turns into two threats at once: in one line, or in two that cross there."""
    return _open_four(rng, extent, key, MOVER) if rng.chance() else _crossing(rng, extent, key)


def _open_four(rng: Stream, extent: int, key: int, side: int) -> Pattern | None:
    """Three of four neighbouring cells, the key being the fourth, with both ends open."""
    begin, direction = -rng.below(4), rng.choice(DIRECTIONS)
    cells = _line(extent, key, direction, range(begin - 1, begin + 5))
    if cells is None:
        return None
    pattern = dict.fromkeys(cells[1:5], side) | {cells[0]: EMPTY, key: EMPTY, cells[5]: EMPTY}
    beyond = {0: range(begin + 5, begin + 6), -3: range(begin - 2, begin - 1)}.get(begin)
    stop = _line(extent, key, direction, beyond) if beyond else None
    if stop:  # else the three could be made longer at its other end just as well
        pattern[stop[0]] = MOVER + OTHER - side
    return pattern


def _crossing(rng: Stream, extent: int, key: int) -> Pattern | None:
    """Three in each of two windows that meet in the key."""
    pattern: dict[int, int] = {key: EMPTY}
    for direction in rng.sample(DIRECTIONS, 2):
        begin = -rng.below(FIVE)
        cells = _line(extent, key, direction, range(begin, begin + FIVE))
        if cells is None:
            return None
        others = [cell for cell in cells if cell != key]
        pattern |= dict.fromkeys(others, MOVER) | {rng.choice(others): EMPTY}
    return pattern


# What tempts, and the rest


def _tempt(rng: Stream, draft: _Draft) -> None:
    """A line of the opponent that asks to be blocked, lines of both sides mixed, a blocked four of the mover."""
    if rng.chance(0.7):
        for pattern in _tries(rng, draft, 8):
            cells = list(pattern)
            other = (
                dict.fromkeys(cells, OTHER) | {rng.choice(cells): EMPTY}
                if draft.depth == 1
                else _open_four(rng, draft.extent, rng.choice(cells), OTHER)
            )
            if other and draft.put(other):
                break
    for hold in ((MOVER, OTHER, OTHER, MOVER, EMPTY), (MOVER, MOVER, OTHER, MOVER, EMPTY), 4 * (MOVER,) + (OTHER,)):
        for pattern in _tries(rng, draft, 6):
            sides = list(hold)
            rng.shuffle(sides)
            if draft.put(dict(zip(pattern, sides, strict=True))):
                break


def _tries(rng: Stream, draft: _Draft, many: int) -> Iterator[list[int]]:
    """Windows anywhere."""
    table = windows(draft.extent)
    for _ in range(many):
        yield table[rng.below(len(table))].tolist()


def _fill(rng: Stream, draft: _Draft, wanted: tuple[int, int]) -> bool:
    """Pieces here and there, mostly near others, until both sides have as many as wanted."""
    for _ in range(8 * sum(wanted)):
        short = [many - draft.count(side) for side, many in zip((MOVER, OTHER), wanted, strict=True)]
        if min(short) < 0:
            return False
        if max(short) == 0:
            return True
        side = MOVER if short[0] > short[1] else OTHER
        cell = rng.below(draft.extent**2)
        if draft.board[cell] == EMPTY and (_near(draft, cell) or rng.chance(0.15)):
            draft.put({cell: side})
    return False


def _near(draft: _Draft, cell: int) -> bool:
    row, column = divmod(cell, draft.extent)
    grid = draft.board.reshape(draft.extent, draft.extent)
    return bool(grid[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].any())
