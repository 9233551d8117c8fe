"""Examining checkpoints as a training run writes them.

What has been examined is read from the store alone: a checkpoint is done if an exam with the very same fingerprint
(weights, tasks, items, settings, versions) is complete there. So a watch that was killed goes on where it stopped, and
one that is started again asks nothing twice. A folder that is deleted meanwhile, as trainers do to keep the last few
only, is one line and no error.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.bridge.checkpoints import Checkpoint, FileFacts, as_text, checkpoints, facts_of, readiness
from snellen.call import Subject
from snellen.engine import ExamRecord, RunProgress, RunSummary, Store
from snellen.engine.schema import refuse_place
from snellen.errors import UserError
from snellen.examine import Exam, ExamOptions, ExamPlan, make_plan, run_plan
from snellen.subjects import subject_in
from snellen.subjects.local.fingerprint import weights_digest

BASE = "base"
"""What results call the model that checkpoints are compared with."""
STALE = 120.0
"""Seconds without a change after which an incomplete checkpoint is no longer being written."""

Progress = Callable[[ExamPlan], AbstractContextManager[Callable[[RunProgress], None]]]


@dataclass(frozen=True)
class CheckpointLoader:
    """How the model of a checkpoint becomes a subject. `kind`: "local", "vllm" or that of a plugin; `settings`: of each
    subject; `base`: the model that adapters belong to, if not the one that they name."""

    kind: str = "local"
    settings: tuple[tuple[str, str], ...] = ()
    base: str = ""

    def subject(self, checkpoint: Checkpoint) -> Subject:
        """The subject that a checkpoint is; nothing is loaded into memory."""
        if not checkpoint.is_adapter:
            return self._at(_here(checkpoint.path), *self.settings)
        if not (base := self.base or checkpoint.base()):
            raise UserError(f"{checkpoint.path}: an adapter that names no base model; give it with --base")
        return self._at(base, ("adapter", str(checkpoint.path)), *self.settings)

    def base_subject(self) -> Subject:
        return self._at(self.base, *self.settings)

    def _at(self, where: str, *settings: tuple[str, str]) -> Subject:
        return subject_in(self.kind, f"{where}@offline" if self.kind == "vllm" else where, settings)


@dataclass(frozen=True)
class ExaminedModel:
    """A checkpoint, or the base model, after its exam. `exam`: what the store holds of it, with its findings;
    `summary`: how the exam ended, None if that had been held before."""

    name: str
    step: int | None
    exam: Exam
    summary: RunSummary | None


@dataclass
class CheckpointWatch:
    """Examines what it finds under a folder. `say` gets what a user should know, in lines; `progress` shows how an
    exam comes along."""

    folder: Path
    store: Path
    options: ExamOptions
    loader: CheckpointLoader = field(default_factory=CheckpointLoader)
    concurrency: int | None = None
    say: Callable[[str], None] = lambda line: None
    progress: Progress = lambda plan: nullcontext(lambda progress: None)
    clock: Callable[[], float] = time.time
    seen: dict[Path, tuple[FileFacts, ...]] = field(default_factory=dict)
    """What was examined or refused, with its files as they were then: it is looked at again when they change."""
    names: dict[str, Checkpoint] = field(default_factory=dict)
    """The checkpoints with results in the store, by name."""
    problems: dict[Path, str] = field(default_factory=dict)
    """Why checkpoints that are here cannot be examined."""
    unfinished: dict[Path, str] = field(default_factory=dict)
    """What checkpoints lack that are being written."""
    settles_in: float = 0.0
    """Seconds after which another look may find what was just being written; 0 if nothing was."""
    _owners: dict[str, str] = field(default_factory=dict)
    """Names by the digest of their weights."""

    def new(self) -> Iterator[Checkpoint]:
        """The complete checkpoints that were not examined yet, as they are at this moment."""
        found = checkpoints(self.folder)
        here = {checkpoint.path for checkpoint in found}
        self.problems = {path: problem for path, problem in self.problems.items() if path in here}
        self.unfinished, self.settles_in = {}, 0.0
        for checkpoint in found:
            if self.seen.get(checkpoint.path) == checkpoint.files:
                continue
            ready = readiness(checkpoint, self.clock())
            if not ready.problem:
                yield checkpoint
            elif self.clock() - checkpoint.changed > STALE:
                self._refuse(checkpoint, ready.problem)
            else:
                self.unfinished[checkpoint.path] = as_text(ready.problem)
                self.settles_in = max(self.settles_in, ready.settles_in)

    def examine(self, checkpoint: Checkpoint) -> ExaminedModel | None:
        """Examine a checkpoint, or read from the store what was found before; None if it cannot be examined."""
        self.seen[checkpoint.path] = checkpoint.files
        self.problems.pop(checkpoint.path, None)
        before = self._recorded()  # a store that cannot be used is no fault of the checkpoint
        try:
            if owner := self._same_weights(checkpoint):
                self.say(f"{checkpoint.name}: same weights as {owner}; not examined again")
                return None
            plan = self._plan(checkpoint.name, self.loader.subject(checkpoint))
            examined = self._examined(checkpoint.name, checkpoint.step, plan, before)
        except _WrongOptions:
            raise
        except (UserError, OSError) as error:
            if facts_of(checkpoint.path):
                self._refuse(checkpoint, str(error))
            else:
                self.say(f"warning: {checkpoint.name}: deleted before it was examined")
            return None
        self.names[checkpoint.name] = checkpoint
        if tuple(facts_of(checkpoint.path)) not in ((), checkpoint.files):
            self.say(f"warning: {checkpoint.name}: its files changed while it was examined")
        return examined

    def examine_base(self) -> ExaminedModel:
        """Examine the base model, as checkpoints are examined."""
        return self._examined(BASE, 0, self._plan(BASE, self.loader.base_subject()), self._recorded())

    def check(self) -> ExamPlan:
        """A plan for a subject that stands for any checkpoint, so that wrong options, and a store that cannot be, are
        refused before there is one.
        What --set chooses is left out: settings of a model may be varied, and the model decides which it has."""
        refuse_place(self.store)
        anyhow = self.options.copy()
        anyhow.pop("levels", None)
        return make_plan({"a checkpoint": _stands_in}, **anyhow)

    def _plan(self, name: str, subject: Subject) -> ExamPlan:
        try:
            return make_plan({name: subject}, **self.options)
        except UserError as error:  # the options are wrong, whichever checkpoint it is
            raise _WrongOptions(str(error)) from error

    def _recorded(self) -> list[ExamRecord]:
        with Store.open(self.store) as store:
            return store.exams()

    def _examined(self, name: str, step: int | None, plan: ExamPlan, before: list[ExamRecord]) -> ExaminedModel:
        summary = None
        if not any(is_done(exam.fingerprint, exam.counts, plan) for exam in before):
            with self.progress(plan) as watch:
                summary = run_plan(plan, self.store, concurrency=self.concurrency, watch=watch).summary
        return ExaminedModel(name, step, Exam(self.store, (name,)), summary)

    def _same_weights(self, checkpoint: Checkpoint) -> str:
        """Of a run's final model, the checkpoint with the very same weights: it is often the last one once more."""
        owner = self._owners.setdefault(weights_digest(checkpoint.path), checkpoint.name)
        return owner if owner != checkpoint.name and checkpoint.is_final else ""

    def _refuse(self, checkpoint: Checkpoint, problem: str) -> None:
        """Leave a checkpoint out until its files change."""
        self.seen[checkpoint.path], self.problems[checkpoint.path] = checkpoint.files, as_text(problem)
        self.say(f"warning: {checkpoint.name}: {as_text(problem)}")


def is_done(fingerprint: Mapping[str, Any], counts: Mapping[str, Any], plan: ExamPlan) -> bool:
    """Whether an exam on record is this plan's, and complete without errors."""
    if counts.get("ended") != "complete" or counts.get("errors"):
        return False
    return bool(json.loads(json.dumps(plan.fingerprint())) == fingerprint)


class _WrongOptions(UserError):
    """A mistake in the options of the exam, not in a checkpoint."""


def _stands_in(parts: list[Any]) -> str:
    return ""


def _here(path: Path) -> str:
    """A path that nobody takes for a model on the Hub, should the folder be gone by then."""
    return str(path) if path.is_absolute() else f"./{path}"
