"""Walkers of mazes and namers of cards and signs (two kinds of MME-CC), who do the work on the words."""

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Place = tuple[int, int]
_CARD = re.compile(r": card (\d), (.+)")
_LISTED = re.compile(r"Use a name from this list each time: (.+?)\. Fillers")
_SIGN = re.compile(r"^- sign (\d): (.+?)(?: \(its .*board\))?$", re.MULTILINE)
_RIGHTLY = re.compile(r"Answer exactly one of them rightly, namely (q\d)")
_DECOYS = ("umbrella", "volcano", "trombone", "spinach", "anchor", "tractor", "penguin", "candle")


@dataclass(frozen=True)
class Worker:
    """`route`: how it looks for a way through a maze. `contrary`: whether it can name things wrongly when told to."""

    route: "Callable[[Maze], list[Place]]"
    contrary: bool = True

    def __call__(self, words: str) -> str:
        if cards := dict(_CARD.findall(words)):
            return self._named(words, cards, _DECOYS)
        if signs := dict(_SIGN.findall(words)):
            told = _LISTED.search(words)
            listed = told[1].split("; ") if told else list(_DECOYS)
            guess = next(name for name in listed if name not in signs.values())
            known = {number: name if name in listed else guess for number, name in signs.items()}
            return self._named(words, known, listed)
        maze = Maze.read(words)
        if maze is None:
            return "Answer: 5"
        digits = sorted(maze.digits[place] for place in self.route(maze) if place in maze.digits)
        return f"Answer: {' '.join(digits)}"

    def _named(self, words: str, cards: dict[str, str], others: Iterable[str]) -> str:
        right = _RIGHTLY.search(words)
        names = {f"q{number}": name for number, name in sorted(cards.items())}
        if right and self.contrary:
            decoys = (decoy for decoy in others if decoy not in cards.values())
            names = {field: name if field == right[1] else next(decoys) for field, name in names.items()}
        return "\n".join(("Answer:", *(f"{field}: {name}" for field, name in names.items())))


@dataclass(frozen=True)
class Maze:
    """Read from characters: `open` tells where one can step, `gates` are entrance and exit."""

    steps: dict[Place, list[Place]]
    digits: dict[Place, str]
    gates: tuple[Place, Place]

    @classmethod
    def read(cls, words: str) -> "Maze | None":
        rows = [line for line in words.split("\n") if re.match(r"^[+| ].*[-| +\d]$", line) and len(line) > 8]
        rows = [line for line in rows if set(line) <= set("+-| 123456789")]
        gaps = re.search(r"Entrance: the gap in the (\w+) wall\. Exit: the gap in the (\w+) wall", words)
        if gaps is None or not rows:
            return None
        rows = [line.ljust(len(rows[0])) for line in rows]
        size = len(rows) // 2
        cells = [(i, k) for i in range(size) for k in range(size)]
        steps: dict[Place, list[Place]] = {cell: [] for cell in cells}
        for i, k in cells:
            if k + 1 < size and rows[2 * i + 1][4 * k + 4] == " ":
                steps[i, k].append((i, k + 1))
                steps[i, k + 1].append((i, k))
            if i + 1 < size and rows[2 * i + 2][4 * k + 2] == " ":
                steps[i, k].append((i + 1, k))
                steps[i + 1, k].append((i, k))
        digits = {(i, k): mark for i, k in cells if (mark := rows[2 * i + 1][4 * k + 2]) != " "}
        return cls(steps, digits, (_gate(rows, size, gaps[1]), _gate(rows, size, gaps[2])))


def _gate(rows: list[str], size: int, wall: str) -> Place:
    if wall in ("top", "bottom"):
        line, row = (rows[0], 0) if wall == "top" else (rows[-1], size - 1)
        return row, next(k for k in range(size) if line[4 * k + 2] == " ")
    edge, column = (0, 0) if wall == "left" else (-1, size - 1)
    return next(i for i in range(size) if rows[2 * i + 1][edge] == " "), column


def shortest(maze: Maze) -> list[Place]:
    """The way with the fewest steps."""
    return _search(maze, lambda open_: open_.popleft())


def headlong(maze: Maze) -> list[Place]:
    """Some way through: on and on, back only from a dead end. Rarely the shortest."""
    return _search(maze, lambda open_: open_.pop())


def _search(maze: Maze, take: Callable[[deque[Place]], Place]) -> list[Place]:
    start, goal = maze.gates
    came: dict[Place, Place | None] = {start: None}
    open_ = deque([start])
    while open_:
        here = take(open_)
        for there in maze.steps[here]:
            if there not in came:
                came[there] = here
                open_.append(there)
    way: list[Place] = []
    place: Place | None = goal
    while place is not None:
        way.append(place)
        place = came.get(place)
    return way


def no_thin_lines(twin: str) -> str:
    """What an eye sees that misses thin lines: cards, but no walls."""
    return "A square with some digits in it." if "+---+" in twin else twin


def three_cards(twin: str) -> str:
    """What an eye sees that never gets to the fourth card or sign, wherever it is: something, but not what."""
    return re.sub(r"sign 4: .+", "sign 4: too far off", re.sub(r"card 4, .+", "card 4, pebble", twin))
