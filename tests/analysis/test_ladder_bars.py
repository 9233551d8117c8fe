"""The bars of the ladder, on faults planted at the sizes of the quick designs (`python -m bench ladder`)."""

import pytest

from bench.ladder import SHAPES, Fault, Shape, faults, must_be_named, planted, tally

REPEATS = 16
COVERED, NAMED, FALSELY = 0.75, 0.75, 0.13
"""So few repeats are told by chance alone from what is measured over hundreds (docs/statistics.md): 95 of
100 each, and one charge in a hundred. They find what breaks; `python -m bench.ladder 80` measures."""

CELLS = [pytest.param(shape, fault, id=f"{shape.task}: {fault.name}") for shape in SHAPES for fault in faults(shape)]


@pytest.mark.soak
@pytest.mark.parametrize(("shape", "fault"), CELLS)
def test_planted_losses_lie_in_their_intervals_and_nobody_else_is_charged(shape: Shape, fault: Fault) -> None:
    found = tally(shape, fault, REPEATS)
    assert min(found.covered.values()) >= COVERED, found
    assert found.falsely <= FALSELY, found
    if must_be_named(shape, fault):
        (faculty,) = fault.fails
        assert found.named[faculty] >= NAMED, found


def test_what_is_planted_adds_up() -> None:
    for shape in SHAPES:
        for fault in faults(shape):
            assert 0 <= sum(planted(shape, fault).values()) < 1


def test_a_subject_without_fault_is_charged_with_nothing() -> None:
    found = tally(SHAPES[0], Fault("no fault"), 2)
    assert found.falsely == 0
    assert set(found.covered.values()) == {1.0}
