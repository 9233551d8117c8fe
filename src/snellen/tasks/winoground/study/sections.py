"""The Winoground results as blocks and tables."""

from typing import Any

import polars as pl

from snellen.analysis.casts import CHAINS, IN_WORDS, ORACLES
from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import accuracy, percent
from snellen.analysis.printed import figure, printed
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import hundred
from snellen.charts.blocks import Cell, Heat, Intervals, Section, Table, Text, Value
from snellen.tasks.winoground.study.results import SCORES, WinogroundResults

FEW_TAGS = 12
NOTE = (
    "Percent of samples, 95 % interval. Text: both pictures get their caption; image: both captions get their picture;"
    " group: all four choices right. Guessing scores 25, 25 and 6.25 (16.7 for the group score of a measure of"
    " likeness). An unread answer is not right."
)


def sections(found: WinogroundResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections."""
    return (
        Section("Winoground: scores", (_score_chart(found), *heats(found), *_tag_chart(found))),
        Section("Winoground: tables", (Text("Each can be printed with `snellen table STORE NAME`."), *tables)),
    )


def label(each: dict[str, Any], found: WinogroundResults) -> str:
    pack = f"pack {each['pack']}" if found.packs and each["pack"] else ""
    return " · ".join(part for part in (each["subject"], each["paradigm"], pack) if part)


def _score_chart(found: WinogroundResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.scores:
        rows.setdefault(label(each, found), {})[each["score"]] = percent(each)
    return Intervals(
        title="Text, image and group score",
        note=NOTE + " The line is chance for text and image.",
        unit="percent",
        series=SCORES,
        rows=tuple((name, tuple(values.get(score) for score in SCORES)) for name, values in rows.items()),
        reference=25.0,
        line="chance for text and image",
        quantity="share of samples",
    )


def _tag_chart(found: WinogroundResults) -> list[Intervals]:
    tags = sorted({str(each["tag"]) for each in found.tags if each["tag"]})
    if not 1 < len(tags) <= FEW_TAGS:
        return []
    group = [each for each in found.tags if each["score"] == "group"]
    series = list(dict.fromkeys(label(each, found) for each in group))
    values = {(each["tag"], label(each, found)): percent(each) for each in group}
    return [
        Intervals(
            title="Group score by tag",
            note="Percent of samples with all four choices right, 95 % intervals. The line is chance.",
            unit="percent",
            series=tuple(series),
            rows=tuple((tag, tuple(values.get((tag, name)) for name in series)) for tag in tags),
            reference=6.25,
            line="chance",
            quantity="group score, share of samples",
        )
    ]


def heats(found: WinogroundResults) -> list[Heat]:
    """Group score of every describer with every reasoner, where casts vary."""
    made = []
    for paradigm in (*IN_WORDS, *CHAINS):
        rows = found.scored.filter(pl.col("paradigm") == paradigm, pl.col("score") == "group")
        cells = {
            (each["describer"], each["reasoner"]): percent(each)
            for each in accuracy(rows, ["describer", "reasoner"], found.seed)
        }
        if len(cells) > 1:
            lines, columns = (sorted({key[k] for key in cells}, key=lambda who: (who in ORACLES, who)) for k in (0, 1))
            made.append(
                Heat(
                    title=f"{paradigm.upper()}: describer by reasoner, group score",
                    note="Percent of samples with all four choices right, 95 % intervals; chance is 6.25.",
                    unit="percent",
                    down="describer",
                    across="reasoner",
                    columns=tuple(columns),
                    rows=tuple((line, tuple(cells.get((line, column)) for column in columns)) for line in lines),
                    quantity="group score, share of samples",
                )
            )
    return made


def _columns(found: WinogroundResults) -> list[str]:
    return ["subject", "paradigm", *(["pack"] if found.packs else [])]


def score_table(found: WinogroundResults) -> Table:
    columns = _columns(found)
    return Table(
        name="winoground-scores",
        title="Winoground: text, image and group score",
        note=NOTE + " p: exact binomial test of being above chance by guessing, one-sided.",
        columns=(*columns, "score", "percent", "unread %", "chance %", "p", "samples", "errors"),
        rows=tuple(
            (
                *(each[name] for name in columns),
                *(each["score"], percent(each), hundred(each["unread_rate"]), f"{100 * each['chance']:g}"),
                *(p_text(each["p_chance"]), each["trials"], each["errors"]),
            )
            for each in found.scores
        ),
    )


def tag_table(found: WinogroundResults) -> Table:
    columns = _columns(found)
    return Table(
        name="winoground-tags",
        title="Winoground: scores by tag",
        note=NOTE,
        columns=("tag", *columns, "score", "percent", "samples"),
        rows=tuple(
            (each["tag"], *(each[name] for name in columns), each["score"], percent(each), each["trials"])
            for each in found.tags
        ),
    )


def contrast_table(found: WinogroundResults) -> Table:
    return Table(
        name="winoground-contrasts",
        title="Winoground: exact words against descriptions, descriptions or a chain of thought first against direct",
        note="A minus B on the same samples, percentage points, 95 % interval over samples. p: exact McNemar;"
        " p (items): exact sign-flip test over clusters; both Holm-adjusted over all rows of one subject and wording."
        f"{unread_warning(found.contrasts, lambda each: (each['a_is'], each['b_is']), ('who', 'paradigm', 'score'))}",
        columns=("who", "paradigm", "A", "B", "score", "A %", "B %", "difference", "samples", "p", "p (items)"),
        rows=tuple(
            (
                *(each["who"], each["paradigm"], each["a_is"], each["b_is"], each["score"]),
                *(100 * each["a"], 100 * each["b"], points(each), each["pairs"]),
                *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.contrasts
        ),
    )


PAPER_TABLES = {
    "paradigms-table3": ("paradigms_table3", "Table 3: Winoground in CA"),
    "paradigms-tableA4": ("paradigms_tableA4", "Table A.4: Winoground beside other ways of prompting"),
}


def paper_table(name: str, found: WinogroundResults) -> Table:
    """The published table of that name: our casts, then the printed rows."""
    file, title = PAPER_TABLES[name]
    theirs = printed("winoground", file)
    ours: dict[str, dict[str, Value]] = {}
    for each in found.scores:
        ours.setdefault(label(each, found), {})[each["score"]] = percent(each)
    rows: list[tuple[Cell, ...]] = [
        (cast, "ours", *(values.get(score) for score in SCORES)) for cast, values in ours.items()
    ]
    rows += [
        (row["Model"], "paper", *(figure(row, column) for column in ("Text", "Image", "Group"))) for row in theirs.rows
    ]
    sources = " and ".join(sorted(str(source) for source in found.rows["source"].unique())) or "all"
    return Table(
        name=name,
        title=f"Cognitive paradigms, {title}",
        note=f"{NOTE} Ours: {sources} samples. Published: {theirs.source}.",
        columns=("Model", "source", "text", "image", "group"),
        rows=tuple(rows),
    )
