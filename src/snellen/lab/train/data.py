"""The rows to train on: read from the folder, found to be of the right form, and given a control's answers."""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import PIL.Image
import polars as pl

from snellen.errors import UserError
from snellen.item import content_digest
from snellen.lab.reward import shuffled, unshuffled
from snellen.lab.train.recipes import TrainingRecipe
from snellen.lab.trainset.folder import KIND, MANIFEST
from snellen.lab.trainset.rows import TRL, unpacked
from snellen.subjects.local.prompting import DIGEST

Row = dict[str, Any]
_NEEDED = ("prompt", "completion", "images", "answer", "question")
_PICTURES = 512
"""So many pictures are kept decoded: more than a step shows."""
_MAKE = "make one with `snellen lab trainset d1 -o DIR`"


def manifest_of(folder: Path) -> Mapping[str, Any]:
    """What the set's manifest says; refused if the set is none, or in a form that TRL does not take."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"--data {folder}: no {MANIFEST}, so it is not a training set; {_MAKE}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"--data {folder}: its {MANIFEST} cannot be read ({error}); make the set again") from None
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise UserError(f"--data {folder}: its {MANIFEST} does not describe a training set; {_MAKE}")
    if (form := manifest.get("format")) != "trl":
        raise UserError(f"--data {folder}: its format is {form!r}; training needs --format trl")
    return manifest


def digest_of(rows: Sequence[Row]) -> str:
    """What the rows say, whichever version of a library wrote their files."""
    told = sha256()
    for row in rows:
        told.update(json.dumps([row[name] for name in _NEEDED], default=_named).encode())
    return told.hexdigest()[:12]


def _named(value: Any) -> str:
    """Bytes by their digest, so that JSON can hold them."""
    if isinstance(value, bytes):
        return content_digest(value)
    raise TypeError(f"a {type(value).__name__} in a row of a training set")


def rows_of(folder: Path) -> list[Row]:
    """All rows to train on."""
    files = sorted(folder.glob("data/train-*.parquet"))
    if not files:
        raise UserError(f"--data {folder}: no data/train-*.parquet; make the set again")
    try:
        frames = [pl.read_parquet(file) for file in files]
    except (OSError, pl.exceptions.PolarsError) as error:
        line = str(error).partition("\n")[0]
        raise UserError(f"--data {folder}: not readable as Parquet ({line}); make the set again") from None
    for file, frame in zip(files, frames, strict=True):
        for name in _NEEDED:
            if frame.schema.get(name) != TRL[name]:
                kind = frame.schema.get(name, "missing")
                raise UserError(f"{file}: column {name} is {kind}; expected a set that `snellen lab trainset` wrote")
    rows = [row for frame in frames for row in frame.iter_rows(named=True)]
    _check_rows(rows, folder)
    return rows


def _check_rows(rows: Sequence[Row], folder: Path) -> None:
    """Every row has a question that can be judged, and as many pictures as its words show."""
    if not rows:
        raise UserError(f"--data {folder}: no rows; make the set again")
    for number, row in enumerate(rows, 1):
        try:
            unpacked(row["question"])
            shown = sum(part["type"] == "image" for message in row["prompt"] for part in message["content"])
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"--data {folder}: row {number} is not a row of a training set ({error})") from None
        if shown != len(row["images"]):
            raise UserError(f"--data {folder}: row {number} shows {shown} pictures and has {len(row['images'])}")


def controlled(rows: list[Row], made: TrainingRecipe) -> list[Row]:
    """The rows as they are, or with shuffled answers if that is the control. Rows that have no other answer to get keep
    theirs: told if they are some, refused if they are most, for then it is no control."""
    if made.control != "shuffled":
        return rows
    if same := unshuffled(rows):
        problem = f"{same:,} of {len(rows):,} rows have no other row with the same answer format and a different answer"
        if 2 * same > len(rows):
            raise UserError(f"--control shuffled: {problem}; make a larger set, or (grpo) use --control random")
        warnings.warn(f"--control shuffled: {problem}, and keep their answers", stacklevel=2)
    return shuffled(rows, made.seed)


def dataset(rows: Sequence[Row]) -> Any:
    """The rows as `datasets` has them, pictures decoded when they are needed. GRPO asks for each a dozen times a step;
    decoded anew each time, that took longer than all the rest of a step of a small model."""
    from datasets import Dataset, Features, Image, List, Value

    @dataclass
    class Remembered(Image):  # type: ignore[misc]
        def decode_example(self, value: dict[str, Any], token_per_repo_id: Any = None) -> Any:
            return _opened(value["bytes"])

    text = Value("string")
    messages = List({"role": text, "content": List({"type": text, "text": text})})
    features = Features(
        prompt=messages,
        completion=messages,
        images=List(Remembered(mode="RGB")),
        **dict.fromkeys(("answer", "question"), text),
    )
    return Dataset.from_list([{name: row[name] for name in _NEEDED} for row in rows], features=features)


@lru_cache(maxsize=_PICTURES)
def _opened(data: bytes) -> PIL.Image.Image:
    with PIL.Image.open(BytesIO(data)) as picture:
        shown = picture.convert("RGB")
    shown.info = {DIGEST: content_digest(data)}
    return shown
