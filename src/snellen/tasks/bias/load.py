"""The published VLMBias: counterfactual pictures with counting questions; nothing of it is kept here.

Two forms are read: the Hub's Parquet files, one or more a split with the pictures inside, and a folder of example
pictures with a file of labels, a line each (`image`, `topic`, `sub_topic`, and by question `prompts`, `ground_truth`,
`expected_bias`).

What to know about it:

1. A row is one picture at one size (`pixel`: 384, 768 or 1152) under one wording: Q1 "How many", Q2 "Count". All rows
   of one picture are of one cluster. The third question, "Is this an animal with 4 legs?", makes splits of its own.
2. The paper that flips and renames takes four of the seven topics of `main`: animals 546 rows, logos 414, flags 240,
   game boards 168. Other topics are left out unless `topics=all`.
3. `original` has the unmodified pictures: the usual number is the right one there, and no habit can show. It is read
   along with `main` where it is there: a habit shows in the difference.
4. Some labels are alike in every row of a topic (every bird has three legs): the words alone give the answer away.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from snellen.errors import UserError, unknown
from snellen.item import content_digest
from snellen.tasks.data import (
    LoadedSet,
    Unusable,
    between,
    check_options,
    chosen,
    files_with,
    image_folder,
    parse_where,
    place_of,
    records,
    text_at,
    usable_or_why,
    value_at,
    with_something,
)
from snellen.tasks.panels import Panel, Unfit, cell_panel, file_panel, shown
from snellen.tasks.parquet import parquet_files, parquet_rows

OPTIONS = ("split", "topics", "images")
MAIN, ORIGINAL = "main", "original"
SPLITS = (MAIN, ORIGINAL, "identification", "withtitle", "remove_background_q1q2", "remove_background_q3")
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
_DIGITS = 9
_SIZE = re.compile(r"_(?:px)?(?P<pixel>\d{3,4})$")

Entries = Iterator["PublishedCount | Unusable"]


@dataclass(frozen=True, slots=True)
class PublishedCount:
    """One question about one picture. `picture` names the picture whatever its size; `usual` is the habit's answer.
    `content` tells rows of one id apart that are not the same."""

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
    content: str
    notes: tuple[str, ...] = ()


def load(where: str) -> LoadedSet[PublishedCount]:
    """The set at `PLACE[:OPTION=VALUE,...]`.

    Options: `split` (one, or several as in main+original; unless given, these two as far as they are there),
    `topics` (paper, the four of it, unless all), `images` (the folder of the example pictures, if it is not beside the
    labels).
    """
    asked = parse_where(where)
    check_options(asked, OPTIONS)
    splits = _chosen_splits(asked.options.get("split", ""))
    everything = chosen(asked.options, "topics", ("paper", "all")) == "all"
    place = place_of(asked.place, OBTAIN)
    parquet = parquet_files(place, _NEEDED)
    files = parquet or files_with(place, (".jsonl",), b'"expected_bias"')
    if not files:
        raise UserError(f"{place}: neither Parquet files with the columns of VLMBias nor labels.jsonl; {OBTAIN}")
    near = tuple(dict.fromkeys(folder for file in files for folder in between(place, file)))
    roots = image_folder(asked.options) or near
    if parquet:
        entries: Callable[[], Entries] = partial(_parquet_entries, _of_splits(place, parquet, splits), near)
    else:
        entries = partial(_label_entries, files, roots, splits or (MAIN,))
    loaded = LoadedSet(
        lambda: _told_apart(entry for entry in entries() if everything or _of_paper(entry)), roots, CREDIT, "a picture"
    )
    with_something(loaded, place, OBTAIN)
    return loaded


def _chosen_splits(given: str) -> tuple[str, ...]:
    splits = tuple(given.split("+")) if given else ()
    for split in splits:
        if split not in SPLITS:
            raise unknown("value of the data option split", split, SPLITS)
    return splits


def _of_splits(place: Path, files: list[Path], splits: tuple[str, ...]) -> list[tuple[Path, str]]:
    """The files of these splits, each with its split. A file whose name tells none is of the first."""
    there = {split: [file for file in files if _split_of(file) == split] for split in ("", *SPLITS)}
    wanted = splits or (MAIN, *([ORIGINAL] if there[ORIGINAL] else []))
    pairs = [(file, split) for split in wanted for file in there[split]] + [(file, wanted[0]) for file in there[""]]
    for split in wanted:
        if split not in {own for _, own in pairs}:
            available = ", ".join(sorted(own for own in SPLITS if there[own]))
            raise UserError(f"{place}: no split {split} in it, only {available}; give PLACE:split=NAME")
    return pairs


def _told_apart(entries: Entries) -> Entries:
    """The same entries with ids of their own: a row that is there twice is reported, another of the same id gets a
    number."""
    seen: dict[str, list[str]] = {}
    for entry in entries:
        if isinstance(entry, Unusable):
            yield entry
            continue
        contents = seen.setdefault(entry.id, [])
        if entry.content in contents:
            yield Unusable(entry.id, "is a duplicate; the first one is used")
        else:
            contents.append(entry.content)
            yield entry if len(contents) == 1 else replace(entry, id=f"{entry.id}-{len(contents)}")


def is_number(answer: str) -> bool:
    """Whether an answer is a number that somebody could have counted."""
    return answer.isdecimal() and len(answer) <= _DIGITS


def _of_paper(entry: PublishedCount | Unusable) -> bool:
    return isinstance(entry, Unusable) or entry.topic in PAPER_TOPICS.values()


@dataclass(frozen=True, slots=True)
class _Row:
    """A row as either form of the set has it, before it is looked at."""

    name: str
    split: str
    topic: str
    sub_topic: str
    question: str
    prompt: str
    answer: str
    usual: str
    picture: str
    pixel: str


def _record(row: _Row, panel: Panel, shown_bytes: bytes) -> PublishedCount:
    """The record of a row; Unfit if it is no question with an answer."""
    question, prompt, answer, usual = (text.strip() for text in (row.question, row.prompt, row.answer, row.usual))
    if question not in QUESTIONS:
        raise Unfit(f"type_of_question is {shown(question)!r}; expected one of {', '.join(QUESTIONS)}")
    if not (is_number(answer) or answer.lower() in ("yes", "no")):
        raise Unfit(f"ground_truth is {shown(answer)!r}; expected a number, Yes or No")
    picture, pixel = _without_size(row.picture, row.pixel)
    return PublishedCount(
        id=f"{row.split}/{row.name}-{question}-{pixel}",
        split=row.split,
        topic=PAPER_TOPICS.get(row.topic, row.topic.lower()),
        sub_topic=row.sub_topic,
        question=question,
        prompt=prompt,
        answer=answer,
        usual=usual,
        pixel=pixel,
        picture=picture,
        panel=panel,
        content=content_digest(prompt, answer, picture, shown_bytes),
        notes=tuple(_notes(row.split, prompt, answer, usual)),
    )


def _without_size(picture: str, pixel: str) -> tuple[str, str]:
    """A picture's name without its size, and the size: as the row says it, else as the name does."""
    path = PurePosixPath(picture)
    size = _SIZE.search(path.stem)
    pixel = pixel or (size["pixel"] if size else "")
    stem = path.stem[: size.start()] if size and size["pixel"] == pixel else path.stem
    folders = [name for name in path.parent.parts if name.removeprefix("px").removesuffix("px") != pixel]
    return str(PurePosixPath(*folders, stem)), pixel


