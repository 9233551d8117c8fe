"""How a subject changed: its accuracy and its losses at each checkpoint, or in each run.

A point is one subject in one store. Points of a line are ordered by the training step that the subject's name tells
(`local/DIR/checkpoint-500`, `step-1000`), else by run: the stores, the earliest exam first. Two stores are never
pooled. A line is broken, and the break is named, where points were not asked the same way: other items, design,
prompts, reader or version.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from snellen.analysis.columns import positions, table
from snellen.analysis.ladder.charts import RIGHT, loss_name
from snellen.analysis.ladder.overview import ACCURACY
from snellen.charts.blocks import Block, Cell, Curves, Diagnosis, Section, Table, Text, Value, percent
from snellen.faculties import NAMES as FACULTIES
from snellen.names import step_of

TITLE = "History"
_NOTE = (
    "One row for each subject and store. Right and lost: percent of items, corrected for guessing. 95 % CIs, clustered"
    " by item. Changed: what differs from the point before in how the exam was asked; such points are not connected."
)


@dataclass(frozen=True)
class HistoryPoint:
    """One subject on one task in one store. `name` is its name in full, `at` when its exam began (seconds since 1970),
    `terms` how it was asked, by name: points can be compared where these agree."""

    diagnosis: Diagnosis
    name: str
    store: str
    at: float
    terms: Mapping[str, Any]

    @property
    def subject(self) -> str:
        return self.diagnosis.subject

    @property
    def task(self) -> str:
        return self.diagnosis.task


@dataclass(frozen=True)
class HistoryLine:
    """Points to look at together, in order, each with its step or the number of its run."""

    name: str
    task: str
    across: str
    points: tuple[tuple[float, HistoryPoint], ...]

    def changes(self) -> list[str]:
        """What differs from the point before, for each point; empty where nothing does."""
        return ["", *(_changed(before.terms, after.terms) for (_, before), (_, after) in pairwise(self.points))]

    def segments(self) -> list[tuple[str, dict[float, HistoryPoint]]]:
        """The runs of points that can be compared, each under a name of its own."""
        cut: list[tuple[str, dict[float, HistoryPoint]]] = []
        for (x, point), change in zip(self.points, self.changes(), strict=True):
            if change or not cut:
                cut.append((f"{self.name} (other {change})" if change else self.name, {}))
            cut[-1][1][x] = point
        names = [name for name, _ in cut]
        return [
            (name if names.count(name) == 1 else f"{name} {names[: k + 1].count(name)}", points)
            for k, (name, points) in enumerate(cut)
        ]


def lines(points: Sequence[HistoryPoint]) -> list[HistoryLine]:
    """The lines of two points or more, checkpoints first."""
    order = sorted(points, key=lambda point: point.at)
    runs = {store: float(number) for number, store in enumerate(dict.fromkeys(point.store for point in order), 1)}
    by_step: dict[tuple[str, str], list[tuple[float, HistoryPoint]]] = {}
    by_run: dict[tuple[str, str], list[tuple[float, HistoryPoint]]] = {}
    for point in order:
        told = step_of(point.subject) or step_of(point.name)
        if told:
            by_step.setdefault((told.run, point.task), []).append((float(told.step), point))
        by_run.setdefault((point.subject, point.task), []).append((runs[point.store], point))
    made = [line for (name, task), own in by_step.items() for line in _stepwise(name, task, own)]
    made += (HistoryLine(name, task, "run", tuple(own)) for (name, task), own in by_run.items())
    return [line for line in made if len(line.points) > 1]


def _stepwise(name: str, task: str, points: list[tuple[float, HistoryPoint]]) -> Iterator[HistoryLine]:
    """A line by step; one for each store where a step was examined in several."""
    steps = [step for step, _ in points]
    if len(set(steps)) == len(steps):
        yield HistoryLine(name, task, "step", tuple(sorted(points, key=lambda point: point[0])))
        return
    for store in dict.fromkeys(point.store for _, point in points):
        own = sorted(((step, point) for step, point in points if point.store == store), key=lambda point: point[0])
        yield HistoryLine(f"{name} ({store})", task, "step", tuple(own))


def section(points: Sequence[HistoryPoint]) -> Section | None:
    """Charts and table of all lines; None if no subject has two points."""
    found = lines(points)
    if not found:
        return None
    stores = list(dict.fromkeys(point.store for point in sorted(points, key=lambda point: point.at)))
    blocks: list[Block] = [Text(_stores_told(stores))] if len(stores) > 1 else []
    groups = dict.fromkeys((line.task, line.across) for line in found)
    for task, across in groups:
        several = len({line.across for line in found if line.task == task}) > 1
        title = f"{TITLE} of {task}" + (f", by {across}" if several else "")
        blocks.append(_chart(title, [line for line in found if (line.task, line.across) == (task, across)]))
    return Section(TITLE, (*blocks, _table(found)))


def _stores_told(stores: Sequence[str]) -> str:
    told = ", ".join(f"run {number} is {store}" for number, store in enumerate(stores, 1))
    return (
        f"Stores, the earliest exam first: {told}. Everything else on this page is about {stores[-1]} alone;"
        " trials of different stores are never pooled."
    )


def _chart(title: str, own: Sequence[HistoryLine]) -> Curves:
    """Panels for right, accuracy and each faculty; a series for each run of points that can be compared."""
    xs = tuple(sorted({x for line in own for x, _ in line.points}))
    series = [segment for line in own for segment in line.segments()]
    measures = [RIGHT, ACCURACY, *(f"lost to {loss_name(part)}" for part in _losses(own))]

    def values(measure: str) -> tuple[tuple[Value | None, ...], ...]:
        return tuple(
            tuple(_values(points[x].diagnosis).get(measure) if x in points else None for x in xs)
            for _, points in series
        )

    is_broken = any(any(line.changes()) for line in own)
    note = "Right and lost: percent of items, corrected for guessing; accuracy: percent of replies. 95 % CIs by item."
    broken = " Points that were not asked the same way are not connected; the table says what changed."
    return Curves(
        title=title,
        note=note + (broken if is_broken else ""),
        unit="percent",
        quantity="share",
        across=own[0].across,
        xs=xs,
        series=tuple(name for name, _ in series),
        rows=tuple((measure, values(measure)) for measure in measures),
        bounds=(0.0, 100.0),
    )


def _values(diagnosis: Diagnosis) -> dict[str, Value]:
    """What is drawn of a point, in percent: the very numbers of its diagnosis."""
    losses = {f"lost to {loss_name(loss.faculties)}": percent(loss.share) for loss in diagnosis.losses}
    return {RIGHT: percent(diagnosis.right), ACCURACY: diagnosis.accuracy, **losses}


def _losses(own: Sequence[HistoryLine]) -> list[tuple[str, ...]]:
    """What is lost to at any point, in the order of the ladder."""
    found = {loss.faculties for line in own for _, point in line.points for loss in point.diagnosis.losses}
    return sorted(found, key=lambda part: ([FACULTIES.index(name) for name in part if name in FACULTIES], part))


def _table(found: Sequence[HistoryLine]) -> Table:
    parts = _losses(found)
    which = ("subject", "task", "step or run", "store", "exam begun (UTC)", "changed")
    names = (*which, RIGHT, ACCURACY, *map(loss_name, parts))
    rows = (row for line in found for row in _rows(line, parts))
    return table("history", "Subjects over time", _NOTE, positions(*names), rows, compact=True)


def _rows(line: HistoryLine, parts: Sequence[tuple[str, ...]]) -> Iterator[tuple[Cell, ...]]:
    for (x, point), change in zip(line.points, line.changes(), strict=True):
        shares = {loss.faculties: percent(loss.share) for loss in point.diagnosis.losses}
        when = datetime.fromtimestamp(point.at, UTC).strftime("%Y-%m-%d %H:%M")
        where = (point.subject, point.task, f"{line.across} {x:g}", point.store, when, change)
        numbers = (percent(point.diagnosis.right), point.diagnosis.accuracy, *(shares.get(part) for part in parts))
        yield (*where, *numbers)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    return ", ".join(name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name))
