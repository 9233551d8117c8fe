"""Parts of an answer in other orders than name, sign, value: all names and then all values, rows and columns of tables,
the value before or right beside its name.
"""

import re
from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from snellen.answer.field_values import OPEN, value_of
from snellen.answer.heads import LAST, LEAD, Head, asserted_here, clause_of, grammar_of, segment_end, tight, which
from snellen.answer.listing import listed
from snellen.answer.zones import Entry, Fields, Row, Zone


def grouped(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    pattern = grammar_of(fields).group
    for match in pattern.finditer(lower, zone.start, zone.end) if pattern else ():
        line = zone.text.find("\n", match.end(), zone.end)
        end = line if line >= 0 else zone.end
        leads = (
            match.end(),
            *(lead.end() for lead in LEAD.finditer(lower, match.end() - 1, min(end, match.end() + 60))),
        )
        sentences = (re.split(r"\.(?=\s|$)", zone.text[start:end])[0] for start in leads)
        sentence, values = next(((s, v) for s in sentences if (v := listed(s, fields))), ("", None))
        if values and asserted_here(match):
            for k, value in enumerate(values):
                yield Entry(k, value, match.start(), match.end() + len(sentence))


def total_column(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """A table with a row for each name and a column of totals."""
    name = grammar_of(fields).name
    for heading, *rows in zone.tables():
        totals = [k for k, cell in enumerate(heading.cells) if _TOTAL.search(cell.lower())]
        for row in rows if len(totals) == 1 and len(heading.cells) > 2 else ():
            side = name.fullmatch(row.cells[0].strip().lower())
            if side and len(row.cells) == len(heading.cells):
                k = which(side)
                yield Entry(k, value_of(row.cells[totals[0]], fields[k]) or OPEN, row.start, row.end)


def table(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """Names in one row of a table, values in the next."""
    name = grammar_of(fields).name
    for above, below in (pair for table in zone.tables() for pair in _with_values(table, name)):
        heads = [name.fullmatch(cell.strip().lower()) for cell in above.cells]
        if len(heads) != len(below.cells) or sum(head is not None for head in heads) < len(fields):
            continue
        for head, cell in zip(heads, below.cells, strict=True):
            if head:
                yield Entry(which(head), value_of(cell, fields[which(head)]) or OPEN, above.start, below.end)


_TOTAL = re.compile(r"\b(?:total|totals|sum|overall|all|in all|answer|final|unique|distinct|combined)\b")


def _with_values(table: list[Row], name: re.Pattern[str]) -> list[tuple[Row, Row]]:
    """The heading with the row that holds the values: the total, where there are several."""
    rows = table[1:]
    if len(rows) > 1 and len(table[0].cells) > 1:
        totals = [row for row in rows if row.cells and _TOTAL.search(row.cells[0].lower())]
        if len(totals) == 1:
            return [(table[0], totals[0])]
        if not name.fullmatch(table[0].cells[0].strip(" -*").lower()):
            return []  # rows of something else, and no total: nobody can tell
    return list(pairwise(table))


_COUNTING = re.compile(r"\d{1,2} ?[:.)]")
"""The number of a step or of a line in a list: "move 1: ..."."""


def beside(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """Name and value with nothing between them: "blocks b and c"."""
    matches = list(grammar_of(fields).beside.finditer(lower, zone.start, zone.end))[-LAST:]
    limits = [*(match.start() for match in matches[1:]), zone.end]
    for match, limit in zip(matches, limits, strict=False):
        field = fields[which(match)]
        head = Head(which(match), match.start(), match.end(), "", loose=True)
        if _COUNTING.match(zone.text, match.end()):
            continue
        end = segment_end(zone.text, head, limit, field)
        value = value_of(clause_of(zone.text[match.end() : end]), field) if field.kind != "text" else None
        if value is not None and asserted_here(match):
            yield Entry(head.field, value, match.start(), tight(zone.text, match.end(), end, field))


def before(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """A number and what it counts: "4 chairs and 3 tables"."""
    for match in deque(grammar_of(fields).before.finditer(lower, zone.start, zone.end), maxlen=LAST):
        field = fields[which(match)]
        value = value_of(match["value"], field) if field.kind == "number" else None
        if value and asserted_here(match):
            yield Entry(which(match), value, match.start(), match.end())


def explained(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """A value and in brackets what it is for: "4 (armchairs), 5 (pictures)"."""
    for match in deque(grammar_of(fields).aside.finditer(lower, zone.start, zone.end), maxlen=LAST):
        field = fields[which(match)]
        value = value_of(zone.text[slice(*match.span("value"))], field) if field.kind in ("label", "number") else None
        if value and asserted_here(match):
            yield Entry(which(match), value, match.start(), match.end())


def backwards(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """The value first: "piece A -> slot 1", "A goes into slot 1"."""
    leads = re.compile(
        r"(?P<value>[^\n;,]{1,40}?)(?: ?(?:-{1,2}>|=>?|:) ?| - | (?:goes|belongs|fits|fills|corresponds|matches|maps)"
        r"(?: in| into| to| at| with)? | (?:into|in|to|for) )(?:the )?$"
    )
    for match in deque(grammar_of(fields).name.finditer(lower, zone.start, zone.end), maxlen=LAST):
        line = re.split(r"[\n;,]| and ", zone.text[max(zone.start, match.start() - 80) : match.start()])[-1]
        found, field = leads.search(line), fields[which(match)]
        value = value_of(found["value"], field) if found and field.kind == "label" else None
        if value is not None:
            yield Entry(which(match), value, match.start() - len(line), match.end())
