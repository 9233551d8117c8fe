"""The MARVEL results as blocks for a page: what became of the puzzles, the ladder, patterns, changes, options."""

from collections.abc import Sequence
from typing import Any

from snellen.analysis.columns import ChartRows, chart_rows, filled, filled_sections, percent_chart
from snellen.analysis.contrasts import Contrast
from snellen.charts.blocks import Intervals, Section, Shares, Table, Text, Value, percent
from snellen.tasks.marvel.study.examples import missed_shares
from snellen.tasks.marvel.study.papers import landmarks
from snellen.tasks.marvel.study.puzzles import CHANCE, LABELS, OPTIONS, SETTING, label, level_name, level_order
from snellen.tasks.marvel.study.results import MarvelResults

RUNGS = {"perc_c": "counts the panels", "perc_cf": "and sees the detail", "perc_cf_avr": "and solves the puzzle"}
GIVEN = {"perc_c": "all panels counted right", "fine": "detail right", "perc_cf": "all perception right"}
KINDS = (
    ("Questions about details, by type", "fine_type", "fine"),
    ("AVR by kind of shapes", "shapes", "avr"),
    ("Questions about details, by kind of shapes", "shapes", "fine"),
)
FEW_SERIES = 3
"""As many subjects stand in one chart beside the published landmarks; more would be hard to tell apart."""
TABLES_NOTE = (
    "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV, and so can"
    " Tables 2 to 10 of the MARVEL paper next to ours (`marvel-table2` and so on)."
)
BIAS_NOTE = (
    "The test: if the position of a choice did not matter to the subject, then in each puzzle the option it picked and"
    " the right one could as well change places; whole groups of duplicates are turned around at random (exact"
    " conditional test, 9,999 draws with a fixed seed, Holm over the settings of a subject). † marks p < 0.05: the"
    " options picked are spread otherwise than the key."
)


