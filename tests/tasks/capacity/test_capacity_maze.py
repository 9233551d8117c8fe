"""Mazes: solved again from the twin by distances between all cells, and read back from the picture."""

import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import snellen.tasks.capacity.kinds.maze as maze_kind
from snellen.item import Condition
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks.capacity.draw import mazes
from snellen.tasks.capacity.kinds.maze import KIND, ask, make, observe, read, show

Edges = dict[tuple[int, int], set[tuple[int, int]]]


def made(index: int, size: str = "standard", seed: int = 5) -> Mapping[str, Any]:
    return make(stream(seed, "capacity", "maze", size, index), size, index)


@pytest.fixture(scope="module")
def truths() -> list[Mapping[str, Any]]:
    return [made(index, size) for size in KIND.sizes for index in range(2)]


class Plan:
    """A maze read from its twin alone."""

    def __init__(self, twin: str) -> None:
        lines = twin.splitlines()
        drawn, told = lines[:-1], lines[-1]
        self.extent = len(drawn) // 2
        drawn = [line.ljust(4 * self.extent + 1) for line in drawn]
        self.digits: dict[tuple[int, int], int] = {}
        self.edges: Edges = {}
        gaps: dict[str, tuple[int, int]] = {}
        for row in range(self.extent):
            for column in range(self.extent):
                cell, y, x = (row, column), 2 * row + 1, 4 * column + 2
                self.edges.setdefault(cell, set())
                if drawn[y][x] != " ":
                    self.digits[cell] = int(drawn[y][x])
                ways = {
                    "top": (-1, 0, drawn[y - 1][x]),
                    "bottom": (1, 0, drawn[y + 1][x]),
                    "left": (0, -1, drawn[y][x - 2]),
                    "right": (0, 1, drawn[y][x + 2]),
                }
                for side, (down, right, wall) in ways.items():
                    other = (row + down, column + right)
                    if wall == " " and all(0 <= place < self.extent for place in other):
                        self.edges[cell].add(other)
                    elif wall == " ":
                        assert side not in gaps
                        gaps[side] = cell
        self.start = gaps[told.split("Entrance: the gap in the ")[1].split()[0]]
        self.end = gaps[told.split("Exit: the gap in the ")[1].split()[0]]
        assert len(gaps) == 2

    def distances(self) -> np.ndarray[Any, Any]:
        """Between all cells (Floyd and Warshall)."""
        cells = sorted(self.edges)
        number = {cell: place for place, cell in enumerate(cells)}
        apart = np.full((len(cells), len(cells)), 10_000)
        np.fill_diagonal(apart, 0)
        for cell, others in self.edges.items():
            for other in others:
                apart[number[cell], number[other]] = 1
        for k in range(len(cells)):
            np.minimum(apart, apart[:, k, None] + apart[None, k], out=apart)
        return apart

    def on_shortest(self) -> tuple[Counter[int], set[tuple[int, int]]]:
        """The cells on any shortest way, and how many of them are each number of steps from the start."""
        cells, apart = sorted(self.edges), self.distances()
        start, end = cells.index(self.start), cells.index(self.end)
        on = np.flatnonzero(apart[start] + apart[:, end] == apart[start, end])
        return Counter(apart[start, on].tolist()), {cells[place] for place in on}


