"""The board in a real Chromium, from a file: it sorts and filters, breaks no rule of its policy, and its links lead to
the trials."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_checks import DESKTOP, contrast_failures, fits
from report_samples import find_chromium

from snellen.publish import publish, write_board
from support.commands import snellen as run

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed")

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));
"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("site")
    exams = {
        "one": ("sim/fixated", "sim/nearsighted", "--tasks", "fixation,winoground", "--n", 4),
        "two": ("sim/ideal", "--tasks", "fixation", "--n", 4, "--set", "game=tictactoe,connect4"),
    }
    for name, words in exams.items():
        assert run("exam", *words, "--store", f"{name}.sqlite", cwd=home).returncode == 0
        publish(home / f"{name}.sqlite", home / name)
    return write_board([home / name for name in exams], home / "board")[0]


@pytest.fixture
def look(browser: Any, board: Path) -> Iterator[Any]:
    """Opens the board; at the end: no error, no violation of the policy, nothing asked of a network."""
    opened = []

    def open_page(viewport: dict[str, int] = DESKTOP, **settings: Any) -> Any:
        context = browser.new_context(viewport=viewport, **settings)
        context.add_init_script(WATCH)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on(
            "request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else complaints.append(r.url)
        )
        opened.append((context, page, complaints))
        page.goto(board.as_uri())
        return page

    yield open_page
    for context, page, complaints in opened:
        violations = page.evaluate("window.violations")
        context.close()
        assert complaints == []
        assert violations == []


def subjects(page: Any) -> list[str]:
    return [name.strip() for name in page.locator("tbody tr:not([hidden]) th").all_text_contents()]


def test_sorting_and_filtering_work_and_a_link_leads_to_the_trials(look: Any) -> None:
    page = look()
    assert subjects(page) == ["sim/fixated", "sim/ideal", "sim/nearsighted"]
    page.get_by_role("button", name="habit").click()
    page.get_by_role("button", name="habit").click()
    assert subjects(page)[0] == "sim/fixated"
    assert page.locator("thead th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="eyes", exact=True).click()
    page.get_by_role("button", name="eyes", exact=True).click()
    assert subjects(page)[0] == "sim/nearsighted"
    page.get_by_role("button", name="Reverse").click()
    assert subjects(page)[-1] == "sim/nearsighted"
    before = page.locator("tbody tr").first.locator("td").all_inner_texts()
    page.select_option("#task", label="winoground")
    assert sorted(subjects(page)) == ["sim/fixated", "sim/nearsighted"]
    assert page.locator("#shown").inner_text() == "2 of 3 rows"
    assert page.locator("tbody tr:not([hidden])").first.locator("td").all_inner_texts() != before
    page.locator("tbody tr:not([hidden]) .badge a:visible").first.click()
    page.wait_for_selector("text=Trials")
    assert "/reports/" in page.url
    assert "f.task=winoground" in page.url
    assert page.get_by_text("winoground").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_legible_and_fits(look: Any, scheme: str) -> None:
    for viewport in (DESKTOP, PHONE):
        page = look(viewport, color_scheme=scheme)
        assert fits(page)
        assert contrast_failures(page) == []
