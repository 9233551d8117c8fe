"""What is computed from the records of a published folder: findings, tables, the card and the report page.

Publishing writes them and verifying writes them again, so both go through here.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from snellen.analysis.tables import render
from snellen.defaults import DEFAULT_LISTED
from snellen.engine import Store
from snellen.examine import Exam
from snellen.examine.page import page_sources
from snellen.item import Picture, Stimulus
from snellen.masking import mask
from snellen.publish.card import card
from snellen.publish.folder import CARD, FINDINGS, PAGE, STIMULI, TABLES, TRIALS
from snellen.publish.picture_box import PictureBox
from snellen.publish.records import read_parquet
from snellen.publish.remaking import Remaker
from snellen.report import shown, write_report

Row = dict[str, Any]
ASKED = ("task", "item", "levels", "pack")
"""What tells stimuli apart."""
_STIMULUS: dict[str, Any] = {
    **dict.fromkeys(("task", "item", "digest", "levels", "pack", "question", "key"), pl.String),
    "labels": pl.List(pl.String),
    "twin": pl.String,
    "pictures": pl.List(pl.String),
}


class PublishedExam(Exam):
    """The exam of a published folder. Commands that it prints name no store: that it is read from is a file of ours."""

    @property
    def fingerprints(self) -> list[dict[str, Any]]:
        return [{"exam": exam.id, **exam.fingerprint, **exam.counts} for exam in self._exams]


def trials_by_item(folder: Path) -> Iterator[Row]:
    """The trials of a published folder, those of an item and condition one after the other."""
    trials = read_parquet(folder / TRIALS)
    return trials.sort("task", "item", "exam", "levels", maintain_order=True).iter_rows(named=True)


def stimulus_row(row: Mapping[str, Any], stimulus: Stimulus) -> Row:
    """What is published of a stimulus; `row`: a trial that shows it."""
    question = stimulus.question
    return {
        **{name: row[name] for name in ASKED},
        "digest": stimulus.item.digest,
        "question": mask(question.text),
        "key": mask(question.key),
        "labels": [mask(label) for label in question.options],
        "twin": mask(stimulus.twin),
        "pictures": [part.digest for part in stimulus.shown if isinstance(part, Picture)],
    }


def write_stimuli(folder: Path, remaker: Remaker, pictures: PictureBox) -> None:
    """Every stimulus of the trials that can be made again, in a table; pictures that may be handed on are kept."""
    rows: dict[tuple[str, ...], Row] = {}
    for trial in trials_by_item(folder):
        key = tuple(trial[name] for name in ASKED)
        if key not in rows and (stimulus := remaker.remade(trial).stimulus) is not None:
            rows[key] = stimulus_row(trial, stimulus)
            if remaker.is_free(trial["task"]):
                pictures.keep(stimulus)
    pl.DataFrame([*rows.values()], schema=_STIMULUS).write_parquet(folder / STIMULI, compression="zstd")


def write_numbers(store: Path, folder: Path, manifest: Mapping[str, Any]) -> Exam:
    """Findings, tables and the card."""
    exam = PublishedExam(store)
    text = json.dumps(exam.to_json(), ensure_ascii=False, indent=1)
    _write(folder / FINDINGS, text)
    for name, table in exam.tables().items():
        _write(folder / TABLES / f"{name}.csv", render(table, "csv"))
    _write(folder / CARD, card(exam, manifest))
    return exam


def write_page(exam: Exam, folder: Path, image_of: Callable[[str], Picture | None]) -> None:
    """The report page, with the pictures that `image_of` gives."""
    rows = exam.by_task.listed(DEFAULT_LISTED)
    with Store.open(exam.store, readonly=True) as store:
        sources = page_sources(store, rows)
        sources["image_of"] = image_of
        write_report(rows, shown(exam.findings), (folder / PAGE).parent, of=exam.by_task.height, **sources)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(mask(text).rstrip("\n") + "\n", encoding="utf-8", newline="\n")
