"""Paired contrasts: exact tests, Holm, differences with intervals."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from fixation_rows import answer_by_tree, fixation_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.analysis import estimates
from snellen.analysis.contrasts import Contrast, adjust, contrast, differences, holm, mcnemar, p_text, paired, sign_flip
from snellen.analysis.estimates import _resamples as resamples
from snellen.analysis.estimates import variances


def test_mcnemar_is_a_binomial_on_discordant_pairs():
    assert mcnemar(0, 0) == 1
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert mcnemar(3, 3) == 1


def test_sign_flip_is_mcnemar_when_each_item_gives_one_pair():
    for more, fewer in ((5, 0), (8, 2), (30, 14), (3, 3)):
        net = np.array([1] * more + [-1] * fewer + [0] * 7)
        assert sign_flip(net) == pytest.approx(mcnemar(more, fewer), abs=1e-9)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_sign_flip_counts_every_sign(net):
    values = [abs(x) for x in net]
    reached = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in product((1, -1), repeat=len(net))
    ]
    expected = np.mean([total >= abs(sum(net)) for total in reached])
    assert sign_flip(np.array(net)) == pytest.approx(expected, abs=1e-9)


def test_holm_steps_down():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_families_are_adjusted_apart():
    same = Contrast({"game": "a"}, pairs=1, items=1, a=1, b=0, difference=1, low=0, high=1, p=0.02, p_items=0.02)
    two = [same, replace(same.at(game="b"), p_items=0.04)]
    assert [each.p_holm for each in adjust(two, ["game"])] == [0.02, 0.02]
    assert [each.p_items_holm for each in adjust(two, [])] == pytest.approx([0.04, 0.04])


def test_only_trials_equal_in_all_else_are_paired():
    rows = fixation_rows({"s": answer_by_tree(1, 0.5, 0.5)}, n=3, order=("image_first", "text_first"))
    pairs = paired(rows, "rule", "standard", "inverse")
    assert pairs.height == rows.height / 2
    short = rows.filter(~((pl.col("rule") == "inverse") & (pl.col("item") == rows["item"][0])))
    assert paired(short, "rule", "standard", "inverse").height == pairs.height - 4
    failed = rows.with_columns(reason=pl.when(pl.col("rule") == "inverse").then(pl.lit("error")).otherwise("reason"))
    assert paired(failed, "rule", "standard", "inverse").is_empty()


def test_a_contrast_counts_what_it_should():
    sides = {"a": [1, 1, 1, 0, 1], "b": [0, 1, 0, 1, 0], "unread_a": [0, 0, 0, 1, 0], "unread_b": [1, 0, 1, 0, 1]}
    pairs = pl.DataFrame({"cluster": list("aabbc"), **sides}).with_columns(pl.col(*sides).cast(pl.Boolean))
    (each,) = contrast(pairs, [])
    assert (each.pairs, each.items, each.only_a, each.only_b) == (5, 3, 3, 1)
    assert each.difference == pytest.approx(0.4)
    assert each.low < 0.4 < each.high
    assert each.p == mcnemar(3, 1)
    assert (each.unread_a, each.unread_b) == pytest.approx((0.2, 0.6))
    assert each.p_unread == pytest.approx(0.5)  # item b is even; the other two both lean to one side


def test_intervals_of_differences_hold_the_truth():
    rng, cells = np.random.default_rng(9), []
    for _ in range(400):
        lean = rng.normal(0, 0.15, 40)[:, None]  # items differ in how much the condition does to them
        first, second = rng.random((40, 4)) < 0.8 + lean, rng.random((40, 4)) < 0.5 - lean
        cells.append(((first.sum(1) - second.sum(1)).astype(float), np.full(40, 4.0)))
    clipped = rng.normal(0, 0.15, 10**6)
    truth = np.mean(np.clip(0.8 + clipped, 0, 1) - np.clip(0.5 - clipped, 0, 1))
    inside = [low <= truth <= high for _, low, high in differences(cells, seed=2)]
    assert 0.92 <= np.mean(inside) <= 0.985


def test_agreeing_everywhere_does_not_prove_a_difference_of_zero():
    ((gap, low, high),) = differences([(np.zeros(20), np.full(20, 2.0))], seed=0)
    assert gap == 0
    assert -0.25 < low < -0.05
    assert 0.05 < high < 0.25


@pytest.mark.parametrize("p", [1 / 16, 3 / 16, 5 / 16, 0.0005 + 0.001])
def test_rounding_does_not_decide_the_last_digit_of_a_p_value(p):
    assert p_text(p * (1 - 1e-14)) == p_text(p) == p_text(p * (1 + 1e-14))


def test_bootstrap_sums_of_counts_are_exact(monkeypatch):
    rng = np.random.default_rng(0)
    cells = [(rng.integers(0, 9, 37).astype(float), rng.integers(9, 10**6, 37).astype(float)) for _ in range(3)]
    ours = variances(cells, 0)
    exactly = np.concatenate(list(resamples(37, 0))).astype(object)
    monkeypatch.setattr(estimates, "_sums", lambda values, seed: exactly @ values)
    exact = variances([(net.astype(int), pairs.astype(int)) for net, pairs in cells], 0)
    assert ours.tolist() == exact.tolist()
