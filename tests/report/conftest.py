"""A real Chromium for the tests of the page."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from page_checks import DESKTOP, Open
from report_samples import FLAGS, find_chromium

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));
"""


OPEN = ExitStack()
"""The browser and what drives it. While it is open no other event loop can run in this process."""


@cache
def started() -> Any:
    sync_api = pytest.importorskip("playwright.sync_api")
    playwright = OPEN.enter_context(sync_api.sync_playwright())
    return OPEN.enter_context(playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS)))


@cache
def kept() -> Any:
    """A page that one test after another looks through: a new one costs as much as what it shows."""
    return _new_page(started())


@pytest.fixture
def browser() -> Any:
    return started()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """A start takes a second: one browser serves file after file, and is closed before a file that needs none."""
    if nextitem is None or (nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())):
        OPEN.close()
        started.cache_clear()
        kept.cache_clear()


@pytest.fixture
def show(browser: Any) -> Iterator[Open]:
    """Opens a page and, at the end, holds it to its promises: no error, no violation, no request."""
    opened: list[tuple[Any, dict[str, Any], list[str]]] = []

    def open_page(path: Path, view: str = "", viewport: dict[str, int] = DESKTOP, **settings: Any) -> Any:
        page = kept() if not settings and not opened else _new_page(browser, **settings)
        page.set_viewport_size(viewport)
        complaints: list[str] = []
        listeners = {
            "console": lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None,
            "pageerror": lambda e: complaints.append(str(e)),
            "request": lambda r: (
                None if r.url.startswith((path.as_uri(), "data:", "blob:")) else complaints.append(r.url)
            ),
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        opened.append((page, listeners, complaints))
        page.goto(f"{path.as_uri()}#/{view}")
        return page

    yield open_page
    for page, listeners, complaints in opened:
        violations = page.evaluate("window.violations")
        if page is kept():
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            for event, listener in listeners.items():
                page.remove_listener(event, listener)
            page.goto("about:blank")
        else:
            page.context.close()
        assert complaints == []
        assert violations == []


def _new_page(browser: Any, **settings: Any) -> Any:
    context = browser.new_context(**settings)
    context.add_init_script(WATCH)
    return context.new_page()
