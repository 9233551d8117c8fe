"""The psychometric function has the shape it says it has."""

from math import e
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.psychometric import Psychometric

functions = st.builds(
    Psychometric,
    threshold=st.floats(-2, 2),
    slope=st.floats(0.5, 20),
    chance=st.sampled_from([0.0, 0.1, 0.125, 0.25, 0.5]),
    lapse=st.floats(0, 0.4),
    falling=st.booleans(),
)


@given(functions)
def test_it_goes_from_chance_to_what_lapses_leave(function: Psychometric) -> None:
    ends = sorted([float(function(-50)), float(function(50))])
    assert ends == pytest.approx([function.chance, 1 - function.lapse], abs=1e-9)


@given(functions)
def test_at_threshold_it_has_gone_63_percent_of_its_way(function: Psychometric) -> None:
    way = (float(function(function.threshold)) - function.chance) / (1 - function.chance - function.lapse)
    assert way == pytest.approx(1 - 1 / e)


@given(functions, st.floats(-2, 2), st.floats(0, 1))
def test_it_never_turns(function: Psychometric, x: float, further: float) -> None:
    here, there = float(function(x)), float(function(x + further))
    assert here >= there - 1e-12 if function.falling else there >= here - 1e-12


@given(functions, st.floats(0.01, 0.99))
def test_where_a_share_is_right_that_share_is_right(function: Psychometric, way: float) -> None:
    share = function.chance + way * (1 - function.chance - function.lapse)
    assert float(function(function.where(share))) == pytest.approx(share, abs=1e-6)


def test_a_falling_one_is_the_mirror_of_a_rising_one() -> None:
    rising, falling = Psychometric(0.5, 3, 0.1), Psychometric(0.5, 3, 0.1, falling=True)
    assert float(rising(0.8)) == pytest.approx(float(falling(0.2)))


def test_a_steeper_one_changes_faster() -> None:
    assert Psychometric(0, 6)(0.1) > Psychometric(0, 2)(0.1)
    assert Psychometric(0, 6)(-0.1) < Psychometric(0, 2)(-0.1)


@pytest.mark.parametrize("wrong", [{"slope": 0}, {"slope": -2}, {"lapse": -0.1}, {"chance": 0.5, "lapse": 0.5}])
def test_what_is_no_psychometric_function_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Psychometric(**{"threshold": 0, "slope": 3, **wrong})


@pytest.mark.parametrize("share", [0.05, 0.1, 0.98, 1.0])
def test_a_share_that_is_never_reached_is_nowhere(share: float) -> None:
    with pytest.raises(ValueError, match="this curve goes from"):
        Psychometric(0, 3, 0.1, 0.02).where(share)
