"""The trials of a large store in little memory, to be looked at a task at a time.

One pass over the calls keeps of each only what the analysis reads, one over the trials packs these by task and
subject. What a task's rows hold is that of the tidy rows (`rows.py`), but for texts, ids and what the page alone shows;
names are categorical, so that they take four bytes each. A trial, and a call, is known by the first eight bytes of its
key.
"""

import io
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.answer import OUTCOMES
from snellen.beside import Beside
from snellen.engine.checksums import WrongChecksum, every_column
from snellen.engine.rows import Row, clusters, decoded_levels, pictures_in, verified
from snellen.engine.schema import Damaged, open_store
from snellen.ladder import SETTING

_NAMES = ("task", "item", "cluster", "subject", "paradigm", "levels", "pack")
_READING = ("outcome", "reason", "answer", "key", "labels", "mechanism", "how")
_COLUMNS: dict[str, Any] = {
    "trial": pl.UInt64,
    "exam": pl.Int32,
    **dict.fromkeys((*_NAMES, *_READING), pl.String),
    "sample": pl.Int32,
    "confidence": pl.Float64,
}
_PACKED = 50_000
"""Trials that are packed at a time."""


class CompactTrials:
    """`tasks`: by task its subjects, as they were recorded first, with their packed trials. `is_varied`: whether any
    trial is a repetition, has a confidence or varies a setting."""

    def __init__(self, trials: Iterable[list[Row]], known: Callable[[], "Calls"]) -> None:
        self.tasks: dict[str, dict[str, list[bytes]]] = {}
        self.height = 0
        self.is_varied = False
        self._levels: dict[str, set[str]] = {}
        told: Counter[str] = Counter()
        read: list[pl.DataFrame] = []
        for some in trials:
            read.append(self._read(some, told))
            if sum(chunk.height for chunk in read) >= _PACKED:
                self._pack(read)
                read.clear()
        self._pack(read)
        self._known: Calls | None = known()

    def of(self, tasks: Collection[str]) -> "CompactTrials":
        """The trials of some tasks, to hand to another process: with `calls`, how the keys of each begin, in place of
        what is known of these."""
        some = copy(self)
        some.tasks = {task: self.tasks[task] for task in tasks}
        some._known = None
        return some

    def _read(self, some: Sequence[Row], told: Counter[str]) -> pl.DataFrame:
        """Some trials as a table."""
        columns = list(zip(*some, strict=True))
        keys, exam, names, reading, calls = columns[0], columns[1], columns[2:9], columns[9:16], columns[18]
        values: Iterable[tuple[Any, Any]] = zip(
            _COLUMNS.items(), (_short(keys), exam, *names, *reading, *columns[19:21]), strict=True
        )
        chunk = pl.DataFrame([pl.Series(name, own, dtype=kind) for (name, kind), own in values])
        before = {subject: told[subject] for subject in chunk["subject"].unique()}
        chunk = chunk.with_columns(
            pl.col(*_NAMES, *_READING).cast(pl.Categorical),
            nth=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("subject")
            + pl.col("subject").replace_strict(before, return_dtype=pl.Int32),
            calls=_starts(calls),
        )
        if odd := set(reading[0]) - set(OUTCOMES):
            raise Damaged(f"the outcome {odd.pop()!r}")
        kinds = set(zip(*(names[_NAMES.index(name)] for name in ("task", "levels")), strict=True))
        _factors({levels for _, levels in kinds}), _labels(chunk)  # what cannot be read is told now
        for task, levels in kinds:
            self._levels.setdefault(task, set()).add(levels)
        self.height += len(some)
        told.update(names[_NAMES.index("subject")])
        has_settings = any(f'"{SETTING}' in levels for _, levels in kinds)
        self.is_varied |= has_settings or any(columns[19]) or chunk["confidence"].count() > 0
        return chunk

    def _pack(self, read: Sequence[pl.DataFrame]) -> None:
        for (task, subject), own in pl.concat(read).group_by(["task", "subject"], maintain_order=True) if read else ():
            packed = io.BytesIO()
            own.write_parquet(packed, compression="zstd", compression_level=1, statistics=False)
            self.tasks.setdefault(str(task), {}).setdefault(str(subject), []).append(packed.getvalue())

    def factors(self, task: str) -> set[str]:
        """The factors of a task's trials."""
        return set(_factors(self._levels[task]).columns)

    def named(self, task: str) -> pl.DataFrame:
        """Of a task's trials only which they are: `trial`, `item`, `subject`."""
        parts = (part for packed in self.tasks[task].values() for part in packed)
        return pl.concat([pl.read_parquet(part, columns=["trial", "item", "subject"]) for part in parts])

    def rows(
        self, task: str, subjects: Iterable[str], in_order: Callable[[pl.DataFrame], pl.DataFrame]
    ) -> pl.DataFrame:
        """The rows of a task, one subject's after another's, each `in_order`: to put them in order takes as much memory
        again."""
        parts = [in_order(self._rows(task, subject)) for subject in subjects]
        return pl.concat(parts, rechunk=True).with_columns(cluster=clusters().cast(pl.Categorical))

    def _rows(self, task: str, subject: str) -> pl.DataFrame:
        """A subject's rows in the order in which they were recorded."""
        rows = pl.concat([pl.read_parquet(part) for part in self.tasks[task][subject]], rechunk=True)
        known = rows.drop("calls").with_columns(self._known.pictures(rows["calls"])) if self._known else rows
        return (
            known.join(_factors(self._levels[task]), on="levels", how="left", maintain_order="left")
            .drop("levels")
            .join(_labels(rows), on="labels", how="left", maintain_order="left")
            .drop("labels")
            .rename({"decoded": "labels"})
        )


