"""Bongard-OpenWorld in all its forms."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from published_samples import SHARED, openworld_pictures, openworld_record, picture, put

from snellen.errors import UserError
from snellen.tasks.bongard.load import load, openworld
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import Unusable, records
from snellen.tasks.panels import file_panel

REAL = SHARED / "bongard_openworld"
IN_WHOLE = (741, 27, 25, 58, 30, 15, 28, 20, 19, 47)
BY_SPLIT = {
    "train": (450, 17, 16, 33, 18, 8, 19, 13, 11, 25),
    "val": (146, 4, 5, 11, 7, 3, 3, 3, 4, 14),
    "test": (145, 6, 4, 14, 5, 4, 6, 4, 4, 8),
}


def split_files(folder: Path) -> None:
    for split, uids in {"train": ("0003", "0001"), "val": ("0000",), "test": ("0002",)}.items():
        records = [openworld_record(uid) for uid in uids]
        openworld_pictures(folder, *records)
        put(folder / f"bongard_ow_{split}.json", records)


def test_three_split_files_come_out_by_uid(tmp_path: Path) -> None:
    split_files(tmp_path)
    problems = list(load(str(tmp_path)).usable())
    assert [problem.id for problem in problems] == [f"openworld/000{i}" for i in range(4)]
    assert [problem.id for problem in load(f"{tmp_path}:split=train").usable()] == [
        "openworld/0001",
        "openworld/0003",
    ]
    first = problems[0]
    assert (first.cluster, first.concept, first.category) == (first.id, "A red thing.", "colour, material, shape")
    assert [panel["file"].split("/")[2][:6] for panel in first.positives] == [f"pos__{i}" for i in range(7)]
    assert [panel["file"].split("/")[2][:6] for panel in first.negatives] == [f"neg__{i}" for i in range(7)]


@pytest.mark.parametrize(
    ("caption", "rule"),
    [("A perched mantis on a plant.", "A perched mantis on a plant."), ("", "red thing"), (None, "red thing")],
)
def test_the_caption_is_the_true_rule(tmp_path: Path, caption: str | None, rule: str) -> None:
    record = openworld_record("0001", caption=caption)
    openworld_pictures(tmp_path, record)
    put(tmp_path / "bongard_ow.json", [record])
    (problem,) = load(str(tmp_path)).usable()
    assert problem.concept == rule


def test_the_union_with_addresses_comes_before_the_splits(tmp_path: Path) -> None:
    split_files(tmp_path)
    record = openworld_record("0001", urls=[f"https://x.org/{i}" for i in range(14)])
    put(tmp_path / "bongard_ow.json", [record])
    loaded = load(str(tmp_path))
    (problem,) = loaded.usable()
    assert problem.negatives[6]["url"] == "https://x.org/13"
    assert loaded.picture(problem.positives[0]).media_type == "image/webp"


def test_one_record_a_line_as_on_the_hub(tmp_path: Path) -> None:
    records = [openworld_record("0001"), openworld_record("0000")]
    openworld_pictures(tmp_path / "data", *records)
    put(tmp_path / "data/train.jsonl", records)
    assert len(list(load(str(tmp_path)).usable())) == 2


def test_pictures_elsewhere(tmp_path: Path) -> None:
    record = openworld_record("0001")
    openworld_pictures(tmp_path / "b", record)
    file = put(tmp_path / "a/bongard_ow_test.json", [record])
    for images in ("b", "b/images"):
        loaded = load(f"{file}:images={tmp_path / images}")
        assert loaded.picture(next(loaded.usable()).positives[3]).data


def test_missing_pictures_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    records = [openworld_record(f"000{i}") for i in range(4)]
    openworld_pictures(tmp_path, *records[:3])
    (tmp_path / records[0]["imageFiles"][2]).unlink()
    put(tmp_path / records[1]["imageFiles"][13], b"<html>gone</html>")
    put(tmp_path / "bongard_ow_val.json", records)
    loaded = load(str(tmp_path))
    assert [problem.id for problem in loaded.usable()] == ["openworld/0002"]
    gone, broken, none = loaded.missing
    assert gone.startswith("openworld/0000 (bongard_ow_val.json record 1): 1 of 14 pictures")
    assert "is missing" in gone
    assert "openworld/0001 (bongard_ow_val.json record 2): 1 of 14" in broken
    assert "not a readable picture" in broken
    assert "record 4): 14 of 14" in none


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"uid": 8}, "uid should be a text, but is a number"),
        ({"uid": "\x1b[31m../../x"}, "uid should be four digits"),
        ({"commonSense": 0}, "commonSense should be a text"),
        ({"commonSense": "10"}, "commonSense should be a digit"),
        ({"concept": None}, "concept should be a text, but is nothing"),
        ({"imageFiles": "images"}, "imageFiles should be a list of texts"),
        ({"imageFiles": ["a.jpg"] * 13}, "imageFiles has 13 entries; 14 are expected"),
        (
            {"imageFiles": [f"images/{side}__0.jpg" for side in ("neg", "pos") for _ in range(7)]},
            "seven positives, then",
        ),
        ({"imageFiles": ["../../../etc/passwd"] * 14}, "points outside the data folder"),
        ({"urls": ["x"]}, "urls has 1 entries"),
    ],
)
def test_a_broken_record_is_one_line(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    good, bad = openworld_record("0001"), openworld_record("0002") | change
    openworld_pictures(tmp_path, good)
    put(tmp_path / "bongard_ow_test.json", [good, bad])
    loaded = load(str(tmp_path))
    assert len(list(loaded.usable())) == 1
    (line,) = loaded.missing
    assert "bongard_ow_test.json record 2" in line
    assert said in line
    assert line.isprintable()


def test_a_uid_twice_and_lines_that_are_no_json(tmp_path: Path) -> None:
    record = openworld_record("0001")
    openworld_pictures(tmp_path, record)
    put(tmp_path / "train.jsonl", [record, record])
    with (tmp_path / "train.jsonl").open("ab") as file:
        file.write(b"\n{not json\n" + b"[" * 100_000 + b"\n\xff\xfe\n")
    loaded = load(str(tmp_path))
    assert len(list(loaded.usable())) == 1
    assert [line.partition(":")[0] for line in loaded.missing] == [f"train.jsonl line {i}" for i in (2, 4, 5, 6)]
    assert "uid 0001 was there already" in loaded.missing[0]


@pytest.mark.parametrize("content", ['[{"imageFiles": ', '{"imageFiles": 3}', '"imageFiles"'])
def test_a_broken_file_is_named(content: str, tmp_path: Path) -> None:
    put(tmp_path / "bongard_ow_test.json", content)
    with pytest.raises(UserError, match=r"bongard_ow_test\.json: (not JSON|expected a JSON array)") as caught:
        load(str(tmp_path))
    assert "\n" not in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_record_whatever_gives_a_traceback(data: st.DataObject, tmp_path: Path) -> None:
    keys = st.sampled_from([*openworld_record("0001"), "urls"])
    record = data.draw(JSON | st.just("a record"))
    if record == "a record":
        record = openworld_record("0001") | data.draw(st.dictionaries(keys, JSON, max_size=3))
        for key in data.draw(st.sets(keys, max_size=2)):
            record.pop(key, None)
    file = put(tmp_path / "bongard_ow_test.json", [record, {"imageFiles": []}])
    entries = list(openworld.load(file).entries)
    assert len(entries) == 2
    for entry in entries:
        assert isinstance(entry, Unusable)
        assert "bongard_ow_test.json record" in str(entry)
        assert str(entry).isprintable()


def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every picture of the published set, none of which is here, as there."""
    panel = lambda roots, *names: {"file": names[0], "crop": None, "remade": ""}  # noqa: E731
    monkeypatch.setattr(openworld, "file_panel", panel)


