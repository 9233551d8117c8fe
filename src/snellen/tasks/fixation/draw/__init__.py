"""Boards as pictures and as words."""

from snellen.tasks.fixation.draw.boards import GAMES, RENDERINGS, Board, draw, words

__all__ = ["GAMES", "RENDERINGS", "Board", "draw", "words"]
