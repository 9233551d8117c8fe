"""The published VLMBias: counterfactual pictures with counting questions; nothing of it is kept here.

Two forms are read: the Hub's Parquet files, one or more a split with the pictures inside, and a folder of example
pictures with a file of labels, a line each (`image`, `topic`, `sub_topic`, and by question `prompts`, `ground_truth`,
`expected_bias`).

What to know about it:

1. A row is one picture at one size (384, 768 or 1152 pixels) under one wording: Q1 "How many", Q2 "Count". All rows of
   one picture are of one cluster. The third question, "Is this an animal with 4 legs?", makes splits of its own.
2. The paper that flips and renames takes four of the seven topics of `main`: animals 546 rows, logos 414, flags 240,
   game boards 168. Other topics are left out unless `topics=all`.
3. `original` has the unmodified pictures: the usual number is the right one there, and no habit can show.
4. Some labels are alike in every row of a topic (every bird has three legs): the words alone give the answer away.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

from snellen.errors import UserError
from snellen.tasks.data import (
    Loaded,
    Unusable,
    between,
    check_options,
    chosen,
    distinct,
    files_with,
    folder_of,
    parse_where,
    place_of,
    records,
    text_at,
    value_at,
    with_something,
)
from snellen.tasks.panels import Panel, Unfit, file_panel, look, picture_bytes, shown
from snellen.tasks.parquet import parquet_files, parquet_rows

OPTIONS = ("split", "topics", "images")
SPLITS = ("main", "original", "identification", "withtitle", "remove_background_q1q2", "remove_background_q3")
PAPER_TOPICS = {"Animals": "animals", "Logos": "marks", "Flags": "flags", "Game Boards": "boards"}
"""The four topics of the paper, by the names that generated items have for them."""
QUESTIONS = ("Q1", "Q2", "Q3")
CREDIT = "VLMBias (Vo et al. 2025), MIT by its repository; logos are trademarks of their owners"
OBTAIN = (
    "VLMBias: give anvo25/vlms-are-biased (on the Hugging Face Hub), or a folder with its Parquet files, or with"
    " labels.jsonl and the example pictures it names"
)
_NEEDED = ("ID", "image", "topic", "prompt", "ground_truth", "expected_bias", "type_of_question")
_OF_SPLIT = re.compile(r"(?P<split>[a-z0-9_]+?)(?:-\d{5}-of-\d{5})?\.parquet")
_SIZE = re.compile(r"_(?:px)?(?P<pixel>\d{3,4})$")

Entries = Iterator["Published | Unusable"]


@dataclass(frozen=True, slots=True)
class Published:
    """One question about one picture. `picture` names the picture whatever its size; `usual` is the habit's answer."""

    id: str
    split: str
    topic: str
    sub_topic: str
    question: str
    prompt: str
    answer: str
    usual: str
    pixel: str
    picture: str
    panel: Panel
    notes: tuple[str, ...] = ()


def load(where: str) -> Loaded[Published]:
    """The set at `PLACE[:OPTION=VALUE,...]`.

    Options: `split` (main unless given), `topics` (paper, the four of it, unless all), `images` (the folder of the
    example pictures, if it is not beside the labels).
    """
    asked = parse_where(where)
    check_options(asked, OPTIONS)
    split = chosen(asked.options, "split", SPLITS) or "main"
    everything = chosen(asked.options, "topics", ("paper", "all")) == "all"
    place = place_of(asked.place, OBTAIN)
    parquet = parquet_files(place, _NEEDED)
    files = parquet or files_with(place, (".jsonl",), b'"expected_bias"')
    if not files:
        raise UserError(f"{place}: neither Parquet files with the columns of VLMBias nor labels.jsonl; {OBTAIN}")
    near = tuple(dict.fromkeys(folder for file in files for folder in between(place, file)))
    roots = folder_of(asked.options, "images") or near
    if parquet:
        of_split = [file for file in parquet if _split_of(file) in (split, "")]
        if not of_split:
            known = ", ".join(sorted({_split_of(file) for file in parquet}))
            raise UserError(f"{place}: no split {split} in it, only {known}; give PLACE:split=NAME")
        entries: Callable[[], Entries] = partial(_parquet_entries, of_split, near, split)
    else:
        entries = partial(_label_entries, files, roots, split)
    loaded = Loaded(
        lambda: distinct(entry for entry in entries() if everything or _of_paper(entry)), roots, CREDIT, "a picture"
    )
    with_something(loaded, place, OBTAIN)
    return loaded


