"""Edits of a table, and what comes out of them or of leaving them out (`slips.py`: of doing them wrongly).

A **result** has for each field of the answer its value. Values are exact fractions until they are written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from snellen.tasks.capacity.draw.charts.frame import DataChart

EDITS = ("swap", "replace", "add", "scale", "percent", "remove", "sort")

Row = tuple[Fraction, ...]
Result = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Categories, each with one value per series."""

    categories: tuple[str, ...]
    series: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, chart: DataChart) -> "ChartTable":
        rows = tuple(tuple(Fraction(value) for value in values) for values in chart.values)
        return cls(chart.categories, chart.series, rows)

    def row(self, name: str) -> Row:
        return self.rows[self.categories.index(name)]

    def having(self, rows: Mapping[str, Row]) -> "ChartTable":
        """The table with other values for some categories."""
        pairs = zip(self.categories, self.rows, strict=True)
        return replace(self, rows=tuple(rows.get(name, row) for name, row in pairs))

    def fields(self) -> Result:
        """The values by the names that the answer's fields have."""
        return {
            f"{name}, {series}" if series else name: value
            for name, row in zip(self.categories, self.rows, strict=True)
            for series, value in zip(self.series, row, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Edit:
    """A change: its kind, the names it is about (categories, or series), and numbers as far as it needs any.

    swap: two categories. replace: the old one and the new, whose values are the numbers. add: a number to the named.
    scale: the named times a fraction (two numbers). percent: nothing. remove: the one that goes and the one that gets
    its values. sort: a number, 1 for rising and -1 for falling. No names: all categories.
    """

    kind: str
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Edit":
        return cls(told["kind"], tuple(told["names"]), tuple(told["numbers"]))

    def told(self) -> dict[str, Any]:
        return {"kind": self.kind, "names": list(self.names), "numbers": list(self.numbers)}


Edits = Sequence[Edit]
"""Edits one after another."""


def done(table: ChartTable, edits: Edits) -> ChartTable:
    """The table after the edits."""
    for edit in edits:
        table = _DONE[edit.kind](table, edit)
    return table


def result(table: ChartTable, *edits: Edit) -> Result:
    """What the answer's fields are after the edits."""
    return done(table, edits).fields()


def _swapped(table: ChartTable, edit: Edit) -> ChartTable:
    first, second = edit.names
    return table.having({first: table.row(second), second: table.row(first)})


def _replaced(table: ChartTable, edit: Edit) -> ChartTable:
    old, new = edit.names
    row = tuple(Fraction(number) for number in edit.numbers)
    return renamed(table.having({old: row}), old, new)


def renamed(table: ChartTable, old: str, new: str) -> ChartTable:
    return replace(table, categories=tuple(new if name == old else name for name in table.categories))


def mapped(table: ChartTable, edit: Edit, change: Callable[[Fraction], Fraction]) -> ChartTable:
    """The change done to the named categories or series, or to all where none is named."""
    return replace(
        table,
        rows=tuple(
            tuple(
                change(value) if not edit.names or name in edit.names or series in edit.names else value
                for series, value in zip(table.series, row, strict=True)
            )
            for name, row in zip(table.categories, table.rows, strict=True)
        ),
    )


def _added(table: ChartTable, edit: Edit) -> ChartTable:
    return mapped(table, edit, lambda value: value + edit.numbers[0])


def _scaled(table: ChartTable, edit: Edit) -> ChartTable:
    return mapped(table, edit, lambda value: value * Fraction(*edit.numbers))


def _in_percent(table: ChartTable, edit: Edit) -> ChartTable:
    """Of the whole; of stacked bars, of each bar."""
    if len(table.series) == 1:
        total = sum((row[0] for row in table.rows), Fraction(0))
        return mapped(table, edit, lambda value: 100 * value / total)
    return replace(table, rows=tuple(tuple(100 * value / sum(row) for value in row) for row in table.rows))


def _removed(table: ChartTable, edit: Edit) -> ChartTable:
    gone, other = edit.names
    joined = tuple(a + b for a, b in zip(table.row(gone), table.row(other), strict=True))
    return without(table.having({other: joined}), gone)


def without(table: ChartTable, gone: str) -> ChartTable:
    kept = [number for number, name in enumerate(table.categories) if name != gone]
    return replace(
        table,
        categories=tuple(table.categories[number] for number in kept),
        rows=tuple(table.rows[number] for number in kept),
    )


def _sorted(table: ChartTable, edit: Edit) -> ChartTable:
    rows = tuple(sorted(table.rows, key=lambda row: edit.numbers[0] * sum(row)))
    return replace(_placed(table), rows=rows)


def _placed(table: ChartTable) -> ChartTable:
    """The table by places instead of names."""
    return replace(table, categories=tuple(f"place {number}" for number in range(1, len(table.rows) + 1)))


_DONE: Mapping[str, Callable[[ChartTable, Edit], ChartTable]] = {
    **{"swap": _swapped, "replace": _replaced, "add": _added, "scale": _scaled},
    **{"percent": _in_percent, "remove": _removed, "sort": _sorted},
}


def left_out(table: ChartTable, edit: Edit) -> ChartTable:
    """The table if the edit is forgotten: only names are as after it."""
    if edit.kind == "replace":
        return renamed(table, *edit.names)
    if edit.kind == "remove":
        return without(table, edit.names[0])
    return _placed(table) if edit.kind == "sort" else table


def percent_of(factor: Fraction) -> int:
    """The change in per cent that a factor is told as; 0 where it is told as a factor."""
    return int(100 * factor - 100) if factor.denominator in (4, 5, 10) else 0


def unedited(table: ChartTable, *edits: Edit) -> Result:
    """What the fields are if the edits are forgotten."""
    for edit in edits:
        table = left_out(table, edit)
    return table.fields()


def written(value: Fraction) -> str:
    """A value to one decimal, halves up, without a decimal that is 0."""
    tenths = floor(value * 10 + Fraction(1, 2))
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def rounds_clearly(values: Result) -> bool:
    """Whether all values are positive and none lies just between two decimals."""
    return all(
        value > 0 and ((value * 10).denominator == 1 or (value * 20).denominator > 1) for value in values.values()
    )


def clean(values: Result) -> bool:
    """Whether all values are positive and need at most one decimal."""
    return all(value > 0 and (value * 10).denominator == 1 for value in values.values())
