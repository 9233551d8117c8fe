"""What answers say of threshold, slope and lapse is Bayes' rule, no more and no less."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.answer import OUTCOMES
from snellen.psychometric import Counts, Marginal, Posterior, PosteriorGrid, Psychometric, count, fit_test, posterior
from snellen.psychometric.posterior import STEP

GRID = PosteriorGrid(0.0, 1.0, 0.1)
LEVELS = [round(0.1 * k, 1) for k in range(11)]

histories = st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(OUTCOMES)), max_size=40)


def expected_counts(function: Psychometric, each: int) -> dict[float, Counts]:
    right = {x: round(each * float(function(x))) for x in LEVELS}
    return {x: Counts(n, each - n) for x, n in right.items()}


def drawn_counts(function: Psychometric, each: int, seed: int) -> dict[float, Counts]:
    source = np.random.default_rng(seed)
    right = {x: int(source.binomial(each, float(function(x)))) for x in LEVELS}
    return {x: Counts(n, each - n) for x, n in right.items()}


@settings(max_examples=20)
@given(histories, st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(history: list, source: object) -> None:
    mixed = list(history)
    source.shuffle(mixed)  # type: ignore[attr-defined]
    assert count(mixed) == count(history)


@settings(max_examples=20)
@given(histories)
def test_unread_answers_are_counted_and_say_nothing(history: list) -> None:
    read = [(x, outcome) for x, outcome in history if outcome != "unread"]
    assert np.allclose(posterior(GRID, count(history)).masses, posterior(GRID, count(read)).masses, atol=1e-15)
    assert sum(each.unread for each in count(history).values()) == len(history) - len(read)


def test_masses_are_those_of_bayes_rule_point_by_point() -> None:
    tally = {0.2: Counts(1, 3), 0.5: Counts(4, 2, 5), 0.9: Counts(6, 1)}
    found = posterior(GRID, tally)
    prior = GRID.prior().reshape(GRID.shape)
    masses = found.masses.reshape(GRID.shape)

    def log_mass(t: int, s: int, k: int) -> float:
        likelihood = log(prior[t, s, k])
        for x, counts in tally.items():
            threshold, slope, lapse = GRID.thresholds[t], GRID.slopes[s], GRID.lapses[k]
            right = 0.1 + (0.9 - lapse) * (1 - exp(-(10 ** (slope * (x - threshold)))))
            likelihood += counts.right * log(right) + counts.wrong * log(1 - right)
        return likelihood

    points = [(44, 3, 1), (40, 2, 4), (47, 1, 2), (38, 5, 6), (50, 4, 3)]
    first = points[0]
    for point in points[1:]:
        assert log(masses[point] / masses[first]) == pytest.approx(log_mass(*point) - log_mass(*first), abs=1e-6)
    assert found.masses.sum() == pytest.approx(1)


def test_before_any_answer_thresholds_are_equally_likely_and_small_lapses_likeliest() -> None:
    nothing = posterior(GRID, {})
    assert np.allclose(nothing.threshold.masses, 1 / len(GRID.thresholds))
    assert 0.05 < nothing.lapse.beyond(0.3) < 0.15
    assert nothing.threshold.mean == pytest.approx(0.5)


@pytest.mark.parametrize("falling", [False, True])
def test_many_answers_find_the_function_they_come_from(falling: bool) -> None:
    truth = Psychometric(0.55, 4.0, 0.1, 0.05, falling)
    grid = PosteriorGrid(0.0, 1.0, 0.1, falling)
    found = posterior(grid, expected_counts(truth, 4000))
    assert found.threshold.mean == pytest.approx(0.55, abs=0.01)
    assert found.slope.mean == pytest.approx(4.0, abs=0.3)
    assert found.lapse.mean == pytest.approx(0.05, abs=0.01)
    best = found.likeliest()
    assert (best.threshold, best.slope, best.lapse) == pytest.approx((0.55, 4.0, 0.05))
    assert (best.chance, best.falling) == (0.1, falling)


def test_more_answers_make_surer() -> None:
    truth = Psychometric(0.5, 4.0, 0.1, 0.02)
    few, many = (posterior(GRID, expected_counts(truth, each)).threshold for each in (5, 50))
    assert many.sd < few.sd / 2
    assert few.interval(0.5)[0] > few.interval(0.95)[0]


def test_no_answer_is_impossible() -> None:
    open_answer = PosteriorGrid(0.0, 1.0, 0.0)
    found = posterior(open_answer, {0.0: Counts(500, 0), 1.0: Counts(0, 500)})
    assert np.isfinite(found.masses).all()
    assert found.masses.sum() == pytest.approx(1)


def test_with_two_alternatives_a_lapse_leaves_something_to_see() -> None:
    assert PosteriorGrid(0, 1, 0.5).lapses.max() == 0.4
    assert PosteriorGrid(0, 1, 0.1).lapses.max() == 0.6


@pytest.mark.parametrize("wrong", [(1.0, 0.0, 0.1), (0.0, 0.0, 0.1), (0.0, 1.0, 0.6), (0.0, 1.0, -0.1)])
def test_a_grid_of_nothing_is_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        PosteriorGrid(*wrong)


@settings(max_examples=30)
@given(st.lists(st.floats(0.001, 1), min_size=3, max_size=30), st.floats(0.05, 0.99))
def test_an_interval_holds_the_share_it_says(weights: list[float], share: float) -> None:
    masses = np.array(weights, np.float64) / sum(weights)
    marginal = Marginal(np.arange(len(masses), dtype=np.float64) * 0.1, masses)
    low, high = marginal.interval(share)
    assert marginal.beyond(low) - marginal.beyond(high) == pytest.approx(share)
    assert marginal.beyond(high) == pytest.approx((1 - share) / 2)


def test_the_difference_of_two_adds_means_and_variances() -> None:
    first = posterior(PosteriorGrid(0.0, 1.0, 0.1), {0.5: Counts(5, 3), 0.8: Counts(8, 0)}).threshold
    second = posterior(PosteriorGrid(-0.31, 1.8, 0.25), {0.1: Counts(5, 3), 0.3: Counts(8, 0)}).threshold
    between = first - second
    assert between.masses.sum() == pytest.approx(1)
    assert between.mean == pytest.approx(first.mean - second.mean)
    assert between.sd**2 == pytest.approx(first.sd**2 + second.sd**2)
    source = np.random.default_rng(0)
    drawn = source.choice(first.values, 40_000, p=first.masses) - source.choice(second.values, 40_000, p=second.masses)
    assert between.interval() == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=2 * STEP)


def test_grids_of_other_steps_are_not_subtracted() -> None:
    other = Marginal(np.array([0.0, 0.1, 0.2]), np.array([0.2, 0.5, 0.3]))
    with pytest.raises(ValueError, match="same step"):
        posterior(GRID, {}).threshold - other


def test_the_band_lies_around_the_curve_and_narrows_with_answers() -> None:
    truth = Psychometric(0.5, 4.0, 0.1, 0.02)
    widths = []
    for each in (6, 60):
        mean, low, high = posterior(GRID, expected_counts(truth, each)).curve(LEVELS)
        assert (low <= mean).all()
        assert (mean <= high).all()
        assert (low - 0.02 <= truth(LEVELS)).all()
        assert (truth(LEVELS) <= high + 0.02).all()
        widths.append(float((high - low).mean()))
    assert widths[1] < widths[0] / 2


def test_the_band_is_that_of_functions_drawn_from_the_posterior() -> None:
    found = posterior(GRID, expected_counts(Psychometric(0.5, 4.0, 0.1, 0.02), 6))
    points = np.random.default_rng(0).choice(len(found.masses), 20_000, p=found.masses)
    drawn = GRID.shares([0.4])[0, points]
    mean, low, high = found.curve([0.4])
    assert (mean[0], low[0], high[0]) == pytest.approx((drawn.mean(), *np.quantile(drawn, [0.025, 0.975])), abs=0.02)


def fits(found: Posterior) -> bool:
    return fit_test(found) > 0.05


def test_answers_of_a_psychometric_function_fit_one() -> None:
    truth = Psychometric(0.5, 4.0, 0.1, 0.05)
    fitting = [fits(posterior(GRID, drawn_counts(truth, 12, seed))) for seed in range(20)]
    assert fitting.count(True) >= 17


def test_answers_that_come_and_go_with_size_fit_none() -> None:
    odd = {x: Counts(12, 0) if k % 2 else Counts(1, 11) for k, x in enumerate(LEVELS)}
    assert fit_test(posterior(GRID, odd)) < 0.01


def test_the_fit_test_is_the_same_for_the_same_seed_and_silent_without_answers() -> None:
    found = posterior(GRID, drawn_counts(Psychometric(0.5, 4.0, 0.1, 0.05), 12, 3))
    assert fit_test(found, seed=1) == fit_test(found, seed=1)
    assert len({fit_test(found, seed=seed) for seed in range(5)}) > 1
    assert fit_test(posterior(GRID, {})) == 1.0
