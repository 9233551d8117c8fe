"""Settings for all tests. The file's place makes `tests/support` importable from every test."""

import os

# Every worker has a core of its own: numpy's threads would wait for one another, each of them at full speed. Read when
# numpy is first imported, here and in processes that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from snellen.tasks.making import pool

# No test is timed: an example that takes long on a busy machine is no failure. The same examples every time.
settings.register_profile("ours", deadline=None, derandomize=True)
settings.load_profile("ours")


@pytest.fixture(scope="session", autouse=True)
def _items_are_made_in_this_process() -> None:
    """The cores have workers of pytest to run: processes for an exam's items would only have to be started."""
    pool.cores = lambda: 1
