"""From tidy rows to findings: every task has its ladder, and beside it what papers report of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from snellen.analysis.acuity import AcuityStudy
from snellen.analysis.acuity.held import diagnoses_with_held, held, with_held
from snellen.analysis.bias import BiasStudy
from snellen.analysis.blocks import Diagnosis, Findings, Profile, Value
from snellen.analysis.bongard import BongardStudy
from snellen.analysis.calibration import calibration_sections, calibration_tables
from snellen.analysis.capacity import CapacityStudy
from snellen.analysis.difficulty import (
    TITLE,
    Limit,
    difficulty_sections,
    limit_table,
    limits,
    with_limits,
    without_tracks,
)
from snellen.analysis.fixation import FixationStudy
from snellen.analysis.ladder import LadderStudy, profiles, spec_of
from snellen.analysis.ladder.overview import overview_table
from snellen.analysis.ladder.profile_table import profile_table
from snellen.analysis.marvel import MarvelStudy
from snellen.analysis.repeats import repeats_sections, repeats_tables
from snellen.analysis.rows import of_task, unspared
from snellen.analysis.study import NamedTable, PlainStudy, Study
from snellen.analysis.training import with_left_out
from snellen.analysis.varied import varied_sections, varied_tables
from snellen.analysis.winoground import WinogroundStudy

STUDIES: dict[str, Callable[[pl.DataFrame, int], Study]] = {
    "fixation": FixationStudy,
    "bongard": BongardStudy,
    "winoground": WinogroundStudy,
    "marvel": MarvelStudy,
    "capacity": CapacityStudy,
    "bias": BiasStudy,
    "acuity": AcuityStudy,
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


def tables(rows: pl.DataFrame, seed: int = 0, fingerprints: Sequence[Mapping[str, Any]] = ()) -> dict[str, NamedTable]:
    """Every table that can be had of these rows, by name. Trials that tracks chose count in no accuracy: they have a
    table of their own, of limits."""
    found, rows = limits(rows, fingerprints), without_tracks(rows, fingerprints)
    limited = {"difficulty": NamedTable(TITLE, lambda: limit_table(found))} if found else {}
    own, by_ladder = studies(rows, seed), ladders(rows, fingerprints, seed)
    climbed = [ladder for task, ladder in by_ladder.items() if not _measures(own.get(task))]
    of_ladders = {name: table for study in climbed for name, table in study.tables().items()}
    of_tasks = {name: table for study in own.values() for name, table in study.tables().items()}
    across = {name: table for made in ACROSS_TABLES for name, table in made(unspared(rows), seed).items()}
    whole = _whole(own, by_ladder, found) if rows.height or found else {}
    return {**whole, **limited, **of_ladders, **of_tasks, **across}


def _whole(
    own: Mapping[str, Study], by_ladder: Mapping[str, LadderStudy], found: Sequence[Limit]
) -> dict[str, NamedTable]:
    """What is said of all tasks together; a profile only where something may be lost to a faculty."""

    def diagnoses() -> tuple[Diagnosis, ...]:
        return with_limits(_diagnoses(own, by_ladder), found)

    overview = NamedTable("Subjects and tasks", lambda: overview_table(diagnoses()))
    if all(_measures(own.get(task)) for task in by_ladder):
        return {"overview": overview}
    profile = NamedTable("Losses by faculty and task", lambda: profile_table(_profiles(diagnoses())))
    return {"overview": overview, "profile": profile}


def findings(rows: pl.DataFrame, *, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0) -> Findings:
    """All that the trials say. The same rows and seed give the same findings."""
    found, rows = limits(rows, fingerprints), without_tracks(rows, fingerprints)
    own, by_ladder = studies(rows, seed), ladders(rows, fingerprints, seed)
    diagnoses = with_limits(_diagnoses(own, by_ladder), found)
    cards = tuple(card for study in own.values() if isinstance(study, AcuityStudy) for card in study.cards)
    against = held(cards, diagnoses, rows)
    diagnoses = with_left_out(diagnoses_with_held(diagnoses, against), fingerprints)
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
            *difficulty_sections(found),
            *(section for made in ACROSS_SECTIONS for section in made(unspared(rows), seed)),
        ),
        estimates=tuple(estimate for study in own.values() for estimate in study.estimates()),
        fingerprints=tuple(fingerprints),
        profiles=_profiles(diagnoses),
        cards=with_held(cards, against),
    )


def _profiles(diagnoses: Sequence[Diagnosis]) -> tuple[Profile, ...]:
    """Profiles of what tasks lose, of those who may lose something; a limit that was measured loses nothing to any
    faculty."""
    made = profiles([diagnosis for diagnosis in diagnoses if diagnosis.verdict != "measured"])
    return tuple(profile for profile in made if profile.rows)


def _measures(study: Study | None) -> bool:
    """Whether a study finds where somebody's limit is instead of how often they are right: it diagnoses by itself."""
    return isinstance(study, AcuityStudy)


def _diagnoses(own: Mapping[str, Study], by_ladder: Mapping[str, LadderStudy]) -> tuple[Diagnosis, ...]:
    made: list[Diagnosis] = []
    for task, ladder in by_ladder.items():
        study = own.get(task)
        if isinstance(study, AcuityStudy):
            made += study.diagnoses(ladder.diagnoses)
            continue
        scores = study.scores() if study else {}  # none where only rungs that spare a faculty were asked
        made += (replace(each, accuracy=scores.get(each.subject, Value(None))) for each in ladder.diagnoses)
    return tuple(made)


def ladders(
    rows: pl.DataFrame, fingerprints: Sequence[Mapping[str, Any]] = (), seed: int = 0
) -> dict[str, LadderStudy]:
    """The ladder of every task in the rows, by the task's name."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    return {task: LadderStudy(of_task(rows, task), spec_of(task, fingerprints), seed) for task in tasks}
