"""Verification of a published folder: nothing in it is taken on trust that can be computed from something else.

1. Files: every file has the digest that the manifest gives.
2. Replies: every trial is held again with its recorded replies and read again (`rereading.py`).
3. Items: every item is made again from its seed; truths, questions, keys, twins and digests of pictures are compared.
4. Figures: trials, findings, tables, card and report page are computed again from the records alone.

Digests only show damage: whoever changes a file can write a new manifest. The other checks do not read them.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from snellen import __version__
from snellen.call import key_of
from snellen.engine import CallRecord, Store
from snellen.engine.checksums import COLUMNS
from snellen.engine.schema import DamagedStore
from snellen.engine.tables import table_rows
from snellen.errors import UserError, unknown
from snellen.examine.stored import question_on_record
from snellen.item import Question, Stimulus
from snellen.paradigms import PARADIGMS
from snellen.plugins import where
from snellen.publish.comparison import Difference, file_differences
from snellen.publish.consistency import item_differences, record_differences, table_differences
from snellen.publish.derived import ASKED, stimulus_row, trials_by_item, write_numbers, write_page
from snellen.publish.folder import (
    CALLS,
    CARD,
    FINDINGS,
    ITEMS,
    PAGE,
    PICTURES,
    STIMULI,
    TABLES,
    TRIALS,
    changed_files,
    digest_of,
    files_in,
    read_manifest,
)
from snellen.publish.page_check import page_differences, page_parts
from snellen.publish.picture_box import PictureBox
from snellen.publish.records import read_parquet, store_again, write_records
from snellen.publish.remaking import SEED, Remade, Remaker
from snellen.publish.rereading import MASK, differences, is_judged, read_differences
from snellen.sequential import SEQUENTIAL

Row = Mapping[str, Any]
Asked = tuple[str, ...]
_ODD = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, pl.exceptions.PolarsError)
_MOST = 20
"""So many differences of one column are named."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that is not as it should be. `where`: the file, trial, item or figure."""

    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}; found {self.found}"


@dataclass
class Verification:
    """What was checked, how much of it, what was not as it should be, and what could not be checked and why."""

    done: Counter[str] = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)
    unverified: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        return not self.mismatches

    def differ(self, where: str, difference: Difference) -> None:
        self.mismatches.append(Mismatch(f"{where}: {difference.what}", difference.expected, difference.found))


def verify(folder: Path, data: Mapping[str, str] | None = None) -> Verification:
    """Check a folder that `publish` wrote.

    `data`: where published data sets are on this machine, by task, for items that are not generated. Returns what was
    checked and what was found. Raises `UserError` if the folder cannot be read at all.
    """
    manifest = read_manifest(folder)
    result = Verification()
    for name, expected, found in changed_files(folder, manifest):
        result.mismatches.append(Mismatch(f"file {name}", expected, found))
    result.done["files"] = len(manifest["files"])
    with TemporaryDirectory(prefix="snellen-") as work:
        store = Path(work) / "store.sqlite"
        store_again(folder, manifest["exams"], store)
        try:
            _Check(folder, manifest, store, Path(work) / "folder", result, data or {}).all()
        except DamagedStore as error:
            raise _no_records(folder, error.found) from None
        except _ODD as error:  # anybody may have written the folder: values may be of any type
            raise _no_records(folder, where(error)) from error
    return result


def _no_records(folder: Path, found: str) -> UserError:
    return UserError(f"folder {folder}: its records hold what no exam writes ({found}); get the folder again")


