"""Reads boards of bias, however they lie in the picture: which game, and how many rows and columns they have."""

import numpy as np

from support.pixels.looking import Mask, Pixels, near, pixels_of, runs

_SIDE = 900
"""The board is laid out straight, as large as this."""
_INKS = {"go-board": (72, 52, 30), "xiangqi": (96, 44, 28)}


def read_thing_board(data: bytes) -> tuple[str, int, int]:
    """The game, its rows and its columns: lines where a game is played on lines, else fields."""
    board = _straight(pixels_of(data))
    codes, shares = np.unique(board[::3, ::3] @ (1 << 16, 1 << 8, 1), return_counts=True)
    first, second = (np.array((code >> 16, code >> 8 & 255, code & 255)) for code in codes[np.argsort(shares)[:-3:-1]])
    if shares.max() < 0.5 * shares.sum():
        inner = board[_SIDE // 20 : -_SIDE // 20, _SIDE // 20 : -_SIDE // 20]
        light = np.abs(inner - first).sum(axis=2) < np.abs(inner - second).sum(axis=2)
        return "chess-board", _borders(light.T) + 1, _borders(light) + 1
    if near(first, (255, 255, 255)):
        lines = np.abs(board - 255).max(axis=2) > 60
        return "sudoku", _lines(lines.T, 0.8) - 1, _lines(lines, 0.8) - 1
    edge = _SIDE * 3 // 200  # of the frame, which may have an outline
    inked = {name: near(board, ink, 40)[edge:-edge, edge:-edge] for name, ink in _INKS.items()}
    pure = {name: int(near(board, ink, 8).sum()) for name, ink in _INKS.items()}
    game = max(pure, key=lambda name: pure[name])
    return game, _lines(inked[game].T, 0.7), _lines(inked[game], 0.7)


def _lines(inked: Mask, share: float) -> int:
    """How many upright lines there are: where most of a column is inked, here or one pixel beside."""
    wide = inked | np.roll(inked, 1, axis=1) | np.roll(inked, -1, axis=1)
    return len(runs(wide.mean(axis=0) >= share))


def _borders(light: Mask) -> int:
    """How often nearly all rows change from light to dark or back."""
    return len(runs((light[:, 6:] != light[:, :-6]).mean(axis=0) > 0.8))


def _straight(pixels: Pixels) -> Pixels:
    """The board by itself, its four corners in the corners of the picture."""
    thing = ~near(pixels, pixels[0, 0], 10)
    left, right = _edge(thing.T), _edge(thing.T[::-1])
    top, bottom = _edge(thing), _edge(thing[::-1])
    high, wide = thing.shape
    right, bottom = (-right[0], wide - 1 - right[1]), (-bottom[0], high - 1 - bottom[1])
    corners = [[_crossing(level, upright) for upright in (left, right)] for level in (top, bottom)]
    share = (np.arange(_SIDE) + 0.5) / _SIDE
    down, across = share[:, None, None], share[None, :, None]
    (nw, ne), (sw, se) = np.array(corners)
    places = nw * (1 - down) * (1 - across) + ne * (1 - down) * across + sw * down * (1 - across) + se * down * across
    x, y = np.clip(np.rint(places), 0, np.array((wide - 1, high - 1))).astype(int).transpose(2, 0, 1)
    return pixels[y, x]


def _edge(thing: Mask) -> tuple[float, float]:
    """The upper edge of a thing as a line: slope and height. What sticks out of it or is cut off does not count."""
    columns = np.flatnonzero(thing.sum(axis=0) > len(thing) // 4)
    columns = columns[len(columns) // 12 : -len(columns) // 12]
    heights = thing[:, columns].argmax(axis=0)
    for _ in range(4):
        slope, height = np.polyfit(columns, heights, 1)
        off = np.abs(heights - slope * columns - height)
        kept = off <= max(1.0, float(np.median(off)) * 2)
        columns, heights = columns[kept], heights[kept]
    return float(slope), float(height)


def _crossing(level: tuple[float, float], upright: tuple[float, float]) -> tuple[float, float]:
    """Where y = ax + b and x = cy + d meet."""
    (a, b), (c, d) = level, upright
    x = (c * b + d) / (1 - a * c)
    return x, a * x + b
