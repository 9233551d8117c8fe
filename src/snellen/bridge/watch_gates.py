"""Which two checkpoints of a run a gate compares."""

from statistics import fmean
from typing import Literal

from snellen.bridge.watching import BASE
from snellen.examine import Exam
from snellen.names import step_of

Against = Literal["first", "best", "previous", "base"]


def compared(exam: Exam, run: str, against: Against) -> tuple[str, str] | None:
    """The checkpoint that the last one of a run is held against, and the last one; None as long as it has no other.

    All checkpoints that the store knows count, whether their folders are still there or not. The best is the one with
    the highest mean accuracy over the tasks.
    """
    steps = {name: told.step for name in exam.examined if (told := step_of(name)) and told.run == run}
    *before, last = sorted(steps, key=lambda name: steps[name]) or [run]
    if against == "base":
        return BASE, last
    if not before:
        return None
    best = max(before, key=lambda name: _accuracy(exam, name))
    return {"first": before[0], "previous": before[-1], "best": best}[against], last


def _accuracy(exam: Exam, subject: str) -> float:
    found = [diagnosis.accuracy.value for diagnosis in exam.findings.diagnoses if diagnosis.subject == subject]
    known = [value for value in found if value is not None]
    return fmean(known) if known else 0.0
