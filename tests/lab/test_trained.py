"""Which trained subjects belong together."""

from pathlib import Path

import pytest

from snellen.analysis.transfer import Training
from snellen.errors import UserError
from snellen.lab.train.recipes import TrainingRecipe, write
from snellen.lab.trained import trainings


def test_names_that_differ_in_the_seed_are_one_training() -> None:
    known = ["base", "d1-seed0", "d1-seed1", "d1-grpo-s0", "d1-grpo-s1", "d1", "legs", "mine"]
    found = trainings(known[1:], known, "base")
    assert found == [
        Training("d1", "d1", ("d1-seed0", "d1-seed1", "d1")),
        Training("d1-grpo", "d1", ("d1-grpo-s0", "d1-grpo-s1")),
        Training("legs", "legs", ("legs",)),
        Training("mine", "", ("mine",)),
    ]


def test_a_number_that_is_no_seed_tells_trainings_apart() -> None:
    known = ["base", "step-1000", "step-2000", "steps-1000", "steps-2000", "bias2", "bias3"]
    assert [training.label for training in trainings(known[1:], known, "base")] == known[1:]


def test_a_name_that_ends_in_its_sets_number_keeps_it() -> None:
    known = ["base", "d1", "d2", "sft-d3"]
    assert [(t.label, t.trained_on) for t in trainings(known[1:], known, "base")] == [
        ("d1", "d1"), ("d2", "d2"), ("sft-d3", "d3"),
    ]  # fmt: skip


def test_labels_and_patterns_say_it_outright() -> None:
    known = ["base", "a", "b", "null-1", "null-2"]
    found = trainings(["d2 sft=a,b", "d2 shuffled=null-*"], known, "base")
    assert found == [Training("d2 sft", "d2", ("a", "b")), Training("d2 shuffled", "d2", ("null-1", "null-2"))]


def test_recipes_tell_more_than_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, made in (
        ("a", TrainingRecipe("sft", "m", "x", trained_on="d3", seed=0)),
        ("b", TrainingRecipe("sft", "m", "x", trained_on="d3", seed=1)),
        ("c", TrainingRecipe("sft", "m", "x", trained_on="d3", seed=1, control="shuffled")),
    ):
        Path(name).mkdir()
        write(made, Path(name))
    known = ["local/m", *(f"local/m:max_tokens=8,adapter={name}" for name in "abc")]
    one, control = trainings(known[1:], known, "local/m")
    assert one.trained_on == control.trained_on == "d3"
    assert one.subjects == tuple(known[1:3])
    assert "shuffled" in control.label
    assert trainings(["a", "b/"], known, "local/m") == [one], "folders stand for the subjects that were trained there"


def test_names_that_nobody_has_are_one_line(tmp_path: Path) -> None:
    known = ["base", "d1"]
    with pytest.raises(UserError, match="unknown subject 'd9' in this store"):
        trainings(["d9"], known, "base")
    with pytest.raises(UserError, match="'base' is the base"):
        trainings(["base"], known, "base")
    write(TrainingRecipe("sft", "m", "x"), tmp_path)
    with pytest.raises(UserError, match="no subject in this store has that adapter"):
        trainings([str(tmp_path)], known, "base")
