"""The page in a real Chromium: what it shows, how it is used, and that nothing a model wrote can run."""

import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from page_checks import DESKTOP, PHONE, Open, chart_words, contrast_failures, fits
from report_samples import (
    FACTORS,
    SHARED,
    SUBJECTS,
    Sample,
    find_chromium,
    findings,
    made_findings,
    many,
    sample,
    sections,
    staged,
)

from snellen.call import Call, Message
from snellen.charts.blocks import (
    Chart,
    Compass,
    Curves,
    Findings,
    Heat,
    Intervals,
    Section,
    Shares,
    Strips,
    Table,
    Value,
)
from snellen.charts.kinds import draw, narrowest
from snellen.charts.marks import SpotMark, TextMark
from snellen.charts.screen import WIDE
from snellen.report import shown, write_report
from support.lengths import few_and_more

CHROMIUM = find_chromium()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
pytest.importorskip("playwright.sync_api")


def write(made: Sample, folder: Path, found: dict[str, Any] | None = None) -> Path:
    found = findings() if found is None else found
    return write_report(made.rows, found, folder, call_of=made.call_of, image_of=made.pictures.get)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(sample(5), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(staged(), tmp_path_factory.mktemp("steps"))


@pytest.mark.soak
def test_charts_also_give_their_numbers(report: Path, show: Open) -> None:
    page = show(report)
    figure = page.locator("figure.chart", has_text="Accuracy under the standard rule minus")
    figure.locator("summary").click()
    assert figure.locator("thead th").all_inner_texts() == ["difference (percentage points)", *SUBJECTS]
    assert figure.locator("tbody tr").first.inner_text().split("\t")[1] == "+41.0 [33.5, 48.5]"


CHARTS = [block for section in sections() for block in section.blocks if isinstance(block, Chart)]


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_chart_is_shown_mark_for_mark(report: Path, show: Open, viewport: dict[str, int]) -> None:
    page = show(report, viewport=viewport)
    figures = page.locator(".section:not(#diagnoses) figure.chart")
    assert figures.count() == len(CHARTS)
    for k, chart in enumerate(CHARTS):
        sheet = draw(chart, max(WIDE, narrowest(chart)) if viewport is DESKTOP else narrowest(chart))
        said = [mark.text.replace("\u00a0", " ") for mark in sheet.marks if isinstance(mark, TextMark)]
        assert chart_words(figures.nth(k)) == said, chart.title
        others = [mark for mark in sheet.marks if not isinstance(mark, TextMark | SpotMark)]
        assert figures.nth(k).locator(".drawing svg > path").count() == len(others), chart.title
        told = figures.nth(k).locator(".drawing svg").get_attribute("aria-label")
        assert told.replace("\u00a0", " ") == f"{chart.title}: {sheet.told}".replace("\u00a0", " ")


def test_a_trial_says_which_tokens_came_from_a_cache_and_which_went_there(tmp_path: Path, show: Open) -> None:
    made = sample(1)
    numbers = {"tokens_in": 4300, "tokens_cached": 1200, "tokens_written": 0, "tokens_out": 9}
    first = pl.int_range(pl.len()) == 0
    rows = made.rows.with_columns(**{name: pl.when(first).then(number) for name, number in numbers.items()})
    page = show(write(replace(made, rows=rows), tmp_path), f"trials/{rows['trial'][0]}")
    tokens = page.locator(".trial .facts dt", has_text="tokens").locator("+ dd")
    assert tokens.inner_text() == "4,300 in (1,200 cached), 9 out"


def test_marks_say_what_they_are_to_who_points_or_uses_the_keyboard(report: Path, show: Open) -> None:
    page = show(report)
    figure = page.locator("figure.chart", has_text="What the answers come from")
    drawing, tip = figure.locator("svg"), figure.locator(".tip")
    assert not tip.is_visible()
    figure.locator(".spot").nth(1).hover()
    assert tip.inner_text().replace("\u00a0", " ") == "sim/fixated: sees, goes by habit 66.0 [61.0, 71.0] %"
    page.mouse.move(0, 0)
    assert not tip.is_visible()
    drawing.focus()
    for key, part in [
        ("ArrowRight", "rule 27.0"),
        ("ArrowDown", "habit 66.0"),
        ("End", "guesses 65.0"),
        ("Home", "27.0"),
    ]:
        page.keyboard.press(key)
        assert part in tip.inner_text()
        assert figure.locator(".spot[data-at]").count() == 1
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_keys_of_the_browser_are_left_to_it(report: Path, show: Open) -> None:
    page = show(report)
    figure = page.locator("figure.chart", has_text="What the answers come from")
    figure.locator("svg").focus()
    for key in ("Control+Home", "Alt+ArrowDown", "Meta+ArrowRight"):
        page.keyboard.press(key)
        assert not figure.locator(".tip").is_visible(), key


def test_a_chart_that_is_scrolled_follows_the_keys(tmp_path: Path, show: Open) -> None:
    columns = tuple(f"column {k}" for k in range(30))
    heat = Heat("Wide", "", "percent", "d", "a", columns, (("x", (Value(50.0),) * 30),), "accuracy")
    page = show(write(sample(1), tmp_path, shown(Findings((), (Section("All", (heat,)),), (), ()))), viewport=PHONE)
    figure = page.locator("figure.chart", has_text="Wide")
    figure.locator("svg").focus()
    for key in ("End", "Home"):
        page.keyboard.press(key)
        spot, box = (figure.locator(at).bounding_box() for at in (".spot[data-at]", ".across"))
        assert box["x"] <= spot["x"], key
        assert spot["x"] + spot["width"] <= box["x"] + box["width"], key


def test_a_finger_finds_the_numbers_of_a_chart(report: Path, show: Open) -> None:
    page = show(report, viewport=PHONE, has_touch=True)
    figure = page.locator("figure.chart", has_text="Directions: answer relative to truth")
    figure.locator(".spot").nth(2).tap()
    assert figure.locator(".tip").inner_text().replace("\u00a0", " ") == "sim/fixated: +90° 70.0 [58.0, 82.0] %"
    box = figure.locator(".tip").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]


