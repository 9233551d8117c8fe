"""From the trials of exams to findings: every task has its ladder, and beside it what papers report of it.

The table of trials takes one path. What tracks chose is taken out of it first, for these ask what is as hard as can be
and count in no accuracy; then it is cut by task, once for the task's ladder (all rungs) and once for its own study
(the task as it is). What is looked at over all tasks sees the trials that are right or wrong as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import polars as pl

from snellen.analysis.calibration import calibration_sections, calibration_tables
from snellen.analysis.columns import NamedTable
from snellen.analysis.difficulty import TITLE, difficulty_sections, limit_table, limits, with_limits, without_tracks
from snellen.analysis.ladder import LadderStudy, profiles
from snellen.analysis.ladder.overview import overview_table
from snellen.analysis.ladder.profile_table import profile_table
from snellen.analysis.repeats import repeats_sections, repeats_tables
from snellen.analysis.rows import unspared
from snellen.analysis.study import MeasuringStudy, PlainStudy, TaskStudy
from snellen.analysis.training import with_left_out
from snellen.analysis.varied import varied_sections, varied_tables
from snellen.charts.blocks import Diagnosis, Findings, Profile, Section, Table, ThresholdCard, Value
from snellen.errors import UserError, unknown
from snellen.tasks import installed
from snellen.tasks.ladder_spec import spec_of, task_rows

ACROSS_SECTIONS = (repeats_sections, calibration_sections, varied_sections)
ACROSS_TABLES = (repeats_tables, calibration_tables, varied_tables)
"""What is looked at over all tasks, where there is something to look at."""
Fingerprints = Sequence[Mapping[str, Any]]


def studies(trials: pl.DataFrame, seed: int = 0) -> dict[str, TaskStudy]:
    """What papers report of every task in the trials, by the task's name."""
    trials = unspared(trials)
    return {task: _study(task_rows(trials, task), task, seed) for task in _tasks(trials)}


def ladders(trials: pl.DataFrame, fingerprints: Fingerprints = (), seed: int = 0) -> dict[str, LadderStudy]:
    """The ladder of every task in the trials, by the task's name."""
    return {task: LadderStudy(task_rows(trials, task), spec_of(task, fingerprints), seed) for task in _tasks(trials)}


def _tasks(trials: pl.DataFrame) -> list[str]:
    return trials["task"].unique(maintain_order=True).to_list()


def measures(name: str) -> bool:
    """Whether a task of this name finds thresholds; False for one that is not installed here."""
    task = installed(name)
    return task is not None and task.measures


def _study(trials: pl.DataFrame, name: str, seed: int) -> TaskStudy:
    """The task's own study; estimates by condition for a task without one, or one that is not installed here."""
    task = installed(name)
    return ((task and task.study) or PlainStudy)(trials, seed)


