"""The rows and the ladder of a task, as its analysis takes them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from snellen.analysis.ladder.rungs import LadderSpec
from snellen.analysis.rows import JUDGE, of_task
from snellen.ladder import FREE, from_json
from snellen.tasks import Task, installed


def spec_of(task: str, fingerprints: Sequence[Mapping[str, Any]]) -> LadderSpec:
    """A task's ladder: that of the task if it is known here, else the one that was recorded with its trials, else the
    one every task has."""
    if (family := installed(task)) is not None:
        return spec_of_task(family)
    for fingerprint in reversed(fingerprints):
        recorded = fingerprint.get("tasks", {}).get(task, {})
        if "ladder" in recorded:
            return LadderSpec(task, from_json(recorded["ladder"]), recorded.get("plainest", {}))
    return LadderSpec(task, FREE, {})


def spec_of_task(task: Task) -> LadderSpec:
    asked = [factor for factor in task.factors if not factor.of_item]
    plainest = {factor.name: factor.levels[0] for factor in asked}
    pictureless = {factor.name: factor.no_pictures for factor in asked if factor.no_pictures}
    return LadderSpec(task.name, task.ladder, plainest, pictureless, JUDGE in task.reads)


def task_rows(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows of a task with what its study reads."""
    task = installed(name)
    return of_task(rows, name, task.reads if task else ())
