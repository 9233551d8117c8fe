"""`snellen fan` on engines that others wrote: a cluster of Ray, and submitit with its own executor."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fan_runs import WHO_RUNS_IT, fan, is_as_on_one_machine, prepare

from support.later import later
from support.lengths import few_and_more

ray = later("ray")
submitit = later("submitit")


@pytest.fixture(scope="module")
def _cluster() -> Iterator[None]:
    """A cluster with room for two workers, each a process."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("_cluster")
@few_and_more("shared", ["false"], ["true"])
def test_a_worker_of_ray_is_killed_and_all_is_as_on_one_machine(tmp_path: Path, shared: str) -> None:
    prepare(tmp_path, f"shared = {shared}", victim=WHO_RUNS_IT)
    said = fan(tmp_path, "ray")
    assert "2 of 2 units are done" in said
    is_as_on_one_machine(tmp_path, again=0)
    shutil.rmtree(Path(tempfile.gettempdir(), "snellen-fan", *tmp_path.parts[1:]), ignore_errors=shared == "true")


def test_a_job_of_submitit_runs_out_of_time_and_all_is_as_on_one_machine(tmp_path: Path) -> None:
    prepare(tmp_path, '[slurm]\ncluster = "local"', victim=WHO_RUNS_IT, signal="SIGUSR2")
    said = fan(tmp_path, "slurm")
    assert "2 of 2 units are done" in said
    is_as_on_one_machine(tmp_path, again=0)
    logs = "".join(path.read_text() for path in (tmp_path / "merged-units/slurm").glob("*_log.*"))
    assert "Requeued job" in logs
