"""A line on the terminal for what takes longer than anybody waits without a sign."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

PATIENCE = 2.0
"""Seconds before a line appears."""


@contextmanager
def waiting(what: str) -> Iterator[Callable[[], None]]:
    """While the block runs: after two seconds a line that says what is done and for how long, on a terminal only.
    Yields a function that ends it before the block ends."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    done = Event()
    clock = Thread(target=_tick, args=(what, done), daemon=True)
    clock.start()

    def end() -> None:
        done.set()
        clock.join()

    try:
        yield end
    finally:
        end()


def _tick(what: str, done: Event) -> None:
    started = time.monotonic()
    wait, is_shown = PATIENCE, False
    while not done.wait(wait):
        wait, is_shown = 1.0, True
        sys.stderr.write(f"\r\x1b[K{what} ... {time.monotonic() - started:.0f} s")
        sys.stderr.flush()
    if is_shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
