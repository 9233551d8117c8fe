"""Published figures: one CSV a table in the `published` folder of a task's study, its source in the first line."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

from snellen.charts.blocks import Value


@dataclass(frozen=True, slots=True)
class Printed:
    """A published table as printed. `source` says where."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    source: str


@cache
def printed(task: str, name: str) -> Printed:
    """The published table in the file of that name, of a task."""
    file = resources.files(f"snellen.tasks.{task}.study") / "published" / f"{name}.csv"
    first, *lines = file.read_text(encoding="utf-8").splitlines()
    reader = csv.DictReader(lines)
    rows = tuple(reader)
    return Printed(tuple(reader.fieldnames or ()), rows, first.removeprefix("# Source: "))


def figure(row: dict[str, str], column: str) -> Value | None:
    """A figure of a row; None where nothing is printed."""
    return Value(float(row[column])) if row[column] else None
