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
        ('tasks = ["bias"]', "no subjects"),
        (f"{NEEDED}shards = 0", "shards = 0: expected a whole number, from 1"),
        (f"{NEEDED}shards = true", "shards = True"),
        (f"{NEEDED}gpus = -1", "gpus = -1: expected a number"),
        (f"{NEEDED}exam = 3", "expected a table [exam]"),
        (f"{NEEDED}exam = {{ sed = 3 }}", "unknown key 'sed' of [exam]; did you mean seed"),
        (f'{NEEDED}exam = {{ store = "x" }}', "unknown key 'store' of [exam]"),
        (f"{NEEDED}exam = {{ n = 0 }}", "--n '0'"),
        (f'{NEEDED}exam = {{ set = "caption=1" }}', "unknown factor 'caption' of task bias"),
        (f'{NEEDED}keep = "last"', "keep = 'last': expected first or both"),
        (f'{NEEDED}prices = {{ "sim/ideel" = "1/2" }}', "unknown subject 'sim/ideel' in [prices]; did you mean"),
        (f'{NEEDED}prices = {{ "sim/ideal" = "1" }}', "expected SUBJECT=IN/OUT"),
        ('subjects = ["sim/ideal", "sim-ideal"]\ntasks = ["bias"]', "'sim-ideal' looks like another one"),
        ('subjects = ["sim/ideal"]\ntasks = ["biass"]', "did you mean bias"),
        (f"{NEEDED}gpus = 9", "gpus = 9: this machine has 1"),
        ("subjects =", "not TOML"),
    ],
)
def test_a_mistake_in_a_plan_is_named_before_anything_begins(tmp_path: Path, text: str, named: str) -> None:
    path = plan_file(tmp_path, text)
    words = ("--dry-run",) if "prices" in text else ()
    fails(snellen("fan", path, "--on", "local", *words, cwd=tmp_path, CUDA_VISIBLE_DEVICES="0"), named)
    assert list(tmp_path.iterdir()) == [path]


def test_engines_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plan_file(tmp_path, NEEDED)
    fails(snellen("fan", path, "--on", "slrum", cwd=tmp_path), "unknown engine 'slrum' in --on; did you mean slurm?")
    monkeypatch.setattr(drivers, "find_spec", lambda name: None)
    fails(snellen("fan", path, "--on", "ray://head:10001", cwd=tmp_path), "pip install 'snellen[ray]'")
    fails(snellen("fan", path, "--on", "slurm", cwd=tmp_path), "pip install 'snellen[slurm]'")


def test_a_dry_run_lists_the_units_and_the_bill_of_those_that_are_missing(tmp_path: Path) -> None:
    path = plan_file(tmp_path, f'{NEEDED}shards = 2\nexam = {{ n = 1 }}\nprices = {{ a = "100/100" }}')
    lines = snellen("fan", path, "--on", "local", "--dry-run", cwd=tmp_path).stdout.splitlines()
    assert len(lines) == 9
    assert sum("$" in line for line in lines) == 5  # only one of the two has a price
    calls = [int(line.partition("about ")[2].split()[0].replace(",", "")) for line in lines]
    assert abs(sum(calls[:-1]) - calls[-1]) <= 4
    plan = FanPlan(["a=sim/ideal", "sim/fixated"], ["bias", "winoground"], 2, folder=str(tmp_path / "snellen-units"))
    unit = replace(plan, exam={"n": 1}).units()[0]
    Heartbeat("done", words=unit.words).write(tmp_path / f"snellen-units/{unit.name}.json")
    (tmp_path / f"snellen-units/{unit.name}.sqlite").touch()
    again = snellen("fan", path, "--on", "local", "--dry-run", cwd=tmp_path).stdout.splitlines()
    assert again[:2] == ["a.bias.1of2: done", lines[1]]
    assert again[-1] != lines[-1]


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
