"""A subject is not examined on what it was trained on, whatever the seed.

Boards are compared here by arrays that are turned and flipped with numpy: nothing of it is the code that is checked.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen import exam
from snellen.call import Abilities
from snellen.engine import Store
from snellen.errors import UserError
from snellen.examine import make_plan
from snellen.item import Item
from snellen.lab.trainset import write_trainset
from snellen.subjects import subject
from snellen.subjects.trained_on import FILE, read_trained_on, trained_on, training_key, write_trained_on
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.fixation.pools import pool
from snellen.tasks.fixation.states import items
from snellen.tasks.fixation.trainsets import of_split
from support.fakes import FakeSubject
from support.lengths import few_and_more

STATES, HELD_OUT = 256, 16


def board(item: Item) -> np.ndarray:
    truth = item.truth
    return np.array([int(cell) for cell in truth["cells"]], dtype="u1").reshape(truth["rows"], truth["columns"])


def same_for_all_views(item: Item) -> tuple[str, bytes]:
    """The game, and the least of the sixteen arrays that a board is: turned, flipped, players exchanged."""
    plain = board(item)
    sides = (plain, np.choose(plain, [0, 2, 1]).astype("u1"))
    turned = [np.rot90(side, turn) for side in sides for turn in range(4)]
    return item.levels["game"], min(view.tobytes() for one in turned for view in (one, np.fliplr(one)))


@cache
def taught() -> tuple[Item, ...]:
    """What a small d1 trains on."""
    return tuple(item for name in GAMES for item in pool(name, STATES, HELD_OUT, 0).train)


@cache
def trained() -> frozenset[tuple[str, bytes]]:
    return frozenset(map(same_for_all_views, taught()))


@cache
def asked(seed: int, n: int) -> tuple[Item, ...]:
    return tuple(items({"game": tuple(GAMES)}, n, seed))


def pupil(*more: Item) -> FakeSubject:
    """Always says the same, and was trained on the set."""
    keys = frozenset(training_key(item) for item in (*taught(), *more))
    return FakeSubject("X", name="pupil", abilities=Abilities(trained_on={"fixation": keys}))


@few_and_more("seed", [1], [0, 7, 20_261])
def test_an_exam_of_any_seed_asks_no_board_that_was_trained_on(seed: int) -> None:
    plan = make_plan(pupil(), tasks="fixation", n=HELD_OUT, seed=seed)
    left = {item.id for item in asked(seed, HELD_OUT) if same_for_all_views(item) in trained()}
    held = {trial.item.id for trial in plan.trials()}
    assert held == {item.id for item in asked(seed, HELD_OUT)} - left
    assert {name for found in plan.trained_items for name in found.items} == left
    assert bool(left) == (seed != 0)  # those of the set's own seed are held out
    assert plan.size == sum(1 for _ in plan.trials())


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_at_the_papers_size_an_exam_of_any_seed_asks_no_board_that_was_trained_on(seed: int) -> None:
    made = [item for name in GAMES for item in pool(name, 1024, 300, 0).train]
    keys = {"fixation": frozenset(map(training_key, made))}
    arrays = set(map(same_for_all_views, made))
    student = FakeSubject("X", name="pupil", abilities=Abilities(trained_on=keys))
    plan = make_plan(student, tasks="fixation", n=30, seed=seed)
    held: dict[str, Any] = {trial.item.id: trial.item for trial in plan.trials()}
    assert not any(same_for_all_views(item) in arrays for item in held.values())
    assert len(held) + sum(len(found.items) for found in plan.trained_items) == 120


@pytest.mark.soak
def test_what_was_left_out_is_said_in_the_findings_and_the_report(tmp_path: Path) -> None:
    other = FakeSubject("X", name="base")
    result = exam([other, pupil()], tasks="fixation", n=12, seed=1, store=tmp_path / "a.sqlite")
    left = [item.id for item in asked(1, 12) if same_for_all_views(item) in trained()]
    assert left
    by_subject = {name: set(own["item"]) for (name,), own in result.rows.group_by("subject")}
    assert len(by_subject["base"]) == 48
    assert by_subject["base"] - by_subject["pupil"] == set(left)
    line = f"{len(left)} of 48 items excluded: they were in its training set."
    told = {diagnosis.subject: diagnosis.details for diagnosis in result.findings.diagnoses}
    assert line in told["pupil"]
    assert not any("training set" in detail for detail in told["base"])
    assert result.to_json()["fingerprints"][0]["trained_on"] == {"pupil": {"fixation": {"left_out": left, "of": 48}}}
    page = result.report(tmp_path / "page")
    assert line in page.read_text(encoding="utf-8")


def test_trials_that_an_earlier_version_held_on_such_boards_no_longer_count(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    untold = FakeSubject("X", name="pupil")
    before = set(exam(untold, tasks="fixation", n=12, seed=1, store=store).rows["item"])
    after = exam(pupil(), tasks="fixation", n=12, seed=1, store=store)
    left = {item.id for item in asked(1, 12) if same_for_all_views(item) in trained()}
    assert before - set(after.rows["item"]) == left
    with Store.open(store, readonly=True) as opened:
        assert left < set(opened.rows()["item"])  # nothing is lost


@pytest.mark.soak
def test_tracks_pass_over_boards_that_were_trained_on(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {
        "tasks": "fixation",
        "design": "adaptive",
        "n": 12,
        "seed": 1,
        "levels": {"game": ("connect4",)},
    }
    result = exam(pupil(), store=tmp_path / "a.sqlite", **chosen)
    base = exam(FakeSubject("X", name="base"), store=tmp_path / "b.sqlite", **chosen)
    small = {item.id: item for item in asked(1, 60) if item.levels["game"] == "connect4"}
    met = {name for name, item in small.items() if same_for_all_views(item) in trained()}
    assert met & set(base.rows["item"])
    assert not met & set(result.rows["item"])


def test_an_exam_of_nothing_but_trained_boards_is_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match="8 of 8 fixation items excluded: they were in its training set"):
        make_plan(pupil(*asked(1, 2)), tasks="fixation", n=2, seed=1)


# ---- the record


def test_a_training_set_has_a_key_for_every_class_of_its_boards_and_no_more(tmp_path: Path) -> None:
    made = of_split("d3", states=16, held_out=4)
    write_trainset(made, tmp_path / "d3")
    classes = {same_for_all_views(stimulus.item) for stimulus in made.train()}
    assert len(read_trained_on(tmp_path / "d3")["fixation"]) == len(classes) > 16


def folders(tmp_path: Path) -> Iterator[Path]:
    for name in ("base", "out", "out/adapter", "out/checkpoints/checkpoint-16"):
        (tmp_path / name).mkdir(parents=True)
        yield tmp_path / name


def test_an_adapter_is_known_by_the_record_beside_it_and_by_that_of_its_base(tmp_path: Path) -> None:
    base, out, adapter, checkpoint = folders(tmp_path)
    write_trained_on(base, {"fixation": ["a"]})
    assert trained_on(base, None) == trained_on(base, adapter) == {"fixation": {"a"}}
    (out / "recipe.json").write_text("{}")
    assert trained_on(base, adapter) is None  # trained by an earlier version
    write_trained_on(out, {"fixation": ["b"], "bias": ["c"]})
    for place in (adapter, checkpoint):
        assert trained_on(base, place) == {"fixation": {"a", "b"}, "bias": {"c"}}
    write_trained_on(base, None)
    assert trained_on(base, adapter) is None


def test_a_training_that_nobody_recorded_is_said(tmp_path: Path) -> None:
    untold = FakeSubject("X", name="pupil", abilities=Abilities(trained_on=None))
    plan = make_plan(untold, tasks="fixation", n=2)
    assert [str(found) for found in plan.trained_items] == [
        "pupil: its training items are not recorded; some fixation items may be among them"
    ]
    result = exam(untold, tasks="fixation", n=2, store=tmp_path / "a.sqlite")
    assert any("not recorded" in detail for detail in result.findings.diagnoses[0].details)


# ---- the bundled model


def test_the_bundled_model_learnt_from_no_board_of_the_exams_it_is_held_out_from() -> None:
    record = subject("local/tiny").abilities.trained_on["fixation"]
    for seed in (0, 991):
        assert not {training_key(item) for item in asked(seed, 40)} & record
    assert sum(training_key(item) in record for item in asked(1, 40)) > 10


def test_a_broken_record_is_one_line(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps([1]))
    with pytest.raises(UserError, match="unreadable"):
        read_trained_on(tmp_path)