def _notes(split: str, prompt: str, answer: str, usual: str) -> Iterator[str]:
    if "[" in prompt:
        yield "the question contains an unfilled placeholder"
    if split == "main" and answer == usual:
        yield "the answer is the usual number, so it cannot reveal a habit"
    if split == "original" and answer != usual:
        yield "the picture is called unmodified, but its answer is not the usual number"


# Example pictures with a file of labels


def _label_entries(files: list[Path], roots: tuple[Path, ...], splits: tuple[str, ...]) -> Entries:
    """The counting questions, or those of identification, of every line."""
    by_split = {MAIN: QUESTIONS[:2], "identification": QUESTIONS[2:]}
    if other := [split for split in splits if split not in by_split]:
        raise UserError(f"split={other[0]}: example pictures have the splits {' and '.join(by_split)} only")
    for path in files[:1]:
        for entry in records(path):
            if isinstance(entry, Unusable):
                yield entry
                continue
            what, label = entry
            for split in splits:
                for question in by_split[split]:
                    yield usable_or_why(f"{what}, {question}", partial(_labelled, label, question, roots, split))


def _labelled(label: Any, question: str, roots: tuple[Path, ...], split: str) -> PublishedCount:
    image = text_at(label, "image")
    prompt, answer, usual = (
        text_at(value_at(label, key), question) for key in ("prompts", "ground_truth", "expected_bias")
    )
    topic, sub_topic = text_at(label, "topic"), text_at(label, "sub_topic")
    row = _Row(f"{value_at(label, 'id')}", split, topic, sub_topic, question, prompt, answer, usual, image, "")
    return _record(row, file_panel(roots, image), image.encode())


# The Hub's form: Parquet with the pictures inside


def _split_of(path: Path) -> str:
    match = _OF_SPLIT.fullmatch(path.name)
    return match["split"] if match and match["split"] in SPLITS else ""


def _parquet_entries(files: list[tuple[Path, str]], roots: tuple[Path, ...]) -> Entries:
    for path, split in files:
        for row, record in enumerate(parquet_rows(path)):
            yield usable_or_why(f"{path.name} row {row + 1}", partial(_cell, path, row, record, roots, split))


def _cell(path: Path, row: int, record: Any, roots: tuple[Path, ...], split: str) -> PublishedCount:
    name = next((path.relative_to(root) for root in roots if root in path.parents), Path(path.name)).as_posix()
    panel, data = cell_panel(name, row, record, "image")
    texts = (text_at(record, key) for key in ("type_of_question", "prompt", "ground_truth", "expected_bias"))
    topics = text_at(record, "topic"), str(record.get("sub_topic") or "")
    picture, pixel = str(record.get("image_path") or record["ID"]), str(record.get("pixel") or "")
    question, prompt, answer, usual = texts
    row_of = _Row(text_at(record, "ID"), split, *topics, question, prompt, answer, usual, picture, pixel)
    return _record(row_of, panel, data)
