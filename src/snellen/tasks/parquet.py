"""Parquet files with pictures inside, as the Hub keeps data sets: found by their columns, read a few rows at a time.

Polars is imported only where such a file is met: it is slow to load.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.tasks.data import tree
from snellen.tasks.panels import shown

_AT_ONCE = 20


def parquet_files(place: Path, columns: Iterable[str]) -> list[Path]:
    """The Parquet files at a place that have these columns."""
    candidates = (path / name for path, _, files in tree(place) for name in files) if place.is_dir() else [place]
    return [path for path in candidates if path.suffix == ".parquet" and {*columns} <= _columns(path)]


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows, read a few at a time: with their pictures, all of them would fill the memory."""
    import polars as pl

    frame = pl.scan_parquet(path, glob=False)
    start = 0
    while True:
        with _readable(path):
            rows = frame.slice(start, _AT_ONCE).collect().to_dicts()
        yield from rows
        if len(rows) < _AT_ONCE:
            return
        start += _AT_ONCE


def _columns(path: Path) -> set[str]:
    import polars as pl

    with _readable(path):
        return set(pl.scan_parquet(path, glob=False).collect_schema())


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    from polars.exceptions import PolarsError

    try:
        yield
    except (OSError, PolarsError) as error:
        reason = shown(str(error).partition("\n")[0], 100)
        raise UserError(f"{path}: not a readable Parquet file ({reason}); download it again") from None
