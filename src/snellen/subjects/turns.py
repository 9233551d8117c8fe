"""Quick turns: how long a thread that computes in Python may keep the interpreter from the others.

A model's worker lets go of the interpreter at every operation of torch and wants it back at once. While other threads
make calls ready it would wait Python's five milliseconds each time, hundreds of times a batch, and its GPU with it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_SECONDS = 0.0005
_lock = Lock()
_usual: list[float] = []
"""What was set before, once for each who wants quick turns."""


@contextmanager
def quick_turns() -> Iterator[None]:
    """While this lasts, for this or another; then it is as it was."""
    with _lock:
        _usual.append(sys.getswitchinterval())
        sys.setswitchinterval(min(_SECONDS, _usual[0]))
    try:
        yield
    finally:
        with _lock:
            before = _usual[0]
            _usual.pop()
            if not _usual:
                sys.setswitchinterval(before)
