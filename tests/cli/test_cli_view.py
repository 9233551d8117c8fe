"""`snellen view`: prints an address, serves until it is interrupted, and opens only a browser with windows."""

import os
import signal
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from snellen.cli.view import open_browser
from snellen.examine import make_plan, run_plan
from support.commands import fails, snellen
from support.lengths import few_and_more


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@few_and_more(("number", "status"), [(signal.SIGTERM, 143)], [(signal.SIGINT, 0)])
def test_it_serves_a_store_until_ctrl_c_or_sigterm(number: signal.Signals, status: int, tmp_path: Path) -> None:
    run_plan(make_plan("sim/ideal", n=1), tmp_path / "s.sqlite")
    words = [sys.executable, "-m", "snellen", "view", "s.sqlite", "--no-browser"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        address = serving.stdout.readline().strip()
        with pytest.raises(HTTPError, match="403"):
            urlopen(address.partition("?")[0])  # noqa: S310 - the loopback
        with urlopen(address) as answer:  # noqa: S310
            assert b'id="app"' in answer.read()
        serving.send_signal(number)
        try:
            _, said = serving.communicate(timeout=60)
        finally:
            serving.kill()
    assert (serving.returncode, said) == (status, "Press Ctrl-C to stop.\n")


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    fails(snellen("view", "none.sqlite", cwd=tmp_path), "none.sqlite")
    run_plan(make_plan("sim/ideal", n=1), tmp_path / "s.sqlite")
    fails(snellen("view", "s.sqlite", "--price", "a=b", cwd=tmp_path), "--price", "SUBJECT=IN/OUT")


@pytest.mark.parametrize(("variables", "opens"), [({}, False), ({"DISPLAY": ":0"}, True), ({"BROWSER": "x"}, True)])
def test_a_browser_in_the_terminal_is_not_opened(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], opens: bool
) -> None:
    opened: list[str] = []
    done = threading.Event()
    monkeypatch.setattr(webbrowser, "open", lambda address: (opened.append(address), done.set()))
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setitem(os.environ, name, value)
    open_browser("http://127.0.0.1:1/")
    assert done.wait(10 if opens else 0.05) is opens
    assert opened == ["http://127.0.0.1:1/"] * opens
