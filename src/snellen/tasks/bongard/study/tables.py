"""The Bongard results as tables."""

from collections.abc import Iterator
from typing import Any

from snellen.analysis.columns import Column, TableSpec, contrast_columns, levels_of, positions
from snellen.analysis.contrasts import Contrast, adjust
from snellen.analysis.estimates import Estimate
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import ACCURACY_NOTE, accuracy_columns, unread_spec
from snellen.charts.blocks import Value
from snellen.tasks.bongard.study.bias import AnswerLeaning
from snellen.tasks.bongard.study.results import BongardResults
from snellen.tasks.bongard.study.sections import heats

PAIRED = (
    "percentage points, 95 % CI clustered by problem. p: exact McNemar; p (items): exact sign-flip test over"
    " problems; both Holm-adjusted, family: "
)


def _by_query(results: BongardResults) -> list[Estimate]:
    cells = [row.at(query="all") for row in results.overall] + results.cells
    order = ("all", "positive", "negative")
    return sorted(cells, key=lambda row: (*results.rank(row.at(query="")), order.index(row["query"])))


def _by_level(factor: str) -> TableSpec[BongardResults]:
    return TableSpec(
        f"bongard-{factor}",
        f"Bongard: accuracy by {factor}",
        ACCURACY_NOTE,
        lambda results: accuracy_columns(["subject", "paradigm", *results.named, factor]),
        lambda results: results.by(factor),
    )


def _tilts(results: BongardResults) -> list[Contrast]:
    """How much oftener a cast is right on positive queries, adjusted over all casts."""
    tilts = ((leaning, leaning.contrast) for leaning in results.leanings)
    return adjust([tilt.at(**leaning.levels) for leaning, tilt in tilts if tilt is not None], [])


def _bias_columns(results: BongardResults) -> list[Column[Any]]:
    tilts = {tuple(tilt.levels.values()): tilt for tilt in _tilts(results)}

    def tilt(leaning: AnswerLeaning) -> Contrast | None:
        return tilts.get(tuple(leaning.levels.values()))

    own: list[Column[AnswerLeaning]] = [
        Column("says positive %", "share", lambda row: row.positive),
        Column("difference", "share", lambda row: (found := tilt(row)) and found.gap),
        Column("p (items)", "p", lambda row: (found := tilt(row)) and found.p_items_holm),
        Column("d'", "", lambda row: _number(row.sensitivity)),
        Column("c", "", lambda row: _number(row.criterion)),
    ]
    return [*levels_of("subject", "paradigm", *results.named), *own]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _casts(results: BongardResults) -> Iterator[tuple[str, str, str, Value]]:
    for heat in heats(results):
        for line, values in heat.rows:
            for column, value in zip(heat.columns, values, strict=True):
                if value is not None:
                    yield heat.title, line, column, value


_MATRIX = positions("matrix", "first role", "answers", "accuracy %")
_STEP, _GAP, _WORDING = ("who", "better", "worse"), ("who", "gap", "paradigm", "of"), ("subject", "paradigm")
TABLES: tuple[TableSpec[BongardResults], ...] = (
    TableSpec(
        "bongard-accuracy",
        "Bongard: accuracy by cast and query",
        ACCURACY_NOTE,
        lambda results: accuracy_columns(["subject", "paradigm", *results.named, "query"]),
        _by_query,
        listed="Bongard: accuracy by cast, context and query",
    ),
    TableSpec(
        "bongard-bias",
        "Bongard: response bias",
        "says positive: share of the read answers, clustered interval. difference: right on positive minus right on"
        " negative queries of the same problems, percentage points; p (items): exact sign-flip test over problems,"
        " Holm-adjusted over all rows. d': sensitivity; c: criterion, below zero a bias towards positive; both from"
        " read answers with 0.5 added to every count.",
        _bias_columns,
        lambda results: results.leanings,
        remark=lambda results: unread_warning(_tilts(results), ("subject", "paradigm", *results.named)),
    ),
    TableSpec(
        "bongard-ladder",
        "Bongard: the ladder DVRL, DRL, CA, and chains of thought, each subject in every role",
        f"The easier step minus the harder one on the same queries, {PAIRED}all steps of one subject and context.",
        lambda results: [*levels_of(*_STEP, *results.named), *contrast_columns("better", "worse", items="problems")],
        lambda results: results.ladder,
        remark=lambda results: unread_warning(results.ladder, (*_STEP, *results.named)),
        listed="Bongard: the ladder DVRL, DRL, CA, and chains of thought",
    ),
    TableSpec(
        "bongard-gaps",
        "Bongard: perception, induction, application",
        "Perception: exact words minus the words of the describer in `of`. Induction: the true rule minus that of"
        f" the inducer in `of`. Same queries, {PAIRED}all gaps of one subject and context. Application and reasoning:"
        " what is missing to 100 % with the true rule, with exact words; there is nothing to pair them with. In"
        " induction and application the pictures must still be seen.",
        lambda results: [
            *levels_of(*_GAP, *results.named),
            *contrast_columns("with help", "without", "gap", items="problems"),
        ],
        lambda results: [*results.gaps, *results.remains],
        remark=lambda results: unread_warning(results.gaps, (*_GAP, *results.named)),
    ),
    TableSpec(
        "bongard-matrix",
        "Bongard: every describer with every reasoner, every inducer with every applier",
        "Accuracy in percent over both kinds of query, 95 % CI clustered by problem; chance is 50.",
        lambda _: _MATRIX,
        _casts,
        listed="Bongard: every describer with every reasoner",
    ),
    TableSpec(
        "bongard-wordings",
        "Bongard: wording and negative examples",
        f"The first level minus the second on the same queries with the same cast, {PAIRED}one cast and paradigm.",
        lambda results: [
            *levels_of(*_WORDING, *results.named, "change"),
            *contrast_columns("first", "second", items="problems"),
        ],
        lambda results: results.wordings,
        remark=lambda results: unread_warning(results.wordings, (*_WORDING, *results.named, "change")),
    ),
    _by_level("category"),
    _by_level("source"),
    unread_spec("bongard-unread", "Bongard: answers that could not be read", lambda results: results.rows),
)