def test_tables_sort_and_leave_as_csv(report: Path, show: Open) -> None:
    page = show(report, permissions=["clipboard-read", "clipboard-write"])
    table = page.locator(".section figure.table", has_text="Accuracy by game and rule")
    assert "71.2 [68.1, 74.3]" in table.locator("tbody tr").first.inner_text()
    assert "no paired answers" in table.inner_text()

    def gaps() -> list[str]:
        return [text.split()[0] for text in table.locator("tbody tr td:nth-child(5)").all_inner_texts()]

    given = gaps()  # "no" begins "no paired answers", which stands where there is no number, and comes last
    table.locator("th button", has_text="gap").click()
    assert gaps() == ["33.2", "33.2", "22.2", "11.2", "11.2", "0.2", "0.2", "no"]
    table.locator("th button", has_text="gap").click()
    assert gaps() == ["0.2", "0.2", "11.2", "11.2", "22.2", "33.2", "33.2", "no"]
    table.locator("th button", has_text="gap").click()
    assert gaps() == given
    table.locator("button", has_text="Copy as CSV").click()
    page.wait_for_selector("text=Copied")
    lines = page.evaluate("navigator.clipboard.readText()").replace("\r\n", "\n").splitlines()
    assert lines[0].startswith("game,subject,standard,standard low,standard high,standard n,inverse,")
    assert lines[1].startswith("tictactoe,sim/fixated,71.2,68.1,74.3,240,38,34.6,41.4,240,33.2,")


def test_a_trial_shows_picture_prompt_reply_and_reading(report: Path, show: Open) -> None:
    page = show(report, "trials")
    page.wait_for_selector(".trial .message")
    trial = page.locator(".trial")
    assert trial.locator("img.picture").count() == 1
    page.wait_for_selector(".picture")
    assert page.evaluate("document.querySelector('.picture').naturalWidth") == 192
    said = trial.locator(".result b").first.inner_text()
    assert trial.locator(".raw mark").inner_text() == said
    assert "The player who completes a line wins." in trial.locator(".message").inner_text()
    assert "temperature 0" in trial.inner_text()
    assert trial.locator("dt", has_text="read by").count() == 1
    order = trial.locator(".message > *").evaluate_all("(all) => all.map((e) => e.className)")
    assert order == ["role", "thumb", "long"]


def test_filters_count_and_narrow(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "trials")
    page.wait_for_selector(".row")
    tally = page.locator(".tally")
    assert tally.inner_text() == f"{rows.height} trials"
    page.get_by_label("wrong").check()
    page.locator("fieldset", has_text="rule").get_by_label("inverse").check()
    wanted = rows.filter((pl.col("outcome") == "wrong") & (pl.col("rule") == "inverse"))
    assert tally.locator("span").first.inner_text() == f"{wanted.height} of {rows.height} trials"
    other = rows.filter((pl.col("outcome") == "wrong") & (pl.col("rule") == "standard")).height
    rule = page.locator("fieldset", has=page.locator("legend", has_text="rule")).first
    assert rule.locator(".n").all_inner_texts() == [str(other), str(wanted.height)]
    assert page.locator(".row .outcome.wrong").count() == page.locator(".row").count()
    page.locator("button", has_text="Clear all").click()
    assert tally.inner_text() == f"{rows.height} trials"


