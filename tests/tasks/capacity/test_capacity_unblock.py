"""Sliding blocks: solved again on the twin's characters by deepening search, and read back from the picture."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import snellen.tasks.capacity.kinds.unblock as unblock_kind
from snellen.item import Condition
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks.capacity.draw import blocks
from snellen.tasks.capacity.draw.blocks import SIDES, BlockTray, words
from snellen.tasks.capacity.kinds.unblock import EXAMPLE, KIND, ask, in_the_way, make, observe, read, show


def made(index: int, size: str = "standard", seed: int = 5) -> Mapping[str, Any]:
    return make(stream(seed, "capacity", "unblock", size, index), size, index)


@pytest.fixture(scope="module")
def truths() -> list[Mapping[str, Any]]:
    wanted = {"standard": (0, 1, 2, 3, 5, 6, 7, 8, 4), "small": range(8), "large": (0, 1, 2)}
    return [made(index, size) for size in KIND.sizes for index in wanted[size]]


class Characters:
    """A level as its twin has it, frame and all: one string of characters, in which blocks are pushed about."""

    def __init__(self, twin: str) -> None:
        rows = [line[::2] for line in twin.splitlines() if set(line) <= set("#. Rabcdefghijklmnop")]
        self.width = len(rows[0])
        self.start = "".join(rows)
        self.gap = self.start.index(" ")
        assert self.start.count(" ") == 1
        self.ways = {"left": -1, "right": 1, "top": -self.width, "bottom": self.width}

    def pushed(self, grid: str, name: str, way: int) -> str | None:
        """The grid after a push that way; None if the red block has left with it."""
        first, last = grid.index(name), grid.rindex(name)
        front = first if way < 0 else last
        by = 0
        while grid[front + by + way] == ".":
            by += way
        if name == "R" and front + by + way == self.gap:
            return None
        length = grid.count(name)
        step = (last - first) // (length - 1)
        characters = list(grid.replace(name, "."))
        for place in range(first + by, last + by + 1, step):
            characters[place] = name
        return "".join(characters)

    def slides(self, grid: str) -> Iterator[tuple[str, str | None]]:
        """Every block pushed each way it can go."""
        for name in sorted(set(grid) - set("#. ")):
            upright = grid.rindex(name) - grid.index(name) >= self.width
            for way in (self.width, -self.width) if upright else (1, -1):
                after = self.pushed(grid, name, way)
                if after != grid:
                    yield name, after

    def shortest(self, deepest: int) -> tuple[int, set[frozenset[str]]]:
        """The fewest moves and the sets of blocks moved, by looking one move deeper each time."""
        follow: dict[str, list[tuple[str, str | None]]] = {}

        def within(grid: str, left: int, seen: dict[tuple[str, int], set[frozenset[str]]]) -> set[frozenset[str]]:
            if (grid, left) not in seen:
                if grid not in follow:
                    follow[grid] = list(self.slides(grid))
                found: set[frozenset[str]] = set()
                for name, after in follow[grid]:
                    if after is None:
                        found.add(frozenset())
                    elif left > 1:
                        found |= {one | ({name} - {"R"}) for one in within(after, left - 1, seen)}
                seen[grid, left] = found
            return seen[grid, left]

        for depth in range(1, deepest + 1):
            if sets := within(self.start, depth, {}):
                return depth, sets
        return 0, set()


def test_key_is_what_a_deepening_search_finds(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        asked = ask(truth)
        depth, sets = Characters(asked.twin).shortest(truth["moves"])
        assert len(sets) == 1, "shortest solutions move different blocks"
        assert asked.key == f"moves: {depth}; blocks: {' '.join(sorted(next(iter(sets))))}"
        assert 3 <= depth <= 8
        assert 2 <= len(truth["moved"]) <= 5
        assert truth["difficulty"] == depth


def test_the_solution_told_can_be_played(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        game = Characters(ask(truth).twin)
        grid: str | None = game.start
        for name, by in truth["solution"]:
            assert grid is not None
            upright = next(block[4] for block in truth["blocks"] if block[0] == name)
            along = game.width if upright else 1
            after = game.pushed(grid, name, along if by > 0 else -along)
            if after is not None:
                assert after.index(name) - grid.index(name) == by * along
            grid = after
        assert grid is None
        assert {name for name, _ in truth["solution"]} - {"R"} == set(truth["moved"])
        assert len(truth["solution"]) == truth["moves"]


def test_worked_example_is_as_told() -> None:
    assert Characters(words(EXAMPLE)).shortest(4) == (3, {frozenset("ac")})
    pack = load(Path(unblock_kind.__file__).with_name("unblock.toml"), "capacity")
    told = pack.say("unblock_example", Condition(), {})
    assert "moves: 3" in told
    assert "blocks: a c" in told
    # "It would not help to push a first": it goes up one cell and stops below c.
    game = Characters(words(EXAMPLE))
    after = game.pushed(game.start, "a", -game.width)
    assert after is not None
    assert after.index("a") == game.start.index("a") - game.width == after.index("c") + 1 + game.width


def _gap_is_open(pixels: np.ndarray[Any, Any], level: BlockTray, margin: int, pitch: int) -> bool:
    """Whether the frame, a few pixels outside the tray, is paper in line with the red block and nowhere else."""
    far = margin + level.extent * pitch + 12
    paper = pixels[2, 2]
    bare = set()
    for along in range(level.extent):
        at = margin + along * pitch + pitch // 2
        spots = {"left": (at, margin - 12), "right": (at, far), "top": (margin - 12, at), "bottom": (far, at)}
        bare |= {(side, along) for side, (y, x) in spots.items() if (pixels[y, x] == paper).all()}
    red = level.blocks[0]
    return bare == {(level.exit, red.column if red.upright else red.row)}


def test_picture_shows_the_blocks_and_the_gap(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths[::2]:
        level = read(truth)
        example, picture = show(truth)
        assert example.data == show(truths[0])[0].data
        pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
        pitch = 540 // level.extent
        margin = (640 - pitch * level.extent) // 2
        assert _gap_is_open(pixels, level, margin, pitch)
        held = {cell: block.name for block in level.blocks for cell in block.cells()}
        light = pixels.sum(axis=2) > 280
        for row, column in np.ndindex(level.extent, level.extent):
            y, x = margin + row * pitch, margin + column * pitch
            name = held.get((row, column))
            assert light[y + pitch // 4, x + pitch // 4] == (name is not None)
            reddish = pixels[y + pitch // 4, x + pitch // 4, 0] > 3 * pixels[y + pitch // 4, x + pitch // 4, 1]
            assert reddish == (name == "R")
            if column:
                assert light[y + pitch // 4, x] == (name is not None and name == held.get((row, column - 1)))
            if row:
                assert light[y, x + pitch // 4] == (name is not None and name == held.get((row - 1, column)))


def test_mechanisms_name_wrong_values_only(truths: list[Mapping[str, Any]]) -> None:
    seen: Counter[str] = Counter()
    for truth in truths:
        asked = ask(truth)
        key = set(truth["moved"])
        letters = asked.form.fields[1].labels
        assert f"moves={truth['moves']}" not in asked.mechanisms
        assert f"blocks={' '.join(truth['moved'])}" not in asked.mechanisms
        assert asked.mechanisms[f"moves={truth['moves'] + 1}"] == "one move too many"
        assert asked.mechanisms[f"moves={truth['moves'] - 1}"] == "one move too few"
        assert asked.mechanisms["blocks=" + " ".join(sorted(key | {"R"}))] == "red block counted"
        for stated in asked.mechanisms:
            field, value = stated.split("=")
            assert field in ("moves", "blocks")
            assert field == "moves" or set(value.split()) <= set(letters)
        seen.update(set(asked.mechanisms.values()))
    assert {
        "single steps counted",
        "moved the blocker only",
        "one block missed",
        "red block not counted",
    } <= seen.keys()


def test_blocks_in_the_way_lie_between_red_and_exit(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        level = read(truth)
        game = Characters(ask(truth).twin)
        way = game.ways[level.exit]
        ahead = {game.start[place] for place in range(game.start.index("R"), game.gap, way)}
        assert in_the_way(level) == ahead - set("R.")


def test_same_seed_same_bytes_and_another_seed_another_level() -> None:
    one, again, other = made(1), made(1), made(1, seed=6)
    assert one == again != other
    assert show(one)[1].data == show(again)[1].data != show(other)[1].data


def test_nothing_is_favoured() -> None:
    truths = [made(index, "small", seed=8) for index in range(48)]
    assert Counter(truth["moves"] for truth in truths) == {3: 12, 4: 12, 5: 12, 6: 12}
    assert set(Counter(truth["exit"] for truth in truths)) == set(SIDES)
    assert max(Counter(" ".join(truth["moved"]) for truth in truths).values()) <= 8
    letters = Counter(letter for truth in truths for letter in truth["moved"])
    assert min(letters[letter] for letter in "abcde") >= 12
    assert all(observe(truth)["blocks"] == len(truth["blocks"]) - 1 for truth in truths)


def test_words_name_the_side_of_the_exit(truths: list[Mapping[str, Any]]) -> None:
    pack = load(Path(unblock_kind.__file__).with_name("unblock.toml"), "capacity")
    for truth in truths:
        text = pack.say("unblock_task", Condition(), ask(truth).values)
        assert f"on the {truth['exit']} side" in text
        assert f"{truth['extent']} rows" in text
    assert "moves:" in pack.say("unblock_reply", Condition(), {})


def test_a_level_is_drawn_the_same_whatever_was_drawn_before() -> None:
    first = show(made(2, "small"))[1].data
    blocks.draw(EXAMPLE, 540)
    blocks.draw.cache_clear()
    assert show(made(2, "small"))[1].data == first
