"""Tables in characters: plain text, Markdown, LaTeX, CSV, JSON.

Names, labels and notes may come from anywhere, so each renderer defuses what its format would obey: control and
direction marks in text, markup in Markdown and LaTeX, formulas in CSV.
"""

import csv
import io
import json
import re
from collections.abc import Callable

from snellen.analysis.cells import cell_text, clean, numeric
from snellen.analysis.latex import to_latex
from snellen.charts.blocks import Cell, Table, Value, to_json
from snellen.errors import unknown


def render(table: Table, style: str = "text", width: str | float | None = None) -> str:
    """Returns the `table` in characters; `style` is text, md, latex, csv or json. Raises `UserError` for any other.
    `width` is that of LaTeX: "column", "page" or points; without it a column if the table fits one, else the page.

    >>> print(render(exam.findings.sections[0].blocks[0], "md"))  # doctest: +SKIP
    """
    if style not in STYLES:
        raise unknown("table format", style, STYLES)
    return to_latex(table, width) if style == "latex" else STYLES[style](table)


def _text(table: Table) -> str:
    body = ([cell_text(cell, table.compact) for cell in row] for row in table.rows)
    lines = [[clean(column) for column in table.columns], *body]
    widths = [max(len(line[k]) for line in lines) for k in range(len(table.columns))]
    right = numeric(table)

    def join(line: list[str]) -> str:
        cells = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True))
        return "  ".join(cells).rstrip()

    drawn = [join(lines[0]), "  ".join("-" * width for width in widths), *(join(line) for line in lines[1:])]
    return "\n".join([clean(table.title), "", *drawn, "", clean(table.note)])


def escape_markdown(text: str) -> str:
    text = re.sub(r"([\\`*_{}\[\]|#~])", r"\\\1", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _md(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rule = ["---:" if right else "---" for right in numeric(table)]
    body = [line([escape_markdown(cell_text(cell, table.compact)) for cell in row]) for row in table.rows]
    head = line([escape_markdown(clean(column)) for column in table.columns])
    return "\n".join(
        [
            f"**{escape_markdown(clean(table.title))}**",
            "",
            head,
            line(rule),
            *body,
            "",
            escape_markdown(clean(table.note)),
        ]
    )


def _csv(table: Table) -> str:
    """Numbers in full; a column with intervals or notes is followed by columns for them."""
    parts = [_csv_parts(table, k) for k in range(len(table.columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [_defused(f"{column} {part}".strip()) for column, own in zip(table.columns, parts, strict=True) for part in own]
    )
    for row in table.rows:
        writer.writerow([_csv_cell(cell, part) for cell, own in zip(row, parts, strict=True) for part in own])
    return out.getvalue().rstrip("\n")


def _csv_parts(table: Table, k: int) -> list[str]:
    values = [row[k] for row in table.rows if isinstance(row[k], Value)]
    bounds = any(isinstance(value, Value) and value.low is not None for value in values)
    notes = any(isinstance(value, Value) and value.note for value in values)
    return ["", *(["low", "high"] if bounds else []), *(["note"] if notes else [])]


def _csv_cell(cell: Cell, part: str) -> str:
    if isinstance(cell, Value):
        cell = {"": cell.value, "low": cell.low, "high": cell.high, "note": cell.note}[part]
    elif part:
        cell = None
    if isinstance(cell, float):
        return f"{cell:.6g}"
    return "" if cell is None else _defused(str(cell)) if isinstance(cell, str) else str(cell)


def _defused(text: str) -> str:
    """A spreadsheet takes a cell that begins like this for a formula; a leading apostrophe makes it text."""
    text = clean(text)
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text


def _json(table: Table) -> str:
    """One object; each row is an object, too, and so is a number with its interval."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    content = {"name": table.name, "title": table.title, "note": table.note, "rows": rows}
    return json.dumps(to_json(content), ensure_ascii=False)


STYLES: dict[str, Callable[[Table], str]] = {
    "text": _text,
    "md": _md,
    "latex": to_latex,
    "csv": _csv,
    "json": _json,
}
