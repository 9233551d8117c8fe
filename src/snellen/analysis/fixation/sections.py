"""The fixation results as blocks for a page: shares, gaps, rule following, accuracy, tables."""

from collections.abc import Callable
from typing import Any

from snellen.analysis.blocks import Intervals, Section, Shares, Table, Text, Value
from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import percent
from snellen.analysis.fixation.pairs import CONTEXT, GAMES, setting_label
from snellen.analysis.fixation.results import Results
from snellen.analysis.fixation.trees import Fit
from snellen.analysis.study import accuracy_table

PARTS = ("sees and follows the rule", "sees but answers by habit", "does not see")
ALL = "all games"


def sections(found: Results, tables: list[Table]) -> tuple[Section, ...]:
    """The page's sections, the plainest first."""
    trees: tuple[Section, ...] = ()
    if found.fits:
        trees = (
            Section("Eyes or habit", (_shares(found), _follows(found), _sees(found))),
            Section("The standard-inverse gap", (_gap_chart(found),)),
        )
    return (*trees, Section("Accuracy", (_accuracy_chart(found),)), Section("Tables", (Text(TABLES_NOTE), *tables)))


TABLES_NOTE = (
    "Each of these tables can be printed with `snellen table STORE NAME`, as text, Markdown, LaTeX or CSV, and so can"
    " the tables of the VLM-Fix paper with its figures beside ours."
)


def _label(setting: dict[str, Any], found: Results, *, config: bool) -> str:
    words = setting_label(setting, found.named)
    if not config:
        words = words.partition(", ")[2]
    return " · ".join(part for part in (setting["subject"], words) if part)


def _shares(found: Results) -> Shares:
    rows = [
        (_label(fit.setting, found, config=len(found.configs) > 1), (fit.rule, fit.habit, fit.blind))
        for fit in found.fits
        if fit.game is None
    ]
    return Shares(
        title="Of 100 boards",
        note="Shares of standard-inverse pairs by the processing tree, over all games, with 95 % intervals. Pairs with"
        " an unread answer are left out.",
        parts=PARTS,
        rows=tuple(rows),
        of="boards",
    )


def _by_config(
    found: Results, entries: list[tuple[dict[str, Any], str, Value]]
) -> tuple[tuple[str, tuple[Value | None, ...]], ...]:
    """Rows by subject, context and game, columns by configuration."""
    rows: dict[str, dict[str, Value]] = {}
    for setting, game, value in entries:
        label = f"{_label(setting, found, config=False)} · {GAMES.get(game, game) or ALL}"
        rows.setdefault(label, {})[setting["config"]] = value
    return tuple((label, tuple(values.get(config) for config in found.configs)) for label, values in rows.items())


def _parameter_chart(found: Results, title: str, note: str, take: Callable[[Fit], Value], what: str) -> Intervals:
    entries = [(fit.setting, fit.game or "", take(fit)) for fit in found.fits]
    return Intervals(
        title=title,
        note=note,
        unit="probability",
        series=tuple(found.configs),
        rows=_by_config(found, [entry for entry in entries if entry[2].value is not None]),
        quantity=what,
    )


def _follows(found: Results) -> Intervals:
    return _parameter_chart(
        found,
        "Follows the stated rule, where it sees",
        "The parameter `map`: the probability that a seen board is answered by the stated rule rather than by habit.",
        lambda fit: fit.map,
        "probability of following the rule",
    )


def _sees(found: Results) -> Intervals:
    return _parameter_chart(
        found,
        "Sees the board",
        "The parameter `see`: the probability that a board is seen.",
        lambda fit: fit.see,
        "probability of seeing the board",
    )


def _gap_chart(found: Results) -> Intervals:
    return Intervals(
        title="Right under the standard rule minus right under the inverse rule",
        note="Percentage points on the same boards asked in the same way, 95 % intervals over whole boards. Right of"
        " the line: better under the familiar rule.",
        unit="points",
        series=tuple(found.configs),
        rows=_by_config(found, [(each, each["game"], points(each)) for each in found.gaps]),
        reference=0.0,
        line="no difference",
        quantity="standard minus inverse accuracy",
    )


def _accuracy_chart(found: Results) -> Intervals:
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


def _columns(found: Results) -> list[str]:
    return ["subject", "config", *(name for name in CONTEXT if name in found.named)]


def accuracy_by_setting(found: Results) -> Table:
    columns = [*_columns(found), "game", "rule"]
    return accuracy_table(found.cells, columns, "accuracy", "Accuracy by game and rule")


def gap_table(found: Results) -> Table:
    columns = _columns(found)
    return Table(
        name="gap",
        title="The standard-inverse gap",
        note="Standard minus inverse on the same boards, percentage points, 95 % interval over whole boards. p: exact"
        " McNemar; p (items): exact sign-flip test over boards; neither is adjusted.",
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


def contrast_table(found: Results) -> Table:
    columns = _columns(found)
    return Table(
        name="contrasts",
        title="Each configuration against Base, on the same boards",
        note="Configuration minus Base under the same rule, percentage points, 95 % interval over whole boards. p:"
        " exact McNemar; p (items): exact sign-flip test over boards. Both Holm-adjusted; family: Glyph,"
        " Checkerboard, Alias, SemAlias x two rules of one subject, game and context.",
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


def tree_table(found: Results) -> Table:
    columns = _columns(found)
    return Table(
        name="tree",
        title="The processing tree",
        note="Probabilities with 95 % intervals clustered on boards; blank where the data do not identify the"
        " parameter. see: the board is seen; map: a seen board is answered by the stated rule; guess: an unseen board"
        " is answered with player 1. fit p: Rao-Scott test of the tree; out of place: share of pairs in the wrong"
        " category. Unread pairs are left out.",
        columns=(
            *(*columns, "game", "see", "map", "guess", "fit p"),
            *("out of place %", "pairs", "boards", "unread pairs"),
        ),
        rows=tuple(
            (
                *(fit.setting[name] for name in columns),
                *(fit.game or ALL, fit.see, fit.map, fit.guess, p_text(fit.p), 100 * fit.moved),
                *(fit.pairs, fit.items, fit.unread),
            )
            for fit in found.fits
        ),
    )
