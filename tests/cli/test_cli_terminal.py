"""The command line in a real terminal (a pseudo one): names that look like markup, and terminals that go away."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from snellen.engine import Store

SERVER = Path(__file__).parents[1] / "support" / "fault_server.py"
QUIET = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}


@contextmanager
def serving(**plan: object) -> Iterator[str]:
    server = subprocess.Popen([sys.executable, SERVER, json.dumps(plan)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


@contextmanager
def in_terminal(*words: str, cwd: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`snellen WORDS` in a terminal of its own: the process, and the terminal's other end."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "snellen", *words],
        cwd=cwd,
        env={**QUIET, "TERM": "xterm", "COLUMNS": "100"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield run, ours
    finally:
        run.kill()
        run.wait()
        with suppress(OSError):
            os.close(ours)


def shown(terminal: int, run: subprocess.Popen[bytes]) -> str:
    """Everything that appears in the terminal until the process ends."""
    seen = b""
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if ready:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        elif run.poll() is not None:
            break
    run.wait()
    return seen.decode("utf-8", "replace")


@pytest.mark.soak
def test_names_that_look_like_markup(tmp_path: Path) -> None:
    names = ("m[/x]", "[bold]m[/bold]", "a[/]b", ":smile:")
    with serving(answer="X") as url:
        subjects = [f"openai/{name}@{url}" for name in names]
        with in_terminal("exam", *subjects, "--n", "1", "--set", "game=tictactoe", cwd=tmp_path) as (run, terminal):
            text = shown(terminal, run)
    assert run.returncode == 0, text
    assert "Traceback" not in text
    for name in names:
        assert name in text


def ended(store: Path) -> str:
    with Store.open(store, readonly=True) as opened:
        return str(opened.exams()[-1].counts.get("ended", ""))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("hung_up", "end"), [pytest.param(False, "complete", marks=pytest.mark.soak), (True, "interrupted")]
)
def test_a_terminal_that_goes_away(hung_up: bool, end: str, tmp_path: Path) -> None:
    """What is under way is finished and recorded, and the exam is ended like any other."""
    with serving(delay=0.1) as url:
        words = ("exam", f"openai/m@{url}", "--n", "2", "--concurrency", "2")
        with in_terminal(*words, cwd=tmp_path) as (run, terminal):
            store = tmp_path / "snellen.sqlite"
            while not (store.exists() and _trials(store)):
                assert run.poll() is None
                time.sleep(0.05)
            if hung_up:
                os.kill(run.pid, signal.SIGHUP)
            os.close(terminal)
            run.wait(timeout=60)
    assert run.returncode >= 0, "it ended by itself"
    assert ended(store) == end


def _trials(store: Path) -> int:
    with suppress(Exception), Store.open(store, readonly=True) as opened:
        return opened.rows().height
    return 0
