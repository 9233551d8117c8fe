"""Subjects x tasks: who was asked what, and what was found, before anything else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.analysis.blocks import Cell, Diagnosis, Findings, Table, to_json
from snellen.analysis.ladder.charts import in_percent, largest_loss, loss_name

NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class Overview:
    """`cells`: for each subject and each task the places of its diagnoses; none where it was not asked."""

    subjects: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]


def overview(diagnoses: Sequence[Diagnosis]) -> Overview:
    """Every subject and every task once, in the order they come in."""
    subjects = tuple(dict.fromkeys(diagnosis.subject for diagnosis in diagnoses))
    tasks = tuple(dict.fromkeys(diagnosis.task for diagnosis in diagnoses))
    places: dict[tuple[str, str], list[int]] = {}
    for place, diagnosis in enumerate(diagnoses):
        places.setdefault((diagnosis.subject, diagnosis.task), []).append(place)
    cells = tuple(tuple(tuple(places.get((subject, task), ())) for task in tasks) for subject in subjects)
    return Overview(subjects, tasks, cells)


def verdict_word(diagnosis: Diagnosis) -> str:
    """The verdict as a badge has it: its own word, all faults that are shown, else the verdict."""
    return (
        diagnosis.badge
        or " + ".join(diagnosis.faults)
        or {"none": "no fault found"}.get(diagnosis.verdict, diagnosis.verdict)
    )


def overview_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """One row a subject and task: verdict, accuracy, largest loss."""
    rows: list[tuple[Cell, ...]] = []
    for diagnosis in diagnoses:
        loss = largest_loss(diagnosis.losses)
        share = None if loss is None else in_percent(loss.share)
        lost_to = "" if loss is None else loss_name(loss.faculties)
        rows.append((diagnosis.subject, diagnosis.task, verdict_word(diagnosis), diagnosis.accuracy, lost_to, share))
    columns = ("subject", "task", "verdict", "accuracy", "most is lost to", "of 100 items")
    return Table("overview", "Subjects and tasks", "95 % intervals.", columns, tuple(rows), compact=True)


def profile_json(findings: Findings) -> dict[str, Any]:
    """Overview and profiles in JSON types."""
    rows = [
        {
            **{name: to_json(getattr(diagnosis, name)) for name in _IN_OVERVIEW},
            "largest": to_json(largest_loss(diagnosis.losses)),
        }
        for diagnosis in findings.diagnoses
    ]
    return {"overview": rows, "profiles": to_json(findings.profiles)}


_IN_OVERVIEW = ("subject", "task", "verdict", "faults", "headline", "accuracy", "right", "missing")
