"""Comparing two subjects item by item: how often it is wrong over all looks, and when it ends."""

import numpy as np
import pytest

from snellen.sequential import Comparison, compare
from support.lengths import few_and_more


def differences(seed: int, first: float, second: float, both: float = 0.0, items: int = 400) -> list[float]:
    """Of two subjects that are right so often; a part of the items is easy or hard for both alike."""
    rng = np.random.default_rng(seed)
    own = rng.random(items) >= both
    right = rng.random((2, items)) < np.array([[first], [second]])
    return np.where(own, right[0].astype(float) - right[1], 0.0).tolist()


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_equal_subjects_are_rarely_told_apart(share: float) -> None:
    found = [compare(Comparison(), differences(seed, share, share)).status for seed in range(20)]
    assert sum(status not in ("equivalent", "open") for status in found) <= 1


@pytest.mark.soak
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8, 0.95])
def test_equal_subjects_are_called_apart_in_less_than_one_of_twenty(share: float) -> None:
    found = [compare(Comparison(batch=1), differences(seed, share, share)).status for seed in range(400)]
    assert sum(status not in ("equivalent", "open") for status in found) <= 20


@few_and_more("sign", [1], [-1])
def test_subjects_the_margin_apart_are_rarely_called_equivalent(sign: int) -> None:
    found = [compare(Comparison(), [sign * d for d in differences(seed, 0.9, 0.8)]).status for seed in range(100, 140)]
    assert found.count("equivalent") <= 4


def test_alike_answers_are_equivalent_soon() -> None:
    found = compare(Comparison(), differences(1, 0.8, 0.8, both=0.95))
    assert found.status == "equivalent"
    assert found.items <= 80
    assert -0.25 < found.difference.low <= 0 <= found.difference.high < 0.25


def test_a_difference_is_found_by_the_right_name_and_later_items_do_not_count() -> None:
    rows = differences(2, 0.9, 0.5)
    found = compare(Comparison(), rows)
    assert found.status == "first better"
    assert found.items < 100
    assert compare(Comparison(), [-d for d in rows]).status == "second better"
    assert compare(Comparison(), [*rows[: found.items], *[-1.0] * 300]) == found


def test_it_ends_at_the_cap_and_waits_for_more() -> None:
    rows = [1.0, -1.0] * 300
    assert compare(Comparison(most=64), rows).items == 64
    assert compare(Comparison(most=64), rows).status == "open"
    assert compare(Comparison(), []).status == "open"
    assert compare(Comparison(), rows[:10]).items == 10


@few_and_more(("first", "second"), [(0.8, 0.8)], [(0.9, 0.8), (0.7, 0.6), (0.9, 0.85)])
def test_the_interval_covers_where_it_stops(first: float, second: float) -> None:
    intervals = [compare(Comparison(), differences(seed, first, second)).difference for seed in range(500, 540)]
    true = first - second
    assert sum(found.low - 1e-9 <= true <= found.high + 1e-9 for found in intervals) >= 38
