"""The fixation results as blocks for a page: gaps, accuracy, tables."""

from typing import Any

from snellen.analysis.columns import (
    Column,
    TableSpec,
    chart_rows,
    columns,
    contrast_columns,
    levels_of,
    percent_chart,
    points_chart,
)
from snellen.analysis.contrasts import Contrast
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import ACCURACY_NOTE, accuracy_columns, unread_spec
from snellen.charts.blocks import Intervals, Section, Table, Text, percent
from snellen.tasks.fixation.study.asked import CONTEXT, GAMES, setting_label
from snellen.tasks.fixation.study.results import FixationResults

ALL = "all games"
TABLES_NOTE = (
    "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV, and so can"
    " the tables of the VLM-Fix paper with its figures next to ours."
)


def sections(results: FixationResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections, the plainest first."""
    gaps = (Section("The standard-inverse gap", (_gap_chart(results),)),) if results.gaps else ()
    return (*gaps, Section("Accuracy", (_accuracy_chart(results),)), Section("Tables", (Text(TABLES_NOTE), *tables)))


def _label(setting: dict[str, Any], results: FixationResults, *, config: bool) -> str:
    words = setting_label(setting, results.named)
    if not config:
        words = words.partition(", ")[2]
    return " · ".join(part for part in (setting["subject"], words) if part)


def _gap_chart(results: FixationResults) -> Intervals:
    cells = (
        (
            f"{_label(gap.levels, results, config=False)} · {GAMES.get(gap['game'], gap['game']) or ALL}",
            gap["config"],
            percent(gap.gap),
        )
        for gap in results.gaps
    )
    return points_chart(
        "Right under the standard rule minus right under the inverse rule",
        "Percentage points on the same boards asked in the same way, 95 % CIs clustered by board. Right of"
        f" the line: better under the familiar rule.{_gaps_unread(results)}",
        results.configs,
        chart_rows(cells, results.configs),
        quantity="standard minus inverse accuracy",
    )


def _accuracy_chart(results: FixationResults) -> Intervals:
    rules = ("standard", "inverse")
    cells = ((_label(row.levels, results, config=True), row["rule"], percent(row.noted)) for row in results.pooled)
    return percent_chart(
        "Accuracy by rule",
        "Percent right of all replies over all games, 95 % CIs clustered by board; unread replies are not counted as"
        " right. The line is chance.",
        rules,
        chart_rows(cells, rules),
        reference=50.0,
    )


def _factors(results: FixationResults) -> list[str]:
    return ["subject", "config", *(name for name in CONTEXT if name in results.named)]


def _game(row: Contrast) -> str:
    return row["game"] or ALL


def _gaps_unread(results: FixationResults) -> str:
    return unread_warning(results.gaps, (*_factors(results), _game))


GAME: Column[Contrast] = Column("game", "", _game)
UNADJUSTED: list[Column[Contrast]] = [
    Column("p", "p", lambda gap: gap.p),
    Column("p (items)", "p", lambda gap: gap.p_items),
]
TABLES: tuple[TableSpec[FixationResults], ...] = (
    TableSpec(
        "accuracy",
        "Accuracy by game and rule",
        ACCURACY_NOTE,
        lambda results: accuracy_columns([*_factors(results), "game", "rule"]),
        lambda results: results.cells,
    ),
    TableSpec(
        "gap",
        "The standard-inverse gap",
        "Standard minus inverse on the same boards, percentage points, 95 % CI clustered by board. p: exact"
        " McNemar; p (items): exact sign-flip test over boards; neither is adjusted.",
        lambda results: columns(
            levels_of(*_factors(results)),
            GAME,
            contrast_columns("standard", "inverse", "gap", items="boards")[:-2],
            UNADJUSTED,
        ),
        lambda results: results.gaps,
        remark=lambda results: _gaps_unread(results),
    ),
    TableSpec(
        "contrasts",
        "Each configuration compared with Base, on the same boards",
        "Configuration minus Base under the same rule, percentage points, 95 % CI clustered by board. p: exact"
        " McNemar; p (items): exact sign-flip test over boards. Both Holm-adjusted; family: Glyph, Checkerboard,"
        " Alias, SemAlias x two rules of one subject, game and context.",
        lambda results: columns(
            levels_of(*_factors(results)), GAME, levels_of("rule"), contrast_columns("config", "Base", alone=True)
        ),
        lambda results: results.contrasts,
        remark=lambda results: unread_warning(results.contrasts, (*_factors(results), "rule", _game)),
        listed="Each configuration compared with Base",
    ),
    unread_spec("unread", "Answers that could not be read", lambda results: results.rows),
)
