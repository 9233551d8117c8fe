"""The puzzle tree gives back what was put in, its intervals keep their word, its fit test has its size."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from marvel_rows import marvel_rows
from scipy import special
from snellen.analysis.inference import clustered, intervals, misfit, misfit_p
from snellen.analysis.marvel.trees import CELLS, ROOTS, TESTED, fit_all, joint, puzzle_tree
from snellen.analysis.tree import fit, probabilities

from snellen.analysis.marvel.puzzles import prepared
from snellen.analysis.rows import of_task

FIRST = (0.7, 0.1, 0.1, 0.1)


def simulate(rng, points, *, puzzles, group=1):
    """Tables of puzzles, one for each row (see, reason, first, guesses) of `points`; duplicates share what is seen and
    what is reasoned out."""
    see, reason, first = (points[:, k, None] for k in range(3))
    shape = (len(points), puzzles)
    home = np.arange(puzzles) // group
    key, second = rng.integers(0, 4, shape), rng.integers(0, 2, shape)
    seen = rng.random(shape)[:, home] < see
    solved = seen & (rng.random(shape)[:, home] < reason)
    guess = (rng.random(shape)[:, :, None] > np.cumsum(points[:, None, 3:6], -1)).sum(-1)
    took = (rng.random(shape) >= first).astype(int)
    right = np.where(seen, 1, took == second).astype(int)
    cell = ((key * 2 + second) * 2 + right) * 4 + np.where(solved, key, guess)
    groups = home[-1] + 1
    parts = np.zeros((len(points) * groups, CELLS))
    np.add.at(parts, ((np.arange(len(points))[:, None] * groups + home).ravel(), cell.ravel()), 1)
    return clustered(parts, np.repeat(np.arange(len(points)), groups), len(points))


def lower_bound(n, rate=0.95, error=1e-3):
    """Fewer successes than this in n would be a 1-in-1000 accident at the nominal rate."""
    counts = np.arange(n + 1)
    return counts[special.bdtr(counts, n, rate) > error][0] / n


def fits(*frames):
    return fit_all(joint(prepared(of_task(pl.concat(frames), "marvel"))))


@pytest.mark.parametrize("root", ROOTS)
def test_every_writing_of_the_tree_says_the_same(root):
    tree = puzzle_tree(root, 2)
    see, reason, first, guesses = 0.7, 0.6, 0.55, (0.1, 0.2, 0.3, 0.4)
    shares = {"solved": see * reason, "lost": see * (1 - reason)}
    values = {"see": see, "reason": reason, "first": first, **shares}
    if root != "see":
        values["blind"] = (1 - see) / (1 - shares[root])
    third, fourth, one, _ = guesses[2], guesses[3], guesses[0], guesses[1]
    values |= {"guess": third, "then": fourth / (1 - third), "last": one / (1 - third - fourth)}
    p = probabilities(tree, np.array([[values[name] for name in tree.parameters]]))[0].reshape(4, 2, 2, 4)
    assert p[1, 0, 1, 1] == pytest.approx(see * (reason + (1 - reason) * 0.2) + (1 - see) * first * 0.2)
    assert p[1, 1, 0, 3] == pytest.approx((1 - see) * first * 0.4)
    assert p[3, 1, 1, 0] == pytest.approx(see * (1 - reason) * 0.1 + (1 - see) * (1 - first) * 0.1)


@pytest.mark.parametrize("put", [(0.7, 0.6, 0.5, FIRST), (0.9, 0.3, 0.8, FIRST[::-1]), (0.4, 0.9, 0.5, (0.25,) * 4)])
def test_what_was_put_in_comes_out(put):
    see, reason, first, guess = put
    (found,) = fits(marvel_rows(see=see, reason=reason, first=first, guess=guess, n=600, seed=4))
    truth = {
        "see": see,
        "reason": reason,
        "first": first,
        "solved": see * reason,
        "lost": see * (1 - reason),
        "blind": 1 - see,
    }
    for name, value in truth.items():
        fitted = getattr(found, name)
        assert fitted.low <= value <= fitted.high, (name, value, fitted)
        assert fitted.value == pytest.approx(value, abs=0.12)
    for value, fitted in zip(guess, found.guess, strict=True):
        assert fitted.low <= value <= fitted.high
    assert found.solved.value + found.lost.value + found.blind.value == pytest.approx(1)
    assert sum(share.value for share in found.guess) == pytest.approx(1, abs=1e-3)
    assert found.p > 0.01
    assert found.moved < 0.05


@pytest.mark.soak
def test_true_parameters_lie_in_their_95_percent_intervals():
    repeats = 12
    habits = ((0.25, 0.25, 0.25, 0.25), FIRST)
    grid = [(*point, 0.6, *habit) for *point, habit in product((0.3, 0.7, 1.0), (0.2, 0.6, 1.0), habits)]
    points = np.repeat(grid, repeats, axis=0)
    data = simulate(np.random.default_rng(30), points, puzzles=60, group=2)
    names = ("see", "reason", "guess")
    bounds = intervals(puzzle_tree(), data, fit(puzzle_tree(), data.counts), names)
    truth = points[:, [0, 1, 3]]
    inside = (bounds[:, :, 0] <= truth + 1e-3) & (truth - 1e-3 <= bounds[:, :, 1])
    assert (inside.mean(0) >= lower_bound(len(points)) - 0.01).all(), inside.mean(0)
    inner = (points[:, 0] < 1) & (points[:, 1] < 1)
    assert inside[inner][:, :2].mean() < 0.99  # and not by being as wide as one likes


@pytest.mark.parametrize(("puzzles", "group"), [(200, 1), (200, 2)])
def test_the_fit_test_has_its_size(puzzles, group):
    points = np.repeat([[0.7, 0.6, 0.5, *FIRST], [0.4, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]], 75, axis=0)
    data = simulate(np.random.default_rng(31), points, puzzles=puzzles, group=group)
    off = misfit(puzzle_tree(), data, fit(puzzle_tree(), data.counts), TESTED)
    assert (misfit_p(off.statistic, off.mean, off.square) < 0.05).mean() <= 0.1


def test_the_fit_test_finds_subjects_that_solve_what_they_do_not_see():
    rng = np.random.default_rng(32)
    shape = (40, 150)
    key, second = rng.integers(0, 4, shape), rng.integers(0, 2, shape)
    right = (rng.random(shape) < 0.75).astype(int)
    said = np.where(rng.random(shape) < 0.6, key, rng.integers(0, 4, shape))
    parts = np.zeros((40 * 150, CELLS))
    np.add.at(parts, (np.arange(40 * 150), (((key * 2 + second) * 2 + right) * 4 + said).ravel()), 1)
    data = clustered(parts, np.repeat(np.arange(40), 150), 40)
    theta = fit(puzzle_tree(), data.counts)
    merged, single = (misfit(puzzle_tree(), data, theta, merge) for merge in (TESTED, None))
    found = [(misfit_p(off.statistic, off.mean, off.square) < 0.05).mean() for off in (merged, single)]
    assert found[0] > 0.9
    assert found[1] < found[0]  # many small cells hide what few large ones show


def test_what_the_data_cannot_tell_is_absent_not_a_number():
    ideal, blind = fits(marvel_rows("ideal", n=100), marvel_rows("blind", see=0, guess=FIRST, n=100))
    assert ideal.see.low > 0.95
    assert all(share.value is None and share.note == "not identified" for share in ideal.guess)
    assert ideal.first.value is None
    assert ideal.p is None
    assert blind.reason.value is None
    assert blind.see.high < 0.4
    assert blind.guess[0].low > 0.5


def test_unread_puzzles_are_left_out_and_counted_and_few_are_not_fitted():
    rows = marvel_rows(see=0.7, n=40, refuse=0.2, seed=6)
    (found,) = fits(rows)
    unread = (
        rows.filter(pl.col("question").is_in(["avr", "fine"]))
        .group_by("item")
        .agg((pl.col("outcome") == "unread").any())["outcome"]
        .sum()
    )
    assert (found.puzzles, found.unread) == (40 - unread, unread)
    assert fits(marvel_rows(n=7)) == []
    assert joint(prepared(of_task(marvel_rows(n=24, group=3), "marvel"))).parts.shape == (8, CELLS)
    assert fits(marvel_rows(n=21, group=3)) == []
    assert fits(marvel_rows(n=20, questions=("avr",))) == []
