"""Tidy rows: one row per trial, one column per factor, ready for polars, pandas or R.

Polars is imported here and nowhere else in the engine, so that starting an exam does not wait for it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from snellen.answer import OUTCOMES
from snellen.engine.checksums import WrongChecksum, every_column, verify
from snellen.engine.queries import beginning, spans
from snellen.engine.schema import Damaged
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.engine.store import Store

Row = tuple[Any, ...]

_PICTURE = '{"picture":"'
"""How a picture begins in a recorded request; in words that a request quotes the quotation marks are escaped."""
_TRIAL_COLUMNS: dict[str, Any] = {
    "trial": pl.Binary,
    "exam": pl.Int64,
    **dict.fromkeys(("task", "item", "cluster", "subject", "paradigm", "levels", "pack", "outcome"), pl.String),
    **dict.fromkeys(("reason", "answer", "key", "labels", "mechanism", "how"), pl.String),
    **dict.fromkeys(("span_start", "span_end"), pl.Int64),
    "calls": pl.String,
    "sample": pl.Int64,
    "confidence": pl.Float64,
}
"""Our names for the columns of the table, in its order, with their types; None for what is left out."""
_CALL_COLUMNS: dict[str, Any] = {
    "call": pl.Binary,
    "answering": pl.String,
    "pictures": pl.Int64,
    "status": None,
    **dict.fromkeys(("text", "finish"), pl.String),
    **dict.fromkeys(("tokens_in", "tokens_out"), pl.Int64),
    **dict.fromkeys(("model", "problem", "message", "attempts")),
    "seconds": pl.Float64,
    "at": None,
    "reasoning": pl.String,
    **dict.fromkeys(("tokens_reasoning", "tokens_picture"), pl.Int64),
    "usage": pl.Struct({"tokens_cached": pl.Int64, "tokens_written": pl.Int64}),
}
_AT_ONCE, _FETCHED = 10_000, 1_000
_BEFORE_FACTORS = ["trial", "task", "item", "cluster", "subject", "paradigm", "sample"]
_AFTER_FACTORS = [
    *("pack", "outcome", "reason", "answer", "key", "labels", "mechanism", "how", "span_start", "span_end"),
    *("confidence", "text", "reasoning", "finish", "tokens_in", "tokens_out", "tokens_reasoning", "tokens_picture"),
    *("tokens_cached", "tokens_written", "seconds", "pictures", "nth", "exam", "calls"),
]


def rows(
    db: sqlite3.Connection,
    keep: pl.Expr | None = None,
    starts: Sequence[bytes] = (),
    in_order: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
) -> pl.DataFrame:
    """One row per trial: what it was, how it was answered, and how that was read.

    Factors a task lacks are null. `text`, `reasoning`, `finish`, the tokens and `seconds` are those of the reply that
    was read; null for a trial whose calls failed. `pictures` are the most that one call of the trial showed to whoever
    answered, null if its calls are not on record; `nth` counts the trials of a subject from 1 in the order in which the
    store recorded them. Raises `Damaged` if the store holds what nobody can have put there. `keep`: which trials, of a
    large store, of those whose keys have these `starts`; only what they need is then read, and `nth`, which all trials
    count in, is left out. `in_order` puts these trials in another order, before their replies are read.
    """
    try:
        if keep is None:
            trials, names = _decoded(_trials(db))
            return _with_replies(trials, _calls(db)).select(names)
        trials, names = _decoded(piece.filter(keep) for piece in _trials_from(db, starts))
        trials, names = trials.drop("nth"), [name for name in names if name != "nth"]
        trials = in_order(trials) if in_order else trials
        return _some_at_a_time(db, trials, names)
    except WrongChecksum:
        raise
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        raise Damaged(str(error).partition("\n")[0]) from None


def _trials(db: sqlite3.Connection) -> Iterator[pl.DataFrame]:
    """Trials in the order in which they were recorded, some at a time."""
    return _pieces(verified(db, f"{every_column('trials')} ORDER BY rowid"), _TRIAL_COLUMNS)


def _trials_from(db: sqlite3.Connection, starts: Sequence[bytes]) -> Iterator[pl.DataFrame]:
    """Trials whose keys begin with one of these bytes, in the order in which they were recorded."""
    parts = (starts[first : first + _FETCHED] for first in range(0, len(starts), _FETCHED))
    find = "SELECT trials.rowid FROM trials"
    numbers = sorted(row[0] for part in parts for row in db.execute(beginning(find, len(part)), spans(part)))
    for first in range(0, len(numbers), _AT_ONCE):
        some = numbers[first : first + _AT_ONCE]
        query = f"{every_column('trials')} WHERE rowid IN ({', '.join('?' * len(some))}) ORDER BY rowid"
        yield from _pieces(verified(db, query, some), _TRIAL_COLUMNS)


def _decoded(read: Iterable[pl.DataFrame]) -> tuple[pl.DataFrame, list[str]]:
    """All that trials say themselves, with their factors; the columns of tidy rows."""
    trials = pl.concat([_piece([], _TRIAL_COLUMNS), *read])
    if odd := set(trials["outcome"].unique()) - set(OUTCOMES):
        raise Damaged(f"the outcome {odd.pop()!r}")
    factors = decoded_levels(trials["levels"])
    trials = trials.with_columns(
        pl.col("labels", "calls").str.json_decode(pl.List(pl.String)), nth=pl.int_range(1, pl.len() + 1).over("subject")
    )
    trials = trials.with_columns(cluster=clusters()).join(factors, on="levels", how="left", maintain_order="left")
    return trials, [*_BEFORE_FACTORS, *(c for c in factors.columns if c != "levels"), *_AFTER_FACTORS]


def _some_at_a_time(db: sqlite3.Connection, trials: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """What is read of the calls of many trials is several times as large as what is kept of it."""
    parts = (trials.slice(first, _AT_ONCE) for first in range(0, max(trials.height, 1), _AT_ONCE))
    return pl.concat([_with_replies(part, _calls_of(db, part)).select(names) for part in parts])


def _with_replies(trials: pl.DataFrame, calls: Iterable[list[Row]]) -> pl.DataFrame:
    """The trials with what was replied in these calls."""
    replies = pl.concat([_piece([], _CALL_COLUMNS), *_pieces(calls, _CALL_COLUMNS)]).unnest("usage")
    return (
        trials.with_columns(call=pl.col("calls").list.last())
        .join(replies.drop("pictures"), on="call", how="left", maintain_order="left")
        .join(_pictures(trials, replies), on="trial", how="left", maintain_order="left")
    )


def clusters() -> pl.Expr:
    """The cluster of each trial's item. Trials that were held before a task had clusters are recorded under the item:
    they take the cluster that later trials of the same item have."""
    cluster, item = pl.col("cluster"), pl.col("item")
    return cluster.filter(cluster != item).first().over("item").fill_null(item)


def _pictures(trials: pl.DataFrame, replies: pl.DataFrame) -> pl.DataFrame:
    """The most pictures at once, by trial, among its calls to whoever was asked last: what another described or judged
    was not shown to the one who answered."""
    calls = trials.select("trial", call="calls").explode("call")
    joined = calls.join(replies.select("call", "answering", "pictures"), on="call", how="left", maintain_order="left")
    own = joined.filter(pl.col("answering") == pl.col("answering").last().over("trial"))
    return own.group_by("trial").agg(pl.col("pictures").max())


def export(store: "Store", path: str | Path) -> int:
    """Write the tidy rows to a Parquet file; returns their number."""
    path = Path(path)
    table = store.rows()
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        table.write_parquet(unfinished, compression="zstd")
        unfinished.replace(path)  # only now: a full disk must not cost an earlier file
    except (OSError, pl.exceptions.PolarsError) as error:
        unfinished.unlink(missing_ok=True)
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        hint = "check that its folder exists, can be written to and has space left"
        raise UserError(f"export {path}: cannot write it ({why}); {hint}") from None
    return table.height


def _pieces(read: Iterable[list[Row]], columns: dict[str, Any]) -> Iterator[pl.DataFrame]:
    """Whole rows of a table as columns under our names; read in pieces, so that what is left out (the requests above
    all) is never all in memory."""
    return (_piece(some, columns) for some in read)


def _calls(db: sqlite3.Connection) -> Iterator[list[Row]]:
    return verified(db, every_column("calls"))


def _calls_of(db: sqlite3.Connection, trials: pl.DataFrame) -> Iterator[list[Row]]:
    """The calls of some trials."""
    keys = trials["calls"].explode().drop_nulls().unique().to_list()
    for start in range(0, len(keys), _AT_ONCE):
        some = [bytes.fromhex(key) for key in keys[start : start + _AT_ONCE]]
        yield from verified(db, f"{every_column('calls')} WHERE key IN ({', '.join('?' * len(some))})", some)


def verified(db: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> Iterator[list[Row]]:
    """Whole rows (`every_column`), so many at a time, that are what was written."""
    fetched = db.execute(query, values)
    rows: list[Row] = []
    while some := fetched.fetchmany(_FETCHED):  # few enough to be verified while they are in the processor's cache
        verify(some)
        rows += some
        if len(rows) >= _AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows


def _piece(rows: list[Row], columns: dict[str, Any]) -> pl.DataFrame:
    values = list(zip(*rows, strict=True)) or [()] * (len(columns) + 1)
    named = zip(columns.items(), values, strict=False)  # the checksum comes last and has no name
    series = [pl.Series(name, _READ.get(name, tuple)(v), dtype=kind) for (name, kind), v in named if kind]
    return pl.DataFrame(series).with_columns(pl.col(pl.Binary).bin.encode("hex"))


def pictures_in(request: str) -> int:
    """How many pictures a recorded request shows."""
    return request.count(_PICTURE)


def _usage_in(tokens: str) -> dict[str, int | None] | None:
    """How many tokens of a request a provider read from its cache and wrote to it, where those on record say so."""
    if not tokens.startswith("{"):
        return None
    told = json.loads(tokens)
    return {"tokens_cached": told.get("cached"), "tokens_written": told.get("written")}


_READ: dict[str, Callable[[tuple[Any, ...]], Sequence[Any]]] = {
    "pictures": lambda requests: list(map(pictures_in, requests)),
    "usage": lambda tokens: list(map(_usage_in, tokens)),
}
"""Columns that are read from the values of another."""


def decoded_levels(levels: pl.Series) -> pl.DataFrame:
    """A table from each distinct text of levels to its factors; there are few, however many trials there are.

    A factor that would take the name of another column gets an underscore.
    """
    texts = levels.unique().sort()  # columns in the same order, whichever trial was recorded first
    decoded = [json.loads(text) for text in texts]
    if odd := [text for text, factors in zip(texts, decoded, strict=True) if not _are_levels(factors)]:
        raise Damaged(f"the levels {odd[0][:40]!r}")
    taken = {*_BEFORE_FACTORS, *_AFTER_FACTORS, "levels", "call", "answering"}
    names = dict.fromkeys(name for factors in decoded for name in factors)
    columns = {
        f"{name}_" if name in taken else name: pl.Series([factors.get(name) for factors in decoded], dtype=pl.String)
        for name in names
    }
    return pl.DataFrame({"levels": texts, **columns})


def _are_levels(decoded: Any) -> bool:
    return isinstance(decoded, dict) and all(isinstance(level, str) for level in decoded.values())
