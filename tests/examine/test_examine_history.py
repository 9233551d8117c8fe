"""Subjects over time, from stores to the page: its numbers are those of the overview, and no store is pooled."""

from pathlib import Path

import pytest

from snellen.charts.blocks import Curves, Section, Table, percent
from snellen.examine import Exam, make_plan, run_plan
from snellen.examine.findings import table as named_table
from snellen.examine.history import in_order, store_names
from snellen.report import shown
from support.commands import fails, snellen
from support.pages import page_head


def held(path: Path, subjects: dict[str, str], n: int = 2) -> Path:
    run_plan(make_plan(subjects, tasks="fixation", n=n), path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three stores of one subject, the last with more items, and one with checkpoints."""
    path = tmp_path_factory.mktemp("stores")
    held(path / "c.sqlite", {"nightly": "sim/ideal:map=0.5"})
    held(path / "a.sqlite", {"nightly": "sim/ideal:map=0.9"})
    held(path / "b.sqlite", {"nightly": "sim/ideal:map=0.9"}, n=3)
    held(path / "steps.sqlite", {"small": "sim/ideal:see=0.5", "step-20": "sim/ideal", "step-10": "sim/ideal:see=0.6"})
    return path


def history_of(exam: Exam) -> Section:
    return next(section for section in exam.findings.sections if section.title == "History")


def numbers(table: Table) -> dict[str, list[object]]:
    return {name: [row[k] for row in table.rows] for k, name in enumerate(table.columns)}


def test_the_last_point_is_what_the_overview_says(folder: Path) -> None:
    *earlier, latest = in_order(folder.glob("[abc].sqlite"))
    assert [path.name for path in (*earlier, latest)] == ["c.sqlite", "a.sqlite", "b.sqlite"]
    exam = Exam(latest, earlier=earlier)
    (diagnosis,) = exam.findings.diagnoses
    overview = numbers(named_table(exam.rows, "overview", fingerprints=exam.fingerprints))
    table = numbers(exam.history_table())
    assert table["accuracy, whole task"][-1] == diagnosis.accuracy == overview["accuracy, whole task"][0]
    assert table["right"][-1] == percent(diagnosis.right) == overview["right"][0]
    for loss in diagnosis.losses:
        assert table[" or ".join(loss.faculties)][-1] == percent(loss.share)
    chart = next(block for block in history_of(exam).blocks if isinstance(block, Curves))
    panels = {name: lines[-1][-1] for name, lines in chart.rows}
    assert panels["accuracy, whole task"] == diagnosis.accuracy
    assert panels["right"] == percent(diagnosis.right)
    (card,) = shown(exam.findings)["diagnoses"]
    assert percent(card["right"]["value"]) == panels["right"].value  # what the page's overview shows


def test_each_store_is_a_point_with_its_own_numbers(folder: Path) -> None:
    *earlier, latest = in_order(folder.glob("[abc].sqlite"))
    table = numbers(Exam(latest, earlier=earlier).history_table())
    alone = [Exam(path).findings.diagnoses[0].accuracy for path in (*earlier, latest)]
    assert table["accuracy, whole task"] == alone
    assert table["store"] == ["c.sqlite", "a.sqlite", "b.sqlite"]
    assert table["changed"] == ["", "", "size"]


def test_checkpoints_of_one_store_are_in_its_report(folder: Path) -> None:
    exam = Exam(folder / "steps.sqlite")
    table = numbers(exam.history_table())
    assert table["subject"] == ["step-10", "step-20"]
    page = shown(exam.findings)
    assert page["history"]["title"] == "History"
    assert "History" not in [section["title"] for section in page["sections"]]
    assert "history-of-fixation" in exam.figures()


def test_a_store_without_history_says_how_to_get_one(folder: Path) -> None:
    exam = Exam(folder / "a.sqlite")
    assert shown(exam.findings)["history"] is None
    fails(snellen("table", "history", "a.sqlite", cwd=folder), "no history", "step-500")


def test_on_the_command_line(folder: Path) -> None:
    told = snellen("table", "history", "b.sqlite", "c.sqlite", "--format", "csv", cwd=folder)
    assert told.returncode == 0, told.stderr
    assert told.stdout.index("c.sqlite") < told.stdout.index("b.sqlite")
    assert "history" in snellen("table", "b.sqlite", "c.sqlite", cwd=folder).stdout.split()
    assert "history" not in snellen("table", "a.sqlite", cwd=folder).stdout.split()
    drawn = snellen("figure", "history", "b.sqlite", "c.sqlite", "-o", "h.svg", cwd=folder)
    assert (drawn.returncode, (folder / "h.svg").read_text()[:4]) == (0, "<svg")
    fails(snellen("table", "overview", "b.sqlite", "c.sqlite", cwd=folder), "one store")
    written = snellen("report", "b.sqlite", "c.sqlite", "-o", "page", cwd=folder)
    assert written.returncode == 0, written.stderr
    assert "run 1 is c.sqlite, run 2 is b.sqlite" in page_head(folder / "page" / "index.html")


def test_stores_of_one_file_name_are_told_apart_by_their_paths() -> None:
    paths = [Path("x/s.sqlite"), Path("y/s.sqlite"), Path("y/t.sqlite")]
    assert list(store_names(paths).values()) == ["x/s.sqlite", "y/s.sqlite", "t.sqlite"]


def test_a_store_that_is_named_twice_counts_once(folder: Path) -> None:
    assert len(in_order([folder / "a.sqlite", folder / "." / "a.sqlite"])) == 1
