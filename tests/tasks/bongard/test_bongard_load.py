"""Which set is meant, and what the user is told when there is none."""

from pathlib import Path

import pytest
from published_samples import (
    SHARED,
    hoi_problem,
    logo_problem,
    openworld_pictures,
    openworld_record,
    original_problem,
    picture,
    put,
)

from snellen.errors import UserError
from snellen.tasks.bongard.load import KINDS, load
from snellen.tasks.data import Where, parse_where


def make(kind: str, folder: Path) -> None:
    if kind == "openworld":
        record = openworld_record("0001")
        openworld_pictures(folder, record)
        put(folder / "whatever.json", [record])
    elif kind == "hoi":
        put(folder / "cache/annotations.json", [hoi_problem()])
        put(folder / "hcvrd/a.jpg", picture("jpeg"))
    elif kind == "logo":
        logo_problem(folder / "ShapeBongard_V2/hd/images/hd_convex_0004")
    else:
        original_problem(folder / "BP/p006")


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_recognised_or_said_outright(kind: str, tmp_path: Path) -> None:
    make(kind, tmp_path)
    for where in (str(tmp_path), f"{kind}:{tmp_path}"):
        problems = list(load(where).usable())
        assert {problem.source for problem in problems} == {kind}
        loaded = load(where)
        assert loaded.missing == ()
        for problem in problems:
            assert len({*map(len, (problem.positives, problem.negatives))}) == 1
            assert all(loaded.picture(panel).data for panel in (*problem.positives, *problem.negatives))


def test_two_kinds_in_one_folder_must_be_told_apart(tmp_path: Path) -> None:
    make("openworld", tmp_path / "a")
    make("original", tmp_path / "b")
    with pytest.raises(UserError, match="openworld and original; say which"):
        load(str(tmp_path))
    assert next(load(f"original:{tmp_path}").usable()).source == "original"


def test_a_folder_with_none_says_what_each_looks_like(tmp_path: Path) -> None:
    put(tmp_path / "notes.json", {"hello": 1})
    with pytest.raises(UserError, match=r"no Bongard set.*openworld: .*hoi: .*logo: .*original: "):
        load(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_usable_says_how_to_get_it(kind: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load(f"{kind}:{tmp_path}")
    assert KINDS[kind].OBTAIN in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        load(f"openworld:{tmp_path}/not/there")


def test_where_is_taken_apart(tmp_path: Path) -> None:
    said = parse_where("openworld:a/b:split=test,images=/x/y,z", KINDS)
    assert said == Where("openworld", "a/b", {"split": "test", "images": "/x/y,z"})
    assert parse_where("C:/data/hoi", KINDS) == Where("", "C:/data/hoi", {})
    odd = tmp_path / "a:split=test"
    odd.mkdir()
    assert parse_where(f"hoi:{odd}", KINDS) == Where("hoi", str(odd), {})


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("splt=test", "did you mean split"),
        ("split=tset", "did you mean test"),
        ("subset=all", "known: paper"),
        ("images=/not/there", "no such folder"),
    ],
)
def test_options_are_checked(option: str, said: str, tmp_path: Path) -> None:
    make("openworld", tmp_path)
    with pytest.raises(UserError, match=said):
        load(f"openworld:{tmp_path}:{option}")


def test_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    make("original", tmp_path / "set")
    put(tmp_path / "rules.json", {"6": ["a", "b"]})
    assert next(load("~/set:solutions=~/rules.json").usable()).concept == "a (not: b)"


def test_a_file_may_be_given_itself(tmp_path: Path) -> None:
    make("openworld", tmp_path)
    assert len(list(load(str(tmp_path / "whatever.json")).usable())) == 1


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published files are not here")
def test_the_published_files_are_recognised() -> None:
    for kind, module in KINDS.items():
        found = [name for name, other in KINDS.items() if other.recognise(SHARED / f"bongard_{kind}")]
        assert found == [kind], module