def test_rows_lead_with_what_varies_and_say_the_rest_once(report: Path, show: Open) -> None:
    page = show(report, "trials")
    page.wait_for_selector(".row")
    legends = page.locator(".facets legend").all_inner_texts()
    assert legends[0] == "subject"
    assert page.locator(".row .item").first.inner_text() == SUBJECTS[0]
    page.get_by_label(SUBJECTS[0]).check()
    page.locator("fieldset", has=page.locator("legend", has_text="rule")).get_by_label("inverse").check()
    page.wait_for_selector(".common >> text=rule inverse")
    assert f"subject {SUBJECTS[0]}" in page.locator(".common").inner_text()
    first = page.locator(".row").first
    assert first.locator(".item").inner_text() == "winner \u00b7 base", "what was filtered by leads no row"
    assert first.locator(".second").inner_text() == "tictactoe/\u2026/0000"


def test_the_detail_belongs_to_the_filtered_list(report: Path, show: Open) -> None:
    page = show(report, "trials?f.outcome=wrong")
    page.wait_for_selector(".trial")
    page.keyboard.press("j")
    page.wait_for_selector('.row[aria-selected=true][aria-posinset="2"]')
    chosen = page.locator(".trial").get_attribute("aria-label")
    page.get_by_label("wrong").uncheck()
    page.get_by_label("right").check()
    page.wait_for_selector('.row[aria-selected=true][aria-posinset="1"]')
    assert page.locator(".trial .result .outcome").inner_text().endswith("right")
    assert "trial=" not in page.url
    page.get_by_label("right").uncheck()
    page.wait_for_selector(f".trial[aria-label='{chosen}']")
    page.locator("input[type=search]").fill("nobody said this")
    page.wait_for_selector("text=Nothing selected.")


def test_answers_to_an_item_stand_side_by_side(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "trials")
    page.locator(".trial a", has_text="All answers to this item").click()
    grid = page.locator(".answers")
    grid.wait_for()
    item = rows["item"][0]
    own = rows.filter(pl.col("item") == item)
    assert grid.locator("thead th").all_inner_texts() == ["asked as", "key", *SUBJECTS]
    assert grid.locator("tbody tr").count() == own.height // len(SUBJECTS)
    assert grid.locator("tbody th small").first.inner_text() == "rule standard \u00b7 target winner \u00b7 prompt base"
    conditions = list(FACTORS)

    def flips_against(baseline: dict[str, str]) -> int:
        wanted = pl.all_horizontal(*(pl.col(factor) == level for factor, level in baseline.items()))
        base = own.filter(wanted).select("subject", base="outcome")
        return own.join(base, on="subject").filter(pl.col("outcome") != pl.col("base")).height

    first = dict(zip(conditions, (levels[0] for levels in FACTORS.values()), strict=True))
    assert grid.locator("td .flip-mark").count() == flips_against(first) > 0
    grid.get_by_label("Compare with").select_option(index=1)
    assert grid.locator("td .flip-mark").count() == flips_against(first | {"prompt": "alias"})
    cell = grid.locator("td a").nth(1)
    assert cell.locator(".outcome").inner_text()
    said = cell.locator("bdi").inner_text()
    cell.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".trial:not(.item-page)")
    assert page.locator(".trial .facts dd").filter(has_text=SUBJECTS[1]).count() == 1
    assert said in page.locator(".trial .result").inner_text()


def test_a_grid_of_answers_scrolls_inside_its_box_on_a_phone(report: Path, show: Open) -> None:
    page = show(report, "items/answers", viewport=PHONE)
    page.locator(".row").first.click()
    box = page.locator(".answers .scroll")
    box.wait_for()
    assert fits(page)
    assert box.evaluate("(e) => e.scrollWidth > e.clientWidth")


def test_a_picture_says_what_copy_it_is_and_where_the_original_is(report: Path, show: Open) -> None:
    page = show(report, "trials")
    copy = page.locator(".trial .originals")
    assert "every pixel is as it was sent" in copy.inner_text()
    copy.locator("summary").click()
    digest = copy.locator("li code").inner_text()
    assert digest in sample(5).pictures
    assert "--originals" in copy.inner_text()


def test_search_looks_into_replies(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "trials")
    page.wait_for_selector(".trial .message")
    page.keyboard.press("/")
    page.keyboard.type("CANNOT tell")
    wanted = rows.filter(pl.col("text").str.contains("cannot tell")).height
    page.wait_for_selector(f"text={wanted} of {rows.height} trials")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "list"
    page.locator("input[type=search]").fill("nobody said this")
    page.wait_for_selector("text=No trial passes these filters.")


