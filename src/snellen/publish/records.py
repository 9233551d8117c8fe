"""From a store to tidy Parquet, with every text masked, and back to a store that is the same to every command."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from snellen.engine import Store
from snellen.engine.checksums import COLUMNS
from snellen.engine.tables import Row, store_of, table_rows
from snellen.errors import UserError
from snellen.masking import mask
from snellen.publish.folder import CALLS, ITEMS, TRIALS

_AT_ONCE = 50_000
"""Calls in one file."""
_CALLS = {
    **dict.fromkeys(("tokens_in", "tokens_out", "attempts", "tokens_reasoning", "tokens_picture"), pl.Int64),
    **dict.fromkeys(("seconds", "at"), pl.Float64),
}
_TRIAL_TO_TIDY = {"key": "trial", "expected": "key"}
"""Columns of trials that tidy rows name otherwise."""
_PLACES = ("--data", "--prompts")


def masked_store(source: Path, path: Path) -> None:
    """A copy of a store without pictures, in which every text is masked."""
    tables = ("exams", "items", "calls", "trials")
    store_of(path, {table: _published(source, table) for table in tables})


def _published(source: Path, table: str) -> Iterator[Row]:
    place = COLUMNS["exams"].index("fingerprint")
    for row in (row for some in table_rows(source, table) for row in some):
        masked = [mask(value) if isinstance(value, str) else value for value in row]
        if table == "exams":
            masked[place] = json.dumps(_without_places(json.loads(masked[place])), ensure_ascii=False)
        yield tuple(masked)


def _without_places(fingerprint: dict[str, Any]) -> dict[str, Any]:
    """The fingerprint with names of files in place of their paths on this machine."""
    again = fingerprint.get("again")
    if not again:
        return fingerprint
    tasks = {task: words and [*_named(words)] for task, words in again.get("tasks", {}).items()}
    return {**fingerprint, "again": {**again, "tasks": tasks}}


def _named(words: Sequence[str]) -> Iterator[str]:
    for before, word in zip(("", *words), words, strict=False):
        start, equals, path = word.rpartition("=")
        is_path = before in _PLACES and ("/" in path or "\\" in path) and Path(path).expanduser().is_absolute()
        yield start + equals + Path(path).name if is_path else word


def write_records(store: Path, folder: Path) -> None:
    """The trials, calls and items of a store as Parquet."""
    (folder / TRIALS).parent.mkdir(parents=True)
    with Store.open(store, readonly=True) as opened:
        rows = opened.rows()
    levels = [row[COLUMNS["trials"].index("levels")] for some in table_rows(store, "trials") for row in some]
    _write(rows.with_columns(levels=pl.Series(levels, dtype=pl.String)), folder / TRIALS)
    _write(_frame("items", (row for some in table_rows(store, "items") for row in some)), folder / ITEMS)
    for number, some in enumerate(_pieces(table_rows(store, "calls"))):
        _write(_frame("calls", some), folder / CALLS.replace("*", f"{number:05d}"))


def _pieces(read: Iterable[list[Row]]) -> Iterator[list[Row]]:
    piece: list[Row] = []
    for some in read:
        piece += some
        if len(piece) >= _AT_ONCE:
            yield piece
            piece = []
    yield piece


def _write(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", statistics=False)


def _frame(table: str, rows: Iterable[Row]) -> pl.DataFrame:
    columns = COLUMNS[table]
    schema = {name: pl.Binary if name == "key" else _CALLS.get(name, pl.String) for name in columns}
    frame = pl.DataFrame([*rows], schema=schema, orient="row")
    return frame.with_columns(pl.col(pl.Binary).bin.encode("hex"))


def read_parquet(path: Path) -> pl.DataFrame:
    """A table of a published folder. Raises `UserError` if it cannot be read."""
    try:
        return pl.read_parquet(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; get the folder again") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path}: cannot be read ({str(error).partition(chr(10))[0]}); get the folder again") from None


def store_again(folder: Path, exams: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Make the store again that a folder was published from. Raises `UserError` if its tables are no records."""
    trials = read_parquet(folder / TRIALS)
    files = sorted(folder.glob(CALLS))
    calls = (row for file in files for row in _rows(read_parquet(file), COLUMNS["calls"]))
    try:
        tables = {
            "exams": map(_exam_row, exams),
            "items": read_parquet(folder / ITEMS).select(COLUMNS["items"]).rows(),
            "calls": calls,
            "trials": _trial_rows(trials),
        }
        store_of(path, tables)
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, pl.exceptions.PolarsError) as error:
        line = str(error).partition("\n")[0]
        raise UserError(f"folder {folder}: its tables are no records of an exam ({line}); get it again") from None


def _rows(frame: pl.DataFrame, columns: Sequence[str]) -> Iterator[Row]:
    for row in frame.select(columns).iter_rows():
        yield (bytes.fromhex(row[0]), *row[1:])


def _trial_rows(trials: pl.DataFrame) -> Iterator[Row]:
    columns = [pl.col(_TRIAL_TO_TIDY.get(name, name)).alias(name) for name in COLUMNS["trials"]]
    names = COLUMNS["trials"]
    lists = [names.index("labels"), names.index("calls")]
    for row in trials.select(columns).iter_rows():
        values = [bytes.fromhex(row[0]), *row[1:]]
        for place in lists:
            values[place] = json.dumps(values[place] or [], ensure_ascii=False, separators=(",", ":"))
        yield tuple(values)


def exam_values(store: Path) -> list[dict[str, Any]]:
    """The exams of a store as the manifest lists them."""
    with Store.open(store, readonly=True) as opened:
        return [{name: getattr(exam, name) for name in COLUMNS["exams"]} for exam in opened.exams()]


def _exam_row(exam: Mapping[str, Any]) -> Row:
    values = (exam[name] for name in COLUMNS["exams"])
    return tuple(json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value for value in values)
