"""Bongard-HOI: positional lists, boxes, and pictures that are not quite where they should be."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from published_samples import SHARED, hoi_picture, hoi_problem, picture, put

from snellen.errors import UserError
from snellen.tasks.bongard.load import hoi, load
from snellen.tasks.data import Unusable

REAL = SHARED / "bongard_hoi"
SEEN = ("seen", "unseen")
SPLITS = [f"{obj}_obj_{act}_act" for obj in SEEN for act in SEEN]


@pytest.mark.parametrize("cleaned", [False, True])
def test_the_concept_is_the_last_of_three_or_four(cleaned: bool, tmp_path: Path) -> None:
    put(tmp_path / "bongard_hoi_test_unseen_obj_seen_act.json", [hoi_problem(cleaned=cleaned)])
    put(tmp_path / "images/hcvrd/a.jpg", picture("jpeg"))
    loaded = load(str(tmp_path))
    (problem,) = loaded.usable()
    assert problem.id == "hoi/bongard_hoi_test_unseen_obj_seen_act/00000"
    assert (problem.concept, problem.category) == ("hop on tv", "unseen object, seen action")
    assert len(problem.positives) == len(problem.negatives) == 7
    panel = problem.positives[0]
    assert panel == {
        "file": "hcvrd/a.jpg",
        "bytes": len(picture("jpeg")),
        "crop": [1, 1, 5, 4],
        "remade": "cropped",
        "action": "watch",
        "object": "tv",
    }
    with Image.open(BytesIO(loaded.picture(panel).data)) as image:
        assert (image.format, image.size) == ("PNG", (4, 3))


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("./vcoco/val2014/a.jpg", "vcoco/val2014/a.jpg"),
        ("pic/image/train/a.jpg", "pic/image/val/a.jpg"),
        ("./pic/image/val/a.jpg", "pic/image/train/a.jpg"),
        ("openimages/images/a.jpg", "openimages/a.jpg"),
        ("hake_images_20190730/a.jpg", "hake_images_20200614/a.jpg"),
    ],
)
def test_pictures_that_have_moved_are_found(said: str, there: str, tmp_path: Path) -> None:
    put(tmp_path / "cache/bongard_hoi_release/bongard_hoi_train.json", [hoi_problem(said)])
    put(tmp_path / "deep/down" / there, picture("jpeg", (90, 60)))
    loaded = load(str(tmp_path))
    panel = next(loaded.usable()).negatives[6]
    assert panel["file"] == there
    assert loaded.picture(panel).data


@pytest.mark.parametrize(
    ("folder", "box", "crop"),
    [
        ("openimages/images", [10, 20, 30, 40], [16, 32, 48, 60]),
        ("hcvrd", [10, 20, 30, 40], [10, 20, 30, 40]),
        ("hcvrd", [-5, -5, 300, 200], [0, 0, 90, 60]),
        ("hcvrd", [1.9, 2.1, 30.5, 40.5], [1, 2, 30, 40]),
    ],
)
def test_boxes_are_scaled_and_clipped(folder: str, box: list[float], crop: list[int], tmp_path: Path) -> None:
    problem = hoi_problem(f"{folder}/a.jpg")
    problem[1] = [hoi_picture(f"{folder}/a.jpg", box)] * 7
    put(tmp_path / "bongard_hoi_train.json", [problem])
    put(tmp_path / folder / "a.jpg", picture("jpeg", (90, 60)))
    assert next(load(str(tmp_path)).usable()).negatives[0]["crop"] == crop


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p.append(p.pop(0)), "expected seven positives|the concept"),
        (lambda p: p[0].pop(), "expected seven positives"),
        (lambda p: p[1].append(p[1][0]), "expected seven negatives"),
        (lambda p: p.pop(), "expected a list of positives"),
        (lambda p: p.__setitem__(-1, 5), "the concept, the last of the list, should be a text"),
        (lambda p: p[0][0].pop("im_path"), "1 of 14 pictures cannot be used: im_path is missing"),
        (lambda p: p[0][0].update(crop_bbox=[1, 2, 3]), "crop_bbox should be four numbers"),
        (lambda p: p[0][0].update(crop_bbox=[0, 0, True, 5]), "crop_bbox should be four numbers"),
        (lambda p: p[0][0].update(crop_bbox=[0, 0, 1e300, 5]), "crop_bbox should be in pixels"),
        (lambda p: p[0][0].update(crop_bbox=[50, 50, 60, 60]), "lies outside the picture"),
        (lambda p: p[0][0].update(crop_bbox=[5, 5, 5, 5]), "lies outside the picture"),
        (lambda p: p[0][0].update(im_path="/etc/passwd"), "points outside the data folder"),
        (lambda p: p[0][0].update(im_path="./hcvrd/b.jpg"), "hcvrd/b.jpg is missing"),
    ],
)
def test_a_broken_problem_is_one_line(change: Any, said: str, tmp_path: Path) -> None:
    bad = [[hoi_picture("hcvrd/a.jpg") for _ in range(7)] for _ in range(2)] + ["watch++tv"]
    change(bad)
    put(tmp_path / "bongard_hoi_train.json", [bad, hoi_problem()])
    put(tmp_path / "hcvrd/a.jpg", picture("jpeg"))
    loaded = load(str(tmp_path))
    assert [problem.id for problem in loaded.usable()] == ["hoi/bongard_hoi_train/00001"]
    (line,) = loaded.missing
    assert line.startswith("bongard_hoi_train.json record 1: ")

    assert re.search(said, line), line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=JSON, inner=st.dictionaries(st.sampled_from([*hoi_picture("a")]), JSON, min_size=1))
def test_no_record_whatever_gives_a_traceback(record: Any, inner: dict[str, Any], tmp_path: Path) -> None:
    problem = hoi_problem()
    problem[0] = [hoi_picture("hcvrd/none.jpg") | inner] * 7
    file = put(tmp_path / "bongard_hoi_train.json", [problem, record])
    for entry in hoi.load(file).entries:
        assert isinstance(entry, Unusable)
        assert "bongard_hoi_train.json record" in str(entry)
        assert str(entry).isprintable()


def test_test_comes_before_val_before_train(tmp_path: Path) -> None:
    put(tmp_path / "hcvrd/a.jpg", picture("jpeg"))
    for name in ("train", "val_seen_obj_seen_act", "test_seen_obj_seen_act", "test_unseen_obj_unseen_act"):
        put(tmp_path / f"bongard_hoi_{name}.json", [hoi_problem()])
    found = [problem.id.split("/")[1].removeprefix("bongard_hoi_") for problem in load(str(tmp_path)).usable()]
    assert found == ["test_seen_obj_seen_act", "test_unseen_obj_unseen_act", "val_seen_obj_seen_act", "train"]
    assert len(list(load(f"{tmp_path}:split=val").usable())) == 1


def four_splits(folder: Path) -> None:
    put(folder / "hcvrd/a.jpg", picture("jpeg"))
    put(folder / "bongard_hoi_train.json", [hoi_problem()])
    for split in SPLITS:
        problems = [hoi_problem("hcvrd/none.jpg" if i % 10 == 0 else "hcvrd/a.jpg") for i in range(80)]
        put(folder / f"bongard_hoi_test_{split}.json", problems)


@pytest.mark.soak
def test_the_papers_subset_is_fifty_problems_a_split_by_the_seed(tmp_path: Path) -> None:
    four_splits(tmp_path)

    def draw(seed: int) -> list[str]:
        return [problem.id for problem in load(f"{tmp_path}:subset=paper,seed={seed}").usable()]

    ids = draw(1)
    assert len(ids) == len(set(ids)) == 200
    assert all(sum(f"test_{split}/" in id for id in ids) == 50 for split in SPLITS)
    assert draw(1) == ids
    assert set(draw(2)) != set(ids)
    with pytest.raises(UserError, match="whole number"):
        load(f"{tmp_path}:subset=paper,seed=x")


@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_the_published_samples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in = put(tmp_path / "a.jpg", picture("jpeg", (5000, 5000)))
    monkeypatch.setattr(hoi, "_picture_file", lambda name, roots: (name, stand_in))
    loaded = load(str(REAL))
    problems = list(loaded.usable())
    assert loaded.missing == ()
    assert len(problems) == 80
    assert {problem.category for problem in problems} == {f"{obj} object, {act} action" for obj in SEEN for act in SEEN}
    for problem in problems:
        action_and_object = {f"{panel['action']} {panel['object']}".replace("_", " ") for panel in problem.positives}
        assert action_and_object == {problem.concept}
        assert problem.concept not in {f"{panel['action']} {panel['object']}" for panel in problem.negatives}
        assert not any(panel["file"].startswith("./") for panel in (*problem.positives, *problem.negatives))
