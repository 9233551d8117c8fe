"""The rows and the ladder of a task, as its analysis takes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from snellen.analysis.ladder.rungs import LadderSpec
from snellen.analysis.rows import JUDGE, of_task
from snellen.ladder import FREE, from_json
from snellen.sequential import COMPARED, SEQUENTIAL, UNFINISHED, SequentialResult
from snellen.tasks import Task, installed


def spec_of(task: str, fingerprints: Sequence[Mapping[str, Any]]) -> LadderSpec:
    """A task's ladder: that of the task if it is known here, else the one that was recorded with its trials, else the
    one every task has."""
    again, wordless = _again(task, fingerprints)
    sequential = _sequential(task, fingerprints)
    if (family := installed(task)) is not None:
        return replace(spec_of_task(family), again=again, wordless=wordless, sequential=sequential)
    for fingerprint in reversed(fingerprints):
        recorded = fingerprint.get("tasks", {}).get(task, {})
        if "ladder" in recorded:
            ladder, plainest = from_json(recorded["ladder"]), recorded.get("plainest", {})
            return LadderSpec(task, ladder, plainest, again=again, wordless=wordless, sequential=sequential)
    return LadderSpec(task, FREE, {}, again=again, wordless=wordless, sequential=sequential)


def _sequential(task: str, fingerprints: Sequence[Mapping[str, Any]]) -> dict[str, SequentialResult]:
    """By subject what the last exam of the task found, where that was to stop when it knew. A comparison asks one rung
    and finds nothing."""
    found: dict[str, SequentialResult] = {}
    for fingerprint in fingerprints:
        recorded = fingerprint.get("tasks", {}).get(task)
        if recorded is not None and COMPARED not in recorded:
            for subject in fingerprint.get("subjects", ()):
                found.pop(subject, None)
                if "until_sure" in recorded:
                    found[subject] = UNFINISHED
        for subject, content in fingerprint.get(SEQUENTIAL, {}).get(task, {}).items():
            found[subject] = SequentialResult.from_json(content)
    return found


def _again(task: str, fingerprints: Sequence[Mapping[str, Any]]) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """How each subject is asked about the task's items again, and who needs a picture; the last exam decides."""
    words: dict[str, tuple[str, ...]] = {}
    wordless: set[str] = set()
    for fingerprint in fingerprints:
        recorded = fingerprint.get("again", {})
        if task not in (tasks := recorded.get("tasks", {})):
            continue
        for subject, given in recorded["subjects"].items():
            words[subject] = ("exam", given, *tasks[task]) if given and tasks[task] else ()
        wordless = wordless - set(recorded["subjects"]) | set(recorded["wordless"])
    return words, frozenset(wordless)


def spec_of_task(task: Task) -> LadderSpec:
    asked = [factor for factor in task.factors if not factor.of_item]
    plainest = {factor.name: factor.levels[0] for factor in asked}
    pictureless = {factor.name: factor.no_pictures for factor in asked if factor.no_pictures}
    return LadderSpec(task.name, task.ladder, plainest, pictureless, JUDGE in task.reads)


def task_rows(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows of a task with what its study reads."""
    task = installed(name)
    return of_task(rows, name, task.reads if task else ())
