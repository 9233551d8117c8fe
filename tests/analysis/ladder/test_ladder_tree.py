"""The processing tree that a ladder implies, against ways of computing the same that share nothing with it."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.analysis.ladder.fitting import critical, estimate
from snellen.analysis.ladder.joint import joint_of
from snellen.analysis.ladder.likelihood import TreeLikelihood
from snellen.analysis.ladder.misfit import fits
from snellen.analysis.ladder.steps import steps_of
from snellen.analysis.ladder.tree import TreeLoss, merged, patterns_of, tree_of
from snellen.charts.blocks import Value
from support.ladder_rows import ladder_rows, nested, result_of
from support.lengths import some_of

LINE = (("attention",), ("thinking",), ("eyes",), ("habit",))
SHORT = LINE[:3]
share = st.floats(0, 1)


@pytest.mark.parametrize("items", [8, 20, 60, 1000])
def test_intervals_are_more_generous_than_the_usual_amount(items):
    """Likelihood may fall by a tenth more than Student's t has it before an end is reached: the usual amount is right
    for many items, and with tens of them intervals must be more generous to hold."""
    usual = scipy.stats.t.ppf(0.975, items - 1)
    assert critical(items) ** 2 == pytest.approx(1.1 * usual**2)


def drawn(n, units, luck, *, slip=0.0, think=0.0, see=0.0, habit=0.0, rungs=4, seed=0):
    """Items x units x rungs, of a subject that fails whole items at the steps after the first, slips by call, and
    guesses where it fails."""
    rng = np.random.default_rng([seed, n, units])
    fails = [rng.random(n) < rate for rate in (think, see, habit)]
    outcomes = np.zeros((n, units, rungs), dtype=np.int64)
    for rung in range(rungs):
        knows = ~(fails[0] & (rung >= 1)) & ~(fails[1] & (rung >= 2))
        attends = rng.random((n, units)) >= slip
        known = knows[:, None] & attends
        outcomes[:, :, rung] = np.where(known, ~(fails[2][:, None] & (rung == 3)), rng.random((n, units)) < luck)
    return outcomes


# The probability of a pattern, written out


def chance_by_hand(theta, outcomes, luck, *, units, line):
    """The probability of an item's outcomes (units x rungs): every fate of the item and of each unit in turn."""
    losses = dict(zip(line, theta, strict=False))
    whole_share = theta[len(line)] if units > 1 else 1.0
    slip = losses["attention"]
    fates = [name for name in line if name != "attention"]

    def right(fate, rung):
        if fate == "none" or rung < line.index(fate):
            return 1 - slip + slip * luck
        return slip * luck if fate == "habit" else luck

    def of_unit(fate, unit):
        return np.prod(
            [right(fate, k) if outcomes[unit][k] else 1 - right(fate, k) for k in range(len(line))], dtype=float
        )

    whole = {fate: whole_share * losses[fate] / (1 - slip) for fate in fates}
    spared = 1 - sum(whole.values())
    single = {fate: (1 - whole_share) * losses[fate] / (1 - slip) / spared if spared > 0 else 0.0 for fate in fates}
    single["none"] = 1 - sum(single.values())
    struck = sum(whole[fate] * np.prod([of_unit(fate, unit) for unit in range(units)]) for fate in fates)
    return struck + spared * np.prod(
        [sum(part * of_unit(fate, unit) for fate, part in single.items()) for unit in range(units)]
    )


