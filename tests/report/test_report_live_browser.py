"""The live page in a real Chromium, beside an exam in a process of its own: it is updated without being reloaded, and
says how the exam ended. The server ends with it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from report_samples import find_chromium

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed")
pytest.importorskip("playwright.sync_api")

FIRST = 40
MODEL = f"""
import time
from pathlib import Path

asked = 0

def answer(parts):
    global asked
    asked += 1
    while asked > {FIRST} and not Path("go").exists():
        time.sleep(0.05)
    return "X"
"""
LONG = 60_000  # milliseconds: machines may be slow


@pytest.fixture
def exam(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """An exam that waits for the file `go` after its first trials, the address of its page, and its folder."""
    (tmp_path / "model.py").write_text(MODEL)
    words = ["exam", "model=./model.py", "--n", "1", "--concurrency", "1", "--store", "s.sqlite", "--open"]
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    running = subprocess.Popen(
        [sys.executable, "-m", "snellen", *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert running.stderr is not None
    address = next(found[0] for line in running.stderr if (found := re.search(r"http://\S+", line)))
    try:
        yield running, address, tmp_path
    finally:
        running.kill()
        running.wait()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that is held to its promises: no error, and nothing from anywhere else."""
    context = browser.new_context()
    opened, complaints = context.new_page(), []
    opened.on("pageerror", lambda e: complaints.append(str(e)))
    opened.on("console", lambda m: complaints.append(m.text) if "Content Security" in m.text else None)
    opened.on("request", lambda r: None if "//127.0.0.1:" in r.url else complaints.append(r.url))
    yield opened
    context.close()
    assert complaints == []


def waits_for(page: Any, words: str) -> None:
    page.locator(".status .line", has_text=words).wait_for(timeout=LONG)


def is_over(address: str) -> bool:
    try:
        urlopen(address)  # noqa: S310 - the loopback
    except HTTPError:
        return False
    except (URLError, ConnectionError):  # the latter if the server ends between the connection and its reply
        return True
    return False


def test_the_page_follows_an_exam_to_its_end(exam: tuple[subprocess.Popen[str], str, Path], page: Any) -> None:
    running, address, folder = exam
    page.goto(address)
    page.evaluate("window.same = true")
    waits_for(page, f"{FIRST} of ")
    page.locator("main.interim").wait_for(timeout=LONG)
    page.locator(".remark", has_text="Estimates are interim").wait_for()
    marked = page.locator(".verdict").first.evaluate("e => getComputedStyle(e, '::after').content")
    assert "interim" in marked
    assert "token" not in page.url
    page.evaluate("location.hash = '#/trials'")
    picture = page.locator("img.picture").first
    picture.wait_for(timeout=LONG)
    assert picture.evaluate("async e => (await e.decode(), e.naturalWidth)") > 100

    (folder / "go").touch()
    waits_for(page, "Finished")
    page.locator(".remark", has_text="All trials are in these estimates.").wait_for(timeout=LONG)
    assert running.wait(60) == 0
    assert is_over(address)
    assert page.locator("main.interim").count() == 0
    assert page.evaluate("window.same") is True  # never reloaded
    page.locator("[role=option]").last.click()  # and of use without its server
    assert page.locator("img.picture").first.evaluate("async e => (await e.decode(), e.naturalWidth)") > 100


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_exam_that_is_killed_is_said_to_have_stopped(
    exam: tuple[subprocess.Popen[str], str, Path], page: Any
) -> None:
    running, address, _ = exam
    page.goto(address)
    page.locator("main.interim").wait_for(timeout=LONG)
    running.send_signal(signal.SIGKILL)
    waits_for(page, "Stopped before the end")
    assert page.locator("main.interim").count() == 1
    end = time.monotonic() + 60
    while not is_over(address):
        assert time.monotonic() < end
        time.sleep(0.2)
    assert page.locator(".status .line").inner_text().startswith("Stopped")
