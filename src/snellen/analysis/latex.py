"""Tables in LaTeX that fit a column or a page of a paper.

A table that is too wide is brought into shape in steps, the mildest first. Columns with the same entry in every row
move to the caption, and a first column that repeats becomes headings between the rows. Then texts wrap; then the table
takes the whole page (`table*`); then intervals stand below their estimates; at last the columns are cut into runs, one
below the other. A table that is too long for a page is cut into several.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from snellen.analysis.cells import cell_text
from snellen.analysis.latex_text import POINTS, UNI, breakable, escaped, lines_in, narrowest, pieces, text_width
from snellen.charts.blocks import Cell, Table, Value

WIDTHS = {"column": 235.0, "page": 485.0}
"""Points: a little less than a column and the page of common two-column styles."""
_WIDEST_COLUMN = 300.0
"""A table up to this width stands in one column."""
_BETWEEN, _LEADING = 6.0, 9.5
_PAGE_HEIGHT = 610.0
_KEYS = 3
_LONGEST_CONSTANT = 40
_NUMBER = re.compile(r"(?:[<>]=?|[≤≥])?[-−+]?\d[\d.,]*(?: ?%)?")
_UNDER = re.compile(r"(?<=\d) (?=[\[(])")


@dataclass(frozen=True, slots=True)
class ShapedColumn:
    """A column as it is set: its head, what stands above that and its neighbours', its cells, and the points it
    takes; `wraps` where lines are broken to fit."""

    head: str
    cells: tuple[str, ...]
    right: bool
    above: str = ""
    width: float = 0.0
    wraps: bool = False

    @property
    def spec(self) -> str:
        if not self.wraps:
            return "r" if self.right else "l"
        side = "raggedleft" if self.right else "raggedright"
        return rf">{{\{side}\arraybackslash}}p{{{self.width:.1f}pt}}"

    def lines(self, row: int) -> int:
        """How many lines a cell takes."""
        parts = _UNDER.split(self.cells[row]) if self.right else [self.cells[row]]
        return sum(lines_in(part, self.width) for part in parts) if self.wraps else 1

    def cell(self, row: int) -> str:
        if self.wraps and self.right:
            text = r"\newline ".join(map(breakable, _UNDER.split(self.cells[row])))
        else:
            text = breakable(self.cells[row]) if self.wraps else escaped(self.cells[row])
        # a cell that begins with a bracket would be taken for an argument of the line break before it
        return f"{{}}{text}" if text.startswith(("[", "*")) else text


def to_latex(table: Table, width: str | float | None = None) -> str:
    """The table with its caption and its note.

    `width`: "column", "page", or points; without it a column if the table fits one, else the page.
    """
    columns, headings, constant = _simplified(table)
    room, runs = _layout(columns, width or ("column" if table.compact else None))
    kind = "table" if room <= _WIDEST_COLUMN else "table*"
    words = 1.3 * lines_in(f"{table.title} {constant}", room) + lines_in(table.note, room) + 2
    tallest = _PAGE_HEIGHT - _LEADING * words
    floats = _floats([part for run in runs for part in _tabulars(run, headings, tallest)], tallest)
    lines = [
        line for k, part in enumerate(floats) for line in _float(table, kind, part, constant, (k + 1, len(floats)))
    ]
    text = "\n".join(lines)
    needs = ["% needs \\usepackage{booktabs,array}"]
    if r"\uni{" in text:
        needs += ["% some characters print with XeLaTeX or LuaLaTeX only, given a font that has them", UNI]
    return "\n".join([*needs, text])


def _simplified(table: Table) -> tuple[list[ShapedColumn], tuple[str, ...], str]:
    """The columns that vary, the heading above each row ("" if rows have none), and what is the same in all rows."""
    rows, headings, first = list(table.rows), ("",) * len(table.rows), 0
    names = [cell_text(row[0]) for row in rows] if table.columns else []
    if len(table.columns) > 2 and 3 * len(set(names)) < 2 * len(rows):
        rows.sort(key=lambda row: names.index(cell_text(row[0])))
        headings, first = tuple(cell_text(row[0]) for row in rows), 1
    columns = [_shaped(table, k, rows) for k in range(first, len(table.columns))]
    constant = [column for column in columns if len(rows) > 1 and _is_constant(column)]
    if len(columns) - len(constant) < 2:
        constant = []
    told = [f"{column.head}: {column.cells[0]}" for column in constant if column.cells[0]]
    if len(set(headings)) == 1 and headings[0]:
        told, headings = [f"{table.columns[0]}: {headings[0]}", *told], ("",) * len(rows)
    varied = _spanned([column for column in columns if column not in constant])
    return varied, headings, f"In all rows, {'; '.join(told)}." if told else ""


def _is_constant(column: ShapedColumn) -> bool:
    return len(set(column.cells)) == 1 and len(column.cells[0]) <= _LONGEST_CONSTANT


def _shaped(table: Table, k: int, rows: Sequence[Sequence[Cell]]) -> ShapedColumn:
    cells = tuple(_cell(row[k], table.compact) for row in rows)
    texts = (cell for row in rows if isinstance(cell := row[k], str) and cell)
    right = bool(rows) and all(map(_NUMBER.fullmatch, texts))
    return ShapedColumn(table.columns[k], cells, right)


def _spanned(columns: Sequence[ShapedColumn]) -> list[ShapedColumn]:
    """The columns with the words that neighbours' heads begin with above them, once for all."""
    made: list[ShapedColumn] = []
    for _, group in groupby(columns, key=lambda column: column.head.split(" ")[0]):
        own = list(group)
        words = [column.head.split(" ") for column in own]
        shared = min(map(len, words)) - 1
        while len({tuple(each[:shared]) for each in words}) > 1:
            shared -= 1
        if len(own) == 1 or shared < 1 or any(each[shared:] == ["%"] for each in words):
            made += own
            continue
        made += (
            replace(column, head=" ".join(each[shared:]), above=" ".join(each[:shared]))
            for column, each in zip(own, words, strict=True)
        )
    return made


