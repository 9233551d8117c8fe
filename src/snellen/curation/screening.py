"""How often each screened model got each item of a data set right, from the trials of earlier exams.

A trial counts for an item if it was asked under a condition that the data set has, and if it asks the item as it is: a
model that is right when it is told the answer, with exact words in place of the pictures, about a plainer drawing or
with an oracle's help need not get the item. A trial whose calls failed does not count; an unread answer counts as not
right. Where an answer is free text, a judge's marks count if there are any; elsewhere the verifier's do, and the
judge's do not.

Trials of items that have changed since are refused: ids are the same from version to version, truths and keys are not.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from snellen.analysis.casts import ORACLES, ROLES
from snellen.curation.duplicates import ItemFace, face_of
from snellen.engine import Store
from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.ladder import PICTURES, SPARING, RungQuery
from snellen.tasks import task as find_task

NEEDED = ("trial", "task", "item", "subject", "paradigm", "outcome", "reason", "key", "answer")
JUDGE = "judge"
_SAME = ("trial", "outcome", "answer", "seconds", JUDGE)
"""The same trial with the same reply: it may come from a store and again from what was exported of it."""


@dataclass(slots=True)
class ScreenedItem:
    """An item of the data set, gathered from all its rows."""

    id: str
    task: str
    levels: Mapping[str, str]
    truth: Mapping[str, Any]
    free: bool
    """Whether its answer is free text."""
    keys: list[tuple[Mapping[str, str], str]] = field(default_factory=list)
    """Each condition it is asked under, with the key."""
    faces: list[ItemFace] = field(default_factory=list)


@dataclass(slots=True)
class ModelTally:
    """One model's trials of one item."""

    right: int = 0
    asked: int = 0
    unread: int = 0

    @property
    def share(self) -> float:
        return self.right / self.asked

    def add(self, outcome: str) -> None:
        self.asked += 1
        self.right += outcome == "right"
        self.unread += outcome == "unread"


Tallies = dict[str, dict[str, ModelTally]]
"""For each item by id, each model's trials."""


def known_items(stimuli: Iterable[Stimulus]) -> dict[str, ScreenedItem]:
    """The items of a data set by id, in its order. Rows of rungs go with their items: they say nothing of their own.
    Pictures are passed by, not kept."""
    items: dict[str, ScreenedItem] = {}
    for stimulus in (stimulus for stimulus in stimuli if stimulus.paradigm not in SPARING):
        item, form = stimulus.item, stimulus.question.form
        free = form.kind == "text" and not form.check
        screened = items.setdefault(item.id, ScreenedItem(item.id, item.task, item.levels, _plain(item.truth), free))
        if screened.task != item.task or screened.truth != _plain(item.truth):
            raise UserError(f"item {item.id}: is in the folder twice with different content; make the folder again")
        screened.keys.append((stimulus.condition, stimulus.question.key))
        screened.faces.append(face_of(stimulus))
    return items


def _plain(truth: Mapping[str, Any]) -> Any:
    """The truth as it comes back from a store."""
    return json.loads(json.dumps(dict(truth)))


def screen(items: Mapping[str, ScreenedItem], runs: Iterable[Path]) -> Tallies:
    """The trials of these items in the runs, counted."""
    frames = [_trials(path, items) for path in dict.fromkeys(runs)]
    everything = pl.concat(frames, how="diagonal")
    same = [name for name in _SAME if name in everything.columns]
    rows = everything.unique(subset=same, keep="first", maintain_order=True)
    verified: Tallies = {}
    judged: Tallies = {}
    for row, item in _asked_here(rows, items):
        counts = judged if row.get(JUDGE) else verified
        counts.setdefault(item.id, {}).setdefault(row["subject"], ModelTally()).add(row["outcome"])
    if not rows.is_empty() and not verified and not judged:
        levels = ", ".join(f"{name}={level}" for name, level in next(iter(items.values())).keys[0][0].items())
        raise UserError(
            f"none of the {rows.height:,} trials was asked as this folder asks ({levels}) without sparing a faculty;"
            " see --set and --design"
        )
    for name in items:
        if items[name].free and name in judged:
            verified[name] = {**verified.get(name, {}), **judged[name]}
    return verified


def _asked_here(rows: pl.DataFrame, items: Mapping[str, ScreenedItem]) -> Iterator[tuple[dict[str, Any], ScreenedItem]]:
    """The trials that count, each with its item."""
    for row in rows.filter(pl.col("reason") != "error").iter_rows(named=True):
        item = items[row["item"]]
        if _spares(row, item):
            continue
        keys = [key for condition, key in item.keys if _under(row, condition)]
        if keys and row["key"] not in keys:
            raise _changed(str(row["run"]), [item.id])
        if keys:
            yield row, item


def _under(row: Mapping[str, Any], condition: Mapping[str, str]) -> bool:
    """Whether a trial was asked under a condition; a factor that it does not name is no reason against it."""
    return all(_level(row, name) in (None, wanted) for name, wanted in condition.items())


