"""Boards of four games: the picture and its twin in characters, both from one description."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.draw.letters import stroke
from snellen.draw.looks import Colour
from snellen.draw.png import encode
from snellen.errors import unknown
from snellen.item import Picture
from snellen.tasks.fixation.draw.looks import LOOKS, BoardDisc
from snellen.tasks.fixation.draw.sprites import FINE, BoardGeometry, Pixels, ground, letter_size, paints, tiles

GAMES = tuple(LOOKS)
RENDERINGS = ("base", "checkerboard", "glyph")

_TITLES = {
    "tictactoe": "Tic-tac-toe",
    "reversi": "Reversi",
    "connect4": "Connect Four",
    "dots_boxes": "Dots and Boxes",
}


@dataclass(frozen=True, slots=True)
class Board:
    """A board. `cells` are row-major digits: 0 empty, 1 first player, 2 second player.

    `labels` are what the players are called: ("X", "O"), ("Black", "White") or two letters. Where a player shows as
    a letter, in the picture or in words, it is the label's first.
    """

    game: str
    rows: int
    columns: int
    cells: str
    labels: tuple[str, str]

    def __post_init__(self) -> None:
        if self.game not in LOOKS:
            raise unknown("game", self.game, LOOKS)
        if self.rows < 1 or self.columns < 1 or len(self.cells) != self.rows * self.columns:
            raise ValueError(f"{len(self.cells)} cells do not make {self.rows} x {self.columns}")
        if set(self.cells) - set("012"):
            raise ValueError(f"cells must be digits 0, 1 and 2, not {self.cells!r}")
        if len(set(self.letters)) < 2 or not all(letter.strip() for letter in self.letters):
            raise ValueError(f"labels must begin with two different letters, not {self.labels!r}")

    @property
    def letters(self) -> tuple[str, str]:
        one, other = self.labels
        return one[:1], other[:1]


@lru_cache(maxsize=1024)
def draw(board: Board, rendering: str) -> Picture:
    """The board's picture in a rendering: base, checkerboard or glyph (letters in place of discs)."""
    alt = f"{_TITLES[board.game]} board, {board.rows} x {board.columns}, players {' and '.join(board.labels)}"
    return Picture(encode(*painted(board, rendering)), "image/png", alt)


def painted(board: Board, rendering: str) -> tuple[Pixels, Pixels]:
    """The picture's pixels as numbers of colours, and the colours."""
    plan = plan_of(board, rendering)
    cells = np.frombuffer(board.cells.encode(), np.uint8).reshape(board.rows, board.columns) - ord("0")
    if plan.look.shades[0] != plan.look.shades[1]:
        cells = cells + 3 * (np.add.outer(np.arange(board.rows), np.arange(board.columns)) % 2)
    pixels = ground(plan).copy()
    plan.cells(pixels)[:] = tiles(plan, board.letters)[cells]
    return pixels, paints(plan.look).palette


def plan_of(board: Board, rendering: str) -> BoardGeometry:
    """The geometry of the board in a rendering."""
    looks = LOOKS[board.game]
    if rendering not in looks:
        raise unknown("rendering", rendering, looks)
    return BoardGeometry(looks[rendering], board.rows, board.columns)


def finest(board: Board, rendering: str) -> tuple[str, float, tuple[tuple[Colour, Colour], ...], int]:
    """The finest that must be seen of a board: what it is, how many pixels wide, the pairs of colours that must be told
    apart, and the longer side of the picture."""
    plan = plan_of(board, rendering)
    piece, side = plan.look.piece, max(plan.shape)
    if isinstance(piece, BoardDisc):
        _, one, other = piece.fills
        return "discs", 2 * piece.radius * plan.pitch / 100, ((one, other),), side
    sizes = [letter_size(plan, piece, board.letters, player) / FINE for player in (1, 2)]
    return "strokes of letters", stroke(min(sizes)), tuple(zip(plan.look.shades, piece.inks, strict=True)), side


def words(board: Board) -> str:
    """The board in characters: the exact twin of its picture."""
    names = (" ", *board.letters)
    cells = [names[int(digit)] for digit in board.cells]
    rows = [cells[start : start + board.columns] for start in range(0, len(cells), board.columns)]
    if board.game in ("tictactoe", "connect4"):
        rule = "\n" + "┼".join(["───"] * board.columns) + "\n"
        return rule.join("│".join(f" {cell} " for cell in row) for row in rows)
    lines = ["│" + "│".join(f" {cell} " for cell in row) + "│" for row in rows]
    if board.game == "dots_boxes":
        top = middle = bottom = _edge("•", "•", "•", board.columns)
    else:
        corners = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
        top, middle, bottom = (_edge(*three, board.columns) for three in corners)
    return "\n".join((top, f"\n{middle}\n".join(lines), bottom))


def _edge(left: str, between: str, right: str, columns: int) -> str:
    return left + between.join(["───"] * columns) + right
