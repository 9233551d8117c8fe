"""Cells of a table as people read them, without what a terminal or a format would obey."""

import unicodedata

from snellen.charts.blocks import Cell, Table, Value
from snellen.charts.numbers import SURE, whole_numbers, whole_text

__all__ = ["cell_text", "clean", "numeric", "whole_numbers"]


def cell_text(cell: Cell, compact: bool = False) -> str:
    """A cell for people: the value, its interval in brackets, its note; nothing where there is nothing."""
    match cell:
        case None:
            return ""
        case Value():
            if cell.value is None:
                return cell.note
            if compact:
                return whole_text(cell)
            small = max(abs(cell.value), abs(cell.low or 0), abs(cell.high or 0)) <= 1
            digits = 2 if small and cell.low is not None else 1
            low, high = (None if end is None else _fixed(end, digits) for end in (cell.low, cell.high))
            bounds = "" if low is None or high is None else f" [{low}, {high}]"
            return f"{_fixed(cell.value, digits)}{bounds}{' ' if cell.note else ''}{cell.note}"
        case float():
            return _fixed(cell, 1)
        case _:
            return clean(str(cell))


def _fixed(x: float, digits: int) -> str:
    """A number with so many digits. A tie between two of them (a quarter, with one) is told from the number itself, not
    from what rounding made of it on this machine; nothing is -0.0."""
    return f"{round(x, SURE) + 0.0:.{digits}f}"


def clean(text: str) -> str:
    """One harmless line: no control characters, no direction marks, no line breaks."""
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") else char for char in text)


def numeric(table: Table) -> list[bool]:
    """For each column whether it holds numbers, and is set to the right."""
    return [
        all(not isinstance(row[k], str) for row in table.rows) and bool(table.rows) for k in range(len(table.columns))
    ]
