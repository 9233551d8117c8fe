"""`snellen watch` as a user meets it: curves, gates, restarts, folders that come and go."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import pytest

from snellen.bridge import watching
from snellen.call import Call, Reply
from snellen.engine import Store
from snellen.examine import Exam
from snellen.subjects import subject
from snellen.subjects.simulated import SimulatedSubject
from support.commands import fails, snellen
from support.later import later
from support.run_folders import adapter, aged, checkpoint

later("safetensors")
torch = later("torch")

FEW = ("--n", "2", "--set", "game=tictactoe", "--every", "0.05")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
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
    yield calls


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
    found: list[dict[str, Any]] = json.loads(printed.stdout)
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


@pytest.mark.parametrize(("against", "before", "status"), [("first", 100, 0), ("best", 200, 1), ("previous", 300, 0)])
def test_the_last_is_held_against_another(
    tmp_path: Path, asked: Counter[str], against: str, before: int, status: int
) -> None:
    a_run(tmp_path / "run", 0.0, 1.0, 0.0, 0.6)
    words = ("watch", "run", "--once", *FEW[2:], "--n", 6, "--fail-if", "all:accuracy<-20", "--against", against)
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == status, ran.stderr
    assert f"run/checkpoint-400 against run/checkpoint-{before}: " in ran.stderr
    calls = asked.copy()
    again = snellen(*words, cwd=tmp_path)
    assert (again.returncode, asked) == (status, calls)
    assert again.stderr.splitlines()[-1] in ran.stderr.splitlines()


def test_a_checkpoint_that_was_deleted_still_counts(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0, 0.0)
    words = ("watch", "run", "--once", *FEW, "--fail-if", "all:accuracy<-3")
    assert snellen(*words, cwd=tmp_path).returncode == 1
    shutil.rmtree(tmp_path / "run/checkpoint-100")
    again = snellen(*words, cwd=tmp_path)
    assert again.returncode == 1
    assert "run/checkpoint-200 against run/checkpoint-100: failed" in again.stderr


def test_the_base_is_examined_and_adapters_are_held_against_it(tmp_path: Path, asked: Counter[str]) -> None:
    checkpoint(tmp_path / "model", says="sim/ideal")
    (adapter(tmp_path / "lora/checkpoint-5", 5, None) / "says.txt").write_text("sim/ideal:see=0")
    words = ("watch", "lora", "--once", *FEW, "--fail-if", "all:accuracy<-3", "--against", "base")
    fails(snellen(*words, cwd=tmp_path), "--against base needs --base MODEL")
    ran = snellen(*words, "--base", "model", cwd=tmp_path)
    assert ran.returncode == 1
    assert "lora/checkpoint-5 against base: failed" in ran.stderr


def test_one_checkpoint_alone_passes_no_gate(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0)
    ran = snellen("watch", "run", "--once", *FEW, "--fail-if", "all:accuracy<-3", cwd=tmp_path)
    assert ran.returncode == 1
    assert "no run has two checkpoints" in ran.stderr


def test_the_final_model_is_not_examined_once_more(tmp_path: Path, asked: Counter[str]) -> None:
    run = a_run(tmp_path / "run", 0.4, 1.0)
    checkpoint(run, 200, weights=[2], says="sim/fixated")
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0
    assert "run/model-step-200: same weights as run/checkpoint-200" in ran.stderr
    assert "sim/fixated" not in asked


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
    assert "Traceback" not in ran.stderr


def test_a_hostile_name_is_text_in_lines_store_and_page(tmp_path: Path, asked: Counter[str]) -> None:
    name = '<img src=x onerror="alert(1)">,local/x:adapter=y [red] --store'
    a_run(tmp_path / name, 0.5, 1.0)
    ran = snellen("watch", name, "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{name}/checkpoint-100 · fixation: ")
    assert "<img src=x" not in (tmp_path / "snellen-report/index.html").read_text()
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 200"]


def test_until_sure_has_curves_and_gates_too(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0, 0.1)
    ran = snellen(
        *("watch", "run", "--once", "--until-sure", "--most", 400, "--fail-if", "all:accuracy<-3"), cwd=tmp_path
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
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, asked: Counter[str], words: tuple[str, ...], told: str) -> None:
    a_run(tmp_path / "run", 1.0)
    (tmp_path / "empty").mkdir()
    fails(snellen("watch", *words, cwd=tmp_path), told)
    assert not asked


# While training


@pytest.fixture
def meanwhile() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Does something in a thread, as a training run does beside the watch."""
    threads: list[Thread] = []

    def start(work: Callable[[], None]) -> None:
        threads.append(Thread(target=work))
        threads[-1].start()

    yield start
    for thread in threads:
        thread.join()