class _Check:
    """The checks of one folder. `again`: where files are written again from the store that its records make."""

    def __init__(
        self, folder: Path, manifest: Row, store: Path, again: Path, result: Verification, data: Mapping[str, str]
    ) -> None:
        self.folder, self.manifest, self.store, self.again, self.result = folder, manifest, store, again, result
        self.exams = {exam["id"]: exam["fingerprint"] for exam in manifest["exams"]}
        self.remaker = Remaker(self.exams, data)
        _refuse_unused(data, self.remaker.sources)
        self.pictures = PictureBox(again.with_name("pictures"))

    def all(self) -> None:
        write_records(self.store, self.again)
        self._versions()
        self._sources()
        asyncio.run(self._trials())
        self._calls()
        self._picture_files()
        self._figures()

    def _versions(self) -> None:
        made = {str(exam.get("snellen")) for exam in self.exams.values()} | {str(self.manifest.get("snellen"))}
        if others := sorted(made - {__version__}):
            self.result.notes.append(
                f"made with Snellen {', '.join(others)}, verified with {__version__}: another version may make other"
                " items, read replies differently or write other pages; use the same version if something differs"
            )
        for exam in self.manifest["exams"]:
            if SEQUENTIAL in exam["counts"]:
                self.result.unverified["exams until sure: their intervals are taken from the manifest"] += 1

    def _sources(self) -> None:
        written = {CARD, FINDINGS, PAGE, ITEMS, STIMULI, TRIALS}
        patterns = (CALLS, f"{TABLES}/*.csv", f"{PICTURES}/*")
        for name in files_in(self.folder):
            if name not in written and not any(fnmatchcase(name, pattern) for pattern in patterns):
                self._differ(f"file {name}", "name", "one that `snellen publish` writes", name)
        if self.manifest["sources"] != self.remaker.sources:
            self._differ("manifest", "sources", self.remaker.sources, self.manifest["sources"])

    # Trials, one after the other: replies, items and stimuli

    async def _trials(self) -> None:
        trials = read_parquet(self.again / TRIALS)
        self._columns(read_parquet(self.folder / TRIALS), trials)
        for difference in table_differences(trials, self.manifest["exams"]):
            self.result.differ("trials", difference)
        items = {(row["id"], row["digest"]): row for row in read_parquet(self.folder / ITEMS).iter_rows(named=True)}
        stimuli = {_asked(row): row for row in read_parquet(self.folder / STIMULI).iter_rows(named=True)}
        seen: set[Asked] = set()
        made: set[tuple[str, str]] = set()
        with Store.open(self.store, readonly=True) as store:
            for row in trials_by_item(self.folder):
                remade = self.remaker.remade(row)
                if _asked(row) not in seen:
                    seen.add(_asked(row))
                    if (stimulus := self._remade(row, remade)) is not None:
                        self._item(stimulus, items, made)
                        if self.remaker.sources[row["task"]] == SEED:
                            self._stimulus(row, stimulus, stimuli.get(_asked(row)))
                await self._trial(store, row, remade)
        for asked in stimuli.keys() - seen:
            self._differ(f"item {asked[1]}", STIMULI, "only stimuli of trials", asked[2])
        names = {name for name, _ in made}
        for name, digest in items.keys() - made:
            if name in names:
                self._differ(f"item {name}", "digest", "one that its seed gives", digest)
        self.result.done["items"] = len(made)

    def _columns(self, published: pl.DataFrame, made: pl.DataFrame) -> None:
        """Columns of trials that repeat what stands elsewhere: in levels, and in the calls."""
        if published.columns != made.columns or published.height != made.height:
            self._differ("file", TRIALS, f"columns {', '.join(made.columns)}", ", ".join(published.columns))
            return
        for name in made.columns:
            is_other = published[name].ne_missing(made[name]).to_list()
            for place in islice((place for place, other in enumerate(is_other) if other), _MOST):
                of_trial = f"trial {made['trial'][place][:12]} ({made['item'][place]})"
                self._differ(of_trial, name, made[name][place], published[name][place])

    def _remade(self, row: Row, remade: Remade) -> Stimulus | None:
        """The stimulus of a trial; without one, why not."""
        if remade.is_fault:
            self._differ(f"item {row['item']}", "item", "one that its seed gives", remade.why)
        elif remade.stimulus is None:
            self.result.unverified[f"items under their conditions: {remade.why}"] += 1
        return remade.stimulus

    def _item(self, stimulus: Stimulus, items: Mapping[tuple[str, str], Row], made: set[tuple[str, str]]) -> None:
        item, of_item = stimulus.item, f"item {stimulus.item.id}"
        if (item.id, item.digest) in made:
            return
        made.add((item.id, item.digest))
        listed = items.get((item.id, item.digest))
        if listed is None:
            self._differ(of_item, "digest", item.digest, f"none such in {ITEMS}")
        elif MASK in listed["truth"]:
            self.result.unverified["items in which a key was masked"] += 1
        elif json.loads(listed["truth"]) != json.loads(json.dumps(dict(item.truth))):
            self._differ(of_item, "truth", json.dumps(dict(item.truth), ensure_ascii=False), listed["truth"])

    def _stimulus(self, row: Row, stimulus: Stimulus, published: Row | None) -> None:
        of_item = f"item {row['item']}"
        if self.remaker.is_free(row["task"]):
            self.pictures.keep(stimulus)
        if published is None:
            self._differ(of_item, STIMULI, "the item under the condition of its trials", "none")
            return
        self.result.done["stimuli"] += 1
        for name, value in stimulus_row(row, stimulus).items():
            if published.get(name) != value:
                self._differ(of_item, name, value, published.get(name))

    async def _trial(self, store: Store, row: Row, remade: Remade) -> None:
        by_key = {record.key.hex(): record for record in store.calls(row["calls"])}
        records = [by_key[key] for key in row["calls"] if key in by_key]
        exam = self.exams.get(row["exam"], {})
        found = [*record_differences(row, records, exam)]
        if is_judged(row):
            self.result.unverified["trials: whether the judge judged well (its scores were read again)"] += 1
        if remade.stimulus is None:
            found += self._on_record(store, row, records)
        elif row["paradigm"] not in PARADIGMS:
            self.result.unverified[f"prompts of trials: paradigm {row['paradigm']} is not known here"] += 1
            found += self._last_reply(row, records, remade.stimulus.question)
        else:
            found += item_differences(row, remade.stimulus.item)
            found += await differences(row, remade.stimulus, records, str(exam.get("reader")))
            self.result.done["failed trials" if row["reason"] == "error" else "replies"] += 1
        if found and any(MASK in record.request + (record.reply.text if record.reply else "") for record in records):
            self.result.unverified["trials in which a key was masked, and which differ"] += 1
            return
        for difference in found:
            self.result.differ(f"trial {row['trial'][:12]} ({row['item']})", difference)

    def _on_record(self, store: Store, row: Row, records: list[CallRecord]) -> list[Difference]:
        """A reply of an item that cannot be made again, read with the question that its truth on record gives."""
        question, is_exact = question_on_record(store, row)
        self.result.unverified["prompts of trials: their items cannot be made again"] += 1
        return self._last_reply(row, records, question if is_exact else None)

    def _last_reply(self, row: Row, records: list[CallRecord], question: Question | None) -> list[Difference]:
        """The reply that was marked, read again without asking what led to it."""
        if not records or records[-1].reply is None:
            self.result.done["failed trials"] += 1
            return []
        if question is None or is_judged(row):
            self.result.unverified["replies: their questions cannot be made again"] += 1
            return []
        self.result.done["replies"] += 1
        return read_differences(row, records[-1], question)

    # Calls, pictures, numbers

    def _calls(self) -> None:
        place = COLUMNS["calls"].index("request")
        for rows in table_rows(self.store, "calls"):
            for row in rows:
                key, request = row[0], row[place]
                is_same = key_of(request) == key
                if not is_same and MASK in request:
                    self.result.unverified["calls in which a key was masked"] += 1
                    continue
                self.result.done["calls"] += 1
                if not is_same:
                    self._differ(f"call {key.hex()[:12]}", "key", key_of(request).hex(), key.hex())

    def _picture_files(self) -> None:
        for path in sorted((self.folder / PICTURES).glob("*")):
            digest = digest_of(path)
            self.result.done["pictures"] += 1
            if digest != path.stem or not self.pictures.holds(digest):
                self._differ(f"file {PICTURES}/{path.name}", "picture", "one that an item's seed gives", digest)

    def _figures(self) -> None:
        exam = write_numbers(self.store, self.again, self.manifest)
        write_page(exam, self.again, self.pictures.image)
        tables = {path.name for where in (self.folder, self.again) for path in (where / TABLES).glob("*")}
        for name in (FINDINGS, CARD, *(f"{TABLES}/{table}" for table in sorted(tables))):
            if not (self.again / name).is_file():
                self._differ("file", name, "no such table", "a file")
                continue
            figures, found = file_differences(self.folder / name, self.again / name, name)
            self.result.done["figures"] += figures
            for difference in found:
                self.result.differ("figure", difference)
        for what in page_differences(page_parts(self.folder / PAGE), page_parts(self.again / PAGE)):
            self._differ(PAGE, what, "what the records give", "another")

    def _differ(self, where: str, what: str, expected: Any, found: Any) -> None:
        self.result.differ(where, Difference(what, str(expected), str(found)))


def _refuse_unused(data: Mapping[str, str], sources: Mapping[str, str]) -> None:
    """Raise `UserError` for a data set of a task whose items are of none."""
    of_sets = [task for task, source in sources.items() if source != SEED]
    for task in data:
        if not of_sets:
            raise UserError(f"--data {task}: no item in this folder is from a data set; leave it out")
        if task not in of_sets:
            raise unknown("task in --data", task, of_sets)


def _asked(row: Row) -> Asked:
    """What tells the stimuli of a folder apart."""
    return tuple(row[name] for name in ASKED)
