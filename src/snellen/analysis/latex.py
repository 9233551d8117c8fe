"""Tables in LaTeX. A compact one fits into a column of a paper: subjects are headings, and columns that do not fit come
below."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from snellen.analysis.cells import cell_text, clean, numeric
from snellen.charts.blocks import Cell, Table

COLUMN = 235.0
"""Points: a little less than a column of common two-column styles."""
_BETWEEN = 6.0
_LONGEST_HEAD = 11
_THIN, _WIDE, _USUAL = 2.6, 6.2, 4.1
"""Widths of characters at eight points, on the safe side."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "·": r"\textperiodcentered{}",
    **{char: f"\\{char}" for char in "{}$&#_%"},
}


def _latex_escape(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def _line(cells: Iterable[str]) -> str:
    # a cell that begins with a bracket would be taken for an argument of the line break before it
    return " & ".join(f"{{}}{cell}" if cell.startswith(("[", "*")) else cell for cell in cells) + r" \\"


def _words(text: str) -> str:
    return _latex_escape(clean(text))


def to_latex(table: Table) -> str:
    """The table with its caption and its note."""
    font, spec, lines = _narrow(table) if table.compact else _plain(table)
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"\caption{" + _words(table.title) + "}",
            *font,
            r"\begin{tabular}{" + spec + "}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\footnotesize " + _words(table.note),
            r"\end{table}",
        ]
    )


def _plain(table: Table) -> tuple[list[str], str, list[str]]:
    """How the letters are set, how the columns, and the lines."""
    rows = [_line(_latex_escape(cell_text(cell)) for cell in row) for row in table.rows]
    spec = "".join("r" if right else "l" for right in numeric(table))
    return [], spec, [_line(map(_words, table.columns)), r"\midrule", *rows]


def _narrow(table: Table) -> tuple[list[str], str, list[str]]:
    """The same of a compact table; if its first column is the subject's, each subject stands above its rows."""
    grouped = table.columns[:1] == ("subject",)
    blocks = _blocks(table, int(grouped))
    most = max(len(block) for block in blocks)
    lines = [line for block in blocks for line in _block(table, block, most, grouped)]
    right = numeric(table)
    spec = "".join("r" if right[k] else "l" for k in blocks[0]) + "r" * (most - len(blocks[0]))
    return [r"\footnotesize\setlength{\tabcolsep}{3pt}"], spec, lines[1:]


def _block(table: Table, block: Sequence[int], most: int, grouped: bool) -> Iterator[str]:
    """All rows of some columns under their heads."""
    yield r"\midrule"
    yield _line(_words(head) for head in _heads([table.columns[k] for k in block]))
    yield r"\midrule"
    for subject, rows in groupby(table.rows, key=lambda row: cell_text(row[0]) if grouped else ""):
        if grouped:
            name = re.sub(r"([-/@:.])", r"\1\\allowbreak{}", _words(subject))
            yield rf"\multicolumn{{{most}}}{{p{{{COLUMN - 10:g}pt}}}}{{\raggedright\itshape {name}}} \\"
        for row in rows:
            yield _line(_words(cell_text(row[k], compact=True)) for k in block)


def _blocks(table: Table, key: int) -> list[list[int]]:
    """The columns in runs that fit, each with the column that names the rows before it."""
    blocks = [[key]]
    room = COLUMN - _width(table, key)
    for k in range(key + 1, len(table.columns)):
        if (wide := _width(table, k)) > room and len(blocks[-1]) > 1:
            blocks.append([key])
            room = COLUMN - _width(table, key)
        blocks[-1].append(k)
        room -= wide
    return blocks


def _width(table: Table, k: int) -> float:
    cells: list[Cell] = [*_heads([table.columns[k]]), *(row[k] for row in table.rows)]
    return max(map(_points, (cell_text(cell, compact=True) for cell in cells))) + _BETWEEN


def _points(text: str) -> float:
    return sum(_THIN if char in " .,()ijlI|!:;'" else _WIDE if char in "mwMW%@" else _USUAL for char in text)


def _heads(heads: Sequence[str]) -> list[str]:
    """Heads short enough for a column of numbers, unless they would no longer be told apart."""
    short = [head if len(head) <= _LONGEST_HEAD else f"{head[: _LONGEST_HEAD - 1].rstrip()}." for head in heads]
    return short if len(set(short)) == len(set(heads)) else list(heads)
