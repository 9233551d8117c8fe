"""Sets as JSON lines with pictures in files beside them: what LLaMA-Factory and ms-swift read.

DIR/train.jsonl, test.jsonl    messages with `<image>` where a picture stands, and the pictures' files, in order
DIR/images/DIGEST.png          each picture once, as the bytes that were drawn
DIR/dataset_info.json          LLaMA-Factory's description of the two, by the set's name
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from snellen.item import Stimulus
from snellen.lab.trainset.rows import lines_row
from snellen.tasks.export import file_name


def write_lines(stimuli: Iterable[Stimulus], folder: Path, split: str, form: str) -> None:
    """Write a split, one row a line, and its pictures."""
    (folder / "images").mkdir(exist_ok=True)
    with (folder / f"{split}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for stimulus in stimuli:
            for picture in stimulus.pictures:
                path = folder / file_name(picture)
                if not path.exists():
                    path.write_bytes(picture.data)
            file.write(json.dumps(lines_row(stimulus, form), ensure_ascii=False) + "\n")


def dataset_info(name: str, splits: Iterable[str]) -> Mapping[str, Any]:
    """LLaMA-Factory's `dataset_info.json`: the training rows go by the set's name, those held out by `NAME_test`."""
    columns = {"messages": "messages", "images": "images"}
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    return {
        name if split == "train" else f"{name}_{split}": {
            "file_name": f"{split}.jsonl",
            "formatting": "sharegpt",
            "columns": columns,
            "tags": tags,
        }
        for split in splits
    }
