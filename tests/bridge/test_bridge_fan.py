"""`snellen fan` on this machine: plans, bills, retries, resuming."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fan_runs import WHO_RUNS_IT, fan, is_as_on_one_machine, prepare

from snellen.bridge.fan import drivers, launching, units
from snellen.bridge.fan.plan import FanPlan, FanUnit
from snellen.bridge.fan.units import Heartbeat, UnitFailed, persist
from support.commands import fails, snellen

NEEDED = 'subjects = ["a=sim/ideal", "sim/fixated"]\ntasks = ["bias", "winoground"]\n'


def plan_file(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_ctrl_c_keeps_what_is_done_and_the_same_command_asks_only_the_rest(tmp_path: Path) -> None:
    prepare(tmp_path, victim=WHO_RUNS_IT, signal="SIGINT")
    command = [sys.executable, "-m", "snellen", "fan", "plan.toml", "--on", "local"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (130, ""), ran.stderr
    assert not (tmp_path / "merged.sqlite").exists()
    assert "1 of 1 units are done" in fan(tmp_path, "local")
    asked = (tmp_path / "asked").read_text()
    assert "1 of 1 units are done" in fan(tmp_path, "local")  # nothing is left
    assert (tmp_path / "asked").read_text() == asked
    is_as_on_one_machine(tmp_path, again=0)


@pytest.mark.soak
def test_a_unit_whose_exam_was_killed_goes_on_and_all_is_as_on_one_machine(tmp_path: Path) -> None:
    prepare(tmp_path)
    assert "1 of 1 units are done" in fan(tmp_path, "local")
    is_as_on_one_machine(tmp_path, again=1)


def test_units_are_subjects_by_tasks_by_shards_and_are_given_the_options_of_the_exam() -> None:
    options = {"n": ["bias=3", "winoground=4"], "set": ["a=1", "winoground.b=2"], "until-sure": True, "budget": False}
    plan = FanPlan(["a=sim/ideal", "sim/fixated:see=0.9"], ["bias", "winoground"], shards=2, exam=options)
    first, second, *others = plan.units()
    assert [unit.name for unit in (first, second)] == ["a.bias.1of2", "a.bias.2of2"]
    assert others[-1].name == "sim-fixated-see-0.9.winoground.2of2"
    assert len(others) == 6
    given = ("a=sim/ideal", "--tasks", "bias", "--shard", "2/2", "--n=bias=3", "--set=a=1", "--until-sure")
    assert second.words == given


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('subject = ["a"]', "unknown key 'subject'; did you mean subjects?"),
        ('tasks = ["bias"]', 'plan.toml: no subjects; write subjects = ["'),
        ('subjects = ["sim/ideal"]\ntasks = "bias"', 'tasks = "bias": write tasks = ["bias"]'),
        ('subjects = ["sim/ideal"]\ntasks = ["bias", "bias"]', "tasks: bias is named twice"),
        ('subjects = ["sk-7aQ9xK2mPfL4wRtB8nVcZ=sim/ideal"]', "subjects contains what looks like an API key"),
        (f'{NEEDED}slurm = {{ setup = "x", api_token = "9f8e7d6c5b4a39281706" }}', "plan.toml: slurm contains what"),
        (f"{NEEDED}shards = 0", "shards = 0: write shards = a whole number from 1 on"),
        (f"{NEEDED}shards = true", "shards = true"),
        (f"{NEEDED}gpus = -1", "gpus = -1: write gpus = a number from 0 on"),
        (f"{NEEDED}exam = 3", "exam = 3: write exam = { n = 40 }"),
        (f"{NEEDED}exam = {{ sed = 3 }}", "unknown key 'sed' of [exam]; did you mean seed"),
        (f'{NEEDED}exam = {{ store = "x" }}', 'store in [exam]: write store = "runs.sqlite", outside [exam]'),
        (f'{NEEDED}exam = {{ batch = "24h" }}', 'batch in [exam]: write batch = "24h", outside [exam]'),
        (f"{NEEDED}exam = {{ budget = 3 }}", "write most = CALLS"),
        (f'{NEEDED}batch = "24"', 'batch = "24": write batch = "24h", or "24h,then-calls"'),
        (f'{NEEDED}batch = "files:work"', "files are for one exam"),
        (f'{NEEDED}store = "s3://b/a.sqlite"', "store s3://b/a.sqlite: SQLite cannot work in an object store"),
        (f'{NEEDED}folder = "s3://b/units"', "SQLite cannot work in an object store"),
        (f'{NEEDED}store = "no/a.sqlite"', "the folder no does not exist"),
        (f"{NEEDED}exam = {{ n = 0 }}", "--n '0'"),
        (f'{NEEDED}exam = {{ set = "caption=1" }}', "unknown factor 'caption' of task bias"),
        (f'{NEEDED}keep = "last"', 'keep = "last": write keep = "first" or "both"'),
        (f'{NEEDED}prices = {{ "sim/ideel" = "1/2" }}', "unknown subject 'sim/ideel' in [prices]; did you mean"),
        (f'{NEEDED}prices = {{ "sim/ideal" = "1" }}', 'prices: sim/ideal = "1": write "sim/ideal" = "IN/OUT"'),
        (f'{NEEDED}prices = {{ "sim/ideal" = 2 }}', 'write "sim/ideal" = "IN/OUT", as in "2/8"'),
        ('subjects = ["sim/a", "sim/a"]\ntasks = ["bias"]', "sim-a.bias.1of1; write other=sim/a for one"),
        ('subjects = ["opneai/m"]\ntasks = ["bias"]', "plan.toml: unknown provider 'opneai'; did you mean openai?"),
        ('subjects = ["sim/ideal"]\ntasks = ["biass"]', "did you mean bias"),
        (f"{NEEDED}gpus = 9", "gpus = 9: this machine has 1"),
        ("subjects =", "not TOML"),
    ],
)
def test_a_mistake_in_a_plan_is_named_before_anything_begins(tmp_path: Path, text: str, named: str) -> None:
    path = plan_file(tmp_path, text)
    fails(snellen("fan", path, "--on", "local", cwd=tmp_path, CUDA_VISIBLE_DEVICES="0"), named)
    assert list(tmp_path.iterdir()) == [path]


def test_engines_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plan_file(tmp_path, NEEDED)
    fails(snellen("fan", "no.toml", "--on", "local", cwd=tmp_path), "no.toml: no such file; write a plan")
    fails(snellen("fan", path, "--on", "ray://", cwd=tmp_path), "--on ray://: expected ray://HOST:PORT")
    fails(snellen("fan", path, "--on", "slrum", cwd=tmp_path), "unknown engine 'slrum' in --on; did you mean slurm?")
    monkeypatch.setattr(drivers, "find_spec", lambda name: None)
    fails(snellen("fan", path, "--on", "ray://head:10001", cwd=tmp_path), "pip install 'snellen[ray]'")
    fails(snellen("fan", path, "--on", "slurm", cwd=tmp_path), "pip install 'snellen[slurm]'")


def test_a_dry_run_lists_the_units_and_the_bill_of_those_that_are_missing(tmp_path: Path) -> None:
    path = plan_file(tmp_path, f'{NEEDED}shards = 2\nexam = {{ n = 1 }}\nprices = {{ a = "100/100" }}')
    lines = snellen("fan", path, "--on", "local", "--dry-run", cwd=tmp_path).stdout.splitlines()
    *lines, unpriced = lines
    assert len(lines) == 9
    assert sum("$" in line for line in lines) == 5  # only one of the two has a price
    assert unpriced == "without a price, and not in these dollars: sim/fixated"
    calls = [int(line.partition("about ")[2].split()[0].replace(",", "")) for line in lines]
    assert abs(sum(calls[:-1]) - calls[-1]) <= 4
    plan = FanPlan(["a=sim/ideal", "sim/fixated"], ["bias", "winoground"], 2, folder=str(tmp_path / "snellen-units"))
    unit = replace(plan, exam={"n": 1}).units()[0]
    Heartbeat("done", words=unit.words).write(tmp_path / f"snellen-units/{unit.name}.json")
    (tmp_path / f"snellen-units/{unit.name}.sqlite").touch()
    again = snellen("fan", path, "--on", "local", "--dry-run", cwd=tmp_path).stdout.splitlines()
    assert again[:2] == ["a.bias.1of2: done", lines[1]]
    assert again[-2] != lines[-1]


def test_a_plan_in_batches_is_billed_and_asked_like_that(tmp_path: Path) -> None:
    text = 'subjects = ["openai/gpt-4.1", "sim/ideal"]\ntasks = ["winoground"]\nexam = { n = 1 }\n'
    told = []
    for batch in ("", 'batch = "24h"\n'):
        path = plan_file(tmp_path, f'{text}{batch}prices = {{ "openai/gpt-4.1" = "2000/8000" }}')
        told.append(snellen("fan", path, "--on", "local", "--dry-run", cwd=tmp_path))
    alone, batched = (float(ran.stdout.splitlines()[0].partition("$")[2]) for ran in told)
    assert batched == pytest.approx(alone / 2, abs=0.01)
    assert "note: sim/ideal: cannot be asked in batches; single calls as usual" in told[1].stderr
    plan = FanPlan(["a=sim/ideal", "openai/m", "./own.py", "vllm/./m"], ["bias"], batch="24h")
    assert [unit.subject for unit in plan.units() if unit.words[-1] == "--batch=24h"] == ["openai/m"]
    judged = replace(plan, exam={"role": ["judge=openai/m"]})
    assert all(unit.words[-1] == "--batch=24h" for unit in judged.units())


def test_a_unit_whose_batches_are_not_over_has_not_failed_and_is_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    child.write_text(f'#!/bin/sh\n{sys.executable} "$@"\nexit 75\n')
    child.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(child))
    path = plan_file(tmp_path, 'subjects = ["sim/ideal"]\ntasks = ["winoground"]\nexam = { n = 1 }\nbatch = "24h"')
    ran = snellen("fan", path, "--on", "local", cwd=tmp_path)
    assert ran.returncode == 75
    assert ran.stdout == "0 of 1 units are done; merged in snellen.sqlite\n"
    assert ran.stderr.endswith("units whose batches are not over: 1. Give the same command again to go on.\n")
    monkeypatch.undo()
    assert snellen("fan", path, "--on", "local", cwd=tmp_path).stdout.startswith("1 of 1 units are done")


def test_what_is_done_is_asked_again_with_other_options_or_after_errors(tmp_path: Path) -> None:
    plan = FanPlan(["sim/ideal"], ["bias"], folder=str(tmp_path))
    [unit] = plan.units()
    (tmp_path / f"{unit.name}.sqlite").touch()
    done = Heartbeat("done", 4, 4, words=unit.words)
    for beat, is_done in (
        (done, True),
        (replace(done, errors=1), False),
        (replace(done, state="running"), False),
        (replace(done, words=("other",)), False),
    ):
        beat.write(tmp_path / f"{unit.name}.json")
        assert (unit.name in launching.done_before(plan, [unit])) == is_done
    done.write(tmp_path / f"{unit.name}.json")
    (tmp_path / f"{unit.name}.sqlite").unlink()
    assert not launching.done_before(plan, [unit])


def test_a_unit_is_repeated_so_often_and_then_says_why_it_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = FanUnit("u", "sim/ideal", "bias", "1/1", ())
    tried: list[FanUnit] = []

    def run_unit(unit: FanUnit, *_: object) -> Heartbeat:
        tried.append(unit)
        if len(tried) < 3:
            raise UnitFailed("no memory (exit status -9)")
        return Heartbeat("done")

    monkeypatch.setattr(units, "run_unit", run_unit)
    assert persist(unit, tmp_path, 2, print).state == "done"
    tried.clear()
    with pytest.raises(UnitFailed, match="no memory"):
        persist(unit, tmp_path, 1, print)
    assert len(tried) == 2


def test_a_unit_of_another_version_is_not_run(tmp_path: Path) -> None:
    with pytest.raises(UnitFailed, match=r"not 0\.0\.1; install the same"):
        units.run_unit(FanUnit("u", "sim/ideal", "bias", "1/1", (), version="0.0.1"), tmp_path, print)


def test_units_have_gpus_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,6,7,8")
    seen: list[str] = []

    def hold(unit: FanUnit, folder: Path, retries: int, tell: object, env: dict[str, str]) -> Heartbeat:
        seen.append(env["CUDA_VISIBLE_DEVICES"])
        while len(seen) < 2:  # both run at once
            os.sched_yield()
        return Heartbeat("done")

    monkeypatch.setattr(drivers, "persist", hold)
    plan = FanPlan(["sim/ideal"], ["bias"], shards=2, gpus=2, folder=str(tmp_path))
    with drivers.on_local(plan, plan.units()) as fleet:
        [job.result() for job in fleet.jobs.values()]
    assert sorted(seen) == ["4,5", "6,7"]


def test_a_heartbeat_that_is_not_one_is_none(tmp_path: Path) -> None:
    path = tmp_path / "u.json"
    for text in ("", "{", "[]", json.dumps({"state": "done"}), json.dumps({"words": [], "what": 1})):
        path.write_text(text)
        assert units.read_beat(path) is None
