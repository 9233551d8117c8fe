"""The picture of a board shows the item's truth: who sees the PNG alone finds the game, its rows and its columns."""

from collections.abc import Iterator

import pytest

from snellen.item import Condition, Item
from snellen.prompts import Pack, load
from snellen.tasks import task
from snellen.tasks.bias.draw.things import KINDS
from support.lengths import few_and_more
from support.pixels.boards import read_thing_board
from support.pixels.looking import pixels_of, png_of

BIAS = task("bias")
BOARDS = [name for name, kind in KINDS.items() if kind.topic == "boards"]
OTHERS = {"chess-board": (8, 8), "sudoku": (9, 9), "go-board": (19, 19), "xiangqi": (10, 9)}
"""Rows and columns that everybody expects."""


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load(BIAS.prompts, "bias")


def items(start: int, end: int) -> Iterator[Item]:
    assert BIAS.item is not None
    for number in range(start, end):
        name = BOARDS[number % len(BOARDS)]
        yield BIAS.item({"source": "things", "topic": "boards", "kind": name}, number // len(BOARDS), 34)


def wanted(item: Item, drawing: str) -> tuple[str, int, int]:
    game, _, way = item.truth["kind"].rpartition("-")
    rows, columns = OTHERS[game]
    count = item.truth["count"] if drawing == "counterfactual" else item.truth["usual"]
    return (game, count, columns) if way == "rows" else (game, rows, count)


def shown(item: Item, pack: Pack, **levels: str) -> bytes:
    plain = {factor.name: factor.levels[0] for factor in BIAS.factors if not factor.of_item}
    return BIAS.stimulus(item, Condition({**plain, **levels}), pack).pictures[0].data


@few_and_more(("start", "end"), [(0, 8)], [(start, start + 50) for start in range(8, 508, 50)])
def test_a_board_has_the_rows_and_columns_of_the_truth(start: int, end: int, pack: Pack) -> None:
    for number, item in enumerate(items(start, end)):
        drawing, view = ("counterfactual", "ordinary")[number % 2], ("upright", "flipped")[number // 2 % 2]
        assert read_thing_board(shown(item, pack, drawing=drawing, view=view)) == wanted(item, drawing), item.id


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_a_board_cut_short_is_noticed(index: int, pack: Pack) -> None:
    """The lower third of the picture is one of its upper third again."""
    item = list(items(0, 8))[2 * index]
    pixels = pixels_of(shown(item, pack))
    third = len(pixels) // 3
    assert read_thing_board(png_of(pixels[third:])) != wanted(item, "counterfactual")
