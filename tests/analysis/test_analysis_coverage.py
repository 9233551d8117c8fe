"""The promise of the intervals and of the fit test, kept or broken over a grid of simulated subjects (seeded).

Seeing is shared by all trials of a board, mapping and guessing are drawn trial by trial: pairs of one board are far
from independent. Intervals that ignored that would miss the true `see` far too often, as one of the tests shows.
"""

from itertools import product

import numpy as np
import pytest
from fixation_rows import answer_by_tree, fixation_rows
from scipy import special
from snellen.analysis.fixation.pairs import CATEGORIES, configured, pairs_of
from snellen.analysis.fixation.trees import fit_all, fixation_tree
from snellen.analysis.inference import Clustered, clustered, intervals, misfit, misfit_p
from snellen.analysis.tree import fit

from snellen.analysis.rows import of_task

TREE = fixation_tree("see", ("any",), shared_guess=True)
NAMES = ("see", "map", "guess")


def simulate(rng, points, *, boards, pairs, shared_sight=True):
    """Tables of pairs: one for each row (see, map, guess) of `points`."""
    see, follow, guess = (points[:, k, None, None] for k in range(3))
    shape = (len(points), boards, pairs)
    k = (rng.integers(0, 2, (len(points), boards, 1)) + np.arange(pairs)) % 2  # winner and loser alternate
    sight = rng.random((*shape[:2], 1)) if shared_sight else None
    seen = [(sight if shared_sight else rng.random(shape)) < see for _ in range(2)]
    guesses = [(rng.random(shape) >= guess).astype(int) for _ in range(2)]
    standard = np.where(seen[0], k, guesses[0])
    inverse = np.where(seen[1], np.where(rng.random(shape) < follow, 1 - k, k), guesses[1])
    return table(4 * k + 2 * standard + inverse)


def table(category) -> Clustered:
    tables, boards, _ = category.shape
    parts = np.stack([(category == c).sum(-1) for c in range(len(CATEGORIES))], axis=-1).astype(float)
    return clustered(parts.reshape(-1, len(CATEGORIES)), np.repeat(np.arange(tables), boards), tables)


def lower_bound(n, rate=0.95, error=1e-3):
    """Fewer successes than this in n would be a 1-in-1000 accident at the nominal rate."""
    counts = np.arange(n + 1)
    return counts[special.bdtr(counts, n, rate) > error][0] / n


@pytest.mark.soak
def test_true_parameters_lie_in_their_95_percent_intervals():
    repeats = 50
    grid = np.array(list(product((0.2, 0.5, 0.9, 1.0), (0.1, 0.5, 0.9, 1.0), (0.3, 0.5, 0.8))))
    points = np.repeat(grid, repeats, axis=0)
    data = simulate(np.random.default_rng(20), points, boards=40, pairs=2)
    bounds = intervals(TREE, data, fit(TREE, data.counts), NAMES)
    inside = (bounds[:, :, 0] <= points + 1e-3) & (points - 1e-3 <= bounds[:, :, 1])
    # likelihood intervals of small samples swing around their level as counts are whole; the average may not
    assert (inside.mean(0) >= lower_bound(len(points)) - 0.005).all()
    per_point = inside.reshape(len(grid), repeats, 3).mean(1)
    assert (per_point >= lower_bound(repeats, rate=0.93, error=1e-4)).all()
    inner = (points[:, 0] < 1) & (points[:, 1] > 0.1) & (points[:, 1] < 0.9)
    assert inside[inner][:, :2].mean() < 0.985  # and not by being as wide as one likes


def test_more_pairs_of_a_board_do_not_pass_for_more_boards():
    points = np.tile([0.5, 0.5, 0.5], (200, 1))
    data = simulate(np.random.default_rng(21), points, boards=60, pairs=8)
    bounds = intervals(TREE, data, fit(TREE, data.counts), ("see",))[:, 0]
    inside = (bounds[:, 0] <= 0.5) & (bounds[:, 1] >= 0.5)
    assert inside.mean() >= lower_bound(200)
    naive = Clustered(data.counts, *_unclustered(data))
    bounds = intervals(TREE, naive, fit(TREE, naive.counts), ("see",))[:, 0]
    assert ((bounds[:, 0] <= 0.5) & (bounds[:, 1] >= 0.5)).mean() < 0.85  # the test can tell


