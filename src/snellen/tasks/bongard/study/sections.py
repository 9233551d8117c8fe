"""The Bongard results as blocks for a page: what became of the queries, gaps, ladder, matrix, accuracy."""

from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, ORACLES, own
from snellen.analysis.contrasts import points
from snellen.analysis.estimates import accuracy, percent
from snellen.charts.blocks import Heat, Intervals, Section, Table, Text, Value
from snellen.tasks.bongard.study.results import CONTEXT, BongardResults

GAPS = ("perception", "induction", "application", "reasoning")
CASTS = (
    *((name, "describer", "reasoner") for name in ("ca", "describe")),
    ("drl", "inducer", "applier"),
    *((name, "describer", "reasoner") for name in CHAINS),
)
TABLES_NOTE = "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV."


def sections(found: BongardResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    gaps = (gap_chart(found),) if found.gaps or found.remains else ()
    made = [
        Section("Bongard problems: what help would bring", gaps),
        Section("Bongard problems: who describes, who reasons", tuple(heats(found))),
        Section("Bongard problems: accuracy", (ladder_chart(found), accuracy_chart(found), *_kinds(found))),
        Section("Bongard problems: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return tuple(section for section in made if section.blocks)


def label(each: dict[str, Any], found: BongardResults, *words: str) -> str:
    """What a row is called: subject, words, and the context where it is not always the plain one."""
    context = (f"{name} {each[name]}" if name == "pack" else each[name] for name in found.named if each[name])
    return " · ".join((each.get("subject") or each["who"], *words, *context))


def gap_chart(found: BongardResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in (*found.gaps, *found.remains):
        if each["gap"] in ("application", "reasoning") or each["of"] == each["who"]:
            where = "descriptions first" if each["gap"] in ("perception", "reasoning") else "rule first"
            rows.setdefault(label({**each, "subject": each["who"]}, found, where), {})[each["gap"]] = points(each)
    return Intervals(
        title="What help would bring",
        note="Points of accuracy, 95 % intervals over whole problems. Perception: exact words instead of its own"
        " descriptions. Induction: the true rule instead of its own. Application and reasoning: what is still missing"
        " to 100 % with the true rule, with exact words. A pure guesser misses 50. Rule first, the pictures must still"
        " be seen.",
        unit="points",
        series=GAPS,
        rows=tuple((name, tuple(values.get(gap) for gap in GAPS)) for name, values in rows.items()),
        reference=0.0,
        line="no gain",
        quantity="accuracy to be gained",
    )


def heats(found: BongardResults) -> list[Heat]:
    """A matrix for every paradigm with two roles in which casts vary, context by context."""
    made = []
    for paradigm, down, across in CASTS:
        rows = found.rows.filter(pl.col("paradigm") == paradigm)
        for context in sorted(rows.select(CONTEXT).unique().rows(), key=lambda each: str(each)):
            own_rows = rows.filter(*(pl.col(name) == level for name, level in zip(CONTEXT, context, strict=True)))
            cells = accuracy(own_rows, [down, across], found.seed)
            if len(cells) > 1:
                words = [level for name, level in zip(CONTEXT, context, strict=True) if name in found.named and level]
                made.append(_heat(" · ".join((paradigm.upper(), *words)), cells, down, across))
    return made


def _heat(title: str, cells: list[dict[str, Any]], down: str, across: str) -> Heat:
    values = {(each[down], each[across]): percent(each) for each in cells}
    lines, columns = (sorted({key[k] for key in values}, key=lambda who: (who in ORACLES, who)) for k in (0, 1))
    return Heat(
        title=f"{title}: {down} by {across}",
        note="Accuracy in percent over both kinds of query, 95 % intervals clustered on problems; chance is 50. An"
        " unread reply is not right.",
        unit="percent",
        down=down,
        across=across,
        columns=tuple(columns),
        rows=tuple((line, tuple(values.get((line, column)) for column in columns)) for line in lines),
        quantity="accuracy",
    )


def ladder_chart(found: BongardResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in sorted(accuracy(own(found.rows), ["who", "paradigm", *CONTEXT], found.seed), key=found.rank):
        rows.setdefault(label(each, found), {})[each["paradigm"]] = percent(each)
    return Intervals(
        title="The ladder: each subject in every role",
        note="Percent right over both kinds of query, 95 % intervals clustered on problems. DVRL: all pictures at once;"
        " DRL: the rule first, then the query; CA: descriptions first, then words only. The line is chance. Tests"
        " between the steps are in the table `bongard-ladder`.",
        unit="percent",
        series=tuple(found.paradigms),
        rows=tuple((name, tuple(values.get(step) for step in found.paradigms)) for name, values in rows.items()),
        reference=50.0,
        line="chance",
        quantity="accuracy",
    )


def accuracy_chart(found: BongardResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in (*found.overall, *found.cells):
        rows.setdefault(label(each, found, each["paradigm"]), {})[each.get("query", "all")] = percent(each)
    return Intervals(
        title="Accuracy by query",
        note="Percent right of all replies, 95 % intervals clustered on problems; an unread reply is not right. Far"
        " apart, positive and negative queries betray a favourite answer. The line is chance.",
        unit="percent",
        series=("all", "positive", "negative"),
        rows=tuple(
            (name, tuple(values.get(query) for query in ("all", "positive", "negative")))
            for name, values in rows.items()
        ),
        reference=50.0,
        line="chance",
        quantity="accuracy",
    )


def _kinds(found: BongardResults) -> list[Intervals]:
    """Accuracy by category and by source, where there are several."""
    made = []
    for column in ("source", "category"):
        levels = sorted(level for level in found.rows[column].cast(pl.String).unique() if level)
        if len(levels) > 1:
            made.append(_kind_chart(found, column, levels))
    return made


def _kind_chart(found: BongardResults, column: str, levels: list[str]) -> Intervals:
    cells = [each for each in found.by(column) if each[column]]
    series = list(dict.fromkeys(label(each, found, each["paradigm"]) for each in cells))
    values = {(each[column], label(each, found, each["paradigm"])): percent(each) for each in cells}
    return Intervals(
        title=f"Accuracy by {column}",
        note="Percent right of all replies, 95 % intervals clustered on problems. The line is chance.",
        unit="percent",
        series=tuple(series),
        rows=tuple((level, tuple(values.get((level, name)) for name in series)) for level in levels),
        reference=50.0,
        line="chance",
        quantity="accuracy",
    )