def test_checkpoints_are_examined_as_they_come(
    tmp_path: Path, asked: Counter[str], meanwhile: Callable[[Callable[[], None]], None]
) -> None:
    run, store = tmp_path / "run", tmp_path / "snellen.sqlite"

    def train() -> None:
        for step, see in ((100, 0.3), (200, 1.0)):
            folder = checkpoint(run / f"checkpoint-{step}", weights=[step], says=f"sim/ideal:see={see}")
            time.sleep(0.3)  # weights are there, the state is not
            assert f"sim/ideal:see={see}" not in asked
            (folder / "trainer_state.json").write_text(json.dumps({"global_step": step}))

    meanwhile(train)
    ran = snellen("watch", "run", *FEW, "--until-step", 200, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "There is no folder run yet; waiting for it." in ran.stderr
    assert ran.stdout.count("·") == 2
    assert steps(store) == ["step 100", "step 200"]


def test_it_ends_when_nothing_is_new_for_long(tmp_path: Path, asked: Counter[str]) -> None:
    a_run(tmp_path / "run", 1.0)
    assert snellen("watch", "run", *FEW, "--stop-after", 0.2, cwd=tmp_path).returncode == 0


def test_one_that_is_deleted_before_its_turn_is_a_line(
    tmp_path: Path, asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(tmp_path / "run", 1.0, 0.5, 0.2)
    says = watching.subject_in

    def deleted(kind: str, where: str, settings: Any = ()) -> Any:
        if "checkpoint-200" in where:
            shutil.rmtree(run / "checkpoint-200")
        return says(kind, where, settings)

    monkeypatch.setattr(watching, "subject_in", deleted)
    ran = snellen("watch", "run", "--once", *FEW, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "warning: run/checkpoint-200: deleted before it was examined" in ran.stderr
    assert steps(tmp_path / "snellen.sqlite") == ["step 100", "step 300"]


def test_ctrl_c_while_it_waits_ends_it_with_what_the_gates_say(
    tmp_path: Path, asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("snellen.cli.watch.time.sleep", interrupted)
    a_run(tmp_path / "run", 0.0, 1.0)
    words = ("watch", "run", *FEW, "--fail-if", "all:accuracy<-3")
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Stopped." in ran.stderr
    assert "Report: " in ran.stdout


SLOW = """
import asyncio, sys
from snellen.bridge import watching
from snellen.call import Abilities, Reply
from snellen.cli import main

class Slow:
    def __init__(self, where):
        self.name, self.settings, self.abilities = "slow", {"weights": where}, Abilities(in_process=True)

    async def answer(self, call):
        with open("asked.txt", "a") as file:
            file.write(call.key.hex() + "\\n")
        await asyncio.sleep(0.05)
        return Reply("X")

from snellen.subjects import subject
watching.subject_in = lambda kind, where, settings=(): subject(Slow(where))
main()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_a_watch_that_was_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    run, store, log = a_run(tmp_path / "run", 1.0, 1.0), tmp_path / "snellen.sqlite", tmp_path / "asked.txt"
    words = ["watch", str(run), "--once", "--n", "1", "--concurrency", "4"]
    command = [sys.executable, "-c", SLOW, *words]
    started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    whole = Counter[str]()
    for _ in range(1200):
        whole = Counter(log.read_text().split()) if log.exists() else whole
        if len(whole) > 50:  # in the middle of the second
            break
        time.sleep(0.05)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    with Store.open(store) as opened:
        recorded = {key for key in log.read_text().split() if opened.call(key) is not None}
        assert [exam.finished is None for exam in opened.exams()] == [False, True]
    before = log.read_text().split()
    assert len(before) - 4 <= len(recorded) < len(before) + 1
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("examined before") == 1
    after = log.read_text().split()[len(before) :]
    assert after
    assert not recorded & set(after)
    rows = Exam(store).rows
    sizes = rows.group_by("subject").agg(pl.len(), (pl.col("outcome") != "unread").sum())
    assert len(set(sizes["len"])) == 1
    assert sizes.height == 2


# With real models


def test_real_checkpoints_and_adapters_that_appear_while_it_watches(
    tmp_path: Path, meanwhile: Callable[[Callable[[], None]], None]
) -> None:
    """Two full checkpoints and an adapter of tiny models, written the way a trainer does, the last while it watches."""
    from snellen.subjects.local.loading import load
    from tiny_models import make

    peft = later("peft")
    torch.set_num_threads(1)
    base = make("idefics3", tmp_path / "base", seed=9)
    config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    peft.get_peft_model(load(base).model, config).save_pretrained(tmp_path / "made")
    for seed, step in enumerate((10, 20)):
        folder = make("idefics3", tmp_path / f"runs/full/checkpoint-{step}", seed=seed)
        (folder / "trainer_state.json").write_text(json.dumps({"global_step": step}))

    def train() -> None:
        late = tmp_path / "runs/lora/checkpoint-20"
        late.mkdir(parents=True)
        shutil.copy(tmp_path / "made/adapter_config.json", late)
        weights = (tmp_path / "made/adapter_model.safetensors").read_bytes()
        (late / "adapter_model.safetensors").write_bytes(weights[: len(weights) // 2])
        time.sleep(0.5)
        (late / "adapter_model.safetensors").write_bytes(weights)
        (late / "trainer_state.json").write_text(json.dumps({"global_step": 20}))

    meanwhile(train)
    words = ("watch", "runs", "--every", "0.1", "--n", "1", "--design", "api", "--as", "local:max_tokens=2")
    ran = snellen(*words, "--stop-after", "3", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert {line.split(" · ")[0] for line in ran.stdout.splitlines()[:-1]} == {
        "runs/full/checkpoint-10",
        "runs/full/checkpoint-20",
        "runs/lora/checkpoint-20",
    }
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        settings = [next(iter(exam.fingerprint["settings"].values())) for exam in store.exams()]
        assert len({(own["weights"], own.get("adapter")) for own in settings}) == 3
        assert [own["max_tokens"] for own in settings] == [2, 2, 2]
        asked_at = [record.at for record in store.calls(store.rows()["calls"].explode().unique().to_list())]
    again = snellen(*words, "--once", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        now = [record.at for record in store.calls(store.rows()["calls"].explode().unique().to_list())]
    assert sorted(now) == sorted(asked_at)
