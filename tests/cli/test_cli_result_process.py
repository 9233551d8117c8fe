"""The result of an exam is the same whether a second process says it or the one that made the calls."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from snellen.cli.result_process import SOON, ResultProcess
from snellen.engine import RunProgress, RunSummary
from snellen.errors import UserError
from snellen.examine import Exam

RUN = """
import sys
from snellen.tasks.making import pool
pool.cores = lambda: CORES
from snellen.cli import main
try:
    main()
finally:
    sys.stdout.flush()
    print("analysed here:", "scipy" in sys.modules, file=sys.stderr)
"""


def examined(folder: Path, cores: int) -> tuple[str, str, bytes]:
    """Standard output, the last line of standard error, and the page."""
    folder.mkdir()
    command = [sys.executable, "-c", RUN.replace("CORES", str(cores)), "exam", "sim/fixated", "--n", "1", "--out", "r"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout, ran.stderr.splitlines()[-1], (folder / "r" / "index.html").read_bytes()


def test_a_second_process_says_what_the_first_would(tmp_path: Path) -> None:
    alone, here, _ = examined(tmp_path / "alone", 1)
    told, elsewhere, page = examined(tmp_path / "told", 2)
    assert (here, elsewhere) == ("analysed here: True", "analysed here: False")
    assert told == alone
    assert "Report: r/index.html" in told
    assert page.startswith(b"<!doctype html>")


def test_a_second_process_that_is_killed_leaves_the_command_that_writes_the_report(tmp_path: Path) -> None:
    code = "import os, signal, sys; sys.stdin.read(); os.kill(os.getpid(), signal.SIGKILL)"
    exam = Exam(tmp_path / "s.sqlite", ["a"], RunSummary(1, 0, 0, 0, "complete"), {"00"})
    options = {"store": exam.store, "out": tmp_path / "r", "as_json": False}
    with ResultProcess() as sayer:
        sayer._process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
        with pytest.raises(UserError, match=r"ended by signal 9; run `snellen report .*s.sqlite --out .*r`"):
            sayer.say(exam, options, 0, lambda *_: 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sessions")
def test_a_second_process_does_not_hear_the_terminal_while_it_starts() -> None:
    """A Ctrl-C would end it with a traceback before it can say that it ignores one."""
    with ResultProcess() as sayer:
        sayer._wanted = True
        sayer.look(cast(RunProgress, SimpleNamespace(total=9, remaining=5)))
        assert sayer._process is not None
        assert os.getsid(sayer._process.pid) == sayer._process.pid != os.getsid(0)


def test_a_process_that_was_started_with_a_long_exam_is_ended_until_it_is_needed(tmp_path: Path) -> None:
    with ResultProcess(tmp_path / "none.sqlite") as sayer:
        sayer._wanted = True
        sayer.begin()
        early = sayer._process
        assert early is not None
        sayer.expect(SOON)
        assert sayer._process is early
        sayer.expect(SOON + 1)
        assert sayer._process is None
        assert early.poll() is not None
        sayer.look(cast(RunProgress, SimpleNamespace(total=SOON + 1, remaining=5)))
        late = sayer._process
        assert late is not None
    assert late.poll() == 0, "it ends by itself once nobody will ask"
