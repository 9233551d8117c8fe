"""From the trials of exams to findings: every task has its ladder, and beside it what papers report of it.

The table of trials takes one path. What tracks chose is taken out of it first, for these ask what is as hard as can be
and count in no accuracy; then it is cut by task, once for the task's ladder (all rungs) and once for its own study
(the task as it is). What is looked at over all tasks sees the trials that are right or wrong as a whole.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

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
from snellen.charts.blocks import Diagnosis, Findings, Profile, Section, Table, ThresholdCard, Value
from snellen.errors import UserError, unknown
from snellen.examine.by_task import TableByTask, TrialsByTask
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
    """The trials of exams with everything that is made of them, each part when it is first asked for.

    Of a large store (`StoreByTask`, from which no tracks are to be taken) one table of a task's rows at a time is kept.
    """

    def __init__(self, trials: pl.DataFrame | TrialsByTask, fingerprints: Fingerprints, seed: int) -> None:
        self.fingerprints, self.seed = fingerprints, seed
        self.thresholds: tuple[TrackThreshold, ...] = ()
        if isinstance(trials, TableByTask):
            trials = trials.all_rows()
        if isinstance(trials, pl.DataFrame):
            # A study that measures reads its tracks itself.
            spared = [task for task in _tasks(trials) if measures(task)]
            self.thresholds = limits(trials, fingerprints, spared)
            self.trials: TrialsByTask = TableByTask(without_tracks(trials, fingerprints, spared))
        else:
            self.trials = trials
        self._rows: dict[str, pl.DataFrame] = {}
        self._ladders: dict[str, LadderStudy] = {}
        self._own: dict[str, TaskStudy | None] = {}
        # By the task's own word: asking the study for its members would draw up every card.
        self.measuring = [task for task in self.trials.studied if measures(task)]

    def _ladder(self, task: str) -> LadderStudy:
        if task not in self._ladders:
            self._let_go()
            self._rows[task] = self.trials.rows(task)
            rows = task_rows(self._rows[task], task)
            self._ladders[task] = LadderStudy(rows, spec_of(task, self.fingerprints), self.seed)
        return self._ladders[task]

    def _study(self, task: str) -> TaskStudy | None:
        """A task's own study; none where only rungs that spare a faculty were asked."""
        if task not in self._own:
            read = self._rows.pop(task, None)
            self._let_go()
            rows = unspared(self.trials.rows(task) if read is None else read)
            self._own[task] = _study(task_rows(rows, task), task, self.seed) if rows.height else None
        return self._own[task]

    def _let_go(self) -> None:
        """Of a large store the study, and the ladder unless it is climbed, are let go before other rows are read: its
        rows are most of what is in memory."""
        if self.trials.is_large:
            self._rows.clear()
            self._own.clear()
            self._ladders = {task: ladder for task, ladder in self._ladders.items() if ladder.is_climbed}

    def _measuring(self) -> Iterator[MeasuringStudy]:
        return (cast(MeasuringStudy, self._study(task)) for task in self.measuring)

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The verdict on every subject and task, with the limits that tracks found."""
        return with_limits([own for task in self.trials.tasks for own in self._diagnoses(task)], self.thresholds)

    def _diagnoses(self, task: str) -> Sequence[Diagnosis]:
        climbed = self._ladder(task).diagnoses
        study = self._study(task)
        if task in self.measuring:
            return cast(MeasuringStudy, study).diagnoses(climbed)
        scores = study.scores() if study else {}
        return [replace(own, accuracy=scores.get(own.subject, Value(None))) for own in climbed]

    @cached_property
    def whole_replies(self) -> pl.DataFrame:
        """The trials of the tasks as they are whose replies are right or wrong as a whole."""
        trials = self.trials.all_rows()
        if trials.is_empty():
            return trials
        trials = unspared(trials)
        for study in self._measuring():
            trials = study.scored_whole(trials)
        return trials

    def tables(self) -> dict[str, NamedTable]:
        made = dict(self.over_tasks())
        if self.thresholds:
            made["difficulty"] = NamedTable(TITLE, lambda: limit_table(self.thresholds))
        named = {
            task: (self._named(self._ladder_tables, task), self._named(self._study_tables, task))
            for task in self.trials.tasks
        }
        for of_ladder, _ in named.values():
            made |= of_ladder
        for task in self.trials.studied:
            made |= named[task][1]
        for across in ACROSS_TABLES:
            made |= across(self.whole_replies, self.seed)
        return made

    @staticmethod
    def _named(tables_of: Callable[[str], dict[str, NamedTable]], task: str) -> dict[str, NamedTable]:
        """A task's tables, each of which looks the task up again when it is made."""

        def again(name: str) -> Callable[[], Table]:
            return lambda: tables_of(task)[name].make()

        return {name: NamedTable(table.title, again(name)) for name, table in tables_of(task).items()}

    def _ladder_tables(self, task: str) -> dict[str, NamedTable]:
        return {} if task in self.measuring else self._ladder(task).tables()

    def _study_tables(self, task: str) -> dict[str, NamedTable]:
        study = self._study(task)
        return study.tables() if study else {}

    def over_tasks(self) -> dict[str, NamedTable]:
        """What is said of all tasks together; a profile only where something may be lost to a faculty."""
        if not self.trials.tasks and not self.thresholds:
            return {}
        overview = {"overview": NamedTable("Subjects and tasks", lambda: overview_table(self.diagnoses))}
        if all(task in self.measuring for task in self.trials.tasks):
            return overview
        profile = NamedTable("Losses by faculty and task", lambda: profile_table(_profiles(self.diagnoses)))
        return overview | {"profile": profile}

    def _sections(self, task: str) -> Iterator[Section]:
        of_ladder = () if task in self.measuring else self._ladder(task).sections()
        study = self._study(task)
        own = [*of_ladder, *(study.sections() if study else ())]
        return (replace(section, task=task) for section in own)

    def findings(self) -> Findings:
        told: list[Diagnosis] = []
        sections: list[Section] = []
        estimates: dict[str, tuple[dict[str, Any], ...]] = {}
        for task in self.trials.tasks:
            told += self._diagnoses(task)
            sections += self._sections(task)
            study = self._study(task)
            estimates[task] = study.estimates() if study else ()
        sections += difficulty_sections(self.thresholds)
        for across in ACROSS_SECTIONS:
            sections += across(self.whole_replies, self.seed)
        diagnoses = with_limits(told, self.thresholds)
        cards: tuple[ThresholdCard, ...] = ()
        for measuring in self._measuring():
            diagnoses, measured = measuring.compared(diagnoses, self.trials.all_rows())
            cards += measured
        diagnoses = with_left_out(diagnoses, self.fingerprints)
        return Findings(
            diagnoses=diagnoses,
            sections=tuple(sections),
            estimates=tuple(estimate for task in self.trials.studied for estimate in estimates[task]),
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


def findings(trials: pl.DataFrame | TrialsByTask, *, fingerprints: Fingerprints = (), seed: int = 0) -> Findings:
    """All that the trials say. The same trials and seed give the same findings."""
    return ExamAnalysis(trials, fingerprints, seed).findings()


def tables(
    trials: pl.DataFrame | TrialsByTask, seed: int = 0, fingerprints: Fingerprints = ()
) -> dict[str, NamedTable]:
    """Every table that can be had of these trials, by name. Trials that tracks chose count in no accuracy: they have a
    table of their own, of limits."""
    return ExamAnalysis(trials, fingerprints, seed).tables()


def table_names(trials: pl.DataFrame | TrialsByTask, fingerprints: Fingerprints = ()) -> dict[str, str]:
    """The tables there are for these trials: name to title. `fingerprints`: of the exams they are of."""
    return {name: table.title for name, table in tables(trials, 0, fingerprints).items()}


def table(trials: pl.DataFrame | TrialsByTask, name: str, seed: int = 0, fingerprints: Fingerprints = ()) -> Table:
    """The table of that name."""
    analysis = ExamAnalysis(trials, fingerprints, seed)
    made = analysis.over_tasks()
    made = made if name in made else analysis.tables()
    if name not in made:
        raise unknown("table", name, made) if made else UserError(f"no table {name!r}: the store holds no trials")
    return made[name].make()
