"""Clutter: small marks that follow no rule, where a wish asks for them.

In the corners it differs from panel to panel, but is the same in all four choices; on the rim there are always as many
marks, anywhere. So it can neither tell the right choice nor rule out a wrong one.
"""

from collections.abc import Callable, Iterable

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark, figure, line
from snellen.tasks.marvel.puzzle import PuzzleWish

Clutter = Callable[[], list[Mark]]
_CORNERS = ((22, 22), (158, 22), (158, 158), (22, 158))
_TICKS = ((5, 0), (0, 5), (4, 4), (4, -4))
_RIM = ((22, 58), (22, 122), (158, 58), (158, 122), (58, 22), (122, 22))


def corner_clutter(rng: Stream, wish: PuzzleWish) -> Clutter:
    """Draws what stands in the corners of a panel, anew at each call."""
    if not wish.clutter:
        return list
    if rng.chance():

        def ticks() -> list[Mark]:
            reaches = [(corner, rng.choice(_TICKS)) for corner in _CORNERS]
            return [line((x - dx, y - dy), (x + dx, y + dy)) for (x, y), (dx, dy) in reaches]

        return ticks
    kind = rng.choice(("circle", "square", "diamond"))
    return lambda: [figure(kind, corner, 5, rng.choice(("black", "white"))) for corner in _CORNERS]


def cluttered(
    extra: Clutter, context: Iterable[list[Mark]], choices: Iterable[list[Mark]]
) -> tuple[list[list[Mark]], list[list[Mark]]]:
    """The panels with clutter of their own, and the choices with what they share."""
    told = [marks + extra() for marks in context]
    shared = extra()
    return told, [marks + shared for marks in choices]


def rim_clutter(rng: Stream, wish: PuzzleWish, *, ticks: bool) -> list[Mark]:
    """Three tiny ticks or dots at the rim."""
    if not wish.clutter:
        return []
    spots = rng.sample(_RIM, 3)
    if ticks:
        return [line((x - 4, y), (x + 4, y)) for x, y in spots]
    return [figure("circle", spot, 4, "black") for spot in spots]
