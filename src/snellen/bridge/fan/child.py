"""`snellen` as a child: it ends, with its calls in progress finished, when whoever started it is gone.

Its standard input is a pipe that nobody writes to. The system closes it when the parent ends, however that happens;
without this, an exam whose parent was killed would hold its store against the next attempt.
"""

import os
import runpy
import signal
import sys
from threading import Thread


def _end_with_parent() -> None:
    while os.read(0, 1):  # sys.stdin has a lock that a thread must not hold when Python ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    if hasattr(signal, "SIGUSR2"):  # Slurm's warning that time is up may reach every process: the parent acts on it
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    sys.argv[0] = "snellen"
    runpy.run_module("snellen", run_name="__main__")
