"""Terms explain themselves, and whoever cannot see or point reads the page all the same."""

import re
from pathlib import Path

import pytest
from page_checks import DESKTOP, PHONE, Open
from report_samples import find_chromium, sample

from snellen.charts.blocks import Findings
from snellen.faculties import ENTRIES, NAMES
from snellen.report import shown, write_report
from snellen.report.glossary import glossary, glossary_page
from support.lengths import few_and_more
from support.made_findings import many, one

HERE = Path(__file__).parents[2]
AXE = HERE / "web" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ("diagnosis", "trials", "items", "pairs", "fingerprint", "help")
in_browser = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed")


def written(findings: Findings, folder: Path) -> Path:
    made = sample(1)
    return write_report(made.rows, shown(findings), folder, call_of=made.call_of, image_of=made.pictures.get)


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(many(), tmp_path_factory.mktemp("many"))


def test_the_page_of_the_documentation_is_the_glossary_of_the_report() -> None:
    kept = (HERE / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert kept == glossary_page(), "renew it: python docs/make_glossary.py"


def test_every_faculty_is_explained_and_named_by_its_own_word() -> None:
    assert list(glossary()["Faculties"]) == list(NAMES)
    for name, entry in ENTRIES.items():
        assert re.search(rf"\b{name}\b", entry.lost_to), "sentences call a faculty what legends call it"
        assert entry.verdict


def test_explanations_are_sentences() -> None:
    for terms in glossary().values():
        for term, words in terms.items():
            assert words.endswith("."), term
            assert len(words) < 300, term


@in_browser
def test_a_term_explains_itself_by_pointer_keyboard_and_finger(several: Path, show: Open) -> None:
    page = show(several, has_touch=True)
    term, box = page.locator("#overview .legend .term", has_text="habit"), page.locator(".explanation")
    wanted = glossary()["Faculties"]["habit"]
    assert not box.is_visible()
    for way in (term.hover, term.focus, term.tap):
        way()
        assert box.inner_text() == f"habit {wanted}"
        page.keyboard.press("Escape")
        assert not box.is_visible()
        page.evaluate("document.activeElement.blur()")
    described = term.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").text_content() == wanted


@in_browser
def test_an_explanation_stays_on_a_small_screen(several: Path, show: Open) -> None:
    page = show(several, viewport=PHONE, has_touch=True)
    for term in page.locator(".term:visible").all()[:8]:
        term.tap()
        place = page.locator(".explanation").bounding_box()
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= PHONE["width"]
        page.locator(".explanation").tap()
        assert not page.locator(".explanation").is_visible()


@in_browser
def test_help_takes_its_faculties_from_the_findings(several: Path, show: Open) -> None:
    page = show(several, "help")
    listed = page.locator("#glossary dt").all_inner_texts()
    assert listed == [term for terms in glossary().values() for term in terms]


@in_browser
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (make web)")
@few_and_more("scheme", ["light"], ["dark"])
def test_axe_finds_nothing(several: Path, tmp_path: Path, show: Open, scheme: str) -> None:
    found = []
    for path, views in ((several, VIEWS), (written(one(), tmp_path), VIEWS[:1])):
        for view in views:
            for viewport in (DESKTOP, PHONE):
                page = show(path, view, viewport=viewport, color_scheme=scheme, bypass_csp=True)
                page.wait_for_selector("main h1", state="attached")
                page.wait_for_function("!document.querySelector('main [role=status].empty')")
                page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
                page.evaluate(AXE.read_text(encoding="utf-8"))
                report = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
                found += [(view, each["id"], each["nodes"][0]["html"][:120]) for each in report["violations"]]
    assert found == []
