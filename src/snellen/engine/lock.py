"""Who holds an exam in a store: its lock, `FILE.lock`, and beside it `FILE.host`, which says on which machine.

SQLite's files must never be open on two machines at once, and a network disk may not carry a lock from one to the
other. So whoever holds an exam touches `FILE.host` every few seconds; while it was touched lately, other machines leave
the store alone. What a killed process left is taken over at once on its own machine, and after `LATELY` on another.
"""

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from platform import node
from tempfile import TemporaryFile
from time import time

from filelock import FileLock, Timeout

from snellen.errors import UserError

LOCK_PATIENCE = 0.5
"""Seconds to wait for the lock: `is_held` takes it for a moment."""
BEAT = 10.0
LATELY = 60.0
"""Seconds between two touches, and after which a machine that touched nothing is taken to be gone."""


def is_held(path: Path) -> bool:
    """Whether a process is holding an exam in this store."""
    if not Path(f"{path}.lock").exists():
        return False
    try:
        with FileLock(f"{path}.lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that cannot be written: nobody holds an exam there
        return False


class StoreLock:
    """The lock of a store for a process that writes to it. Raises `Timeout` if another process has it."""

    def __init__(self, path: Path) -> None:
        self._host = _host_file(path)
        self._lock = FileLock(f"{path}.lock", timeout=LOCK_PATIENCE)
        self._lock.acquire()
        self._over = threading.Event()
        with suppress(OSError):  # the disk may be full: whatever is written next says so
            self._host.write_text(json.dumps({"host": node(), "process": os.getpid()}), "utf-8")
        threading.Thread(target=self._beat, daemon=True).start()

    def release(self) -> None:
        self._over.set()
        self._host.unlink(missing_ok=True)
        self._lock.release()

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            with suppress(OSError):
                os.utime(self._host)


def refuse_other_host(path: Path) -> None:
    """Raise `UserError` while another machine is holding an exam in this store."""
    file = _host_file(path)
    try:
        holder, touched = json.loads(file.read_text("utf-8")), file.stat().st_mtime
        host, process = str(holder["host"]), int(holder["process"])
    except (OSError, ValueError, KeyError, TypeError):
        return
    if host == node() or _now(path.parent) - touched > LATELY:
        return
    raise UserError(
        f"store {path}: process {process} on {host} is running an exam in it, and SQLite must not be opened by two"
        " machines; wait until it ends, or give this one a --store of its own and merge them (`snellen merge`)"
    )


def _host_file(path: Path) -> Path:
    return Path(f"{path}.host")


def _now(folder: Path) -> float:
    """The time by the clock of the disk, which may be another machine's."""
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(b" ")
            probe.flush()
            return os.fstat(probe.fileno()).st_mtime
    except OSError:
        return time()
