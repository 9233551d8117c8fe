"""Winoground in both of its forms, from samples of our own in the same format."""

import json
import sys
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from snellen.errors import UserError
from snellen.tasks import panels
from snellen.tasks.winoground.load import OBTAIN, load

TAGS = Path(__file__).parents[3] / ".." / "shared" / "data" / "winoground" / "new_tag_assignments.json"


def picture(colour: Any, kind: str = "png", mode: str = "RGB") -> bytes:
    file = BytesIO()
    Image.new(mode, (8, 6), colour).save(file, kind)
    return file.getvalue()


def record(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "image_0": f"ex_{number}_img_0",
        "image_1": f"ex_{number}_img_1",
        "caption_0": "the dog chases the cat",
        "caption_1": "the cat chases the dog",
        "tag": "Noun, Adjective-Age",
        "secondary_tag": "Symbolic, Series",
        "num_main_preds": 1,
        "collapsed_tag": "Object",
        **more,
    }


def lines(folder: Path, *records: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "examples.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def names(*numbers: int) -> list[str]:
    return [f"ex_{number}_img_{k}.png" for number in numbers for k in (0, 1)]


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def archive(path: Path, files: dict[str, bytes]) -> None:
    with ZipFile(path, "w", compression=8) as packed:
        for name, data in files.items():
            packed.writestr(name, data)


def parquet(path: Path, *records: dict[str, Any], **columns: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            **record,
            "image_0": {"bytes": picture((record["id"], 0, 0)), "path": "a.png"},
            "image_1": {"bytes": picture((0, record["id"], 0)), "path": None},
        }
        | columns
        for record in records
    ]
    pl.DataFrame(rows, schema_overrides={"id": pl.Int32}).write_parquet(path)


def test_lines_and_a_folder_of_pictures(tmp_path: Path) -> None:
    lines(tmp_path / "data", record(0), record(7))
    for i, name in enumerate(names(0, 7)):
        put(tmp_path / "data/images" / name, picture((i, 0, 0)))
    loaded = load(str(tmp_path))
    first, second = loaded.usable()
    assert (first.id, second.id) == ("published/0000", "published/0007")
    assert first.captions == ("the dog chases the cat", "the cat chases the dog")
    assert first.tags == {
        "tag": ("Noun", "Adjective-Age"),
        "collapsed": ("Object",),
        "secondary": ("Symbolic", "Series"),
        "predicates": ("1",),
        "hard": (),
    }
    assert [loaded.picture(panel).data for panel in second.panels] == [picture((2, 0, 0)), picture((3, 0, 0))]
    assert loaded.missing == ()


@pytest.mark.parametrize("inner", ["", "images/"])
def test_lines_and_an_archive_that_is_never_unpacked(inner: str, tmp_path: Path) -> None:
    lines(tmp_path / "data", record(0), record(1))
    archive(
        tmp_path / "data/images.zip", {inner + name: picture("red") for name in names(0)} | {"../../evil.png": b"x"}
    )
    before = sorted(tmp_path.rglob("*"))
    loaded = load(str(tmp_path))
    (sample,) = loaded.usable()
    assert sample.panels[1]["member"] == f"{inner}ex_0_img_1.png"
    assert loaded.picture(sample.panels[1]).data == picture("red")
    (line,) = loaded.missing
    assert line == "examples.jsonl line 2: 2 of 2 pictures cannot be used: ex_1_img_0.png is missing"
    assert sorted(tmp_path.rglob("*")) == before
    assert not (tmp_path.parent / "evil.png").exists()


def test_pictures_elsewhere(tmp_path: Path) -> None:
    lines(tmp_path / "a", record(0))
    for name in names(0):
        put(tmp_path / "b" / name.replace(".png", ".jpg"), picture("red", "jpeg"))
    archive(tmp_path / "c.zip", {name: picture("blue") for name in names(0)})
    for images, media in (("b", "image/jpeg"), ("c.zip", "image/png")):
        loaded = load(f"{tmp_path / 'a'}:images={tmp_path / images}")
        assert loaded.picture(next(loaded.usable()).panels[0]).media_type == media
    with pytest.raises(UserError, match="no such"):
        load(f"{tmp_path / 'a'}:images={tmp_path / 'd.zip'}")


def test_parquet_with_the_pictures_inside(tmp_path: Path) -> None:
    parquet(tmp_path / "data/test-00000-of-00002.parquet", *(record(i) for i in range(45)))
    parquet(tmp_path / "data/test-00001-of-00002.parquet", record(45))
    loaded = load(str(tmp_path))
    samples = list(loaded.usable())
    assert [sample.id for sample in samples] == [f"published/{i:04d}" for i in range(46)]
    assert loaded.picture(samples[41].panels[0]).data == picture((41, 0, 0))
    assert loaded.picture(samples[45].panels[1]).data == picture((0, 45, 0))
    assert samples[41].tags["secondary"] == ("Symbolic", "Series")
    assert loaded.missing == ()


