"""Edits of a table, what comes out of them, and what comes out when they are done wrongly.

A **result** has for each field of the answer its value. Values are exact fractions until they are written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from snellen.draw.charts import Chart

EDITS = ("swap", "replace", "add", "scale", "percent", "remove", "sort")

Row = tuple[Fraction, ...]
Result = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Table:
    """Categories, each with one value per series."""

    categories: tuple[str, ...]
    series: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, chart: Chart) -> "Table":
        rows = tuple(tuple(Fraction(value) for value in values) for values in chart.values)
        return cls(chart.categories, chart.series, rows)

    def row(self, name: str) -> Row:
        return self.rows[self.categories.index(name)]

    def having(self, rows: Mapping[str, Row]) -> "Table":
        """The table with other values for some categories."""
        pairs = zip(self.categories, self.rows, strict=True)
        return replace(self, rows=tuple(rows.get(name, row) for name, row in pairs))

    def fields(self) -> Result:
        """The values by the names that the answer's fields have."""
        return {
            f"{name}, {one}" if one else name: value
            for name, row in zip(self.categories, self.rows, strict=True)
            for one, value in zip(self.series, row, strict=True)
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


def result(table: Table, edit: Edit) -> Result:
    """What the answer's fields are after the edit."""
    return _DONE[edit.kind](table, edit).fields()


def _swapped(table: Table, edit: Edit) -> Table:
    first, second = edit.names
    return table.having({first: table.row(second), second: table.row(first)})


def _replaced(table: Table, edit: Edit) -> Table:
    old, new = edit.names
    row = tuple(Fraction(number) for number in edit.numbers)
    return _renamed(table.having({old: row}), old, new)


def _renamed(table: Table, old: str, new: str) -> Table:
    return replace(table, categories=tuple(new if name == old else name for name in table.categories))


def _mapped(table: Table, edit: Edit, change: Callable[[Fraction], Fraction]) -> Table:
    """The change done to the named categories or series, or to all where none is named."""
    return replace(
        table,
        rows=tuple(
            tuple(
                change(value) if not edit.names or name in edit.names or one in edit.names else value
                for one, value in zip(table.series, row, strict=True)
            )
            for name, row in zip(table.categories, table.rows, strict=True)
        ),
    )


def _added(table: Table, edit: Edit) -> Table:
    return _mapped(table, edit, lambda value: value + edit.numbers[0])


def _scaled(table: Table, edit: Edit) -> Table:
    return _mapped(table, edit, lambda value: value * Fraction(*edit.numbers))


def _in_percent(table: Table, edit: Edit) -> Table:
    """Of the whole; of stacked bars, of each bar."""
    if len(table.series) == 1:
        total = sum((row[0] for row in table.rows), Fraction(0))
        return _mapped(table, edit, lambda value: 100 * value / total)
    return replace(table, rows=tuple(tuple(100 * value / sum(row) for value in row) for row in table.rows))


def _removed(table: Table, edit: Edit) -> Table:
    gone, other = edit.names
    joined = tuple(a + b for a, b in zip(table.row(gone), table.row(other), strict=True))
    return _without(table.having({other: joined}), gone)


def _without(table: Table, gone: str) -> Table:
    kept = [number for number, name in enumerate(table.categories) if name != gone]
    return replace(
        table,
        categories=tuple(table.categories[number] for number in kept),
        rows=tuple(table.rows[number] for number in kept),
    )


def _sorted(table: Table, edit: Edit) -> Table:
    rows = tuple(sorted(table.rows, key=lambda row: edit.numbers[0] * sum(row)))
    return replace(_placed(table), rows=rows)


def _placed(table: Table) -> Table:
    """The table by places instead of names."""
    return replace(table, categories=tuple(f"place {number}" for number in range(1, len(table.rows) + 1)))


_DONE: Mapping[str, Callable[[Table, Edit], Table]] = {
    **{"swap": _swapped, "replace": _replaced, "add": _added, "scale": _scaled},
    **{"percent": _in_percent, "remove": _removed, "sort": _sorted},
}


def unedited(table: Table, edit: Edit) -> Result:
    """What the fields are if the edit is forgotten."""
    if edit.kind == "replace":
        return _renamed(table, *edit.names).fields()
    if edit.kind == "remove":
        return _without(table, edit.names[0]).fields()
    return (_placed(table) if edit.kind == "sort" else table).fields()


def slips(table: Table, edit: Edit, step: int) -> Iterator[tuple[str, Result]]:
    """Named ways to go wrong with what they give, the most telling first.

    `step`: from one gridline to the next, where values are read off; 0 where they are written.
    """
    yield "edit not applied", unedited(table, edit)
    yield from _SLIPS[edit.kind](table, edit)
    if len(table.series) > 1:
        yield "read from the axis instead of the segment", result(_from_the_axis(table), edit)
    if edit.kind not in ("percent", "sort"):
        for shift in (-1, 1):
            yield "read the neighbouring entry", result(_shifted(table, shift), edit)
        if step:
            for way in (-step, step):
                moved = replace(table, rows=tuple(tuple(value + way for value in row) for row in table.rows))
                yield "misread by one gridline", result(moved, edit)


def _from_the_axis(table: Table) -> Table:
    rows = tuple(tuple(sum(row[: place + 1], Fraction(0)) for place in range(len(row))) for row in table.rows)
    return replace(table, rows=rows)


def _shifted(table: Table, shift: int) -> Table:
    many = len(table.rows)
    return replace(table, rows=tuple(table.rows[(place + shift) % many] for place in range(many)))


def _others(table: Table, names: Sequence[str]) -> list[str]:
    return [name for name in table.categories if name not in names]


def _swap_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    for kept in edit.names:
        for other in _others(table, edit.names):
            yield "edited the wrong entry", result(table, replace(edit, names=(kept, other)))


def _replace_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    old, new = edit.names
    row = tuple(Fraction(number) for number in edit.numbers)
    for other in _others(table, (old,)):
        yield "edited the wrong entry", _renamed(table.having({other: row}), old, new).fields()


def _add_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    amount = edit.numbers[0]
    yield "added with the wrong sign", result(table, replace(edit, numbers=(-amount,)))
    yield "scaled instead of added", result(table, Edit("scale", edit.names, (100 + amount, 100)))
    yield from _wrong_targets(table, edit)


def _scale_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    factor = Fraction(*edit.numbers)
    percent = 100 * factor - 100
    amount = percent if percent_of(factor) else factor
    yield "added instead of scaled", _mapped(table, edit, lambda value: value + amount).fields()
    yield "scaled the wrong way", result(table, replace(edit, numbers=(factor.denominator, factor.numerator)))
    if percent_of(factor):
        yield "scaled the wrong way", _mapped(table, edit, lambda value: value * (100 - percent) / 100).fields()
        yield "only the change given", _mapped(table, edit, lambda value: value * abs(percent) / 100).fields()
    yield from _wrong_targets(table, edit)


def percent_of(factor: Fraction) -> int:
    """The change in per cent that a factor is told as; 0 where it is told as a factor."""
    return int(100 * factor - 100) if factor.denominator in (4, 5, 10) else 0


def _wrong_targets(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    if edit.names:
        yield "edited the wrong entry", result(table, replace(edit, names=()))


def _percent_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    everything = sum((sum(row, Fraction(0)) for row in table.rows), Fraction(0))
    bases = [
        max(value for row in table.rows for value in row),
        everything,
        max(sum(row, Fraction(0)) for row in table.rows),
    ]
    for base in bases:
        yield "wrong base of the percentage", _mapped(table, edit, _of(base)).fields()
    columns = [sum(column, Fraction(0)) for column in zip(*table.rows, strict=True)]
    by_series = tuple(tuple(100 * v / base for v, base in zip(row, columns, strict=True)) for row in table.rows)
    yield "wrong base of the percentage", replace(table, rows=by_series).fields()
    yield "a fraction instead of a percentage", {name: value / 100 for name, value in result(table, edit).items()}


def _of(base: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda value: 100 * value / base


def _remove_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    gone, other = edit.names
    for wrong in _others(table, edit.names):
        yield "edited the wrong entry", result(table, replace(edit, names=(gone, wrong)))
    yield "moved the wrong way", _without(table.having({other: table.row(gone)}), gone).fields()


def _sort_slips(table: Table, edit: Edit) -> Iterator[tuple[str, Result]]:
    yield "sorted the other way", result(table, replace(edit, numbers=(-edit.numbers[0],)))


_SLIPS: Mapping[str, Callable[[Table, Edit], Iterator[tuple[str, Result]]]] = {
    **{"swap": _swap_slips, "replace": _replace_slips, "add": _add_slips, "scale": _scale_slips},
    **{"percent": _percent_slips, "remove": _remove_slips, "sort": _sort_slips},
}


def written(value: Fraction) -> str:
    """A value to one decimal, halves up, without a decimal that is 0."""
    tenths = floor(value * 10 + Fraction(1, 2))
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def clean(values: Result) -> bool:
    """Whether all values are positive and need at most one decimal."""
    return all(value > 0 and (value * 10).denominator == 1 for value in values.values())
