"""One unit: an exam in a child process, watched by whoever runs it, wherever that is."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import sleep, time

from snellen import __version__
from snellen.bridge.fan.plan import FanUnit
from snellen.defaults import NOT_OVER
from snellen.engine import Store
from snellen.engine.lock import is_held, refuse_other_host
from snellen.errors import UserError

BEAT = 1.0
"""Seconds between two heartbeats."""
IN_BATCHES = "in batches"


class UnitFailed(Exception):
    """The exam of a unit ended without finishing. The message is its last line."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """What is known of a unit at a time. `words`: what its exam was asked; `host` and `pid`: who watches it."""

    state: str
    done: int = 0
    total: int = 0
    errors: int = 0
    at: float = 0.0
    host: str = ""
    pid: int = 0
    words: tuple[str, ...] = ()
    problem: str = ""

    def write(self, path: Path) -> None:
        """Replace the file, at once."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".tmp")
        unfinished.write_text(json.dumps(asdict(self)), encoding="utf-8")
        unfinished.replace(path)


def read_beat(path: Path) -> Heartbeat | None:
    """The heartbeat in a file, if there is one."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Heartbeat(**{**told, "words": tuple(told["words"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def run_unit(
    unit: FanUnit, folder: Path, tell: Callable[[Heartbeat], None], env: Mapping[str, str] | None = None
) -> Heartbeat:
    """Hold the exam of a unit, with its store in the folder, or finish it there; returns the last heartbeat: "done", or
    "in batches" if these take longer than the plan waits.

    `tell` gets one a second. Whatever it raises stops the exam, which first finishes its calls in progress. Raises
    `UnitFailed` if the exam ends without finishing.
    """
    if unit.version != __version__:
        raise UnitFailed(
            f"{socket.gethostname()} has snellen {__version__}, not {unit.version}; install the same on both"
        )
    folder.mkdir(parents=True, exist_ok=True)
    store, log = folder / f"{unit.name}.sqlite", folder / f"{unit.name}.log"
    while is_busy(store):  # an earlier attempt, whose parent was lost, is finishing its calls
        tell(_beat(unit, "waiting", store))
        sleep(BEAT)
    command = [sys.executable, "-m", "snellen.bridge.fan.child", "exam", *unit.words]
    command += ["--store", str(store), "--no-report"]
    with log.open("wb") as said:
        child = subprocess.Popen(  # noqa: S603 - our own code
            command,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
            cwd=unit.cwd if Path(unit.cwd).is_dir() else folder,
            start_new_session=True,  # so that it does not hear Ctrl-C, and ends as `tell` wants it
        )
        try:
            while child.poll() is None:
                tell(_beat(unit, "running", store))
                with suppress(subprocess.TimeoutExpired):
                    child.wait(BEAT)
        finally:
            if child.stdin:
                child.stdin.close()
            status = child.wait()
    if status == NOT_OVER:
        return _beat(unit, IN_BATCHES, store)
    if status:
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        raise UnitFailed(f"{last.removeprefix('snellen: ') or 'it said nothing'} (exit status {status})")
    return _beat(unit, "done", store)


def is_busy(store: Path) -> bool:
    """Whether an exam is running in a store, here or, as far as the disk tells, on another machine."""
    try:
        refuse_other_host(store)
    except UserError:
        return True
    return is_held(store)


def persist(
    unit: FanUnit, folder: Path, retries: int, tell: Callable[[Heartbeat], None], env: Mapping[str, str] | None = None
) -> Heartbeat:
    """Run a unit where the engine does not repeat what failed."""
    for _ in range(retries):
        with suppress(UnitFailed):
            return run_unit(unit, folder, tell, env)
    return run_unit(unit, folder, tell, env)


def _beat(unit: FanUnit, state: str, store: Path) -> Heartbeat:
    """A heartbeat with the numbers that the exam keeps in its store."""
    numbers = {}
    with suppress(UserError, OSError, sqlite3.Error), Store.open(store, readonly=True) as opened:
        numbers = opened.progress()
    done, total = (sum(pair[place] for pair in numbers.get("trials", {}).values()) for place in (0, 1))
    who = (socket.gethostname(), os.getpid(), unit.words)
    return Heartbeat(state, done, total, numbers.get("errors", 0), time(), *who)
