"""The report page of an exam. What it shows of the trials of a large store is made by a second process, while this one
finds out what they say."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from snellen.beside import Beside
from snellen.engine import CallRecord, Store
from snellen.engine.soundness import trust
from snellen.examine.by_task import StoreByTask, listed_rows
from snellen.examine.findings import measures
from snellen.report import shown
from snellen.report.write import PageTrials, Sources, page_trials, write_page
from snellen.tasks.making import pool

if TYPE_CHECKING:
    from snellen.examine.result import Exam

CALLS_AHEAD = 500
"""Calls that are read at a time for a page."""


def write_exam_page(exam: "Exam", folder: Path, most: int, *, originals: bool) -> Path:
    """Write the page with at most so many trials, and `originals` of all their pictures; returns its path."""
    trials = exam.by_task
    keys = trials.listed_keys(most) if isinstance(trials, StoreByTask) and pool.cores() > 1 else ()
    listed = (exam.store, exam.subjects, exam.fingerprints, keys)
    with Beside("snellen.examine.page:large_page_trials", *listed, is_wanted=bool(keys)) as page:
        findings = shown(exam.findings)
        made: PageTrials | None = page.result
    with Store.open(exam.store, readonly=True) as store:
        if made is None:
            rows = trials.listed(most)
            made = page_trials(rows, **page_sources(store, rows))
        return write_page(made, findings, folder, originals_of=store.image if originals else None, of=trials.height)


def large_page_trials(
    path: Path, subjects: Sequence[str], fingerprints: Sequence[Mapping[str, Any]], keys: Sequence[bytes]
) -> PageTrials:
    """What the page shows of the trials whose keys begin so, of a large store that was found sound."""
    trust(path)
    with Store.open(path, readonly=True) as store:
        rows = listed_rows(store, subjects, fingerprints, keys)
        return page_trials(rows, **page_sources(store, rows))


def page_sources(store: Store, rows: pl.DataFrame) -> Sources:
    """Where the report page finds the calls, pictures and items of these trials."""
    ahead = iter(rows["calls"].explode().drop_nulls().unique(maintain_order=True).to_list())
    read: dict[str, CallRecord | None] = {}

    def call_of(key: str) -> tuple[str, str | None, str, str] | None:
        if key not in read:  # the page asks in this order: many at a time are read faster
            keys = [key, *islice(ahead, CALLS_AHEAD)]
            read.clear()
            read.update(dict.fromkeys(keys) | {call.key.hex(): call for call in store.calls(keys)})
        call = read[key]
        if call is None:
            return None
        if call.reply is None:
            return call.request, None, call.message or call.problem, ""
        return call.request, call.reply.text, call.reply.finish, call.reply.reasoning

    tasks = rows["task"].unique().to_list()

    def facts_of(item: str) -> Mapping[str, Any]:
        versions = store.items_named(item)
        return versions[-1][1] if versions else {}

    return {
        "call_of": call_of,
        "image_of": store.image,
        "facts_of": facts_of,
        "thresholds": [task for task in tasks if measures(task)],
    }
