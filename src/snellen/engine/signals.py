"""Ctrl-C and the polite kind of kill, as a call to a function instead of an exception out of nowhere."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def on_interrupt(interrupted: Callable[[], None]) -> Iterator[None]:
    """Within, SIGINT and SIGTERM call `interrupted` on the running event loop. Only the main thread hears
    signals; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, lambda *_: loop.call_soon_threadsafe(interrupted))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