def test_cells_without_a_picture(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", record(0), image_1={"bytes": None, "path": "x"})
    parquet(tmp_path / "b.parquet", record(1), image_0={"bytes": b"<html>", "path": "x"})
    parquet(tmp_path / "c.parquet", record(2))
    loaded = load(str(tmp_path))
    assert [sample.id for sample in loaded.usable()] == ["published/0002"]
    empty, broken = loaded.missing
    assert empty == "a.parquet row 1: 1 of 2 pictures cannot be used: image_1 holds no picture"
    assert broken.startswith("b.parquet row 1: 1 of 2 pictures cannot be used: image_0 is not a readable picture")


def test_transparent_pictures_are_laid_on_white_on_record(tmp_path: Path) -> None:
    lines(tmp_path, record(0))
    archive(tmp_path / "images.zip", {name: picture((0, 0, 0, 0), mode="RGBA") for name in names(0)})
    loaded = load(str(tmp_path))
    panel = next(loaded.usable()).panels[0]
    assert panel["remade"] == "was transparent"
    with Image.open(BytesIO(loaded.picture(panel).data)) as image:
        assert image.getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "0"}, "id should be a whole number"),
        ({"id": -1}, "id should be a whole number"),
        ({"id": 3}, "published/0003: is a duplicate"),
        ({"caption_1": None}, "caption_1 should be a text"),
        ({"image_0": 5}, "image_0 should be a text"),
        ({"image_0": "../../x"}, "points outside the data folder"),
        ({"image_0": "/x"}, "points outside the data folder"),
    ],
)
def test_a_broken_record_is_one_line(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    lines(tmp_path, record(3), record(4) | change)
    for name in names(3, 4):
        put(tmp_path / "images" / name, picture("red"))
    loaded = load(str(tmp_path))
    assert [sample.id for sample in loaded.usable()] == ["published/0003"]
    (line,) = loaded.missing
    assert said in line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=JSON, changes=st.dictionaries(st.sampled_from([*record(0)]), JSON, max_size=3))
def test_no_record_whatever_gives_a_traceback(whole: Any, changes: dict[str, Any], tmp_path: Path) -> None:
    lines(tmp_path, record(0), whole, record(1) | changes)
    for name in names(0):
        put(tmp_path / "images" / name, picture("red"))
    loaded = load(str(tmp_path))
    assert next(loaded.usable()).id == "published/0000"
    assert 1 <= len(loaded.missing) <= 2
    assert all(line.isprintable() for line in loaded.missing)


def test_archives_that_lie_or_are_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines(tmp_path, record(0), record(1))
    archive(
        tmp_path / "images.zip", {name: picture("red") for name in names(0)} | {name: bytes(9999) for name in names(1)}
    )
    monkeypatch.setattr(sys.modules[load.__module__], "LARGEST", 5000)
    assert "larger than" in load(str(tmp_path)).missing[0]
    monkeypatch.setattr(panels, "LARGEST", 20)
    loaded = load(str(tmp_path))
    with pytest.raises(UserError, match="larger than"):
        loaded.picture(next(loaded.usable()).panels[0])
    (tmp_path / "images.zip").write_bytes(b"PK nonsense")
    with pytest.raises(UserError, match=r"images\.zip: not a readable zip archive"):
        load(str(tmp_path))


@pytest.mark.parametrize("name", ["test-0.parquet", "nothing.txt"])
def test_what_is_no_winoground(name: str, tmp_path: Path) -> None:
    put(tmp_path / name, b"PAR1 not really")
    with pytest.raises(UserError, match=r"test-0\.parquet: not a readable|neither examples\.jsonl") as caught:
        load(str(tmp_path))
    assert "\n" not in str(caught.value)


def test_nothing_usable_says_how_to_get_it(tmp_path: Path) -> None:
    lines(tmp_path, record(0))
    with pytest.raises(UserError) as caught:
        load(str(tmp_path))
    assert OBTAIN in str(caught.value)
    with pytest.raises(UserError, match="did you mean tags"):
        load(f"{tmp_path}:tag=x")


def test_the_hub_gates_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class GatedRepoError(OSError):
        pass

    def snapshot_download(*_: Any, **__: Any) -> str:
        raise GatedRepoError("403")

    library = ModuleType("huggingface_hub")
    library.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", library)
    with pytest.raises(UserError, match=r"accept the terms at .*/facebook/winoground"):
        load("facebook/winoground")


def test_later_tags_beside_the_data_or_given(tmp_path: Path) -> None:
    parquet(tmp_path / "a/data/test.parquet", record(0))
    tags = tmp_path / "new_tag_assignments.json"
    tags.write_text('{"0": ["Unusual Image"]}')
    assert next(load(f"{tmp_path / 'a'}:tags={tags}").usable()).tags["hard"] == ("Unusual Image",)
    tags.rename(tmp_path / "a" / tags.name)
    assert next(load(str(tmp_path / "a")).usable()).tags["hard"] == ("Unusual Image",)
    (tmp_path / "a" / tags.name).write_text('{"0": "x"}')
    with pytest.raises(UserError, match="expected an object"):
        load(str(tmp_path / "a"))


@pytest.mark.skipif(not TAGS.is_file(), reason="the published tags are not here")
def test_the_published_later_tags(tmp_path: Path) -> None:
    lines(tmp_path, *(record(i) for i in range(400)))
    archive(tmp_path / "images.zip", {name: picture("red") for name in names(*range(400))})
    samples = list(load(f"{tmp_path}:tags={TAGS}").usable())
    found = [tag for sample in samples for tag in sample.tags["hard"]]
    assert sum(not sample.tags["hard"] for sample in samples) == 172
    assert {tag: found.count(tag) for tag in ("Complex Reasoning", "Non Minimal")} == {
        "Complex Reasoning": 78,
        "Non Minimal": 30,
    }
