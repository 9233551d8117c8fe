"""`snellen watch` as a user meets it: curves, gates, restarts, folders that come and go."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.bridge import watching
from snellen.bridge.run_logs import RUN_LOGS
from snellen.bridge.watch_gates import compared
from snellen.call import Call, Reply
from snellen.engine import Store
from snellen.examine import Exam
from snellen.subjects import subject
from snellen.subjects.simulated import SimulatedSubject
from support.commands import fails, snellen
from support.later import later
from support.lengths import few_and_more
from support.run_folders import adapter, aged, checkpoint

later("safetensors")
torch = later("torch")

FEW = ("--n", "2", "--set", "game=tictactoe", "--every", "0.05")
ENOUGH = ("--n", "6", *FEW[2:])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Calls by subject. Instead of a model, whoever `says.txt` in its folder names answers."""
    calls: Counter[str] = Counter()
    answer = SimulatedSubject.answer

    async def counted(self: SimulatedSubject, call: Call) -> Reply:
        calls[self.name] += 1
        return await answer(self, call)

    def says(kind: str, where: str, settings: Any = ()) -> Any:
        path = dict(settings).get("adapter", where)
        return subject((Path(path) / "says.txt").read_text())

    monkeypatch.setattr(SimulatedSubject, "answer", counted)
    monkeypatch.setattr(watching, "subject_in", says)
    return calls


