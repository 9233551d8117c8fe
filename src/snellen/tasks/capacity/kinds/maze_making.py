"""Thinking of a maze: corridors, loops, two openings with one shortest route between them, digits on and off it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from snellen.rng import Stream
from snellen.tasks.capacity.draw.mazes import SIDES, Cell, Maze
from snellen.tasks.capacity.kinds.maze_routes import Doors, detours, doors, shortest

DIGITS = tuple(range(1, 10))
FEWEST, MOST = 3, 6
"""Digits on the shortest route."""
_NEWEST = 0.75
"""How often a corridor goes on from its end; otherwise a side corridor begins anywhere."""
_OPENED = 0.4
"""Of the dead ends, so many are opened into a loop."""


@dataclass(frozen=True, slots=True)
class SolvedMaze:
    """A maze with its shortest route and the other routes one might take for it, shortest first."""

    maze: Maze
    route: tuple[Cell, ...]
    others: tuple[tuple[Cell, ...], ...]


def think_of(rng: Stream, extent: int, on_route: int) -> SolvedMaze:
    """A maze of this extent with so many digits on its shortest route, which is the only one of its length."""
    while True:
        bare = _bare(rng, extent)
        ways = doors(bare)
        start, end = (bare.at(opening) for opening in bare.openings)
        route, many = shortest(ways, start, end)
        if many != 1 or not 9 * extent // 5 <= len(route) <= 5 * extent:
            continue
        others = detours(ways, route)
        if len(others) < 3:
            continue
        digits = _placed(rng, ways, route, others, on_route)
        if digits and _tells(digits, route, others[0]):
            return SolvedMaze(replace(bare, digits=digits), tuple(route), tuple(tuple(other) for other in others))


def _tells(digits: dict[Cell, int], route: Sequence[Cell], other: Sequence[Cell]) -> bool:
    """Whether the second-shortest route gives another answer."""
    return digits.keys() & set(route) != digits.keys() & set(other)


def _bare(rng: Stream, extent: int) -> Maze:
    """A maze without digits: a tree of corridors, then loops where dead ends are opened."""
    open_steps = _tree(rng, extent)
    _open_dead_ends(rng, extent, open_steps)
    right = frozenset(cell for cell, other in open_steps if cell[0] == other[0])
    down = frozenset(cell for cell, other in open_steps if cell[1] == other[1])
    openings = tuple((side, 1 + rng.below(extent - 2)) for side in rng.sample(SIDES, 2))
    return Maze(extent, right, down, openings, {})


def _around(cell: Cell, extent: int) -> list[Cell]:
    row, column = cell
    near = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [(r, c) for r, c in near if 0 <= r < extent and 0 <= c < extent]


def _tree(rng: Stream, extent: int) -> set[tuple[Cell, Cell]]:
    first = (rng.below(extent), rng.below(extent))
    reached, growing = {first}, [first]
    steps: set[tuple[Cell, Cell]] = set()
    while growing:
        place = len(growing) - 1 if rng.chance(_NEWEST) else rng.below(len(growing))
        fresh = [cell for cell in _around(growing[place], extent) if cell not in reached]
        if not fresh:
            growing.pop(place)
            continue
        cell = rng.choice(fresh)
        steps.add(_step(growing[place], cell))
        reached.add(cell)
        growing.append(cell)
    return steps


def _step(cell: Cell, other: Cell) -> tuple[Cell, Cell]:
    return (cell, other) if cell < other else (other, cell)


def _open_dead_ends(rng: Stream, extent: int, steps: set[tuple[Cell, Cell]]) -> None:
    for cell in product(range(extent), range(extent)):
        around = _around(cell, extent)
        shut = [other for other in around if _step(cell, other) not in steps]
        if len(around) - len(shut) == 1 and rng.chance(_OPENED):
            steps.add(_step(cell, rng.choice(shut)))


def _placed(
    rng: Stream, ways: Doors, route: Sequence[Cell], others: Sequence[Sequence[Cell]], on_route: int
) -> dict[Cell, int]:
    """Digits on the route, where other routes go, in dead ends and anywhere. Empty if they do not fit."""
    ends, taken = {route[0], route[-1]}, set(route)
    elsewhere = [cell for cell in ways if cell not in taken]
    strayed = [cell for cell in others[0] if cell not in taken]
    blind = [cell for cell in elsewhere if len(ways[cell]) == 1]
    inner = [cell for cell in route if cell not in ends]
    if len(inner) < on_route or len(elsewhere) < len(DIGITS) - on_route or not strayed:
        return {}
    off = [rng.choice(strayed)]
    for tempting in (blind, [cell for other in others for cell in other if cell not in taken]):
        if tempting:
            off.append(rng.choice(tempting))
    off = list(dict.fromkeys(off))
    rest = [cell for cell in elsewhere if cell not in off]
    off += rng.sample(rest, len(DIGITS) - on_route - len(off))
    cells = [*rng.sample(inner, on_route), *off]
    digits = list(DIGITS)
    rng.shuffle(digits)
    return dict(zip(cells, digits, strict=True))
