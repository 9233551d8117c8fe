"""Two subjects on the trials both answered, task by task.

The difference is the second minus the first: negative, if the second is worse. The family of a Holm adjustment is what
one would look at together: all tasks, or all levels of one factor of a task.
"""

from typing import Any, Literal, NamedTuple

import polars as pl

from snellen.analysis.casts import ROLES
from snellen.analysis.columns import Column, columns, contrast_columns, levels_of, table
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.rows import asked, by_sample, by_setting, factors, unspared, varying
from snellen.charts.blocks import Table
from snellen.errors import UserError, unknown

MOST_LEVELS = 12
"""A factor with more levels than this is not told level by level unless it is asked for."""

Metric = Literal["accuracy", "unread"]


def compare(
    rows: pl.DataFrame, before: str, after: str, *, task: str | None = None, by: str | None = None, seed: int = 0
) -> Table:
    """Compare two subjects on the same trials, by task, and within one task by the levels of its factors.

    `rows`: tidy rows, as `Exam.rows`. `before`, `after`: the names of the two. `task`: only that one. `by`: only that
    factor. `seed`: of the bootstrap. Returns a table of paired differences, `after` minus `before`, with 95 % CIs
    and adjusted p values. Raises `UserError` if one of them, the task or the factor is not in the rows.

    >>> print(render(compare(exam.rows, "sim/perfect", "sim/fixated")))  # doctest: +SKIP
    """
    pairs = pairs_of(rows, before, after)
    tasks = pairs["task"].unique(maintain_order=True).to_list()
    if task is not None:
        if task not in tasks:
            raise unknown("task that both were asked", task, tasks)
        pairs = pairs.filter(pl.col("task") == task)
    sides_named = (after, before)
    contrasts = _by_task(pairs, sides_named, seed)
    if len(pairs["task"].unique()) == 1 or by is not None:
        contrasts += _by_factor(pairs, sides_named, by, seed)
    return table(
        "compare",
        f"{after} against {before}, on the same trials",
        f"Difference: {after} minus {before}, percentage points, 95 % CI clustered by item. p: exact McNemar;"
        " p (items): exact sign-flip test over items; both Holm-adjusted over the tasks, and within each factor of a"
        f" task.{lacking_in_words(rows, before, after, task)}{unread_warning(contrasts, ('where',))}",
        _columns(before, after),
        contrasts,
    )


def unread_apart(rows: pl.DataFrame, before: str, after: str) -> str:
    """Where replies of one are unread more often than those of the other, as sentences; empty if nowhere."""
    return unread_warning(_by_task(pairs_of(rows, before, after), (after, before), 0), ("where",)).strip()


def _columns(before: str, after: str) -> list[Column[Any]]:
    """The first subject's columns come first, although the second is side `a`."""
    second, first, difference, *counts, only_second, only_first, p, p_items = contrast_columns(
        after, before, items="items", alone=True
    )
    return columns(levels_of("where"), counts, first, second, difference, only_first, only_second, p, p_items)


def pairs_of(rows: pl.DataFrame, before: str, after: str, metric: Metric = "accuracy") -> pl.DataFrame:
    """The trials both subjects answered, with whether the second (`a`) and the first (`b`) were right; or unread."""
    once = _once(rows, before, after)
    if metric == "unread":
        unread = pl.col("outcome") == "unread"
        once = once.with_columns(outcome=pl.when(unread).then(pl.lit("right")).otherwise(pl.lit("wrong")))
    # A subject's name says who played its other roles, so these are no part of what a pair must share.
    pairs = paired(once, "subject", after, before, ROLES)
    if pairs.is_empty():
        raise UserError(f"{before!r} and {after!r} share no trials; run both with the same design, --n and --seed")
    return pairs


def _once(rows: pl.DataFrame, before: str, after: str) -> pl.DataFrame:
    """The trials of both subjects that brought a reply, each once."""
    rows = by_setting(by_sample(unspared(rows)))
    subjects = rows["subject"].unique(maintain_order=True).to_list()
    for name in (before, after):
        if name not in subjects:
            raise unknown("subject in this store", name, subjects)
    if before == after:
        raise UserError(f"{before!r} is given twice; name two different subjects")
    chosen = rows.filter(pl.col("subject").is_in([before, after]))
    same = ["subject", "task", "item", "paradigm", "pack", *factors(chosen)]
    return asked(chosen).unique(subset=same, keep="last", maintain_order=True)


def flips(rows: pl.DataFrame, before: str, after: str) -> pl.DataFrame:
    """The trials of which the two gave different answers, or only one an answer that can be read: what was asked under
    which condition, the key, and what each of them answered. Empty if they share no trials."""
    once = _once(rows, before, after)
    conditions = [name for name in ("paradigm", "pack", *factors(once)) if name not in ROLES]
    same = ["task", "item", *conditions]

    def side(name: str, end: str) -> pl.DataFrame:
        answers = {f"{column}_{end}": column for column in ("outcome", "answer")}
        return once.filter(pl.col("subject") == name).select(*same, "key", **answers)

    both = side(before, "before").join(side(after, "after").drop("key"), on=same, how="inner", nulls_equal=True)
    told = varying(both, conditions)
    condition = pl.concat_str(
        [pl.format(f"{name}={{}}", name) for name in told] or pl.lit(""), separator=", ", ignore_nulls=True
    )
    changed = pl.col("answer_before").ne_missing(pl.col("answer_after"))
    moved = pl.col("outcome_before") != pl.col("outcome_after")
    ends = ["outcome_before", "outcome_after", "answer_before", "answer_after"]
    return both.filter(changed | moved).select(
        "task", "item", condition.alias("condition"), "key", *ends, before=pl.lit(before), after=pl.lit(after)
    )


class Lacking(NamedTuple):
    """Excluded trials of a comparison: failed calls of either subject, and trials that only one of them has."""

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
        side.join(other, on=same, how="anti", nulls_equal=True).height for side, other in (sides, reversed(sides))
    )
    return Lacking(failed[0], failed[1], alone)


def lacking_in_words(rows: pl.DataFrame, before: str, after: str, task: str | None = None) -> str:
    """Sentences on the excluded trials; empty if there are none."""
    count = lacking(rows, before, after, task)
    failed = ((before, count.failed_before), (after, count.failed_after))
    said = [f" {n:,} trials of {name} ended in errors and are left out." for name, n in failed if n]
    return "".join(said) + (f" {count.alone:,} trials that only one of them has are left out." if count.alone else "")


def _by_task(pairs: pl.DataFrame, sides: tuple[str, str], seed: int) -> list[Contrast]:
    tasks = [row.at(where=row["task"]) for row in contrast(pairs, ["task"], seed, sides)]
    adjusted = adjust(tasks, [])
    if len(tasks) == 1:
        return adjusted
    return [*adjust([row.at(where="all tasks") for row in contrast(pairs, [], seed, sides)], []), *adjusted]


def _by_factor(pairs: pl.DataFrame, sides: tuple[str, str], by: str | None, seed: int) -> list[Contrast]:
    contrasts: list[Contrast] = []
    differing = varying(pairs, ("paradigm", *factors(pairs)))
    if by is not None and by not in differing:
        raise unknown("factor that varies here", by, differing)
    for (task,), own in pairs.group_by(["task"], maintain_order=True):
        for name in varying(own, [by] if by is not None else differing):
            levels = contrast(own.drop_nulls(name), [name], seed, sides)
            if by is not None or len(levels) <= MOST_LEVELS:
                contrasts += adjust([row.at(where=f"{task}: {name}={row[name]}") for row in levels], [])
    return contrasts
