"""The ladder of a task, as its analysis takes it."""

from collections.abc import Mapping, Sequence
from typing import Any

from snellen.analysis.ladder.rungs import LadderSpec
from snellen.errors import UserError
from snellen.ladder import FREE, from_json
from snellen.tasks import Task
from snellen.tasks import task as find_task


def spec_of(task: str, fingerprints: Sequence[Mapping[str, Any]]) -> LadderSpec:
    """A task's ladder: that of the task if it is known here, else the one that was recorded with its trials, else the
    one every task has."""
    try:
        return spec_of_task(find_task(task))
    except UserError:
        pass
    for fingerprint in reversed(fingerprints):
        recorded = fingerprint.get("tasks", {}).get(task, {})
        if "ladder" in recorded:
            return LadderSpec(task, from_json(recorded["ladder"]), recorded.get("plainest", {}))
    return LadderSpec(task, FREE, {})


def spec_of_task(task: Task) -> LadderSpec:
    asked = [factor for factor in task.factors if not factor.of_item]
    plainest = {factor.name: factor.levels[0] for factor in asked}
    return LadderSpec(task.name, task.ladder, plainest, {f.name: f.no_pictures for f in asked if f.no_pictures})
