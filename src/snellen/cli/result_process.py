"""The result of an exam, said by a process of its own.

What analyses an exam and writes its page takes about as long to load as a thousand quick calls. So a second process
loads it while the exam is planned and its last calls are under way, copies pictures for the page as they come into the
store, and says the result once it is told where that stands. With one core, or for an exam so large that loading does
not matter, nothing is started, and the result is said by whoever asks.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from snellen.beside import SINGLE
from snellen.cli import ending
from snellen.errors import UserError, invocation
from snellen.garbage import collect_seldom
from snellen.masking import learn_environment
from snellen.tasks.making import pool

if TYPE_CHECKING:
    from snellen.engine import RunProgress
    from snellen.examine import Exam

LARGEST = 20_000
"""Trials of an exam for which a process is started."""
SOON = 3_000
"""It runs while no more trials than this are left: it holds 100 MB."""
MOST_COPIES = 500
"""Pictures that are copied ahead, at most."""
_LOOK_SECONDS = 0.2
_PATIENCE = 5.0
"""Seconds that the process has to end by itself."""

Say = Callable[["Exam", dict[str, Any], int], int]


class ResultProcess:
    """Started with an exam, or when a long one nears its end; ends with the `with` block."""

    def __init__(self, store: str | Path = "", *, says: bool = True) -> None:
        self._store = str(store)
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted = says and pool.cores() > 1 and sys.stdout is sys.__stdout__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def begin(self) -> None:
        """Start the process before it is known how long the exam takes."""
        if self._wanted:
            self._start()

    def expect(self, trials: int) -> None:
        """End a process that has come too early for an exam of so many trials."""
        if trials > SOON:
            self._end()

    def look(self, progress: "RunProgress") -> None:
        """Start the process if the end is near, and tell it that there is a store by now."""
        total, left = progress.total, progress.remaining
        if not self._wanted or total is None or left is None or left > SOON:
            return
        self._wanted = False
        if total <= LARGEST:
            self._start()
            self._tell(self._store)

    def _start(self) -> None:
        if self._process is not None:
            return
        code = f"import sys; sys.path[:] = {sys.path!r}; from snellen.cli.result_process import main; main()"
        with suppress(OSError):
            # In a session of its own, it does not hear Ctrl-C while it starts: that is for the exam to hear.
            self._process = subprocess.Popen(  # noqa: S603 - our own code
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, **SINGLE},  # for so few trials threads cost more than they save
            )

    def _tell(self, store: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):  # it is gone: the result is said here
                self._process.stdin.write(json.dumps(store).encode() + b"\n")
                self._process.stdin.flush()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        if not self._wanted:  # it may be reading the store: killed, it would leave files beside it
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
        process.kill()
        process.wait()

    def say(self, result: "Exam", options: dict[str, Any], tracks: int, here: Say) -> int:
        """Say the result, by the process or, where there is none, `here`; returns the exit status."""
        complete = result.summary is not None and result.summary.ended == "complete"
        if self._process is None or self._process.poll() is not None or self._wanted or not complete:
            return here(result, options, tracks)
        told = {
            "store": str(result.store),
            "subjects": result.subjects,
            "summary": asdict(result.summary) if result.summary else {},
            "trials": sorted(result.trials or ()),
            "options": {**{name: str(options[name]) for name in ("store", "out")}, "as_json": options["as_json"]},
            "tracks": tracks,
        }
        sys.stdout.flush()
        sys.stderr.flush()
        self._process.communicate(json.dumps(told).encode())
        if (status := self._process.returncode) < 0:
            again = invocation("report", options["store"], "--out", options["out"])
            raise UserError(f"the process that writes the report was ended by signal {-status}; run `{again}`")
        return status


def main() -> None:
    """Load what a result needs, wait for one and say it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the exam to hear
    collect_seldom()
    learn_environment(os.environ)
    import scipy.optimize
    import scipy.special  # noqa: F401

    import snellen.engine.rows
    import snellen.examine.findings
    import snellen.examine.page  # noqa: F401
    from snellen.cli.exam_output import say_result
    from snellen.cli.screen import show_diagnoses  # noqa: F401
    from snellen.engine import RunSummary
    from snellen.examine import Exam

    if not (line := sys.stdin.buffer.readline()):
        return  # the exam has not begun
    with _preparing(Path(json.loads(line))):
        request = sys.stdin.buffer.read()
    if not request:
        return  # nothing to say
    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = json.loads(request)
    result = Exam(told["store"], told["subjects"], RunSummary(**told["summary"]), frozenset(told["trials"]))
    ending(lambda: say_result(result, told["options"], told["tracks"]))


@contextmanager
def _preparing(store: Path) -> Iterator[None]:
    """Within, tasks are loaded and pictures copied as they come into the store: neither depends on replies."""
    is_over = threading.Event()
    preparing = threading.Thread(target=_prepare, args=(store, is_over), daemon=True)
    preparing.start()
    try:
        yield
    finally:
        is_over.set()
        preparing.join()


def _prepare(path: Path, is_over: threading.Event) -> None:
    from snellen.engine import Store
    from snellen.report.copies import copy_ahead
    from snellen.tasks import installed

    done: set[str] = set()
    with suppress(UserError, OSError, sqlite3.Error), Store.open(path, readonly=True) as store:
        for name in {name for exam in store.exams() for name in exam.fingerprint.get("tasks", {})}:
            installed(name)
        while not is_over.wait(_LOOK_SECONDS):
            for digest in store.alts().keys() - done:
                done.add(digest)
                picture = store.image(digest)
                if is_over.is_set() or len(done) > MOST_COPIES:
                    return
                if picture is not None:
                    copy_ahead(picture)
