"""Results where a training run is looked at: wandb, MLflow, TensorBoard, Trackio.

Each gets numbers by step (`snellen.analysis.scalars`), the report page as an artifact, and a table of the answers that
changed. A run that is active in this process is used and stays open; else one is begun, and ended at the end. Where
results go, and whether over a network, is as the tracker itself is set (`WANDB_MODE=offline`, `MLFLOW_TRACKING_URI`,
`TRACKIO_DIR`, ...); their own telemetry is off unless it was switched on by name.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from time import time
from typing import TYPE_CHECKING, Any, Protocol

from snellen.errors import UserError, in_one_line, unknown

if TYPE_CHECKING:
    import polars as pl

    from snellen.examine import Exam

__all__ = ["RUN_LOGS", "RunLog", "open_run_log", "send"]

PROJECT = "snellen"
REPORT = "snellen-report"
FLIPS = "snellen/flips"
STEP = "snellen/step"
_MLFLOW_CHOICES = ("MLFLOW_RUN_ID", "MLFLOW_EXPERIMENT_ID", "MLFLOW_EXPERIMENT_NAME")


class RunLog(Protocol):
    """A run of a tracker that takes results."""

    def scalars(self, values: Mapping[str, float], step: int) -> None: ...

    def artifact(self, folder: Path) -> None:
        """Keep a copy of this folder, the report page."""

    def table(self, name: str, rows: "pl.DataFrame") -> None: ...

    def finish(self) -> None:
        """Write what is left, and end the run if it was begun here."""


class WandbLog:
    """`where`: the project."""

    def __init__(self, where: str) -> None:
        os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
        import wandb

        self._wandb, self._is_own = wandb, wandb.run is None
        project = where or os.environ.get("WANDB_PROJECT") or PROJECT
        settings = wandb.Settings(console="off")  # what this process prints is its own
        self._run: Any = wandb.run or wandb.init(project=project, job_type="exam", settings=settings)
        # wandb drops what is logged at a step before its own latest one
        self._run.define_metric(STEP, hidden=True)
        self._defined: set[str] = set()

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        for name in values.keys() - self._defined:
            self._run.define_metric(name, step_metric=STEP)
            self._defined.add(name)
        self._run.log({**values, STEP: step})

    def artifact(self, folder: Path) -> None:
        made = self._wandb.Artifact(REPORT, type="report")
        made.add_dir(str(folder))
        self._run.log_artifact(made)

    def table(self, name: str, rows: "pl.DataFrame") -> None:
        self._run.log({name: self._wandb.Table(columns=rows.columns, data=[list(row) for row in rows.rows()])})

    def finish(self) -> None:
        if self._is_own:
            self._run.finish()


class MlflowLog:
    """`where`: the experiment. mlflow-skinny, which has no database, writes to the folder `mlruns` unless it is told of
    a server."""

    def __init__(self, where: str) -> None:
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
        os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # since 3.7 folders are refused without it
        import mlflow

        self._mlflow, self._is_own = mlflow, mlflow.active_run() is None
        if not self._is_own:
            return
        if mlflow.get_tracking_uri().startswith("sqlite:") and find_spec("sqlalchemy") is None:
            mlflow.set_tracking_uri(Path("mlruns").absolute().as_uri())
        if not where and any(os.environ.get(name) for name in _MLFLOW_CHOICES):
            mlflow.start_run()
            return
        known = mlflow.get_experiment_by_name(where or PROJECT)
        mlflow.start_run(experiment_id=known.experiment_id if known else mlflow.create_experiment(where or PROJECT))

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        self._mlflow.log_metrics(dict(values), step=step)

    def artifact(self, folder: Path) -> None:
        self._mlflow.log_artifacts(str(folder), REPORT)

    def table(self, name: str, rows: "pl.DataFrame") -> None:
        # As `mlflow.log_table` does, which needs pandas
        path, tag = f"{name}.json", "mlflow.loggedArtifacts"
        self._mlflow.log_text(json.dumps({"columns": rows.columns, "data": rows.rows()}), path)
        known = json.loads(self._mlflow.active_run().data.tags.get(tag, "[]"))
        self._mlflow.set_tag(tag, json.dumps([*known, {"path": path, "type": "table"}]))

    def finish(self) -> None:
        if self._is_own:
            self._mlflow.end_run()


class TensorboardLog:
    """`where`: the folder of event files. The report is copied into it; the table is a text."""

    def __init__(self, where: str) -> None:
        from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2
        from tensorboard.plugins.text.metadata import create_summary_metadata
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._event, self._summary, self._tensor = event_pb2.Event, summary_pb2.Summary, tensor_pb2.TensorProto
        self._text_metadata = create_summary_metadata
        self._folder = Path(where or os.environ.get("TENSORBOARD_LOGGING_DIR") or f"runs/{PROJECT}")
        if self._folder.is_file():
            raise UserError(f"{self._folder} is a file; give a folder for event files")
        self._writer = EventFileWriter(str(self._folder))
        self._step = 0

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        self._step = max(step, self._step)
        self._add([self._summary.Value(tag=name, simple_value=value) for name, value in values.items()], step)

    def artifact(self, folder: Path) -> None:
        copytree(folder, self._folder / REPORT, dirs_exist_ok=True)
        self._text("report", f"`{self._folder / REPORT / 'index.html'}`")

    def table(self, name: str, rows: "pl.DataFrame") -> None:
        lines = [rows.columns, ["---"] * rows.width, *(map(_cell, row) for row in rows.rows())]
        self._text(name, "\n".join(f"| {' | '.join(line)} |" for line in lines))

    def _text(self, tag: str, words: str) -> None:
        metadata = self._text_metadata(display_name=tag, description="")
        tensor = self._tensor(dtype="DT_STRING", string_val=[words.encode()])
        self._add([self._summary.Value(tag=tag, metadata=metadata, tensor=tensor)], self._step)

    def _add(self, values: list[Any], step: int) -> None:
        self._writer.add_event(self._event(wall_time=time(), step=step, summary=self._summary(value=values)))

    def finish(self) -> None:
        self._writer.close()


class TrackioLog:
    """`where`: the project."""

    def __init__(self, where: str) -> None:
        import trackio
        from trackio.context_vars import current_run

        self._trackio, self._is_own = trackio, current_run.get() is None
        if self._is_own:
            project = where or os.environ.get("TRACKIO_PROJECT") or PROJECT
            trackio.init(project=project, embed=False, auto_log_gpu=False, auto_log_cpu=False)
        self._step = 0

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        self._step = max(step, self._step)
        self._trackio.log(dict(values), step=step)

    def artifact(self, folder: Path) -> None:
        self._trackio.log_artifact(folder, name=REPORT, type="report")

    def table(self, name: str, rows: "pl.DataFrame") -> None:
        data = [list(row) for row in rows.rows()]
        self._trackio.log({name: self._trackio.Table(columns=rows.columns, data=data)}, step=self._step)

    def finish(self) -> None:
        if self._is_own:
            self._trackio.finish()


def _cell(value: Any) -> str:
    """A value in a cell of a Markdown table."""
    return "" if value is None else " ".join(str(value).split()).replace("|", "\\|")


RUN_LOGS: Mapping[str, Callable[[str], RunLog]] = {
    "wandb": WandbLog,
    "mlflow": MlflowLog,
    "tensorboard": TensorboardLog,
    "trackio": TrackioLog,
}


class GuardedLog:
    """A run log whose library's errors are one line."""

    def __init__(self, name: str, where: str) -> None:
        self._name = name
        self._log: RunLog = self._do(RUN_LOGS[name], where)

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        self._do(self._log.scalars, values, step)

    def artifact(self, folder: Path) -> None:
        self._do(self._log.artifact, folder)

    def table(self, name: str, rows: "pl.DataFrame") -> None:
        self._do(self._log.table, name, rows)

    def finish(self) -> None:
        self._do(self._log.finish)

    def _do(self, work: Callable[..., Any], *given: Any) -> Any:
        try:
            with redirect_stdout(sys.stderr):
                return work(*given)
        except Exception as error:
            raise UserError(f"{self._name}: {in_one_line(error)}") from error


