"""What a record says twice, or what follows from its item: held together, so that no copy can be changed alone."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from snellen.engine import CallRecord
from snellen.item import Item
from snellen.ladder import SETTING
from snellen.masking import mask
from snellen.publish.comparison import Difference
from snellen.publish.folder import TRIALS

Row = Mapping[str, Any]
_ONE_TRIAL = ("exam", "task", "item", "subject", "paradigm", "levels", "sample", "pack")
"""What no two trials of a store share."""


def record_differences(row: Row, records: Sequence[CallRecord], exam: Mapping[str, Any]) -> Iterator[Difference]:
    """Where the call that was answered was not of the subject, settings or repetition that the trial and its exam
    name. `exam`: the fingerprint."""
    if not records:
        return
    full, request = records[-1].subject, json.loads(records[-1].request)
    called = exam.get("names", {}).get(full, full)
    if row["subject"].partition(" [")[0] != called or request["subject"] != full:
        yield Difference("subject", called, row["subject"])
    if request.get("sample", 0) != row["sample"]:
        yield Difference("sample", str(request.get("sample", 0)), str(row["sample"]))
    levels = json.loads(row["levels"])
    for name, value in exam.get("settings", {}).get(full, {}).items():
        if SETTING + name not in levels and request["settings"].get(name) != value:
            yield Difference(f"setting {name} in the manifest", str(request["settings"].get(name)), str(value))


def item_differences(row: Row, item: Item) -> Iterator[Difference]:
    """Where levels and cluster of a trial are not those of its item."""
    levels = json.loads(row["levels"])
    for name, level in item.levels.items():
        if levels.get(name) != mask(level):
            yield Difference(f"level {name}", level, str(levels.get(name)))
    if row["cluster"] != mask(item.cluster or item.id):
        yield Difference("cluster", item.cluster or item.id, row["cluster"])


def table_differences(trials: pl.DataFrame, exams: Sequence[Mapping[str, Any]]) -> Iterator[Difference]:
    """Trials that occur twice, and fewer trials than an exam counted."""
    for row in trials.filter(trials.select(_ONE_TRIAL).is_duplicated()).head(5).iter_rows(named=True):
        yield Difference(f"trial {row['trial'][:12]}", "one trial of its item, condition and subject", "another one")
    counted = max((exam["counts"].get("trials", 0) for exam in exams), default=0)
    if trials.height < counted:
        yield Difference(TRIALS, f"at least {counted:,} trials, as the exam counted", f"{trials.height:,}")
