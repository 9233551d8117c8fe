"""The profile as a table: faculties as rows, tasks as columns, subjects one below the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from snellen.analysis.columns import Column, table
from snellen.charts.blocks import Pooled, Profile, Table, Value

NOTE = (
    "Of 100 items, how many are lost to each faculty (95 % interval); an empty cell: not asked, or not told apart."
    " Mean: over tasks, random effects; spread: standard deviation between tasks."
)


def profile_table(profiles: Sequence[Profile]) -> Table:
    """All profiles in one table; a task that a subject was not asked is an empty cell."""
    tasks = dict.fromkeys(task for profile in profiles for task in profile.tasks)
    columns: list[Column[FacultyRow]] = [
        Column("subject", "", lambda row: row.subject),
        Column("faculty", "", lambda row: row.faculty),
        *(_lost_on(task) for task in tasks),
        Column("mean", "share", lambda row: row.pooled and row.pooled.mean),
        Column("spread", "share", lambda row: row.spread),
    ]
    rows = (row for profile in profiles for row in _rows(profile))
    return table("profile", "What is lost to each faculty, task by task", NOTE, columns, rows, compact=True)


@dataclass(frozen=True, slots=True)
class FacultyRow:
    """What one subject loses to one faculty, by task and pooled."""

    subject: str
    faculty: str
    losses: dict[str, Value | None]
    pooled: Pooled | None

    @property
    def spread(self) -> Value | None:
        return None if self.pooled is None or self.pooled.spread is None else Value(self.pooled.spread)


def _lost_on(task: str) -> Column[FacultyRow]:
    return Column(task, "share", lambda row: row.losses.get(task))


def _rows(profile: Profile) -> Iterator[FacultyRow]:
    pooled = {pooled.faculty: pooled for pooled in profile.pooled}
    for faculty, values in profile.rows:
        losses = dict(zip(profile.tasks, values, strict=True))
        yield FacultyRow(profile.subject, faculty, losses, pooled.get(faculty))
