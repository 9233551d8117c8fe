"""Two conditions that are not read alike bring a warning; two that differ by chance do not."""

import random

import pytest

from snellen.analysis.estimates import unequally_read


def estimate(unread: int, trials: int) -> dict[str, float | int | None]:
    return {"trials": trials, "unread": unread, "unread_rate": unread / trials if trials else None}


@pytest.mark.parametrize(("one", "other"), [((40, 200), (2, 200)), ((0, 60), (10, 60))])
def test_a_difference_that_is_no_chance_is_told(one: tuple[int, int], other: tuple[int, int]) -> None:
    said = unequally_read(estimate(*one), estimate(*other))
    assert f"{100 * one[0] / one[1]:.1f} %" in said
    assert f"{100 * other[0] / other[1]:.1f} %" in said


@pytest.mark.parametrize(
    ("one", "other"), [((4, 200), (2, 200)), ((0, 0), (10, 60)), ((0, 50), (0, 50)), ((5, 5), (5, 5))]
)
def test_chance_is_not(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert unequally_read(estimate(*one), estimate(*other)) == ""


def test_one_in_a_hundred_is_told_where_nothing_differs() -> None:
    rng = random.Random(3)
    pairs = [[sum(rng.random() < 0.1 for _ in range(200)) for _ in range(2)] for _ in range(1000)]
    told = sum(bool(unequally_read(estimate(a, 200), estimate(b, 200))) for a, b in pairs)
    assert told <= 25
