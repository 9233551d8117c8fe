"""Boards that are the same but for the way one looks at them.

A board may be turned and mirrored in all ways that keep its shape: eight if it is square, else four. This holds for
every game. Where pieces fall a turned board is no legal position, but it is the same picture turned, with the same line
in it, and a model that has seen the one is not asked anything new with the other. The two players may change places,
too. All these views of a board are one **class**: training sets hold out whole classes, and an item's `cluster` names
its class.
"""

from functools import cache

from snellen.tasks.fixation.games import Shape, swapped

CellOrder = tuple[int, ...]
"""For each cell of the new board which cell of the old one it shows."""


@cache
def _orders(rows: int, columns: int) -> tuple[CellOrder, ...]:
    """The ways to turn and mirror a board that keep its shape."""
    down, right = range(rows), range(columns)
    upright = [
        tuple(r * columns + c for r in rs for c in cs) for rs in (down, down[::-1]) for cs in (right, right[::-1])
    ]
    if rows != columns:
        return tuple(upright)
    across = tuple(c * columns + r for r in down for c in right)
    return (*upright, *(tuple(order[cell] for cell in across) for order in upright))


def views(shape: Shape, cells: str) -> frozenset[str]:
    """The board in every way one may look at it, itself among them."""
    seen = ["".join(cells[cell] for cell in order) for order in _orders(shape.rows, shape.columns)]
    return frozenset((*seen, *map(swapped, seen)))


def canonical(shape: Shape, cells: str) -> str:
    """One name for all views of a board."""
    return min(views(shape, cells))
