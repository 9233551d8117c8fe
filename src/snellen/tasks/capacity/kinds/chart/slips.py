"""Ways to go wrong with a chart and edits of it, with what they give.

Where several edits follow one another, leaving all of them out is another thing than leaving out some: the one gives
what the chart shows, the other a chain that breaks. A single value often cannot tell the two apart, a whole answer can.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, combinations
from typing import TypeVar

from snellen.tasks.capacity.draw.charts.frame import DUAL, GROUPED, LOG, DataChart
from snellen.tasks.capacity.kinds.chart.edits import (
    ChartTable,
    Edit,
    Edits,
    Result,
    Row,
    done,
    left_out,
    mapped,
    percent_of,
    renamed,
    result,
    unedited,
    without,
)

T = TypeVar("T")

Slip = tuple[str, ChartTable]
NOT_APPLIED, ONE_LEFT_OUT, SOME_LEFT_OUT = "edit not applied", "one edit left out", "some edits left out"


def wholes(chart: DataChart, edits: Edits) -> Iterator[tuple[str, Result]]:
    """What whole answers give away: whether some of the edits were left out, or all of them."""
    table = ChartTable.of(chart)
    for many in range(1, len(edits)):
        for gone in combinations(range(len(edits)), many):
            yield ONE_LEFT_OUT if many == 1 else SOME_LEFT_OUT, _but_for(table, edits, gone).fields()
    yield NOT_APPLIED, unedited(table, *edits)


def _but_for(table: ChartTable, edits: Edits, gone: Sequence[int]) -> ChartTable:
    for place, edit in enumerate(edits):
        table = left_out(table, edit) if place in gone else done(table, [edit])
    return table


def slips(chart: DataChart, edits: Edits) -> Iterator[tuple[str, Result]]:
    """Named ways to go wrong, value by value, the most telling first."""
    table = ChartTable.of(chart)
    for name, values in wholes(chart, edits):
        # One value that is as it was does not say that no edit was done: others may be as they should.
        yield SOME_LEFT_OUT if name == NOT_APPLIED and len(edits) > 1 else name, values
    for place, edit in enumerate(edits):
        for name, wrong in _SLIPS[edit.kind](done(table, edits[:place]), edit):
            yield from _followed(name, wrong, edits[place + 1 :])
    for name, wrong in _misread(table, chart, edits):
        yield from _followed(name, wrong, edits)


def _followed(name: str, wrong: ChartTable, edits: Edits) -> Iterator[tuple[str, Result]]:
    """What a slip gives after the edits that follow; nothing if they cannot be done any more, as of a sum of 0."""
    try:
        yield name, result(wrong, *edits)
    except ZeroDivisionError:
        return


def _misread(table: ChartTable, chart: DataChart, edits: Edits) -> Iterator[Slip]:
    """Values taken for others before any edit."""
    if chart.kind == "stacked":
        yield "read from the axis instead of the segment", _from_the_axis(table)
    if chart.kind == "pie" and not chart.labelled:
        yield "read from the axis instead of the segment", replace(table, rows=tuple(_ends(table.rows)))
    if chart.kind == GROUPED:
        for shift in (-1, 1):
            yield "read another series", replace(table, rows=tuple(_turned(row, shift) for row in table.rows))
    if {edit.kind for edit in edits} & {"percent", "sort"}:
        return
    for shift in (-1, 1):
        yield "read the neighbouring entry", replace(table, rows=_turned(table.rows, shift))
    if chart.kind == DUAL:
        left, right = Fraction(chart.minor), Fraction(chart.right_minor)
        crossed = tuple((first * right / left, second * left / right) for first, second in table.rows)
        yield "read from the axis of the other series", replace(table, rows=crossed)
    for way in () if chart.labelled else (-1, 1):
        moved = tuple(tuple(_next_line(chart, *spot, way) for spot in enumerate(row)) for row in table.rows)
        yield "misread by one gridline", replace(table, rows=moved)


def _next_line(chart: DataChart, series: int, value: Fraction, way: int) -> Fraction:
    """The value of the line above (`way` 1) or below (-1) that of a value of a series."""
    if chart.kind == LOG:
        decade = 10 ** (len(str(int(value))) - 1)
        return value + way * Fraction(decade, 10 if way < 0 and value == decade else 1)
    return value + way * (chart.right_minor if series and chart.right_minor else chart.minor or chart.step)


def _from_the_axis(table: ChartTable) -> ChartTable:
    rows = tuple(tuple(sum(row[: place + 1], Fraction(0)) for place in range(len(row))) for row in table.rows)
    return replace(table, rows=rows)


def _ends(slices: Sequence[Row]) -> Iterator[Row]:
    """Where on the dial each slice of a pie ends."""
    return ((end,) for end in accumulate(value for (value,) in slices))


def _turned(row: tuple[T, ...], shift: int) -> tuple[T, ...]:
    """Each in the place of its neighbour."""
    return tuple(row[(place + shift) % len(row)] for place in range(len(row)))


def _others(table: ChartTable, names: Sequence[str]) -> list[str]:
    return [name for name in table.categories if name not in names]


def _swap_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    for kept in edit.names:
        for other in _others(table, edit.names):
            yield "edited the wrong entry", done(table, [replace(edit, names=(kept, other))])


def _replace_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    old, new = edit.names
    row = tuple(Fraction(number) for number in edit.numbers)
    for other in _others(table, (old,)):
        yield "edited the wrong entry", renamed(table.having({other: row}), old, new)


def _add_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    amount = edit.numbers[0]
    yield "added with the wrong sign", done(table, [replace(edit, numbers=(-amount,))])
    yield "scaled instead of added", done(table, [Edit("scale", edit.names, (100 + amount, 100))])
    yield from _wrong_targets(table, edit)


def _scale_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    factor = Fraction(*edit.numbers)
    percent = 100 * factor - 100
    amount = percent if percent_of(factor) else factor
    yield "added instead of scaled", mapped(table, edit, lambda value: value + amount)
    yield "scaled the wrong way", done(table, [replace(edit, numbers=(factor.denominator, factor.numerator))])
    if percent_of(factor):
        yield "scaled the wrong way", mapped(table, edit, lambda value: value * (100 - percent) / 100)
        yield "only the change given", mapped(table, edit, lambda value: value * abs(percent) / 100)
    yield from _wrong_targets(table, edit)


def _wrong_targets(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    if edit.names:
        yield "edited the wrong entry", done(table, [replace(edit, names=())])


def _percent_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    everything = sum((sum(row, Fraction(0)) for row in table.rows), Fraction(0))
    bases = [
        max(value for row in table.rows for value in row),
        everything,
        max(sum(row, Fraction(0)) for row in table.rows),
    ]
    for base in bases:
        yield "wrong base of the percentage", mapped(table, edit, _of(base))
    columns = [sum(column, Fraction(0)) for column in zip(*table.rows, strict=True)]
    by_series = tuple(tuple(100 * v / base for v, base in zip(row, columns, strict=True)) for row in table.rows)
    yield "wrong base of the percentage", replace(table, rows=by_series)
    yield "a fraction instead of a percentage", mapped(done(table, [edit]), edit, lambda value: value / 100)


def _of(base: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda value: 100 * value / base


def _remove_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    gone, other = edit.names
    for wrong in _others(table, edit.names):
        yield "edited the wrong entry", done(table, [replace(edit, names=(gone, wrong))])
    yield "overwritten instead of added", without(table.having({other: table.row(gone)}), gone)


def _sort_slips(table: ChartTable, edit: Edit) -> Iterator[Slip]:
    yield "sorted the other way", done(table, [replace(edit, numbers=(-edit.numbers[0],))])


_SLIPS: Mapping[str, Callable[[ChartTable, Edit], Iterator[Slip]]] = {
    **{"swap": _swap_slips, "replace": _replace_slips, "add": _add_slips, "scale": _scale_slips},
    **{"percent": _percent_slips, "remove": _remove_slips, "sort": _sort_slips},
}