def test_keys_move_open_and_come_back(report: Path, show: Open) -> None:
    page = show(report, "trials")
    page.wait_for_selector(".row")

    def place() -> str | None:
        return page.locator(".row[aria-selected=true]").get_attribute("aria-posinset")

    for key, wanted in [("j", "2"), ("ArrowDown", "3"), ("k", "2"), ("ArrowUp", "1"), ("End", "480"), ("Home", "1")]:
        page.keyboard.press(key)
        page.wait_for_selector(f'.row[aria-selected=true][aria-posinset="{wanted}"]')
        assert place() == wanted
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "pane"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "list"


def test_the_address_leads_back_to_the_same_place(report: Path, show: Open) -> None:
    page = show(report, "trials")
    page.wait_for_selector(".row")
    page.get_by_label("unread").check()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_selector('.row[aria-selected=true][aria-posinset="3"]')
    item, address = page.locator(".trial h3").inner_text(), page.url
    again = show(report, address.split("#/")[1])
    again.wait_for_selector('.row[aria-selected=true][aria-posinset="3"]')
    assert again.locator(".trial h3").inner_text() == item
    assert again.get_by_label("unread").is_checked()
    again.locator("nav a", has_text="Help").click()
    again.wait_for_selector("text=How to read this page")
    again.go_back()
    again.wait_for_selector('.row[aria-selected=true][aria-posinset="3"]')


@pytest.mark.soak
def test_a_trial_of_many_calls_shows_every_step(steps: Path, show: Open) -> None:
    page = show(steps, "trials?f.paradigm=ca&f.describer=twin")
    page.wait_for_selector(".stage")
    trial = page.locator(".trial")
    asked = [text.split("\n") for text in trial.locator(".who-asked").all_inner_texts()]
    assert asked == [["1", "describer", "twin, 13 calls"], ["2", "reasoner", "sim/one"]]
    assert trial.locator(".stage .stem").all_inner_texts() == ["Positive", "Negative", "Query"]
    assert trial.locator(".stage .picture").count() == 13, "the names come from where the descriptions are quoted"
    tile = trial.locator(".tile").nth(7)
    assert tile.locator("figcaption").inner_text() == "2"
    assert not tile.locator(".raw").is_visible()
    tile.locator("summary").click()
    words = tile.locator(".raw").inner_text()
    assert json.loads(words)["by"] == "twin"
    assert words.startswith('{\n  "objects": [ {'), "laid out"
    assert trial.locator("mark").inner_text() == "positive"
    trial.locator("summary", has_text="Prompt as sent with each picture").click()
    assert "Describe it." in trial.locator(".stage .message").inner_text()
    page.locator("fieldset", has_text="paradigm").get_by_label("ca").uncheck()
    page.locator("button", has_text="Clear all").click()
    page.locator("fieldset", has_text="paradigm").get_by_label("drl").check()
    page.keyboard.press("Home")
    page.wait_for_selector("text=inducer")
    assert trial.locator(".stage .picture").count() == 12
    assert f"Rule: {SHARED}" in trial.locator(".stage > .long").inner_text()
    assert trial.locator(".pictures .picture").count() == 1


@pytest.mark.soak
def test_a_picture_can_be_enlarged_and_left_with_the_keyboard(steps: Path, show: Open) -> None:
    page = show(steps, "trials?f.paradigm=dvrl")
    page.get_by_label("Enlarge Positive 2").click()
    shown = page.locator("dialog img")
    assert shown.bounding_box()["height"] > 500
    assert "Positive 2 2 / 13" in page.locator("dialog").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("dialog >> text=Positive 3")
    assert page.locator(".row[aria-selected=true]").get_attribute("aria-posinset") == "1", "keys stay in the dialog"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Enlarge Positive 2"


