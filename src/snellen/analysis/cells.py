"""Cells of a table as people read them, without what a terminal or a format would obey."""

import unicodedata
from math import floor

from snellen.analysis.blocks import Cell, Table, Value


def cell_text(cell: Cell, compact: bool = False) -> str:
    """A cell for people: the value, its interval in brackets, its note; nothing where there is nothing."""
    match cell:
        case None:
            return ""
        case Value():
            if cell.value is None:
                return cell.note
            if compact:
                return _whole(cell)
            small = max(abs(cell.value), abs(cell.low or 0), abs(cell.high or 0)) <= 1
            digits = ".2f" if small and cell.low is not None else ".1f"
            bounds = "" if cell.low is None or cell.high is None else f" [{cell.low:{digits}}, {cell.high:{digits}}]"
            return f"{cell.value:{digits}}{bounds}{' ' if cell.note else ''}{cell.note}"
        case float():
            return f"{cell:.1f}"
        case _:
            return clean(str(cell))


def _whole(value: Value) -> str:
    """The value in whole numbers, with its interval: 12 (8–17)."""
    middle, low, high = (None if x is None else floor(x + 0.5) for x in (value.value, value.low, value.high))
    if low is None or high is None:
        return _signed(middle)
    between = "–" if low >= 0 else " to "
    return f"{_signed(middle)} ({_signed(low)}{between}{_signed(high)})"


def _signed(number: int | None) -> str:
    """With a real minus."""
    return str(number).replace("-", "−")


def clean(text: str) -> str:
    """One harmless line: no control characters, no direction marks, no line breaks."""
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") else char for char in text)


def numeric(table: Table) -> list[bool]:
    """For each column whether it holds numbers, and is set to the right."""
    return [
        all(not isinstance(row[k], str) for row in table.rows) and bool(table.rows) for k in range(len(table.columns))
    ]
