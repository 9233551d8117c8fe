"""One item of every task: rungs that share no unit leave nothing to compare, and the findings do without."""

from pathlib import Path

import pytest

import snellen
from snellen.analysis import render
from snellen.examine.findings import tables

TASKS = ["fixation", "bias", "winoground", "bongard", "marvel", "capacity"]
SUBJECTS = ["sim/fixated:see=0.8", "sim/absent", "sim/nearsighted"]


@pytest.mark.soak
def test_an_exam_of_one_item_a_task_has_findings_and_every_table(tmp_path: Path) -> None:
    exam = snellen.exam(SUBJECTS, tasks=TASKS, n=1, store=tmp_path / "s.sqlite")
    asked = {(diagnosis.task, diagnosis.subject) for diagnosis in exam.findings.diagnoses}
    assert asked == {(task, subject) for task in TASKS for subject in SUBJECTS}
    for named in tables(exam.rows, 0, exam.fingerprints).values():
        assert render(named.make())
