"""The profile as a table: faculties as rows, tasks as columns, subjects one below the other."""

from collections.abc import Iterator, Sequence

from snellen.analysis.columns import positions, table
from snellen.charts.blocks import Cell, Profile, Table, Value, percent

NOTE = (
    "Of 100 items, how many are lost to each faculty (95 % interval); an empty cell: not asked, or not told apart."
    " Mean: over tasks, random effects; spread: standard deviation between tasks."
)


def profile_table(profiles: Sequence[Profile]) -> Table:
    """All profiles in one table; a task that a subject was not asked is an empty cell."""
    tasks = tuple(dict.fromkeys(task for profile in profiles for task in profile.tasks))
    columns = positions("subject", "faculty", *tasks, "mean", "spread")
    rows = (row for profile in profiles for row in _rows(profile, tasks))
    return table("profile", "What is lost to each faculty, task by task", NOTE, columns, rows, compact=True)


def _rows(profile: Profile, tasks: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    pooled = {pooled.faculty: pooled for pooled in profile.pooled}
    for faculty, values in profile.rows:
        losses = dict(zip(profile.tasks, values, strict=True))
        over = pooled.get(faculty)
        spread = None if over is None or over.spread is None else Value(percent(over.spread))
        mean = None if over is None else percent(over.mean)
        yield (profile.subject, faculty, *(percent(losses.get(task)) for task in tasks), mean, spread)
