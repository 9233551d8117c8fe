"""What papers report of a task, beside its ladder, and the same for a task that no paper speaks of.

A task with its own analysis gives one in `Task.study`: a function from that task's rows and a seed to a `TaskStudy`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import polars as pl

from snellen.analysis.casts import own, with_casts
from snellen.analysis.estimates import accuracy, percent
from snellen.analysis.rows import factors, varying
from snellen.charts.blocks import Diagnosis, Intervals, Section, Table, ThresholdCard, Value


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that can be asked for by name; it is made only then."""

    title: str
    make: Callable[[], Table]


class TaskStudy(Protocol):
    """What the analysis of one task says; each part is computed when it is asked for."""

    def sections(self) -> tuple[Section, ...]: ...

    def estimates(self) -> tuple[dict[str, Any], ...]: ...

    def tables(self) -> dict[str, NamedTable]: ...

    def scores(self) -> dict[str, Value]:
        """Each subject's score on the whole task as it is asked, in percent (see `whole_task`)."""
        ...


@runtime_checkable
class MeasuringStudy(TaskStudy, Protocol):
    """A study that finds where somebody's limit is instead of how often they are right: it diagnoses by itself."""

    @property
    def cards(self) -> tuple[ThresholdCard, ...]: ...

    def diagnoses(self, climbed: tuple[Diagnosis, ...]) -> tuple[Diagnosis, ...]:
        """What is said of every subject. `climbed`: what the ladder says of them."""
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
    """Right over all replies by whoever answered, in percent, clustered on items; none for those without a reply.

    `rows`: the trials of the task itself, without the rungs that spare a faculty. Of these those count that were put
    directly (all of a subject that was never asked so), by the subject alone, in the wording that its ladder rests on.
    """
    cast = own(with_casts(rows))
    cast = cast.filter(pl.col("pack") == pl.col("pack").min().over("who"))
    estimates = accuracy(cast.filter(where_asked(pl.col("paradigm").is_in(DIRECT))), ["who"], seed)
    return {each["who"]: percent(each) for each in estimates if each["trials"]}


def where_asked(condition: pl.Expr) -> pl.Expr:
    """The condition for subjects (`who`) that have trials under it; true for all trials of the others."""
    return condition | ~condition.any().over("who")


def accuracy_table(estimates: list[dict[str, Any]], columns: list[str], name: str, title: str) -> Table:
    """Estimates as a table, the unread rate beside every accuracy."""
    return Table(
        name=name,
        title=title,
        note="Accuracy: right over all replies, 95 % interval clustered on items; an unread reply is not right. Failed"
        " calls are missing and counted as errors.",
        columns=(*columns, "accuracy %", "unread %", "accuracy of read %", "trials", "items", "errors"),
        rows=tuple(
            (
                *(str(each[column]) for column in columns),
                percent(each),
                hundred(each["unread_rate"]),
                hundred(each["accuracy_read"]),
                *(each["trials"], each["items"], each["errors"]),
            )
            for each in estimates
        ),
    )


def hundred(share: float | None) -> float | None:
    """A share in percent."""
    return None if share is None else 100 * share


def unread_table(rows: pl.DataFrame, name: str) -> Table:
    """Why answers could not be read, by subject."""
    reasons = ("refused", "truncated", "unparsable")
    counts = (
        rows.filter(pl.col("reason").fill_null("") != "error")
        .group_by("subject", maintain_order=True)
        .agg(pl.len().alias("trials"), *((pl.col("reason") == reason).sum().alias(reason) for reason in reasons))
    )
    return Table(
        name=name,
        title="Answers that could not be read",
        note="Trials by the reason the reader abstained; such an answer is never guessed at.",
        columns=("subject", "trials", *reasons, "unread %"),
        rows=tuple((*row, 100 * sum(row[2:]) / row[1]) for row in counts.rows()),
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
        chart = Intervals(
            title=f"{self.task}: accuracy",
            note="95 % intervals clustered on items; an unread reply is not right.",
            unit="percent",
            series=("accuracy",),
            rows=tuple((each["subject"], (percent(each),)) for each in self.whole),
            quantity="accuracy",
        )
        return (Section(f"{self.task}: accuracy", (chart, *(named.make() for named in self.tables().values()))),)

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple({"task": self.task, **each} for each in self.cells)

    def scores(self) -> dict[str, Value]:
        return whole_task(self.rows, self.seed)

    def tables(self) -> dict[str, NamedTable]:
        name, title = f"{self.task}-accuracy", f"{self.task}: accuracy by condition"
        unread = f"{self.task}-unread"
        return {
            name: NamedTable(title, lambda: accuracy_table(self.cells, self.columns, name, title)),
            unread: NamedTable(f"{self.task}: unread answers", lambda: unread_table(self.rows, unread)),
        }