def check_run_log(words: str) -> tuple[str, str]:
    """The tracker and the place that `NAME` or `NAME=WHERE` says. Raises `UserError` for unknown names, and for a
    library that is not installed."""
    name, _, where = words.partition("=")
    if name not in RUN_LOGS:
        raise unknown("tracker", name, RUN_LOGS)
    if find_spec(name) is None:
        raise UserError(f"tracker {name}: not installed; pip install 'snellen[{name}]'")
    return name, where


@contextmanager
def open_run_log(words: str) -> Iterator[RunLog]:
    """The run log that `NAME` or `NAME=WHERE` says, finished at the end. Raises `UserError` as `check_run_log` does,
    and for whatever the tracker reports.

    >>> with open_run_log("tensorboard=runs/exam") as log:  # doctest: +SKIP
    ...     send(exam, log)
    """
    name, where = check_run_log(words)
    log = GuardedLog(name, where)
    try:
        yield log
    finally:
        log.finish()


def send(exam: "Exam", log: RunLog, *, step: int | None = None, report: Path | None = None) -> None:
    """Log the numbers of an exam step by step, its report page, and the answers that changed from one subject to the
    next. `step`: of subjects whose names tell none (`step-500` does). `report`: the folder of its page; none is logged
    if not given."""
    import polars as pl

    from snellen.analysis.comparing import flips
    from snellen.analysis.scalars import scalar_points

    points = scalar_points(exam.findings.diagnoses, step)
    for point in points:
        log.scalars(point.values, point.step)
    if report is not None:
        log.artifact(report)
    subjects = [subject for point in points for subject in point.subjects]
    changed = []
    for pair in pairwise(subjects):
        with suppress(UserError):  # trials that tracks chose, or with settings that vary, have no pairs
            changed.append(flips(exam.untracked, *pair))
    if changed:
        log.table(FLIPS, pl.concat(changed))
