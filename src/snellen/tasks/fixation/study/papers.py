"""Tables in the shape of the VLM-Fix paper (arXiv 2604.12119), its figures under ours.

The published figures ship in `study/published/`, one file for each table, with its source in the first line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from snellen.analysis.contrasts import Contrast, p_in_brackets
from snellen.analysis.printed import printed
from snellen.analysis.rows import asked
from snellen.charts.blocks import Cell, Table, Value
from snellen.tasks.fixation.study.asked import CONFIGS, GAMES
from snellen.tasks.fixation.study.results import FixationResults

RULES = {"std": "standard", "inv": "inverse"}
ORDERS = {"image-first": "image_first", "text-first": "text_first"}
Where = dict[str, str]


@dataclass(frozen=True, slots=True)
class FixationPaper:
    """One published table. `rows`: what its first column stands for (None: a subject); `where`: what always holds."""

    number: int
    title: str
    where: Where
    rows: dict[str, Where] | None = None

    @property
    def file(self) -> str:
        return f"vlmfix_table{self.number:02d}"


def _direct(**more: str) -> Where:
    return {"response": "direct", "modality": "image", **more}


def _cot(**more: str) -> Where:
    return {"response": "cot", "modality": "image", **more}


_SETTINGS = {
    "Direct (Base)": _direct(config="Base"),
    "CoT (Base)": _cot(config="Base"),
    "CoT (Alias)": _cot(config="Alias"),
    "CoT (SemAlias)": _cot(config="SemAlias"),
    "Descriptive": _direct(config="Descriptive"),
    "Text-only": {"response": "direct", "modality": "text", "config": "Base"},
}
_PAPERS = (
    FixationPaper(2, "Base condition, direct answers", _direct(config="Base")),
    FixationPaper(
        3, "Input interventions, direct answers", _direct(), {name: {"config": name} for name in CONFIGS[:5]}
    ),
    FixationPaper(4, "Boundary conditions", {}, _SETTINGS),
    *(
        FixationPaper(6 + k, f"Direct answers, {title}", _direct(game=game))
        for k, (game, title) in enumerate(GAMES.items())
    ),
    *(
        FixationPaper(10 + k, f"Step by step, {title}", _cot(game=game))
        for k, (game, title) in enumerate(GAMES.items())
    ),
    FixationPaper(14, "Descriptive prompts, direct answers", _direct(config="Descriptive")),
    FixationPaper(15, "Text boards, direct answers", {"response": "direct", "modality": "text", "config": "Base"}),
    FixationPaper(16, "Order of picture and words, direct answers", _direct()),
    FixationPaper(17, "Order of picture and words, step by step", _cot()),
)
PAPER_TABLES = {f"vlmfix-table{paper.number}": paper for paper in _PAPERS}


def paper_table(name: str, results: FixationResults) -> Table:
    """The table of that name: our subjects, then the published rows."""
    paper = PAPER_TABLES[name]
    theirs = printed("fixation", paper.file)
    values = [column for column in theirs.columns[1:] if not column.endswith(" p")]
    ours = _comparable(results.rows)
    done: list[tuple[Cell, ...]] = []
    for subject in ours["subject"].unique(maintain_order=True):
        own = ours.filter(pl.col("subject") == subject)
        tested = [test for test in results.contrasts if test["subject"] == subject]
        for label, where in (paper.rows or {subject: {}}).items():
            line = _our_row(own, tested, {**paper.where, **where}, values)
            if line is not None:
                done.append((label, subject if paper.rows else "ours", *line))
    for row in theirs.rows:
        cells = (_printed(row, column) for column in values)
        done.append((row[theirs.columns[0]], "paper", *cells, None, None))
    return Table(
        name=name,
        title=f"VLM-Fix Table {paper.number}: {paper.title}",
        note="Percent right under the standard (std) and inverse (inv) rule, pooled over targets and orders; Average:"
        " mean over the four games, given only if all four were asked. Unread replies are not counted as right. In"
        " brackets, ours:"
        " exact McNemar against Base, Holm over the row's columns and rules. Intervals are in the table `accuracy`."
        f" {_used(ours)} Published: {theirs.source}.",
        columns=(theirs.columns[0], "source", *values, "trials", "unread %"),
        rows=tuple(done),
    )


def _comparable(rows: pl.DataFrame) -> pl.DataFrame:
    """Our rows as near to the paper's as there are: its own boards and sizes, asked directly, if there are such."""
    for column, level in (("states", "published"), ("size", "small"), ("paradigm", "direct")):
        like = rows.filter(pl.col(column) == level)
        rows = rows if like.is_empty() else like
    return asked(rows)


