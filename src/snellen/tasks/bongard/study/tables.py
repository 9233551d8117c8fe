"""The Bongard results as tables."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from snellen.analysis.contrasts import Contrast, adjust, p_text, points
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import NamedTable, accuracy_table, unread_table
from snellen.charts.blocks import Cell, Table, Value
from snellen.tasks.bongard.study.results import BongardResults
from snellen.tasks.bongard.study.sections import heats

PAIRED = (
    "percentage points, 95 % interval over whole problems. p: exact McNemar; p (items): exact sign-flip test over"
    " problems; both Holm-adjusted, family: "
)


def tables(found: BongardResults) -> dict[str, NamedTable]:
    """The tables there are, by name."""
    made: dict[str, tuple[str, Callable[[BongardResults], Table]]] = {
        "bongard-accuracy": ("Bongard: accuracy by cast, context and query", accuracy_by_query),
        "bongard-bias": ("Bongard: leaning to one answer", bias_table),
        "bongard-ladder": ("Bongard: the ladder DVRL, DRL, CA, and chains of thought", ladder_table),
        "bongard-gaps": ("Bongard: perception, induction, application", gap_table),
        "bongard-matrix": ("Bongard: every describer with every reasoner", matrix_table),
        "bongard-wordings": ("Bongard: wording and negative examples", wording_table),
        "bongard-category": ("Bongard: accuracy by category", partial(by_level, column="category")),
        "bongard-source": ("Bongard: accuracy by source", partial(by_level, column="source")),
        "bongard-unread": ("Bongard: answers that could not be read", lambda f: unread_table(f.rows, "bongard-unread")),
    }
    return {name: NamedTable(title, partial(make, found)) for name, (title, make) in made.items()}


def _columns(found: BongardResults, *names: str) -> list[str]:
    return [*names, *found.named]


def accuracy_by_query(found: BongardResults) -> Table:
    cells = [{**each, "query": "all"} for each in found.overall] + found.cells
    order = ("all", "positive", "negative")
    cells = sorted(cells, key=lambda each: (*found.rank({**each, "query": ""}), order.index(each["query"])))
    columns = _columns(found, "subject", "paradigm")
    return accuracy_table(cells, [*columns, "query"], "bongard-accuracy", "Bongard: accuracy by cast and query")


def by_level(found: BongardResults, column: str) -> Table:
    columns = [*_columns(found, "subject", "paradigm"), column]
    return accuracy_table(found.by(column), columns, f"bongard-{column}", f"Bongard: accuracy by {column}")


def bias_table(found: BongardResults) -> Table:
    columns = _columns(found, "subject", "paradigm")
    tilts = [each.contrast for each in found.leanings]
    known = adjust([{**each.cell, **tilt} for each, tilt in zip(found.leanings, tilts, strict=True) if tilt], [])
    adjusted = iter(each["p_items_holm"] for each in known)
    return Table(
        name="bongard-bias",
        title="Bongard: leaning to one answer",
        note="says positive: share of the read answers, clustered interval. difference: right on positive minus right"
        " on negative queries of the same problems, percentage points; p (items): exact sign-flip test over problems,"
        " Holm-adjusted over all rows. d': how well the two are told apart; c: below zero it says positive too"
        " readily; both from read answers with half an answer added to every count."
        f"{unread_warning(known, lambda each: ('positive', 'negative'), columns)}",
        columns=(*columns, "says positive %", "difference", "p (items)", "d'", "c"),
        rows=tuple(
            (
                *(each.cell[name] for name in columns),
                _hundredfold(each.positive),
                *((points(tilt), p_text(next(adjusted))) if tilt else (None, "")),
                *(_number(each.sensitivity), _number(each.criterion)),
            )
            for each, tilt in zip(found.leanings, tilts, strict=True)
        ),
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _hundredfold(share: Value) -> Value:
    value, low, high = (None if part is None else 100 * part for part in (share.value, share.low, share.high))
    return Value(value, low, high, share.n)


def _tested(each: Contrast) -> tuple[Cell, ...]:
    return (
        *(100 * each["a"], 100 * each["b"], points(each), each["pairs"], each["items"]),
        *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
    )


def _contrasts(found: Sequence[dict[str, Any]], columns: Sequence[str]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((*(str(each[name]) for name in columns), *_tested(each)) for each in found)


def ladder_table(found: BongardResults) -> Table:
    columns = _columns(found, "who", "better", "worse")
    return Table(
        name="bongard-ladder",
        title="Bongard: the ladder DVRL, DRL, CA, and chains of thought, each subject in every role",
        note=f"Better minus worse on the same queries, {PAIRED}all steps of one subject and context."
        f"{unread_warning(found.ladder, lambda each: (each['better'], each['worse']), columns)}",
        columns=(*columns, "better %", "worse %", "difference", "pairs", "problems", "p", "p (items)"),
        rows=_contrasts(found.ladder, columns),
    )


def gap_table(found: BongardResults) -> Table:
    columns = _columns(found, "who", "gap", "paradigm", "of")
    tested = _contrasts(found.gaps, columns)
    left = tuple(
        (
            *(str(each[name]) for name in columns),
            *(100 * each["accuracy"], None, points(each), each["pairs"], each["items"], "", ""),
        )
        for each in found.remains
    )
    return Table(
        name="bongard-gaps",
        title="Bongard: perception, induction, application",
        note=f"Perception: exact words minus the words of the describer in `of`. Induction: the true rule minus that of"
        f" the inducer in `of`. Same queries, {PAIRED}all gaps of one subject and context. Application and reasoning:"
        " what is missing to 100 % with the true rule, with exact words; there is nothing to pair them with. In"
        " induction and application the pictures must still be seen."
        f"{unread_warning(found.gaps, lambda each: ('with help', 'without'), columns)}",
        columns=(*columns, "with help %", "without %", "gap", "pairs", "problems", "p", "p (items)"),
        rows=(*tested, *left),
    )


def matrix_table(found: BongardResults) -> Table:
    return Table(
        name="bongard-matrix",
        title="Bongard: every describer with every reasoner, every inducer with every applier",
        note="Accuracy in percent over both kinds of query, 95 % interval clustered on problems; chance is 50.",
        columns=("matrix", "first role", "answers", "accuracy %"),
        rows=tuple(
            (heat.title, line, column, value)
            for heat in heats(found)
            for line, values in heat.rows
            for column, value in zip(heat.columns, values, strict=True)
            if value is not None
        ),
    )


def wording_table(found: BongardResults) -> Table:
    columns = _columns(found, "subject", "paradigm")
    rows = [{**each, "change": f"{each['levels'][0]} against {each['levels'][1]}"} for each in found.wordings]
    return Table(
        name="bongard-wordings",
        title="Bongard: wording and negative examples",
        note=f"The first level minus the second on the same queries with the same cast, {PAIRED}one cast and paradigm."
        f"{unread_warning(rows, lambda each: each['levels'], (*columns, 'change'))}",
        columns=(*columns, "change", "first %", "second %", "difference", "pairs", "problems", "p", "p (items)"),
        rows=_contrasts(rows, [*columns, "change"]),
    )
