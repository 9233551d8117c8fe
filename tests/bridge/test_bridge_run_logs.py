"""Results in wandb, MLflow, TensorBoard and Trackio: written offline, and read back from the files of each."""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from snellen import exam
from snellen.bridge.run_logs import RUN_LOGS, open_run_log, send
from snellen.errors import UserError
from snellen.examine import Exam
from support.commands import fails, snellen

HABIT = "fixation/loss/habit"
SETTINGS = (
    *("WANDB_MODE", "WANDB_PROJECT", "WANDB_SILENT", "MLFLOW_TRACKING_URI", "MLFLOW_EXPERIMENT_NAME", "MLFLOW_RUN_ID"),
    *("MLFLOW_ALLOW_FILE_STORE", "MLFLOW_DISABLE_TELEMETRY", "WANDB_ERROR_REPORTING", "TENSORBOARD_LOGGING_DIR"),
)


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    """Two checkpoints, the second without the habit of the first; the report is a page of one line."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "report").mkdir()
    (folder / "report" / "index.html").write_text("the report")
    subjects = {"step-500": "sim/fixated", "step-1000": "sim/ideal"}
    return exam(subjects, tasks="fixation", n=4, store=folder / "s.sqlite")


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every tracker in a folder of its own; what they or we put into the environment is taken out again."""
    for name in SETTINGS:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    with chdir(tmp_path):
        yield


def logged(name: str, result: Exam) -> None:
    with open_run_log(name) as log:
        send(result, log, report=result.store.parent / "report")


def changes(result: Exam) -> int:
    by_trial: dict[tuple[Any, ...], set[str]] = {}
    for row in result.rows.filter(result.rows["paradigm"].cast(str) == "direct").to_dicts():
        key = tuple(row[name] for name in ("item", "rule", "prompt", "order", "target", "rendering", "response"))
        by_trial.setdefault(key, set()).add(row["answer"])
    return sum(len(answers) > 1 for answers in by_trial.values())


# wandb


def wandb_records(folder: Path) -> list[Any]:
    """The records of an offline run that is over. wandb writes them in a process of its own, which may be at it still
    when the run has ended here."""
    [path] = folder.glob("wandb/offline-run-*/run-*.wandb")
    for _ in range(600):
        records = wandb_read(path.read_bytes())
        if any(record.WhichOneof("record_type") == "exit" for record in records):
            return records
        sleep(0.1)
    pytest.fail("wandb has not written its run")


def wandb_read(data: bytes) -> list[Any]:
    """LevelDB's log format after a header of wandb's; records are of its own protocol."""
    from wandb.proto import wandb_internal_pb2

    place, records, begun = 7, [], b""
    while place + 7 <= len(data):
        if (left := 32768 - place % 32768) < 7:
            place += left
            continue
        _, length, kind = struct.unpack("<IHB", data[place : place + 7])
        begun += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4) and place <= len(data):  # whole, or the last part
            records.append(wandb_internal_pb2.Record.FromString(begun))
            begun = b""
    return records


def wandb_history(records: list[Any]) -> list[dict[str, Any]]:
    rows = [record.history.item for record in records if record.WhichOneof("record_type") == "history"]
    return [{item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in row} for row in rows]


