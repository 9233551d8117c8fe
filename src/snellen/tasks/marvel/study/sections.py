"""The MARVEL results as blocks for a page: what became of the puzzles, the ladder, patterns, changes, options."""

from collections.abc import Sequence
from typing import Any

from snellen.analysis.contrasts import points
from snellen.analysis.estimates import percent
from snellen.charts.blocks import Intervals, Section, Shares, Table, Text, Value
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
    " Tables 2 to 10 of the MARVEL paper with ours beside them (`marvel-table2` and so on)."
)
BIAS_NOTE = (
    "The test: if the position of a choice did not matter to the subject, then in each puzzle the option it picked and"
    " the right one could as well change places; whole groups of duplicates are turned around at random (exact"
    " conditional test, 9,999 draws with a fixed seed, Holm over the settings of a subject). † marks p < 0.05: the"
    " options picked are spread otherwise than the key."
)


def sections(found: MarvelResults, tables: Sequence[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    made = [
        Section("MARVEL: counting, seeing, reasoning", _filled(ladder_chart(found), given_chart(found))),
        Section("MARVEL: patterns and configurations", tuple(landmark_charts(found))),
        Section("MARVEL: kinds of puzzles", tuple(_kinds(found))),
        Section("MARVEL: what words, examples and other changes bring", _filled(change_chart(found))),
        Section("MARVEL: where errors begin", _errors(found)),
        Section("MARVEL: which option it picks", (option_shares(found),) if found.biases else ()),
        Section("MARVEL: tables", (Text(TABLES_NOTE), *tables)),
    ]
    return tuple(section for section in made if section.blocks)


def _errors(found: MarvelResults) -> tuple[Shares, ...]:
    chart = missed_shares(found.with_examples, found.named)
    return (chart,) if chart.rows else ()


def _filled(*charts: Intervals) -> tuple[Intervals, ...]:
    return tuple(chart for chart in charts if chart.rows)


def _by_score(found: MarvelResults, scores: Sequence[str]) -> tuple[tuple[str, tuple[Value | None, ...]], ...]:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.overall:
        if each["score"] in scores:
            rows.setdefault(label(each, found.named), {})[each["score"]] = percent(each)
    return tuple((name, tuple(values.get(score) for score in scores)) for name, values in rows.items())


def ladder_chart(found: MarvelResults) -> Intervals:
    """The funnel: every rung counts only those that took the ones before."""
    rows = _by_score(found, tuple(RUNGS))
    return Intervals(
        title="The ladder: coarse, fine, reasoning",
        note="Percent of puzzles with all three counts right (Perc^C), with the detail right as well (Perc^C&F), with"
        " the puzzle right as well (Perc^C&F&AVR): what is lost from dot to dot is lost at that rung. 95 % intervals"
        " clustered on duplicates; a puzzle counts only if all its questions were asked; an unread reply is not right.",
        unit="percent",
        series=tuple(RUNGS.values()),
        rows=tuple(row for row in rows if any(row[1])),
        quantity="share of puzzles",
    )


def given_chart(found: MarvelResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.given:
        rows.setdefault(label(each, found.named), {})[each["given"]] = points(each)
    return Intervals(
        title="Solved where perception was right minus where it was wrong",
        note="Points of AVR accuracy between puzzles of the same setting, 95 % intervals clustered on duplicates. Right"
        " of the line: seeing helps. Rates and exact tests are in the table `marvel-given`.",
        unit="points",
        series=tuple(GIVEN.values()),
        rows=tuple((name, tuple(values.get(score) for score in GIVEN)) for name, values in rows.items()),
        reference=0.0,
        line="no difference",
        quantity="difference in AVR accuracy",
    )


def landmark_charts(found: MarvelResults) -> list[Intervals]:
    """AVR by pattern and by configuration, published models and people beside the subjects' plainest setting."""
    own = plainest(found)
    groups = [own[k : k + FEW_SERIES] for k in range(0, len(own), FEW_SERIES)]
    return [
        _landmark_chart(found, column, number, group)
        for column, number in (("pattern", 3), ("configuration", 4))
        for group in groups
    ]


def plainest(found: MarvelResults) -> list[dict[str, Any]]:
    """The plainest setting in which each subject was asked the puzzles, on the published set if on any."""
    best: dict[str, dict[str, Any]] = {}
    puzzles = [each for each in found.overall if each["score"] == "avr" and each["accuracy"] is not None]
    for each in sorted(puzzles, key=lambda each: (each["subject"] != each["who"], each["source"] != "published")):
        best.setdefault(each["who"], {name: each[name] for name in SETTING})
    return sorted(best.values(), key=found.rank)


def _landmark_chart(found: MarvelResults, column: str, number: int, subjects: list[dict[str, Any]]) -> Intervals:
    names = [f"{label(setting, found.named)} ({setting['source']} puzzles)" for setting in subjects]
    ours: dict[tuple[str, str], Value] = {}
    for each in (*found.overall, *found.by(column)):
        for name, setting in zip(names, subjects, strict=True):
            if each["score"] == "avr" and all(each[part] == setting[part] for part in SETTING):
                ours[each.get(column, ""), name] = percent(each)
    levels = sorted({level for level, _ in ours if level}, key=lambda level: level_order(column, level))
    marks = landmarks(number)
    exchanged = " Table 3 is read with its rows Quantities and Mathematical exchanged, as the set has them."
    rows = tuple(
        (
            level_name(column, level) if level else "all",
            (
                *(ours.get((level, name)) for name in names),
                *(_landmark(figures, level_name(column, level)) for figures in marks.values()),
            ),
        )
        for level in ("", *levels)
    )
    return Intervals(
        title=f"AVR by {column}, beside the published figures",
        note="Percent right; ours with 95 % intervals clustered on duplicates, on the puzzles that were asked: only"
        " where they are the published ones do ours and theirs compare one to one. Published: zero-shot on the 770"
        f" puzzles (Tables 2 and {number}); people: average of 30, over all 68.86 with a standard deviation of 9.74."
        f"{exchanged if number == 3 else ''} The line is chance.",
        unit="percent",
        series=(*names, *marks),
        rows=rows,
        reference=100 / OPTIONS,
        line="chance",
        quantity="AVR accuracy",
    )


def _landmark(figures: dict[str, float], name: str) -> Value | None:
    return Value(figures[name]) if name in figures else None


def _kinds(found: MarvelResults) -> list[Intervals]:
    """What depends on the kinds of shapes and of details, where there are several."""
    made = []
    for title, column, score in KINDS:
        cells = [each for each in found.by(column) if each["score"] == score]
        levels = sorted({each[column] for each in cells}, key=lambda level: level_order(column, level))
        if len(levels) > 1:
            values = {(label(each, found.named), each[column]): percent(each) for each in cells}
            names = list(dict.fromkeys(name for name, _ in values))
            made.append(
                Intervals(
                    title=title,
                    note="Percent right, 95 % intervals clustered on duplicates. The line is chance.",
                    unit="percent",
                    series=tuple(levels),
                    rows=tuple((name, tuple(values.get((name, level)) for level in levels)) for name in names),
                    reference=100 * CHANCE[score],
                    line="chance",
                    quantity="accuracy",
                )
            )
    return made


def change_name(each: dict[str, Any]) -> str:
    a, b = each["levels"]
    return f"{each['factor']}: {a} against {b}"


def change_chart(found: MarvelResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.contrasts:
        rows.setdefault(label(each, found.named, change_name(each)), {})[each["question"]] = points(each)
    series = [name for name in LABELS if any(name in values for values in rows.values())]
    return Intervals(
        title="What a change brings, on the same puzzles",
        note="Points of accuracy, everything else equal, 95 % intervals over whole groups of duplicates. What words"
        " given beside the picture add to AVR is the perception gap. Tests are in the table `marvel-changes`.",
        unit="points",
        series=tuple(LABELS[name] for name in series),
        rows=tuple((name, tuple(values.get(score) for score in series)) for name, values in rows.items()),
        reference=0.0,
        line="no difference",
        quantity="difference in accuracy",
    )


def option_shares(found: MarvelResults) -> Shares:
    rows: list[tuple[str, tuple[Value, ...]]] = []
    keys: dict[tuple[float, ...], int] = {}
    for each in found.biases:
        mark = f" · {each.dagger}" if each.dagger else ""
        rows.append((f"{label(each.setting, found.named)}{mark}", each.chosen))
        keys.setdefault(each.key, each.n)
    rows += [(f"the key, {n} puzzles", tuple(Value(share) for share in key)) for key, n in keys.items()]
    return Shares(
        title="Options picked, and the key",
        note=f"Shares of the read answers, 95 % intervals clustered on duplicates. {BIAS_NOTE}",
        parts=tuple(f"option {k + 1}" for k in range(OPTIONS)),
        rows=tuple(rows),
        of="read answers",
    )
