"""`snellen fan` on engines that others wrote: a cluster of Ray, and submitit with its own executor."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fan_runs import WHO_RUNS_IT, fan, is_as_on_one_machine, prepare

from snellen.bridge.fan import drivers
from snellen.bridge.fan.plan import FanPlan
from support.later import later
from support.lengths import few_and_more

ray = later("ray")
submitit = later("submitit")


@pytest.fixture(scope="module")
def _cluster() -> Iterator[None]:
    """A cluster with room for two workers, each a process."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("_cluster")
@few_and_more("shared", ["false"], ["true"])
def test_a_worker_of_ray_is_killed_and_all_is_as_on_one_machine(tmp_path: Path, shared: str) -> None:
    prepare(tmp_path, f"shared = {shared}", shards=2, victim=WHO_RUNS_IT)
    said = fan(tmp_path, "ray")
    assert "2 of 2 units are done" in said
    is_as_on_one_machine(tmp_path, again=0)
    shutil.rmtree(Path(tempfile.gettempdir(), "snellen-fan", *tmp_path.parts[1:]), ignore_errors=shared == "true")


def test_a_job_of_submitit_runs_out_of_time_and_all_is_as_on_one_machine(tmp_path: Path) -> None:
    prepare(tmp_path, '[slurm]\ncluster = "local"', victim=WHO_RUNS_IT, signal="SIGUSR2")
    said = fan(tmp_path, "slurm")
    assert "1 of 1 units are done" in said
    is_as_on_one_machine(tmp_path, again=0)
    logs = "".join(path.read_text() for path in (tmp_path / "merged-units/slurm").glob("*_log.*"))
    assert "Requeued job" in logs


def test_slurm_is_asked_for_what_the_plan_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands in Slurm's place write down what they are given."""
    for name in ("sbatch", "srun", "sacct", "scancel"):
        command = tmp_path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/said\necho Submitted batch job 12\n')
        command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    slurm = {"partition": "debug", "minutes": 90, "account": "me"}
    plan = FanPlan(["sim/ideal"], ["bias", "winoground"], 2, gpus=1, cpus=3, memory_gb=16, at_once=3, slurm=slurm)
    plan = replace(plan, store=str(tmp_path / "merged.sqlite"))
    with drivers.on_slurm(plan, plan.units()) as fleet:
        assert fleet.beats() == {}
        fleet.stop()
    script = next((tmp_path / "merged-units/slurm").glob("*.sh"))
    asked = {line.removeprefix("#SBATCH --") for line in script.read_text().splitlines() if line.startswith("#SBATCH")}
    own = {"partition=debug", "time=90", "account=me", "gpus-per-node=1", "cpus-per-task=3", "mem=16GB"}
    assert own | {"array=0-3%3"} <= asked
    said = (tmp_path / "said").read_text().split("\n")
    assert [line for line in said if line.startswith("scancel")] == [f"scancel 12_{number}" for number in range(4)]
