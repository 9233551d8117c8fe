"""The plan: what will be asked, keyed by exactly what it is."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.examine import ExamPlan, make_plan
from snellen.examine.task_plans import Presentation
from snellen.item import Item


def plan(subject: str = "sim/ideal", **choices: Any) -> ExamPlan:
    return make_plan(subject, **{"n": 1, **choices})


def keys(found: ExamPlan) -> list[bytes]:
    return [trial.key for trial in found.trials()]


def test_size_is_the_number_of_trials() -> None:
    for choices in (
        {},
        {"design": "main"},
        {"design": "controls", "paradigms": ["direct", "describe"]},
        {"levels": {"game": ("reversi", "connect4"), "rendering": ("glyph",)}},
    ):
        found = plan(**choices)
        assert found.size == len(keys(found)) > 0


def test_trials_have_different_keys_and_the_same_ones_next_time() -> None:
    first = keys(plan())
    assert len(set(first)) == len(first)
    assert keys(plan()) == first


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"subject": "sim/guesser"},
        {"subject": "sim/ideal:see=0.5"},
        {"paradigms": ["describe"]},
        {"paradigms": ["describe"], "roles": {"describer": "twin"}},
    ],
)
def test_a_key_changes_with_whatever_changes_the_trial(change: dict[str, object]) -> None:
    subject = str(change.pop("subject", "sim/ideal"))
    assert not set(keys(plan(subject, design="controls", **change))) & set(keys(plan(design="controls")))


def test_a_key_changes_with_the_content_of_the_item() -> None:
    """When a generator changes, trials of its old items are not taken for trials of the new ones."""
    found = plan()
    trial = next(found.trials())
    put = Presentation(trial.part, trial.condition, trial.settings, trial.way, trial.sample)
    assert isinstance(trial.item, Item)
    assert found.trial(put, trial.item).key == trial.key
    assert found.trial(put, replace(trial.item, digest="0" * 32)).key != trial.key


def test_the_rungs_below_are_the_same_trials_whatever_the_paradigm_above() -> None:
    def rungs(found: ExamPlan) -> set[bytes]:
        return {trial.key for trial in found.trials() if trial.way.paradigm.name in ("told", "words")}

    direct, described = plan(), plan(paradigms=["describe"])
    assert rungs(direct) == rungs(described)
    assert len(rungs(direct)) == 4 * (4 + 1)
    assert {trial.way.paradigm.name for trial in described.trials()} == {"describe", "told", "words"}


def test_a_key_changes_with_the_wording(tmp_path: Path) -> None:
    from snellen.tasks import task

    words = task("fixation").prompts.read_text(encoding="utf-8")
    same, other = tmp_path / "same.toml", tmp_path / "other.toml"
    same.write_text("# a comment is not wording\n" + words, encoding="utf-8")
    other.write_text(words.replace("Which side has won?", "Who has won?"), encoding="utf-8")
    assert keys(plan(prompts=same)) == keys(plan())
    assert not set(keys(plan(prompts=other))) & set(keys(plan()))


def test_describing_needs_pictures() -> None:
    found = plan(design="controls", paradigms=["describe"])
    assert {trial.condition["modality"] for trial in found.trials()} == {"image"}


def test_the_label_names_who_plays_the_other_roles() -> None:
    found = plan("sim/fixated", paradigms=["describe"], roles={"describer": "twin"})
    assert found.labels == ("sim/fixated [describer=twin]", "sim/fixated"), "the rungs below have no describer"


def test_roles_make_a_matrix_and_each_subject_is_one() -> None:
    roles = {"describer": "sim/nearsighted:see=0.5,seed=2,twin", "reasoner": "sim/ideal,sim/guesser"}
    found = plan(paradigms=["direct", "describe"], roles=roles)
    assert found.labels == (
        "sim/ideal",
        "sim/ideal [describer=sim/nearsighted:see=0.5,seed=2]",
        "sim/guesser [describer=sim/nearsighted:see=0.5,seed=2]",
        "sim/ideal [describer=twin]",
        "sim/guesser [describer=twin]",
    )
    rungs = 4 * (4 + 1)
    assert found.size == 5 * (plan().size - rungs) + rungs, "nobody describes on the rungs below"


@pytest.mark.parametrize(
    ("choices", "line"),
    [
        ({"tasks": ["fixasion"]}, "did you mean fixation"),
        ({"design": "mian"}, "did you mean main"),
        ({"levels": {"rul": ("inverse",)}}, "did you mean rule"),
        ({"levels": {"rule": ("invers",)}}, "did you mean inverse"),
        ({"paradigms": ["descrbe"]}, "did you mean describe"),
        ({"paradigms": ["drl"]}, "drl cannot be used with task fixation"),
        ({"data": {"fixation": "somewhere"}}, "task fixation has no published sets"),
        ({"data": {"marvel": "somewhere"}}, "marvel"),
        ({"roles": {"describer": "twin"}}, "--paradigm describe"),
        ({"paradigms": ["describe"], "roles": {"discriber": "twin"}}, "did you mean describer"),
        ({"paradigms": ["describe"], "roles": {"describer": "truth"}}, "only have the role inducer"),
        ({"paradigms": ["describe"], "roles": {"reasoner": "twin"}}, "only have the role describer"),
        ({"tasks": ["bongard"], "data": {"bongard": "orignal:somewhere"}}, "did you mean original"),
        ({"prompts": "nowhere.toml"}, "nowhere.toml"),
        ({"n": 0}, "at least 1"),
    ],
)
def test_a_wrong_name_is_one_clear_line(choices: dict[str, Any], line: str) -> None:
    with pytest.raises(UserError, match=line) as caught:
        plan(**choices)
    assert "\n" not in str(caught.value)
