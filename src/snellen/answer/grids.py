"""Parts that have two names each, "Alden, hotels": a table with rows and columns, or one name above the other's."""

import re
from collections.abc import Iterator
from functools import lru_cache

from snellen.answer.field_values import OPEN, value_of
from snellen.answer.zones import Entry, Fields, Zone, pieces

_Pair = tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=512)
def _pairs(fields: Fields) -> dict[_Pair, int]:
    """Which field two names stand for, in either order; empty where the fields have no two names."""
    found: dict[_Pair, int] = {}
    for k, field in enumerate(fields):
        first, comma, second = field.name.partition(",")
        if not comma or "," in second or field.kind == "text":
            return {}
        one, two = tuple(pieces(first)), tuple(pieces(second))
        found |= {(one, two): k, (two, one): k}
    return found


def in_table(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """A cell of a table whose row and column have a field's two names."""
    pairs = _pairs(fields)
    for heading, *rows in zone.tables() if pairs else ():
        heads = [tuple(pieces(head)) for head in heading.cells]
        for row in rows:
            side = tuple(pieces(row.cells[0]))
            for head, cell in zip(heads[1:], row.cells[1:], strict=False):
                if len(heads) == len(row.cells) and (k := pairs.get((side, head))) is not None:
                    yield Entry(k, value_of(cell, fields[k]) or OPEN, row.start, row.end)


_HEAD = re.compile(r"(?<![^\W_])(?P<name>[^\W_][^\n:;,|=]{0,40}?) ?[:=] ?")


def one_above_the_other(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """ "Alden:" and then "hotels: 10, huts: 11.5", on lines of their own or as JSON within JSON."""
    pairs = _pairs(fields)
    if not pairs:
        return
    names = {name for pair in pairs for name in pair}
    heads = [
        match for match in _HEAD.finditer(zone.text, zone.start, zone.end) if tuple(pieces(match["name"])) in names
    ]
    ends = [*(match.start() for match in heads[1:]), zone.end]
    above: tuple[str, ...] = ()
    for match, limit in zip(heads, ends, strict=False):
        name = tuple(pieces(match["name"]))
        line = zone.text.find("\n", match.end(), limit)
        words = zone.text[match.end() : line if line >= 0 else limit].strip(" ,;[]()|-")
        if not words:
            above = name
        elif (k := pairs.get((above, name))) is not None:
            value = value_of(words, fields[k])
            if value is not None:
                yield Entry(k, value, match.start(), match.end() + len(words))
