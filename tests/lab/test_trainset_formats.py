"""Sets in the forms of other trainers: by our own reading of their docs, and by their own loaders where installed."""

import json
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from snellen.answer import mark
from snellen.errors import UserError
from snellen.item import Picture
from snellen.lab.trainset import FORMATS, write_trainset
from snellen.lab.trainset.folder import Form
from snellen.lab.trainset.rows import lines_row, unpacked
from snellen.tasks.fixation.trainsets import of_split
from snellen.tasks.training import of_task
from support.later import later

datasets = later("datasets")
later("torch")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of boards, in each form; 8 rows to train on, of one game."""
    root = tmp_path_factory.mktemp("sets")
    for form in FORMATS:
        write_trainset(of_split("d1", states=2, held_out=2), root / form, form)
    return root


def rows_of(folder: Path, split: str = "train") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("form", ["llamafactory", "ms-swift"])
def test_lines_hold_a_conversation_and_name_its_pictures(written: Path, form: Form) -> None:
    pictures = {path.relative_to(written / form).as_posix() for path in (written / form / "images").iterdir()}
    shown = set()
    for split, many in (("train", 16), ("test", 16)):
        rows = rows_of(written / form, split)
        assert len(rows) == many
        for row in rows:
            user, assistant = row["messages"]
            assert (user["role"], assistant["role"]) == ("user", "assistant")
            assert user["content"].count("<image>") == len(row["images"]) == 1
            assert mark(assistant["content"], unpacked(row["question"])).outcome == "right"
            shown.update(row["images"])
    assert shown == pictures
    with Image.open(written / form / rows_of(written / form)[0]["images"][0]) as image:
        assert image.size == (384, 384)


def test_lines_hold_the_pictures_of_the_parquet_in_the_same_order(written: Path) -> None:
    loaded = datasets.load_dataset(str(written / "trl"), split="train").cast_column(
        "images", datasets.Sequence(datasets.Image(decode=False))
    )
    for row, line in zip(loaded, rows_of(written / "ms-swift"), strict=True):
        files = [(written / "ms-swift" / name).read_bytes() for name in line["images"]]
        assert [picture["bytes"] for picture in row["images"]] == files
        assert (line["item"], line["answer"]) == (row["item"], row["answer"])


def test_llama_factorys_description_names_files_columns_and_tags(written: Path) -> None:
    told = json.loads((written / "llamafactory" / "dataset_info.json").read_text())
    assert list(told) == ["d1", "d1_test"]
    for split, entry in zip(("train", "test"), told.values(), strict=True):
        assert entry["file_name"] == f"{split}.jsonl"
        row = rows_of(written / "llamafactory", split)[0]
        assert set(entry["columns"].values()) <= set(row)
        roles, content = entry["tags"]["role_tag"], entry["tags"]["content_tag"]
        assert [message[roles] for message in row["messages"]] == [entry["tags"]["user_tag"], "assistant"]
        assert all(message[content] for message in row["messages"])
    assert not (written / "ms-swift" / "dataset_info.json").exists()


def test_unsloths_rows_are_conversations_of_parts_with_pictures_beside(written: Path) -> None:
    rows = datasets.load_dataset(str(written / "unsloth"), split="train")
    row = rows[1]
    assert [[part["type"] for part in message["content"]] for message in row["messages"]] == [
        ["image", "text"],
        ["text"],
    ]
    assert [message["role"] for message in row["messages"]] == ["user", "assistant"]
    assert row["images"][0].size == (384, 384)
    assert mark(row["messages"][1]["content"][0]["text"], unpacked(row["question"])).outcome == "right"


def test_each_form_has_the_same_exam_and_manifest(written: Path) -> None:
    manifests = [json.loads((written / form / "manifest.json").read_text()) for form in FORMATS]
    assert [manifest["format"] for manifest in manifests] == list(FORMATS)
    assert len({json.dumps(manifest["train"], sort_keys=True) for manifest in manifests}) == 1
    assert len({manifest["sha256"]["exam/data/test-00000.parquet"] for manifest in manifests}) == 1
    assert {"train.jsonl", "dataset_info.json"} <= set(manifests[FORMATS.index("llamafactory")]["sha256"])


def test_words_that_would_be_read_as_a_picture_are_refused() -> None:
    stimulus = next(of_task("winoground", n=1, held_out=0).train())
    hostile = replace(stimulus, demonstrations=("<image>",))
    with pytest.raises(UserError, match="contains <image>, which ms-swift reads as a picture; use --format trl"):
        lines_row(hostile, "ms-swift")
    assert any(isinstance(part, Picture) for part in stimulus.parts)


# Their own loaders


@pytest.mark.soak
def test_llama_factory_loads_it(written: Path) -> None:
    pytest.importorskip("llamafactory")
    from llamafactory.data.loader import _load_single_dataset
    from llamafactory.data.parser import get_dataset_list

    folder = str(written / "llamafactory")
    (described,) = get_dataset_list(["d1"], folder)
    asked = SimpleNamespace(
        dataset_dir=folder, media_dir=folder, streaming=False, max_samples=None, preprocessing_num_workers=None,
        overwrite_cache=True,
    )  # fmt: skip
    model = SimpleNamespace(cache_dir=str(written / "cache"), hf_hub_token=None)
    loaded = _load_single_dataset(described, model, asked, SimpleNamespace(local_process_index=0))
    assert len(loaded) == 16
    for row, line in zip(loaded, rows_of(written / "llamafactory"), strict=True):
        assert [*row["_prompt"], *row["_response"]] == line["messages"]
        assert row["_images"] == [os.path.join(folder, name) for name in line["images"]]  # noqa: PTH118 - as it does


@pytest.mark.soak
def test_ms_swift_loads_it(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("swift")
    from swift.dataset import load_dataset
    from swift.template.vision_utils import load_image

    loaded, _ = load_dataset(str(written / "ms-swift" / "train.jsonl"))
    assert len(loaded) == 16
    monkeypatch.setenv("ROOT_IMAGE_DIR", str(written / "ms-swift"))
    for row, line in zip(loaded, rows_of(written / "ms-swift"), strict=True):
        told = [{name: message[name] for name in ("role", "content")} for message in row["messages"]]
        assert told == line["messages"]
        assert [image["path"] for image in row["images"]] == line["images"]
        with Image.open(written / "ms-swift" / line["images"][0]) as drawn:
            assert load_image(row["images"][0]["path"]).tobytes() == drawn.convert("RGB").tobytes()


@pytest.mark.soak
def test_unsloths_collator_takes_it(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("unsloth_zoo")
    monkeypatch.setenv("UNSLOTH_IS_PRESENT", "1")
    import torch
    from unsloth_zoo.vision_utils import UnslothVisionDataCollator

    from snellen.subjects.local.loading import load
    from tiny_models import make

    loaded = load(make("qwen2_5_vl", tmp_path / "model"))
    rows = datasets.load_dataset(str(written / "unsloth"), split="train")
    batch = UnslothVisionDataCollator(loaded.model, loaded.processor)([rows[0], rows[1]])
    assert len(batch["image_grid_thw"]) == 2
    assert torch.isfinite(loaded.model(**{name: batch[name] for name in batch}).loss)
