"""Accuracy, unread rates and their intervals."""

import numpy as np
import polars as pl
import pytest
from fixation_rows import answer_by_tree, fixation_rows

from snellen.analysis.estimates import accuracy, clustered_wilson, variances, wilson
from snellen.analysis.rows import of_task


def rows_of(cells):
    """Rows from (item, outcome, reason)."""
    items, outcomes, reasons = zip(*cells, strict=True)
    return pl.DataFrame({"cluster": items, "outcome": outcomes, "reason": reasons, "subject": "s"})


def test_wilson_against_worked_values():
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.0, 50)[0] == 0


def test_unread_is_not_right_and_errors_are_missing():
    rows = rows_of(
        [
            ("a", "right", ""),
            ("b", "wrong", ""),
            ("c", "unread", "refused"),
            ("d", "unread", "error"),
            ("e", "right", ""),
        ]
    )
    (each,) = accuracy(rows, ["subject"])
    assert (each.trials, each.right, each.wrong, each.unread, each.errors) == (4, 2, 1, 1, 1)
    assert each.accuracy == 0.5
    assert each.accuracy_read == pytest.approx(2 / 3)
    assert each.unread_rate == 0.25
    assert (each.low, each.high) == pytest.approx(wilson(0.5, 4))
    assert each.noted.note == "25.0 % unread"


def test_nothing_answered_is_absent_not_zero():
    (each,) = accuracy(rows_of([("a", "unread", "error")]), ["subject"])
    assert each.accuracy is None
    assert each.trials == 0
    assert each.noted.value is None
    assert accuracy(rows_of([("a", "right", "")]).clear(), ["subject"]) == []


def test_repeating_an_item_adds_no_certainty():
    once = accuracy(rows_of([(str(k), "right" if k % 3 else "wrong", "") for k in range(60)]), ["subject"])[0]
    same = accuracy(rows_of([(str(k // 4), "right" if k // 4 % 3 else "wrong", "") for k in range(240)]), ["subject"])[
        0
    ]
    assert same.accuracy == once.accuracy
    assert same.items == 60
    assert same.high - same.low >= 0.99 * (once.high - once.low)
    certain = accuracy(rows_of([(str(k // 4), "right", "") for k in range(40)]), ["subject"])[0]
    assert certain.low < wilson(1.0, 10)[0] + 1e-9  # ten items, not forty trials


def test_intervals_of_repeated_items_hold_the_truth():
    inside, repeats, rng = [], 300, np.random.default_rng(8)
    for _ in range(repeats):
        ease = rng.beta(2, 1, 30)  # how easy each item is
        right = rng.binomial(4, ease)
        variance = variances([(right.astype(float), np.full(30, 4.0))], seed=1)[0]
        low, high = clustered_wilson(right.sum() / 120, variance, 30, 120)
        inside.append(low <= 2 / 3 <= high)
    assert 0.92 <= np.mean(inside) <= 0.985


def test_the_same_seed_gives_the_same_interval():
    rows = fixation_rows({"s": answer_by_tree(0.7, 0.5, 0.5)}, n=20)
    assert accuracy(rows, ["game", "rule"], seed=3) == accuracy(
        rows.sample(fraction=1, shuffle=True), ["game", "rule"], 3
    )
    assert accuracy(rows, ["game"], seed=3) != accuracy(rows, ["game"], seed=4)


def test_a_judges_marks_are_not_counted_as_further_trials() -> None:
    rows = pl.DataFrame(
        {
            **{key: ["x", "x"] for key in ("task", "subject", "item", "cluster", "paradigm", "pack")},
            **{key: ["", ""] for key in ("reason", "answer", "key", "how")},
            "labels": [["A"], ["A"]],
            "outcome": ["right", "wrong"],
            "judge": [None, "sim/judge"],
        }
    )
    assert of_task(rows, "x")["outcome"].to_list() == ["right"]


@pytest.mark.soak
@pytest.mark.parametrize(("clusters", "size"), [(4, 4), (6, 4), (10, 2), (21, 14)])
@pytest.mark.parametrize("agreement", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_intervals_hold_the_truth_with_few_clusters(clusters: int, size: int, agreement: float, share: float) -> None:
    """Beta-binomial clusters of unequal sizes; of 600 samples fewer than 92 % would not be luck."""
    rng = np.random.default_rng([clusters, size])
    held = 0
    for sample in range(600):
        if agreement in (0.0, 1.0):
            own = np.full(clusters, share) if agreement == 0 else (rng.random(clusters) < share).astype(float)
        else:
            spread = (1 - agreement) / agreement
            own = rng.beta(share * spread, (1 - share) * spread, clusters)
        sizes = 1 + rng.poisson(size - 1, clusters)
        right, n = rng.binomial(sizes, own).astype(float), int(sizes.sum())
        (variance,) = variances([(right, sizes.astype(float))], sample % 20)
        low, high = clustered_wilson(right.sum() / n, float(variance), clusters, n)
        held += low <= share <= high
    assert held >= 552


def test_none_and_all_reach_to_the_ends_exactly():
    assert all(wilson(0.0, n)[0] == 0.0 and wilson(1.0, n)[1] == 1.0 for n in range(1, 200))
