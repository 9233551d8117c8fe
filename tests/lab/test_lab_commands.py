"""The lab's commands: what they print, write and refuse."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import snellen

TINY = ("--states", "2", "--test", "2")


def test_trainset_writes_and_says_how_much(tmp_path: Path) -> None:
    ran = snellen("lab", "trainset", "d3", "-o", "d3", *TINY, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "wrote 16 rows to train on and 16 held out to d3\n"
    assert json.loads((tmp_path / "d3" / "manifest.json").read_text())["name"] == "d3"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("lab", "trainset", "d4", "-o", "x"), "unknown training set or task 'd4'"),
        (("lab", "trainset", "d1", "-o", "x", "--n", "5"), "--n says nothing about d1; it takes --states and --test"),
        (("lab", "trainset", "legs", "-o", "x", "--states", "4"), "--states says nothing about legs; it takes --n"),
        (("lab", "trainset", "d1", "-o", "x", "--states", "3"), "--states 3: expected an even number"),
        (("lab", "trainset", "d1", "-o", "x", "--test", "0"), "--test 0: expected an even number from 2"),
        (("lab", "trainset", "fixation", "-o", "x"), "use d1, d2 or d3"),
        (("lab", "trainset", "d1", "-o", "."), "exists and is not empty"),
        (("lab", "trainset", "bias", "-o", "x", "--design", "nope"), "unknown design 'nope' of task bias"),
        (("lab", "train", "sft", "-o", "x"), "--model is missing"),
        (("lab", "train", "sft", "-o", "x", "--model", "m"), "--data is missing"),
        (("lab", "train", "sft", "-o", "x", "--model", "m", "--data", "d", "--part", "ears"), "unknown part 'ears'"),
        (("lab", "train", "sft", "-o", "x", "--model", "m", "--data", "d", "--control", "random"), "sft has none"),
        (("lab", "train", "sft", "-o", "x", "--model", "m", "--data", "d"), "--data d: no manifest.json"),
        (("lab", "train", "sft", "-o", "x", "--resume"), "x: has no recipe.json"),
        (("lab", "transfer", "s.sqlite", "base", "d1"), "s.sqlite"),
    ],
)
def test_what_is_wrong_is_one_line(words: tuple[str, ...], line: str, tmp_path: Path) -> None:
    if "train" in words:
        pytest.importorskip("trl")
    (tmp_path / "thesis.txt").write_text("years of work")
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == 2
    assert line in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    rooms = "snellen.cli.lab, snellen.cli.transfer, snellen.lab.trainset, snellen.lab.reward, snellen.lab.train.run"
    code = f"import sys, {rooms}; print({{'torch', 'transformers', 'trl', 'peft', 'datasets'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_without_the_extra_training_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trl", None)
    ran = snellen("lab", "train", "sft", "-o", "x", "--model", "m", "--data", "d", cwd=tmp_path)
    assert ran.returncode == 2
    assert "training needs torch, transformers, trl, peft and accelerate: pip install 'snellen[train]'" in ran.stderr


@pytest.mark.soak
def test_transfer_prints_tables_and_writes_charts(tmp_path: Path) -> None:
    subjects = ("base=sim/fixated", "d1-seed0=sim/ideal", "d1-seed1=sim/ideal:see=0.9")
    exam = snellen("exam", *subjects, "--tasks", "fixation", "--n", "2", cwd=tmp_path)
    assert exam.returncode == 0, exam.stderr
    ran = snellen("lab", "transfer", "snellen.sqlite", "base", "d1-*", "-o", "figures", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "across rules (inverse)" in ran.stdout
    assert "fixation, asked otherwise" in ran.stdout
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == ["side-effects.svg", "transfer.svg"]
    nobody = snellen("lab", "transfer", "snellen.sqlite", "nobody", "d1-*", cwd=tmp_path)
    assert nobody.returncode == 2
    assert "unknown subject 'nobody' in this store" in nobody.stderr


@pytest.mark.soak
def test_a_training_is_told_resumed_and_examined(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("trl")
    from tiny_models import make

    torch.set_num_threads(1)
    make("idefics3", tmp_path / "model")
    assert snellen("lab", "trainset", "d1", "-o", "d1", *TINY, cwd=tmp_path).returncode == 0
    words = ("lab", "train", "sft", "--model", "model", "--data", "d1", "-o", "out", "--batch", "4", "--steps", "2")
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "trained 2 steps; examine it: snellen exam local/./model:adapter=out\n"
    assert "sft of model on 16 rows of d1; trained: vision, connector, language" in ran.stderr
    assert "step 2 of 2 · loss" in ran.stderr
    named = {path.name for path in (tmp_path / "out").iterdir()}
    files = {"curve.jsonl", "recipe.json", "curve-nats.svg", "curve-shares.svg", "trained_on.json"}
    assert named == {"adapter", "checkpoints", *files}
    records = [tmp_path / place / "trained_on.json" for place in ("d1", "out", "out/adapter")]
    assert len({record.read_text() for record in records}) == 1
    again = snellen("lab", "train", "sft", "-o", "out", "--resume", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, ran.stdout)
    other = snellen("lab", "train", "sft", "-o", "out", "--resume", "--rank", "4", cwd=tmp_path)
    assert other.returncode == 2
    assert "rank is 8 in out/recipe.json" in other.stderr
    subject = "local/./model:adapter=out,score=true"
    exam = snellen("exam", subject, "--tasks", "fixation", "--data", "fixation=d1/exam", cwd=tmp_path)
    assert exam.returncode == 0, exam.stderr
