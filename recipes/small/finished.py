"""Boards that are shown: finished ones, and some that are filled at random."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from recipes.small.labels import EMPTY, board_look, looks, things
from recipes.small.looking import coloured
from recipes.small.sheets import PATCHES, Said, Sheet
from recipes.tiny.boards import HELD_OUT, boards, held_out
from snellen.item import Item
from snellen.rng import Stream
from snellen.tasks.fixation import TASK
from snellen.tasks.fixation.draw.boards import Board, painted, plan_of
from snellen.tasks.fixation.fresh import GLYPHS
from snellen.tasks.fixation.games import GAMES, Game

_EXAMINED = 100
_UNFINISHED = 0.25
_OFTEN_BASE = ("base",) * 6 + ("checkerboard", "glyph")


@dataclass(frozen=True, slots=True)
class Finished:
    """A board, and what is known of it. Without an item nobody has won, and it is only to be looked at."""

    game: Game
    board: Board
    rendering: str
    item: Item | None = None

    @property
    def holder(self) -> int:
        """Which of the labels has the line or more pieces."""
        return int(self.item.truth["winner"]) - 1 if self.item else -1

    @property
    def length(self) -> int:
        return self.game.shape("small").length

    def held(self, digit: str) -> str:
        return ("nothing", *self.board.labels)[int(digit)]


def some_board(rng: Stream, seed: int, number: int) -> Finished:
    game = rng.choice(tuple(GAMES.values()))
    rendering = rng.choice(_OFTEN_BASE)
    if rng.chance(_UNFINISHED):
        return _at_random(game, rendering, rng)
    return of_item(board_item(game, seed, number), rendering)


def board_item(game: Game, seed: int, number: int) -> Item:
    """A finished board to learn from; of a held-out seed, one that its exam asks about."""
    if seed not in HELD_OUT:
        return next(boards(game, seed, number, number + 1))
    examined = _examined(game.name, seed)
    return examined[number % len(examined)]


@cache
def _examined(name: str, seed: int) -> tuple[Item, ...]:
    return tuple(TASK.items({"game": (name,), "states": ("fresh",), "size": ("small",)}, _EXAMINED, seed))


def of_item(item: Item, rendering: str) -> Finished:
    truth, game = item.truth, GAMES[item.levels["game"]]
    one, other = truth["glyphs"] if rendering == "glyph" else truth["players"]
    board = Board(game.name, truth["rows"], truth["columns"], truth["cells"], (one, other))
    return Finished(game, board, rendering, item)


def _at_random(game: Game, rendering: str, rng: Stream) -> Finished:
    """Any filling at all, so that no place can be told from the others."""
    shape = game.shape("small")
    while True:
        empty = 0.0 if game.name == "dots_boxes" else rng.between(0, 0.6)
        first = rng.between(0.3, 0.7)
        cells = "".join("0" if rng.chance(empty) else "1" if rng.chance(first) else "2" for _ in range(shape.area))
        if not held_out(game, cells):
            break
    one, other = rng.sample(GLYPHS, 2) if rendering == "glyph" else game.labels
    return Finished(game, Board(game.name, shape.rows, shape.columns, cells, (one, other)), rendering)


def sheet_of(shown: Finished, said: tuple[Said, ...]) -> Sheet:
    look = looks()[board_look(shown.game.name, shown.rendering)]
    return Sheet(
        (coloured(*painted(shown.board, shown.rendering)),),
        said,
        _things_at(shown),
        np.full((PATCHES, PATCHES), look, np.int16),
    )


def _things_at(shown: Finished) -> NDArray[np.int16]:
    """What the place holds in which the middle of each patch lies; outside of the board nothing."""
    plan, board = plan_of(shown.board, shown.rendering), shown.board
    numbers = things()
    held = np.array([numbers[name] for name in (EMPTY, *board.labels)], np.int16)
    cells = np.zeros((board.rows + 2, board.columns + 2), np.int16)  # with an edge of nothing around
    digits = np.frombuffer(board.cells.encode(), np.uint8).reshape(board.rows, board.columns) - ord("0")
    cells[1:-1, 1:-1] = held[digits]
    across, down = (_places(side, plan.look.margin, plan.pitch) for side in reversed(plan.shape))
    rows, columns = np.clip(down, 0, board.rows + 1), np.clip(across, 0, board.columns + 1)
    return cells[np.ix_(rows, columns)]


def _places(side: int, margin: int, pitch: int) -> NDArray[np.int64]:
    middles = (np.arange(PATCHES) + 0.5) * side / PATCHES
    return np.floor((middles - margin) / pitch).astype(np.int64) + 1
