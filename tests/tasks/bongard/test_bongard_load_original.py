"""The original Bongard problems: six folds of twelve drawings."""

import json
from pathlib import Path

import pytest
from published_samples import SHARED, original_problem, put

from snellen.errors import UserError
from snellen.tasks.bongard.load import load

REAL = SHARED / "bongard_original"


def test_each_drawing_takes_its_turn(tmp_path: Path) -> None:
    original_problem(tmp_path / "BP/p006")
    put(tmp_path / "bp_solutions.json", {"6": ["Triangles", "Quadrangles"]})
    folds = list(load(str(tmp_path)).usable())
    assert [fold.id for fold in folds] == [f"original/p006/{k}" for k in range(6)]
    assert {fold.cluster for fold in folds} == {"original/p006"}
    assert {fold.concept for fold in folds} == {"Triangles (not: Quadrangles)"}
    for k, fold in enumerate(folds):
        assert fold.positives[-1]["file"] == f"p006/{k}.png"
        assert fold.negatives[-1]["file"] == f"p006/{k + 6}.png"
        assert {panel["file"] for panel in fold.positives} == {f"p006/{i}.png" for i in range(6)}
        assert {panel["file"] for panel in fold.negatives} == {f"p006/{i}.png" for i in range(6, 12)}


def test_solutions_beside_the_drawings_given_or_absent(tmp_path: Path) -> None:
    original_problem(tmp_path / "BP/p006")
    assert next(load(str(tmp_path / "BP")).usable()).concept == ""
    file = put(tmp_path / "elsewhere/rules.json", {"6": ["a", "b"]})
    assert next(load(f"{tmp_path}:solutions={file}").usable()).concept == "a (not: b)"
    put(tmp_path / "bp_solutions.json", {"6": ["c", "d"]})
    assert next(load(str(tmp_path / "BP")).usable()).concept == "c (not: d)"
    with pytest.raises(UserError, match="no such file"):
        load(f"{tmp_path}:solutions={tmp_path}/none.json")


def test_solutions_that_are_broken(tmp_path: Path) -> None:
    original_problem(tmp_path / "p001")
    put(tmp_path / "bp_solutions.json", {"1": ["only one"], "2": 7, "3": ["a", "b"]})
    loaded = load(str(tmp_path))
    assert len(list(loaded.usable())) == 6
    assert [line.partition(":")[0] for line in loaded.missing] == ["bp_solutions.json 1", "bp_solutions.json 2"]
    put(tmp_path / "bp_solutions.json", ["a", "b"])
    with pytest.raises(UserError, match=r"bp_solutions\.json: expected an object"):
        load(str(tmp_path))


def test_a_missing_drawing_costs_its_problem_alone(tmp_path: Path) -> None:
    original_problem(tmp_path / "p001")
    original_problem(tmp_path / "p002")
    (tmp_path / "p001/11.png").unlink()
    loaded = load(str(tmp_path))
    assert {problem.cluster for problem in loaded.usable()} == {"original/p002"}
    assert loaded.missing == ("original/p001: 1 of 12 pictures cannot be used: p001/11.png is missing",)


@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_the_published_problems() -> None:
    loaded = load(str(REAL))
    folds = list(loaded.usable())
    assert len(folds) == 1386
    assert len({fold.cluster for fold in folds}) == 231
    assert "original/p077" not in {fold.cluster for fold in folds}
    assert len({fold.cluster for fold in folds if fold.concept}) == 99
    blank = next(fold for fold in folds if fold.id == "original/p001/0")
    assert blank.concept == "Empty picture (not: Not empty picture)"
    assert loaded.picture(blank.positives[0]).data == (REAL / "BP/p001/1.png").read_bytes()
    assert all(json.dumps([*fold.positives, *fold.negatives]) for fold in folds)
