"""Five in a row: every move tried out on the twin's characters, and pieces compared in the picture."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import snellen.tasks.capacity.kinds.gomoku as gomoku_kind
from snellen.item import Condition
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks.capacity.draw.gomoku import MIXED, PLAIN, THEMES, name
from snellen.tasks.capacity.kinds.gomoku import KIND, ask, make, observe, show

Cell = tuple[int, int]


def made(index: int, size: str = "standard", seed: int = 5) -> Mapping[str, Any]:
    return make(stream(seed, "capacity", "gomoku", size, index), size, index)


@pytest.fixture(scope="module")
def truths() -> list[Mapping[str, Any]]:
    return [made(index, size) for size, many in (("standard", 16), ("small", 8), ("large", 2)) for index in range(many)]


class Game:
    """A position read from its twin: which cells each side holds, and who has how long a line where."""

    def __init__(self, twin: str, mover: str) -> None:
        rows = [line.split() for line in twin.splitlines() if line[:2].strip().isdigit()]
        self.held: dict[Cell, str] = {}
        self.cells = [(int(row[0]) - 1, column) for row in rows for column in range(len(row) - 1)]
        for number, *tokens in rows:
            for column, token in enumerate(tokens):
                if token != ".":
                    side = PLAIN if token[0] == "o" else MIXED
                    self.held[int(number) - 1, column] = "me" if side == mover else "you"

    def line(self, cell: Cell, side: str) -> int:
        """The longest line through a cell if the side had it."""
        longest = 0
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for way in (1, -1):
                step = way
                while self.held.get((cell[0] + step * down, cell[1] + step * right)) == side:
                    length, step = length + 1, step + way
            longest = max(longest, length)
        return longest

    def empty(self) -> Iterator[Cell]:
        return (cell for cell in self.cells if cell not in self.held)

    def completing(self, side: str) -> list[Cell]:
        return [cell for cell in self.empty() if self.line(cell, side) >= 5]

    def forcing(self) -> list[Cell]:
        """The moves after which every answer leaves five to be completed, the opponent having no five to complete."""
        found = []
        for cell in list(self.empty()):
            self.held[cell] = "me"
            mine = self.completing("me")
            if mine and not self.completing("you") and all(self._still(mine, answer) for answer in mine):
                found.append(cell)
            del self.held[cell]
        return found

    def _still(self, mine: list[Cell], answer: Cell) -> bool:
        """Whether five can be completed although the opponent took this cell. Other cells stop nothing."""
        self.held[answer] = "you"
        left = any(self.line(cell, "me") >= 5 for cell in mine if cell != answer)
        del self.held[answer]
        return left


def test_key_is_the_only_move_that_wins(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        asked = ask(truth)
        game = Game(asked.twin, truth["mover"])
        assert all(game.line(cell, side) < 5 for cell, side in game.held.items()), "somebody has won already"
        now = game.completing("me")
        if truth["depth"] == 1:
            assert [name(cell) for cell in now] == [asked.key]
        else:
            assert now == game.completing("you") == []
            assert [name(cell) for cell in game.forcing()] == [asked.key]
        assert asked.also == ()


def test_sides_have_taken_turns(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        many = Counter(Game(ask(truth).twin, truth["mover"]).held.values())
        assert many["you"] - many["me"] in (0, 1)


def test_mechanisms_are_what_they_say(truths: list[Mapping[str, Any]]) -> None:
    seen: Counter[str] = Counter()
    for truth in truths:
        asked = ask(truth)
        game = Game(asked.twin, truth["mover"])
        cells = {name(cell): cell for cell in game.cells}
        assert asked.key not in asked.mechanisms
        assert asked.form.labels == tuple(cells[label] and label for label in sorted(cells, key=cells.__getitem__))
        by_name: dict[str, set[Cell]] = {}
        for label, mechanism in asked.mechanisms.items():
            by_name.setdefault(mechanism, set()).add(cells[label])
        assert by_name["taken cell"] == set(game.held)
        assert by_name.get("blocks instead of winning", set()) >= set(game.completing("you"))
        assert all(game.line(cell, "me") == 4 for cell in by_name.get("four in a row only", ()))
        row, column = cells[asked.key]
        assert all(max(abs(r - row), abs(c - column)) == 1 for r, c in by_name.get("off by one", ()))
        seen.update(list(by_name))
    assert {"blocks instead of winning", "wrong set of pieces", "four in a row only", "off by one"} <= seen.keys()
    assert seen["wrong set of pieces"] > len(truths) // 2


def test_wrong_set_of_pieces_is_five_of_one_colour(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths:
        rows = [row.split() for row in reversed(truth["board"])]
        asked = ask(truth)
        game = Game(asked.twin, truth["mover"])
        for label, mechanism in asked.mechanisms.items():
            if mechanism == "wrong set of pieces":
                (cell,) = [cell for cell in game.cells if name(cell) == label]
                tinted = []
                for colour in THEMES[truth["theme"]].colours:
                    game.held = {
                        (r, c): colour for r, row in enumerate(rows) for c, held in enumerate(row) if held[-1] == colour
                    }
                    tinted.append(game.line(cell, colour))
                assert max(tinted) >= 5


def test_winning_line_is_not_of_one_colour(truths: list[Mapping[str, Any]]) -> None:
    """Else those who go by colour alone would find it."""
    for truth in truths:
        if truth["depth"] == 1:
            mover, rows = truth["mover"], [row.split() for row in reversed(truth["board"])]
            game = Game(ask(truth).twin, mover)
            (key,) = [cell for cell in game.cells if name(cell) == truth["key"]]
            for colour in THEMES[truth["theme"]].colours:
                mine = {cell for cell, side in game.held.items() if side == "me"}
                single = Game(ask(truth).twin, mover)
                single.held = {cell: "me" for cell in mine if rows[cell[0]][cell[1]][-1] == colour}
                assert single.line(key, "me") < 5


def test_like_pieces_look_alike_and_unlike_ones_do_not(truths: list[Mapping[str, Any]]) -> None:
    for truth in truths[:16:4]:
        (picture,) = show(truth)
        pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB"))
        assert pixels.shape == (640, 640, 3)
        pitch = (640 - 46 - 24) // truth["extent"]
        tiles: dict[str, set[bytes]] = {}
        for down, row in enumerate(truth["board"]):
            for across, held in enumerate(row.split()):
                y, x = 24 + down * pitch + 1, 46 + across * pitch + 1
                tiles.setdefault(held, set()).add(pixels[y : y + pitch - 1, x : x + pitch - 1].tobytes())
        assert all(len(found) == 1 for found in tiles.values())
        assert len({next(iter(found)) for found in tiles.values()}) == len(tiles)


def test_same_seed_same_bytes_and_another_seed_another_position() -> None:
    one, again, other = made(3), made(3), made(3, seed=6)
    assert one == again != other
    assert show(one)[0].data == show(again)[0].data != show(other)[0].data


def test_nothing_is_favoured() -> None:
    truths = [made(index, "small", seed=8) for index in range(96)]
    assert Counter((truth["depth"], truth["mover"]) for truth in truths) == {
        (depth, mover): 24 for depth in (1, 2) for mover in (MIXED, PLAIN)
    }
    assert set(Counter(truth["theme"] for truth in truths).values()) == {24}
    keys = Counter(truth["key"] for truth in truths)
    assert max(keys.values()) <= 6
    assert len(keys) > 45
    seen = [observe(truth) for truth in truths]
    for feature in ("most crowded empty cell", "most central empty cell", "middle of the pieces"):
        assert sum(one[feature] == truth["key"] for one, truth in zip(seen, truths, strict=True)) < 16


def test_words_say_whose_turn_it_is(truths: list[Mapping[str, Any]]) -> None:
    pack = load(Path(gomoku_kind.__file__).with_name("gomoku.toml"), "capacity")
    colours = {said for theme in THEMES.values() for said, _ in theme.colours.values()}
    for truth in truths:
        text = pack.say("gomoku_task", Condition(), ask(truth).values)
        theme = THEMES[truth["theme"]]
        assert f"turn of the side with the {theme.mixed if truth['mover'] == MIXED else theme.plain}." in text
        assert not colours & set(text.replace(",", "").split())
    assert KIND.n == 122
    assert "Answer:" in pack.say("gomoku_reply", Condition(), {})
