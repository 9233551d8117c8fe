"""From tidy rows to findings: every task has its ladder, and beside it what papers report of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from snellen.analysis.bias import BiasStudy
from snellen.analysis.blocks import Diagnosis, Findings
from snellen.analysis.bongard import BongardStudy
from snellen.analysis.calibration import calibration_sections, calibration_tables
from snellen.analysis.capacity import CapacityStudy
from snellen.analysis.fixation import FixationStudy
from snellen.analysis.ladder import LadderStudy, outline_of, profiles
from snellen.analysis.ladder.overview import overview_table
from snellen.analysis.ladder.profile_table import profile_table
from snellen.analysis.marvel import MarvelStudy
from snellen.analysis.repeats import repeats_sections, repeats_tables
from snellen.analysis.rows import of_task, unspared
from snellen.analysis.study import NamedTable, PlainStudy, Study
from snellen.analysis.varied import varied_sections, varied_tables
from snellen.analysis.winoground import WinogroundStudy

STUDIES: dict[str, Callable[[pl.DataFrame, int], Study]] = {
    "fixation": FixationStudy,
    "bongard": BongardStudy,
    "winoground": WinogroundStudy,
    "marvel": MarvelStudy,
    "capacity": CapacityStudy,
    "bias": BiasStudy,
}
"""What papers report of a task, beside the ladder. Others get estimates by condition."""


def studies(rows: pl.DataFrame, seed: int = 0) -> dict[str, Study]:
    """What papers report of every task in the rows, by the task's name."""
    rows = unspared(rows)
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: STUDIES.get(task, PlainStudy)(of_task(rows, task), seed) for task in tasks}


ACROSS_SECTIONS = (repeats_sections, calibration_sections, varied_sections)
ACROSS_TABLES = (repeats_tables, calibration_tables, varied_tables)
"""What is looked at over all tasks, where there is something to look at."""


def tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    """Every table that can be had of these rows, by name."""
    of_ladders = {name: table for study in ladders(rows, seed=seed).values() for name, table in study.tables().items()}
    of_tasks = {name: table for study in studies(rows, seed).values() for name, table in study.tables().items()}
    across = {name: table for made in ACROSS_TABLES for name, table in made(unspared(rows), seed).items()}
    return {**(_whole(rows, seed) if rows.height else {}), **of_ladders, **of_tasks, **across}


def _whole(rows: pl.DataFrame, seed: int) -> dict[str, NamedTable]:
    """What is said of all tasks together."""

    def diagnoses() -> tuple[Diagnosis, ...]:
        return tuple(diagnosis for study in ladders(rows, seed=seed).values() for diagnosis in study.diagnoses)

    return {
        "overview": NamedTable("Subjects and tasks", lambda: overview_table(diagnoses())),
        "profile": NamedTable("Losses by faculty and task", lambda: profile_table(profiles(diagnoses()))),
    }


def findings(rows: pl.DataFrame, *, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0) -> Findings:
    """All that the trials say. The same rows and seed give the same findings."""
    own, by_ladder = studies(rows, seed), ladders(rows, fingerprints, seed)
    diagnoses = tuple(diagnosis for ladder in by_ladder.values() for diagnosis in ladder.diagnoses)
    return Findings(
        diagnoses=diagnoses,
        sections=(
            *(
                replace(section, task=task)
                for task, ladder in by_ladder.items()
                for section in (*ladder.sections(), *(own[task].sections() if task in own else ()))
            ),
            *(section for made in ACROSS_SECTIONS for section in made(unspared(rows), seed)),
        ),
        estimates=tuple(estimate for study in own.values() for estimate in study.estimates()),
        fingerprints=tuple(fingerprints),
        profiles=profiles(diagnoses),
    )


def ladders(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0
) -> dict[str, LadderStudy]:
    """The ladder of every task in the rows, by the task's name."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: LadderStudy(of_task(rows, task), outline_of(task, fingerprints), seed) for task in tasks}