@pytest.mark.soak
def test_an_item_has_all_its_trials_in_one_place(steps: Path, show: Open) -> None:
    page = show(steps, "trials?f.paradigm=ca")
    page.locator(".trial a", has_text="All answers to this item").click()
    page.wait_for_selector(".lines")
    assert page.locator(".item-page .picture").count() == 14, "each picture once, both queries"
    assert page.locator(".tile figcaption").all_inner_texts()[-2:] == ["positive", "negative"]
    assert page.locator(".tile").first.locator("summary").all_inner_texts() == ["sim/one", "twin"]
    assert page.locator(".lines .condition").all_inner_texts() == [
        "query positive key positive",
        "query negative key negative",
    ]
    told = page.locator(".lines tbody tr:not(.condition)").all_inner_texts()
    rows = [[cell.strip() for cell in text.split("\t")] for text in told]
    assert [row[1] for row in rows] == ["dvrl", "drl", "ca", "ca"] * 2
    assert rows[1][2] == "inducer sim/two\napplier sim/one"
    assert rows[1][3] == f"Rule: {SHARED}"
    assert rows[3][2] == "describer twin\nreasoner sim/one"
    assert rows[3][4] == f"Rule: {SHARED} \u00b7 Answer: positive"
    again = show(Path(steps), viewport=PHONE)
    again.evaluate("location.hash = '#item=bongard/scenes-7/0001'")
    again.wait_for_selector("h2 >> text=scenes-7/0001")
    assert fits(again)
    again.locator(".lines a").first.click()
    again.wait_for_selector(".trial .message")
    assert "bongard/scenes-7/0001" in again.locator(".trial h3").inner_text()


def test_an_item_shows_its_concept_its_twin_and_what_wrong_answers_betray(tmp_path: Path, show: Open) -> None:
    made = sample(2)
    asked = made.rows["item"][0]
    words = "A board in words: X O X / O X O / X - -. Who wins?"
    call = Call("sim/fixated", {}, (Message("user", (words,)),))
    told = made.rows.head(1).with_columns(
        trial=pl.lit("told"), modality=pl.lit("words"), calls=pl.lit([call.key.hex()], dtype=pl.List(pl.String))
    )
    made.rows, made.requests[call.key.hex()] = pl.concat([made.rows, told]), call.request
    known = {asked: {"concept": "three in a row", "cells": [1, 2], "turns": 5, "empty": ""}}
    path = write_report(
        made.rows,
        findings(),
        tmp_path,
        call_of=made.call_of,
        image_of=made.pictures.get,
        facts_of=lambda item: known.get(item, {}),
    )
    page = show(path, f"items?item={asked}")
    page.wait_for_selector(".lines")
    page.wait_for_selector("dt >> text=concept")
    facts = page.locator(".item-page .facts")
    assert facts.locator("dt").all_inner_texts() == ["concept", "turns", "wrong answers betray"]
    assert facts.locator("dd").all_inner_texts()[:2] == ["three in a row", "5"]
    own = made.rows.filter((pl.col("item") == asked) & (pl.col("mechanism") == "default rule"))
    assert facts.locator("dd").last.inner_text() == f"default rule ({own.height} times)"
    assert "mechanism" in page.locator(".lines thead").inner_text()
    twin = page.locator(".item-page section", has_text="its twin in place")
    assert words in twin.inner_text()


def flips(rows: pl.DataFrame, factor: str, a: str, b: str) -> pl.DataFrame:
    """The same pairing by a join."""
    same = [c for c in ("item", "subject", "game", "rule", "target", "prompt") if c != factor]
    left, right = (rows.filter(pl.col(factor) == level).select([*same, "outcome"]) for level in (a, b))
    return left.join(right, on=same).filter(pl.col("outcome") != pl.col("outcome_right"))


@pytest.mark.soak
def test_pairs_that_flipped_stand_side_by_side(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "pairs")
    page.wait_for_selector(".sides .message")
    wanted = flips(rows, "rule", "standard", "inverse")
    assert page.locator(".tally").inner_text() == f"{wanted.height} pairs flipped of {rows.height // 2}"
    headings = page.locator(".sides .heading").all_inner_texts()
    assert headings == ["rule = standard", "rule = inverse"]
    items = page.locator(".sides h3").all_inner_texts()
    assert items[0] == items[1]
    outcomes = page.locator(".sides .result .outcome").all_inner_texts()
    assert outcomes[0] != outcomes[1]
    assert page.locator(".sides .differs").all_inner_texts() == [
        "The",
        "wins.",
        "Here the",
        "LOSES.",
    ]
    page.get_by_label("right then wrong").click()
    cell = wanted.filter((pl.col("outcome") == "right") & (pl.col("outcome_right") == "wrong")).height
    assert page.locator(".tally").inner_text() == f"{cell} pairs"


def test_pairs_of_any_factor_and_subject(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "pairs")
    page.wait_for_selector(".sides")
    page.get_by_label("Factor").select_option("prompt")
    page.get_by_label("Second level").select_option("semalias")
    page.get_by_label("Subject", exact=True).select_option("sim/nearsighted")
    one = rows.filter(pl.col("subject") == "sim/nearsighted")
    wanted = flips(one, "prompt", "base", "semalias")
    page.wait_for_selector(f"text={wanted.height} pairs flipped of {one.height // 3}")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.wait_for_selector('.row[aria-selected=true][aria-posinset="2"]')


