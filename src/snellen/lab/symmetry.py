"""Boards that are the same but for the way one looks at them.

A square board may be turned and mirrored in eight ways. Pieces that fall know up from down, so there only left and
right may be exchanged. The two players may change places in every game. A model that has seen one of these boards has
seen them all, as far as leaks go.
"""

from functools import cache

from snellen.tasks.fixation.games import Game, Shape, swapped

FALLING = ("connect4",)

Order = tuple[int, ...]
"""For each cell of the new board which cell of the old one it shows."""


@cache
def _orders(shape: Shape, falling: bool) -> tuple[Order, ...]:
    rows, columns = range(shape.rows), range(shape.columns)
    plain = tuple(range(shape.area))
    mirrored = tuple(r * shape.columns + c for r in rows for c in reversed(columns))
    if falling or shape.rows != shape.columns:
        return plain, mirrored
    turned = tuple(c * shape.columns + r for r in rows for c in reversed(columns))
    orders = [plain, mirrored]
    for _ in range(3):
        orders += [tuple(order[cell] for cell in turned) for order in orders[-2:]]
    return tuple(orders)


def views(game: Game, shape: Shape, cells: str) -> frozenset[str]:
    """The board in every way one may look at it, itself among them."""
    seen = ["".join(cells[cell] for cell in order) for order in _orders(shape, game.name in FALLING)]
    return frozenset((*seen, *map(swapped, seen)))


def canonical(game: Game, shape: Shape, cells: str) -> str:
    """One name for all views of a board."""
    return min(views(game, shape, cells))
