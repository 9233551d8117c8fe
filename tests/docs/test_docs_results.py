"""The pages of results say what the data beside them say."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_results", DOCS / "make_results.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_figures_and_quoted_numbers_are_those_of_the_data(
    made: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made.main(["--check"]) == 0, capsys.readouterr().err


def test_a_number_that_was_changed_is_noticed(made: ModuleType) -> None:
    page = (DOCS / "results" / "training.md").read_text(encoding="utf-8")
    changed = page.replace("| 93.6 |", "| 96.3 |")
    assert changed != page
    assert made.renewed(changed) == page


def test_several_runs_are_pooled_and_one_is_said_to_be_one(made: ModuleType) -> None:
    kinds = {"usual rule": made.one("standard"), "letters": made.one("letter", "standard")}
    runs = [{stage: {"standard": right, "letter": 10.0} for stage in made.STAGES} for right in (90.0, 96.0, 99.0)]
    assert made.pooled_table(runs[:1], kinds).startswith("One run of one seed")
    assert "| usual rule | 90 | 90 | 90 |" in made.pooled_table(runs[:1], kinds)
    several = made.pooled_table(runs, kinds)
    assert several.startswith("Mean of 3 seeds")
    assert "| usual rule | 95 (90 to 99) | 95 (90 to 99) |" in several
    assert "| letters | 10 / 95 (10 / 90 to 10 / 99) |" in several


@pytest.mark.soak
def test_verdicts_that_the_page_quotes_are_those_of_the_exam(made: ModuleType) -> None:
    assert [text for page, text in made.verdict_phrases() if text not in made.said(page)] == []
