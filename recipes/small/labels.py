"""What the helper loss asks of every patch: what is there, and what it looks like. 0 is nothing."""

from functools import cache
from string import ascii_uppercase

from snellen.draw.icons import icons
from snellen.draw.scenes import BACKGROUNDS, TILES
from snellen.tasks.fixation.draw.boards import GAMES, RENDERINGS

EMPTY = "an empty place"
_SIDES = ("Black", "White", "Red", "Yellow")
DARK, LIGHT = "a dark letter", "a light letter"


@cache
def things() -> dict[str, int]:
    """Numbers of all that can be at a place: things of scenes, letters, pieces."""
    names = (*(icon.name for icon in icons()), *ascii_uppercase, *_SIDES, EMPTY)
    return {name: number for number, name in enumerate(names, 1)}


@cache
def looks() -> dict[str, int]:
    """Numbers of colours, and of the games in all their renderings."""
    boards = (board_look(game, rendering) for game in GAMES for rendering in RENDERINGS)
    names = (*BACKGROUNDS, *TILES, *boards, DARK, LIGHT)
    return {name: number for number, name in enumerate(names, 1)}


def board_look(game: str, rendering: str) -> str:
    return f"{game} {rendering}"
