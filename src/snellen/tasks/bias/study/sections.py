"""The bias results as blocks for a page: charts and tables."""

from typing import Any

from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import accuracy, percent
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.rows import varying
from snellen.analysis.settings import setting_words
from snellen.analysis.study import accuracy_table
from snellen.charts.blocks import Intervals, Section, Table, Value
from snellen.tasks.bias.study.asked import CONTEXT, PLAIN, TOPICS
from snellen.tasks.bias.study.recall import held_note, held_words
from snellen.tasks.bias.study.results import MEASURES, POOLED, BiasResults, Rate, rate_key

ALL = "all trials"
SAYS = {"ordinary": "usual number", "counterfactual": "unusual number"}


def sections(found: BiasResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    charts = (_chart(found),) if found.rates else ()
    return (Section("Counting against the habit", (*charts, *tables)),)


def _topic(topic: str) -> str:
    return TOPICS.get(topic, topic).lower() or ALL


def _subject(setting: dict[str, Any], named: list[str]) -> str:
    return " · ".join([setting["subject"], *setting_words(setting, named, PLAIN)])


def _chart(found: BiasResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.rates:
        if each["topic"] in (POOLED, *found.topics):
            label = f"{_subject(each, found.named)} · {each['config']} · {_topic(each['topic'])}"
            rows.setdefault(label, {})[each["measure"]] = percent(each)
    return Intervals(
        title="Right, and the usual number instead",
        note="Percent of all replies about things with an unusual number of parts, 95 % intervals clustered on"
        " pictures. What is neither right nor the usual number is some other number, or was not read."
        f" {held_note(found.subjects, found.recalled)}",
        unit="percent",
        series=MEASURES,
        rows=tuple((label, tuple(values.get(measure) for measure in MEASURES)) for label, values in rows.items()),
        quantity="share of replies",
    )


def _columns(found: BiasResults) -> list[str]:
    return ["subject", *(name for name in CONTEXT if name in found.named)]


def accuracy_by_condition(found: BiasResults) -> Table:
    """Everything that was asked, also ordinary and plain drawings."""
    asked = ("set", "paradigm", "drawing", "config", "name", "ask", "resolution", "question", "pack")
    columns = ["subject", *varying(found.everything, asked)]
    estimates = accuracy(found.everything, columns, found.seed)
    return accuracy_table(estimates, columns, "bias-accuracy", "Habits of seeing: accuracy by condition")


def rate_table(found: BiasResults) -> Table:
    columns = _columns(found)
    biased = {rate_key(each): each for each in found.rates if each["measure"] == "bias"}
    return Table(
        name="bias-rates",
        title="Accuracy and bias rate",
        note="Of all replies about things with an unusual number of parts: right, and equal to the usual number; 95 %"
        " intervals clustered on pictures. In the mean over topics every topic weighs the same. Habits held: the kinds"
        " that the bias rate counts, those whose usual number the subject names when asked in words alone.",
        columns=(
            *(*columns, "config", "topic", "accuracy %", "bias %", "habits held", "unread %", "trials", "pictures"),
        ),
        rows=tuple(
            (
                *(each[name] for name in columns),
                *(each["config"], _topic(each["topic"]), _value(each)),
                _value(biased[rate_key(each)]) if rate_key(each) in biased else None,
                held_words(each["subject"], found.recalled),
                *(None if each["unread_rate"] is None else 100 * each["unread_rate"], each["trials"], each["items"]),
            )
            for each in found.rates
            if each["measure"] == "accuracy"
        ),
    )


def _value(each: Rate) -> Value:
    value = percent(each)
    return Value(value.value, value.low, value.high, value.n)


def _unread(found: BiasResults) -> str:
    """Where configurations are not read alike; the replies of both measures are the same."""
    once = [each for each in found.contrasts if each["measure"] == "accuracy"]
    return unread_warning(
        once, lambda each: (each["config"], each["against"]), (*_columns(found), lambda each: _topic(each["topic"]))
    )


def contrast_table(found: BiasResults) -> Table:
    columns = _columns(found)
    return Table(
        name="bias-contrasts",
        title="Flipped and renamed against Base, on the same pictures",
        note="Configuration minus what it is compared with, percentage points, 95 % interval over whole pictures."
        " Against Reworded, which is as long and roundabout and keeps the names, a difference is due to the names"
        " alone. p: exact McNemar; p (items): exact sign-flip test over pictures. Both Holm-adjusted; family: the"
        " configurations compared with the same, of one subject, setting, measure and topic."
        f" {held_note(found.subjects, found.recalled)}{_unread(found)}",
        columns=(
            *(*columns, "measure", "topic", "config", "against", "config %", "against %", "difference"),
            *("pairs", "only config", "only against", "p", "p (items)"),
        ),
        rows=tuple(
            (
                *(each[name] for name in columns),
                *(each["measure"], _topic(each["topic"]), each["config"], each["against"]),
                *(100 * each["a"], 100 * each["b"], points(each), each["pairs"], each["only_a"], each["only_b"]),
                *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.contrasts
        ),
    )


def notice_table(found: BiasResults) -> Table:
    columns = _columns(found)
    by_drawing = [(SAYS[each["drawing"]], each) for each in found.noticed]
    by_count = [(f"unusual number, counted: {each['said']}", each) for each in found.noticed_by_count]
    return Table(
        name="bias-notice",
        title="Is this usual? Whether it notices",
        note='Percent of replies that are right: on an unusual number "no", on a usual one "yes"; 95 % intervals'
        " clustered on items. Below, unusual drawings by what the same subject counted there.",
        columns=(*columns, "shown", "right %", "unread %", "trials"),
        rows=tuple(
            (
                *(each[name] for name in columns),
                *(shown, _value(each), None if each["unread_rate"] is None else 100 * each["unread_rate"]),
                each["trials"],
            )
            for shown, each in (*by_drawing, *by_count)
        ),
    )
