"""Exams of a model while it trains: the training goes on as if there had been none, to the last bit, and what answers
are the weights of that step."""

import json
import os
import random
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snellen
from snellen.errors import UserError
from snellen.lab.train import recipe
from snellen.lab.trainset import write_trainset
from snellen.subjects.local.loading import LoadedModel, load
from snellen.tasks.fixation.trainsets import of_split
from support.later import later
from tiny_models import make

torch = later("torch")
transformers = later("transformers")
lab = later("snellen.lab")
later("accelerate")

STEPS, EVERY = 4, 2
ASKED: dict[str, Any] = {"tasks": "fixation", "n": 1, "levels": {"prompt": "base", "game": "tictactoe"}}
SHORT: dict[str, Any] = {**ASKED, "max_tokens": 3}


@pytest.fixture(autouse=True)
def _alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Qwen's architecture: its towers are given hooks and another attention while a model is asked."""
    return make("qwen2_5_vl", tmp_path_factory.mktemp("models") / "qwen")


@pytest.fixture
def loaded(folder: Path) -> LoadedModel:
    return load(folder, device="cpu")


class Noisy:
    """Rows with a mask drawn from every global source of randomness, as augmentations are."""

    def __len__(self) -> int:
        return 32

    def __getitem__(self, place: int) -> dict[str, Any]:
        ids = torch.randint(5, 60, (16,), generator=torch.Generator().manual_seed(place))
        at = [random.randrange(16), int(np.random.randint(16)), int(torch.randint(16, ()))]
        ids[at] = 7
        return {"input_ids": ids, "labels": ids.clone(), "attention_mask": torch.ones_like(ids)}


def trained(loaded: LoadedModel, out: Path, *callbacks: Any, dropout: float = 0.2, **more: Any) -> Any:
    """A short training; dropout in every attention of the language model."""
    for part in loaded.model.train().modules():
        if hasattr(part, "attention_dropout"):
            part.attention_dropout = dropout
    arguments = transformers.TrainingArguments(
        output_dir=str(out),
        max_steps=STEPS,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        **{"logging_steps": 1, "report_to": [], "disable_tqdm": True, "save_strategy": "no", "use_cpu": True, **more},
    )
    trainer = transformers.Trainer(
        loaded.model, arguments, train_dataset=Noisy(), processing_class=loaded.processor, callbacks=[*callbacks]
    )
    trainer.train()
    return trainer


def losses(trainer: Any) -> list[tuple[int, float, float]]:
    return [(row["step"], row["loss"], row["grad_norm"]) for row in trainer.state.log_history if "loss" in row]


def exams(trainer: Any) -> dict[int, dict[str, float]]:
    return {row["step"]: row for row in trainer.state.log_history if "eval_fixation/accuracy" in row}


def state(model: Any) -> dict[str, Any]:
    """What an exam could leave behind in a model."""
    kept = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_buffers", "_parameters")
    return {
        name: (
            part.training,
            sorted(set(vars(part)) - {"_is_hf_initialized"}),
            {kind: [*map(id, getattr(part, kind).values())] for kind in kept},
            json.dumps(part.config.to_dict(), default=str) if hasattr(part, "config") else "",
        )
        for name, part in model.named_modules()
    } | {"generation": model.generation_config.to_json_string()}


# The training


@pytest.mark.parametrize("precision", [{}, {"bf16": True}], ids=["float32", "mixed"])
def test_a_training_is_the_same_to_the_last_bit(precision: dict[str, bool], folder: Path, tmp_path: Path) -> None:
    def run(out: str, *callbacks: Any, dropout: float = 0.2) -> Any:
        return trained(load(folder, device="cpu"), tmp_path / out, *callbacks, dropout=dropout, **precision)

    plain, other = run("plain"), run("other", dropout=0.0)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*asked one call at a time")
        warnings.filterwarnings("error", message="no exam at step")
        examined = run("out", lab.ExamCallback(EVERY, **SHORT))
    assert losses(examined) == losses(plain) != losses(other)
    assert len(losses(plain)) == STEPS
    assert sorted(exams(examined)) == [2, 4]
    weights = zip(plain.model.parameters(), examined.model.parameters(), strict=True)
    assert all(torch.equal(*pair) for pair in weights)


def test_nothing_is_left_behind_in_the_model_and_its_processor(loaded: LoadedModel, tmp_path: Path) -> None:
    model, processor = loaded.model.train(), loaded.processor
    model.model.visual.eval()  # a part that is frozen stays so
    processor.tokenizer.padding_side = "right"
    before, wanted = state(model), [weight.requires_grad for weight in model.parameters()]
    preprocess = "preprocess" in vars(processor.image_processor)
    exam = lab.exam_model(model, processor, step=1, store=tmp_path / "s.sqlite", **SHORT)
    assert exam.summary.errors == 0
    assert state(model) == before
    assert [weight.requires_grad for weight in model.parameters()] == wanted
    assert not any(weight.is_inference() for weight in model.parameters())
    assert processor.tokenizer.padding_side == "right"
    assert ("preprocess" in vars(processor.image_processor)) == preprocess
    assert torch.is_grad_enabled()


