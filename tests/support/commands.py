"""The command line as a user meets it: in this process, which is quick, or in one of its own."""

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import click

from snellen.cli import cli, run

Ran = subprocess.CompletedProcess[str]


def _environment(env: dict[str, str]) -> dict[str, str]:
    """The user's environment without keys, but for those given."""
    return {**{name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}, **env}


def snellen(*words: object, cwd: Path, together: bool = False, **env: str) -> Ran:
    """`snellen WORDS` in a folder; what it printed and how it ended. `together`: notes and errors where they come,
    as on a terminal."""
    return in_process(cli, "snellen", *words, cwd=cwd, together=together, **env)


def in_process(group: click.Group, name: str, *words: object, cwd: Path, together: bool = False, **env: str) -> Ran:
    """A group of commands under a name, with these words after it."""
    line = [name, *map(str, words)]
    out, status = io.StringIO(), 0
    err = out if together else io.StringIO()
    with (
        chdir(cwd),
        patch.dict(os.environ, _environment(env), clear=True),
        patch.object(sys, "argv", line),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            run(group)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return Ran(line, status, out.getvalue(), "" if together else err.getvalue())


def snellen_process(*words: object, cwd: Path, **env: str) -> Ran:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "snellen", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=_environment(env), capture_output=True, text=True, timeout=120)


def fails(ran: Ran, *words: str) -> None:
    """A user's mistake: status 2, nothing on standard output, one line on standard error."""
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert ran.stdout == ""
    lines = ran.stderr.strip().splitlines()
    assert len(lines) == 1, ran.stderr
    assert lines[0].startswith("snellen: ")
    for word in words:
        assert word in lines[0]
