"""Data sets of other makers are audited as they lie there, and what is none gets one line."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest
from audit_plants import planted

from snellen.errors import UserError
from snellen.tasks.audit import Observation, audit_folder
from support.lengths import some_of

Rows = Sequence[Observation]


def _names(rows: Rows, folder: Path) -> list[str]:
    """The pictures as files, named by the rows' ids."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        (folder / f"{row.item}.png").write_bytes(row.pictures[0].data)
    return [f"{row.item}.png" for row in rows]


def _jsonl(rows: Rows, folder: Path) -> Path:
    names = _names(rows, folder / "pictures")
    lines = [
        json.dumps({"image": f"pictures/{name}", "question": row.words, "options": ["a", "b"], "answer": row.key})
        for name, row in zip(names, rows, strict=True)
    ]
    (folder / "test.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "test.jsonl"


def _parquet(rows: Rows, folder: Path) -> Path:
    table = [{"image": {"bytes": row.pictures[0].data, "path": None}, "Label": int(row.key)} for row in rows]
    folder.mkdir(exist_ok=True)
    pl.DataFrame(table).write_parquet(folder / "train-00000.parquet")
    return folder


def _raw_bytes(rows: Rows, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    table = pl.DataFrame([{"picture": row.pictures[0].data, "answer": row.key, "id": row.item} for row in rows])
    table.write_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


def _image_folder(rows: Rows, folder: Path) -> Path:
    names = _names(rows, folder / "train")
    lines = [json.dumps({"file_name": name, "label": row.key}) for name, row in zip(names, rows, strict=True)]
    (folder / "train" / "metadata.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def _csv_folder(rows: Rows, folder: Path) -> Path:
    names = _names(rows, folder)
    lines = [f"{name},{row.key}" for name, row in zip(names, rows, strict=True)]
    (folder / "metadata.csv").write_text("\n".join(["file_name,label", *lines]), encoding="utf-8")
    return folder


def _class_folders(rows: Rows, folder: Path) -> Path:
    for row in rows:
        place = folder / "train" / ("cat", "dog")[int(row.key)]
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{row.item}.png").write_bytes(row.pictures[0].data)
    return folder


LAYOUTS = (_jsonl, _parquet, _raw_bytes, _image_folder, _csv_folder, _class_folders)


@some_of("layout", LAYOUTS, 3)
def test_a_foreign_set_is_read_and_its_shortcut_named(layout: Callable[[Rows, Path], Path], tmp_path: Path) -> None:
    place = layout(planted("pixel", 1.0, 60), tmp_path / "set")
    report = audit_folder(place)
    assert {row.n for row in report.rows} == {60}
    assert "picture: single pixel" in {row.observer for row in report.leaks}


def test_class_folders_tell_nothing_by_their_own_order(tmp_path: Path) -> None:
    assert audit_folder(_class_folders(planted("none", 0.5, 60), tmp_path)).leaks == ()


def test_the_column_of_answers_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(json.dumps({"n": i, "truth": i % 2}) for i in range(40)), encoding="utf-8")
    assert audit_folder(path, "truth").leaks
    with pytest.raises(UserError, match="--key COLUMN"):
        audit_folder(path)
    with pytest.raises(UserError, match="verdict"):
        audit_folder(path, "verdict")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("rows.jsonl", "", "no rows"),
        ("rows.jsonl", "not json", "line 1: not JSON"),
        ("rows.jsonl", "[1]", "expected an object"),
        ("rows.jsonl", '{"answer": [1, 2]}', "must hold a single answer"),
        ("rows.jsonl", '{"answer": 1, "image": "../secret.png"}', "points outside"),
        ("rows.jsonl", '{"answer": 1, "image": "gone.png"}', "is not in"),
        ("rows.parquet", "none", "not a readable Parquet file"),
        ("notes.txt", "hello", "neither a table"),
    ],
)
def test_bad_input_is_one_clear_line(name: str, content: str, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=told) as caught:
        audit_folder(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_broken_picture_is_named_by_its_row(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no picture")
    (tmp_path / "rows.jsonl").write_text('{"answer": 1, "image": "a.png"}', encoding="utf-8")
    with pytest.raises(UserError, match=r"rows\.jsonl line 1: not a readable picture"):
        audit_folder(tmp_path)


def test_rows_whose_key_is_not_offered_are_counted_and_named(tmp_path: Path) -> None:
    rows = [
        {"question": f"Which is word {k}?", "options": [f"{word}{k}" for word in "pqrs"], "answer": "ABCDE"[k % 5]}
        for k in range(60)
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "12 of 60 rows have a key that is not among their options" in str(audit_folder(file))
