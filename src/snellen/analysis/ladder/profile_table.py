"""The profile as a table: faculties as rows, tasks as columns, subjects one below the other."""

from collections.abc import Iterator, Sequence

from snellen.analysis.columns import positions, table
from snellen.charts.blocks import Cell, Pooled, Profile, Table, percent

NOTE = (
    "Percent of items lost to each faculty (95 % CI); an empty cell: not asked, or not told apart. Mean: over tasks,"
    " random effects; range: the least and the largest loss across tasks. Where only some items of a task can show a"
    " faculty, the percentage is of those items."
)


def profile_table(profiles: Sequence[Profile]) -> Table:
    """All profiles in one table; a task that a subject was not asked is an empty cell."""
    tasks = tuple(dict.fromkeys(task for profile in profiles for task in profile.tasks))
    columns = positions("subject", "faculty", *tasks, "mean", "range")
    rows = (row for profile in profiles for row in _rows(profile, tasks))
    return table("profile", "What is lost to each faculty, task by task", NOTE, columns, rows, compact=True)


def across_text(pooled: Pooled | None) -> str:
    """The least and the largest loss across tasks, in percent; empty for one task."""
    if pooled is None or pooled.across is None:
        return ""
    low, high = (f"{100 * end:.0f}" for end in pooled.across)
    return low if low == high else f"{low}–{high}"


def _rows(profile: Profile, tasks: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    pooled = {pooled.faculty: pooled for pooled in profile.pooled}
    for faculty, values in profile.rows:
        losses = dict(zip(profile.tasks, values, strict=True))
        over = pooled.get(faculty)
        mean = None if over is None else percent(over.mean)
        yield (profile.subject, faculty, *(percent(losses.get(task)) for task in tasks), mean, across_text(over))
