"""Where a reply states the parts of an answer: each layout yields **entries**, a field with its value and place.

name first     "photo 1: C", "the window is to the north", "blocks b and c"
value first    "4 chairs", "4 (chairs)", "piece A -> slot 1"
groups         "photos 1 and 2 correspond to C and F"
tables         a row or a column for each name, or a name at the side and one on top
nested         "Alden:" and below it "hotels: 10"
listed         values alone in the order of the fields, "(C, F)"
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from string import ascii_lowercase
from typing import NamedTuple, TypeVar

from snellen.answer.field_names import LEAD, REACH, SUPPOSED, Names, find_all, is_meant, names_of, which
from snellen.answer.field_values import OPEN, either, is_number_word, value_of, words_of
from snellen.answer.naming import NUMBER_WORDS
from snellen.answer.zones import Entry, Fields, Row, Zone
from snellen.item import Field

_SHORT = 4
"""So many words where a value must stand, and none among them: something else was answered there."""


# All layouts


def entries(zone: Zone, fields: Fields) -> list[Entry]:
    """All parts that the zone states, in order. Of two that overlap, the layout that comes first counts."""
    names = names_of(fields)
    named_values: list[Entry] = []
    layouts = [_groups(zone, fields), _tables(zone, fields), _nested(zone, fields)]
    heads = list(_heads(zone, names.head, names))
    heads += _apart(_heads(zone, names.number, names), heads)
    layouts.append(_name_first(zone, fields, sorted(heads, key=lambda head: head.start)))
    if zone.marked:
        layouts.append(_name_first(zone, fields, list(_heads(zone, names.beside, names))))
        layouts.append(_value_first(zone, fields, _BEFORE_NAME))
    for layout in layouts:
        named_values += _apart(layout, named_values)
    named_values = named_values or list(_value_first(zone, fields, _LEADS_TO_NAME))
    return sorted(named_values, key=lambda entry: entry.start)


def _apart(new: "Iterable[_Place]", taken: "Sequence[_Place]") -> "list[_Place]":
    return [place for place in new if all(place.end <= other.start or other.end <= place.start for other in taken)]


# Name first


class _Head(NamedTuple):
    """A field's name and what leads to its value: a sign, words and a sign (loose), words, a number that stands for
    the name, or nothing (beside)."""

    field: int
    start: int
    end: int
    lead: str


_Place = TypeVar("_Place", Entry, _Head)


def _heads(zone: Zone, pattern: re.Pattern[str], names: Names) -> Iterator[_Head]:
    for match in find_all(pattern, zone):
        k, lead = which(match), match.lastgroup or ""
        other = names.name.search(zone.lower, match.end(f"f{k}"), match.end())
        if lead in ("sign", "number") or (is_meant(match) and not other):
            yield _Head(k, match.start(f"f{k}"), match.end(), lead)


_OF_EXAMPLE = re.compile(rf"\b{either('example')}\b")
_STANDS = re.compile(r"(?:in|on|at) the (?:north|east|south|west)(?![a-z]* ?facing)")
""" "The fridge stands in the north" says where it is, not which way it faces."""
_HENCE = re.compile(r"[,;:.] (?:so|therefore|thus|hence)(?: it is| it's| it must be| this is| that is)?,? ")
_CLAUSE = re.compile(r"\.\s|,? (?:and|but) (?:there|it|the|i|we)\b")
_ARTICLE = re.compile(r"\b(?:the|a|an)\b", re.IGNORECASE)
_NEXT_NAME = re.compile(r"(?:[\s,|&(\[]+(?:and|while|whereas|the)?)+$")
"""What leads up to the next name does not belong to the value."""


def _name_first(zone: Zone, fields: Fields, heads: list[_Head]) -> Iterator[Entry]:
    for head, limit in zip(heads, [*(head.start for head in heads[1:]), zone.end], strict=False):
        field = fields[head.field]
        told = re.split(r"(?<!e\.g)[.!?]\s|(?<!:)\n", zone.lower[max(0, head.start - REACH) : head.start])[-1]
        words = _extent(zone.text[head.end : limit], field)
        wordy = head.lead == "words"
        if (zone.start == 0 and _OF_EXAMPLE.search(told)) or (wordy and _STANDS.match(words.lower())):
            continue
        if field.kind == "text" and head.lead not in (("sign", "loose", "number") if zone.marked else ("sign",)):
            continue
        clause = _CLAUSE.split(words)[0] if wordy else words
        values = (_value(part, field) for part in (_led_to(clause, zone, head.end) if wordy else (clause,)))
        value = next((value for value in values if value is not None), None)
        if value is None and field.kind == "label":  # "the pond is on the left, so B"
            *reasons, last = _HENCE.split(words)
            value = _value(last, field) if reasons else None
        if value is None and head.lead == "sign" and _is_other(words):
            value = OPEN
        if value is not None:
            extent = clause if field.kind == "text" else re.split(r"(?<=[.!?])\s", clause)[0]
            yield Entry(head.field, value, head.start, head.end + len(extent))


def _value(words: str, field: Field) -> str | None:
    return value_of(_NEXT_NAME.sub("", words), field)


def _led_to(words: str, zone: Zone, start: int) -> Iterator[str]:
    """What may be a value after words: all of it, or what follows the next words that lead to one, "blocks that must
    be moved are b", "photo 1 was taken at C"."""
    yield words
    for lead in LEAD.finditer(zone.lower, start - 1, start + min(len(words), 60)):
        if not SUPPOSED.search(zone.lower, start, lead.end()):
            yield words[lead.end() - start :]


