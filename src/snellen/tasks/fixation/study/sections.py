"""The fixation results as blocks for a page: gaps, accuracy, tables."""

from typing import Any

from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import percent
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import accuracy_table
from snellen.charts.blocks import Intervals, Section, Table, Text, Value
from snellen.tasks.fixation.study.asked import CONTEXT, GAMES, setting_label
from snellen.tasks.fixation.study.results import FixationResults

ALL = "all games"


def sections(found: FixationResults, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections, the plainest first."""
    gaps = (Section("The standard-inverse gap", (_gap_chart(found),)),) if found.gaps else ()
    return (*gaps, Section("Accuracy", (_accuracy_chart(found),)), Section("Tables", (Text(TABLES_NOTE), *tables)))


TABLES_NOTE = (
    "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV, and so can"
    " the tables of the VLM-Fix paper with its figures beside ours."
)


def _label(setting: dict[str, Any], found: FixationResults, *, config: bool) -> str:
    words = setting_label(setting, found.named)
    if not config:
        words = words.partition(", ")[2]
    return " · ".join(part for part in (setting["subject"], words) if part)


def _by_config(
    found: FixationResults, entries: list[tuple[dict[str, Any], str, Value]]
) -> tuple[tuple[str, tuple[Value | None, ...]], ...]:
    """Rows by subject, context and game, columns by configuration."""
    rows: dict[str, dict[str, Value]] = {}
    for setting, game, value in entries:
        label = f"{_label(setting, found, config=False)} · {GAMES.get(game, game) or ALL}"
        rows.setdefault(label, {})[setting["config"]] = value
    return tuple((label, tuple(values.get(config) for config in found.configs)) for label, values in rows.items())


def _gap_chart(found: FixationResults) -> Intervals:
    return Intervals(
        title="Right under the standard rule minus right under the inverse rule",
        note="Percentage points on the same boards asked in the same way, 95 % intervals over whole boards. Right of"
        f" the line: better under the familiar rule.{_gaps_unread(found)}",
        unit="points",
        series=tuple(found.configs),
        rows=_by_config(found, [(each, each["game"], points(each)) for each in found.gaps]),
        reference=0.0,
        line="no difference",
        quantity="standard minus inverse accuracy",
    )


def _accuracy_chart(found: FixationResults) -> Intervals:
    rows: dict[str, dict[str, Value]] = {}
    for each in found.pooled:
        label = _label(each, found, config=True)
        rows.setdefault(label, {})[each["rule"]] = percent(each)
    return Intervals(
        title="Accuracy by rule",
        note="Percent right of all replies over all games, 95 % intervals clustered on boards; an unread reply is not"
        " right. The line is chance.",
        unit="percent",
        series=("standard", "inverse"),
        rows=tuple((label, (values.get("standard"), values.get("inverse"))) for label, values in rows.items()),
        reference=50.0,
        line="chance",
        quantity="accuracy",
    )


def _columns(found: FixationResults) -> list[str]:
    return ["subject", "config", *(name for name in CONTEXT if name in found.named)]


def accuracy_by_setting(found: FixationResults) -> Table:
    columns = [*_columns(found), "game", "rule"]
    return accuracy_table(found.cells, columns, "accuracy", "Accuracy by game and rule")


def _game(each: dict[str, Any]) -> str:
    return each["game"] or ALL


def _gaps_unread(found: FixationResults) -> str:
    return unread_warning(found.gaps, lambda each: ("standard", "inverse"), (*_columns(found), _game))


def gap_table(found: FixationResults) -> Table:
    columns = _columns(found)
    return Table(
        name="gap",
        title="The standard-inverse gap",
        note="Standard minus inverse on the same boards, percentage points, 95 % interval over whole boards. p: exact"
        " McNemar; p (items): exact sign-flip test over boards; neither is adjusted."
        f"{_gaps_unread(found)}",
        columns=(*columns, "game", "standard %", "inverse %", "gap", "pairs", "boards", "p", "p (items)"),
        rows=tuple(
            (
                *(each[name] for name in columns),
                each["game"] or ALL,
                *(100 * each["a"], 100 * each["b"], points(each), each["pairs"], each["items"]),
                *(p_text(each["p"]), p_text(each["p_items"])),
            )
            for each in found.gaps
        ),
    )


def contrast_table(found: FixationResults) -> Table:
    columns = _columns(found)
    return Table(
        name="contrasts",
        title="Each configuration against Base, on the same boards",
        note="Configuration minus Base under the same rule, percentage points, 95 % interval over whole boards. p:"
        " exact McNemar; p (items): exact sign-flip test over boards. Both Holm-adjusted; family: Glyph,"
        " Checkerboard, Alias, SemAlias x two rules of one subject, game and context."
        f"{unread_warning(found.contrasts, lambda each: (each['config'], 'Base'), (*columns, 'rule', _game))}",
        columns=(
            *(*columns, "game", "rule", "config %", "Base %", "difference"),
            *("pairs", "only config", "only Base", "p", "p (items)"),
        ),
        rows=tuple(
            (
                *(each[name] for name in columns),
                *(each["game"] or ALL, each["rule"], 100 * each["a"], 100 * each["b"], points(each)),
                *(each["pairs"], each["only_a"], each["only_b"]),
                *(p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.contrasts
        ),
    )