@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("luck", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("theta", [(0.1, 0.2, 0.15, 0.25, 0.6), (0.0, 0.0, 0.4, 0.0, 1.0), (0.3, 0.1, 0.1, 0.3, 0.0)])
def test_chances_are_those_of_all_fates_and_sum_to_one(units, luck, theta):
    every = np.array(list(product((0, 1), repeat=4 * units))).reshape(-1, units, 4)
    tree = tree_of(LINE, nested=units > 1)
    patterns = merged(every, np.full(len(every), luck), np.ones(len(every)))
    point = np.array(theta[: tree.size])
    chances = TreeLikelihood(tree, patterns).chances(point)
    by_hand = [
        chance_by_hand(theta, pattern, luck, units=units, line=[names[0] for names in LINE])
        for pattern in patterns.outcomes
    ]
    assert chances == pytest.approx(np.array(by_hand), abs=1e-9)
    assert (chances * patterns.count).sum() == pytest.approx(1, abs=1e-9)


@given(st.lists(share, min_size=4, max_size=4), share, st.sampled_from((0.0, 0.25, 0.5)))
@settings(max_examples=40, deadline=None)
def test_parameters_are_the_losses_of_the_steps(weights, whole, luck):
    """What the tree expects of each rung, luck taken out as the steps do it, falls by the parameter at each step."""
    losses = np.array(weights) / max(1.25 * sum(weights), 1)
    every = np.array(list(product((0, 1), repeat=8))).reshape(-1, 2, 4)
    patterns = merged(every, np.full(len(every), luck), np.ones(len(every)))
    tree = tree_of(LINE)
    chances = TreeLikelihood(tree, patterns).chances(np.array([*losses, whole])) * patterns.count
    accuracy = chances @ patterns.outcomes.mean(1)
    solved = (accuracy[:3] - luck) / (1 - luck)
    falls = np.append(-np.diff([1, *solved]), accuracy[2] - accuracy[3])
    assert falls == pytest.approx(losses, abs=1e-5)


def test_a_tree_has_a_part_for_every_kind_of_loss_at_a_step():
    assert tree_of(LINE).parts == (TreeLoss("slip", 0), TreeLoss("fail", 1), TreeLoss("fail", 2), TreeLoss("habit", 3))
    assert tree_of([("attention", "thinking"), ("habit",)]).parts == (
        TreeLoss("slip", 0),
        TreeLoss("fail", 0),
        TreeLoss("habit", 1),
    )
    beside = tree_of(LINE, [("attention", "thinking"), ("attention", "thinking", "habit")])
    assert beside.falls[0] == (False, True, True, True, True, True)
    assert beside.falls[1] == (False, False, True, True, False, False)
    assert beside.yields == (5,)


def test_the_slope_is_that_of_finite_differences():
    patterns = patterns_of(drawn(60, 2, 0.5, slip=0.1, think=0.2, see=0.3, habit=0.2), np.full(60, 0.5))
    tree = tree_of(LINE)
    model = TreeLikelihood(tree, patterns)
    theta = np.array([0.08, 0.15, 0.2, 0.12, 0.7])
    step = 1e-6 * np.eye(tree.size)
    finite = [(model.value(theta + one) - model.value(theta - one)) / 2e-6 for one in step]
    assert model.slope(theta) == pytest.approx(np.array(finite), rel=1e-5, abs=1e-4)


# Intervals


def profile_by_force(tree, patterns, step, value, *, starts=3, seed=0):
    """The best likelihood with a step's loss at a value, from many starts, by a search without derivatives of ours: the
    other losses as a softmax, the rest as logits, so that no constraint is left."""
    model = TreeLikelihood(tree, patterns)
    member = tree.of_step(step)[: len(tree.parts)] > 0
    others = np.flatnonzero(~member)
    rest = tree.size - len(tree.parts)
    assert member.sum() == 1

    def point(x):
        weights = np.exp(np.append(np.clip(x[: len(others)], -60, 60), 0.0))
        losses = np.zeros(len(tree.parts))
        losses[member] = value
        losses[others] = (1 - 1e-4 - value) * weights[:-1] / weights.sum()
        return np.concatenate([losses, scipy.special.expit(x[len(others) :])])

    rng = np.random.default_rng(seed)
    best = -np.inf
    for k in range(starts):
        start = np.concatenate([rng.normal(-2, 2, len(others)), rng.normal(1, 2, rest)])
        found = scipy.optimize.minimize(
            lambda x: -model.value(point(x)), start, method="L-BFGS-B", bounds=[(-40, 40)] * len(start)
        )
        if k == 0:
            found = scipy.optimize.minimize(
                lambda x: -model.value(point(x)), found.x, method="Nelder-Mead", options={"maxiter": 600}
            )
        best = max(best, -found.fun)
    return best


DATA = {
    "nothing wrong": (40, 2, 0.5, {}),
    "everything lost": (40, 2, 0.5, {"think": 1.0}),
    "numbers": (50, 1, 0.0, {"think": 0.2, "see": 0.3}),
    "four options": (60, 1, 0.25, {"slip": 0.1, "see": 0.4}),
    "two options": (60, 2, 0.5, {"slip": 0.2, "think": 0.3}),
    "four units": (40, 4, 0.5, {"slip": 0.05, "think": 0.2, "see": 0.2}),
}


@cache
def fitted(name):
    n, units, luck, how = DATA[name]
    patterns = patterns_of(drawn(n, units, luck, rungs=3, **how), np.full(n, luck))
    tree = tree_of(SHORT, nested=units > 1)
    return tree, patterns, estimate(tree, patterns)


@some_of("name", DATA, 4)
def test_ends_are_where_the_profile_crosses_the_floor(name):
    """Just inside an end the profile is above the floor, just outside below: to 1e-4 of the items."""
    tree, patterns, found = fitted(name)
    top = TreeLikelihood(tree, patterns).value(found.theta)
    floor = top - critical(patterns.items) ** 2 / 2
    for step, (value, low, high) in enumerate(found.losses):
        at_value = profile_by_force(tree, patterns, step, value)
        assert at_value <= top + 1e-6, "the fit is the best there is"
        for end, outward in ((low, -1e-4), (high, 1e-4)):
            if 1e-4 < end < 1 - 2e-4:
                assert profile_by_force(tree, patterns, step, end - outward) >= floor - 1e-3
                assert profile_by_force(tree, patterns, step, end + outward) <= floor + 1e-6
            elif end <= 1e-4:
                assert profile_by_force(tree, patterns, step, 0.0) >= floor - 1e-3


@pytest.mark.parametrize("name", DATA)
def test_intervals_stay_within_zero_and_one_and_are_never_of_width_zero(name):
    _, _, found = fitted(name)
    for value, low, high in found.losses:
        assert 0 <= low <= value + 1e-6
        assert value - 1e-6 <= high <= 1
        assert high - low > 0.005, "certainty is not to be had from so few items"
    assert sum(value for value, _, _ in found.losses) <= 1 + 1e-9


@given(
    st.integers(8, 14),
    st.sampled_from((1, 2)),
    st.sampled_from((0.0, 0.25, 0.5)),
    st.tuples(*[st.sampled_from((0.0, 0.3, 1.0))] * 3),
    st.integers(0, 10**6),
)
@settings(max_examples=12, deadline=None)
def test_losses_are_shares_that_sum_to_one_at_most_with_their_intervals_around_them(n, units, luck, how, seed):
    slip, think, see = how
    outcomes = drawn(n, units, luck, slip=slip, think=think, see=see, rungs=3, seed=seed)
    found = estimate(tree_of(SHORT, nested=units > 1), patterns_of(outcomes, np.full(n, luck)))
    assert sum(value for value, _, _ in found.losses) <= 1 + 1e-9
    for value, low, high in found.losses:
        assert 0 <= low <= value + 1e-6
        assert value - 1e-6 <= high <= 1
        assert high - low > 0


def test_the_same_items_in_another_order_give_the_same_digits():
    outcomes = drawn(50, 2, 0.5, slip=0.1, think=0.2, see=0.3, rungs=3)
    order = np.random.default_rng(1).permutation(50)
    tree = tree_of(SHORT)
    one = estimate(tree, patterns_of(outcomes, np.full(50, 0.5)))
    other = estimate(tree, patterns_of(outcomes[order][:, ::-1], np.full(50, 0.5)))
    assert one.losses == other.losses


PLANTED = [{"slip": 0.3}, {"think": 0.4}, {"see": 0.5}, {"habit": 0.6}, {"slip": 0.1, "think": 0.2, "see": 0.3}]


@pytest.mark.parametrize("planted", PLANTED)
def test_what_was_planted_lies_in_the_intervals(planted):
    slip, think, see, habit = (planted.get(name, 0.0) for name in ("slip", "think", "see", "habit"))
    truth = [slip, (1 - slip) * think, (1 - slip) * (1 - think) * see, (1 - slip) * (1 - think) * (1 - see) * habit]
    patterns = patterns_of(drawn(150, 2, 0.5, seed=2, **planted), np.full(150, 0.5))
    tree = tree_of(LINE)
    found = estimate(tree, patterns)
    model = TreeLikelihood(tree, patterns)
    assert model.value(found.theta) >= model.value(np.array([*truth, 1.0])) - 1e-6
    for (_, low, high), true in zip(found.losses, truth, strict=True):
        assert low - 1e-9 <= true <= high + 1e-9
    assert fits(tree, patterns, found.theta, 0)[0]


def test_more_items_in_one_observation_widen_the_interval():
    patterns = patterns_of(drawn(100, 1, 0.5, see=0.5, rungs=3), np.full(100, 0.5))
    tree = tree_of(SHORT, nested=False)
    (_, low, high), (_, wide_low, wide_high) = (
        estimate(tree, patterns, inflation=inflation).losses[2] for inflation in (1.0, 4.0)
    )
    assert wide_high - wide_low > 1.5 * (high - low)


def test_too_few_items_are_not_fitted():
    patterns = patterns_of(drawn(7, 1, 0.5), np.full(7, 0.5))
    assert estimate(tree_of(LINE, nested=False), patterns) is None
    assert estimate(tree_of([("attention",)]), patterns_of(drawn(40, 1, 0.5, rungs=1), np.full(40, 0.5))) is None


def test_slips_are_bounded_by_what_was_missed_when_told():
    patterns = patterns_of(drawn(60, 2, 0.5, slip=0.3, rungs=3), np.full(60, 0.5))
    (value, _, high), *_ = estimate(tree_of(SHORT), patterns, most_slips=0.1).losses
    assert value <= 0.1 + 1e-9
    assert high <= 0.1 + 1e-9


def test_who_breaks_the_tree_is_found_out():
    """Right in pictures exactly where it is wrong in words: half are right on each, and never both."""
    outcomes = np.ones((100, 1, 3), dtype=np.int64)
    outcomes[:50, 0, 1] = 0
    outcomes[50:, 0, 2] = 0
    patterns = patterns_of(outcomes, np.zeros(100))
    tree = tree_of(SHORT, nested=False)
    fit, p = fits(tree, patterns, estimate(tree, patterns).theta, 0)
    assert not fit
    assert p < 0.01


def test_a_tree_that_contradicts_its_steps_is_not_used():
    """Whatever it says: the steps speak."""
    result = result_of(
        ladder_rows(n=60, see=0.5, given=("a", "b"), rungs=("told", "words", "pictures")), nested("a", "b")
    )
    steps = list(steps_of(result, result.line, 0).steps)
    assert joint_of(result, steps, 0).is_used
    steps[2] = replace(steps[2], loss=Value(0.02, 0.0, 0.05, 120))
    found = joint_of(result, steps, 0)
    assert [step.faculties for step in found.contradicts] == [("eyes",)]
    assert not found.is_used
