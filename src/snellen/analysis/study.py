"""What papers report of a task, beside its ladder, and the same for a task that no paper speaks of.

A task with its own analysis gives one in `Task.study`: a function from that task's rows and a seed to a `TaskStudy`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, runtime_checkable

import polars as pl

from snellen.analysis.casts import own, with_casts
from snellen.analysis.columns import (
    UNREAD,
    Column,
    NamedTable,
    Results,
    TableSpec,
    accuracy_column,
    attributes,
    counted,
    levels_of,
    named_tables,
    percent_chart,
)
from snellen.analysis.estimates import Estimate, accuracy
from snellen.analysis.rows import asked, factors, varying
from snellen.charts.blocks import Diagnosis, Section, Table, ThresholdCard, Value, percent

__all__ = ["NamedTable", "PlainStudy"]


class TaskStudy(Protocol):
    """The analysis of one task; each part is computed on demand."""

    def sections(self) -> tuple[Section, ...]: ...

    def estimates(self) -> tuple[dict[str, Any], ...]: ...

    def tables(self) -> dict[str, NamedTable]: ...

    def scores(self) -> dict[str, Value]:
        """Each subject's score on the whole task, in percent (see `whole_task`)."""
        ...


@runtime_checkable
class MeasuringStudy(TaskStudy, Protocol):
    """A study that measures thresholds instead of accuracy and makes its own diagnoses."""

    @property
    def cards(self) -> tuple[ThresholdCard, ...]: ...

    def diagnoses(self, climbed: tuple[Diagnosis, ...]) -> tuple[Diagnosis, ...]:
        """The diagnosis of every subject. `climbed`: the results of the ladder."""
        ...

    def compared(self, diagnoses: Sequence[Diagnosis], rows: pl.DataFrame) -> "Compared":
        """The diagnoses of all tasks and the cards, each with what the limits explain of the other tasks' losses."""
        ...

    def scored_whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of all tasks without those of this one whose replies are not right or wrong as a whole."""
        ...


class SameSight(Protocol):
    """Two subjects that should be one model, compared by what they see (`Task.alike`). `apart`: where they are shown
    to differ; `compared`: whether anything was shown or could have been."""

    @property
    def apart(self) -> tuple[str, ...]: ...

    @property
    def compared(self) -> bool: ...

    @property
    def table(self) -> Table: ...

    @property
    def verdict(self) -> str: ...


Compared = tuple[tuple[Diagnosis, ...], tuple[ThresholdCard, ...]]

DIRECT = ("direct", "dvrl")
"""The paradigms that put an item as it is, in one call."""


def whole_task(rows: pl.DataFrame, seed: int) -> dict[str, Value]:
    """Accuracy over all replies by subject, in percent, clustered by item; subjects without replies are absent.

    `rows`: the trials of the task itself, without the rungs that spare a faculty. Of these those count that were put
    directly (all of a subject that was never asked so), by the subject alone, in the wording that its ladder rests on.
    """
    cast = own(with_casts(rows))
    cast = cast.filter(pl.col("pack") == pl.col("pack").min().over("who"))
    estimates = accuracy(cast.filter(where_asked(pl.col("paradigm").is_in(DIRECT))), ["who"], seed)
    return {row["who"]: percent(row.noted) for row in estimates if row.trials}


def where_asked(condition: pl.Expr) -> pl.Expr:
    """The condition for subjects (`who`) that have trials under it; true for all trials of the others."""
    return condition | ~condition.any().over("who")


ACCURACY_NOTE = (
    "Accuracy: right over all replies, 95 % CI clustered by item; unread replies are not counted as right. Failed"
    " calls are missing values, counted under errors."
)


def accuracy_columns(factors: Sequence[str]) -> list[Column[Any]]:
    """The columns of a table of estimates: levels, accuracy and unread rate."""
    read: Column[Estimate] = Column("accuracy of read %", "share", lambda row: row.accuracy_read)
    return [*levels_of(*factors), accuracy_column(), UNREAD, read, *counted()]


@dataclass(frozen=True, slots=True)
class UnreadCounts:
    """The number of a subject's unread replies, by reason."""

    subject: str
    trials: int
    refused: int
    truncated: int
    unparsable: int


def _unread_counts(rows: pl.DataFrame) -> list[UnreadCounts]:
    reasons = [field.name for field in fields(UnreadCounts)[2:]]
    counts = ((pl.col("reason") == reason).sum().alias(reason) for reason in reasons)
    by_subject = asked(rows).group_by("subject", maintain_order=True).agg(pl.len(), *counts)
    return [UnreadCounts(*row) for row in by_subject.rows()]


_UNREAD_COLUMNS: list[Column[UnreadCounts]] = [
    *attributes("subject", "trials", "refused", "truncated", "unparsable"),
    Column("unread %", "", lambda row: 100 * (row.refused + row.truncated + row.unparsable) / row.trials),
]


def unread_spec(name: str, listed: str, rows: Callable[[Results], pl.DataFrame]) -> TableSpec[Results]:
    """Why answers could not be read, by subject."""
    return TableSpec(
        name,
        "Answers that could not be read",
        "Trials by the reason why the reply could not be read; unread answers are never guessed.",
        lambda _: _UNREAD_COLUMNS,
        lambda results: _unread_counts(rows(results)),
        listed=listed,
    )


class PlainStudy:
    """Estimates by subject and factor."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.rows, self.seed = rows, seed
        self.task: str = rows["task"][0]
        self.columns = ["subject", *varying(rows, ["paradigm", *factors(rows)])]
        self.whole = accuracy(rows, ["subject"], seed)
        self.cells = accuracy(rows, self.columns, seed)

    def sections(self) -> tuple[Section, ...]:
        chart = percent_chart(
            f"{self.task}: accuracy",
            "95 % CIs clustered by item; unread replies are not counted as right.",
            ("accuracy",),
            tuple((row["subject"], (percent(row.noted),)) for row in self.whole),
        )
        return (Section(f"{self.task}: accuracy", (chart, *(named.make() for named in self.tables().values()))),)

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": self.task, **row.as_dict()} for row in self.cells)

    def scores(self) -> dict[str, Value]:
        return whole_task(self.rows, self.seed)

    def tables(self) -> dict[str, NamedTable]:
        task = self.task
        specs: tuple[TableSpec[PlainStudy], ...] = (
            TableSpec(
                f"{task}-accuracy",
                f"{task}: accuracy by condition",
                ACCURACY_NOTE,
                lambda study: accuracy_columns(study.columns),
                lambda study: study.cells,
            ),
            unread_spec(f"{task}-unread", f"{task}: unread answers", lambda study: study.rows),
        )
        return named_tables(specs, self)