def counts(problems: list[Problem]) -> tuple[int, ...]:
    found = Counter(problem.category for problem in problems)
    return tuple(found[category] for category in openworld.CATEGORIES)


@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_the_published_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    pretended(monkeypatch)
    problems = list(load(str(REAL)).usable())
    assert [problem.id for problem in problems] == [f"openworld/{i:04d}" for i in range(1010)]
    assert counts(problems) == IN_WHOLE
    assert load(str(REAL)).missing == ()
    for split, categories in BY_SPLIT.items():
        assert counts(list(load(f"{REAL}:split={split}").usable())) == categories


@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_the_papers_subset(monkeypatch: pytest.MonkeyPatch) -> None:
    pretended(monkeypatch)
    problems = list(load(f"{REAL}:subset=paper").usable())
    assert len(problems) == 250
    assert problems[-1].id == "openworld/0249"
    assert tuple(2 * n for n in counts(problems)) == (366, 14, 14, 36, 12, 10, 10, 4, 8, 26)


@pytest.mark.soak
@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_every_published_name_can_be_a_file(tmp_path: Path) -> None:
    loaded = openworld.load(REAL)
    assert sum(1 for _ in loaded.entries) == len(loaded.missing) == 1010
    assert all("14 of 14 pictures cannot be used: images/" in line and "is missing" in line for line in loaded.missing)
    names = [name for _, record in records(REAL / "bongard_ow_val.json") for name in record["imageFiles"]]
    for name in sorted(names, key=lambda name: -len(name.encode()))[:50]:
        put(tmp_path / name, picture("png"))
        assert file_panel((tmp_path,), name)["file"] == name