def _is_other(words: str) -> bool:
    """Whether something else was answered where a value must stand."""
    few = len(words.split()) <= _SHORT and not words.lower().startswith("not ")
    return few and bool(_ARTICLE.sub("", words).strip(" |,-\n"))


def _extent(words: str, field: Field) -> str:
    """The words that may hold a value: to the end of the line or a semicolon; a set may go on in a list."""
    if field.kind != "set":
        return re.split("[\n;]", words, maxsplit=1)[0]
    first, *lines = words.split("\n")
    more = takewhile(lambda line: re.match(r" ?[-+•\w]", line) and value_of(line, field), lines)
    return "\n".join((first, *more))


# Value first

_IN_BRACKETS = r" ?[(\[](?:for )?(?:the )?$"
_QUANTITY = rf"(?P<value>(?<![^\W_])[+-]?\d[\d.,']{{0,30}}|\b(?:{NUMBER_WORDS}))(?<!\d[.,])"
_BEFORE_NAME: Mapping[str, re.Pattern[str]] = {
    "number": re.compile(rf"{_QUANTITY}(?: (?:[a-z-]+ ){{0,2}}$|{_IN_BRACKETS})"),
    "label": re.compile(rf"(?<![^\s,;:()\[\]])(?P<value>[^\s,;:()\[\]]{{1,40}}){_IN_BRACKETS}"),
}
_LEADS_TO_NAME: Mapping[str, re.Pattern[str]] = {
    "label": re.compile(
        rf"\A(?P<value>[^\n;:.,(]{{1,40}}?)(?: ?(?:-{{1,2}}>|=>?|:) ?| - | {either('goes')}"
        r"(?: in| into| to| at| with)? | (?:into|in|to|for) )(?:the )?$"
    )
}


def _value_first(zone: Zone, fields: Fields, before: Mapping[str, re.Pattern[str]]) -> Iterator[Entry]:
    """A number and what it counts; a label and where it belongs. `before`: what stands before a name, by kind."""
    after = zone.start
    for match in find_all(names_of(fields).name, zone):
        field = fields[which(match)]
        stretch, after = zone.text[max(after, match.start() - 80) : match.start()], match.end()
        line = re.split(r"[\n;]|,(?!\d)|[.!?]\s| and ", zone.text[max(zone.start, match.start() - 80) : match.start()])[
            -1
        ]
        ending = before[field.kind].search(line.lower()) if field.kind in before else None
        value = value_of(line[slice(*ending.span("value"))], field) if ending else None
        if ending and value and is_meant(match):
            end = match.end() + zone.text.startswith((")", "]"), match.end())
            value = OPEN if _leaves_open(stretch, value, field) else value
            yield Entry(which(match), value, match.start() - len(line) + ending.start(), end)