def _used(ours: pl.DataFrame) -> str:
    states = " and ".join(sorted(str(level) for level in ours["states"].unique() if level)) or "all"
    return f"Ours: {states} boards."


def _printed(row: dict[str, str], column: str) -> Value | None:
    if not row[column]:
        return None
    p = row.get(f"{column} p")
    return Value(float(row[column]), note=f"({p})" if p else "")


def _our_row(own: pl.DataFrame, tested: Sequence[Contrast], where: Where, columns: Sequence[str]) -> list[Cell] | None:
    """Our cells under the paper's columns, then trials and unread rate; None if the subject has none of them."""
    known = [name for name in where if name in own.columns]
    own = own.filter(*(pl.col(name) == where[name] for name in known))
    own = own.filter(pl.col("config").is_in(CONFIGS))
    if own.is_empty():
        return None
    sums = own.group_by("game", "config", "order", "rule").agg(
        pl.len().alias("n"), right=(pl.col("outcome") == "right").sum(), unread=(pl.col("outcome") == "unread").sum()
    )
    counts = sums.to_dicts()
    used: list[dict[str, Any]] = []
    cells: list[Cell] = []
    for column in columns:
        cell_where = {**where, **_column_where(column)}
        value, members = _mean(counts, cell_where)
        used += [each for each in members if each not in used]
        cells.append(None if value is None else Value(value, note=_test(tested, cell_where)))
    trials = sum(each["n"] for each in used)
    if not trials:
        return None
    return [*cells, trials, 100 * sum(each["unread"] for each in used) / trials]


def _column_where(column: str) -> Where:
    """What a column like 'Reversi std', 'Alias inv' or 'Base text-first std' stands for."""
    words, _, rule = column.rpartition(" ")
    found = {"rule": RULES[rule]}
    for title, order in ORDERS.items():
        if words.endswith(title):
            words, found["order"] = words.removesuffix(title).strip(), order
    game = next((game for game, title in GAMES.items() if title == words), None)
    if game:
        found["game"] = game
    elif words != "Average":
        found["config"] = words
    return found


def _mean(counts: list[dict[str, Any]], where: Where) -> tuple[float | None, list[dict[str, Any]]]:
    """Accuracy in percent where it was asked: of one game, or the mean of the four if none is named."""
    names = [name for name in ("game", "config", "order", "rule") if name in where]
    members = [each for each in counts if all(each[name] == where[name] for name in names)]
    if "game" not in where and {each["game"] for each in members} != set(GAMES):
        return None, []
    if not members:
        return None, []
    games = sorted({each["game"] for each in members})
    rates = []
    for game in games:
        own = [each for each in members if each["game"] == game]
        rates.append(100 * sum(each["right"] for each in own) / sum(each["n"] for each in own))
    return sum(rates) / len(rates), members


def _test(tested: Sequence[Contrast], where: Where) -> str:
    """The adjusted p-value of a cell against Base, as the paper prints it."""
    if "game" not in where or "order" in where or where.get("config", "Base") == "Base":
        return ""
    names = ("game", "config", "rule", "response", "modality")
    for contrast in tested:
        if all(contrast[name] == where[name] for name in names if name in where):
            return p_in_brackets(contrast.p_holm)
    return ""
