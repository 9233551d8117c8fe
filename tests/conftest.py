"""Settings for all tests. The file's place makes `tests/support` importable from every test."""

import gc
import os
import signal
import sys
from collections.abc import Iterator

# Every worker has a core of its own: threads of numpy and polars would wait for one another, each at full speed. Read
# when they are first imported, here and in processes that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from snellen import garbage
from snellen.tasks.making import pool
from support import lengths
from support.later import Later

# No test is timed: an example that takes long on a busy machine is no failure. The same examples every time.
settings.register_profile("ours", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("ours")
# Nor do they depend on what other tests have imported: some would be constants of every module that is loaded, and to
# read those takes longer than to try the examples.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = providers.Constants


def pytest_configure(config: pytest.Config) -> None:
    lengths.LONG[0] = config.option.markexpr != "not soak"
    # Started in the background by a script, this process and all it starts would ignore Ctrl-C, which is tested.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and collected stays to the end: nobody need look through it for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(obj: object) -> list[pytest.Item] | None:
    """Of long proofs that nobody asked for no test is made: they would be half of all that is collected."""
    marks = () if lengths.LONG[0] else getattr(obj, "pytestmark", ())
    return [] if any(mark.name == "soak" for mark in marks) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that need a browser or a large library stand together at the front: one worker starts and loads it."""
    tests = [item for item in items if isinstance(item, pytest.Function)]
    browsing = {test.path for test in tests if "browser" in test.fixturenames}
    loading = {test.path for test in tests if any(isinstance(value, Later) for value in vars(test.module).values())}
    items.sort(key=lambda item: (item.path not in browsing, item.path not in loading))


@pytest.fixture(scope="session", autouse=True)
def _exams_are_cheap() -> None:
    """The cores have workers of pytest to run: processes for an exam's items would only have to be started."""
    pool.cores = lambda: 1
    # Frozen they are, here, and to count a million objects before each exam takes longer than many an exam.
    garbage.is_frozen = lambda: True


KEPT = [0]
MANY = 200
"""So many modules more than at the last look are a large library."""


def _keep_modules() -> None:
    """A large library stays to the end, too: with torch loaded, each search for garbage that is asked for takes half a
    second."""
    if len(sys.modules) > KEPT[0] + MANY:
        gc.collect()
        gc.freeze()
        KEPT[0] = len(sys.modules)


# What a test costs is written into the report of `--junitxml`, for tools/test_costs.py: seconds of the processor, which
# a busy machine changes little.
SPENT = pytest.StashKey[float]()


def _spent() -> float:
    """Seconds of this process, and of those that it started and that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[SPENT] = _spent()
    try:
        return (yield)
    finally:
        _keep_modules()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    try:
        return (yield)
    finally:
        _keep_modules()
        item.user_properties.append(("cpu", f"{_spent() - item.stash[SPENT]:.3f}"))
