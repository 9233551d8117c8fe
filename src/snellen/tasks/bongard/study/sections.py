"""The Bongard results as blocks for a page: what became of the queries, gaps, ladder, matrix, accuracy."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, oracles_last, own
from snellen.analysis.columns import ChartRows, chart_rows, points_chart
from snellen.analysis.estimates import Estimate, accuracy
from snellen.charts.blocks import Heat, Intervals, Section, Table, Text, percent
from snellen.tasks.bongard.study.bias import QUERIES
from snellen.tasks.bongard.study.results import CONTEXT, BongardResults

GAPS = ("perception", "induction", "application", "reasoning")
CASTS = (
    *((name, "describer", "reasoner") for name in ("ca", "describe")),
    ("drl", "inducer", "applier"),
    *((name, "describer", "reasoner") for name in CHAINS),
)
TABLES_NOTE = "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV."


def sections(results: BongardResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    gaps = (gap_chart(results),) if results.gaps or results.remains else ()
    made = [
        Section("Bongard problems: effect of help", gaps),
        Section("Bongard problems: describers and reasoners", tuple(heats(results))),
        Section("Bongard problems: accuracy", (ladder_chart(results), accuracy_chart(results), *_kinds(results))),
        Section("Bongard problems: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return tuple(section for section in made if section.blocks)


def label(levels: Mapping[str, Any], results: BongardResults, *words: str) -> str:
    """What a row is called: subject, words, and the context where it is not always the plain one."""
    context = (f"{name} {levels[name]}" if name == "pack" else levels[name] for name in results.named if levels[name])
    return " · ".join((levels.get("subject") or levels["who"], *words, *context))


def gap_chart(results: BongardResults) -> Intervals:
    shown = [row for row in results.gaps if row["of"] == row["who"]]
    cells = []
    for row in (*shown, *results.remains):
        where = "descriptions first" if row["gap"] in ("perception", "reasoning") else "rule first"
        cells.append((label({**row.levels, "subject": row["who"]}, results, where), row["gap"], percent(row.gap)))
    return points_chart(
        "Effect of help",
        "Points of accuracy, 95 % CIs clustered by problem. Perception: exact descriptions instead of its own."
        " Induction: the true rule instead of its own. Application and reasoning: what is missing to 100 % with the"
        " true rule and with exact descriptions. Guessing misses 50. With the rule given, pictures must still be seen.",
        GAPS,
        chart_rows(cells, GAPS),
        quantity="gain in accuracy",
        line="no gain",
    )


def heats(results: BongardResults) -> list[Heat]:
    """A matrix for every paradigm with two roles in which casts vary, context by context."""
    made = []
    for paradigm, down, across in CASTS:
        rows = results.rows.filter(pl.col("paradigm") == paradigm)
        for context in sorted(rows.select(CONTEXT).unique().rows(), key=str):
            levels = dict(zip(CONTEXT, context, strict=True))
            own_rows = rows.filter(*(pl.col(name) == level for name, level in levels.items()))
            casts = accuracy(own_rows, [down, across], results.seed)
            if len(casts) > 1:
                words = [level for name, level in levels.items() if name in results.named and level]
                made.append(_heat(" · ".join((paradigm.upper(), *words)), casts, down, across))
    return made


def _heat(title: str, casts: list[Estimate], down: str, across: str) -> Heat:
    cells = [(cast[down], cast[across], percent(cast.noted)) for cast in casts]
    lines, columns = (sorted({cast[role] for cast in casts}, key=oracles_last) for role in (down, across))
    return Heat(
        title=f"{title}: {down} by {across}",
        note="Accuracy in percent over both kinds of query, 95 % CIs clustered by problem; chance is 50."
        " Unread replies are not counted as right.",
        unit="percent",
        down=down,
        across=across,
        columns=tuple(columns),
        rows=chart_rows(cells, columns, lines),
        quantity="accuracy",
    )


def _against_chance(title: str, note: str, series: Sequence[str], rows: ChartRows) -> Intervals:
    return Intervals(title, note, "percent", tuple(series), rows, reference=50.0, line="chance", quantity="accuracy")


def ladder_chart(results: BongardResults) -> Intervals:
    casts = sorted(accuracy(own(results.rows), ["who", "paradigm", *CONTEXT], results.seed), key=results.rank)
    cells = ((label(cast.levels, results), cast["paradigm"], percent(cast.noted)) for cast in casts)
    return _against_chance(
        "The ladder: each subject in every role",
        "Percent right over both kinds of query, 95 % CIs clustered by problem. DVRL: all pictures at once;"
        " DRL: the rule first, then the query; CA: descriptions first, then words only. The line is chance. Tests"
        " between the steps are in the table `bongard-ladder`.",
        results.paradigms,
        chart_rows(cells, results.paradigms),
    )


def accuracy_chart(results: BongardResults) -> Intervals:
    cells = (
        (label(cast.levels, results, cast["paradigm"]), cast.levels.get("query", "all"), percent(cast.noted))
        for cast in (*results.overall, *results.cells)
    )
    return _against_chance(
        "Accuracy by query",
        "Percent right of all replies, 95 % CIs clustered by problem; unread replies are not counted as right. A"
        " large difference between positive and negative queries indicates a response bias. The line is chance.",
        ("all", *QUERIES),
        chart_rows(cells, ("all", *QUERIES)),
    )


def _kinds(results: BongardResults) -> list[Intervals]:
    """Accuracy by category and by source, where there are several."""
    made = []
    for column in ("source", "category"):
        levels = sorted(level for level in results.rows[column].cast(pl.String).unique() if level)
        if len(levels) > 1:
            made.append(_kind_chart(results, column, levels))
    return made


def _kind_chart(results: BongardResults, column: str, levels: list[str]) -> Intervals:
    casts = [cast for cast in results.by(column) if cast[column]]
    cells = [(cast[column], label(cast.levels, results, cast["paradigm"]), percent(cast.noted)) for cast in casts]
    series = tuple(dict.fromkeys(name for _, name, _ in cells))
    note = "Percent right of all replies, 95 % CIs clustered by problem. The line is chance."
    return _against_chance(f"Accuracy by {column}", note, series, chart_rows(cells, series, levels))
