"""The first thing the page shows: one card with its ladder, or, of several, an overview, profiles and folded cards."""

from pathlib import Path
from typing import Any

import pytest
from page_checks import PHONE, Open, chart_words, contrast_failures, fits
from report_samples import find_chromium, sample

from snellen.charts.blocks import Diagnosis, Findings
from snellen.faculties import ENTRIES
from snellen.report import shown, write_report
from support.lengths import few_and_more
from support.made_findings import SUBJECTS, TASKS, habit, many, one, together

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed")
pytest.importorskip("playwright.sync_api")

UNFOLD = "document.querySelectorAll('details').forEach((d) => { d.open = true })"


def written(findings: Findings, folder: Path) -> Path:
    made = sample(1)
    return write_report(made.rows, shown(findings), folder, call_of=made.call_of, image_of=made.pictures.get)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(one(), tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(many(), tmp_path_factory.mktemp("many"))


def rungs(card: Any, diagnosis: Diagnosis) -> list[str]:
    """The names of rungs in a card's ladder, from the top."""
    ladder = card.locator("figure.chart", has_text="Right answers on each rung")
    names = {rung.rung for rung in diagnosis.rungs}
    return [text for text in chart_words(ladder) if text in names]


@pytest.mark.soak
def test_one_card_with_sentence_bar_ladder_and_grounds(alone: Path, show: Open) -> None:
    page = show(alone)
    card = page.locator(".card")
    assert card.count() == 1
    assert page.locator(".overview, .task-fold").count() == 0
    assert card.locator(".verdict").inner_text() == "habit"
    assert card.locator(".task").inner_text() == "fixation"
    assert card.locator(".headline").inner_text().replace("\u00a0", " ") == habit().headline
    assert card.evaluate("(e) => e.getBoundingClientRect().top") < 200
    bar = card.locator("svg[role=img]").first
    assert "Of 100 items: right 54.0 [49.0, 59.0] %, attention 2.0" in bar.get_attribute("aria-label").replace(
        "\u00a0", " "
    )
    assert "habit 41 (36–46)" in chart_words(card.locator("figure.chart").first)
    assert rungs(card, habit()) == [rung.rung for rung in habit().rungs]
    ladder = chart_words(card.locator("figure.chart").nth(1))
    assert {"chance (50 %)", "off-ladder, to compare", "91.0 [85.0, 96.0] · 4 % unread"} <= set(ladder)
    assert {"form", "attention", "the item as it is"} <= set(ladder), "what a rung adds, and what it shows"
    assert [" ".join(text.split()) for text in card.locator(".beside").all_inner_texts()] == [
        "Accuracy, whole task: 56 % (50–61)",
        "Off-ladder comparison, percent of items: saying 8 (3–13) solved on pictures, not on own words",
    ]
    assert [text.replace("\u00a0", " ") for text in card.locator(".ground .details li").all_inner_texts()] == list(
        habit().details
    )


def test_an_overview_of_subjects_and_tasks_comes_first(several: Path, show: Open) -> None:
    page = show(several)
    diagnoses = many().diagnoses
    assert page.locator(".summary").inner_text().startswith("3 subjects · 6 tasks · ")
    table = page.locator(".overview table")
    assert table.evaluate("(e) => e.getBoundingClientRect().top") < 300
    assert sorted(table.locator("thead th").all_inner_texts()) == sorted(["subject", *TASKS])
    assert table.locator("tbody th bdi").all_inner_texts() == list(SUBJECTS)
    assert table.locator("td.none").all_inner_texts() == ["not asked"] * (3 * 6 - len(diagnoses))
    first = table.locator("td").first
    assert first.inner_text().split("\n") == ["habit", "54\u00a0% right (49–59)"], "one verdict, one bar, one number"
    assert "right 54.0 [49.0, 59.0]" in first.locator("svg").get_attribute("aria-label")
    legend = page.locator(".legend").text_content()
    assert f"habit: {ENTRIES['habit'].verdict}" in legend, "colours are named and explained"


@pytest.mark.soak
def test_a_cell_leads_to_its_card_which_opens(several: Path, show: Open) -> None:
    page = show(several)
    assert page.locator(".card[open]").count() == 0
    place = next(k for k, d in enumerate(many().diagnoses) if d.subject == SUBJECTS[1] and d.task == "winoground")
    page.locator(".overview tbody tr").nth(1).locator("td[data-task=winoground] a").click()
    page.wait_for_selector(f"#card-{place + 1}[open]")
    card = page.locator(".card[open]")
    assert card.count() == 1
    assert [card.locator(".subject").inner_text(), card.locator(".task").inner_text()] == [SUBJECTS[1], "winoground"]
    page.wait_for_timeout(1000)
    assert 0 <= card.evaluate("(e) => e.getBoundingClientRect().top") < 300, "the page went there"


@pytest.mark.soak
def test_every_card_draws_its_own_ladder(several: Path, show: Open) -> None:
    page = show(several)
    page.evaluate(UNFOLD)
    for k, diagnosis in enumerate(many().diagnoses):
        card = page.locator(f"#card-{k + 1}")
        assert card.locator(".task").inner_text() == diagnosis.task
        assert rungs(card, diagnosis) == [rung.rung for rung in diagnosis.rungs]


def test_the_page_is_short_until_opened(several: Path, show: Open) -> None:
    page = show(several)
    assert page.evaluate("document.documentElement.scrollHeight") < 6_000
    assert page.locator(".task-fold").count() == len(TASKS) + 1, "one fold a task, and what is of all tasks"
    assert not page.locator("#section-3 figure").first.is_visible()
    page.evaluate("location.hash = '#/diagnosis/section-3'")
    page.wait_for_selector("#section-3 figure", state="visible")


def test_a_long_fold_lists_its_parts_and_opens_one_at_a_time(several: Path, show: Open) -> None:
    page = show(several)
    fold = page.locator(".task-fold", has=page.locator(".parts")).first
    fold.locator("> summary").click()
    titles = fold.locator(".part > summary").all_inner_texts()
    assert len(titles) > 1
    assert fold.locator(".parts a").all_inner_texts() == titles
    assert [part.get_attribute("open") is not None for part in fold.locator(".part").all()] == [True] + [False] * (
        len(titles) - 1
    )
    fold.locator(".parts a").last.click()
    last = fold.locator(".part").last
    page.wait_for_function("(e) => e.open", arg=last.element_handle())
    assert page.url.endswith(f"#/diagnosis/{last.get_attribute('id')}")
    page.go_back()
    assert page.url.endswith("#/")


@pytest.mark.soak
def test_the_profile_has_faculties_and_tasks_and_no_single_score(several: Path, show: Open) -> None:
    page = show(several)
    profile = page.locator("figure.profile").first
    heads = profile.locator("thead th").all_inner_texts()
    assert heads == ["lost to", "fixation", "capacity", "marvel", "winoground", "mean over tasks", "range across tasks"]
    rows = [text.split("\t") for text in profile.locator("tbody tr").all_inner_texts()]
    assert [row[0].strip() for row in rows] == ["form", "attention", "thinking", "eyes", "habit"]
    assert [cell.strip() for cell in rows[4][1:]] == [
        *["41 (36–46)"] * 2,
        *["–\nnot asked or not told apart"] * 2,
        "41 (35–47)",
        "41",
    ]
    assert page.locator("figure.profile").count() == 3


@pytest.mark.soak
def test_faculties_look_the_same_everywhere_and_other_charts_keep_their_colours(several: Path, show: Open) -> None:
    page = show(several)
    page.evaluate(UNFOLD)
    fills = "(all) => [...new Set(all.map((e) => getComputedStyle(e).fill))]"
    seen = {}
    for name in ("right", "eyes", "habit", "not told apart"):
        patches = page.locator(f"main [data-part='{name}'] > rect:first-child").evaluate_all(fills)
        assert len(patches) == 1, name
        seen[name] = patches[0]
    bars = page.locator("figure.chart", has_text="Of 100 items").locator("path").evaluate_all(fills)
    assert set(seen.values()) <= set(bars), "patches and bars are of one colour"
    others = page.locator("#section-1 .drawing path").evaluate_all(fills)
    assert seen["right"] not in others
    assert page.locator(".card .named, .card text", has_text="thinking or eyes").count() > 0


@pytest.mark.soak
def test_what_was_not_told_apart_comes_with_a_command_to_copy(tmp_path: Path, show: Open) -> None:
    findings = Findings((together(),), (), (), ())
    page = show(written(findings, tmp_path), permissions=["clipboard-read", "clipboard-write"])
    command = page.locator(".command")
    command.locator("button").click()
    page.wait_for_selector(".command >> text=Copied")
    wanted = "snellen exam sim/nearsighted --tasks winoground --set modality=words,pictures"
    assert page.evaluate("navigator.clipboard.readText()") == command.locator("code").inner_text() == wanted


def test_every_chart_says_what_its_axis_shows(several: Path, alone: Path, show: Open) -> None:
    for path in (several, alone):
        page = show(path)
        page.evaluate(UNFOLD)
        charts = page.locator("figure.chart").all()
        assert len(charts) > 2
        for chart in charts:
            assert any(text.endswith("(%)") for text in chart_words(chart)), chart_words(chart)


@few_and_more("scheme", ["dark"], ["light"])
def test_all_of_it_is_legible(several: Path, show: Open, scheme: str) -> None:
    page = show(several, color_scheme=scheme)
    page.evaluate(UNFOLD)
    page.wait_for_timeout(100)
    assert contrast_failures(page) == []


@pytest.mark.soak
def test_a_phone_needs_no_sideways_scrolling(several: Path, alone: Path, show: Open) -> None:
    for path in (several, alone):
        page = show(path, viewport=PHONE, has_touch=True)
        assert fits(page)
        page.evaluate(UNFOLD)
        page.wait_for_timeout(100)
        assert fits(page)
        assert page.locator(".theme").evaluate("(e) => e.getBoundingClientRect().top") < 40
