"""Data sets on disk: Hugging Face `datasets` loads them offline, and they come back as they went."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from sheet_samples import some, stimulus

from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.tasks import export
from snellen.tasks.export import Format, read_items, write_items


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    home = tmp_path_factory.mktemp("hf")
    changed = pytest.MonkeyPatch()
    for name, value in {"HF_HUB_OFFLINE": "1", "HF_HOME": str(home), "HF_DATASETS_CACHE": str(home / "sets")}.items():
        changed.setitem(os.environ, name, value)
    module = pytest.importorskip("datasets")
    changed.setattr(module.config, "HF_DATASETS_CACHE", str(home / "sets"))
    module.disable_progress_bars()
    yield module
    changed.undo()


@pytest.fixture(params=["parquet", "jsonl"])
def kind(request: pytest.FixtureRequest) -> Format:
    return request.param


def check(rows: Any, stimuli: list[Stimulus]) -> None:
    assert len(rows) == len(stimuli)
    for row, wanted in zip(rows, stimuli, strict=True):
        pictures = wanted.pictures
        assert (row["image"] is None) == (not pictures)
        if pictures:
            assert row["image"].size == (384, 384)
        assert row["item"] == wanted.item.id
        assert row["question"] == wanted.question.text
        assert (row["key"], row["labels"]) == (wanted.question.key, ["X", "O"])
        assert row["twin"] == wanted.twin
        assert (row["game"], row["rule"]) == ("tictactoe", wanted.condition["rule"])
        assert json.loads(row["truth"])["winner"] == 1
        assert [probe["key"] for probe in json.loads(row["probes"])] == [p.key for p in wanted.probes]


def test_parquet_folder_loads_with_datasets(datasets: ModuleType, tmp_path: Path) -> None:
    folder, stimuli = tmp_path / "set", some()
    assert write_items(stimuli, folder, "parquet") == len(stimuli)
    rows = datasets.load_dataset(str(folder), split="test")
    check(rows, stimuli)
    assert isinstance(rows.features["image"], datasets.Image)
    assert rows[16]["more_images"][0].size == (40, 30)


def test_parquet_files_load_with_datasets(
    datasets: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "SHARD_ROWS", 5)
    folder, stimuli = tmp_path / "set", some()
    write_items(stimuli, folder, "parquet")
    files = sorted(str(path) for path in (folder / "data").iterdir())
    assert len(files) == 4
    rows = datasets.load_dataset("parquet", data_files=files, split="train")
    check(rows, stimuli)
    assert rows[16]["more_images"][0].size == (40, 30)
    assert pl.read_parquet(files[0]).height == 5


def test_image_folder_loads_with_datasets(datasets: ModuleType, tmp_path: Path) -> None:
    folder, stimuli = tmp_path / "set", some()
    write_items(stimuli, folder, "jsonl")
    check(datasets.load_dataset("imagefolder", data_dir=str(folder), split="train"), stimuli)
    pictures = {picture.digest for each in stimuli for picture in each.pictures}
    assert {path.stem for path in (folder / "images").iterdir()} == pictures


def test_items_come_back_as_they_went(kind: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "SHARD_ROWS", 3)
    write_items(iter(some()), tmp_path / "set", kind)
    assert list(read_items(tmp_path / "set")) == some()


def test_same_items_same_files(kind: Format, tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        write_items(some(), tmp_path / name, kind)
        paths = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append({path.relative_to(tmp_path / name): path.read_bytes() for path in paths})
    assert contents[0] == contents[1]


def test_shards_are_bounded_by_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "SHARD_BYTES", 4_000)
    write_items([stimulus(n) for n in range(9)], tmp_path / "set", "parquet")
    assert 2 < len(list((tmp_path / "set" / "data").iterdir())) < 9


def test_a_failure_leaves_nothing(kind: Format, tmp_path: Path) -> None:
    def broken() -> Iterator[Stimulus]:
        yield stimulus(0)
        raise RuntimeError("out of items")

    with pytest.raises(RuntimeError, match="out of items"):
        write_items(broken(), tmp_path / "set", kind)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(kind: Format, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for folder in (tmp_path, tmp_path / "mine.txt"):
        with pytest.raises(UserError, match="exists and is not empty"):
            write_items(some(), folder, kind)
    assert (tmp_path / "mine.txt").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert write_items(some()[:1], tmp_path / "empty", kind) == 1
    assert write_items(some()[:1], tmp_path / "new" / "deep", kind) == 1


def test_no_items_is_an_error(kind: Format, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no items"):
        write_items([], tmp_path / "set", kind)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, "_write_jsonl", full)
    with pytest.raises(UserError, match="No space left on device; nothing was written"):
        write_items(some(), tmp_path / "set", "jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line_in_the_words_of_polars_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        pl.DataFrame({"a": [1]}).write_parquet("/dev/full")
        return 1

    monkeypatch.setattr(export, "_write_parquet", full)
    with pytest.raises(UserError, match=r"No space left on device.*; nothing was written"):
        write_items(some(), tmp_path / "set", "parquet")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_data_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"found no data/\*.parquet nor metadata.jsonl"):
        read_items(tmp_path)
    table = tmp_path / "metadata.jsonl"
    for content, complaint in [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: not an item"),
        ('{"file_name": null, "more_images": []}', "line 1: not an item"),
    ]:
        table.write_text(content)
        with pytest.raises(UserError, match=complaint):
            list(read_items(tmp_path))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test-00000.parquet").write_bytes(b"no table")
    with pytest.raises(UserError, match="not a readable Parquet file"):
        list(read_items(tmp_path))


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    write_items([stimulus(0)], tmp_path / "set", "jsonl")
    table = tmp_path / "set" / "metadata.jsonl"
    row = json.loads(table.read_text())
    table.write_text(json.dumps({**row, "file_name": None}))
    with pytest.raises(UserError, match="1 pictures are referenced, but 0 are there"):
        list(read_items(tmp_path / "set"))
    table.write_text(json.dumps(row))
    (tmp_path / "set" / row["file_name"]).unlink()
    with pytest.raises(UserError, match="cannot be read"):
        list(read_items(tmp_path / "set"))


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "images/../../secret.png", 7])
def test_names_in_a_data_set_are_never_paths(name: object, tmp_path: Path) -> None:
    write_items([stimulus(0)], tmp_path / "set", "jsonl")
    table = tmp_path / "set" / "metadata.jsonl"
    table.write_text(json.dumps({**json.loads(table.read_text()), "file_name": name}))
    (tmp_path / "secret.png").write_bytes(b"secret")
    with pytest.raises(UserError, match="is none of this data set's"):
        list(read_items(tmp_path / "set"))