class ExamAnalysis:
    """The trials of exams with everything that is made of them, each part when it is first asked for."""

    def __init__(self, trials: pl.DataFrame, fingerprints: Fingerprints, seed: int) -> None:
        # A study that measures reads its tracks itself.
        spared = [task for task in _tasks(trials) if measures(task)]
        self.thresholds = limits(trials, fingerprints, spared)
        self.trials = without_tracks(trials, fingerprints, spared)
        self.fingerprints, self.seed = fingerprints, seed
        self.studies = studies(self.trials, seed)
        self.ladders = ladders(self.trials, fingerprints, seed)
        # By the task's own word: asking the study for its members would draw up every card.
        self.measuring = {task: cast(MeasuringStudy, self.studies[task]) for task in spared if task in self.studies}

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The verdict on every subject and task, with the limits that tracks found."""
        made: list[Diagnosis] = []
        for task, ladder in self.ladders.items():
            if task in self.measuring:
                made += self.measuring[task].diagnoses(ladder.diagnoses)
                continue
            # None where only rungs that spare a faculty were asked.
            scores = self.studies[task].scores() if task in self.studies else {}
            made += (replace(own, accuracy=scores.get(own.subject, Value(None))) for own in ladder.diagnoses)
        return with_limits(made, self.thresholds)

    @cached_property
    def whole_replies(self) -> pl.DataFrame:
        """The trials of the tasks as they are whose replies are right or wrong as a whole."""
        trials = unspared(self.trials)
        for study in self.measuring.values():
            trials = study.scored_whole(trials)
        return trials

    def tables(self) -> dict[str, NamedTable]:
        climbed = [ladder for task, ladder in self.ladders.items() if task not in self.measuring]
        made = dict(self._over_tasks()) if self.trials.height or self.thresholds else {}
        if self.thresholds:
            made["difficulty"] = NamedTable(TITLE, lambda: limit_table(self.thresholds))
        for ladder in climbed:
            made |= ladder.tables()
        for study in self.studies.values():
            made |= study.tables()
        for across in ACROSS_TABLES:
            made |= across(self.whole_replies, self.seed)
        return made

    def _over_tasks(self) -> dict[str, NamedTable]:
        """What is said of all tasks together; a profile only where something may be lost to a faculty."""
        overview = {"overview": NamedTable("Subjects and tasks", lambda: overview_table(self.diagnoses))}
        if all(task in self.measuring for task in self.ladders):
            return overview
        profile = NamedTable("Losses by faculty and task", lambda: profile_table(_profiles(self.diagnoses)))
        return overview | {"profile": profile}

    def sections(self) -> tuple[Section, ...]:
        made: list[Section] = []
        for task, ladder in self.ladders.items():
            own = [*(() if task in self.measuring else ladder.sections())]
            own += self.studies[task].sections() if task in self.studies else ()
            made += (replace(section, task=task) for section in own)
        made += difficulty_sections(self.thresholds)
        for across in ACROSS_SECTIONS:
            made += across(self.whole_replies, self.seed)
        return tuple(made)

    def findings(self) -> Findings:
        diagnoses = self.diagnoses
        cards: tuple[ThresholdCard, ...] = ()
        for study in self.measuring.values():
            diagnoses, measured = study.compared(diagnoses, self.trials)
            cards += measured
        diagnoses = with_left_out(diagnoses, self.fingerprints)
        return Findings(
            diagnoses=diagnoses,
            sections=self.sections(),
            estimates=tuple(estimate for study in self.studies.values() for estimate in study.estimates()),
            fingerprints=tuple(_printed(fingerprint) for fingerprint in self.fingerprints),
            profiles=_profiles(diagnoses),
            cards=cards,
        )


def _printed(fingerprint: Mapping[str, Any]) -> dict[str, Any]:
    """A fingerprint without what only says how to ask again: places of files on this machine."""
    return {name: value for name, value in fingerprint.items() if name != "again"}


def _profiles(diagnoses: Sequence[Diagnosis]) -> tuple[Profile, ...]:
    """Profiles of what tasks lose, of those who may lose something; a limit that was measured loses nothing to any
    faculty."""
    made = profiles([diagnosis for diagnosis in diagnoses if diagnosis.verdict != "measured"])
    return tuple(profile for profile in made if profile.rows)


def findings(trials: pl.DataFrame, *, fingerprints: Fingerprints = (), seed: int = 0) -> Findings:
    """All that the trials say. The same trials and seed give the same findings."""
    return ExamAnalysis(trials, fingerprints, seed).findings()


def tables(trials: pl.DataFrame, seed: int = 0, fingerprints: Fingerprints = ()) -> dict[str, NamedTable]:
    """Every table that can be had of these trials, by name. Trials that tracks chose count in no accuracy: they have a
    table of their own, of limits."""
    return ExamAnalysis(trials, fingerprints, seed).tables()


def table_names(trials: pl.DataFrame, fingerprints: Fingerprints = ()) -> dict[str, str]:
    """The tables there are for these trials: name to title. `fingerprints`: of the exams they are of."""
    return {name: table.title for name, table in tables(trials, 0, fingerprints).items()}


def table(trials: pl.DataFrame, name: str, seed: int = 0, fingerprints: Fingerprints = ()) -> Table:
    """The table of that name."""
    made = tables(trials, seed, fingerprints)
    if name not in made:
        raise unknown("table", name, made) if made else UserError(f"no table {name!r}: the store holds no trials")
    return made[name].make()
