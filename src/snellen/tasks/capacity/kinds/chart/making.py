"""Thinking of a chart and edits that come out cleanly."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from snellen.rng import Stream
from snellen.tasks.capacity.draw.charts.frame import (
    AREA,
    DUAL,
    GROUPED,
    HORIZONTAL,
    KINDS,
    LOG,
    SCATTER,
    DataChart,
)
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.chart.edits import (
    EDITS,
    ChartTable,
    Edit,
    clean,
    done,
    result,
    rounds_clearly,
    unedited,
)
from snellen.tasks.capacity.kinds.chart.slips import ONE_LEFT_OUT, wholes
from snellen.tasks.capacity.kinds.chart.table import TOPICS, invented, read_off, told

_WEIGHT = {"swap": 1, "replace": 1, "sort": 2, "add": 2, "remove": 2, "scale": 3, "percent": 4}
_FACTORS = ((2, 1), (3, 1), (1, 2), (3, 2), (11, 10), (6, 5), (5, 4), (9, 10), (4, 5), (3, 4))


def plan(index: int) -> tuple[str, str, bool]:
    """Kind of chart, kind of edit, and whether values are written: all combinations take turns. Pies need theirs."""
    kind = KINDS[index % len(KINDS)]
    return kind, EDITS[index % len(EDITS)], kind == "pie" or index // len(KINDS) % 2 == 0


@dataclass(frozen=True, slots=True)
class ChartDifficulty:
    """How hard a size is: the kinds of charts, how many edits follow one another, how finely the axis is parted, how
    many entries there are, and how many entries of how many series where there are several."""

    kinds: tuple[str, ...]
    edits: int
    parted: int
    single: tuple[int, ...]
    groups: tuple[tuple[int, int], ...]


_MORE = (GROUPED, HORIZONTAL, AREA, SCATTER, LOG, DUAL)
LEVELS = {
    "standard": ChartDifficulty((*KINDS, *_MORE), 2, 2, (8, 9, 10, 11), ((4, 3), (5, 3))),
    "large": ChartDifficulty(("bar", "line", "stacked", *_MORE), 3, 5, (10, 11), ((5, 3), (6, 3), (4, 4), (5, 4))),
}
"""A pie has room for nine different slices at most, too few for the large size.
The small size has one edit and few values, half of them written."""
_EARLIER = ("swap", "replace", "add", "scale", "remove")
"""What may come before another edit; sorting and percentages come last."""
_SUITED = {DUAL: _EARLIER, SCATTER: tuple(kind for kind in EDITS if kind != "sort")}
"""The edits that make sense where not all do: values by two axes have no sum, points no order."""


def make(rng: Stream, size: str, index: int) -> Truth:
    """A chart and edits; the result is positive, needs at most one decimal, and differs from what was there."""
    return _read_off(rng, size, index) if size in LEVELS else _plain(rng, size, index)


def _plain(rng: Stream, size: str, index: int) -> Truth:
    kind, edit_kind, labelled = plan(index)
    while True:
        chart = invented(rng, kind, labelled, edit_kind == "percent")
        table = ChartTable.of(chart)
        edit = _edit(rng, chart, table, edit_kind)
        after = result(table, edit)
        if clean(after) and after != unedited(table, edit) and _well_apart(table, edit):
            break
    difficulty = len(after) + 2 * _WEIGHT[edit_kind] + 2 * (not labelled) + 2 * (kind == "stacked")
    return {"size": size, "chart": told(chart), "edits": [edit.told()], "difficulty": difficulty}


def chain(rng: Stream, level: ChartDifficulty, index: int) -> tuple[str, list[str]]:
    """Kind of chart and kinds of edits: charts and last edits take turns, those before are any that may be. What has
    been swapped is sorted as if it had not."""
    turn, place = divmod(index, len(level.kinds))
    chart = level.kinds[place]
    edits = _SUITED.get(chart, EDITS)
    last = edits[(turn + place) % len(edits)]
    useless = (last, "swap") if last == "sort" else (last,)
    earlier = rng.sample([kind for kind in _EARLIER if kind not in useless], level.edits - 1)
    return chart, [*earlier, last]


def _read_off(rng: Stream, size: str, index: int) -> Truth:
    """A chart with many values to be read off, and edits one after another."""
    level = LEVELS[size]
    kind, kinds = chain(rng, level, index)
    many, series = rng.choice(level.groups) if kind in ("stacked", GROUPED) else (rng.choice(level.single), 1)
    if kind == DUAL:
        many, series = many // 2 + 1, 2
    while True:
        chart = read_off(rng, kind, many, series, level.parted)
        edits = _edits(rng, chart, kinds)
        if edits:
            break
    after = result(ChartTable.of(chart), *edits)
    difficulty = 10 + len(after) + 2 * sum(_WEIGHT[edit_kind] for edit_kind in kinds) + 2 * (kind == "stacked")
    return {"size": size, "chart": told(chart), "edits": [edit.told() for edit in edits], "difficulty": difficulty}


def _edits(rng: Stream, chart: DataChart, kinds: Sequence[str]) -> list[Edit]:
    """Edits of these kinds, each of which changes what the one before left and shows in the end; none if the dice fell
    badly."""
    table, edits = ChartTable.of(chart), list[Edit]()
    for kind in kinds:
        edit = _edit(rng, chart, table, kind)
        after = result(table, edit)
        good = rounds_clearly(after) if kind == "percent" else clean(after)
        if not good or after == unedited(table, edit) or not _well_apart(table, edit):
            return []
        edits.append(edit)
        table = done(table, [edit])
    missed = (values for name, values in wholes(chart, edits) if name == ONE_LEFT_OUT)
    return [] if result(ChartTable.of(chart), *edits) in missed else edits


def _edit(rng: Stream, chart: DataChart, table: ChartTable, kind: str) -> Edit:
    """An edit of this kind of a table that was the chart's."""
    names = table.categories
    if kind in ("swap", "remove"):
        return Edit(kind, tuple(rng.sample(names, 2)))
    if kind == "replace":
        new = rng.choice(_unused(chart))
        return Edit(kind, (rng.choice(names), new), tuple(_new_value(rng, step) for step in _steps(chart)))
    if kind == "add":
        targets = _targets(rng, table, chart.kind)
        step = _steps(chart)[chart.series.index(targets[0])] if chart.kind == DUAL else _steps(chart)[0]
        amount = step * (1 + rng.below(3)) if step else 3 + rng.below(20)
        return Edit(kind, targets, (rng.choice((-1, 1)) * amount,))
    if kind == "scale":
        return Edit(kind, _targets(rng, table, chart.kind), rng.choice(_FACTORS))
    return Edit(kind, (), (rng.choice((-1, 1)),) if kind == "sort" else ())


