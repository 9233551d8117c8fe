"""A run leaves the collector as it found it."""

import gc

import pytest

from snellen.garbage import OBJECTS_OF_A_RUN, collecting_seldom


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_after_a_run_everything_is_collected_as_before(error: type[BaseException] | None) -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        with collecting_seldom():
            assert gc.get_threshold()[0] == OBJECTS_OF_A_RUN
            assert gc.get_freeze_count() > frozen
            if error:
                raise error
    except KeyboardInterrupt:
        pass
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
