"""The collector is as it was after a run, and what somebody froze stays frozen."""

import gc

from snellen.garbage import OBJECTS_OF_A_RUN, collecting_seldom


def test_what_was_frozen_stays_so_and_what_a_run_froze_does_not() -> None:
    before = gc.get_threshold()
    gc.freeze()
    frozen = gc.get_freeze_count()
    with collecting_seldom():
        assert gc.get_threshold() == (OBJECTS_OF_A_RUN, *before[1:])
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, frozen)
    gc.unfreeze()
    try:
        with collecting_seldom():
            assert gc.get_freeze_count()
        assert not gc.get_freeze_count()
    finally:
        gc.freeze()