def _unused(chart: DataChart) -> list[str]:
    """Names that would suit the chart and are not in it."""
    names = next(topic.names for topic in TOPICS if set(chart.categories) <= set(topic.names))
    return [name for name in names if name not in chart.categories]


def _steps(chart: DataChart) -> list[int]:
    """For each series, the step of the axis it is read off; 0 where values are written."""
    if chart.kind == LOG:
        return [10 * chart.step]
    steps = [0 if chart.labelled else chart.step for _ in chart.series]
    return [steps[0], chart.step // chart.minor * chart.right_minor] if chart.kind == DUAL else steps


def _new_value(rng: Stream, step: int) -> int:
    return step * (1 + rng.below(8)) if step else 10 + rng.below(60)


def _targets(rng: Stream, table: ChartTable, kind: str) -> tuple[str, ...]:
    """What is added to or scaled: one of several series, two or three categories, or (no names) all of them."""
    if kind == DUAL or (len(table.series) > 1 and rng.chance()):
        return (rng.choice(table.series),)
    many = rng.choice((0, 2, 2, 3))
    picked = rng.sample(table.categories, many)
    return tuple(name for name in table.categories if name in picked)


def _well_apart(table: ChartTable, edit: Edit) -> bool:
    """Whether an edit that goes by order has no ties, and no likely slip comes out as the plain value."""
    totals = [sum(values, Fraction(0)) for values in table.rows]
    if edit.kind == "sort":
        return len(set(totals)) == len(totals) and totals not in (sorted(totals), sorted(totals, reverse=True))
    if edit.kind == "percent":
        return 100 not in (sum(totals), *totals, *(value for values in table.rows for value in values))
    if edit.kind == "replace":
        series = zip(*table.rows, strict=True)
        return all(number not in values for number, values in zip(edit.numbers, series, strict=True))
    return True
