"""Random legal play to the end of a game, on boards kept as bits (cell number = bit number).

`choose(n)` picks one of n legal moves, listed row by row; whoever calls decides where the randomness comes from.
The side to move is called side 0; it becomes player 1 or 2 only when the board is written down.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from snellen.tasks.fixation.games import BoardShape, lines

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
def _masks_through(shape: BoardShape) -> tuple[tuple[int, ...], ...]:
    """For each cell, the lines through it as bits."""
    masks: list[list[int]] = [[] for _ in range(shape.area)]
    for line in lines(shape):
        for cell in line:
            masks[cell].append(sum(1 << c for c in line))
    return tuple(map(tuple, masks))


def play_lines(shape: BoardShape, choose: Choose, *, falling: bool) -> Final:
    """Play until somebody has a line or the board is full. `falling`: a piece drops to the foot of its column."""
    through = _masks_through(shape)
    held = [0, 0]
    moves: list[int] = []
    # Where a piece may go: any cell, or the lowest free cell of each column.
    free = list(range(shape.area - shape.columns, shape.area)) if falling else list(range(shape.area))
    while free:
        at = choose(len(free))
        cell = free[at]
        if falling and cell >= shape.columns:
            free[at] = cell - shape.columns
        else:
            del free[at]
        side = len(moves) % 2
        held[side] |= 1 << cell
        moves.append(cell)
        if any(held[side] & mask == mask for mask in through[cell]):
            break
    return Final(held[0], held[1], tuple(moves))


@cache
def _directions(shape: BoardShape) -> tuple[tuple[int, int], ...]:
    """For each of the eight directions the shift in bits and the cells a step may come from."""
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
                directions.append((down * shape.columns + right, sources))
    return tuple(directions)


def _flips(shape: BoardShape, own: int, other: int) -> dict[int, int]:
    """Every legal move with the discs it would turn, in row order."""
    empty = ~(own | other)
    flips: dict[int, int] = {}
    for shift, sources in _directions(shape):
        # Grow runs of the other's discs outward from all own discs at once; length by length, so that where a run
        # ends on an empty cell its discs are known by walking back.
        run = _step(own & sources, shift) & other
        steps = 1
        while run:
            ends = _step(run & sources, shift)
            landing = ends & empty
            while landing:
                low = landing & -landing
                landing ^= low
                flips[low] = flips.get(low, 0) | _trail(low, shift, steps)
            run = ends & other
            steps += 1
    return dict(sorted(flips.items()))


def _step(bits: int, shift: int) -> int:
    return bits << shift if shift > 0 else bits >> -shift


def _trail(end: int, shift: int, steps: int) -> int:
    """The bits of the cells `steps` back from an end."""
    trail = 0
    for _ in range(steps):
        end = _step(end, -shift)
        trail |= end
    return trail


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