@pytest.fixture
def wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    library = pytest.importorskip("wandb")
    for name in ("WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    yield library
    library.teardown()  # what it read of the environment it keeps


def test_wandb_has_numbers_report_and_flips(checkpoints: Exam, tmp_path: Path, wandb: Any) -> None:
    logged("wandb", checkpoints)
    records = wandb_records(tmp_path)
    history = wandb_history(records)
    curve = [(row["snellen/step"], row[HABIT]) for row in history if HABIT in row]
    assert [step for step, _ in curve] == [500, 1000]
    assert curve[0][1] > 50 > curve[1][1] == 0
    assert {record.run.project for record in records if record.run.project} == {"snellen"}
    steps = {r.metric.name: r.metric.step_metric for r in records if r.WhichOneof("record_type") == "metric"}
    assert steps[HABIT] == "snellen/step"
    [report] = [record.artifact for record in records if record.artifact.type == "report"]
    assert (report.name, [file.path for file in report.manifest.contents]) == ("snellen-report", ["index.html"])
    [table] = tmp_path.glob("wandb/offline-run-*/files/media/table/snellen/flips*.json")
    assert len(json.loads(table.read_text())["data"]) == changes(checkpoints) > 0


def test_a_run_of_wandb_that_is_active_takes_them_and_goes_on(checkpoints: Exam, tmp_path: Path, wandb: Any) -> None:
    with wandb.init(project="mine", settings=wandb.Settings(console="off")) as run:
        run.log({"loss": 1.0}, step=5000)  # wandb drops whatever is logged at an earlier step
        logged("wandb=other", checkpoints)
        assert wandb.run is run
        run.log({"loss": 0.5})
    history = wandb_history(wandb_records(tmp_path))
    assert [row["loss"] for row in history if "loss" in row] == [1.0, 0.5]
    assert [row["snellen/step"] for row in history if HABIT in row] == [500, 1000]


# MLflow


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    library = pytest.importorskip("mlflow")
    yield library
    library.end_run()
    library.set_tracking_uri(None)


def test_mlflow_has_numbers_report_and_flips(checkpoints: Exam, tmp_path: Path, mlflow: Any) -> None:
    logged("mlflow", checkpoints)
    assert mlflow.active_run() is None
    client = mlflow.MlflowClient(mlflow.get_tracking_uri())
    experiment = client.get_experiment_by_name("snellen")
    [run] = client.search_runs([experiment.experiment_id])
    assert run.info.status == "FINISHED"
    curve = [(point.step, point.value) for point in client.get_metric_history(run.info.run_id, HABIT)]
    assert sorted(curve)[0][0] == 500
    assert dict(curve)[500] > 50 > dict(curve)[1000] == 0
    page = client.download_artifacts(run.info.run_id, "snellen-report/index.html")
    assert Path(page).read_text() == "the report"
    table = json.loads(Path(client.download_artifacts(run.info.run_id, "snellen/flips.json")).read_text())
    assert len(table["data"]) == changes(checkpoints)
    assert {"path": "snellen/flips.json", "type": "table"} in json.loads(run.data.tags["mlflow.loggedArtifacts"])


def test_a_run_of_mlflow_that_is_active_takes_them_and_goes_on(
    checkpoints: Exam, tmp_path: Path, mlflow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "own").as_uri())
    with mlflow.start_run() as run:
        logged("mlflow", checkpoints)
        assert mlflow.active_run().info.run_id == run.info.run_id
    client = mlflow.MlflowClient((tmp_path / "own").as_uri())
    assert len(client.get_metric_history(run.info.run_id, HABIT)) == 2


# TensorBoard


