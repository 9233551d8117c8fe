"""What is asked of a chart, in words, what wrong answers betray, and the chart as a table in words."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from snellen.item import Field, Form
from snellen.tasks.capacity.draw.charts.frame import AREA, DUAL, GROUPED, HORIZONTAL, LOG, SCATTER, DataChart
from snellen.tasks.capacity.kind import KindQuestion, Truth
from snellen.tasks.capacity.kinds.chart.edits import ChartTable, Edit, Edits, percent_of, result, written
from snellen.tasks.capacity.kinds.chart.slips import slips, wholes
from snellen.tasks.capacity.kinds.chart.table import chart_of

_WHAT = {
    "bar": "bar chart",
    "line": "line chart",
    "pie": "pie chart",
    "stacked": "stacked bar chart",
    GROUPED: "grouped bar chart",
    HORIZONTAL: "horizontal bar chart",
    AREA: "area chart",
    SCATTER: "scatter chart",
    LOG: "line chart with a logarithmic axis",
    DUAL: "chart of bars and a line with two axes",
}
_PLACES = {
    "bar": "place 1 is the leftmost bar",
    "line": "place 1 is the leftmost point",
    "pie": "place 1 is the first slice clockwise from the top",
    "stacked": "place 1 is the leftmost bar",
    GROUPED: "place 1 is the leftmost group of bars",
    HORIZONTAL: "place 1 is the topmost bar",
    AREA: "place 1 is the leftmost point",
    LOG: "place 1 is the leftmost point",
}
_TIMES = {Fraction(2): "Double", Fraction(3): "Triple", Fraction(1, 2): "Halve"}


def ask(truth: Truth) -> KindQuestion:
    chart, edits = chart_of(truth), [Edit.of(edit) for edit in truth["edits"]]
    after = {name: written(value) for name, value in result(ChartTable.of(chart), *edits).items()}
    form = Form("fields", fields=tuple(Field(name, "number") for name in after))
    values = {
        "what": _WHAT[chart.kind],
        "reading": _reading(chart),
        "edit": sentences(chart, edits),
        "lines": "\n".join(f"{name}: (number)" for name in after),
    }
    return KindQuestion(form, _spelled(after), values, _mechanisms(chart, edits, after), twin=twin(chart))


def _spelled(values: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in values.items())


def _reading(chart: DataChart) -> str:
    """How values are read off this chart."""
    if chart.labelled:
        return "Every value is written in the chart."
    if chart.kind == "pie":
        return (
            "The values are not written in the chart, but can be read off exactly: the dial round the pie runs "
            f"clockwise from 0 at the top to {chart.top} at the top again, every slice begins and ends at one of its "
            "marks, and the value of a slice is how far the dial runs along it."
        )
    return f"The values are not written in the chart, but can be read off exactly: {_warning(chart)}{_lines(chart)}"


def _warning(chart: DataChart) -> str:
    """What is easily overlooked in a chart of this kind."""
    if chart.kind == DUAL:
        bars, line = chart.series
        return f"mind that the bars ({bars}) go by the axis on the left and the line ({line}) by the one on the right; "
    if chart.kind == SCATTER:
        return "the value of a point is how high it lies, not how far to the right; "
    return ""


def _lines(chart: DataChart) -> str:
    """How the lines of the chart tell values."""
    if chart.kind == LOG:
        step = chart.step
        return (
            "every value lies on a line; mind that the axis is logarithmic: between "
            f"{step} and {10 * step} the lines are {2 * step}, {3 * step} and so on to {9 * step}, and likewise "
            "between the higher numbers."
        )
    if not chart.minor:
        return "every value lies on a line."
    if chart.ruled:
        return "every value lies on a line, and the fine lines divide each step of the axis evenly."
    right = f" (on the right: of {chart.right_minor})" if chart.right_minor else ""
    every = f"a multiple of {chart.minor}" if chart.minor > 1 or right else "a whole number"
    return f"every value is {every}{right}, and may lie between two lines."


def _mechanisms(chart: DataChart, edits: Edits, after: Mapping[str, str]) -> dict[str, str]:
    """Names for wrong answers as a whole, and for wrong values field by field: the first that explains them."""
    named: dict[str, str] = {}
    for name, wrong in wholes(chart, edits):
        whole = {field: written(value) for field, value in wrong.items()}
        if whole != after:
            named.setdefault(_spelled(whole), name)
    for name, wrong in slips(chart, edits):
        for field, value in wrong.items():
            if field in after and written(value) != after[field]:
                named.setdefault(f"{field}={written(value)}", name)
    return named


def sentences(chart: DataChart, edits: Edits) -> str:
    """The edits as instructions: numbered where one follows another."""
    told = [sentence(chart, edit) for edit in edits]
    return told[0] if len(told) == 1 else "\n".join(f"{number}. {text}" for number, text in enumerate(told, 1))


def sentence(chart: DataChart, edit: Edit) -> str:
    """The edit as an instruction."""
    names, numbers = edit.names, edit.numbers
    values = "value" if len(chart.series) == 1 else "values"
    if edit.kind == "swap":
        return f"Swap the values of {names[0]} and {names[1]}; everything else stays."
    if edit.kind == "replace":
        return f"Replace {names[0]} by {names[1]}, with {_given(chart, numbers)}; everything else stays."
    if edit.kind == "add":
        verb, word = ("Add", "to") if numbers[0] > 0 else ("Subtract", "from")
        return f"{verb} {abs(numbers[0])} {word} {_values_meant(chart, names)}{_rest(names)}."
    if edit.kind == "scale":
        return f"{_scaling(Fraction(*numbers), _values_meant(chart, names))}{_rest(names)}."
    if edit.kind == "percent":
        whole_of = "group" if chart.kind == GROUPED else "bar"
        own = f"the sum of its own {whole_of} (so that every {whole_of} adds up to 100)"
        whole = "the sum of all values" if len(chart.series) == 1 else own
        return f"Convert every value to a percentage of {whole}, rounded to one decimal where needed."
    if edit.kind == "remove":
        return f"Remove {names[0]} and add its {values} to {_to(chart, names[1])}; everything else stays."
    way = "from the smallest to the largest" if numbers[0] > 0 else "from the largest to the smallest"
    by = "" if len(chart.series) == 1 else " by their totals"
    return f"Sort the entries{by} {way}; {_PLACES[chart.kind]} after sorting."


def _given(chart: DataChart, numbers: Sequence[int]) -> str:
    if len(chart.series) == 1:
        return f"the value {numbers[0]}"
    return "the values " + _listed([f"{name} {number}" for name, number in zip(chart.series, numbers, strict=True)])


def _to(chart: DataChart, name: str) -> str:
    return name if len(chart.series) == 1 else f"those of {name}, series by series"


def _values_meant(chart: DataChart, names: Sequence[str]) -> str:
    """The values that an edit is about."""
    if not names:
        return "every value"
    if names[0] in chart.series:
        return f"every value of the series {names[0]}"
    of = "each of the values of" if len(chart.series) == 1 else "every value of"
    return f"{of} {_listed(names)}"


def _rest(names: Sequence[str]) -> str:
    return "; everything else stays" if names else ""


def _scaling(factor: Fraction, what: str) -> str:
    if factor in _TIMES:
        return f"{_TIMES[factor]} {what}"
    percent = percent_of(factor)
    if not percent:
        return f"Multiply {what} by {written(factor)}"
    return f"{'Raise' if percent > 0 else 'Lower'} {what} by {abs(percent)} percent"


def _listed(words: Sequence[str]) -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


def twin(chart: DataChart) -> str:
    """The chart in words, as it is before the edit."""
    order = {"pie": ", clockwise from the top", HORIZONTAL: ", from top to bottom", SCATTER: _across(chart)}
    entries = f"Its entries{order.get(chart.kind, ', from left to right')}:"
    article = "An" if chart.kind == AREA else "A"
    lines = [f"{article} {_WHAT[chart.kind]} titled '{chart.title}' ({chart.unit}). {entries}"]
    for name, values in zip(chart.categories, chart.values, strict=True):
        parts = zip(chart.series, values, strict=True)
        lines.append(f"{name}: " + ", ".join(f"{series} {value}".strip() for series, value in parts))
    return "\n".join(lines)


def _across(chart: DataChart) -> str:
    """Where the points of a scatter chart are on the other axis."""
    points = _listed([f"{name} at {place}" for name, place in zip(chart.categories, chart.places, strict=False)])
    return f" (across, {chart.across}: {points})" if chart.places else ""


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    """What might be gone by without reading the chart."""
    chart = chart_of(truth)
    return {
        "chart": chart.kind,
        "edit": truth["edits"][-1]["kind"],
        "edits": " ".join(edit["kind"] for edit in truth["edits"]),
        "entries": len(chart.categories),
        "values written": int(chart.labelled),
        "top of the axis": chart.top,
    }
