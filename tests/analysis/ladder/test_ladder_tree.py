"""The processing tree that a ladder implies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladder_rows import PUT, climb_of, ladder_rows

from snellen.analysis.ladder.steps import steps_of
from snellen.analysis.ladder.tree import MANY, Part, Patterns, Tree, enumerated, fit, likelihood, patterns_of, tree_of

TREE = Tree(4, (Part("slip", 0), Part("fail", 1), Part("fail", 2), Part("habit", 3)))
share = st.floats(0, 1)


def fitted(rows, seed=0):
    climb = climb_of(rows)
    steps = steps_of(climb, 0)
    found = fit(steps.steps, steps.line, climb.luck, 1.0, seed)
    assert found is not None
    return found, patterns_of(steps.line, climb.luck)


def all_patterns(read, luck):
    """One pattern seen, so that all that are asked like it can be enumerated."""
    read = np.array([read], dtype=float)
    return enumerated(Patterns(read, np.zeros_like(read), np.array([luck]), np.ones(1)))


@given(
    st.lists(share, min_size=5, max_size=5),
    st.tuples(*[st.integers(0, 2)] * 4),
    st.sampled_from((0.0, 0.25, 0.5)),
)
@settings(max_examples=60, deadline=None)
def test_the_chances_of_all_patterns_sum_to_one(weights, read, luck):
    losses = np.array(weights[:4]) / max(sum(weights[:4]), 1)
    every, _, ways = all_patterns(read, luck)
    chances = TREE.chances(np.array([[*losses, weights[4]]]), every)[0] * ways
    assert (chances >= -1e-12).all()
    assert chances.sum() == pytest.approx(1, abs=1e-6)


@given(st.lists(share, min_size=4, max_size=4), share, st.sampled_from((0.0, 0.25, 0.5)))
@settings(max_examples=40, deadline=None)
def test_parameters_are_the_losses_of_the_steps(weights, own, luck):
    """What the tree expects of each rung, luck taken out as the steps do it, falls by the parameter at each step."""
    losses = np.array(weights) / max(1.25 * sum(weights), 1)
    every, _, ways = all_patterns((1, 1, 1, 1), luck)
    chances = TREE.chances(np.array([[*losses, own]]), every)[0] * ways
    accuracy = chances @ every.right
    solved = (accuracy[:3] - luck) / (1 - luck)
    falls = np.append(-np.diff([1, *solved]), accuracy[2] - accuracy[3])
    assert falls == pytest.approx(losses, abs=1e-5)


def test_a_tree_has_a_part_for_every_faculty_kind_of_a_step():
    whole = steps_of(climb_of(ladder_rows(n=10)), 0).steps
    assert tree_of(whole) == TREE
    two = steps_of(climb_of(ladder_rows(n=10, rungs=("pictures", "against"))), 0).steps
    assert tree_of(two).parts == (Part("slip", 0), Part("fail", 0), Part("habit", 1))
    assert tree_of(two).of_step(0).tolist() == [1, 1, 0, 0]


PLANTED = [
    {"attend": 0.7},
    {"think": 0.6},
    {"see": 0.5},
    {"follow": 0.4},
    {"attend": 0.9, "think": 0.8, "see": 0.7, "follow": 0.5},
]


@pytest.mark.parametrize("planted", PLANTED)
def test_the_fit_is_at_least_as_likely_as_what_was_planted(planted):
    found, patterns = fitted(ladder_rows(n=150, seed=1, **planted))
    attend, think, see, follow = (planted.get(name, 1.0) for name in ("attend", "think", "see", "follow"))
    truth = np.array(
        [1 - attend, attend * (1 - think), attend * think * (1 - see), attend * think * see * (1 - follow)]
    )
    for own in (0.0, 0.5, 1.0):
        best, true = (likelihood(found.tree, patterns, theta)[0] for theta in (found.theta, np.array([*truth, own])))
        assert best >= true - 1e-3
    for (value, low, high), true in zip(found.losses, truth, strict=True):
        assert low <= value <= high
        assert low <= true + 1e-9
        assert true - 1e-9 <= high
    assert found.fits


@pytest.mark.parametrize("planted", [{}, {"see": 0.0}, {"follow": 0.0}, {"attend": 0.0}, {"think": 0.0}])
def test_at_the_edges_intervals_stay_within_zero_and_one_and_open(planted):
    found, _ = fitted(ladder_rows(n=40, **planted))
    for value, low, high in found.losses:
        assert 0 <= low <= value + 1e-9
        assert value - 1e-9 <= high <= 1
        assert high - low > 0.005, "certainty is not to be had from 40 items"
    assert sum(value for value, _, _ in found.losses) <= 1 + 1e-9
    assert found.fits


def test_more_items_in_one_observation_widen_the_interval():
    climb = climb_of(ladder_rows(n=100, see=0.5))
    steps = steps_of(climb, 0)
    ends = [fit(steps.steps, steps.line, climb.luck, inflation, 0).losses[2] for inflation in (1.0, 4.0)]
    assert ends[1][2] - ends[1][1] > 1.5 * (ends[0][2] - ends[0][1])


def test_too_few_items_are_not_fitted():
    climb = climb_of(ladder_rows(n=7))
    steps = steps_of(climb, 0)
    assert fit(steps.steps, steps.line, climb.luck, 1.0, 0) is None


def test_who_breaks_the_tree_is_found_out():
    """Sees anew at each call: no item is one that was seen. Four calls of an item cannot agree so seldom."""
    rows = ladder_rows(n=200, calls=4, rungs=("words", "pictures"), options=())
    rng = np.random.default_rng(1)
    outcomes = ["right" if p == "words" or rng.random() < 0.5 else "wrong" for p in rows["paradigm"]]
    found, _ = fitted(rows.with_columns(outcome=np.array(outcomes)))
    assert not found.fits
    assert found.p < 0.01
    assert found.moved > 0.05


def test_patterns_are_counted_and_every_possible_one_is_enumerated():
    climb = climb_of(ladder_rows(n=50, see=0.5))
    patterns = patterns_of(climb.line, climb.luck)
    assert patterns.count.sum() == 50
    every, kind_of, ways = enumerated(patterns)
    assert len(ways) == 2 ** len(PUT)
    assert set(kind_of) == {0}
    assert every.count.sum() == 50
    assert all_patterns((MANY, 1, 1, 1), 0.5) is None
