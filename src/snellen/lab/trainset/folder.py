"""A training set on disk.

    DIR/data/train-00000.parquet, test-00000.parquet   the rows, in the paper's order, pictures inside
                                                       (or JSON lines, pictures beside them: `lines`)
    DIR/README.md                                      what `datasets.load_dataset("DIR")` goes by
    DIR/manifest.json                                  seeds, counts, digests, settings
    DIR/trained_on.json                                keys of the items trained on, for exams of any seed to leave out
    DIR/exam/                                          what is held out, for `snellen exam --data TASK=DIR/exam`

The tidy format is that of `snellen make`, a folder each for train and test. The same seed gives the same bytes. All is
written beside the folder wanted and takes its name when it is whole.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import polars as pl

from snellen import __version__
from snellen.item import Stimulus
from snellen.lab.trainset.lines import dataset_info, write_lines
from snellen.lab.trainset.rows import TRL, UNSLOTH, VERL, Row, checked, trl_row, unsloth_row, verl_row
from snellen.subjects.trained_on import training_key, write_trained_on
from snellen.tasks.export import IMAGE, check_free, shards, whole_folder, write_items, write_typed
from snellen.tasks.making.source import source_digest
from snellen.tasks.training import Trainset, shown_in

Form = Literal["trl", "verl", "llamafactory", "ms-swift", "unsloth", "parquet"]
FORMATS: tuple[Form, ...] = get_args(Form)
IN_LINES = ("llamafactory", "ms-swift")
"""Formats that are JSON lines with pictures in files."""
MANIFEST = "manifest.json"
KIND = "snellen trainset"
_SPLITS = ("train", "test")

Watch = Callable[[Iterable[Stimulus], int | None, str], Iterator[Stimulus]]


def _unwatched(things: Iterable[Stimulus], total: int | None, label: str) -> Iterator[Stimulus]:
    return iter(things)


class _Layout(NamedTuple):
    columns: Mapping[str, pl.DataType]
    row: Callable[[Stimulus, str, int], Row]


_LAYOUTS = {"trl": _Layout(TRL, trl_row), "verl": _Layout(VERL, verl_row), "unsloth": _Layout(UNSLOTH, unsloth_row)}


def write_trainset(made: Trainset, folder: Path, form: Form = "trl", watch: Watch = _unwatched) -> dict[str, Any]:
    """Write the set into a new or empty folder; its manifest."""
    check_free(folder)
    counted = {split: RowCounts() for split in _SPLITS}
    dropped: list[str] = []
    with whole_folder(folder) as unfinished:
        held_out = list(watch(made.test(), None, "held out"))
        rows = {
            "train": watch(checked(made.train(), shown_in(held_out), dropped), made.size, "training set"),
            "test": iter(held_out),
        }
        for split, stimuli in rows.items():
            _write_split(counted[split].noting(stimuli), unfinished, split, form)
        if form != "parquet":
            sizes = {split: counted[split].rows for split in _SPLITS if counted[split].rows}
            (unfinished / "README.md").write_text(_card(made, form, sizes), encoding="utf-8")
        if form == "llamafactory":
            info = dataset_info(made.name, [split for split in _SPLITS if counted[split].rows])
            (unfinished / "dataset_info.json").write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")
        write_trained_on(unfinished, counted["train"].keys)
        if made.exam is not None:
            write_items(made.exam(), unfinished / "exam", "parquet")
        manifest = _manifest(made, form, counted, dropped, unfinished)
        (unfinished / MANIFEST).write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return manifest


class RowCounts:
    """Counts rows, answers and kinds as they pass by."""

    def __init__(self) -> None:
        self.rows = 0
        self.items: set[str] = set()
        self.pictures: set[str] = set()
        self.answers: Counter[str] = Counter()
        self.keys: dict[str, set[str]] = {}
        """What was trained on, by task: see `snellen.subjects.trained_on`."""

    def noting(self, stimuli: Iterable[Stimulus]) -> Iterator[Stimulus]:
        for stimulus in stimuli:
            self.rows += 1
            if stimulus.item.id not in self.items:
                self.items.add(stimulus.item.id)
                self.keys.setdefault(stimulus.item.task, set()).add(training_key(stimulus.item))
            self.pictures.update(picture.digest for picture in stimulus.pictures)
            kind = stimulus.item.levels.get("game") or stimulus.item.levels.get("kind") or stimulus.item.task
            self.answers[f"{kind}: {stimulus.question.key}"] += 1
            yield stimulus

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "items": len(self.items),
            "pictures": len(self.pictures),
            "answers": dict(sorted(self.answers.items())),
        }


def _write_split(stimuli: Iterator[Stimulus], folder: Path, split: str, form: Form) -> None:
    first = next(stimuli, None)
    if first is None:
        return
    everything = chain([first], stimuli)
    if form == "parquet":
        write_items(everything, folder / split, "parquet")
        return
    if form in IN_LINES:
        write_lines(everything, folder, split, form)
        return
    layout = _LAYOUTS[form]
    (folder / "data").mkdir(exist_ok=True)
    index = 0
    for number, shard in enumerate(shards(everything)):
        rows = [layout.row(stimulus, split, index + k) for k, stimulus in enumerate(shard)]
        index += len(rows)
        path = folder / "data" / f"{split}-{number:05}.parquet"
        features = {name: _feature(kind) for name, kind in layout.columns.items()}
        write_typed(pl.DataFrame(rows, schema=dict(layout.columns)), path, features)


def _feature(kind: Any) -> Any:
    if kind == IMAGE:
        return {"mode": "RGB", "_type": "Image"}
    if isinstance(kind, pl.List):
        return {"feature": _feature(kind.inner), "_type": "List"}
    if isinstance(kind, pl.Struct):
        return {field.name: _feature(field.dtype) for field in kind.fields}
    return {"dtype": "int64" if kind == pl.Int64 else "string", "_type": "Value"}


_USE_ANY = """\
    from datasets import load_dataset
    rows = load_dataset("this/folder", split="train")"""
_USE = {
    "llamafactory": "    llamafactory-cli train ... --dataset_dir this/folder --dataset {name}",
    "ms-swift": "    ROOT_IMAGE_DIR=this/folder swift sft ... --dataset this/folder/train.jsonl",
}


def _card(made: Trainset, form: Form, sizes: Mapping[str, int]) -> str:
    path = "{}.jsonl" if form in IN_LINES else "data/{}-*.parquet"
    files = "\n".join(f"  - split: {split}\n    path: {path.format(split)}" for split in sizes)
    held = ""
    if made.exam is not None:
        held = f"\nWhat is held out: `snellen exam SUBJECT --tasks {made.task} --data {made.task}=this/folder/exam`.\n"
    return f"""---
configs:
- config_name: default
  data_files:
{files}
---

# {made.name}, made by Snellen

{made.about[:1].upper()}{made.about[1:]}. Rows in the form of {form}; `manifest.json` says how they were made.

{_USE.get(form, _USE_ANY).format(name=made.name)}
{held}"""


def _manifest(
    made: Trainset, form: Form, counted: Mapping[str, RowCounts], dropped: list[str], folder: Path
) -> dict[str, Any]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        "kind": KIND,
        "name": made.name,
        "about": made.about,
        "task": made.task,
        "format": form,
        "seed": made.seed,
        "order": "as made: game by game, rule by rule, item by item; `snellen lab train --seed` shuffles",
        "train": counted["train"].as_json(),
        "test": counted["test"].as_json(),
        "left_out": {"rows": len(dropped), "why": "their pictures are held out", "items": sorted(set(dropped))[:20]},
        "settings": made.settings,
        "source": source_digest(),
        "version": __version__,
        "sha256": {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files},
    }
