"""The result of an exam: what its store holds, and what that says."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from snellen.beside import Beside
from snellen.defaults import DEFAULT_LISTED, DEFAULT_REPORT, DEFAULT_STORE, DEFAULT_SUBJECT
from snellen.engine import ExamRecord, RunSummary, Store
from snellen.errors import UserError, invocation, unknown
from snellen.examine.options import ExamOptions
from snellen.examine.order import in_plan_order
from snellen.examine.trained import curves_of, left_out_of
from snellen.tasks import tasks_with
from snellen.tasks.making import pool

if TYPE_CHECKING:
    import polars as pl

    from snellen.charts.blocks import Diagnosis, Findings, Section, Table, ThresholdCard
    from snellen.examine.by_task import TrialsByTask
    from snellen.examine.findings import ExamAnalysis
    from snellen.report.figures import Figures


ACROSS = ("overview", "profile")
"""Tables over all tasks, which need no words of replies."""


class Exam:
    """The contents of a store for some subjects or all; each part is read once.

    `summary` says how the run that led here ended, if one did, and `trials` which trials were its own. A name may have
    stood for several models, or for several states of one (a file that was edited): only trials of the last one count.
    `earlier`: stores of earlier exams, for the history of the subjects and nothing else.
    """

    def __init__(
        self,
        store: str | Path,
        subjects: Sequence[str] = (),
        summary: RunSummary | None = None,
        trials: Collection[str] | None = None,
        earlier: Sequence[Path] = (),
    ) -> None:
        self.store = Path(store)
        self.earlier = tuple(earlier)
        self.subjects = tuple(subjects)
        self.summary = summary
        self.trials = trials

    @cached_property
    def rows(self) -> "pl.DataFrame":
        """The trials as tidy rows, one column per factor."""
        with Store.open(self.store, readonly=True) as store:
            rows = store.rows()
            exams = store.exams()
        chosen = rows.filter(rows["subject"].is_in(self.subjects)) if self.subjects else rows
        if self.trials is not None:
            chosen = chosen.filter(chosen["trial"].is_in(list(self.trials)))
        fingerprints = [exam.fingerprint for exam in exams]
        return in_plan_order(_untrained(_of_the_last(chosen, exams), fingerprints), self.subjects, fingerprints)

    @cached_property
    def by_task(self) -> "TrialsByTask":
        """The trials as findings take them: of a large store a task at a time, so that memory does not grow with it."""
        from snellen.examine.by_task import TableByTask, by_task

        is_read = "rows" in vars(self) or self.trials is not None or _renamed(self._all_exams)
        large = None if is_read else by_task(self.store, self.subjects, self.fingerprints)
        return large or TableByTask(self.rows)

    @property
    def examined(self) -> Sequence[str]:
        """The subjects, as they were named."""
        return self.by_task.subjects

    @property
    def judged(self) -> "pl.DataFrame":
        """The rows of tasks in which a judge gave marks, and of all tasks of a small store."""
        return self.by_task.judged()

    @cached_property
    def findings(self) -> "Findings":
        """Diagnosis, sections, estimates."""
        from snellen.analysis.training import section
        from snellen.examine.words import readers

        if not self.by_task.tasks:
            command = invocation("exam", "--store", self.store)
            raise UserError(f"store {self.store}: it has no trials yet; run `{command}` first")
        trials, tasks = self.by_task, readers(self.by_task.tasks)
        of_words = (self.store, tasks, trials.of(tasks))
        has_words = trials.is_large and bool(tasks) and pool.cores() > 1
        with Beside("snellen.examine.words:stored_sections", *of_words, is_wanted=has_words) as words:
            numbers = self._analysis.findings()
            if (made := words.result) is not None:
                self._word_sections = made
        history = self._history(numbers.diagnoses)
        training = section(curves_of(_full_names(self._exams, self.examined)))
        sections = (history, *numbers.sections, *self._word_sections, training)
        return replace(numbers, sections=tuple(each for each in sections if each is not None))

    def _history(self, diagnoses: "Iterable[Diagnosis]", tasks: Collection[str] = ()) -> "Section | None":
        """The subjects over time: of the earlier stores and this one, or its checkpoints."""
        from snellen.analysis.history import section
        from snellen.examine.history import points, store_names

        if not self.may_have_history:
            return None
        names = store_names([*self.earlier, self.store])
        then = [Exam(path, self.subjects) for path in self.earlier]
        before = [point for exam in then for point in points(names[exam.store], exam._exams, exam.diagnoses)]
        found = [*before, *points(names[self.store], self._exams, diagnoses)]
        return section([point for point in found if not tasks or point.task in tasks])

    @property
    def may_have_history(self) -> bool:
        """Whether there are earlier stores, or subjects here whose names tell a training step."""
        from snellen.names import step_of

        names = _full_names(self._exams, self.examined).items()
        return bool(self.earlier) or sum(bool(step_of(short) or step_of(name)) for short, name in names) > 1

    def history_table(self, tasks: Collection[str] = ()) -> "Table":
        """The subjects over time on these tasks, or on all: accuracy and losses at each checkpoint, or in each run."""
        from snellen.charts.blocks import Table

        history = self._history(self.diagnoses, tasks)
        if history is None:
            raise UserError(
                f"store {self.store}: no history in it; name several stores, or examine checkpoints whose names tell"
                " the step (step-500, step-1000)"
            )
        return next(block for block in history.blocks if isinstance(block, Table))

    @cached_property
    def diagnoses(self) -> "tuple[Diagnosis, ...]":
        """The diagnoses without the sections, which are slow to compute."""
        return self._analysis.diagnoses

    @cached_property
    def _analysis(self) -> "ExamAnalysis":
        from snellen.examine.findings import ExamAnalysis

        return ExamAnalysis(self.by_task, self.fingerprints, 0)

    def tables(self) -> "dict[str, Table]":
        """Every table that has rows, by name."""
        made = {name: table.make() for name, table in self._analysis.tables().items()} | self.word_tables
        return {name: table for name, table in made.items() if table.rows}

    def table(self, name: str) -> "Table":
        """The table of that name."""
        from snellen.examine.findings import table

        if name not in ACROSS and name in self.word_tables:
            return self.word_tables[name]
        return table(self.by_task, name, fingerprints=self.fingerprints)

    @cached_property
    def _all_exams(self) -> list[ExamRecord]:
        with Store.open(self.store, readonly=True) as store:
            return store.exams()

    @cached_property
    def _exams(self) -> list[ExamRecord]:
        return [exam for exam in self._all_exams if self._concerns(exam.fingerprint)]

    @property
    def fingerprints(self) -> list[dict[str, Any]]:
        """The provenance of each exam, including which trials its tracks chose."""
        own = ((exam, _into(self.store, exam.fingerprint)) for exam in self._exams)
        return [{"exam": exam.id, **fingerprint, **exam.counts} for exam, fingerprint in own]

    @property
    def untracked(self) -> "pl.DataFrame":
        """The trials not chosen by tracks; accuracies are computed from these."""
        from snellen.analysis.difficulty import without_tracks

        return without_tracks(self.rows, self.fingerprints, spared=())

    @cached_property
    def word_tables(self) -> dict[str, "Table"]:
        """Tables on intermediate replies, by name."""
        from snellen.charts.blocks import Table

        blocks = (block for section in self._word_sections for block in section.blocks)
        return {block.name: block for block in blocks if isinstance(block, Table)}

    @cached_property
    def _word_sections(self) -> "tuple[Section, ...]":
        """The sections of tasks that analyse the text of replies."""
        from snellen.examine.words import readers, sections

        trials = self.by_task
        with Store.open(self.store, readonly=True) as store:
            return sections(store, readers(trials.tasks), trials.rows)

    def _concerns(self, fingerprint: Mapping[str, Any]) -> bool:
        return not self.subjects or any(subject in self.subjects for subject in fingerprint.get("subjects", ()))

    def to_json(self) -> dict[str, Any]:
        """The findings in JSON types."""
        from snellen.charts.blocks import to_json

        written: dict[str, Any] = to_json(self.findings)
        return written

    def scalars(self) -> dict[str, float]:
        """Accuracy, losses by faculty and their intervals as numbers by stable names (`snellen.analysis.scalars`), for
        whatever draws curves: `wandb.log(exam.scalars(), step=step)`. What was not measured is absent; of several
        checkpoints it is the last one."""
        from snellen.analysis.scalars import scalar_points

        return {name: value for point in scalar_points(self.diagnoses) for name, value in point.values.items()}

    def cards(self, subjects: Sequence[str] = ()) -> "tuple[ThresholdCard, ...]":
        """The eye chart cards of these subjects, or of all, in the order named."""
        made = {card.subject: card for card in self._cards()}
        if not made:
            name = next((task.name for task in tasks_with(lambda task: task.measures)), "TASK")
            command = invocation("exam", "SUBJECT", "--tasks", name, "--store", self.store)
            raise UserError(f"store {self.store}: it has no eye chart yet; run `{command}` first")
        for subject in subjects:
            if subject not in made:
                raise unknown("subject with an eye chart in this store", subject, made)
        return tuple(made[subject] for subject in subjects or made)

    def _cards(self) -> "tuple[ThresholdCard, ...]":
        """The cards, with what other tasks lose to the eyes, if others were asked."""
        from snellen.analysis.study import MeasuringStudy
        from snellen.examine.findings import measures, studies

        tasks = self.rows["task"].unique().to_list()
        measured = [task for task in tasks if measures(task)]
        if not measured or len(tasks) > len(measured):
            return self.findings.cards if measured else ()
        own = [cast(MeasuringStudy, study) for study in studies(self.rows).values()]
        return tuple(card for study in own for card in study.cards)

    def figures(self, width: float | None = None) -> "Figures":
        """Every chart by name, to show in a notebook or to save as SVG or PDF; `width` in millimetres."""
        from snellen.report.figures import figures

        return figures(self.findings, width)

    def report(
        self, folder: str | Path = DEFAULT_REPORT, *, originals: bool = False, trials: int = DEFAULT_LISTED
    ) -> Path:
        """Write the report page of everything in the store; returns its path.

        With `originals`, the pictures as they were sent are written to `folder/pictures` as well. `trials`: the most
        that the page lists; of a store with more the trials of every second, third ... item. Findings are of all.
        """
        from snellen.examine.page import write_exam_page

        whole = self
        if self.subjects or self.trials is not None:
            whole = self if self._is_everything else Exam(self.store, earlier=self.earlier)
        return write_exam_page(whole, Path(folder), trials, originals=originals)

    @property
    def _is_everything(self) -> bool:
        """Whether these are all trials of a store that is not large, in their order: findings take their time, and are
        not to be made twice."""
        from snellen.examine.by_task import LARGE

        with Store.open(self.store, readonly=True) as store:
            height = store.latest_trial()[0]
        if height > LARGE or height != self.rows.height:
            return False
        return self.rows.equals(in_plan_order(self.rows, (), [exam.fingerprint for exam in self._all_exams]))

    def __repr__(self) -> str:
        return "\n".join([f"Exam({str(self.store)!r})", *(d.headline for d in self.findings.diagnoses)])

    def _repr_html_(self) -> str:
        from snellen.report.notebook import exam_html

        return exam_html(self.findings)


def _into(store: Path, fingerprint: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fingerprint, with the store in its command if it is not the default."""
    if "again" not in fingerprint or store == DEFAULT_STORE:
        return fingerprint
    again = fingerprint["again"]
    tasks = {task: words and [*words, "--store", str(store)] for task, words in again["tasks"].items()}
    return {**fingerprint, "again": {**again, "tasks": tasks}}