def sections(results: MarvelResults, tables: Sequence[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    made = [
        Section("MARVEL: counting, seeing, reasoning", filled(ladder_chart(results), given_chart(results))),
        Section("MARVEL: patterns and configurations", tuple(landmark_charts(results))),
        Section("MARVEL: kinds of puzzles", tuple(_kinds(results))),
        Section("MARVEL: effect of descriptions, examples and other changes", filled(change_chart(results))),
        Section("MARVEL: where errors begin", filled(missed_shares(results.with_examples, results.named))),
        Section("MARVEL: options picked", (option_shares(results),) if results.biases else ()),
        Section("MARVEL: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return filled_sections(made)


def ladder_chart(results: MarvelResults) -> Intervals:
    """The funnel: every rung counts only those that took the ones before."""
    rungs = [row for row in results.overall if row["score"] in RUNGS]
    cells = ((label(row.levels, results.named), row["score"], percent(row.noted)) for row in rungs)
    return percent_chart(
        "The ladder: coarse, fine, reasoning",
        "Percent of puzzles with all three counts right (Perc^C), with the detail right as well (Perc^C&F), with"
        " the puzzle right as well (Perc^C&F&AVR): each drop from dot to dot is the loss at that rung. 95 % CIs"
        " clustered by group of duplicates; a puzzle counts only if all its questions were asked; unread replies are"
        " not counted as right.",
        RUNGS.values(),
        chart_rows(cells, RUNGS),
        quantity="share of puzzles",
    )


def _difference_chart(title: str, note: str, series: Sequence[str], rows: ChartRows, quantity: str) -> Intervals:
    return Intervals(title, note, "points", tuple(series), rows, reference=0.0, line="no difference", quantity=quantity)


def given_chart(results: MarvelResults) -> Intervals:
    cells = ((label(row.levels, results.named), row["given"], percent(row.gap)) for row in results.given)
    return _difference_chart(
        "Solved where perception was right minus where it was wrong",
        "Percentage points of AVR accuracy between puzzles of the same setting, 95 % CIs clustered by group of"
        " duplicates. Right"
        " of the line: seeing helps. Rates and exact tests are in the table `marvel-given`.",
        tuple(GIVEN.values()),
        chart_rows(cells, GIVEN),
        "difference in AVR accuracy",
    )


def landmark_charts(results: MarvelResults) -> list[Intervals]:
    """AVR by pattern and by configuration, published models and people beside the subjects' plainest setting."""
    own = plainest(results)
    groups = [own[k : k + FEW_SERIES] for k in range(0, len(own), FEW_SERIES)]
    return [
        _landmark_chart(results, column, number, group)
        for column, number in (("pattern", 3), ("configuration", 4))
        for group in groups
    ]


def plainest(results: MarvelResults) -> list[dict[str, Any]]:
    """The plainest setting in which each subject was asked the puzzles, on the published set if on any."""
    best: dict[str, dict[str, Any]] = {}
    puzzles = [row for row in results.overall if row["score"] == "avr" and row.accuracy is not None]
    for row in sorted(puzzles, key=lambda row: (row["subject"] != row["who"], row["source"] != "published")):
        best.setdefault(row["who"], {name: row[name] for name in SETTING})
    return sorted(best.values(), key=results.rank)


def _landmark_chart(results: MarvelResults, column: str, number: int, subjects: list[dict[str, Any]]) -> Intervals:
    names = [f"{label(setting, results.named)} ({setting['source']} puzzles)" for setting in subjects]
    ours = [
        (row.levels.get(column, ""), name, percent(row.noted))
        for row in (*results.overall, *results.by(column))
        for name, setting in zip(names, subjects, strict=True)
        if row["score"] == "avr" and all(row[part] == setting[part] for part in SETTING)
    ]
    levels = sorted({level for level, _, _ in ours if level}, key=lambda level: level_order(column, level))
    marks = landmarks(number)
    theirs = [
        (level, name, Value(figures[level_name(column, level)]))
        for name, figures in marks.items()
        for level in ("", *levels)
        if level_name(column, level) in figures
    ]
    series = (*names, *marks)
    rows = chart_rows([*ours, *theirs], series, ("", *levels))
    exchanged = " Table 3 is read with its rows Quantities and Mathematical exchanged, as the set has them."
    return percent_chart(
        f"AVR by {column}, compared with the published figures",
        "Percent right; ours with 95 % CIs clustered by group of duplicates, on the puzzles that were asked: only"
        " where they are the published ones do ours and theirs compare one to one. Published: zero-shot on the 770"
        f" puzzles (Tables 2 and {number}); people: average of 30, over all 68.86 with a standard deviation of 9.74."
        f"{exchanged if number == 3 else ''} The line is chance.",
        series,
        tuple((level_name(column, level) if level else "all", values) for level, values in rows),
        quantity="AVR accuracy",
        reference=100 / OPTIONS,
    )


def _kinds(results: MarvelResults) -> list[Intervals]:
    """What depends on the kinds of shapes and of details, where there are several."""
    made = []
    for title, column, score in KINDS:
        rows = [row for row in results.by(column) if row["score"] == score]
        levels = sorted({row[column] for row in rows}, key=lambda level: level_order(column, level))
        if len(levels) > 1:
            cells = ((label(row.levels, results.named), row[column], percent(row.noted)) for row in rows)
            made.append(
                percent_chart(
                    title,
                    "Percent right, 95 % CIs clustered by group of duplicates. The line is chance.",
                    levels,
                    chart_rows(cells, levels),
                    reference=100 * CHANCE[score],
                )
            )
    return made


def change_name(row: Contrast) -> str:
    a, b = row.sides
    return f"{row['factor']}: {a} against {b}"


def change_chart(results: MarvelResults) -> Intervals:
    contrasts = results.contrasts
    asked = [name for name in LABELS if any(row["question"] == name for row in contrasts)]
    cells = (
        (label(row.levels, results.named, change_name(row)), row["question"], percent(row.gap)) for row in contrasts
    )
    return _difference_chart(
        "Effect of each change, on the same puzzles",
        "Percentage points, all else equal, 95 % CIs clustered by group of duplicates. The gain in AVR from an added"
        " description is the perception gap. Tests are in the table `marvel-changes`.",
        [LABELS[name] for name in asked],
        chart_rows(cells, asked),
        "difference in accuracy",
    )


def option_shares(results: MarvelResults) -> Shares:
    rows: list[tuple[str, tuple[Value, ...]]] = []
    keys: dict[tuple[float, ...], int] = {}
    for bias in results.biases:
        mark = f" · {bias.dagger}" if bias.dagger else ""
        rows.append((f"{label(bias.levels, results.named)}{mark}", bias.chosen))
        keys.setdefault(bias.key, bias.n)
    rows += [(f"the key, {n} puzzles", tuple(Value(share) for share in key)) for key, n in keys.items()]
    return Shares(
        title="Options picked, and the key",
        note=f"Shares of the read answers, 95 % CIs clustered by group of duplicates. {BIAS_NOTE}",
        parts=tuple(f"option {k + 1}" for k in range(OPTIONS)),
        rows=tuple(rows),
        of="read answers",
    )
