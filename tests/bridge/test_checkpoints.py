"""Checkpoints are found in folders of all trainers, in order, and none is complete before it is."""

import os
import time
from pathlib import Path

import pytest

from snellen.bridge.checkpoints import SETTLED, Checkpoint, checkpoints, facts_of, named, readiness
from snellen.call import Subject
from snellen.errors import UserError
from support.later import later
from support.run_folders import adapter, aged, checkpoint, sharded, tensors

later("safetensors")


def names(root: Path) -> list[str]:
    return [each.name for each in checkpoints(root)]


def only(root: Path) -> Checkpoint:
    [found] = checkpoints(root)
    return found


def problem(root: Path, now: float = 0.0) -> str:
    return readiness(only(root), now or time.time()).problem


# What is found


def test_runs_are_listed_one_after_the_other_each_by_step_not_by_letters(tmp_path: Path) -> None:
    runs = tmp_path / "out"
    for step in (1000, 500, 2000):
        checkpoint(runs / f"v0-20261119-031303/checkpoint-{step}", step)
    adapter(runs / "v1-20261119-041303/checkpoint-20", 20, "base")
    checkpoint(runs / "plain/step_3")
    assert names(runs) == [
        "out/plain/step_3",
        *(f"out/v0-20261119-031303/checkpoint-{step}" for step in (500, 1000, 2000)),
        "out/v1-20261119-041303/checkpoint-20",
    ]
    assert [each.step for each in checkpoints(runs)] == [3, 500, 1000, 2000, 20]
    assert [each.is_adapter for each in checkpoints(runs)] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("parts", "state", "name", "step"),
    [
        (["run", "checkpoint-500"], 500, "run/checkpoint-500", 500),
        (["run", "epoch-3"], 1500, "run/epoch-3", 1500),
        (["run", "1000"], None, "run/step-1000", 1000),
        (["run", "my-model-20"], None, "run/my-model-step-20", 20),
        (["run", "last"], 200, "run/last/model-step-200", 200),
        (["run"], 200, "run/model-step-200", 200),
        (["run", "final"], None, "run/final", None),
        (["run", "qwen2.5"], None, "run/qwen2.5", None),
    ],
)
def test_the_name_tells_run_and_step(parts: list[str], state: int | None, name: str, step: int | None) -> None:
    assert named(parts, state) == (name, step)


def test_a_final_model_in_the_folder_of_its_run_hides_no_checkpoint_and_makes_no_second_point(tmp_path: Path) -> None:
    run = checkpoint(tmp_path / "run", 30)
    for step in (10, 20, 30):
        checkpoint(run / f"checkpoint-{step}", step)
    found = checkpoints(run)
    assert [each.name for each in found] == [*(f"run/checkpoint-{k}" for k in (10, 20, 30)), "run/model-step-30"]
    assert len({(each.run, each.step) for each in found}) == 4


def test_what_is_being_renamed_and_parts_of_a_checkpoint_are_none(tmp_path: Path) -> None:
    checkpoint(tmp_path / "tmp-checkpoint-5", 5)
    checkpoint(tmp_path / ".checkpoint-5", 5)
    checkpoint(tmp_path / "checkpoint-5/vision_tower")
    checkpoint(tmp_path / "checkpoint-5", 5)
    (tmp_path / "checkpoint-6").mkdir()
    (tmp_path / "tensorboard").mkdir()
    assert [name.rpartition("/")[2] for name in names(tmp_path)] == ["checkpoint-5"]
    assert checkpoints(tmp_path / "nowhere") == []


def test_a_folder_that_loops_ends(tmp_path: Path) -> None:
    checkpoint(tmp_path / "run/checkpoint-5", 5)
    (tmp_path / "run/again").symlink_to(tmp_path)
    assert len(checkpoints(tmp_path)) == 1


@pytest.mark.parametrize(
    "name",
    ["a:adapter=x,device=cuda", "<script>alert(1)<script>", "[red]x[]", "--help", "a=b", "{0}", "$(id)", "\u202eexe"],
)
def test_names_are_text_and_nothing_else(tmp_path: Path, name: str) -> None:
    checkpoint(tmp_path / name / "checkpoint-5", 5)
    found = only(tmp_path)
    assert found.step == 5
    assert found.name.isprintable()


