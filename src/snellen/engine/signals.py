"""Ctrl-C, a closed terminal and the polite kind of kill: a call to a function, not an exception out of nowhere."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Not every platform has all of them."""
_last = signal.SIGINT


def interrupted_status() -> int:
    """The exit status that tells which signal interrupted: 130 after Ctrl-C, 143 after SIGTERM."""
    return 128 + _last


@contextmanager
def on_interrupt(interrupted: Callable[[], None]) -> Iterator[None]:
    """Within, these signals call `interrupted` on the running event loop; a closed terminal does not where it is to be
    ignored (`nohup`). Only the main thread hears signals; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def heard(number: int, _frame: object) -> None:
        global _last
        _last = signal.Signals(number)
        loop.call_soon_threadsafe(interrupted)

    before = {}
    for number in (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)):
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, heard)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
