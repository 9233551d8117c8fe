"""Pictures and their twins, from one description."""

from snellen.draw.boards import GAMES, RENDERINGS, Board, draw, words

__all__ = ["GAMES", "RENDERINGS", "Board", "draw", "words"]