@pytest.fixture
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of something else: a page takes a second."""
    monkeypatch.setattr(Exam, "report", lambda self, folder: Path(folder) / "index.html")


def a_run(folder: Path, *sights: float) -> Path:
    """A run with checkpoints that see so well."""
    for k, see in enumerate(sights, 1):
        checkpoint(folder / f"checkpoint-{100 * k}", 100 * k, weights=[k], says=f"sim/ideal:see={see}")
    return folder


def steps(store: Path) -> list[str]:
    return [row["step or run"] for row in _history(store)]


def _history(store: Path) -> list[dict[str, Any]]:
    printed = snellen("table", "history", store, "--format", "json", cwd=store.parent)
    assert printed.returncode == 0, printed.stderr
    found: list[dict[str, Any]] = json.loads(printed.stdout)["rows"]
    return found


# Once


def test_a_line_for_each_in_order_a_curve_a_page_and_nothing_asked_twice(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 0.2, 0.6, 1.0)
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    *lines, last = ran.stdout.splitlines()
    assert [line.split(" · ")[0] for line in lines] == [f"run/checkpoint-{k}00" for k in (1, 2, 3)]
    assert all("right" in line and "(" in line for line in lines), lines
    assert last == "Report: snellen-report/index.html"
    page = (tmp_path / "snellen-report/index.html").read_text()
    assert "History" in page
    assert "run/checkpoint-300" in page
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 200", "step 300"]
    before = asked.copy()
    again = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert again.returncode == 0
    assert asked == before
    assert again.stderr.count("examined before") == 3
    more = snellen("watch", "run", "--once", *FEW, "--seed", 1, cwd=tmp_path)
    assert more.stderr.count("examined before") == 0
    assert asked != before


@pytest.mark.usefixtures("no_page")
def test_the_last_is_held_against_another(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 0.0, 1.0, 0.1)
    words = ("watch", "run", "--once", *ENOUGH, "--against", "best", "--fail-if")
    ran = snellen(*words, "all:accuracy<-20", cwd=tmp_path)
    assert ran.returncode == 1, ran.stderr
    assert "run/checkpoint-300 against run/checkpoint-200: " in ran.stderr
    assert "Report: " in ran.stdout.splitlines()[-1]
    calls = asked.copy()
    again = snellen(*words, "all:accuracy<-20", cwd=tmp_path)
    assert (again.returncode, asked) == (1, calls)
    assert again.stderr.splitlines()[-1] == ran.stderr.splitlines()[-1]
    assert snellen(*words, "all:accuracy<-90", cwd=tmp_path).returncode == 0
    exam = Exam(tmp_path / "snellen.sqlite")
    assert compared(exam, "run", "first") == ("run/checkpoint-100", "run/checkpoint-300")
    assert compared(exam, "run", "previous") == ("run/checkpoint-200", "run/checkpoint-300")
    assert compared(exam, "run", "base") == ("base", "run/checkpoint-300")
    assert compared(exam, "another", "first") is None


@pytest.mark.usefixtures("no_page")
def test_a_checkpoint_that_was_deleted_still_counts(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0, 0.0)
    words = ("watch", "run", "--once", *ENOUGH, "--fail-if", "all:accuracy<-3")
    assert snellen(*words, cwd=tmp_path).returncode == 1
    shutil.rmtree(tmp_path / "run/checkpoint-100")
    again = snellen(*words, cwd=tmp_path)
    assert again.returncode == 1
    assert "run/checkpoint-200 against run/checkpoint-100: failed" in again.stderr


@pytest.mark.usefixtures("no_page")
def test_the_base_is_examined_and_adapters_are_held_against_it(tmp_path: Path, asked: Counter[str]) -> None:
    checkpoint(tmp_path / "model", says="sim/ideal")
    (adapter(tmp_path / "lora/checkpoint-5", 5, None) / "says.txt").write_text("sim/ideal:see=0")
    words = ("watch", "lora", "--once", *ENOUGH, "--fail-if", "all:accuracy<-3", "--against", "base")
    fails(snellen(*words, cwd=tmp_path), "--against base needs --base MODEL")
    ran = snellen(*words, "--base", "model", cwd=tmp_path)
    assert ran.returncode == 1
    assert "lora/checkpoint-5 against base: failed" in ran.stderr


@pytest.mark.usefixtures("no_page")
def test_one_checkpoint_alone_passes_no_gate(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0)
    ran = snellen("watch", "run", "--once", *FEW, "--fail-if", "all:accuracy<-3", cwd=tmp_path)
    assert ran.returncode == 1
    assert "no run has two checkpoints" in ran.stderr


@pytest.mark.usefixtures("no_page")
def test_the_final_model_is_not_examined_once_more(tmp_path: Path, asked: Counter[str]) -> None:
    run = a_run(tmp_path / "run", 0.4, 1.0)
    checkpoint(run, 200, weights=[2], says="sim/fixated")
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0
    assert "run/model-step-200: same weights as run/checkpoint-200" in ran.stderr
    assert "sim/fixated" not in asked


@pytest.mark.usefixtures("no_page")
def test_what_cannot_be_examined_is_one_line_and_the_others_are(tmp_path: Path, asked: Counter[str]) -> None:
    run = a_run(tmp_path / "run", 1.0, 1.0)
    (run / "checkpoint-100/says.txt").write_text("sim/nobody")
    (aged(run / "checkpoint-200", 1000) / "model.safetensors").write_bytes(b"short")
    checkpoint(run / "checkpoint-300", 300, weights=[3], says="sim/ideal")
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 1
    assert ran.stdout.count("·") == 1
    assert "nobody" in ran.stderr
    assert "checkpoint-200/model.safetensors: broken or cut short" in ran.stderr
    for number in (1, 2):
        shutil.rmtree(run / f"checkpoint-{number}00")
    (checkpoint(run / "checkpoint-400", 400) / "model.safetensors").write_bytes(b"being written")
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0
    assert "not examined: run/checkpoint-400/model.safetensors" in ran.stderr


def test_a_hostile_name_is_text_in_lines_store_and_page(tmp_path: Path, asked: Counter[str]) -> None:
    name = '<img src=x onerror="alert(1)">,local x:adapter=y [red] --store'
    a_run(tmp_path / name, 0.5, 1.0)
    ran = snellen("watch", name, "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{name}/checkpoint-100 · fixation: ")
    assert "<img src=x" not in (tmp_path / "snellen-report/index.html").read_text()
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 200"]
    worse = Path(os.fsdecode(os.fsencode(tmp_path / name) + b"/\xff\x1b[2J\n"))
    aged(checkpoint(worse / "checkpoint-5", 5, says="sim/ideal"), 1000)
    (aged(checkpoint(worse / "checkpoint-6", 6), 1000) / "model.safetensors").unlink()
    ran = snellen("watch", name, "--once", *FEW, cwd=tmp_path)
    assert (ran.returncode, "\x1b" in ran.stderr) == (1, False)
    assert "checkpoint-6: no weights" in ran.stderr


@pytest.mark.usefixtures("no_page")
def test_until_sure_has_curves_and_gates_too(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0, 0.1)
    ran = snellen(
        *("watch", "run", "--once", "--until-sure", "--most", 200, "--fail-if", "all:accuracy<-3"), cwd=tmp_path
    )
    assert ran.returncode == 1, ran.stderr
    assert "checkpoint-200 against run/checkpoint-100: failed" in ran.stderr
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 200"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere", "--once"), "nowhere: no such folder"),
        (("empty", "--once"), "no checkpoint in empty"),
        (("run", "--once", "--tasks", "fixaton"), "did you mean fixation"),
        (("run", "--once", "--fail-if", "marvel:accuracy<-3"), "unknown task 'marvel' in --fail-if"),
        (("run", "--once", "--fail-if", "all:accuracy>3"), "would fail on an improvement"),
        (("run", "--once", "--as", "openai"), "--as openai: expected local or vllm"),
        (("run", "--once", "--as", "local:max_tokns=3"), "did you mean max_tokens"),
        (("run", "--once", "--as", "local:adapter=x"), "leave out adapter="),
        (("run", "--once", "--until-step", "5"), "--once does not go with"),
        (("run", "--once", "--detect", "20"), "--detect needs --until-sure"),
        (("run", "--once", "--store", "s3://b/a.sqlite"), "SQLite cannot work in an object store"),
        (("run", "--once", "--log", "tensorbord"), "did you mean tensorboard?"),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, asked: Counter[str], words: tuple[str, ...], told: str) -> None:
    a_run(tmp_path / "run", 1.0)
    (tmp_path / "empty").mkdir()
    fails(snellen("watch", *words, cwd=tmp_path), told)
    assert not asked


# While training


@pytest.fixture
def while_waiting(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Takes what a training run does: one thing each time that the watch waits."""

    def does(*things: Callable[[], object]) -> None:
        left = iter(things)
        monkeypatch.setattr("snellen.cli.watch.sleep", lambda seconds: next(left)())

    return does


