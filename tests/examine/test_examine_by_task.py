"""A large store is read a task at a time: the same findings, to the last bit, as from all its rows at once."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import snellen
from snellen.analysis import to_json
from snellen.beside import Beside
from snellen.examine import Exam, by_task, page
from snellen.examine.by_task import StoreByTask, TableByTask
from snellen.examine.findings import ExamAnalysis
from snellen.tasks.making import pool

SUBJECTS = ["sim/fixated:see=0.8", "sim/nearsighted"]
TASKS = {"winoground": 3, "fixation": 1}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("by-task") / "s.sqlite"
    snellen.exam(SUBJECTS, tasks=list(TASKS), n=TASKS, store=path)
    return path


def _told(exam: Exam) -> tuple[Any, Any]:
    analysis = ExamAnalysis(exam.by_task, exam.fingerprints, 0)
    return to_json(exam.findings), {name: to_json(table.make()) for name, table in analysis.tables().items()}


@pytest.mark.parametrize("subjects", [(), ("sim/nearsighted",)])
def test_a_large_store_has_the_same_findings(
    store: Path, subjects: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Exam(store, subjects)
    assert isinstance(whole.by_task, TableByTask)
    expected = _told(whole)
    monkeypatch.setattr(by_task, "LARGE", 10)
    large = Exam(store, subjects)
    assert isinstance(large.by_task, StoreByTask)
    assert _told(large) == expected
    assert "rows" not in vars(large)


def test_a_second_process_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    snellen.exam(SUBJECTS, tasks="bongard", n=2, paradigms=["dvrl", "ca"], store=path)
    expected = to_json(Exam(path).findings)
    monkeypatch.setattr(by_task, "LARGE", 10)
    monkeypatch.setattr(pool, "cores", lambda: 2)
    results: list[Any] = []
    made = vars(Beside)["result"].fget
    assert made is not None

    def noted(beside: Beside) -> Any:
        results.append(made(beside))
        return results[-1]

    monkeypatch.setattr(Beside, "result", property(noted))
    assert to_json(Exam(path).findings) == expected
    calls, words = results
    assert len(calls.pictures(pl.Series([[0]], dtype=pl.List(pl.UInt64)))) == 1
    assert {section.title for section in words} >= {"Descriptions in the form asked for"}


def test_packed_rows_are_the_tidy_rows(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Exam(store).rows
    monkeypatch.setattr(by_task, "LARGE", 10)
    large = Exam(store).by_task
    assert large.tasks == whole["task"].unique(maintain_order=True).to_list()
    assert large.subjects == whole["subject"].unique(maintain_order=True).to_list()
    for task in large.tasks:
        packed, own = large.rows(task), whole.filter(whole["task"] == task)
        for name in packed.columns:
            if name != "trial":
                assert packed[name].to_list() == own[name].to_list(), (task, name)


def test_a_page_lists_whole_items_evenly(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Exam(store)
    few = whole.by_task.listed(whole.rows.height // 3)
    assert set(few["task"]) == set(TASKS)
    assert few.height <= whole.rows.height / 2
    items = whole.rows.filter(whole.rows["item"].is_in(few["item"].implode()))
    assert few.equals(items)
    assert whole.by_task.listed(whole.rows.height).equals(whole.rows)
    monkeypatch.setattr(by_task, "LARGE", 10)
    large = Exam(store)
    listed = large.by_task.listed(whole.rows.height // 3)
    assert listed.equals(few.select(listed.columns))
    left_out = [name for name in few.columns if name not in listed.columns]
    assert all(name == "nth" or few[name].null_count() == few.height for name in left_out)
    head = _head(large.report(tmp_path, trials=whole.rows.height // 3))
    assert (head["trials"], head["listed"]) == (whole.rows.height, few.height)


def test_a_page_is_the_same_by_one_process_or_two(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_task, "LARGE", 10)
    alone = Exam(store).report(tmp_path / "alone", trials=20).read_bytes()
    monkeypatch.setattr(pool, "cores", lambda: 2)
    monkeypatch.setattr(page, "page_trials", None)  # the second process has it
    assert Exam(store).report(tmp_path / "together", trials=20).read_bytes() == alone


def _head(page: Path) -> dict[str, Any]:
    found = re.search(r'id="head">([^<]+)', page.read_text(encoding="utf-8"))
    assert found
    packed = gzip.decompress(base64.b64decode(found[1]))
    length = int.from_bytes(packed[:4], "little")
    head: dict[str, Any] = json.loads(packed[4 : 4 + length])
    return head
