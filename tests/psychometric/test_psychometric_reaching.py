"""Where a share of right answers is reached: against bisection of a curve written down here, and against answers that
are drawn by lot."""

from math import exp, log10

import numpy as np
import pytest

from snellen.psychometric import Counts, Grid, posterior, predicted, reach

GRID = Grid(-0.3, 1.7, chance=0.1)
LEVELS = [-0.3 + 0.1 * k for k in range(21)]


def right(x, threshold, slope, lapse, chance=0.1):
    """A Weibull function, in plain numbers."""
    return chance + (1 - chance - lapse) * (1 - exp(-(10 ** min(slope * (x - threshold), 3.0))))


def bisected(share, threshold, slope, lapse):
    low, high = -3.0, 6.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if right(middle, threshold, slope, lapse) < share else (low, middle)
    return (low + high) / 2


def after(threshold, slope, lapse, each, seed=0):
    """What is held likely after so many answers at every level."""
    luck = np.random.default_rng(seed)
    counts = {x: int(luck.binomial(each, right(x, threshold, slope, lapse))) for x in LEVELS}
    return posterior(GRID, {x: Counts(n, each - n) for x, n in counts.items()})


def drawn(found, many, seed=0):
    """Curves drawn by lot, the likelier the more often."""
    luck = np.random.default_rng(seed)
    shape = found.grid.shape
    for point in luck.choice(len(found.masses), many, p=found.masses):
        t, s, k = np.unravel_index(point, shape)
        yield float(found.grid.thresholds[t]), float(found.grid.slopes[s]), float(found.grid.lapses[k])


@pytest.mark.parametrize(("threshold", "slope"), [(0.3, 4.0), (0.5, 2.0), (0.1, 8.0)])
def test_with_many_answers_it_is_where_the_curve_has_it(threshold, slope):
    found = reach(after(threshold, slope, 0.0, each=2000))
    assert found.possible > 0.99
    assert found.at.value == pytest.approx(bisected(0.95, threshold, slope, 0.0), abs=0.03)


def test_median_and_interval_are_those_of_curves_drawn_by_lot():
    believed = after(0.4, 4.0, 0.02, each=4)
    found = reach(believed)
    curves = list(drawn(believed, 4000))
    reaching = [curve for curve in curves if 1 - curve[2] > 0.95]
    assert found.possible == pytest.approx(len(reaching) / len(curves), abs=0.03)
    low, middle, high = np.quantile([bisected(0.95, *curve) for curve in reaching], [0.025, 0.5, 0.975])
    assert found.at.value == pytest.approx(middle, abs=0.02)
    assert found.at.low == pytest.approx(low, abs=0.03)
    assert found.at.high == pytest.approx(high, abs=0.05)


def test_lapses_put_it_out_of_reach():
    found = reach(after(0.4, 4.0, 0.2, each=20))
    assert found.at is None
    assert found.possible < 0.05
    assert reach(after(0.4, 4.0, 0.2, each=20), share=0.6).at is not None


def test_counts_are_predicted_as_often_as_they_come_about():
    believed = after(0.4, 4.0, 0.02, each=3)
    luck = np.random.default_rng(1)
    x = log10(3.5)
    counts = [luck.binomial(20, right(x, *curve)) for curve in drawn(believed, 4000)]
    found = predicted(believed, x, 20)
    below, above = np.mean(np.array(counts) < found.least), np.mean(np.array(counts) > found.most)
    assert below <= 0.035
    assert above <= 0.035
    assert np.mean(np.array(counts) <= found.least) >= 0.015, "no wider than need be"
    assert found.share.value == pytest.approx(np.mean(counts) / 20, abs=0.01)
    assert found.share.low < found.share.value < found.share.high