def test_modes_and_random_states_are_as_they_were_whatever_is_done(loaded: LoadedModel) -> None:
    from snellen.subjects.local.in_memory import undisturbed

    def drawn() -> list[float]:
        return [random.random(), float(np.random.rand()), float(torch.rand(()))]

    parts = list(loaded.model.train().modules())
    parts[3].eval()
    modes = [part.training for part in parts]
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    wanted = drawn()
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    with suppress(KeyError), undisturbed(loaded.model):
        assert not any(part.training for part in parts)
        drawn()
        raise KeyError
    assert drawn() == wanted
    assert [part.training for part in parts] == modes


def test_with_lora_gradient_checkpointing_and_trl(folder: Path, tmp_path: Path) -> None:
    later("trl")
    from snellen.lab.train.data import dataset
    from snellen.lab.train.model import load as load_to_train
    from snellen.lab.train.run import prepared
    from snellen.lab.train.trainer import trainer as trl_trainer

    write_trainset(of_split("d1", states=2, held_out=2), tmp_path / "d1")
    wanted = {"batch": 2, "together": 2, "steps": STEPS, "lr": 1e-2, "dropout": 0.3}
    made, rows = prepared(recipe("sft", model=str(folder), data=str(tmp_path / "d1"), **wanted))

    def run(out: Path, *callbacks: Any) -> Any:
        model, processor = load_to_train(made)
        model.gradient_checkpointing_enable()
        model.config.use_cache = False
        built = trl_trainer(made, model, processor, dataset(rows), out)
        for callback in callbacks:
            built.add_callback(callback)
        built.train()
        assert model.config.use_cache is False
        assert model.is_gradient_checkpointing
        return built

    plain, examined = run(tmp_path / "plain"), run(tmp_path / "out", lab.ExamCallback(EVERY, **SHORT))
    assert sorted(exams(examined)) == [2, 4]
    timed = ("train_runtime", "train_samples_per_second", "train_steps_per_second")
    logs = [
        [{name: row[name] for name in row if name not in timed} for row in built.state.log_history]
        for built in (plain, examined)
    ]
    # Averages that TRL keeps between two logs, too
    assert [row for row in logs[1] if "eval_fixation/accuracy" not in row] == logs[0]
    assert "mean_token_accuracy" in logs[0][1]


# The exam


def test_it_answers_as_the_same_weights_from_a_folder(folder: Path, loaded: LoadedModel, tmp_path: Path) -> None:
    with torch.no_grad():  # as training does: not the weights of the folder any more
        for weight in loaded.model.parameters():
            weight.mul_(1.5)
    loaded.model.save_pretrained(tmp_path / "later")
    for file in folder.glob("*"):
        if not (tmp_path / "later" / file.name).exists():
            (tmp_path / "later" / file.name).write_bytes(file.read_bytes())
    inside = lab.exam_model(loaded.model, loaded.processor, step=9, store=tmp_path / "a.sqlite", **SHORT)
    names = {"later": f"local/{tmp_path / 'later'}:max_tokens=3", "first": f"local/{folder}:max_tokens=3"}
    saved = snellen.exam(names, store=tmp_path / "b.sqlite", **ASKED)
    same = ["item", "paradigm", "rule", "prompt", "order", "target", "response", "rendering"]

    def texts(rows: Any) -> list[Any]:
        return rows.sort(same).select(*same, "text").rows()

    assert set(inside.rows["subject"]) == {"step-9"}
    assert texts(inside.rows) == texts(saved.rows.filter(saved.rows["subject"] == "later"))
    assert texts(inside.rows) != texts(saved.rows.filter(saved.rows["subject"] == "first"))


def test_each_step_is_asked_anew_and_all_are_in_one_store(loaded: LoadedModel, tmp_path: Path) -> None:
    trainer = trained(loaded, tmp_path, lab.ExamCallback(3, **SHORT))
    assert sorted(exams(trainer)) == [3, 4]  # the last step in any case
    store = snellen.Exam(tmp_path / "snellen.sqlite")
    assert set(store.examined) == {"step-3", "step-4"}
    table = store.history_table()
    assert len(table.rows) == 2
    again = lab.exam_model(loaded.model, loaded.processor, step=4, store=tmp_path / "snellen.sqlite", **SHORT)
    assert again.summary.done > 0


