"""From tidy rows to findings: every task has its ladder, and beside it what papers report of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from snellen.analysis.calibration import calibration_sections, calibration_tables
from snellen.analysis.columns import NamedTable
from snellen.analysis.difficulty import (
    TITLE,
    TrackThreshold,
    difficulty_sections,
    limit_table,
    limits,
    with_limits,
    without_tracks,
)
from snellen.analysis.ladder import LadderStudy, profiles
from snellen.analysis.ladder.overview import overview_table
from snellen.analysis.ladder.profile_table import profile_table
from snellen.analysis.repeats import repeats_sections, repeats_tables
from snellen.analysis.rows import unspared
from snellen.analysis.study import MeasuringStudy, PlainStudy, TaskStudy
from snellen.analysis.training import with_left_out
from snellen.analysis.varied import varied_sections, varied_tables
from snellen.charts.blocks import Diagnosis, Findings, Profile, Table, ThresholdCard, Value
from snellen.errors import UserError, unknown
from snellen.tasks import installed
from snellen.tasks.ladder_spec import spec_of, task_rows


def studies(rows: pl.DataFrame, seed: int = 0) -> dict[str, TaskStudy]:
    """What papers report of every task in the rows, by the task's name."""
    rows = unspared(rows)
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: _study(task_rows(rows, task), task, seed) for task in tasks}


def _limits(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]]
) -> tuple[tuple[TrackThreshold, ...], pl.DataFrame]:
    """What tracks found, and the rows that they did not choose. A study that measures reads its tracks itself."""
    spared = [task for task in rows["task"].unique().to_list() if measures(task)]
    return limits(rows, fingerprints, spared), without_tracks(rows, fingerprints, spared)


def measures(name: str) -> bool:
    """Whether a task of this name finds thresholds; False for one that is not installed here."""
    task = installed(name)
    return task is not None and task.measures


def _study(rows: pl.DataFrame, name: str, seed: int) -> TaskStudy:
    """The task's own study; estimates by condition for a task without one, or one that is not installed here."""
    task = installed(name)
    return ((task and task.study) or PlainStudy)(rows, seed)


ACROSS_SECTIONS = (repeats_sections, calibration_sections, varied_sections)
ACROSS_TABLES = (repeats_tables, calibration_tables, varied_tables)
"""What is looked at over all tasks, where there is something to look at."""


def tables(rows: pl.DataFrame, seed: int = 0, fingerprints: Sequence[Mapping[str, Any]] = ()) -> dict[str, NamedTable]:
    """Every table that can be had of these rows, by name. Trials that tracks chose count in no accuracy: they have a
    table of their own, of limits."""
    thresholds, rows = _limits(rows, fingerprints)
    limited = {"difficulty": NamedTable(TITLE, lambda: limit_table(thresholds))} if thresholds else {}
    own, by_ladder = studies(rows, seed), ladders(rows, fingerprints, seed)
    climbed = [ladder for task, ladder in by_ladder.items() if not _measures(own.get(task))]
    of_ladders = {name: table for study in climbed for name, table in study.tables().items()}
    of_tasks = {name: table for study in own.values() for name, table in study.tables().items()}
    whole_replies = _scored_whole(rows, own)
    across = {name: table for made in ACROSS_TABLES for name, table in made(whole_replies, seed).items()}
    whole = _whole(own, by_ladder, thresholds) if rows.height or thresholds else {}
    return {**whole, **limited, **of_ladders, **of_tasks, **across}


def _whole(
    own: Mapping[str, TaskStudy], by_ladder: Mapping[str, LadderStudy], thresholds: Sequence[TrackThreshold]
) -> dict[str, NamedTable]:
    """What is said of all tasks together; a profile only where something may be lost to a faculty."""

    def diagnoses() -> tuple[Diagnosis, ...]:
        return with_limits(_diagnoses(own, by_ladder), thresholds)

    overview = NamedTable("Subjects and tasks", lambda: overview_table(diagnoses()))
    if all(_measures(own.get(task)) for task in by_ladder):
        return {"overview": overview}
    profile = NamedTable("Losses by faculty and task", lambda: profile_table(_profiles(diagnoses())))
    return {"overview": overview, "profile": profile}


def findings(rows: pl.DataFrame, *, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0) -> Findings:
    """All that the trials say. The same rows and seed give the same findings."""
    thresholds, rows = _limits(rows, fingerprints)
    own, by_ladder = studies(rows, seed), ladders(rows, fingerprints, seed)
    diagnoses = with_limits(_diagnoses(own, by_ladder), thresholds)
    cards: tuple[ThresholdCard, ...] = ()
    for study in own.values():
        if isinstance(study, MeasuringStudy):
            diagnoses, measured = study.compared(diagnoses, rows)
            cards += measured
    diagnoses = with_left_out(diagnoses, fingerprints)
    return Findings(
        diagnoses=diagnoses,
        sections=(
            *(
                replace(section, task=task)
                for task, ladder in by_ladder.items()
                for section in (
                    *(() if _measures(own.get(task)) else ladder.sections()),
                    *(own[task].sections() if task in own else ()),
                )
            ),
            *difficulty_sections(thresholds),
            *(section for made in ACROSS_SECTIONS for section in made(_scored_whole(rows, own), seed)),
        ),
        estimates=tuple(estimate for study in own.values() for estimate in study.estimates()),
        fingerprints=tuple(fingerprints),
        profiles=_profiles(diagnoses),
        cards=cards,
    )


def _profiles(diagnoses: Sequence[Diagnosis]) -> tuple[Profile, ...]:
    """Profiles of what tasks lose, of those who may lose something; a limit that was measured loses nothing to any
    faculty."""
    made = profiles([diagnosis for diagnosis in diagnoses if diagnosis.verdict != "measured"])
    return tuple(profile for profile in made if profile.rows)


def _scored_whole(rows: pl.DataFrame, own: Mapping[str, TaskStudy]) -> pl.DataFrame:
    rows = unspared(rows)
    for study in own.values():
        if isinstance(study, MeasuringStudy):
            rows = study.scored_whole(rows)
    return rows


def _measures(study: TaskStudy | None) -> bool:
    return isinstance(study, MeasuringStudy)


def _diagnoses(own: Mapping[str, TaskStudy], by_ladder: Mapping[str, LadderStudy]) -> tuple[Diagnosis, ...]:
    made: list[Diagnosis] = []
    for task, ladder in by_ladder.items():
        study = own.get(task)
        if isinstance(study, MeasuringStudy):
            made += study.diagnoses(ladder.diagnoses)
            continue
        scores = study.scores() if study else {}  # none where only rungs that spare a faculty were asked
        made += (
            replace(diagnosis, accuracy=scores.get(diagnosis.subject, Value(None))) for diagnosis in ladder.diagnoses
        )
    return tuple(made)


def ladders(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0
) -> dict[str, LadderStudy]:
    """The ladder of every task in the rows, by the task's name."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: LadderStudy(task_rows(rows, task), spec_of(task, fingerprints), seed) for task in tasks}


def table_names(rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]] = ()) -> dict[str, str]:
    """The tables there are for these rows: name to title. `fingerprints`: of the exams they are of."""
    return {name: table.title for name, table in tables(rows, 0, fingerprints).items()}


def table(rows: pl.DataFrame, name: str, seed: int = 0, fingerprints: Sequence[Mapping[str, Any]] = ()) -> Table:
    """The table of that name."""
    named = tables(rows, seed, fingerprints)
    if name not in named:
        raise unknown("table", name, named) if named else UserError(f"no table {name!r}: the store holds no trials")
    return named[name].make()
