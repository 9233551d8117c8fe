"""Fewer runs of Python's cyclic garbage collector: our frozen values rarely form cycles, and each run costs."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 100_000
"""Objects between two collections. With Python's 700, they take a tenth of the time of imports and free nothing."""
OBJECTS_OF_A_RUN = 20_000


def collect_seldom() -> None:
    """Collect rarely until this process ends, and not at all while it exits."""
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)


def is_frozen() -> bool:
    """Whether somebody has frozen objects; looks through all that are."""
    return gc.get_freeze_count() > 0


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Collect rarely inside the block, and leave out objects that existed before it. What was frozen before stays
    frozen."""
    before, is_ours = gc.get_threshold(), not is_frozen()
    gc.set_threshold(OBJECTS_OF_A_RUN, *before[1:])
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()
        gc.set_threshold(*before)
