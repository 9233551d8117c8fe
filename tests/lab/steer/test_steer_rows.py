"""What is asked: rows of one shape for both tasks, and splits that share no state."""

from dataclasses import replace

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.lab.steer.rows import Rows, asked, batches, family, split


@pytest.fixture(scope="module")
def boards() -> Rows:
    return asked(family("fixation"), "reversi", 20, 0).rows


def test_a_board_is_asked_under_both_rules_for_both_sides_in_both_orders(boards: Rows) -> None:
    assert len(boards) == 8 * 20
    assert boards.labels == ("Black", "White")
    for rule in (0, 1):
        assert boards.answer[boards.rule == rule].mean() == 0.5  # nothing to gain from the rule alone


def test_an_animal_has_its_usual_legs_and_one_more() -> None:
    found = asked(family("bias"), "birds", 15, 0)
    rows = found.rows
    assert (rows.labels, rows.rules, found.written) == (("2", "3"), ("usual", "changed"), ("{2}", "{3}"))
    assert (rows.answer == rows.rule).all()
    assert np.bincount(rows.state).tolist() == [2] * 15
    assert len({name.split("/")[2] for name in rows.states}) == 6  # all kinds of birds take turns
    assert asked(family("bias"), "quadrupeds", 4, 0).rows.labels == ("4", "5")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_state_is_on_both_sides(boards: Rows, seed: int) -> None:
    one = split(boards, seed)
    learnt, tested = (set(boards.state[which]) for which in (one.learnt, one.tested))
    assert not learnt & tested
    assert (len(learnt), len(tested)) == (14, 6)
    assert sorted([*one.learnt, *one.tested]) == list(range(len(boards)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_boards_that_are_the_same_up_to_symmetry_are_on_one_side(seed: int) -> None:
    rows = asked(family("fixation"), "tictactoe", 60, 0).rows
    one = split(rows, seed)
    learnt, tested = ({rows.kin[k] for k in rows.state[which]} for which in (one.learnt, one.tested))
    assert not learnt & tested
    assert len(np.unique(rows.state[one.tested])) == 18
    assert len(learnt | tested) < 30  # else there were no twins to part


def test_a_side_is_never_empty_however_large_the_kins(boards: Rows) -> None:
    two = replace(boards, kin=("a",) * 9 + ("b",) * 11)
    assert len(split(two, 1).tested) == 8 * 9
    with pytest.raises(UserError, match="20 states are all the same up to symmetry"):
        split(replace(boards, kin=("a",) * 20), 1)


def test_seeds_split_differently_and_the_same_seed_alike(boards: Rows) -> None:
    assert split(boards, 1).tested.tolist() != split(boards, 2).tested.tolist()
    assert split(boards, 1).tested.tolist() == split(boards, 1).tested.tolist()


def test_batches_hold_every_row_once_and_rows_of_one_fate(boards: Rows) -> None:
    splits = [split(boards, seed) for seed in (1, 2, 3)]
    parts = batches(boards, splits, 10)
    assert sorted(np.concatenate(parts)) == list(range(len(boards)))
    assert max(map(len, parts)) == 10
    for part in parts:
        for one in splits:
            assert np.isin(part, one.tested).all() or not np.isin(part, one.tested).any()
    assert not any(np.isin(parts[-1], one.tested).any() for one in splits)


def test_more_states_than_there_are() -> None:
    with pytest.raises(UserError, match="states"):
        asked(family("fixation"), "tictactoe", 100_000, 0)


def test_too_few_states_to_split() -> None:
    with pytest.raises(UserError, match="--states 3: a study needs 4"):
        asked(family("fixation"), "tictactoe", 3, 0)


def test_names_nobody_knows() -> None:
    with pytest.raises(UserError, match="tictactoe"):
        asked(family("fixation"), "tictac", 10, 0)
    with pytest.raises(UserError, match="fixation"):
        family("fixatin")
