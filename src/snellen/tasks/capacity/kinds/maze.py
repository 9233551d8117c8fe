"""Maze: which digits lie on the one shortest way from the entrance to the exit?

Mazes have loops, so there are several ways through; exactly one is shortest, which counting routes proves. The digits
are placed so that the second-shortest way passes others.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from snellen.item import Field, Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.draw.mazes import Cell, Maze, draw, finest, words
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.maze_making import DIGITS, FEWEST, MOST, SolvedMaze, think_of
from snellen.tasks.capacity.kinds.maze_routes import doors
from snellen.tasks.detail import Detail, weber

EXTENTS = {"standard": 10, "small": 6, "large": 14, "tiny": 4, "huge": 20}
FORM = Form("fields", fields=(Field("digits", "set", tuple(str(digit) for digit in DIGITS)),))


def make(rng: Stream, size: str, index: int) -> Truth:
    solved = think_of(rng, EXTENTS[size], FEWEST + index % (MOST - FEWEST + 1))
    return {"size": size, **_written(solved)}


def _written(solved: SolvedMaze) -> dict[str, Any]:
    maze = solved.maze
    key = _passed(maze, solved.route)
    missed = dict.fromkeys(" ".join(map(str, _passed(maze, other))) for other in solved.others)
    return {
        "extent": maze.extent,
        "right": [list(cell) for cell in sorted(maze.right)],
        "down": [list(cell) for cell in sorted(maze.down)],
        "openings": [list(opening) for opening in maze.openings],
        "digits": {str(digit): list(cell) for cell, digit in sorted(maze.digits.items(), key=lambda entry: entry[1])},
        "route": [list(cell) for cell in solved.route],
        "second": len(solved.others[0]),
        "key": list(key),
        "longer": [digits for digits in missed if digits != " ".join(map(str, key))],
        "difficulty": len(solved.route),
    }


def _passed(maze: Maze, route: Iterable[Cell]) -> tuple[int, ...]:
    """The digits on a route, in ascending order."""
    return tuple(sorted(maze.digits[cell] for cell in route if cell in maze.digits))


def read(truth: Truth) -> Maze:
    """The maze of a truth."""
    return Maze(
        truth["extent"],
        frozenset((row, column) for row, column in truth["right"]),
        frozenset((row, column) for row, column in truth["down"]),
        tuple((side, along) for side, along in truth["openings"]),
        {(row, column): int(digit) for digit, (row, column) in truth["digits"].items()},
    )


def show(truth: Truth) -> tuple[Picture, ...]:
    return (draw(read(truth)),)


def ask(truth: Truth) -> KindQuestion:
    maze = read(truth)
    (entrance, _), (leave, _) = maze.openings
    key = " ".join(map(str, truth["key"]))
    values = {"extent": str(maze.extent), "entrance": entrance, "exit": leave}
    twin = f"{words(maze)}\nEntrance: the gap in the {entrance} wall. Exit: the gap in the {leave} wall."
    return KindQuestion(FORM, f"digits: {key}", values, _mechanisms(truth, maze), twin=twin)


def _mechanisms(truth: Truth, maze: Maze) -> Mapping[str, str]:
    """What sets of digits betray; what is most telling comes first and keeps its name."""
    key = set(truth["key"])
    ways = doors(maze)
    blind = {digit for cell, digit in maze.digits.items() if len(ways[cell]) == 1}
    named = {f"digits={digits}": "path not shortest" for digits in truth["longer"]}

    def name(digits: set[int], mechanism: str) -> None:
        named.setdefault("digits=" + " ".join(map(str, sorted(digits))), mechanism)

    name(set(DIGITS), "all digits")
    name(set(DIGITS) - key, "digits off the path")
    for digit in DIGITS:
        if digit in key:
            name(key - {digit}, "one digit missed")
        else:
            name(key | {digit}, "a digit in a dead end" if digit in blind else "one digit too many")
    return named


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    maze = read(truth)
    start, end = (maze.at(opening) for opening in maze.openings)
    by_digit = {digit: cell for cell, digit in maze.digits.items()}
    near_line = sum(_between(start, cell, end) for cell in maze.digits)
    return {
        "entrance side": maze.openings[0][0],
        "exit side": maze.openings[1][0],
        "open steps": len(maze.right) + len(maze.down),
        "digits in the box of the openings": near_line,
        "first digit": maze.digits[min(maze.digits)],
        "digit nearest the entrance": min(by_digit, key=lambda digit: _apart(by_digit[digit], start)),
        "digit nearest the exit": min(by_digit, key=lambda digit: _apart(by_digit[digit], end)),
    }


def _apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def _between(start: Cell, cell: Cell, end: Cell) -> bool:
    return _apart(start, cell) + _apart(cell, end) == _apart(start, end)


def detail(size: str) -> Detail:
    what, px, pairs, side = finest(EXTENTS[size])
    return Detail(what, px, min(weber(*pair) for pair in pairs), side)


KIND = CapacityKind("maze", 194, make, show, ask, sizes=tuple(EXTENTS), detail=detail, observe=observe)
