"""Who won, proved a second time: by looking along rays from every cell, not by listing lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.tasks.fixation.games import GAMES, SIZES, BoardShape, completed, game_named, lines, swapped, winner

BOARDS = [(game, size) for game in GAMES for size in SIZES]


def longest_run(rows: list[str], player: str) -> int:
    """The longest straight run of a player, found by walking."""
    best = 0
    for r in range(len(rows)):
        for c in range(len(rows[0])):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                length, y, x = 0, r, c
                while 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == player:
                    length, y, x = length + 1, y + dr, x + dc
                best = max(best, length)
    return best


def winner_by_walking(game: str, shape: BoardShape, cells: str) -> int:
    rows = [cells[start : start + shape.columns] for start in range(0, shape.area, shape.columns)]
    if GAMES[game].decided_by == "count":
        lead = sum({"0": 0, "1": 1, "2": -1}[cell] for cell in cells)
        return (lead > 0) + 2 * (lead < 0)
    one, two = (longest_run(rows, player) >= shape.length for player in "12")
    return 0 if one == two else 1 if one else 2


@given(st.data())
def test_winner_agrees_with_walking_on_any_board(data: st.DataObject) -> None:
    game, size = data.draw(st.sampled_from(BOARDS))
    shape = GAMES[game].shape(size)
    # Few empties and a favoured player, or hardly any random board would have a line.
    favoured = data.draw(st.sampled_from(["12", "112", "0112", "1222", "012"]))
    cells = "".join(data.draw(st.lists(st.sampled_from(favoured), min_size=shape.area, max_size=shape.area)))
    assert winner(GAMES[game], shape, cells) == winner_by_walking(game, shape, cells)


@given(st.data())
def test_exchanging_the_players_exchanges_the_winner(data: st.DataObject) -> None:
    game, size = data.draw(st.sampled_from(BOARDS))
    shape = GAMES[game].shape(size)
    cells = "".join(data.draw(st.lists(st.sampled_from("0112"), min_size=shape.area, max_size=shape.area)))
    won = winner(GAMES[game], shape, cells)
    assert winner(GAMES[game], shape, swapped(cells)) == {0: 0, 1: 2, 2: 1}[won]


@pytest.mark.parametrize(("game", "counts"), [("tictactoe", [8, 10, 28]), ("connect4", [10, 28, 69])])
def test_number_of_lines(game: str, counts: list[int]) -> None:
    assert [len(lines(shape)) for shape in GAMES[game].shapes] == counts


def test_lines_of_both_players_decide_nothing() -> None:
    shape = GAMES["tictactoe"].shape("small")
    assert completed(shape, "111222000") == {(0, 1, 2): 1, (3, 4, 5): 2}
    assert winner(GAMES["tictactoe"], shape, "111222000") == 0
    assert winner(GAMES["tictactoe"], shape, "111120202") == 1


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="reversi"):
        game_named("reversy")
    with pytest.raises(UserError, match="medium"):
        GAMES["reversi"].shape("mediun")
