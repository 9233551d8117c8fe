"""From tidy rows to findings: each task goes to its own study, and their results are put side by side."""

from collections.abc import Callable, Mapping, Sequence
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


def studies(rows: pl.DataFrame, seed: int = 0) -> list[Study]:
    """The study of every task in the rows."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return [STUDIES.get(task, PlainStudy)(of_task(rows, task), seed) for task in tasks]


def findings(rows: pl.DataFrame, *, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0) -> Findings:
    """All that the trials say. The same rows and seed give the same findings."""
    found = studies(rows, seed)
    return Findings(
        diagnoses=tuple(diagnosis for each in found for diagnosis in each.diagnoses()),
        sections=tuple(section for each in found for section in each.sections()),
        estimates=tuple(estimate for each in found for estimate in each.estimates()),
        fingerprints=tuple(fingerprints),
    )