def interrupted() -> None:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("no_page")
def test_checkpoints_are_examined_as_they_come(
    tmp_path: Path, asked: Counter[str], while_waiting: Callable[..., None]
) -> None:
    def weights(step: int) -> Callable[[], object]:
        folder = tmp_path / f"run/checkpoint-{step}"
        return lambda: checkpoint(folder, weights=[step], says=f"sim/ideal:see=0.{step}")

    def state(step: int) -> Callable[[], object]:
        def write() -> None:
            assert f"sim/ideal:see=0.{step}" not in asked, "the state was not there yet"
            text = json.dumps({"global_step": step})
            (tmp_path / f"run/checkpoint-{step}/trainer_state.json").write_text(text)

        return write

    while_waiting((tmp_path / "run").mkdir, weights(3), state(3), weights(8), state(8))
    ran = snellen("watch", "run", *FEW, "--until-step", 8, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "There is no folder run yet; waiting for it." in ran.stderr
    assert [line.split(" · ")[0] for line in ran.stdout.splitlines()[:-1]] == ["run/checkpoint-3", "run/checkpoint-8"]
    assert steps(tmp_path / "snellen.sqlite") == ["step 3", "step 8"]


@pytest.mark.usefixtures("no_page")
def test_it_ends_when_nothing_is_new_for_long(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0)
    assert snellen("watch", "run", *FEW, "--stop-after", 0.2, cwd=tmp_path).returncode == 0


@pytest.mark.usefixtures("no_page")
def test_one_that_is_deleted_before_its_turn_is_a_line(
    tmp_path: Path, asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(tmp_path / "run", 1.0, 0.5, 0.2)
    says: Any = vars(watching)["subject_in"]

    def deleted(kind: str, where: str, settings: Any = ()) -> Any:
        if "checkpoint-200" in where:
            shutil.rmtree(run / "checkpoint-200")
        return says(kind, where, settings)

    monkeypatch.setattr(watching, "subject_in", deleted)
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "warning: run/checkpoint-200: deleted before it was examined" in ran.stderr
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 300"]


@pytest.mark.usefixtures("no_page")
def test_ctrl_c_while_it_waits_ends_it_with_what_the_gates_say(
    tmp_path: Path, asked: Counter[str], while_waiting: Callable[..., None]
) -> None:
    while_waiting(interrupted)
    a_run(tmp_path / "run", 0.0, 1.0)
    ran = snellen("watch", "run", *ENOUGH, "--fail-if", "all:accuracy<-3", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Stopped." in ran.stderr
    assert "Report: " in ran.stdout


SLOW = """
import asyncio, pathlib, sys
from snellen.bridge import watching
from snellen.bridge.run_logs import RUN_LOGS
from snellen.bridge.watch_gates import compared
from snellen.call import Abilities, Reply
from snellen.cli import main
from snellen.subjects import subject

class Model:
    def __init__(self, where):
        self.name, self.settings, self.abilities = where, {}, Abilities(in_process=True)

    async def answer(self, call):
        with open("asked.txt", "a") as file:
            file.write(f"{pathlib.Path(self.name).name} {call.key.hex()}\\n")
        await asyncio.sleep(0.05 if "200" in self.name else 0)
        return Reply("X")

watching.subject_in = lambda kind, where, settings=(): subject(Model(where))
main()
"""
AT_ONCE = 4


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_a_watch_that_was_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    run, store, log = a_run(tmp_path / "run", 1.0, 1.0), tmp_path / "snellen.sqlite", tmp_path / "asked.txt"
    command = [sys.executable, "-c", SLOW, "watch", str(run), "--once", "--concurrency", str(AT_ONCE), *FEW]

    def asked() -> list[str]:
        return log.read_text().splitlines() if log.exists() else []

    started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while sum("checkpoint-200" in line for line in asked()) < 4 * AT_ONCE:
        assert started.poll() is None
        time.sleep(0.02)
    started.kill()
    started.wait()
    before = asked()
    with Store.open(store) as opened:
        recorded = {line for line in before if opened.call(line.split()[1]) is not None}
        assert [exam.finished is None for exam in opened.exams()] == [False, True]
    assert len(before) - len(recorded) <= 2 * AT_ONCE, "little more than what was under way is lost"
    command[command.index(str(run))] = "./run/"
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert again.stderr.count("examined before") == 1
    after = asked()[len(before) :]
    assert after
    assert not recorded & set(after)
    counts = Exam(store).rows["subject"].value_counts()["count"].to_list()
    assert len(counts) == 2
    assert len(set(counts)) == 1, "both have all their trials"


# Run logs


class ListedLog:
    """A tracker that keeps the names of curves with their steps, of all its runs together."""

    points: set[tuple[str, int]]

    def __init__(self, where: str) -> None:
        type(self).points = set()

    def scalars(self, values: dict[str, float], step: int) -> None:
        type(self).points |= {(name, step) for name in values}

    def artifact(self, folder: Path) -> None: ...

    def table(self, name: str, rows: Any) -> None: ...

    def finish(self) -> None: ...


@pytest.mark.usefixtures("asked", "no_page")
@few_and_more("runs", [("sft", "lora x/v1")], [("sft",)])
def test_watch_and_log_draw_the_same_curves_at_the_same_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: tuple[str, ...]
) -> None:
    monkeypatch.setitem(RUN_LOGS, "json", ListedLog)  # a module that is there stands for an installed tracker
    for k, run in enumerate(runs):
        a_run(tmp_path / "runs" / run, 0.9 - 0.1 * k, 0.5 - 0.1 * k)
    checkpoint(tmp_path / "runs/sft/epoch-3", 900, weights=[9], says="sim/ideal")
    watched = snellen("watch", "runs", "--once", *FEW, "--log", "json", cwd=tmp_path)
    assert watched.returncode == 0, watched.stderr
    points = ListedLog.points
    assert {name for name, _ in points} >= {f"runs/{run.replace(' ', '-')}/fixation/accuracy" for run in runs}
    assert {step for _, step in points} == {3, 100, 200}
    logged = snellen("log", "snellen.sqlite", "--to", "json", cwd=tmp_path)
    assert logged.returncode == 0, logged.stderr
    assert ListedLog.points == points


# With real models


@pytest.mark.usefixtures("no_page")
def test_real_checkpoints_and_an_adapter_that_appears_while_it_watches(
    tmp_path: Path, while_waiting: Callable[..., None]
) -> None:
    from snellen.subjects.local.loading import load
    from tiny_models import make

    peft = later("peft")
    torch.set_num_threads(1)
    base = make("idefics3", tmp_path / "base", seed=9)
    full = make("idefics3", tmp_path / "runs/full/checkpoint-10", seed=1)
    (full / "trainer_state.json").write_text(json.dumps({"global_step": 10}))
    lora = tmp_path / "runs/lora/checkpoint-20"
    config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    adapted = peft.get_peft_model(load(base).model, config)

    def half() -> None:
        adapted.save_pretrained(lora)
        (lora / "trainer_state.json").write_text(json.dumps({"global_step": 20}))
        file = lora / "adapter_model.safetensors"
        file.rename(tmp_path / "whole")
        file.write_bytes((tmp_path / "whole").read_bytes()[:-100])

    def rest() -> None:
        (tmp_path / "whole").rename(lora / "adapter_model.safetensors")

    while_waiting(half, rest, interrupted)
    words = ("watch", "runs", *FEW[2:], "--n", 1, "--as", "local:max_tokens=2")
    ran = snellen(*words, "--base", base, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert {line.split(" · ")[0] for line in ran.stdout.splitlines()[:-1]} == {
        "runs/full/checkpoint-10",
        "runs/lora/checkpoint-20",
    }

    def recorded() -> tuple[list[Any], list[float]]:
        with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
            settings = [next(iter(exam.fingerprint["settings"].values())) for exam in store.exams()]
            keys = store.rows()["calls"].explode().unique().sort().to_list()
            return settings, [record.at for record in store.calls(keys)]

    settings, at = recorded()
    assert [("adapter" in own, own["max_tokens"]) for own in settings] == [(False, 2), (True, 2)]
    assert snellen(*words, "--base", base, "--once", cwd=tmp_path).returncode == 0
    assert recorded() == (settings, at)
