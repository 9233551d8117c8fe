"""Random legal play to the end of a game, on boards kept as bits (cell number = bit number).

`choose(n)` picks one of n legal moves, listed row by row; whoever calls decides where the randomness comes from.
The side to move is called side 0; it becomes player 1 or 2 only when the board is written down.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from snellen.tasks.fixation.games import BoardShape, Line, lines

Choose = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Final:
    """A finished game: the cells of the side that moved first, of the other side, and the moves in order."""

    first: int
    second: int
    moves: tuple[int, ...]

    def cells(self, shape: BoardShape, first: int = 1) -> str:
        """The board in digits, with the side that moved first as that player."""
        first_digit, second_digit = ("1", "2") if first == 1 else ("2", "1")
        return "".join(
            first_digit if self.first >> cell & 1 else second_digit if self.second >> cell & 1 else "0"
            for cell in range(shape.area)
        )


@cache
def _lines_as_bits(shape: BoardShape) -> dict[Line, int]:
    return {line: sum(1 << cell for cell in line) for line in lines(shape)}


@cache
def _masks_through(shape: BoardShape) -> tuple[tuple[int, ...], ...]:
    """For each cell, the lines through it as bits."""
    masks = _lines_as_bits(shape).items()
    return tuple(tuple(mask for line, mask in masks if cell in line) for cell in range(shape.area))


def lines_held(shape: BoardShape, held: int) -> list[Line]:
    """The lines whose cells are all among these."""
    return [line for line, mask in _lines_as_bits(shape).items() if held & mask == mask]


def play_lines(shape: BoardShape, choose: Choose, *, falling: bool) -> Final:
    """Play until somebody has a line or the board is full. `falling`: a piece drops to the foot of its column."""
    through = _masks_through(shape)
    columns, area = shape.columns, shape.area
    own = other = 0
    moves: list[int] = []
    # Where a piece may go: any cell, or the lowest free cell of each column.
    free = list(range(area - columns, area)) if falling else list(range(area))
    has_won = False
    while free and not has_won:
        at = choose(len(free))
        cell = free[at]
        if falling and cell >= columns:
            free[at] = cell - columns
        else:
            del free[at]
        moves.append(cell)
        own, other = other, own | 1 << cell  # whoever moved is `other` to the next
        for mask in through[cell]:
            if other & mask == mask:
                has_won = True
    first, second = (own, other) if len(moves) % 2 == 0 else (other, own)
    return Final(first, second, tuple(moves))


@cache
def _directions(shape: BoardShape) -> tuple[tuple[int, int, int, tuple[int, ...]], ...]:
    """For each of the eight directions: its shift in bits, to the left or the right, the cells a step may come from,
    and for each number of cells in a row their bits, from the lowest cell on."""
    directions = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                sources = sum(
                    1 << (r * shape.columns + c)
                    for r in range(shape.rows)
                    for c in range(shape.columns)
                    if 0 <= r + down < shape.rows and 0 <= c + right < shape.columns
                )
                shift = down * shape.columns + right
                rows = accumulate((1 << k * abs(shift) for k in range(max(shape.rows, shape.columns))), initial=0)
                directions.append((max(shift, 0), max(-shift, 0), sources, tuple(rows)))
    return tuple(directions)


def _flips(shape: BoardShape, own: int, other: int) -> dict[int, int]:
    """Every legal move with the discs it would turn, in row order."""
    taken = own | other
    flips: dict[int, int] = {}
    for left, right, sources, trails in _directions(shape):
        # Grow runs of the other's discs outward from all own discs at once; length by length, so that where a run
        # ends on an empty cell its discs are known by walking back. One of the shifts is 0.
        run = (own & sources) << left >> right & other
        steps = 1
        while run:
            ends = (run & sources) << left >> right
            landing = ends & ~taken
            while landing:
                low = landing & -landing
                landing ^= low
                flips[low] = flips.get(low, 0) | (low << right >> steps * left) * trails[steps]
            run = ends & other
            steps += 1
    return dict(sorted(flips.items()))


def reversi_start(shape: BoardShape) -> tuple[int, int]:
    """The discs at the start: side 0 on the rising diagonal of the middle block (left and up of it on odd boards)."""
    row, column = (shape.rows - 2) // 2, (shape.columns - 2) // 2
    corner = row * shape.columns + column
    first = 1 << (corner + 1) | 1 << (corner + shape.columns)
    second = 1 << corner | 1 << (corner + shape.columns + 1)
    return first, second


def play_reversi(shape: BoardShape, choose: Choose) -> Final:
    """Play until neither side can move. A side without a move passes."""
    own, other = reversi_start(shape)
    full = (1 << shape.area) - 1
    moves: list[int] = []
    turn = passes = 0
    while passes < 2 and own | other != full:
        legal = _flips(shape, own, other)
        if legal:
            move = list(legal)[choose(len(legal))]
            turned = legal[move]
            own, other = own | move | turned, other & ~turned
            moves.append(move.bit_length() - 1)
        passes = 0 if legal else passes + 1
        own, other, turn = other, own, 1 - turn
    first, second = (own, other) if turn == 0 else (other, own)
    return Final(first, second, tuple(moves))
