"""The cheapest mixture of ways against a library's solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from snellen.sequential.cover import cheapest


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[float], list[list[float]]]:
    ways, goals = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    costs = draw(st.lists(st.integers(1, 40).map(lambda n: n / 10), min_size=ways, max_size=ways))
    rates = st.integers(0, 30).map(lambda n: n / 100)
    progress = [draw(st.lists(rates, min_size=goals, max_size=goals)) for _ in range(ways)]
    for goal in range(goals):  # every goal has a way
        progress[draw(st.integers(0, ways - 1))][goal] += 0.05
    return costs, progress


@given(problems())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_nothing_is_cheaper(problem) -> None:
    costs, progress = problem
    times = np.array(cheapest(costs, progress))
    assert (times >= -1e-9).all()
    assert (times @ np.array(progress) >= 1 - 1e-9).all()
    best = linprog(costs, A_ub=-np.array(progress).T, b_ub=-np.ones(len(progress[0])), method="highs")
    assert times @ np.array(costs) == pytest.approx(best.fun, rel=1e-7)


def test_equally_cheap_ways_always_give_the_same_answer() -> None:
    assert cheapest([1.0, 1.0, 2.0], [[0.5, 0.0], [0.0, 0.5], [0.5, 0.5]]) == [2.0, 2.0, 0.0]


def test_a_goal_that_nothing_advances_is_an_error() -> None:
    with pytest.raises(ValueError, match="no way advances"):
        cheapest([1.0], [[0.5, 0.0]])
