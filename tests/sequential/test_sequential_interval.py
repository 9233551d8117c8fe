"""Confidence sequences: against a plain one, step by step and in fractions, and how often they miss."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.sequential.interval import _STAKES, confidence_sequence
from support.lengths import few_and_more


def plain_wealth(values, mean, least, largest, spreads) -> Fraction:
    """What betting on each side of a mean has won, value by value, in exact arithmetic."""
    total = Fraction(0)
    for stake in map(Fraction, _STAKES.tolist()):
        up = down = Fraction(1)
        for value, spread in zip(map(Fraction, values), map(Fraction, spreads), strict=True):
            up *= 1 + stake * (value - mean) / (mean - least * spread)
            down *= 1 - stake * (value - mean) / (largest * spread - mean)
            assert up >= 0, "no bet can lose more than there is"
            assert down >= 0
        total += up + down
    return total / (2 * len(_STAKES))


@given(st.lists(st.tuples(st.sampled_from([-1, -0.5, 0, 0.5, 1]), st.sampled_from([1, 2])), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_the_interval_holds_what_no_bet_has_refuted(pairs) -> None:
    spreads = [spread for _, spread in pairs]
    values = [value * spread for value, spread in pairs]
    found = confidence_sequence(values, -1, 1, 0.05, spreads)
    assert found.low <= found.mean <= found.high
    step = 2 / 400
    for mean in (found.low - step, found.high + step):
        if -1 < mean < 1:
            assert plain_wealth(values, Fraction(mean), -1, 1, spreads) >= Fraction(1999, 100)
    for mean in (found.low + 2 * step, found.high - 2 * step):
        if found.low + 2 * step < found.mean < found.high - 2 * step:
            assert plain_wealth(values, Fraction(mean), -1, 1, spreads) < 20


@given(st.permutations([0.0] * 6 + [1.0] * 5 + [0.5] * 4))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_order_does_not_matter(values) -> None:
    assert confidence_sequence(values, 0, 1) == confidence_sequence(sorted(values), 0, 1)


@pytest.mark.parametrize("share", [0.02, 0.2, 0.5])
def test_missing_the_mean_at_any_of_forty_looks(share: float) -> None:
    """Counted out exactly: the chance that a row of right and wrong ever leaves the mean outside."""
    alive = {0: 1.0}
    missed = 0.0
    for n in range(1, 41):
        grown: dict[int, float] = {}
        for right, likely in alive.items():
            grown[right] = grown.get(right, 0.0) + likely * (1 - share)
            grown[right + 1] = grown.get(right + 1, 0.0) + likely * share
        alive = {}
        for right, likely in grown.items():
            found = confidence_sequence([1.0] * right + [0.0] * (n - right), 0, 1)
            if found.low <= share <= found.high:
                alive[right] = likely
            else:
                missed += likely
    assert missed <= 0.05
    assert missed + sum(alive.values()) == pytest.approx(1)


@pytest.mark.parametrize("shares", [(0.0, 0.4), (0.1, 0.3), (0.0, 0.0, 0.0, 1.0)])
def test_whole_rounds_of_unlike_kinds_of_items_win_no_more_than_like_ones(shares: tuple[float, ...]) -> None:
    """Items come kind by kind: the mean of a product of unlike factors is below that of equal ones."""
    mean = sum(shares) / len(shares)
    for stake in _STAKES.tolist():
        for sign, room in ((1, mean), (-1, 1 - mean)):
            once = np.prod([1 + stake * sign * (share - mean) / room for share in shares])
            assert once <= 1 + 1e-12


@few_and_more("seed", range(2), range(2, 200))
def test_intervals_narrow_around_the_mean(seed: int) -> None:
    values = (np.random.default_rng(seed).random(400) < 0.3).astype(float).tolist()
    few, many = confidence_sequence(values[:50], 0, 1), confidence_sequence(values, 0, 1)
    assert many.high - many.low < 0.7 * (few.high - few.low)
    assert many.high - many.low < 0.22


def test_without_values_anything_is_possible() -> None:
    assert confidence_sequence([], -1, 1) == (0.0, -1, 1)


def test_forty_items_that_lost_nothing() -> None:
    """As good as can be: the wealth of the boldest bet, by hand."""
    found = confidence_sequence([0.0] * 40, 0, 1)
    alone = sum(((1 + stake * m / (1 - m)) ** 40 for stake in _STAKES for m in [found.high + 0.0025]), 0.0)
    assert found.low == 0
    assert alone / (2 * len(_STAKES)) >= 20
    assert comb(40, 0) * (1 - found.high) ** 40 < 0.05, "wider than an interval that is looked at once"
