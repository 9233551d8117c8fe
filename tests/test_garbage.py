"""A run leaves the collector as it found it, and what somebody else froze stays frozen."""

import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from snellen import garbage
from snellen.garbage import OBJECTS_OF_A_RUN, collecting_seldom, is_frozen

LOOKED_UP = is_frozen
"""As it is before tests/conftest.py says so without looking."""


@pytest.fixture(autouse=True)
def frozen_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tests freeze what large libraries load."""
    monkeypatch.setattr(garbage, "is_frozen", LOOKED_UP)
    yield
    gc.freeze()


@pytest.mark.parametrize("is_frozen", [False, True])
@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_after_a_run_the_collector_is_as_before(is_frozen: bool, error: type[BaseException] | None) -> None:
    (gc.freeze if is_frozen else gc.unfreeze)()
    before = gc.get_threshold()
    with suppress(KeyboardInterrupt), collecting_seldom():
        assert gc.get_threshold() == (OBJECTS_OF_A_RUN, *before[1:])
        assert gc.get_freeze_count() > 0
        if error:
            raise error
    assert gc.get_threshold() == before
    assert (gc.get_freeze_count() > 0) is is_frozen
