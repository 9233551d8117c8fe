"""Thinking of a chart and an edit that comes out cleanly."""

from snellen.draw.charts import KINDS, Chart
from snellen.rng import Stream
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.chart.edits import EDITS, Edit, Table, clean, result, unedited
from snellen.tasks.capacity.kinds.chart.table import STACKS, THEMES, invented, told

_WEIGHT = {"swap": 1, "replace": 1, "sort": 2, "add": 2, "remove": 2, "scale": 3, "percent": 4}
_FACTORS = ((2, 1), (3, 1), (1, 2), (3, 2), (11, 10), (6, 5), (5, 4), (9, 10), (4, 5), (3, 4))


def plan(index: int) -> tuple[str, str, bool]:
    """Kind of chart, kind of edit, and whether values are written: all combinations take turns. Pies need theirs."""
    kind = KINDS[index % len(KINDS)]
    return kind, EDITS[index % len(EDITS)], kind == "pie" or index // len(KINDS) % 2 == 0


def make(rng: Stream, size: str, index: int) -> Truth:
    """A chart and an edit; the result is positive, needs at most one decimal, and differs from what was there."""
    kind, edit_kind, labelled = plan(index)
    while True:
        chart = invented(rng, kind, labelled, edit_kind == "percent")
        edit, table = _edit(rng, chart, edit_kind), Table.of(chart)
        after = result(table, edit)
        if clean(after) and after != unedited(table, edit) and _well_apart(chart, edit):
            break
    difficulty = len(after) + 2 * _WEIGHT[edit_kind] + 2 * (not labelled) + 2 * (kind == "stacked")
    return {"size": size, "chart": told(chart), "edit": edit.told(), "difficulty": difficulty}


def _edit(rng: Stream, chart: Chart, kind: str) -> Edit:
    names = chart.categories
    if kind in ("swap", "remove"):
        return Edit(kind, tuple(rng.sample(names, 2)))
    if kind == "replace":
        new = rng.choice(_unused(chart))
        return Edit(kind, (rng.choice(names), new), tuple(_new_value(rng, chart) for _ in chart.series))
    if kind == "add":
        amount = chart.step * (1 + rng.below(3)) if not chart.labelled else 3 + rng.below(20)
        return Edit(kind, _targets(rng, chart), (rng.choice((-1, 1)) * amount,))
    if kind == "scale":
        return Edit(kind, _targets(rng, chart), rng.choice(_FACTORS))
    return Edit(kind, (), (rng.choice((-1, 1)),) if kind == "sort" else ())


def _unused(chart: Chart) -> list[str]:
    """Names that would suit the chart and are not in it."""
    names = next(theme.names for theme in (*THEMES, *STACKS) if set(chart.categories) <= set(theme.names))
    return [name for name in names if name not in chart.categories]


def _new_value(rng: Stream, chart: Chart) -> int:
    if chart.labelled:
        return 10 + rng.below(60)
    return chart.step * (1 + rng.below(8))


def _targets(rng: Stream, chart: Chart) -> tuple[str, ...]:
    """What is added to or scaled: a series of stacked bars, two or three categories, or (no names) all of them."""
    if chart.kind == "stacked" and rng.chance():
        return (rng.choice(chart.series),)
    many = rng.choice((0, 2, 2, 3))
    picked = rng.sample(chart.categories, many)
    return tuple(name for name in chart.categories if name in picked)


def _well_apart(chart: Chart, edit: Edit) -> bool:
    """Whether an edit that goes by order has no ties, and no likely slip comes out as the plain value."""
    totals = [sum(values) for values in chart.values]
    if edit.kind == "sort":
        return len(set(totals)) == len(totals) and totals not in (sorted(totals), sorted(totals, reverse=True))
    if edit.kind == "percent":
        return 100 not in (sum(totals), *totals, *(value for values in chart.values for value in values))
    if edit.kind == "replace":
        series = zip(*chart.values, strict=True)
        return all(number not in values for number, values in zip(edit.numbers, series, strict=True))
    return True