def test_tensorboard_has_numbers_report_and_flips(checkpoints: Exam, tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    logged("tensorboard=runs/a", checkpoints)
    events = accumulator.EventAccumulator(str(tmp_path / "runs/a"))
    events.Reload()
    curve = {point.step: point.value for point in events.Scalars(HABIT)}
    assert curve[500] > 50 > curve[1000] == 0
    assert (tmp_path / "runs/a/snellen-report/index.html").read_text() == "the report"
    [told] = events.Tensors("snellen/flips")
    assert told.step == 1000
    lines = told.tensor_proto.string_val[0].decode().splitlines()
    assert len(lines) - 2 == changes(checkpoints)
    assert len({line.count("|") - line.count("\\|") for line in lines}) == 1


# Trackio, which wants an older Pillow than ours: where both are installed


def test_trackio_has_numbers_report_and_flips(
    checkpoints: Exam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("trackio")
    code = (
        "import sys; from pathlib import Path; from snellen.examine import Exam;"
        "from snellen.bridge.run_logs import open_run_log, send; result = Exam(sys.argv[1])\n"
        "with open_run_log('trackio') as log:\n    send(result, log, report=Path(sys.argv[1]).parent / 'report')\n"
        "from trackio.sqlite_storage import SQLiteStorage as s; import json\n"
        "[run] = s.get_runs('snellen'); print(json.dumps(s.get_logs('snellen', run)))"
    )
    env = {**os.environ, "TRACKIO_DIR": str(tmp_path / "trackio")}
    words = [sys.executable, "-c", code, str(checkpoints.store)]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout.splitlines()[-1])
    curve = {row["step"]: row[HABIT] for row in rows if HABIT in row}
    assert curve[500] > 50 > curve[1000] == 0
    [table] = [row["snellen/flips"] for row in rows if "snellen/flips" in row]
    assert len(table["_value"]) == changes(checkpoints)
    kept = (path.read_bytes() for path in (tmp_path / "trackio" / "artifacts").rglob("*") if path.is_file())
    assert b"the report" in kept


# The command line


def test_the_command_logs_a_store_and_names_who_is_in_it(checkpoints: Exam, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    ran = snellen("log", checkpoints.store, "--to", "tensorboard=tb", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "logged to tensorboard=tb: step-500, step-1000\n"), ran.stderr
    assert "step-1000" in (tmp_path / "tb/snellen-report/index.html").read_text(encoding="utf-8")


def test_an_exam_is_logged_when_it_is_over(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    ran = snellen("exam", "sim/fixated", "--n", 2, "--log", "tensorboard=tb", "--json", cwd=tmp_path)
    assert json.loads(ran.stdout)["diagnoses"]
    events = accumulator.EventAccumulator(str(tmp_path / "tb"))
    events.Reload()
    assert [point.step for point in events.Scalars("fixation/accuracy")] == [0]
    assert "snellen/flips" not in events.Tags()["tensors"]


def test_mistakes_are_one_line(checkpoints: Exam, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    store = checkpoints.store
    fails(snellen("log", store, "--to", "tensorbord", cwd=tmp_path), "did you mean tensorboard?")
    fails(snellen("log", store, "step-50", "--to", "tensorboard", cwd=tmp_path), "did you mean step-500")
    fails(snellen("log", store, cwd=tmp_path), "--to")
    fails(snellen("log", "none.sqlite", "--to", "tensorboard", cwd=tmp_path), "no store at none.sqlite")
    fails(snellen("exam", "sim/ideal", "--log", "nowhere", cwd=tmp_path), "wandb, mlflow, tensorboard, trackio")
    fails(snellen("exam", "sim/ideal", "--log", "nowhere", "--dry-run", cwd=tmp_path), "unknown tracker 'nowhere'")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    fails(snellen("log", store, "--to", "tensorboard=file", cwd=tmp_path), "file is a file; give a folder")


@pytest.mark.parametrize("name", RUN_LOGS)
def test_a_library_that_is_not_installed_is_named_before_anything_is_asked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snellen.bridge.run_logs.find_spec", lambda wanted: None)
    ran = snellen("exam", "sim/ideal", "--log", name, cwd=tmp_path)
    fails(ran, f"tracker {name}: not installed; pip install 'snellen[{name}]'")
    assert not list(tmp_path.iterdir())


def test_what_a_tracker_reports_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"tensorboard: .*file/runs"), open_run_log("tensorboard=file/runs"):
        pass
    failing = count()

    class Broken:
        def finish(self) -> None:
            next(failing)

        def scalars(self, values: Any, step: int) -> None:
            raise RuntimeError("the server\nis gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RUN_LOGS, "wandb", lambda where: Broken())  # type: ignore[arg-type]
        patch.setattr("snellen.bridge.run_logs.find_spec", lambda wanted: True)
        with pytest.raises(UserError, match=r"^wandb: the server is gone$"), open_run_log("wandb") as log:
            log.scalars({}, 1)
    assert next(failing) == 1