def _factors(levels: Iterable[str]) -> pl.DataFrame:
    """The factors of each distinct text of levels."""
    return decoded_levels(pl.Series(list(levels), dtype=pl.String)).with_columns(pl.all().cast(pl.Categorical))


def _labels(rows: pl.DataFrame) -> pl.DataFrame:
    """The list of each distinct text of labels."""
    labels = rows.select(pl.col("labels").unique())
    decoded = pl.col("labels").cast(pl.String).str.json_decode(pl.List(pl.String))
    return labels.with_columns(decoded=decoded.cast(pl.List(pl.Categorical)))


class Calls:
    """Who answered each call, and how many pictures it showed, by the first bytes of its key."""

    def __init__(self, calls: Iterable[list[Row]]) -> None:
        subjects: dict[str, int] = {}
        parts = [np.zeros(0, dtype=_CALL)]
        for some in calls:
            keys, names, requests, *_ = zip(*some, strict=True)
            part = np.empty(len(some), dtype=_CALL)
            part["key"] = _short(keys)
            part["who"] = [subjects.setdefault(name, len(subjects)) for name in names]
            part["pictures"] = list(map(pictures_in, requests))
            parts.append(part)
        whole = np.concatenate(parts)
        del parts
        self._known = whole[np.argsort(whole["key"], kind="stable")]

    def pictures(self, keys: pl.Series) -> pl.Series:
        """The most pictures at once, by trial, among its calls to whoever was asked last; see `rows.pictures`."""
        counts = keys.list.len().to_numpy()
        flat = keys.explode().drop_nulls().to_numpy()
        trial = np.repeat(np.arange(len(keys)), counts)
        last = np.cumsum(counts)[trial] - 1
        most = np.full(len(keys), -1, dtype=np.int32)
        if len(self._known):
            found = self._known[np.minimum(np.searchsorted(self._known["key"], flat), len(self._known) - 1)]
            is_there = found["key"] == flat
            own = is_there & is_there[last] & (found["who"] == found["who"][last])
            np.maximum.at(most, trial[own], found["pictures"][own])
        return (
            pl.Series("pictures", most).to_frame().select(pl.when(pl.col("pictures") >= 0).then("pictures")).to_series()
        )


_CALL = np.dtype([("key", np.uint64), ("who", np.uint32), ("pictures", np.uint32)])


def _short(keys: Iterable[bytes]) -> NDArray[np.uint64]:
    return np.frombuffer(b"".join([key[:8] for key in keys]), dtype=">u8").astype(np.uint64)


def _starts(calls: Iterable[str]) -> pl.Series:
    """The first bytes of the keys of each trial's calls."""
    start = pl.element().str.slice(0, 16).str.to_integer(base=16, dtype=pl.UInt64)
    return pl.Series(calls).str.json_decode(pl.List(pl.String)).list.eval(start)


def read_calls(path: Path) -> Calls:
    """What is known of the calls of a store that was found sound."""
    db = open_store(path, readonly=True)
    try:
        return Calls(verified(db, every_column("calls")))
    finally:
        db.close()


def compact(path: Path, db: sqlite3.Connection, *, is_beside: bool) -> CompactTrials:
    """The trials of a store; `is_beside`: the calls are read by another process meanwhile. Raises `Damaged` if it holds
    what nobody can have put there."""
    try:
        trials = verified(db, f"{every_column('trials')} ORDER BY rowid")
        with Beside("snellen.engine.compact:read_calls", path, is_wanted=is_beside) as calls:
            return CompactTrials(trials, lambda: calls.result or Calls(verified(db, every_column("calls"))))
    except WrongChecksum:
        raise
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        raise Damaged(str(error).partition("\n")[0]) from None