def test_pairs_offer_the_factors_of_the_chosen_task_only(tmp_path: Path, show: Open) -> None:
    games, problems = sample(2), staged()
    both = Sample(pl.concat([games.rows, problems.rows], how="diagonal_relaxed"))
    both.requests, both.replies = games.requests | problems.requests, games.replies | problems.replies
    page = show(write(both, tmp_path), "pairs")
    page.wait_for_selector(".chooser")

    def offered() -> set[str]:
        return set(page.get_by_label("Factor", exact=True).locator("option").all_inner_texts())

    assert offered() == {"subject", *FACTORS}
    page.get_by_label("Task").select_option("bongard")
    page.wait_for_selector(".heading >> text=query")
    assert offered() == {"paradigm", "describer", "query"}
    assert page.get_by_label("First level").locator("option").all_inner_texts() == ["positive"]


def test_filters_offer_no_factor_with_one_level_beside_tasks_that_have_none(tmp_path: Path, show: Open) -> None:
    games, problems = sample(2), staged()
    rows = problems.rows.with_columns(pl.lit("one").alias("only_level"))
    both = Sample(pl.concat([games.rows, rows], how="diagonal_relaxed"))
    both.requests, both.replies = games.requests | problems.requests, games.replies | problems.replies
    page = show(write(both, tmp_path), "trials")
    page.wait_for_selector(".facets")
    offered = page.locator(".facets legend").all_inner_texts()
    assert "rule" in offered
    assert "only_level" not in offered


@pytest.mark.soak
def test_pairs_of_two_subjects(report: Path, show: Open) -> None:
    rows = sample(5).rows
    page = show(report, "pairs")
    page.wait_for_selector(".sides")
    page.get_by_label("Factor", exact=True).select_option("subject")
    first, second = rows["subject"].unique(maintain_order=True).to_list()[:2]
    wanted = flips(rows, "subject", first, second)
    page.wait_for_selector(f"text={wanted.height} pairs flipped of {rows.filter(pl.col('subject') == first).height}")
    assert page.locator(".sides .heading").all_inner_texts() == [f"subject = {first}", f"subject = {second}"]
    assert page.get_by_label("Subject", exact=True).count() == 0, "two subjects are chosen already"


@pytest.mark.soak
def test_pairs_of_two_paradigms_whoever_plays_their_roles(steps: Path, show: Open) -> None:
    rows = staged().rows
    page = show(steps, "pairs")
    page.wait_for_selector(".chooser")
    page.get_by_label("Factor", exact=True).select_option("paradigm")
    page.wait_for_selector(".tally")
    assert {"direct", "ca"} & set(rows["paradigm"].to_list())
    headings = page.locator(".sides .heading").all_inner_texts()
    assert all(heading.startswith("paradigm = ") for heading in headings)


@pytest.mark.soak
def test_what_was_thought_before_a_reply_can_be_looked_at(tmp_path: Path, show: Open) -> None:
    made = sample(2)
    made.thinking = dict.fromkeys(made.replies, "Let me look. <b>Row one</b> is X, O, X.")
    page = show(write(made, tmp_path), "trials")
    page.wait_for_selector(".trial .message")
    page.get_by_text("Thinking before the reply").click()
    page.wait_for_selector("text=Let me look. <b>Row one</b> is X, O, X.")


@pytest.mark.soak
def test_the_fingerprint_reads_as_a_list(report: Path, show: Open) -> None:
    page = show(report, "fingerprint")
    text = page.locator("main").inner_text()
    for words in ("reader", "temperature", "9f2c51ab03d84e6f9f2c51ab03d84e6f", "built-in", "0.1.0"):
        assert words in text
    assert "pictures in this page" in text


@few_and_more("scheme", ["light"], ["dark"])
def test_every_view_is_legible_in_light_and_dark(report: Path, show: Open, scheme: str) -> None:
    page = show(report, color_scheme=scheme)
    dark = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.split('(')[1])") < 128
    assert dark == (scheme == "dark")
    for view in ("diagnosis", "trials", "items", "pairs", "fingerprint", "help"):
        page.locator(f"nav a[href='#/{view}']").click()
        page.wait_for_selector(f"main.{view} :is(.card, .message, .section, .lines)")
        assert contrast_failures(page) == [], view


@pytest.mark.soak
def test_the_theme_can_be_chosen_and_is_remembered(report: Path, show: Open) -> None:
    page = show(report, color_scheme="light")
    page.get_by_label("Use dark colours").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.reload()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.get_by_label("Use light colours").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


