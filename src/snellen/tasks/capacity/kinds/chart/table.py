"""Tables behind charts: invented figures that read plausibly and can be read off exactly."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import Any

from snellen.rng import Stream
from snellen.tasks.capacity.data import frozen, listed, table
from snellen.tasks.capacity.draw.charts.frame import DUAL, HORIZONTAL, LOG, SCATTER, DataChart
from snellen.tasks.capacity.kind import Truth


@dataclass(frozen=True, slots=True)
class ChartTopic:
    """What a chart is about: the names on its axis come from `names`; `runs`: they have an order of their own;
    `across`: what named points have on the other axis."""

    title: str
    unit: str
    names: tuple[str, ...]
    runs: bool = False
    series: tuple[str, ...] = ()
    across: str = ""


_NAMES, _TOPICS = (table("charts")[part] for part in ("names", "topics"))
MONTHS, TOWNS = _NAMES["months"], _NAMES["towns"]


def _topic(title: str, unit: str, names: str, *series: str) -> ChartTopic:
    return ChartTopic(title, unit, _NAMES[names], names in ("months", "days"), series)


THEMES = tuple(_topic(*row) for row in _TOPICS["single"])
STACKS = tuple(_topic(*row) for row in _TOPICS["stacks"])
_OWN = {
    DUAL: tuple(_topic(*row) for row in _TOPICS["duals"]),
    LOG: tuple(_topic(*row) for row in _TOPICS["logs"]),
    SCATTER: tuple(replace(_topic(*row), across=across) for *row, across in _TOPICS["scatters"]),
}
"""Topics that only one kind of chart has."""
TOPICS = (*THEMES, *STACKS, *(topic for topics in _OWN.values() for topic in topics))

_STEPS = (2, 5, 10, 20, 50)
_LINES = {2: 20, 5: 30}
"""So many lines there are at most, by how many go to a step of the axis."""
_FINE_STEPS = {2: (1, 5, 10, 50), 5: (1, 2, 4, 10)}
"""What the distance between two lines stands for."""
_DIAL, _DIAL_PARTED = 60, 5
"""Marks of the dial round a pie, and how many of them go to a written number: as on a clock."""
_UNITS = 10
"""A chart without written values has so many gridlines at most, and every mark ends on one."""


def chart_of(truth: Truth) -> DataChart:
    """The chart that a truth tells of."""
    return DataChart(**frozen(truth["chart"]))


def told(chart: DataChart) -> dict[str, Any]:
    """A chart in JSON types, without what only other kinds of charts have."""
    usual = {field.name: field.default for field in fields(DataChart)}
    return {name: listed(value) for name, value in asdict(chart).items() if value != usual[name]}


def read_off(rng: Stream, kind: str, many: int, series: int, parted: int) -> DataChart:
    """A chart of so many entries without written values: every mark ends on a line, of which `parted` go to a step of
    the axis, or where there would be one; of a pie, every slice ends at a mark of the dial round it."""
    theme = rng.choice(_topics(kind, series, many))
    names = _names(rng, theme, many)
    named = theme.series[:series] or ("",)
    if kind == LOG:
        return _logarithmic(rng, theme, names)
    if kind == "pie":
        parted = _DIAL_PARTED
    lines = _DIAL if kind == "pie" else _LINES[parted]
    while True:
        rows = _slices(rng, len(names)) if kind == "pie" else [_row(rng, lines, kind, series) for _ in names]
        totals = [sum(row) for row in rows]
        highest = {"stacked": max(totals), "pie": sum(totals)}.get(kind, max(map(max, rows)))
        if len(set(totals)) == len(totals) and len(set(rows)) == len(rows) and lines * 3 // 4 <= highest <= lines:
            break
    units = rng.sample(_FINE_STEPS[parted], 2) if kind == DUAL else (rng.choice(_FINE_STEPS[parted]),) * series
    values = tuple(tuple(value * unit for value, unit in zip(row, units, strict=True)) for row in rows)
    step, top = parted * units[0], parted * units[0] * -(-highest // parted)
    chart = DataChart(kind, theme.title, theme.unit, names, named, values, step, top, False, units[0])
    if kind == SCATTER:
        chart = replace(chart, places=_places(rng, len(names)), across=theme.across)
    return replace(chart, ruled=kind == "pie" or rng.chance(), right_minor=units[1] if kind == DUAL else 0)


def _topics(kind: str, series: int, many: int) -> Sequence[ChartTopic]:
    """What a chart of this kind may be about. Many names in a row must be short: months. Pies are of what does not go
    over time, and lying bars have room for any name."""
    if kind in _OWN:
        return _OWN[kind]
    if series > 1:
        return STACKS
    if kind == HORIZONTAL:
        return [topic for topic in THEMES if topic.names in (TOWNS, MONTHS) and len(topic.names) > many]
    return [topic for topic in THEMES if topic.names == (TOWNS if kind == "pie" else MONTHS)]


def _logarithmic(rng: Stream, theme: ChartTopic, names: tuple[str, ...]) -> DataChart:
    """Values that end on the lines of log paper, over three decades."""
    low = rng.choice((1, 10))
    while True:
        values = [(1 + rng.below(9)) * low * 10 ** rng.below(3) for _ in names]
        if len(set(values)) == len(values) and min(values) < 10 * low and max(values) >= 100 * low:
            break
    rows = tuple((value,) for value in values)
    return DataChart(LOG, theme.title, theme.unit, names, ("",), rows, low, 1000 * low, labelled=False)


def _places(rng: Stream, many: int) -> tuple[int, ...]:
    """Where points are on the other axis, so far apart that a name fits between two of them."""
    odd = rng.below(2)
    return tuple(2 * slot + odd for slot in rng.sample(range(1, 12), many))


def _slices(rng: Stream, many: int) -> list[tuple[int, ...]]:
    """What is between two borders of a pie, in marks of its dial: none thinner than two, and no two side by side so
    thin that their names would meet."""
    while True:
        free = sorted(rng.below(_DIAL - 2 * many + 1) for _ in range(many - 1))
        slices = [2 + high - low for low, high in pairwise((0, *free, _DIAL - 2 * many))]
        if all(share + after >= 8 for share, after in pairwise((*slices, slices[0]))):
            return [(share,) for share in slices]


def _row(rng: Stream, lines: int, kind: str, many: int) -> tuple[int, ...]:
    """In lines, for one entry. Parts of a stack are not so large that the stack leaves the chart."""
    most = lines // many if kind == "stacked" else lines
    return tuple(2 + rng.below(most - 1) for _ in range(many))


def invented(rng: Stream, kind: str, labelled: bool, shares: bool) -> DataChart:
    """A chart with figures of its own. `shares`: every part is a round percentage of its whole."""
    theme = rng.choice([topic for topic in (STACKS if kind == "stacked" else THEMES) if _suits(topic, kind)])
    many = {"bar": 4 + rng.below(4), "line": 5 + rng.below(3), "pie": 4 + rng.below(3), "stacked": 3 + rng.below(2)}
    names = _names(rng, theme, many[kind])
    series = theme.series[: 2 + rng.below(2)] if kind == "stacked" else ("",)
    empty = DataChart(kind, theme.title, theme.unit, names, series, (), 1, _UNITS, labelled)
    while True:
        chart = (_stack if kind == "stacked" else _single)(rng, empty, shares)
        if chart.values:
            return chart if labelled else _on_gridlines(rng, chart)


def _suits(theme: ChartTopic, kind: str) -> bool:
    """Lines go over time, pies do not."""
    return kind in ("bar", "stacked") or theme.runs == (kind == "line")


def _names(rng: Stream, theme: ChartTopic, many: int) -> tuple[str, ...]:
    many = min(many, len(theme.names) - 1)  # one name is left for an edit that needs a new one
    if not theme.runs:
        return tuple(rng.sample(theme.names, many))
    start = rng.below(len(theme.names) - many + 1)
    return theme.names[start : start + many]


def _single(rng: Stream, chart: DataChart, shares: bool) -> DataChart:
    """Figures for one series; none if the dice fell badly."""
    many = len(chart.categories)
    if not chart.labelled:
        values = rng.sample(range(1, _UNITS + 1), many)
        good = max(values) >= 6 and (not shares or sum(values) in (20, 25, 40))
    else:
        largest = rng.choice((40, 60, 90, 120))
        values = [int(rng.between(0.14, 1) * largest) for _ in range(many)]
        if shares:
            values[-1] = rng.choice((50, 125, 200, 250)) - sum(values[:-1])
        good = _apart(values) and (chart.kind != "pie" or min(values) * 16 >= sum(values))
    if not good:
        return chart
    return _framed(replace(chart, values=tuple((value,) for value in values)))


def _stack(rng: Stream, chart: DataChart, shares: bool) -> DataChart:
    """Figures for several series on top of one another; none if the dice fell badly."""
    parts, rows = len(chart.series), []
    for _ in chart.categories:
        if not chart.labelled:
            row = [1 + rng.below(5) for _ in range(parts)]
            good = sum(row) <= _UNITS and (not shares or sum(row) in (5, 8, 10))
        else:
            row = [8 + rng.below(43) for _ in range(parts)]
            if shares:
                row[-1] = rng.choice((40, 50, 125)) - sum(row[:-1])
            good = min(row) >= 8 and max(row) <= 70
        if not good:
            return chart
        rows.append(tuple(row))
    totals = [sum(row) for row in rows]
    if (len(set(totals)) < len(totals) and not shares) or len(set(rows)) < len(rows) or max(totals) < 6:
        return chart
    return _framed(replace(chart, values=tuple(rows)))


def _apart(values: list[int]) -> bool:
    """Whether figures differ enough that none is taken for another."""
    ordered = sorted(values)
    return ordered[0] >= 4 and all(high - low >= 2 for low, high in pairwise(ordered))


def _framed(chart: DataChart) -> DataChart:
    """The chart with an axis that suits its figures."""
    highest = max(sum(values) for values in chart.values)
    if not chart.labelled:
        return replace(chart, step=1, top=min(_UNITS, highest + 1))
    step = next(step for step in (5, 10, 20, 25, 50, 100) if step * 7 >= highest)
    return replace(chart, step=step, top=step * -(-(highest + 1) // step))


def _on_gridlines(rng: Stream, chart: DataChart) -> DataChart:
    """The same chart in larger figures: one gridline stands for more than one."""
    step = rng.choice(_STEPS)
    values = tuple(tuple(value * step for value in row) for row in chart.values)
    return replace(chart, values=values, step=step, top=chart.top * step)