def _of_the_last(rows: "pl.DataFrame", exams: Sequence[ExamRecord]) -> "pl.DataFrame":
    """The rows without those of models that went by a name which now stands for another, or for another state of it."""
    import polars as pl

    for number, name in _renamed(exams):
        rows = rows.filter((pl.col("exam") != number) | (pl.col("subject") != name))
    return rows


def _renamed(exams: Sequence[ExamRecord]) -> list[tuple[int, str]]:
    """Exams and the names in them that now stand for another model, or another state of it."""
    whose = {exam.id: _identities(exam.fingerprint) for exam in exams}
    last = {name: identity for exam in exams for name, identity in whose[exam.id].items()}
    return [
        (number, name) for number, names in whose.items() for name, identity in names.items() if identity != last[name]
    ]


def _untrained(rows: "pl.DataFrame", fingerprints: Sequence[Mapping[str, Any]]) -> "pl.DataFrame":
    """The rows without trials on items that their subject was trained on: earlier versions held such trials."""
    import polars as pl

    for fingerprint in fingerprints:
        for subject, items in left_out_of(fingerprint):
            rows = rows.filter((pl.col("subject") != subject) | ~pl.col("item").is_in(items))
    return rows


def _identities(fingerprint: Mapping[str, Any]) -> dict[str, str]:
    """The model and settings behind each name in an exam, where known."""
    full = {short: name for name, short in fingerprint.get("names", {}).items()}
    settings = fingerprint.get("settings", {})
    names = ((name, full.get(name, name)) for name in fingerprint.get("subjects", ()))
    return {name: json.dumps([who, settings[who]], sort_keys=True) for name, who in names if who in settings}


