"""The result of an exam, said by a process of its own.

What analyses an exam and writes its page takes about as long to load as a thousand quick calls. So a second process
loads it while the last calls are under way, and says the result once it is told where that stands. With one core, or
for an exam so large that loading does not matter, nothing is started, and the result is said by whoever asks.
"""

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from snellen.cli import GARBAGE, ending
from snellen.errors import UserError, invocation
from snellen.masking import learn_environment
from snellen.tasks.making import pool

if TYPE_CHECKING:
    from snellen.engine import RunProgress
    from snellen.examine import Exam

LARGEST = 20_000
"""Trials of an exam for which a process is started."""
SOON = 3_000
"""It is started once no more trials than this are left: it holds 100 MB."""

Say = Callable[["Exam", dict[str, Any], int], int]


class ResultProcess:
    """Started when an exam nears its end; ends with the `with` block."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted = pool.cores() > 1 and sys.stdout is sys.__stdout__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def look(self, progress: "RunProgress") -> None:
        """Start the process if the end is near."""
        total, left = progress.total, progress.remaining
        if not self._wanted or total is None or left is None or left > SOON:
            return
        self._wanted = False
        if total <= LARGEST:
            code = f"import sys; sys.path[:] = {sys.path!r}; from snellen.cli.result_process import main; main()"
            with suppress(OSError):
                # In a session of its own, it does not hear Ctrl-C while it starts: that is for the exam to hear.
                self._process = subprocess.Popen(  # noqa: S603 - our own code
                    [sys.executable, "-c", code], stdin=subprocess.PIPE, start_new_session=True
                )

    def say(self, result: "Exam", options: dict[str, Any], tracks: int, here: Say) -> int:
        """Say the result, by the process or, where there is none, `here`; returns the exit status."""
        complete = result.summary is not None and result.summary.ended == "complete"
        if self._process is None or self._process.poll() is not None or not complete:
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
    gc.set_threshold(GARBAGE)
    learn_environment(os.environ)
    import scipy.optimize
    import scipy.special  # noqa: F401

    import snellen.examine.findings
    import snellen.report  # noqa: F401
    from snellen.cli.exam import say_result
    from snellen.cli.screen import show_diagnoses  # noqa: F401
    from snellen.engine import RunSummary
    from snellen.examine import Exam

    if not (request := sys.stdin.buffer.read()):
        return  # nothing to say
    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = json.loads(request)
    result = Exam(told["store"], told["subjects"], RunSummary(**told["summary"]), frozenset(told["trials"]))
    ending(lambda: say_result(result, told["options"], told["tracks"]))
