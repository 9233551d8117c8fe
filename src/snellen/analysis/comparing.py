"""Two subjects on the trials both answered, task by task.

The difference is the second minus the first: negative, if the second is worse. The family of a Holm adjustment is what
one would look at together: all tasks, or all levels of one factor of a task.
"""

from typing import Literal, NamedTuple

import polars as pl

from snellen.analysis.casts import ROLES
from snellen.analysis.contrasts import Contrast, adjust, contrast, p_text, paired, points
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.rows import asked, by_sample, by_setting, factors, unspared, varying
from snellen.charts.blocks import Table, Value
from snellen.errors import UserError, unknown

MOST_LEVELS = 12
"""A factor with more levels than this is not told level by level unless it is asked for."""

Metric = Literal["accuracy", "unread"]


def compare(
    rows: pl.DataFrame, before: str, after: str, *, task: str | None = None, by: str | None = None, seed: int = 0
) -> Table:
    """Two subjects on the same trials, task by task; of one task also level by level of its factors.

    `rows`: tidy rows, as `Exam.rows`. `before`, `after`: the names of the two. `task`: only that one. `by`: only that
    factor. `seed`: of the bootstrap. Returns a table of paired differences, `after` minus `before`, with 95 % intervals
    and adjusted p values. Raises `UserError` if one of them, the task or the factor is not in the rows.

    >>> print(render(compare(exam.rows, "sim/perfect", "sim/fixated")))  # doctest: +SKIP
    """
    pairs = pairs_of(rows, before, after)
    tasks = pairs["task"].unique(maintain_order=True).to_list()
    if task is not None:
        if task not in tasks:
            raise unknown("task that both were asked", task, tasks)
        pairs = pairs.filter(pl.col("task") == task)
    found = _by_task(pairs, seed)
    lacking = lacking_in_words(rows, before, after, task)
    if len(pairs["task"].unique()) == 1 or by is not None:
        found += _by_factor(pairs, by, seed)
    return Table(
        name="compare",
        title=f"{after} against {before}, on the same trials",
        note=f"Difference: {after} minus {before}, percentage points, 95 % interval over whole items. p: exact McNemar;"
        " p (items): exact sign-flip test over items; both Holm-adjusted over the tasks, and within each factor of a"
        f" task.{lacking}{unread_warning(found, lambda each: (after, before), ('where',))}",
        columns=(
            *("where", "pairs", "items", f"{before} %", f"{after} %", "difference"),
            *(f"only {before}", f"only {after}", "p", "p (items)"),
        ),
        rows=tuple(_line(each) for each in found),
    )


def pairs_of(rows: pl.DataFrame, before: str, after: str, metric: Metric = "accuracy") -> pl.DataFrame:
    """The trials both subjects answered, with whether the second (`a`) and the first (`b`) were right; or unread."""
    rows = by_setting(by_sample(unspared(rows)))
    known = rows["subject"].unique(maintain_order=True).to_list()
    for name in (before, after):
        if name not in known:
            raise unknown("subject in this store", name, known)
    if before == after:
        raise UserError(f"{before!r} is on both sides; name two different subjects to compare")
    chosen = rows.filter(pl.col("subject").is_in([before, after]))
    same = ["subject", "task", "item", "paradigm", "pack", *factors(chosen)]
    once = asked(chosen).unique(subset=same, keep="last", maintain_order=True)
    if metric == "unread":
        unread = pl.col("outcome") == "unread"
        once = once.with_columns(outcome=pl.when(unread).then(pl.lit("right")).otherwise(pl.lit("wrong")))
    # A subject's name says who played its other roles, so these are no part of what a pair must share.
    pairs = paired(once, "subject", after, before, ROLES)
    if pairs.is_empty():
        raise UserError(f"{before!r} and {after!r} share no trial; examine both with the same design, --n and --seed")
    return pairs


class Lacking(NamedTuple):
    """How many trials of a comparison cannot count: calls of either subject that failed, and trials only one has."""

    failed_before: int
    failed_after: int
    alone: int


def lacking(rows: pl.DataFrame, before: str, after: str, task: str | None = None) -> Lacking:
    rows = by_setting(by_sample(rows))
    if task is not None:
        rows = rows.filter(pl.col("task") == task)
    same = ["task", "item", "paradigm", "pack", *(name for name in factors(rows) if name not in ROLES)]
    sides = [rows.filter(pl.col("subject") == name).unique(["subject", *same], keep="last") for name in (before, after)]
    failed = [side.height - asked(side).height for side in sides]
    alone = sum(
        one.join(other, on=same, how="anti", nulls_equal=True).height for one, other in (sides, reversed(sides))
    )
    return Lacking(failed[0], failed[1], alone)


def lacking_in_words(rows: pl.DataFrame, before: str, after: str, task: str | None = None) -> str:
    """What cannot count, as sentences; nothing if everything does."""
    count = lacking(rows, before, after, task)
    failed = ((before, count.failed_before), (after, count.failed_after))
    said = [f" {n:,} trials of {name} ended in errors and are left out." for name, n in failed if n]
    return "".join(said) + (f" {count.alone:,} trials that only one of them has are left out." if count.alone else "")


def _by_task(pairs: pl.DataFrame, seed: int) -> list[Contrast]:
    tasks = [{"where": each["task"], **each} for each in contrast(pairs, ["task"], seed)]
    adjusted = adjust(tasks, [])
    if len(tasks) == 1:
        return adjusted
    return [*adjust([{"where": "all tasks", **each} for each in contrast(pairs, [], seed)], []), *adjusted]


def _by_factor(pairs: pl.DataFrame, by: str | None, seed: int) -> list[Contrast]:
    found: list[Contrast] = []
    known = varying(pairs, ("paradigm", *factors(pairs)))
    if by is not None and by not in known:
        raise unknown("factor that varies here", by, known)
    for (task,), own in pairs.group_by(["task"], maintain_order=True):
        for name in varying(own, [by] if by is not None else known):
            levels = contrast(own.drop_nulls(name), [name], seed)
            if by is not None or len(levels) <= MOST_LEVELS:
                found += adjust([{"where": f"{task}: {name}={each[name]}", **each} for each in levels], [])
    return found


def _line(each: Contrast) -> tuple[str | int | float | Value, ...]:
    return (
        *(each["where"], each["pairs"], each["items"], 100 * each["b"], 100 * each["a"], points(each)),
        *(each["only_b"], each["only_a"], p_text(each["p_holm"]), p_text(each["p_items_holm"])),
    )
