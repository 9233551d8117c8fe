"""The processing tree engine: reading trees, probabilities, fitting."""

import numpy as np
import pytest
from snellen.analysis.tree import TreeError, climb, fit, log_likelihood, parse, probabilities, slopes

COIN = "[toss]\nheads: p\ntails: (1-p)"
FIXATION = """
[1]
12: see*map + (1-see)*guess*(1-guess)   # both right
11: see*(1-map) + (1-see)*guess*guess
22: (1-see)*(1-guess)*(1-guess)
21: (1-see)*(1-guess)*guess
[2]
21: see*map + (1-see)*(1-guess)*guess
22: see*(1-map) + (1-see)*(1-guess)*(1-guess)
11: (1-see)*guess*guess
12: (1-see)*guess*(1-guess)
"""


def test_a_tree_is_read_as_written():
    tree = parse(FIXATION)
    assert tree.parameters == ("see", "map", "guess")
    assert tree.roots == ("1", "2")
    p = probabilities(tree, np.array([[0.8, 0.25, 0.6]]))[0]
    assert p[tree.index("1", "12")] == pytest.approx(0.8 * 0.25 + 0.2 * 0.6 * 0.4)
    assert p[tree.index("2", "22")] == pytest.approx(0.8 * 0.75 + 0.2 * 0.4 * 0.4)
    assert p[tree.index("2", "11")] == pytest.approx(0.2 * 0.36)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no categories"),
        ("heads: p", "line 1"),
        ("[toss]\nheads p", "line 2"),
        ("[toss]\nheads: __import__('os')\ntails: (1-p)", "line 2"),
        ("[toss]\nheads: p**2\ntails: (1-p)", "line 2"),
        ("[toss]\nheads: p\ntails: p", "do not sum to one"),
        ("[toss]\nheads: 0.5*p\ntails: 0.5*(1-p)", "do not sum to one"),
    ],
)
def test_what_is_not_a_tree_is_refused_and_never_run(text, said):
    with pytest.raises(TreeError, match=said):
        parse(text)


def test_a_coin_is_fitted_exactly():
    counts = np.array([[3.0, 7.0], [0.0, 5.0], [6.0, 0.0]])
    assert fit(parse(COIN), counts)[:, 0] == pytest.approx([0.3, 0.0, 1.0], abs=1e-6)


def test_expected_counts_give_back_the_parameters():
    tree = parse(FIXATION)
    rng = np.random.default_rng(4)
    true = rng.uniform(0.1, 0.9, (200, 3))
    found = fit(tree, 1000 * probabilities(tree, true))
    assert np.abs(found - true).max() < 2e-3


def test_fitting_never_ends_below_any_of_many_random_points():
    tree = parse(FIXATION)
    rng = np.random.default_rng(5)
    counts = rng.multinomial(60, np.full(8, 1 / 8), 30).astype(float)
    best = log_likelihood(tree, counts, fit(tree, counts))
    for point in rng.uniform(0, 1, (500, 3)):
        assert (log_likelihood(tree, counts, np.tile(point, (30, 1))) <= best + 1e-6).all()


def test_a_held_parameter_stays():
    tree = parse(FIXATION)
    counts = np.full((1, 8), 10.0)
    held = np.array([[True, False, False]])
    assert climb(tree, counts, np.array([[0.37, 0.5, 0.5]]), held)[0, 0] == 0.37


def test_slopes_are_the_derivatives():
    tree, point, step = parse(FIXATION), np.array([[0.7, 0.4, 0.3]]), 1e-6
    for k in range(3):
        up, down = point.copy(), point.copy()
        up[0, k] += step
        down[0, k] -= step
        numeric = (probabilities(tree, up) - probabilities(tree, down)) / (2 * step)
        assert slopes(tree, point)[0, :, k] == pytest.approx(numeric[0], abs=1e-6)