def _of_paper(entry: Published | Unusable) -> bool:
    return isinstance(entry, Unusable) or entry.topic in PAPER_TOPICS.values()


def _record_or_why(what: str, make: Callable[[], Published]) -> Published | Unusable:
    try:
        return make()
    except Unfit as fault:
        return Unusable(what, str(fault))


def _record(
    name: str, split: str, topics: tuple[str, str], asked: tuple[str, str, str, str], picture: str, panel: Panel
) -> Published:
    """The record of a row; Unfit if it is no question with an answer. `asked`: question, prompt, answer, usual."""
    topic, sub_topic = topics
    question, prompt, answer, usual = (text.strip() for text in asked)
    if question not in QUESTIONS:
        raise Unfit(f"type_of_question is {shown(question)!r}; expected one of {', '.join(QUESTIONS)}")
    if not (answer.isdecimal() or answer.lower() in ("yes", "no")):
        raise Unfit(f"ground_truth is {shown(answer)!r}; expected a number, Yes or No")
    base, pixel = _without_size(picture)
    return Published(
        id=f"{split}/{name}-{question}-{pixel}",
        split=split,
        topic=PAPER_TOPICS.get(topic, topic.lower()),
        sub_topic=sub_topic,
        question=question,
        prompt=prompt,
        answer=answer,
        usual=usual,
        pixel=pixel,
        picture=base,
        panel=panel,
        notes=tuple(_notes(split, prompt, answer, usual)),
    )


def _without_size(picture: str) -> tuple[str, str]:
    """A picture's name without its size, and the size."""
    path = PurePosixPath(picture)
    size = _SIZE.search(path.stem)
    return (str(path.with_name(path.stem[: size.start()])), size["pixel"]) if size else (str(path.with_suffix("")), "")


def _notes(split: str, prompt: str, answer: str, usual: str) -> Iterator[str]:
    if "[" in prompt:
        yield "a placeholder in brackets was left in the question"
    if split == "main" and answer == usual:
        yield "the answer is the usual number, so no habit can show"
    if split == "original" and answer != usual:
        yield "the picture is called unmodified, but its answer is not the usual number"


# Example pictures with a file of labels


def _label_entries(files: list[Path], roots: tuple[Path, ...], split: str) -> Entries:
    """The counting questions, or those of identification, of every line."""
    wanted = {"main": QUESTIONS[:2], "identification": QUESTIONS[2:]}.get(split)
    if wanted is None:
        raise UserError(f"split={split}: example pictures have the splits main and identification only")
    for path in files[:1]:
        for entry in records(path):
            if isinstance(entry, Unusable):
                yield entry
            else:
                what, label = entry
                for question in wanted:
                    yield _record_or_why(f"{what}, {question}", partial(_labelled, label, question, roots, split))


def _labelled(label: Any, question: str, roots: tuple[Path, ...], split: str) -> Published:
    image = text_at(label, "image")
    asked = tuple(text_at(value_at(label, key), question) for key in ("prompts", "ground_truth", "expected_bias"))
    topics = text_at(label, "topic"), text_at(label, "sub_topic")
    panel = file_panel(roots, image)
    return _record(f"{value_at(label, 'id')}", split, topics, (question, asked[0], asked[1], asked[2]), image, panel)


# The Hub's form: Parquet with the pictures inside


def _split_of(path: Path) -> str:
    found = _OF_SPLIT.fullmatch(path.name)
    return found["split"] if found and found["split"] in SPLITS else ""


def _parquet_entries(files: list[Path], roots: tuple[Path, ...], split: str) -> Entries:
    for path in files:
        for row, record in enumerate(parquet_rows(path)):
            yield _record_or_why(f"{path.name} row {row + 1}", partial(_cell, path, row, record, roots, split))


def _cell(path: Path, row: int, record: Any, roots: tuple[Path, ...], split: str) -> Published:
    data = picture_bytes(record["image"])
    if data is None:
        raise Unfit("image holds no picture")
    seen = look(BytesIO(data), "image")
    name = next((path.relative_to(root) for root in roots if root in path.parents), Path(path.name)).as_posix()
    panel = {"file": name, "row": row, "column": "image", "bytes": len(data), "crop": None, "remade": seen.remade}
    asked = tuple(text_at(record, key) for key in ("type_of_question", "prompt", "ground_truth", "expected_bias"))
    topics = text_at(record, "topic"), str(record.get("sub_topic") or "")
    picture = str(record.get("image_path") or f"{record['ID']}_{record.get('pixel') or ''}")
    return _record(text_at(record, "ID"), split, topics, (asked[0], asked[1], asked[2], asked[3]), picture, panel)
