"""The collector of cyclic garbage, told to look less often: small frozen values leave hardly any, and looking costs."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 100_000
"""Objects between two collections: with the usual 700 they take a tenth of the time of imports, and find nothing."""
OBJECTS_OF_A_RUN = 20_000


def collect_seldom() -> None:
    """For this process, to its end: what it leaves is not searched then."""
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Within, for a run of many calls; what was there before is not looked at. Whoever froze something keeps it so."""
    before, is_ours = gc.get_threshold(), not gc.get_freeze_count()
    gc.set_threshold(OBJECTS_OF_A_RUN, *before[1:])
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()
        gc.set_threshold(*before)