def test_it_is_logged_where_the_run_logs_and_takes_no_log_away(loaded: LoadedModel, tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENSORBOARD_LOGGING_DIR", str(tmp_path / "tb"))
        trainer = trained(loaded, tmp_path / "out", lab.ExamCallback(EVERY, **SHORT), report_to=["tensorboard"])
    events = accumulator.EventAccumulator(str(next((tmp_path / "tb").rglob("events*")).parent))
    events.Reload()
    assert [point.step for point in events.Scalars("eval/fixation/accuracy")] == [2, 4]
    assert [point.step for point in events.Scalars("train/loss")] == [1, 2, 3, 4]
    values = {f"eval_{name}" for name in snellen.Exam(tmp_path / "out/snellen.sqlite", ["step-2"]).scalars()}
    assert values == exams(trainer)[2].keys() - {"epoch", "step"}


def test_a_model_of_any_other_kind_answers_by_a_function(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5)).train()
    seen = []

    def answer(parts: list[Any]) -> str:
        out = model(torch.ones(1, 4) + torch.rand(1, 4))
        seen.append((out.requires_grad, model.training, float(out.eq(0).sum()), len(parts) > 0))
        return "X"

    torch.manual_seed(5)
    wanted = torch.rand(())
    torch.manual_seed(5)
    exams = [lab.exam_model(model, answer=answer, step=s, store=tmp_path / "s.sqlite", **ASKED) for s in (1, 2)]
    assert set(seen) == {(False, False, 0.0, True)}
    assert model.training
    assert torch.rand(()) == wanted
    assert [exam.summary.done for exam in exams] == [9, 9]  # a second step is asked anew
    assert exams[1].scalars()["fixation/accuracy"] > 0


# What may go wrong


def test_what_cannot_be_asked_is_refused_before_the_first_step(loaded: LoadedModel, tmp_path: Path) -> None:
    for wrong, words in (
        ({"tasks": "fixatoin"}, "did you mean fixation"),
        ({"every": 0}, "every=0"),
        ({"question": 1}, "question"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"processor": loaded.processor.tokenizer}, r"model.s processor, as of AutoProcessor; found "),
    ):
        with pytest.raises(UserError, match=words):
            trained(loaded, tmp_path, lab.ExamCallback(**{"n": 1, **wrong}))  # type: ignore[arg-type]
    assert not (tmp_path / "snellen.sqlite").exists()


def test_an_exam_that_fails_does_not_end_the_training(loaded: LoadedModel, tmp_path: Path) -> None:
    (tmp_path / "no.sqlite").write_text("not a store")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        trainer = trained(loaded, tmp_path / "out", lab.ExamCallback(STEPS, store=tmp_path / "no.sqlite", **SHORT))
    assert len(losses(trainer)) == STEPS
    assert [str(each.message) for each in told if "no exam at step 4: " in str(each.message)]
    assert all(part.training for part in trainer.model.modules())


def test_sharded_weights_are_refused(loaded: LoadedModel, tmp_path: Path) -> None:
    next(loaded.model.parameters()).ds_id = 0  # as DeepSpeed's ZeRO-3 marks them
    with pytest.raises(UserError, match="DeepSpeed ZeRO-3"):
        lab.exam_model(loaded.model, loaded.processor, step=1, store=tmp_path / "s.sqlite", **SHORT)


def test_the_callback_is_one_of_transformers_and_nothing_is_loaded_before_it_is_used() -> None:
    assert issubclass(lab.ExamCallback, transformers.TrainerCallback)
    code = "import sys, snellen.lab; print(any(n in sys.modules for n in ('torch', 'transformers', 'polars')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.soak
def test_of_two_processes_the_first_examines_and_both_train_as_ever(tmp_path: Path) -> None:
    script = tmp_path / "both.py"
    script.write_text(BOTH, encoding="utf-8")
    words = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(script)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, *words], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads((tmp_path / f"rank{rank}.json").read_text()) for rank in (0, 1)]
    assert [each["exams"] for each in found] == [[2, 4], []]
    assert all(each["same"] for each in found)


BOTH = """
import json, os
from pathlib import Path
import torch
from snellen import lab
from snellen.subjects.local.loading import load
from test_exam_callback import EVERY, SHORT, exams, trained
from tiny_models import make

torch.set_num_threads(1)
rank = os.environ["RANK"]
folder = make("idefics3", f"model{rank}")

def run(*callbacks):
    return trained(load(folder, device="cpu"), Path("out"), *callbacks, ddp_find_unused_parameters=True)

plain, examined = run(), run(lab.ExamCallback(EVERY, **SHORT))
assert type(examined.model_wrapped).__name__ == "DistributedDataParallel"
pairs = zip(plain.model.parameters(), examined.model.parameters(), strict=True)
same = all(torch.equal(*pair) for pair in pairs)
Path(f"rank{rank}.json").write_text(json.dumps({"same": same, "exams": sorted(exams(examined))}))
"""
