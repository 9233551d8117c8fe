"""Quick turns last as long as somebody wants them."""

import sys

import pytest

from snellen.subjects.turns import quick_turns


def test_turns_are_quick_until_the_last_leaves() -> None:
    before = sys.getswitchinterval()
    one, other = quick_turns(), quick_turns()
    one.__enter__()
    other.__enter__()
    assert sys.getswitchinterval() < before
    one.__exit__(None, None, None)
    assert sys.getswitchinterval() < before
    other.__exit__(None, None, None)
    assert sys.getswitchinterval() == before


def test_turns_that_were_quicker_stay_so() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        with quick_turns():
            assert sys.getswitchinterval() == pytest.approx(1e-4, rel=0.1)
        assert sys.getswitchinterval() == pytest.approx(1e-4, rel=0.1)
    finally:
        sys.setswitchinterval(before)