def _full_names(exams: Sequence[ExamRecord], subjects: Iterable[str]) -> dict[str, str]:
    """The full names behind short subject names, from the last exam that has them."""
    names = {short: name for exam in exams for name, short in exam.fingerprint.get("names", {}).items()}
    return {subject: names.get(subject, subject) for subject in subjects}


def exam(
    subject: Any = DEFAULT_SUBJECT,
    *,
    store: str | Path = DEFAULT_STORE,
    concurrency: int | None = None,
    batch: str | None = None,
    **choices: Unpack[ExamOptions],
) -> Exam:
    """Examine a subject, or several.

    `subject`: a name ("openai/gpt-4.1", "./my_model.py"), a function from words and pictures to an answer, an object
    with `answer(call)`, a list of any of these, or a mapping from short names to them. What else can be chosen is what
    the command line offers: `tasks` (names or `Task` objects), `design`, `n`, `seed`, `levels` (such as
    {"rule": ("inverse",)}), `paradigms` (names or async functions), `roles`, `data`, `prompts`, `samples`. Calls and
    trials already in the store are not made again.

    `store`: the file that keeps every call and trial (`snellen.sqlite`); made if it is not there. `concurrency`: the
    most calls at once, 64 by default; fewer where a server or a subject takes fewer. `batch`: send
    calls in the provider's batches, as `--batch` does ("24h", "24h,then-calls", "files:DIR").

    Returns the `Exam`: what the store now holds about these subjects. Raises `UserError` in one line for whatever the
    user can mend (an unknown name, no key, a store that is in use); a call that fails is a record, not an error.

    >>> snellen.exam("sim/fixated", n=5, store="fixated.sqlite").rows  # doctest: +SKIP
    """
    from snellen.examine.planning import make_plan  # here, for whoever looks at results plans nothing
    from snellen.examine.run import run_plan

    return run_plan(make_plan(subject, **choices), store, concurrency=concurrency, batch=batch)
