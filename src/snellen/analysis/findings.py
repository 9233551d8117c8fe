"""From tidy rows to findings: each task goes to its own study, and their results are put side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from snellen.analysis.blocks import Findings
from snellen.analysis.bongard import BongardStudy
from snellen.analysis.capacity import CapacityStudy
from snellen.analysis.fixation import FixationStudy
from snellen.analysis.marvel import MarvelStudy
from snellen.analysis.rows import of_task
from snellen.analysis.study import PlainStudy, Study
from snellen.analysis.winoground import WinogroundStudy

STUDIES: dict[str, Callable[[pl.DataFrame, int], Study]] = {
    "fixation": FixationStudy,
    "bongard": BongardStudy,
    "winoground": WinogroundStudy,
    "marvel": MarvelStudy,
    "capacity": CapacityStudy,
}
"""The tasks that have an analysis of their own. Others get estimates and no more."""


def studies(rows: pl.DataFrame, seed: int = 0) -> dict[str, Study]:
    """The study of every task in the rows, by the task's name."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: STUDIES.get(task, PlainStudy)(of_task(rows, task), seed) for task in tasks}


def findings(rows: pl.DataFrame, *, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0) -> Findings:
    """All that the trials say. The same rows and seed give the same findings."""
    found = studies(rows, seed)
    return Findings(
        diagnoses=tuple(replace(diagnosis, task=task) for task in found for diagnosis in found[task].diagnoses()),
        sections=tuple(replace(section, task=task) for task in found for section in found[task].sections()),
        estimates=tuple(estimate for study in found.values() for estimate in study.estimates()),
        fingerprints=tuple(fingerprints),
    )