def _cell(cell: Cell, compact: bool) -> str:
    """The text of a cell, with a real minus and an interval that stays together."""
    text = cell_text(cell, compact)
    if isinstance(cell, Value):
        text = text.replace(", ", ",\u00a0").replace(" to ", "\u00a0to\u00a0")
    return re.sub(r"(?<![\w.])-(?=\d)", "−", text) if isinstance(cell, Value | float | int) else text


def _layout(columns: list[ShapedColumn], width: str | float | None) -> tuple[float, list[list[ShapedColumn]]]:
    """The width taken, and the columns in runs: one, if all of them fit."""
    widest = WIDTHS["page"] if width is None else WIDTHS[width] if isinstance(width, str) else width
    tried = [(WIDTHS["column"], False)] if width is None else []
    tried += [(widest, False), *([(widest, True)] if widest > _WIDEST_COLUMN else [])]
    for room, under in tried:
        fitted = _fitted(columns, room, under=under)
        most = 2 if room <= _WIDEST_COLUMN else 6
        if fitted and all(column.lines(row) <= most for column in fitted for row in range(len(column.cells))):
            return room, [fitted]
    return widest, _runs(columns, widest)


def _fitted(columns: Sequence[ShapedColumn], room: float, *, under: bool = False) -> list[ShapedColumn] | None:
    """The columns at widths that fit together, None if there are none. Texts wrap, the widest first; `under` puts
    intervals below their estimates before that."""
    heads = [max(narrowest(column.head), share) for column, share in zip(columns, _shares_above(columns), strict=True)]
    wide = [max([head, *map(text_width, column.cells)]) for head, column in zip(heads, columns, strict=True)]
    least = [
        max([head, *map(narrowest, column.cells)]) if under or not column.right else high
        for head, high, column in zip(heads, wide, columns, strict=True)
    ]
    most = [low if column.right else high for low, high, column in zip(least, wide, columns, strict=True)]
    room -= _BETWEEN * len(columns)
    if sum(least) > room:
        return None
    cap = max(most, default=0.0)
    while sum(max(low, min(high, cap)) for low, high in zip(least, most, strict=True)) > room:
        cap -= 0.5
    taken = [max(low, min(high, cap)) for low, high in zip(least, most, strict=True)]
    return [
        replace(column, width=own, wraps=own < high) for column, own, high in zip(columns, taken, wide, strict=True)
    ]


def _shares_above(columns: Sequence[ShapedColumn]) -> list[float]:
    """What each column must contribute for the words above it and its neighbours."""
    shares: list[float] = []
    for above, group in groupby(columns, key=lambda column: column.above):
        count = len(list(group))
        shares += [(text_width(above) - _BETWEEN * (count - 1)) / count if above else 0.0] * count
    return shares