def test_key_is_what_all_distances_say(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        asked = ask(truth)
        plan = Plan(asked.twin)
        steps, cells = plan.on_shortest()
        assert set(steps.values()) == {1}, "more than one shortest way"
        digits = sorted(digit for cell, digit in plan.digits.items() if cell in cells)
        assert asked.key == "digits: " + " ".join(map(str, digits))
        assert 3 <= len(digits) <= 6
        assert sorted(plan.digits.values()) == list(range(1, 10))
        assert truth["difficulty"] == len(cells)


def _routes(plan: Plan, longest: int) -> list[list[tuple[int, int]]]:
    """All routes of at most so many cells that visit no cell twice, by walking them."""
    found = []

    def walk(route: list[tuple[int, int]]) -> None:
        if route[-1] == plan.end:
            found.append(route)
        elif len(route) < longest:
            for other in plan.edges[route[-1]] - set(route):
                walk([*route, other])

    walk([plan.start])
    return found


def test_second_shortest_route_is_known_and_gives_another_answer() -> None:
    for index in range(8):
        truth = made(index, "small")
        plan = Plan(ask(truth).twin)
        routes = sorted(_routes(plan, truth["second"]), key=len)
        assert len(routes[0]) == truth["difficulty"]
        assert len(routes[1]) == truth["second"] > len(routes[0])
        passed = {" ".join(map(str, sorted(plan.digits[c] for c in route if c in plan.digits))) for route in routes[1:]}
        assert passed & set(truth["longer"])


def test_picture_shows_the_walls_and_digits_of_the_truth(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths[::5]:
        maze = read(truth)
        (picture,) = show(truth)
        pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
        assert pixels.shape == (640, 640, 3)
        pitch = 560 // maze.extent
        margin = (640 - pitch * maze.extent) // 2
        dark = pixels.sum(axis=2) < 300
        walls = set(maze.walls())
        for row in range(maze.extent + 1):
            for column in range(maze.extent + 1):
                y, x = margin + row * pitch, margin + column * pitch
                if row < maze.extent:
                    assert dark[y + pitch // 2, x] == ((row, column, True) in walls)
                if column < maze.extent:
                    assert dark[y, x + pitch // 2] == ((row, column, False) in walls)
        for row, column in np.ndindex(maze.extent, maze.extent):
            y, x = margin + row * pitch, margin + column * pitch
            inner = pixels[y + pitch // 5 : y + pitch * 4 // 5, x + pitch // 5 : x + pitch * 4 // 5]
            assert (inner.min() < 250) == ((row, column) in maze.digits)


def test_mechanisms_name_wrong_answers_only(truths: list[Mapping[str, Any]]) -> None:
    seen: Counter[str] = Counter()
    for truth in truths:
        asked = ask(truth)
        assert asked.key.replace(": ", "=") not in asked.mechanisms
        assert asked.mechanisms["digits=1 2 3 4 5 6 7 8 9"] == "all digits"
        for stated in asked.mechanisms:
            digits = stated.removeprefix("digits=").split()
            assert digits == sorted(set(digits))
            assert set(digits) <= set("123456789")
        seen.update(set(asked.mechanisms.values()))
    wanted = {"path not shortest", "all digits", "one digit missed", "a digit in a dead end", "one digit too many"}
    assert wanted <= seen.keys()
    assert seen["path not shortest"] == len(truths)


def test_digits_of_dead_ends_are_in_dead_ends(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        asked = ask(truth)
        plan, key = Plan(asked.twin), set(truth["key"])
        dead = {plan.digits[cell] for cell, others in plan.edges.items() if len(others) == 1 and cell in plan.digits}
        for stated, mechanism in asked.mechanisms.items():
            if mechanism == "a digit in a dead end":
                assert {int(digit) for digit in stated.removeprefix("digits=").split()} - key <= dead


def test_same_seed_same_bytes_and_another_seed_another_maze() -> None:
    one, again, other = made(3), made(3), made(3, seed=6)
    assert one == again != other
    assert show(one)[0].data == show(again)[0].data != show(other)[0].data


@pytest.mark.soak
def test_nothing_is_favoured() -> None:
    truths = [made(index, "small", seed=8) for index in range(60)]
    assert Counter(len(truth["key"]) for truth in truths) == {3: 15, 4: 15, 5: 15, 6: 15}
    on = Counter(digit for truth in truths for digit in truth["key"])
    assert min(on[digit] for digit in range(1, 10)) >= 15
    assert max(on.values()) <= 45
    for number in (0, 1):
        sides = Counter(truth["openings"][number][0] for truth in truths)
        assert set(sides) == set(mazes.SIDES)
        assert max(sides.values()) < 30
    assert all(observe(truth) for truth in truths)


def test_words_say_where_entrance_and_exit_are() -> None:
    pack = load(Path(maze_kind.__file__).with_name("maze.toml"), "capacity")
    for index in range(4):
        truth = made(index, "small")
        text = pack.say("maze_task", Condition(), ask(truth).values)
        (entrance, _), (leave, _) = truth["openings"]
        assert f"in the {entrance} wall is the entrance" in text
        assert f"in the {leave} wall is the exit" in text
        assert "6 rows" in text
    assert "Answer:" in pack.say("maze_reply", Condition(), {})
