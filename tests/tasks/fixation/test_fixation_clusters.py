"""Boards that are the same up to symmetry share a cluster, by arrays that are turned and flipped with numpy; identities
of items stay what they were before there were clusters."""

import numpy as np
import pytest

from snellen.item import Item
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.fixation.states import items
from support.lengths import some_of


def turned_to_itself(item: Item) -> bytes:
    """The least array among all that keep the board's shape."""
    truth = item.truth
    board = np.array([int(cell) for cell in truth["cells"]], dtype="u1").reshape(truth["rows"], truth["columns"])
    sides = (board, np.choose(board, [0, 2, 1]).astype("u1"))
    turned = [np.rot90(side, turn) for side in sides for turn in range(4)]
    views = [view for one in turned for view in (one, np.fliplr(one)) if view.shape == board.shape]
    return min(view.tobytes() for view in views)


@some_of("states", ["fresh", "published"], 4)
@pytest.mark.parametrize("name", GAMES)
def test_clusters_are_the_classes_of_turned_and_flipped_boards(name: str, states: str) -> None:
    boards = list(items({"game": (name,), "states": (states,)}, 100, 2))
    classes = {(turned_to_itself(item), item.cluster) for item in boards}
    assert len(classes) == len({array for array, _ in classes}) == len({cluster for _, cluster in classes})


def test_clusters_of_a_board_that_is_not_square() -> None:
    boards = list(items({"game": ("connect4",), "size": ("large",)}, 6, 2))
    assert {len(item.cluster.rpartition("/")[2]) for item in boards} == {42}
    assert len({item.cluster for item in boards}) == len({turned_to_itself(item) for item in boards})


def test_300_tictactoe_boards_are_21_clusters() -> None:
    assert len({item.cluster for item in items({"game": ("tictactoe",)}, 300, 0)}) == 21


def test_sizes_and_games_have_clusters_of_their_own() -> None:
    every = [list(items({"game": (name,), "size": ("small", "medium")}, 4, 0)) for name in ("tictactoe", "connect4")]
    assert all(
        item.cluster.startswith(f"fixation/{item.levels['game']}/{item.levels['size']}/")
        for own in every
        for item in own
    )


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("tictactoe", "0ddfc9244578de2a668f275bd7543a8c"),
        ("reversi", "7267a9bd709afdb6823c7672dccb45de"),
        ("connect4", "5a242dda9cc2a9ba9782991aeafdd743"),
        ("dots_boxes", "8636bef57db303e228151dd73af062ce"),
    ],
)
def test_items_are_the_same_as_before_they_had_clusters(name: str, digest: str) -> None:
    third = list(items({"game": (name,)}, 3, 7))[2]
    assert (third.id, third.digest) == (f"fixation/{name}/fresh-small-7/0002", digest)