def _unclustered(data):
    single = np.eye(len(CATEGORIES))
    rows = [single[c] for row in data.parts for c in np.repeat(np.arange(len(row)), row.astype(int))]
    home = np.repeat(data.table_of, data.parts.sum(1).astype(int))
    return np.array(rows), home


@pytest.mark.soak
def test_the_whole_way_from_trials_to_intervals_keeps_the_promise():
    true = {"see": 0.7, "map": 0.4, "rule": 0.28, "habit": 0.42, "blind": 0.3, "guess": 0.6}
    subjects = {f"s{k}": answer_by_tree(0.7, 0.4, 0.6) for k in range(60)}
    rows = configured(of_task(fixation_rows(subjects, n=10, seed=22), "fixation"))
    fits = [each for each in fit_all(pairs_of(rows)) if each.game is None]
    assert len(fits) == 60
    for name, value in true.items():
        values = [getattr(each, name) for each in fits]
        inside = [v.value is None or v.low <= value <= v.high for v in values]
        assert np.mean(inside) >= lower_bound(60, error=1e-4), name
    assert all(abs(f.rule.value + f.habit.value + f.blind.value - 1) < 1e-9 for f in fits)


@pytest.mark.parametrize(("boards", "pairs"), [(150, 1), (150, 4)])
def test_the_fit_test_has_its_size(boards, pairs):
    points = np.repeat([[0.6, 0.5, 0.5], [0.3, 0.8, 0.7], [0.8, 0.3, 0.4]], 150, axis=0)
    data = simulate(np.random.default_rng(23), points, boards=boards, pairs=pairs)
    off = misfit(TREE, data, fit(TREE, data.counts))
    rejected = (misfit_p(off.statistic, off.mean, off.square) < 0.05).mean()
    assert 0.02 <= rejected <= 0.085


def test_the_fit_test_finds_subjects_that_break_the_tree():
    rng = np.random.default_rng(24)
    k = (rng.integers(0, 2, (50, 40, 1)) + np.arange(2)) % 2
    contrary = table(4 * k + 2 * (1 - k) + (1 - k))  # always answers by the inverse rule
    echo = np.where(rng.random((50, 40, 2)) < 0.5, 4 * k + 2 * k + (1 - k), 4 * k + 2 * (1 - k) + k)
    for data in (contrary, table(echo)):  # the second is right on both or wrong on both
        off = misfit(TREE, data, fit(TREE, data.counts))
        assert (misfit_p(off.statistic, off.mean, off.square) < 0.05).all()
        assert (off.moved > 0.1).all()
    points = np.tile([0.6, 0.9, 0.5], (100, 1))
    data = simulate(rng, points, boards=300, pairs=4, shared_sight=False)  # sees anew at every trial
    off = misfit(TREE, data, fit(TREE, data.counts))
    assert (misfit_p(off.statistic, off.mean, off.square) < 0.05).mean() > 0.9


def test_what_the_data_cannot_tell_is_absent_not_a_number():
    subjects = {"blind": answer_by_tree(0, 1, 0.5), "ideal": answer_by_tree(1, 1, 0.5)}
    fits = fit_all(pairs_of(configured(of_task(fixation_rows(subjects, n=100, seed=6), "fixation"))))
    blind, ideal = (next(f for f in fits if f.game is None and f.setting["subject"] == s) for s in subjects)
    assert blind.map.value is None
    assert blind.map.note == "not identified"
    assert blind.see.high < 0.2
    assert ideal.guess.value is None
    assert ideal.see.low > 0.95
    assert ideal.see.high == 1
    assert ideal.p is None