@pytest.mark.soak
def test_a_phone_needs_no_sideways_scrolling(report: Path, show: Open) -> None:
    page = show(report, "diagnosis", viewport=PHONE, has_touch=True)
    for view in ("diagnosis", "trials", "items", "pairs", "fingerprint", "help"):
        page.locator(f"nav a[href='#/{view}']").click()
        page.wait_for_selector(f"main.{view}")
        assert fits(page), view
    page.locator("nav a[href='#/trials']").click()
    assert not page.locator(".pane").is_visible()
    page.locator(".row").nth(2).tap()
    assert page.locator(".pane").is_visible()
    assert fits(page)
    page.locator(".close").tap()
    assert not page.locator(".pane").is_visible()


HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script><!--",
    "<img src=x onerror='window.hacked=1'><svg onload='window.hacked=1'>",
    "\u202egnp.exe\u2066 \u200b\x00\x1b[31m\U000e0041 {{constructor.constructor('window.hacked=1')()}}",
    "javascript:window.hacked=1 ${window.hacked=1} &lt;b&gt;",
)


def poisoned() -> tuple[Sample, dict[str, Any]]:
    """Every string a model or a data set may have had a hand in."""
    made = sample(1)
    n = made.rows.height
    strings = [HOSTILE[i % len(HOSTILE)] for i in range(n)]
    columns = ("text", "answer", "key", "mechanism", "how", "reason", "item", "subject", "game", "prompt", "finish")
    made.rows = made.rows.with_columns(
        *(pl.Series(name, strings) for name in columns),
        pl.Series(HOSTILE[0], strings),
        labels=pl.Series([[s, s] for s in strings]),
    )
    for key, request in made.requests.items():
        content = json.loads(request)
        content["messages"][0] += [*HOSTILE, "lone \ud800 half"]
        made.requests[key] = json.dumps(content)
    made.pictures = {d: type(p)(p.data, alt=HOSTILE[1] + '" onerror="x') for d, p in made.pictures.items()}

    return made, shown(spoiled(made_findings()))


