"""Fresh states: legal, different, the same everywhere, and silent about who won."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from snellen.errors import UserError
from snellen.tasks.fixation import fresh
from snellen.tasks.fixation.fresh import State
from snellen.tasks.fixation.games import GAMES, SIZES, BoardShape, completed, lines, margin, winner
from snellen.tasks.fixation.tilt import fit
from support.lengths import some_of

KINDS = [(game, size) for game in GAMES for size in SIZES]


@cache
def some(game: str, size: str, n: int = 24, seed: int = 5) -> tuple[State, ...]:
    return tuple(fresh.states(GAMES[game], size, n, seed))


# ---- legal play, replayed by rules written anew on a grid of rows


def replay_lines(shape: BoardShape, moves: Sequence[int], first: int, falling: bool) -> str:
    """Play the moves in turn; every one must be legal and nobody may have a line before the last."""
    grid = [[0] * shape.columns for _ in range(shape.rows)]
    player = first
    for number, move in enumerate(moves):
        row, column = divmod(move, shape.columns)
        assert grid[row][column] == 0
        if falling and row + 1 < shape.rows:
            assert grid[row + 1][column] != 0, "a piece hangs in the air"
        grid[row][column] = player
        cells = "".join(str(cell) for line in grid for cell in line)
        assert bool(completed(shape, cells)) == (number == len(moves) - 1)
        player = 3 - player
    return cells


def flipped(grid: list[list[int]], row: int, column: int, player: int) -> list[tuple[int, int]]:
    """The discs a move would turn."""
    if grid[row][column]:
        return []
    turned = []
    for dr, dc in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        path, y, x = [], row + dr, column + dc
        while 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] == 3 - player:
            path.append((y, x))
            y, x = y + dr, x + dc
        if 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] == player:
            turned += path
    return turned


def can_move(grid: list[list[int]], player: int) -> bool:
    return any(flipped(grid, r, c, player) for r in range(len(grid)) for c in range(len(grid[0])))


def replay_reversi(shape: BoardShape, moves: Sequence[int], first: int) -> str:
    """Play the moves from the start; a side that cannot move passes; at the end neither can."""
    grid = [[0] * shape.columns for _ in range(shape.rows)]
    top, left = (shape.rows - 2) // 2, (shape.columns - 2) // 2
    grid[top][left + 1] = grid[top + 1][left] = first
    grid[top][left] = grid[top + 1][left + 1] = 3 - first
    player = first
    for move in moves:
        if not can_move(grid, player):
            player = 3 - player
        row, column = divmod(move, shape.columns)
        turned = flipped(grid, row, column, player)
        assert turned, "a move that turns nothing"
        for y, x in [*turned, (row, column)]:
            grid[y][x] = player
        player = 3 - player
    assert not can_move(grid, 1)
    assert not can_move(grid, 2)
    return "".join(str(cell) for line in grid for cell in line)


@some_of(("game", "size"), KINDS, 5)
def test_boards_come_about_by_legal_play(game: str, size: str) -> None:
    shape = GAMES[game].shape(size)
    for state in some(game, size):
        if game == "dots_boxes":
            assert "0" not in state.cells
            assert state.moves == ()
        elif game == "reversi":
            assert replay_reversi(shape, state.moves, state.first) == state.cells
        else:
            assert replay_lines(shape, state.moves, state.first, game == "connect4") == state.cells


def test_either_player_may_have_moved_first() -> None:
    for game in ("tictactoe", "reversi", "connect4"):
        assert set(Counter(state.first for state in some(game, "small"))) == {1, 2}


# ---- quotas and balance


@pytest.mark.parametrize(("game", "size"), KINDS)
def test_winners_names_and_boards(game: str, size: str) -> None:
    states = some(game, size)
    shape = GAMES[game].shape(size)
    won = [winner(GAMES[game], shape, state.cells) for state in states]
    assert len({state.cells for state in states}) == 24
    # Winners are balanced in every pair, and against the order of names in every four.
    assert all(sorted(won[i : i + 2]) == [1, 2] for i in range(0, 24, 2))
    for i in range(0, 24, 4):
        four = list(zip(won[i : i + 4], states[i : i + 4], strict=True))
        assert len({(who, state.named) for who, state in four}) == 4
    assert all(set(state.named) == {1, 2} and len(set(state.glyphs)) == 2 for state in states)


@pytest.mark.parametrize(("game", "size"), [kind for kind in KINDS if GAMES[kind[0]].decided_by == "line"])
def test_line_games_end_with_equal_counts_one_line_and_due_directions(game: str, size: str) -> None:
    shape = GAMES[game].shape(size)
    cycle = 2 * len(fresh.strata(GAMES[game], size))
    states = some(game, size, cycle)
    assert all(margin(state.cells) == 0 for state in states)
    held = [completed(shape, state.cells) for state in states]
    assert all(len(found) == 1 for found in held)
    seen = Counter(lines(shape)[line] for found in held for line in found)
    due = Counter(lines(shape).values())
    assert {pattern: seen[pattern] * len(lines(shape)) for pattern in due} == {p: due[p] * cycle for p in due}


@pytest.mark.parametrize(("game", "size"), [kind for kind in KINDS if GAMES[kind[0]].decided_by == "count"])
def test_leads_are_small_and_spread(game: str, size: str) -> None:
    most = GAMES[game].shape(size).area // 5
    leads = [abs(margin(state.cells)) for state in some(game, size)]
    assert min(leads) > 0
    assert Counter(-(-3 * lead // most) for lead in leads) == {1: 8, 2: 8, 3: 8}


def test_the_small_set_of_lines_is_exactly_balanced() -> None:
    states = some("tictactoe", "small", 320)
    shape = GAMES["tictactoe"].shape("small")
    assert len({state.cells for state in states}) == 320
    found = [next(iter(completed(shape, state.cells).items())) for state in states]
    assert set(Counter(found).values()) == {20}  # each line, for each player
    for cell in range(9):
        owners = Counter((state.cells[cell], who) for state, (_, who) in zip(states, found, strict=True))
        assert owners["1", 1] == owners["2", 1]
        assert owners["2", 2] == owners["1", 2]


def test_more_states_than_there_are() -> None:
    with pytest.raises(UserError, match=r"only 320 exist; ask for fewer \(--n 320\) or a larger size"):
        next(fresh.states(GAMES["tictactoe"], "small", 321, 0))


def test_a_space_that_is_used_up_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [fresh.Ending("1" * 20 + "2" * 16, third) for third in ("close", "middling", "clear")]
    monkeypatch.setattr(fresh, "candidates", lambda game, shape, source: iter(few * 1000))
    with pytest.raises(UserError, match=r"only [2-6] exist"):
        list(fresh.states(GAMES["dots_boxes"], "small", 20, 0))


# ---- identity


def test_items_do_not_depend_on_how_many_are_asked_for() -> None:
    for game in GAMES:
        assert list(fresh.states(GAMES[game], "small", 6, 5)) == list(some(game, "small")[:6])


def test_seeds_make_different_states() -> None:
    for game in GAMES:
        one, other = ({state.cells for state in some(game, "medium", 16, seed)} for seed in (1, 2))
        assert not one & other


def test_same_states_in_every_process() -> None:
    code = (
        "from snellen.tasks.fixation import fresh; from snellen.tasks.fixation.games import GAMES\n"
        "print([s for g in GAMES.values() for s in fresh.states(g, 'small', 8, 5)])"
    )
    here = str([state for game in GAMES for state in some(game, "small")[:8]])
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == here


def test_known_states() -> None:
    """Pinned, so that a change of the generator is noticed: it would be another version of the task."""
    assert some("tictactoe", "small")[0].cells == "100212021"
    assert some("reversi", "small")[0].cells == "1111211112111221122222222"
    assert some("connect4", "small")[0].cells == "1122221211122112"
    assert some("dots_boxes", "small")[0].cells == "211212111121122222111121122222121222"


@pytest.mark.soak
def test_shipped_tilts_are_those_that_fit() -> None:
    """A small new sample comes to nearly the same tilts as the table: it belongs to this generator."""
    tilt, most = fit(GAMES["connect4"], "small", 3000)
    shipped = fresh._balance("connect4", "small")
    assert max(abs(a - b) for a, b in zip(tilt, shipped["tilt"], strict=True)) < 0.12
    assert most == pytest.approx(shipped["most"], abs=0.15)
    assert max(map(abs, shipped["tilt"])) > 0.4  # so a table of zeros would not pass
