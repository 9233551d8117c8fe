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


@pytest.fixture
def browser() -> Any:
    return started()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """A start takes a second: one browser serves file after file, and is closed before a file that needs none."""
    if nextitem is None or (nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())):
        OPEN.close()
        started.cache_clear()


@pytest.fixture
def show(browser: Any) -> Iterator[Open]:
    """Opens a page and, at the end, holds it to its promises: no error, no violation, no request."""
    opened = []

    def open_page(path: Path, view: str = "", viewport: dict[str, int] = DESKTOP, **settings: Any) -> Any:
        context = browser.new_context(viewport=viewport, **settings)
        context.add_init_script(WATCH)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on(
            "request",
            lambda r: None if r.url.startswith((path.as_uri(), "data:", "blob:")) else complaints.append(r.url),
        )
        opened.append((context, page, complaints))
        page.goto(f"{path.as_uri()}#/{view}")
        return page

    yield open_page
    for context, page, complaints in opened:
        violations = page.evaluate("window.violations")
        context.close()
        assert complaints == []
        assert violations == []
