"""The same subject is called the same in every task that can see its fault, at the sizes of the quick designs."""

from pathlib import Path

import pytest

import snellen

EVERYWHERE = {
    "sim/ideal": "none",
    "sim/nearsighted": "eyes",
    "sim/absent": "attention",
    "sim/refuser": "refusal",
}
AGAINST_HABIT = ("fixation", "capacity", "bias")
"""Tasks in which some instruction goes against a habit."""


OTHERS = ("fixation", "bongard", "marvel", "capacity", "bias")


@pytest.mark.soak
@pytest.mark.parametrize("task", ["winoground", *(pytest.param(task, marks=pytest.mark.soak) for task in OTHERS)])
def test_the_same_subject_has_the_same_verdict(task: str, tmp_path: Path) -> None:
    expected = {**EVERYWHERE, "sim/fixated": "habit" if task in AGAINST_HABIT else "none"}
    exam = snellen.exam(list(expected), tasks=task, store=tmp_path / "s.sqlite")
    found = {diagnosis.subject: diagnosis for diagnosis in exam.findings.diagnoses}
    # sim/fixated misses one picture in twenty: where no habit can show, that may be called a small loss.
    called = {name: diagnosis.verdict.replace("small", "none") for name, diagnosis in found.items()}
    assert called == expected
    for name, diagnosis in found.items():
        assert diagnosis.faults == (() if expected[name] == "none" else (expected[name],)), diagnosis.headline
        assert diagnosis.missing == ()
