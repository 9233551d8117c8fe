"""Typed columns: a list of them over rows of one type is a table, whatever form it is printed in.

A column has a name, a unit and a function of a row. The unit says how a value becomes a cell: a `share` from 0 to 1 is
shown in percent, a `p`-value as people write it, anything else as it is. `TableSpec` is a table of a study as data:
its columns and rows are functions of the study's results, so it is made only when it is asked for. `chart_rows` turns
the same values into the rows of a chart.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, Generic, Literal, TypeVar

from snellen.analysis.contrasts import Contrast, p_text
from snellen.analysis.estimates import AtLevels, Estimate
from snellen.charts.blocks import Cell, Intervals, Section, Shares, Table, Value, percent

__all__ = ["Column", "TableSpec", "named_tables"]

Row = TypeVar("Row", contravariant=True)
Results = TypeVar("Results")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table: `name` is the header, `value` gets the cell of a row, in this unit."""

    name: str
    unit: Literal["", "share", "p"]
    value: Callable[[Row], Any]

    def cell(self, row: Row) -> Cell:
        value = self.value(row)
        if self.unit == "p":
            return p_text(value)
        cell: Cell = percent(value) if self.unit == "share" else value
        return cell


def columns(*parts: Column[Any] | Iterable[Column[Any]]) -> list[Column[Any]]:
    """Flatten columns and lists of columns into one list."""
    return [column for part in parts for column in ((part,) if isinstance(part, Column) else part)]


