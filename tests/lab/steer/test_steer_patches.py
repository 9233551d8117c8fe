"""Centroids and displacements: plain arithmetic."""

import numpy as np
import planted
import pytest

from snellen.lab.steer.patches import Patch, RecordedActivations, patch
from snellen.lab.steer.router import centroids, learn
from snellen.lab.steer.rows import Rows, split

ROWS = planted.rows()
PART = split(ROWS, 1)


def recorded(seed: int = 0) -> RecordedActivations:
    model = planted.Planted(ROWS, seed)
    return RecordedActivations((6, 7), *model.read(np.arange(len(ROWS)), (6, 7)))


@pytest.fixture(scope="module")
def made() -> Patch:
    own = recorded()
    return patch(ROWS, PART, 1, own, own)


def test_a_centroid_is_the_mean_of_those_answered_right_else_of_the_kind_else_of_the_rule() -> None:
    points = np.array([[1.0], [3.0], [10.0], [30.0], [100.0]])
    rule, answer = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 0, 0])
    right = np.array([True, False, False, False, False])
    found = centroids(points, rule, answer, right)
    assert found[0, 0, 0] == 1  # of 1 and 3, one was right
    assert found[1, 0, 0] == pytest.approx(140 / 3)  # none was right
    assert found[0, 1, 0] == 2  # there is no such row: all of the rule


def test_with_alpha_one_the_oracle_puts_the_centroid_in_place(made: Patch) -> None:
    own = recorded()
    here = own.hidden[1][PART.tested] + made.moves["oracle"]
    kinds = ROWS.rule[PART.tested] * 2 + ROWS.answer[PART.tested]
    for kind in range(4):
        assert np.ptp(here[kinds == kind], axis=0).max() < 1e-5
    learnt, right = PART.learnt, own.right(ROWS)[PART.learnt]
    kept = learnt[right & (ROWS.rule[learnt] == 1) & (ROWS.answer[learnt] == 0)]
    assert here[kinds == 2][0] == pytest.approx(own.hidden[1][kept].mean(axis=0), abs=1e-5)


def test_nothing_of_a_tested_state_is_learnt_from() -> None:
    own = recorded()
    other = RecordedActivations(own.layers, own.hidden.copy(), own.scores)
    other.hidden[:, PART.tested] += 1000
    first, second = (patch(ROWS, PART, 1, each, each).moves["means"] for each in (own, other))
    assert np.array_equal(first, second)


def test_random_moves_are_as_long_as_those_of_the_router_and_point_elsewhere(made: Patch) -> None:
    routed, random = made.moves["router"], made.moves["random"]
    assert np.linalg.norm(random, axis=1) == pytest.approx(np.linalg.norm(routed, axis=1))
    cosines = (routed * random).sum(axis=1) / np.linalg.norm(routed, axis=1) ** 2
    assert abs(cosines.mean()) < 0.1
    assert np.ptp(random[:, 0]) > 0


def test_the_difference_of_means_is_one_direction_for_all(made: Patch) -> None:
    assert np.ptp(made.moves["means"], axis=0).max() == 0
    assert made.moves["means"][0, planted.RULE] == pytest.approx(4, abs=0.4)


def test_a_patch_is_the_same_every_time(made: Patch) -> None:
    own = recorded()
    again = patch(ROWS, PART, 1, own, own)
    assert all(np.array_equal(again.moves[name], move) for name, move in made.moves.items())


def test_centroids_are_the_donors_own(made: Patch) -> None:
    given = patch(ROWS, PART, 1, recorded(), recorded(seed=5))
    assert np.array_equal(given.answer, made.answer)  # the router is of the target
    assert not np.allclose(given.moves["router"], made.moves["router"])


def test_the_answer_is_predicted_by_the_predicted_rule() -> None:
    """Two features: the rule, and a side that means the opposite under the other rule."""
    rule, side = (axis.ravel() for axis in np.meshgrid((0, 1), (0, 1), range(5), indexing="ij")[:2])
    points = np.stack([rule, side], axis=1) * 10.0
    router = learn(points, rule, rule ^ side)
    assert np.array_equal(router.route(points)[1], rule ^ side)  # no single plane could


def test_where_the_rule_settles_the_answer_the_second_stage_is_a_constant() -> None:
    rule = np.array([0, 1] * 10)
    router = learn(rule[:, None] * 5.0, rule, rule)
    assert [each.tolist() for each in router.route(np.array([[0.0], [5.0]]))] == [[0, 1], [0, 1]]


def test_rows_are_plain_columns() -> None:
    assert isinstance(ROWS, Rows)
    assert len(ROWS) == 160
