"""The bias results as blocks for a page: charts and tables."""

from typing import Any

from snellen.analysis.columns import (
    UNREAD,
    Column,
    TableSpec,
    chart_rows,
    columns,
    contrast_columns,
    counted,
    levels_of,
    percent_chart,
)
from snellen.analysis.estimates import AtLevels, Estimate, accuracy
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.rows import varying
from snellen.analysis.settings import setting_words
from snellen.analysis.study import ACCURACY_NOTE, accuracy_columns, unread_spec
from snellen.charts.blocks import Intervals, Section, Table, percent
from snellen.tasks.bias.study.asked import CONTEXT, PLAIN, TOPICS
from snellen.tasks.bias.study.recall import RECALL_COLUMNS, held_note, held_words
from snellen.tasks.bias.study.results import MEASURES, POOLED, BiasResults, rate_key

ALL = "all trials"
SAYS = {"ordinary": "usual number", "counterfactual": "unusual number"}


def sections(results: BiasResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    charts = (_chart(results),) if results.rates else ()
    return (Section("Counting against a prior", (*charts, *tables)),)


def _topic(row: AtLevels) -> str:
    return TOPICS.get(row["topic"], row["topic"]).lower() or ALL


def _chart(results: BiasResults) -> Intervals:
    def label(rate: Estimate) -> str:
        words = setting_words(rate.levels, results.named, PLAIN)
        return " · ".join([rate["subject"], *words, rate["config"], _topic(rate)])

    shown = (rate for rate in results.rates if rate["topic"] in (POOLED, *results.topics))
    cells = ((label(rate), rate["measure"], percent(rate.noted)) for rate in shown)
    return percent_chart(
        "Right answers and usual-number answers",
        "Percent of all replies about things with an unusual number of parts, 95 % CIs clustered by picture. The rest"
        " are other numbers or unread."
        f" {held_note(results.subjects, results.recalled)}",
        MEASURES,
        chart_rows(cells, MEASURES),
        quantity="share of replies",
    )


def _factors(results: BiasResults) -> list[str]:
    return ["subject", *(name for name in CONTEXT if name in results.named)]


def _asked(results: BiasResults) -> list[str]:
    """What differs in everything that was asked, also of ordinary and plain drawings."""
    asked = ("set", "paradigm", "drawing", "config", "name", "ask", "resolution", "question", "pack")
    return ["subject", *varying(results.everything, asked)]


def _rate_columns(results: BiasResults) -> list[Column[Any]]:
    biased = {rate_key(rate): rate.share for rate in results.rates if rate["measure"] == "bias"}
    own: list[Column[Estimate]] = [
        Column("accuracy %", "share", lambda rate: rate.share),
        Column("bias %", "share", lambda rate: biased.get(rate_key(rate))),
        Column("habits held", "", lambda rate: held_words(rate["subject"], results.recalled)),
        *(UNREAD, *counted("trials", "pictures", "")),
    ]
    return [*levels_of(*_factors(results), "config"), TOPIC, *own]


def _unread(results: BiasResults) -> str:
    """Where configurations are not read alike; the replies of both measures are the same."""
    once = [row for row in results.contrasts if row["measure"] == "accuracy"]
    return unread_warning(once, (*_factors(results), _topic))


def _noticed(results: BiasResults) -> list[Estimate]:
    by_drawing = [row.at(shown=SAYS[row["drawing"]]) for row in results.noticed]
    counts = results.noticed_by_count
    return [*by_drawing, *(row.at(shown=f"unusual number, counted: {row['said']}") for row in counts)]


TOPIC: Column[AtLevels] = Column("topic", "", _topic)
TABLES: tuple[TableSpec[BiasResults], ...] = (
    TableSpec(
        "bias-accuracy",
        "Habits of seeing: accuracy by condition",
        ACCURACY_NOTE,
        lambda results: accuracy_columns(_asked(results)),
        lambda results: accuracy(results.everything, _asked(results), results.seed),
        listed="Habits of seeing: accuracy",
    ),
    TableSpec(
        "bias-rates",
        "Accuracy and bias rate",
        "Of all replies about things with an unusual number of parts: right, and equal to the usual number; 95 % CIs"
        " clustered by picture. The mean over topics weighs topics equally. Habits held: the kinds"
        " that the bias rate counts, those whose usual number the subject names when asked in words alone.",
        _rate_columns,
        lambda results: [rate for rate in results.rates if rate["measure"] == "accuracy"],
    ),
    TableSpec(
        "bias-contrasts",
        "Flipped and renamed compared with Base, on the same pictures",
        "Configuration minus what it is compared with, percentage points, 95 % CI clustered by picture. Reworded is"
        " equally long and keeps the names, so a difference from it is due to the names alone. p:"
        " exact McNemar; p (items): exact sign-flip test over pictures. Both Holm-adjusted; family: the"
        " configurations compared with the same, of one subject, setting, measure and topic.",
        lambda results: columns(
            *(levels_of(*_factors(results), "measure"), TOPIC, levels_of("config", "against")),
            contrast_columns("config", "against", alone=True),
        ),
        lambda results: results.contrasts,
        remark=lambda results: f" {held_note(results.subjects, results.recalled)}{_unread(results)}",
        listed="Flipped and renamed compared with Base",
    ),
    TableSpec(
        "bias-notice",
        "Does it notice an unusual number?",
        'Percent of replies that are right: on an unusual number "no", on a usual one "yes"; 95 % CIs'
        " clustered on items. Below, unusual drawings by what the same subject counted there.",
        lambda results: [
            *levels_of(*_factors(results), "shown"),
            Column("right %", "share", lambda row: row.share),
            *(UNREAD, *counted("trials", "", "")),
        ],
        _noticed,
    ),
    TableSpec(
        "bias-recall",
        "Usual numbers, asked in words",
        "Held: kinds whose usual number the subject names when asked without a picture. Only these count in its bias"
        " rates. The other kinds are listed with its answer.",
        lambda _: RECALL_COLUMNS,
        lambda results: results.recalled.values(),
    ),
    unread_spec("bias-unread", "Habits of seeing: answers that could not be read", lambda results: results.everything),
)