_JOINED = re.compile(r",|/|&|\b(?:and|or)\b")


def _leaves_open(stretch: str, value: str, field: Field) -> bool:
    """Whether what stands between the name before and this one gives a choice, or a second label: "E and F for"."""
    others = (value_of(part.split()[-1], field) for part in _JOINED.split(stretch)[:-1] if part.strip())
    second = field.kind == "label" and any(other not in (None, value) for other in others)
    return second or bool(re.search(r"\bor\b", stretch))


# Groups, tables, nested names


def _groups(zone: Zone, fields: Fields) -> Iterator[Entry]:
    for match in find_all(names_of(fields).group, zone):
        line = zone.text[match.end() : zone.end].partition("\n")[0]
        sentences = (re.split(r"\.(?=\s|$)", words)[0] for words in _led_to(line, zone, match.end()))
        sentence, values = next(((s, v) for s in sentences if (v := listed(s, fields))), ("", []))
        for k, value in enumerate(values if is_meant(match) else ()):
            yield Entry(k, value, match.start(), match.end() + len(sentence))


_TOTAL = re.compile(rf"\b{either('total')}\b")


def _tables(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """Tables with a row for each name; those with a column for each are turned round first."""
    names = names_of(fields)
    for rows in zone.tables():
        yield from _paired(rows, fields)
        columns = sum(names.name.fullmatch(cell.strip(" -*").lower()) is not None for cell in rows[0].cells)
        turned = columns >= len(fields) and len({len(row.cells) for row in rows}) == 1
        if turned:
            cells = zip(*(row.cells for row in rows), strict=True)
            rows = [Row(list(column), rows[0].start, rows[-1].end) for column in cells]
        totals = [k for k, cell in enumerate(rows[0].cells) if _TOTAL.search(cell.lower())]
        total = totals[0] if len(totals) == 1 and len(rows[0].cells) > 2 else None
        if turned and total is None and len(rows[0].cells) > 2:
            continue  # rows of something else, and no total: nobody can tell
        for row in rows:
            yield from _row(
                row, total if len(row.cells) == len(rows[0].cells) else None, fields, turned or total is not None
            )


def _row(row: Row, total: int | None, fields: Fields, wanted: bool) -> Iterator[Entry]:
    """A name, or the number that stands for it, and its value in the cells after it, or in that of the total. `wanted`:
    what stands there must be one."""
    names = names_of(fields)
    values: dict[int, list[str]] = {}
    k = -1
    for place, cell in enumerate(row.cells):
        number = names.number.fullmatch(f"{cell.strip()}: ".lower()) if place == 0 else None
        if head := number or names.cell.fullmatch(cell.lower()):
            k = which(head)
        elif k >= 0 and total in (None, place) and cell.strip():
            value = value_of(cell, fields[k])
            values.setdefault(k, []).extend([] if value is None and not wanted else [value or OPEN])
    for k, values_here in values.items():
        several = len(set(values_here)) > 1 and fields[k].kind != "text"
        if values_here:
            yield Entry(k, OPEN if several else values_here[0], row.start, row.end)


def _paired(rows: list[Row], fields: Fields) -> Iterator[Entry]:
    """Cells whose row and column have the two halves of a name: "Alden, hotels"."""
    tops = rows[0].cells
    for row in (row for row in rows[1:] if len(row.cells) == len(tops)):
        for top, cell in zip(tops[1:], row.cells[1:], strict=True):
            if name := _joined(row.cells[0], top, fields):
                yield Entry(which(name), value_of(cell, fields[which(name)]) or OPEN, row.start, row.end)


def _joined(left: str, right: str, fields: Fields) -> re.Match[str] | None:
    """The name of which these are the halves, in either order."""
    left, right, name = left.strip().lower(), right.strip().lower(), names_of(fields).name
    return name.fullmatch(f"{left} {right}") or name.fullmatch(f"{right} {left}") if left and right else None


_HEADING = re.compile(r"(?<![^\W_])(?P<name>[^\W_][^\n:;,|=]{0,40}?) ?[:=] ?")


def _nested(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """One half of a name above the others: "Alden:" and then "hotels: 10, huts: 11.5", on lines or as JSON."""
    of_two = all("," in field.name for field in fields)
    heads = list(_HEADING.finditer(zone.text, zone.start, zone.end)) if of_two else []
    above = ""
    for head, limit in zip(heads, [*(head.start() for head in heads[1:]), zone.end], strict=False):
        words = zone.text[head.end() : limit].partition("\n")[0].strip(" ,;[]()|-")
        name = _joined(above, head["name"], fields)
        if not words:
            above = head["name"]
        elif name and (value := value_of(words, fields[which(name)])):
            yield Entry(which(name), value, head.start(), head.end() + len(words))


# Values alone

_BRACKETS = " \t\n()[]{}|.,;:!*-"
_TWO_SENTENCES = re.compile(r"[a-z]{2}[.!?] +[A-Z]")
_ORDINAL = re.compile(r"\s*[(\[]?(\d{1,2}|[a-z])[.)\]:]+\s+(?=\S)")


def listed(words: str, fields: Fields) -> list[str] | None:
    """Values in the order of the fields and nothing else: "(C, F)", "C and F respectively"; parts of different kinds
    only with semicolons or a line each, texts only in square brackets."""
    if any(field.kind == "text" for field in fields):
        inner = re.fullmatch(r"\s*\[([^\[\]\n]+)\][\s.]*", words)
        texts = [part.strip(" '\"`*") for part in inner[1].split(",")] if inner else []
        return texts if len(texts) == len(fields) and all(texts) else None
    text = re.sub(r",? ?\(?\brespectively\b\)?", "", words).strip(" \t\n()[]{}|.,;:!*")
    separators = [r"\s*[;|\n]\s*"]
    if {field.kind for field in fields} in ({"label"}, {"number"}):
        separators += [
            r"\s*(?:;|\||\n|,\s|,?\s+and\s|\s&\s|\s/\s)\s*(?:and\s)?",
            r"\s*[,;/&]\s*(?:and\s)?|\s+and\s+|\s+",
        ]
    for separator in separators if not _TWO_SENTENCES.search(text) else ():
        parts = _unnumbered([part for part in re.split(separator, text) if part.strip(_BRACKETS)])
        if len(parts) == len(fields):
            values = [value_of(part, field) for part, field in zip(parts, fields, strict=True)]
            if all(values) and all(_in_place(part, k, fields) for k, part in enumerate(parts)):
                return [value for value in values if value]
    return None


def _unnumbered(parts: list[str]) -> list[str]:
    """Parts without the numbers of a list: 1., 2., 3. in their order are no values."""
    ordinals = [match for part in parts if (match := _ORDINAL.match(part))]
    count, marks = len(parts), [match[1] for match in ordinals]
    if count < 2 or marks not in ([str(k) for k in range(1, count + 1)], list(ascii_lowercase[:count])):
        return parts
    return [part[match.end() :] for part, match in zip(parts, ordinals, strict=True)]


_PREDICATE = re.compile(r"^[^\w\n]{0,9}[\w-]{1,20} (?:are|is|have|has|must|needs?|each)\b")


def _in_place(part: str, place: int, fields: Fields) -> bool:
    """Whether words beside a value let it stand for the field of its place: none that name another field, nor, beside
    a number, another thing ("5 lamps"), nor a verb of which the values are the subject ("A, B, C are left over")."""
    lower, name = part.lower(), names_of(fields).name
    if fields[place].kind == "label" and _PREDICATE.search(lower):
        return False
    number = fields[place].kind == "number"
    values = [lower] if number else re.findall(r"[(\[][^()\[\]]*[)\]]", lower)
    if any(which(match) != place for text in values for match in name.finditer(text)):
        return False
    rest = re.findall(r"[^\W\d_]+", name.sub(" ", lower)) if number else []
    return all(word in words_of("beside") or is_number_word(word) for word in rest)
