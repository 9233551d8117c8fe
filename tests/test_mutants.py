"""The planted bugs can be planted: `make mutants` shows whether the tests notice them."""

import pytest

from tools.mutants import ROOT, mutants, nearest_first

PLANTED = mutants()


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.name)
def test_a_planted_bug_has_one_place(mutant):
    assert mutant.problem(ROOT) == ""
    assert mutant.text != mutant.replacement


def test_the_nearest_tests_come_first():
    nearest, *_, far = nearest_first(ROOT, "engine/store.py")
    assert "tests/engine/test_engine_store.py" in nearest
    assert all(name.startswith("tests/engine/") for name in nearest)
    assert "tests/draw/test_draw_png.py" in far