def table(
    name: str, title: str, note: str, columns: Sequence[Column[Row]], rows: Iterable[Row], *, compact: bool = False
) -> Table:
    """Make a table with these columns from these rows."""
    cells = tuple(tuple(column.cell(row) for column in columns) for row in rows)
    return Table(name, title, note, tuple(column.name for column in columns), cells, compact)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A named table, computed on demand."""

    title: str
    make: Callable[[], Table]


@dataclass(frozen=True, slots=True)
class TableSpec(Generic[Results]):
    """A table of a study. `remark` is added to its note, where that depends on the results; `listed` is what it is
    called in the list of tables, where that differs from its title."""

    name: str
    title: str
    note: str
    columns: Callable[[Results], Sequence[Column[Any]]]
    rows: Callable[[Results], Iterable[Any]]
    remark: Callable[[Results], str] | None = None
    listed: str = ""

    def make(self, results: Results) -> Table:
        note = self.note + (self.remark(results) if self.remark else "")
        return table(self.name, self.title, note, self.columns(results), self.rows(results))


def named_tables(specs: Iterable[TableSpec[Results]], results: Results) -> dict[str, NamedTable]:
    """The tables of these `specs`, each made from `results` when it is asked for. Returns them by name, as a study's
    `tables()` does.

    >>> spec = TableSpec("squares", "Squares", "", lambda _: [Column("n", "", lambda n: n * n)], lambda n: range(n))
    >>> named_tables([spec], 3)["squares"].make().rows
    ((0,), (1,), (4,))
    """

    def named(spec: TableSpec[Results]) -> NamedTable:
        return NamedTable(spec.listed or spec.title, lambda: spec.make(results))

    return {spec.name: named(spec) for spec in specs}


def positions(*names: str) -> list[Column[Any]]:
    """Columns of rows that are tuples of cells already."""
    return [Column(name, "", itemgetter(place)) for place, name in enumerate(names)]


def attributes(*names: str) -> list[Column[Any]]:
    """A column for each attribute of the rows, under its name."""
    return [Column(name.replace("_", " "), "", attrgetter(name)) for name in names]


def shares(*names: str) -> list[Column[Any]]:
    """A column for each attribute that is a share, in percent."""
    return [Column(f"{name.replace('_', ' ')} %", "share", attrgetter(name)) for name in names]


def levels_of(*factors: str) -> list[Column[AtLevels]]:
    """A column for the level of each factor."""

    def column(factor: str) -> Column[AtLevels]:
        return Column(factor, "", lambda row: str(row[factor]))

    return [column(factor) for factor in factors]


def accuracy_column(name: str = "accuracy %") -> Column[Estimate]:
    """The accuracy with its interval, and the unread rate as its note when there is one."""
    return Column(name, "share", lambda row: row.noted)


def counted(trials: str = "trials", items: str = "items", errors: str = "errors") -> list[Column[Estimate]]:
    """How many trials, items and failed calls an estimate rests on, under these names; '' leaves one out."""
    made: list[Column[Estimate]] = [
        Column(trials, "", lambda row: row.trials),
        Column(items, "", lambda row: row.items),
        Column(errors, "", lambda row: row.errors),
    ]
    return [column for column in made if column.name]


UNREAD: Column[Estimate] = Column("unread %", "share", lambda row: row.unread_rate)


def sides(a: str, b: str, difference: str = "difference") -> list[Column[Contrast]]:
    """What the two sides of a contrast have, under these names, and the difference in percentage points."""
    return [
        Column(f"{a} %", "share", lambda row: row.a),
        Column(f"{b} %", "share", lambda row: row.b),
        Column(difference, "share", lambda row: row.gap),
    ]


PAIRS: Column[Contrast] = Column("pairs", "", lambda row: row.pairs)
TESTS: list[Column[Contrast]] = [
    Column("p", "p", lambda row: row.p_holm),
    Column("p (items)", "p", lambda row: row.p_items_holm),
]
"""The adjusted tests of a contrast."""


def contrast_columns(
    a: str, b: str, difference: str = "difference", *, pairs: str = "pairs", items: str = "", alone: bool = False
) -> list[Column[Contrast]]:
    """The columns of a contrast: its sides, the pairs (and items) it rests on, in how many one side alone is right,
    and the adjusted tests."""
    counts: list[Column[Contrast]] = [Column(pairs, "", lambda row: row.pairs)]
    if items:
        counts.append(Column(items, "", lambda row: row.items))
    if alone:
        counts += [Column(f"only {a}", "", lambda row: row.only_a), Column(f"only {b}", "", lambda row: row.only_b)]
    return [*sides(a, b, difference), *counts, *TESTS]


ChartRows = tuple[tuple[str, tuple[Value | None, ...]], ...]
Down = TypeVar("Down")
Across = TypeVar("Across")


def chart_rows(
    cells: Iterable[tuple[Down, Across, Value]], series: Iterable[Across], rows: Iterable[Down] | None = None
) -> tuple[tuple[Down, tuple[Value | None, ...]], ...]:
    """The rows of a chart from single values (row, series, value): those named, or all in the order they come."""
    values: dict[Down, dict[Across, Value]] = {}
    for down, across, value in cells:
        values.setdefault(down, {})[across] = value
    order, lines = tuple(series), values if rows is None else rows
    return tuple((down, tuple(values.get(down, {}).get(across) for across in order)) for down in lines)


def percent_chart(
    title: str,
    note: str,
    series: Iterable[str],
    rows: ChartRows,
    *,
    quantity: str = "accuracy",
    reference: float | None = None,
    line: str = "chance",
) -> Intervals:
    """A chart of percentages with an optional reference line."""
    line = "" if reference is None else line
    return Intervals(title, note, "percent", tuple(series), rows, reference=reference, line=line, quantity=quantity)


def points_chart(
    title: str, note: str, series: Iterable[str], rows: ChartRows, *, quantity: str, line: str = "no difference"
) -> Intervals:
    """A chart of differences in percentage points with a line at zero."""
    return Intervals(title, note, "points", tuple(series), rows, reference=0.0, line=line, quantity=quantity)


Chart = TypeVar("Chart", Intervals, Shares)


def filled(*charts: Chart) -> tuple[Chart, ...]:
    """The charts that have at least one row."""
    return tuple(chart for chart in charts if chart.rows)


def filled_sections(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections that have at least one block."""
    return tuple(section for section in sections if section.blocks)