def _runs(columns: list[ShapedColumn], room: float) -> list[list[ShapedColumn]]:
    """The columns in runs that fit and are about equally long, each with the columns before it that name its rows."""
    named = next((k for k, column in enumerate(columns) if column.right), len(columns))
    first = max(1, min(named, _KEYS))
    keys, rest = columns[:first], columns[first:]
    fewest = _cut(keys, rest, room, len(rest))
    even = _cut(keys, rest, room, -(-len(rest) // len(fewest)))
    runs = even if len(even) == len(fewest) else fewest
    return [
        _fitted([*keys, *run], room) or _fitted([*keys, *run], room, under=True) or _squeezed([*keys, *run], room)
        for run in runs
    ]


def _cut(
    keys: Sequence[ShapedColumn], rest: Sequence[ShapedColumn], room: float, most: int
) -> list[list[ShapedColumn]]:
    """Runs of at most so many columns that fit with the keys; columns under the same words stay together."""
    runs: list[list[ShapedColumn]] = [[]]
    for above, group in groupby(rest, key=lambda column: column.above):
        own = list(group)
        for unit in [own] if above and _fitted([*keys, *own], room) else [[column] for column in own]:
            if runs[-1] and (len(runs[-1]) >= most or _fitted([*keys, *runs[-1], *unit], room) is None):
                runs.append([])
            runs[-1] += unit
    return runs


def _squeezed(columns: Sequence[ShapedColumn], room: float) -> list[ShapedColumn]:
    """Last resort: equal shares of the width."""
    each = room / len(columns) - _BETWEEN
    return [replace(column, width=each, wraps=True) for column in columns]


def _tabulars(columns: list[ShapedColumn], headings: Sequence[str], tallest: float) -> list[tuple[float, list[str]]]:
    """One run of columns, cut into tabulars no taller than a page; each with its height."""
    head, head_lines = _head(columns)
    start = [r"\begin{tabular}{@{}" + "".join(column.spec for column in columns) + "@{}}", r"\toprule", *head]
    made: list[tuple[float, list[str]]] = []
    height, lines, last = _LEADING * (head_lines + 1), list[str](), ""
    for row, heading in enumerate(headings):
        tall = _LEADING * (max(column.lines(row) for column in columns) + (heading != last))
        if lines and height + tall > tallest:
            made.append((height, [*start, *lines, r"\bottomrule", r"\end{tabular}"]))
            height, lines, last = _LEADING * (head_lines + 1), [], ""
        if heading != last:
            lines += [r"\addlinespace[2pt]"] if lines else []
            lines.append(_heading(heading, columns))
            last = heading
        lines.append(" & ".join(column.cell(row) for column in columns) + r" \\")
        height += tall
    return [*made, (height, [*start, *lines, r"\bottomrule", r"\end{tabular}"])]


def _heading(text: str, columns: Sequence[ShapedColumn]) -> str:
    """A line over all columns, a little narrower than they are: it must not push the last of them outwards."""
    across = max(narrowest(text), 0.88 * sum(column.width + _BETWEEN for column in columns) - _BETWEEN)
    return (
        rf"\multicolumn{{{len(columns)}}}{{@{{}}p{{{across:.1f}pt}}@{{}}}}{{\raggedright\itshape {breakable(text)}}} \\"
    )


def _head(columns: Sequence[ShapedColumn]) -> tuple[list[str], int]:
    """The lines of the head and how many lines they take: what neighbours begin with stands once above them."""
    upper, rules, place = list[str](), list[str](), 1
    for above, group in groupby(columns, key=lambda column: column.above):
        count = len(list(group))
        upper += [rf"\multicolumn{{{count}}}{{c}}{{{escaped(above)}}}"] if above else [""] * count
        rules += [rf"\cmidrule(lr){{{place}-{place + count - 1}}}"] if above else []
        place += count
    cells = [_head_cell(column) for column in columns]
    first = [" & ".join(upper) + r" \\", "".join(rules)] if rules else []
    lines = max((cell.count(r"\\") for cell in cells), default=0) + 1
    return [*first, " & ".join(cells) + r" \\", r"\midrule"], lines + len(first)


def _head_cell(column: ShapedColumn) -> str:
    """A head as narrow as its column, in several lines if need be, the last of them level with its neighbours'."""
    lines: list[str] = []
    for piece in pieces(column.head):
        if lines and text_width(lines[-1] + piece.rstrip()) <= column.width:
            lines[-1] += piece
        else:
            lines.append(piece)
    side = "r" if column.right else "l"
    inner = r"\\".join(escaped(line.rstrip()) for line in lines)
    text = rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{inner}\end{{tabular}}" if len(lines) > 1 else inner
    return rf"\multicolumn{{1}}{{{side}}}{{{text}}}" if column.wraps else text


def _floats(tabulars: Sequence[tuple[float, list[str]]], tallest: float) -> list[list[list[str]]]:
    """The tabulars in as few floats as hold them."""
    made, room = [list[list[str]]()], tallest
    for height, tabular in tabulars:
        if made[-1] and height > room:
            made.append([])
            room = tallest
        made[-1].append(tabular)
        room -= height + _LEADING
    return made


def _float(
    table: Table, kind: str, tabulars: Sequence[Sequence[str]], constant: str, place: tuple[int, int]
) -> list[str]:
    """A float with some of the tabulars, its place among all; the last has the note."""
    part, parts = place
    title = table.title.rstrip(".") + (f" ({part} of {parts})" if parts > 1 else "")
    label = f"tab:{table.name}" + (f"-{part}" if part > 1 else "")
    body = [line for k, tabular in enumerate(tabulars) for line in ([r"\par\medskip"] if k else []) + [*tabular]]
    return [
        rf"\begin{{{kind}}}",
        r"\sloppy\centering",
        rf"\caption{{{breakable(f'{title}. {constant}'.strip())}}}\label{{{label}}}",
        rf"\fontsize{{{POINTS:g}}}{{{_LEADING:g}}}\selectfont\setlength{{\tabcolsep}}{{{_BETWEEN / 2:g}pt}}",
        *body,
        *([rf"\par\smallskip\raggedright {breakable(table.note)}"] if table.note and part == parts else []),
        rf"\end{{{kind}}}",
    ]
