"""Subjects x tasks: who was asked what, and what was found, before anything else."""

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.analysis.columns import Column, attributes, table
from snellen.analysis.ladder.charts import largest_loss, loss_name
from snellen.charts.blocks import Diagnosis, Table

NOT_ASKED = "not asked"
ACCURACY = "accuracy, whole task"
"""What a diagnosis's accuracy is called wherever it stands beside what the ladder calls right."""
_NOTE = (
    "Right and lost: percent of items, corrected for guessing; right and all losses add up to 100. Accuracy, whole"
    " task: percent right of all replies to the task as it is asked, or its own score. 95 % CIs."
)


@dataclass(frozen=True, slots=True)
class Overview:
    """`cells`: for each subject and each task the places of its diagnoses; none where it was not asked."""

    subjects: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]


def overview(diagnoses: Sequence[Diagnosis]) -> Overview:
    """Every subject and every task once. Subjects of a single task are ordered by its own score, the best first; over
    several tasks, of which not all may have been asked, there is no single score: they come as they were examined."""
    tasks = tuple(dict.fromkeys(diagnosis.task for diagnosis in diagnoses))
    ordered = sorted(diagnoses, key=_by_score) if len(tasks) == 1 else diagnoses
    subjects = tuple(dict.fromkeys(diagnosis.subject for diagnosis in ordered))
    places: dict[tuple[str, str], list[int]] = {}
    for place, diagnosis in enumerate(diagnoses):
        places.setdefault((diagnosis.subject, diagnosis.task), []).append(place)
    cells = tuple(tuple(tuple(places.get((subject, task), ())) for task in tasks) for subject in subjects)
    return Overview(subjects, tasks, cells)


def _by_score(diagnosis: Diagnosis) -> tuple[bool, float]:
    """The best first, those without a score last."""
    score = diagnosis.accuracy.value
    return score is None, -(score or 0.0)


def verdict_word(diagnosis: Diagnosis) -> str:
    """The verdict as a badge has it: its own word, all faults that are shown, else the verdict."""
    return (
        diagnosis.badge
        or " + ".join(diagnosis.faults)
        or {"none": "no fault found", "small": "small loss"}.get(diagnosis.verdict, diagnosis.verdict)
    )


_COLUMNS: list[Column[Diagnosis]] = [
    *attributes("subject", "task"),
    Column("verdict", "", verdict_word),
    Column("right", "share", lambda row: row.right),
    Column("most is lost to", "", lambda row: loss_name(loss.faculties) if (loss := largest_loss(row.losses)) else ""),
    Column("lost", "share", lambda row: (loss := largest_loss(row.losses)) and loss.share),
    Column(ACCURACY, "", lambda row: row.accuracy),
]


def overview_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """One row a subject and task: verdict, what is right and the largest loss on the same items, accuracy."""
    by_task = zip(*overview(diagnoses).cells, strict=True)
    rows = (diagnoses[place] for of_task in by_task for cell in of_task for place in cell)
    return table("overview", "Subjects and tasks", _NOTE, _COLUMNS, rows, compact=True)