def _level(row: Mapping[str, Any], factor: str) -> Any:
    """A trial's level of a factor; one named like a column of all rows has an underscore there."""
    return row.get(f"{factor}_", row.get(factor))


def _spares(row: Mapping[str, Any], item: ScreenedItem) -> bool:
    """True if the trial spares a faculty that the item demands: by its paradigm, by an oracle's help, or because it
    makes a lower rung. A set that has nothing but lower rungs (boards in characters, say) is screened by these."""
    if row["paradigm"] in SPARING or any(row.get(role) in ORACLES for role in ROLES):
        return True
    puts = _sparing_puts(item.task)
    return any(_makes(row, put) for put in puts) and not all(
        any(_at(put, {**item.levels, **condition}) for put in puts) for condition, _ in item.keys
    )


@lru_cache
def _sparing_puts(task: str) -> tuple[RungQuery, ...]:
    """The ways of asking by which a rung demands less than the task's full one; the pictures are the item as it is."""
    try:
        ladder = find_task(task).ladder
    except UserError:  # a task of one's own that is not at hand
        return ()
    full = {faculty for rung in ladder if rung.on_line for faculty in rung.demands}
    lower = (rung for rung in ladder if rung.name != PICTURES.name and not full <= set(rung.demands))
    apart = {*SPARING, *ORACLES}  # told by paradigm or cast
    puts = (put for rung in lower for put in rung.puts)
    return tuple(put for put in puts if put.levels and not apart & {*put.paradigms, *put.cast.values()})


def _makes(row: Mapping[str, Any], put: RungQuery) -> bool:
    wanted = (*put.levels.items(), *put.of.items())
    return row["paradigm"] in put.paradigms and all(_level(row, name) in levels for name, levels in wanted)


def _at(put: RungQuery, levels: Mapping[str, str]) -> bool:
    return all(levels.get(name) in wanted for name, wanted in (*put.levels.items(), *put.of.items()))


def _trials(path: Path, items: Mapping[str, ScreenedItem]) -> pl.DataFrame:
    """The trials of these items in a run: a store, or the Parquet file that was exported from one."""
    if _is_parquet(path):
        return _ours(path, _read(path), items)
    with Store.open(path, readonly=True) as store:
        rows = _ours(path, store.rows(), items)
        asked = set(rows["item"])
        for task in sorted({items[name].task for name in asked}):
            _check_truths(path, {name: items[name].truth for name in asked if items[name].task == task}, store, task)
    return rows


def _is_parquet(path: Path) -> bool:
    if not path.is_file():
        raise UserError(f"--with {path}: no such file; give a store or what `snellen export` wrote")
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _read(path: Path) -> pl.DataFrame:
    try:
        rows = pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"--with {path}: not a readable Parquet file ({str(error).partition(chr(10))[0]})") from None
    if missing := [name for name in NEEDED if rows.schema.get(name) != pl.String]:
        raise UserError(
            f"--with {path}: has no column {missing[0]} of texts; give a store or what `snellen export` wrote"
        )
    return rows


def _ours(path: Path, rows: pl.DataFrame, items: Mapping[str, ScreenedItem]) -> pl.DataFrame:
    """The trials of these items, with what is needed of them: plain texts and how long the reply took."""
    factors = {f for item in items.values() for condition, _ in item.keys for f in (*condition, *item.levels)}
    wanted = {*NEEDED, JUDGE, *ROLES, *factors, *(f"{name}_" for name in factors)}
    texts = [
        pl.col(name).fill_null("") if name in NEEDED else pl.col(name)
        for name, kind in rows.schema.items()
        if name in wanted and kind == pl.String
    ]
    seconds = [pl.col("seconds").cast(pl.Float64, strict=False)] if "seconds" in rows.columns else []
    tasks = pl.DataFrame(
        {"item": list(items), "task": [item.task for item in items.values()]},
        schema={"item": pl.String, "task": pl.String},
    )
    plain = rows.select(*texts, *seconds, run=pl.lit(str(path)))
    return plain.join(tasks, on=["item", "task"], how="semi", maintain_order="left")


def _check_truths(path: Path, truths: Mapping[str, Any], store: Store, task: str) -> None:
    """Refuse a store whose items of these names are not, or not all, the ones in the folder."""
    there: dict[str, list[Any]] = {}
    for name, truth in store.truths(task):
        if name in truths:
            there.setdefault(name, []).append(truth)
    changed = [name for name in truths if name in there and truths[name] not in there[name]]
    if changed:
        raise _changed(str(path), changed)
    mixed = sorted(name for name, versions in there.items() if len(versions) > 1)
    if mixed:
        raise UserError(
            f"--with {path}: holds {len(mixed):,} items in two versions (first {mixed[0]}), whose trials cannot be"
            " separated; give a store with only trials of the items in the folder"
        )


def _changed(path: str, names: list[str]) -> UserError:
    return UserError(
        f"--with {path}: its trials are of another version of {len(names):,} items (first {min(names)}); make the "
        "folder as it was for the exam, or run the exam again"
    )
