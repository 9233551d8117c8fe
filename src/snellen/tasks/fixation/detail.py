"""The finest thing that must be seen of a board: its discs, or the strokes of its letters."""

from collections.abc import Mapping

from snellen.tasks.detail import Detail, weber
from snellen.tasks.fixation.draw.boards import RENDERINGS, Board, finest
from snellen.tasks.fixation.games import GAMES, SIZES


def detail(levels: Mapping[str, str]) -> Detail | None:
    """The detail of boards at these levels; None for boards in characters."""
    game, size = GAMES.get(levels.get("game", "")), levels.get("size", SIZES[0])
    rendering = levels.get("rendering", RENDERINGS[0])
    if game is None or size not in SIZES or rendering not in RENDERINGS or levels.get("modality") == "text":
        return None
    shape = game.shape(size)
    empty = Board(game.name, shape.rows, shape.columns, "0" * shape.area, game.labels)
    what, px, pairs, side = finest(empty, rendering)
    return Detail(what, px, min(weber(*pair) for pair in pairs), side)