def test_names_that_cannot_be_printed_are_written_otherwise(tmp_path: Path) -> None:
    checkpoint(Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff\nname/checkpoint-5")), 5)
    assert only(tmp_path).name == f"{tmp_path.name}/bad\\udcff\\nname/checkpoint-5"


# What is complete


def test_a_trainers_checkpoint_is_complete_when_its_state_is_written(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "checkpoint-5")
    assert "changed" in problem(tmp_path)
    (folder / "trainer_state.json").write_text('{"global_step": 5, "log_hist')
    assert "trainer_state.json" in problem(tmp_path)
    checkpoint(folder, 5)
    assert problem(tmp_path) == ""


def test_a_plain_folder_is_complete_once_nothing_changes(tmp_path: Path) -> None:
    aged(checkpoint(tmp_path / "final"), 100)
    now = time.time()
    assert problem(tmp_path) == ""
    (tmp_path / "final/tokenizer.json").write_text("{}")
    ready = readiness(only(tmp_path), now)
    assert "changed" in ready.problem
    assert 0 < ready.settles_in <= SETTLED
    assert problem(tmp_path, now + SETTLED + 5) == ""
    assert problem(tmp_path, now - 5000) == "", "another machine's clock"


@pytest.mark.parametrize("keep", [0, 5, 40, -1])
def test_weights_cut_short_are_seen_by_their_header(tmp_path: Path, keep: int) -> None:
    folder = checkpoint(tmp_path / "checkpoint-5", 5)
    tensors(folder / "model.safetensors", 1.0, 2.0, keep=keep)
    assert "model.safetensors" in problem(tmp_path)
    tensors(folder / "model.safetensors", 1.0, 2.0)
    assert problem(tmp_path) == ""


def test_every_shard_must_be_there_and_whole(tmp_path: Path) -> None:
    shards = [f"model-0000{k}-of-00003.safetensors" for k in (1, 2, 3)]
    folder = sharded(tmp_path / "checkpoint-7", *shards)
    assert problem(tmp_path) == ""
    (folder / shards[1]).rename(folder / "aside")
    assert shards[1] in problem(tmp_path)
    tensors(folder / shards[1], 1.0, name=shards[1], keep=-1)
    assert shards[1] in problem(tmp_path)
    (folder / "aside").rename(folder / shards[1])
    assert problem(tmp_path) == ""


def test_pickles_and_folders_without_weights_say_what_they_are(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "checkpoint-5", 5)
    (folder / "model.safetensors").unlink()
    assert "no weights" in problem(tmp_path)
    (folder / "pytorch_model.bin").write_bytes(b"x")
    assert "pickle" in problem(tmp_path)


def test_an_adapter_is_complete_with_its_own_weights_and_names_its_base(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "checkpoint-20", 20, "org/model")
    assert problem(tmp_path) == ""
    assert only(tmp_path).base() == "org/model"
    (folder / "adapter_model.safetensors").unlink()
    assert "no weights" in problem(tmp_path)


def test_a_folder_that_is_gone_is_not_complete(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "checkpoint-5", 5)
    found = only(tmp_path)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert readiness(found, time.time()).problem
    assert facts_of(folder) == []


# Who loads them


def test_a_path_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from snellen.bridge.watching import CheckpointLoader

    asked: list[tuple[object, ...]] = []

    def find(kind: str, where: str, pairs: object) -> Subject:
        asked.append((kind, where, pairs))
        raise UserError("asked")

    monkeypatch.setattr("snellen.bridge.watching.subject_in", find)
    monkeypatch.chdir(tmp_path)
    full = checkpoint(Path("a,b:device=x/checkpoint-5"), 5)
    lora = adapter(Path("lora/checkpoint-5"), 5, None)
    plain, added = (next(each for each in checkpoints(Path()) if each.path == path) for path in (full, lora))
    settings = (("max_tokens", "4"),)
    loader = CheckpointLoader("local", settings, "my-base")
    for each in (plain, added):
        with pytest.raises(UserError, match="asked"):
            loader.subject(each)
    with pytest.raises(UserError, match="names no base model; give it with --base"):
        CheckpointLoader().subject(added)
    with pytest.raises(UserError, match="asked"):
        CheckpointLoader("vllm").subject(plain)
    assert asked == [
        ("local", "./a,b:device=x/checkpoint-5", settings),
        ("local", "my-base", (("adapter", "lora/checkpoint-5"), *settings)),
        ("vllm", "./a,b:device=x/checkpoint-5@offline", ()),
    ]
