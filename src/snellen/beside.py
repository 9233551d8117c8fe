"""Work that a second process does while this one goes on with something else.

`Beside("module:function", *values)` calls the function there; `result` is what it returned. Only our own modules are
named, and only values and what is made of them pass between the two. Where the process could not be started, or did not
come to an end, `result` is None, and whoever asked does the work: then an error is told where it always is.
"""

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
"""Products of matrices on one thread: several of them mostly wait for each other, and waiting takes their cores."""
KEEP_NOTHING = {"_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}
"""What polars frees goes back to the system at once. Kept for half a second, it is a tenth of what the analysis of a
large store takes at most; to ask for it anew takes a tenth of the time."""
SINGLE = ONE_THREAD | {"POLARS_MAX_THREADS": "1"}
"""A process that is one of several: its libraries start no threads of their own."""


def calculate_in_little_memory() -> None:
    """On one thread, keeping nothing: for this process and those it starts, before numpy and polars are loaded, unless
    the user says otherwise."""
    for name, value in (ONE_THREAD | KEEP_NOTHING).items():
        os.environ.setdefault(name, value)


class Beside:
    """`is_wanted`: without it nothing is started. As a context it ends the process with the block."""

    def __init__(self, function: str, *values: Any, is_wanted: bool = True) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if not is_wanted:
            return
        code = f"import sys; sys.path[:] = {sys.path!r}; from snellen.beside import main; main()"
        with suppress(OSError):
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(  # noqa: S603 - our own code
                [sys.executable, "-c", code],
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **SINGLE},
            )
            if self._process.stdin:
                self._process.stdin.write(pickle.dumps((function, values)))
                self._process.stdin.close()

    def __enter__(self) -> "Beside":
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout:
                self._process.stdout.close()

    @property
    def result(self) -> Any:
        """The return value of the function; waits until it has one."""
        if self._process is None or self._process.stdout is None:
            return None
        said = self._process.stdout.read()
        return pickle.loads(said) if self._process.wait() == 0 else None  # noqa: S301 - from a process of our own


def main() -> None:
    """Do what is asked on the standard input, write the result to the standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that started this one to hear
    function, values = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - from a process of our own
    module, _, name = function.partition(":")
    pipe, sys.stdout = sys.stdout, sys.stderr
    result = getattr(import_module(module), name)(*values)
    pipe.buffer.write(pickle.dumps(result, pickle.HIGHEST_PROTOCOL))
    pipe.flush()