def spoiled(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        own = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **{k: v if k in ("unit", "verdict") else spoiled(v) for k, v in own.items()})
    if isinstance(value, dict):
        return {key: spoiled(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(spoiled(v) for v in value)
    return "".join(HOSTILE) if isinstance(value, str) else value


def test_hostile_output_is_only_ever_text(show: Open, tmp_path: Path) -> None:
    page = show(write(*poisoned_with(tmp_path)), "trials")
    page.wait_for_selector(".trial .message")
    seen = ""
    for _ in HOSTILE:
        seen += page.locator(".trial").inner_text()
        page.keyboard.press("j")
    assert "<script>window.hacked=1</script>" in seen
    assert "</script><script>window.hacked=1</script><!--" in seen
    assert "U+202E" in seen
    assert "U+0000" in seen
    assert "U+FFFD" in seen, "the lone surrogate of the prompt"
    assert "\u202e" not in page.locator("main").inner_text()
    for view in ("diagnosis", "pairs", "fingerprint", "help"):
        page.locator(f"nav a[href='#/{view}']").click()
        page.wait_for_selector(f"main.{view}")
        assert "\u202e" not in page.locator("main").inner_text()
        assert fits(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main script, main svg[onload], main img[onerror]").count() == 0


def test_hostile_steps_are_only_ever_text(show: Open, tmp_path: Path) -> None:
    made = staged(1)
    for i, key in enumerate(made.replies):
        words = HOSTILE[i % len(HOSTILE)]
        made.replies[key] = json.dumps({words: [words, {"deeper": words}]}, ensure_ascii=False) if i % 2 else words
    for key in list(made.replies)[::5]:
        del made.replies[key]
    page = show(write(made, tmp_path), "trials?f.paradigm=ca")
    page.wait_for_selector(".stage")
    page.locator("button", has_text="Unfold all words").click()
    seen = page.locator(".trial").inner_text()
    assert "No reply: lost" in seen
    page.goto(page.url.split("#")[0] + "#/items")
    page.wait_for_selector(".lines")
    page.locator("button", has_text="Unfold all words").click()
    seen += page.locator(".item-page").inner_text()
    assert "<script>window.hacked=1</script>" in seen
    assert "U+202E" in seen
    assert "\u202e" not in seen
    assert page.evaluate("window.hacked") is None
    assert page.locator("main script, main img[onerror]").count() == 0
    assert fits(page)


def poisoned_with(folder: Path) -> tuple[Sample, Path, dict[str, Any]]:
    made, found = poisoned()
    return made, folder, found


@pytest.mark.soak
def test_a_megabyte_on_one_line_is_cut_until_asked_for(show: Open, tmp_path: Path) -> None:
    made = sample(1)
    long = "\U0001f600<b>" + "ab\x00" * 350_000 + " so the answer is XYZZY" + "c" * 1000
    start = long.index("XYZZY")
    first = pl.int_range(pl.len()) == 0
    made.rows = made.rows.with_columns(
        text=pl.when(first).then(pl.lit(long)).otherwise("text"),
        span_start=pl.when(first).then(pl.lit(start)).otherwise("span_start"),
        span_end=pl.when(first).then(pl.lit(start + 5)).otherwise("span_end"),
    )
    page = show(write(made, tmp_path), "trials", viewport=PHONE)
    page.wait_for_selector(".row")
    page.locator(".row").first.click()
    page.wait_for_selector(".trial .message")
    assert page.locator(".trial mark").inner_text() == "XYZZY"
    assert page.evaluate("document.querySelector('.trial').textContent.length") < 40_000
    page.locator("button", has_text=f"Show all {len(long) + 1:,} characters").click()
    box = page.locator(".raw.whole")
    assert box.bounding_box()["height"] < PHONE["height"]
    assert fits(page)
    page.wait_for_selector(".raw.whole .unseen")
    assert page.evaluate("document.querySelectorAll('.raw.whole .unseen').length") < 40_000
    box.evaluate("(e) => { e.scrollTop = e.scrollHeight }")
    page.wait_for_selector(".raw.whole mark >> text=XYZZY")
    page.locator("button", has_text="Show less").click()
    assert page.locator(".raw.whole").count() == 0


def test_nothing_at_all_still_says_so(show: Open, tmp_path: Path) -> None:
    page = show(write(Sample(pl.DataFrame()), tmp_path, {}))
    assert "No diagnosis yet." in page.locator("main").inner_text()
    assert "no trials" in page.locator("main").inner_text()
    for view, words in [
        ("trials", "There are no trials."),
        ("pairs", "nothing to pair"),
        ("fingerprint", "No fingerprint was recorded."),
    ]:
        page.locator(f"nav a[href='#/{view}']").click()
        page.wait_for_selector(f"text={words}")


@pytest.mark.soak
def test_all_unread_and_nothing_to_estimate(show: Open, tmp_path: Path) -> None:
    made = sample(1)
    made.rows = made.rows.with_columns(
        outcome=pl.lit("unread"),
        reason=pl.lit("error"),
        answer=pl.lit(""),
        text=pl.lit(None),
        mechanism=pl.lit(""),
        calls=pl.lit([], dtype=pl.List(pl.String)),
        span_start=pl.lit(0),
        span_end=pl.lit(0),
    )
    nothing = Value(None, n=0)
    dots = Intervals("t", "", "points", ("a",), (("x", (None,)),), reference=0)
    blocks = (
        Shares("t", "", ("a",), (("x", (nothing,)),)),
        dots,
        replace(dots, rows=()),
        Table("t", "t", "", ("a",), ()),
        Compass("t", "", ("a", "b"), (("x", (nothing, None)),)),  # type: ignore[arg-type]
        Strips("t", "", ("a",), (), ()),
        Curves("t", "", "nats", "", "", (), ("a",), ()),
    )
    found = shown(Findings((), (Section("Empty", blocks),), (), ()))
    page = show(write(made, tmp_path, found))
    text = page.locator("main").inner_text()
    assert "not enough paired answers" in text
    assert "No rows." in text
    page.locator("nav a[href='#/trials']").click()
    page.wait_for_selector("text=The prompt of this trial is not known.")
    assert "nothing that could be read" in page.locator(".trial").inner_text()
    page.locator("nav a[href='#/pairs']").click()
    page.wait_for_selector("text=No pair here")


@pytest.mark.soak
def test_a_hundred_thousand_trials(show: Open, tmp_path: Path) -> None:
    made = many(100_000)
    path = write(made, tmp_path)
    page = show(path, "trials")
    page.wait_for_selector(".row", timeout=15_000)
    assert page.locator(".row").count() < 60, "only what is on the screen is drawn"
    page.wait_for_selector(".trial .message", timeout=15_000)
    page.keyboard.press("End")
    page.wait_for_selector('.row[aria-posinset="100000"][aria-selected=true]')
    assert made.rows["item"][-1] == page.locator(".trial h3").inner_text()
    page.get_by_label("wrong").check()
    wanted = made.rows.filter(pl.col("outcome") == "wrong").height
    page.wait_for_selector(f"text={wanted:,} of 100,000 trials")
    page.locator("nav a[href='#/items']").click()
    page.wait_for_selector(f"text={made.rows['item'].n_unique():,} items")
    page.wait_for_selector(".lines")
