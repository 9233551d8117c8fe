"""The Winoground results as blocks and tables."""

from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, oracles_last
from snellen.analysis.columns import (
    UNREAD,
    Column,
    TableSpec,
    accuracy_column,
    chart_rows,
    columns,
    contrast_columns,
    counted,
    levels_of,
    percent_chart,
)
from snellen.analysis.contrasts import Contrast
from snellen.analysis.estimates import accuracy
from snellen.analysis.printed import figure, printed
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.scores import AboveChance
from snellen.analysis.study import unread_spec
from snellen.charts.blocks import Cell, Heat, Intervals, Section, Table, Text, Value, percent
from snellen.tasks.winoground.sample import HEADINGS
from snellen.tasks.winoground.study.results import SCORES, WinogroundResults

FEW_TAGS = 12
NOTE = (
    "Percent of samples, 95 % CI. Text: the right caption for both pictures; image: the right picture for both"
    " captions; group: all four choices right. Guessing scores 25, 25 and 6.25 (16.7 for the group score of a"
    " similarity measure). Unread answers are not counted as right."
)


def sections(results: WinogroundResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    return (
        Section("Winoground: scores", (_score_chart(results), *heats(results), *_tag_chart(results))),
        Section("Winoground: tables", (Text("Each can be printed with `snellen table STORE NAME`."), *tables)),
    )


def label(levels: dict[str, Any], results: WinogroundResults) -> str:
    pack = f"pack {levels['pack']}" if results.packs and levels["pack"] else ""
    return " · ".join(part for part in (levels["subject"], levels["paradigm"], pack) if part)


def _by_cast(results: WinogroundResults) -> tuple[tuple[str, tuple[Value | None, ...]], ...]:
    """The three scores of every cast."""
    cells = ((label(row.levels, results), row["score"], percent(row.noted)) for row in results.scores)
    return chart_rows(cells, SCORES)


def _score_chart(results: WinogroundResults) -> Intervals:
    return percent_chart(
        "Text, image and group score",
        NOTE + " The line is chance for text and image.",
        SCORES,
        _by_cast(results),
        quantity="share of samples",
        reference=25.0,
        line="chance for text and image",
    )


def _tag_chart(results: WinogroundResults) -> list[Intervals]:
    """By the first heading with a few tags: the published set has too many for a chart, and collapses them to three."""
    for heading in HEADINGS:
        group = [row for row in results.tags if (row["heading"], row["score"]) == (heading, "group")]
        tags = sorted({str(row["word"]) for row in group})
        if 1 < len(tags) <= FEW_TAGS:
            break
    else:
        return []
    cells = [(row["word"], label(row.levels, results), percent(row.noted)) for row in group]
    series = tuple(dict.fromkeys(name for _, name, _ in cells))
    return [
        percent_chart(
            "Group score by tag",
            "Percent of samples with all four choices right, 95 % CIs. The line is chance.",
            series,
            chart_rows(cells, series, tags),
            quantity="group score, share of samples",
            reference=6.25,
        )
    ]


def heats(results: WinogroundResults) -> list[Heat]:
    """Group score of every describer with every reasoner, where casts vary."""
    made = []
    for paradigm in (*IN_WORDS, *CHAINS):
        rows = results.scored.filter(pl.col("paradigm") == paradigm, pl.col("score") == "group")
        roles = ("describer", "reasoner")
        casts = accuracy(rows, roles, results.seed)
        if len(casts) > 1:
            cells = [(cast["describer"], cast["reasoner"], percent(cast.noted)) for cast in casts]
            lines, across = (sorted({cast[role] for cast in casts}, key=oracles_last) for role in roles)
            made.append(
                Heat(
                    title=f"{paradigm.upper()}: describer by reasoner, group score",
                    note="Percent of samples with all four choices right, 95 % CIs; chance is 6.25.",
                    unit="percent",
                    down="describer",
                    across="reasoner",
                    columns=tuple(across),
                    rows=chart_rows(cells, across, lines),
                    quantity="group score, share of samples",
                )
            )
    return made


def _factors(results: WinogroundResults) -> list[str]:
    return ["subject", "paradigm", *(["pack"] if results.packs else [])]


PERCENT = accuracy_column("percent")
CHANCE: list[Column[AboveChance]] = [
    Column("chance %", "", lambda row: f"{100 * (row.chance or 0.0):g}"),
    Column("p", "p", lambda row: row.p_chance),
]
SIDES: list[Column[Contrast]] = [Column("A", "", lambda row: row.sides[0]), Column("B", "", lambda row: row.sides[1])]
TABLES: tuple[TableSpec[WinogroundResults], ...] = (
    TableSpec(
        "winoground-scores",
        "Winoground: text, image and group score",
        NOTE + " p: exact binomial test of being above chance by guessing, one-sided.",
        lambda results: columns(
            levels_of(*_factors(results), "score"), PERCENT, UNREAD, CHANCE, counted("samples", "", "errors")
        ),
        lambda results: results.scores,
        listed="Winoground: scores",
    ),
    TableSpec(
        "winoground-tags",
        "Winoground: scores by tag",
        NOTE + " A sample with several tags counts under each.",
        lambda results: columns(
            levels_of("heading", "word", *_factors(results), "score"), PERCENT, counted("samples", "", "")
        ),
        lambda results: results.tags,
    ),
    TableSpec(
        "winoground-contrasts",
        "Winoground: exact compared with own descriptions, and descriptions or chains of thought compared with direct"
        " answers",
        "A minus B on the same samples, percentage points, 95 % CI clustered by sample. p: exact McNemar; p (items):"
        " exact sign-flip test over clusters; both Holm-adjusted over all rows of one subject and wording.",
        lambda _: columns(
            levels_of("who", "paradigm"), SIDES, levels_of("score"), contrast_columns("A", "B", pairs="samples")
        ),
        lambda results: results.contrasts,
        remark=lambda results: unread_warning(results.contrasts, ("who", "paradigm", "score")),
        listed="Winoground: contrasts",
    ),
    unread_spec("winoground-unread", "Winoground: answers that could not be read", lambda results: results.rows),
)
PAPER_TABLES = {
    "paradigms-table3": ("paradigms_table3", "Table 3: Winoground in CA"),
    "paradigms-tableA4": ("paradigms_tableA4", "Table A.4: Winoground and other ways of prompting"),
}


def paper_table(name: str, results: WinogroundResults) -> Table:
    """The published table of that name: our casts, then the printed rows."""
    file, title = PAPER_TABLES[name]
    theirs = printed("winoground", file)
    rows: list[tuple[Cell, ...]] = [(cast, "ours", *values) for cast, values in _by_cast(results)]
    rows += [
        (row["Model"], "paper", *(figure(row, column) for column in ("Text", "Image", "Group"))) for row in theirs.rows
    ]
    sources = " and ".join(sorted(str(source) for source in results.rows["source"].unique())) or "all"
    return Table(
        name=name,
        title=f"Cognitive paradigms, {title}",
        note=f"{NOTE} Ours: {sources} samples. Published: {theirs.source}.",
        columns=("Model", "source", "text", "image", "group"),
        rows=tuple(rows),
    )
