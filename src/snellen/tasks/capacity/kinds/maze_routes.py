"""Routes through a maze: the shortest, how many of that length there are, and the ways round each of its steps."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from snellen.tasks.capacity.draw.mazes import Cell, Maze

Doors = Mapping[Cell, Sequence[Cell]]
"""For each cell the cells one can step into from it."""


def doors(maze: Maze) -> Doors:
    ways: dict[Cell, list[Cell]] = {(row, column): [] for row in range(maze.extent) for column in range(maze.extent)}
    steps = [((row, column), (row, column + 1)) for row, column in sorted(maze.right)]
    steps += [((row, column), (row + 1, column)) for row, column in sorted(maze.down)]
    for cell, other in steps:
        ways[cell].append(other)
        ways[other].append(cell)
    return ways


def shortest(ways: Doors, start: Cell, end: Cell, shut: Iterable[tuple[Cell, Cell]] = ()) -> tuple[list[Cell], int]:
    """A shortest route that does not use the shut steps, and how many are as short; no route: empty and 0."""
    closed = {step for here, other in shut for step in ((here, other), (other, here))}
    many, before, layer = {start: 1}, {start: start}, [start]
    while layer and end not in many:
        following: dict[Cell, int] = {}
        for cell in layer:
            for other in ways[cell]:
                if other in many or (closed and (cell, other) in closed):
                    continue
                if other not in following:
                    following[other] = 0
                    before[other] = cell
                following[other] += many[cell]
        many.update(following)
        layer = list(following)
    if end not in many:
        return [], 0
    route = [end]
    while route[-1] != start:
        route.append(before[route[-1]])
    return route[::-1], many[end]


def detours(ways: Doors, route: Sequence[Cell]) -> list[list[Cell]]:
    """The shortest route left when one step of this one is shut, for each step that can be gone round; shortest first.

    The second-shortest route must miss some step of the shortest, so it is the first of these.
    """
    routes = {}
    for step in pairwise(route):
        other, _ = shortest(ways, route[0], route[-1], [step])
        if other:
            routes[tuple(other)] = other
    return sorted(routes.values(), key=len)
