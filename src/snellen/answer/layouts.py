"""Where a reply states the parts of an answer: each layout yields **entries**, a field with its value and place.

    name first     "photo 1: C", "the window is to the north", "blocks b and c"
    value first    "4 chairs", "4 (chairs)", "piece A -> slot 1"
    groups         "photos 1 and 2 correspond to C and F"
    tables         a row or a column for each name, or a name at the side and one on top
    nested         "Alden:" and below it "hotels: 10"
    listed         values alone in the order of the fields, "(C, F)"

Names are found in any case, with or without blanks, hyphens and a plural; where all names are one word and a number,
the number alone may open a line ("1 -> C"). What else parts are called is in the lexicon.
"""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from snellen.answer.field_values import OPEN, either, value_of, words_of
from snellen.answer.lexicon import table
from snellen.answer.naming import NUMBER_WORDS
from snellen.answer.naming import number as word_number
from snellen.answer.zones import Entry, Fields, Row, Zone, pieces
from snellen.item import Field

_FILL = rf"(?:[ _]{either('fill')}(?![^\W_]))?"
_ASIDE = r"(?: ?\([^()\n]{0,60}\))?"
_SIGN = r" ?&?(?:(?::=?|==?>?|-{1,2}>)(?: ?\n ?| )?|(?<= )- )"
_LEAD = re.compile(rf" {either('lead')} ")
_WORDS = rf"(?: (?!{either('join')}\b)[a-z'/-]+){{0,7}}?{_LEAD.pattern}"
_SHORT = 4
"""So many words where a value must stand, and none among them: something else was answered there."""
_LAST = 200
"""So many names, from the end, are looked at."""
_REACH = 240
"""A sentence is looked at as far back as this."""


# Names


class _Names(NamedTuple):
    """The patterns for one tuple of fields. Names are groups `f0`, `f1`, ..., numbers that stand for them as well."""

    name: re.Pattern[str]
    cell: re.Pattern[str]
    head: re.Pattern[str]
    beside: re.Pattern[str]
    number: re.Pattern[str] | None
    group: re.Pattern[str] | None


def _name(name: str, plurals: bool = True) -> str:
    words = pieces(name)
    joined = r"[ _#:,./()&-]{0,3}".join(_word(word) if plurals else re.escape(word) for word in words)
    also = table("field_names").get(name.lower())
    return "|".join(sorted([joined or re.escape(name.lower()), *(also.split(" | ") if also else ())], key=len)[::-1])


def _word(piece: str) -> str:
    if len(piece) < 3 or not piece.isalpha():
        return re.escape(piece)
    stem = piece[:-2] if piece.endswith(("ses", "xes", "ches", "shes")) else piece
    stem = stem[:-1] if stem == piece and piece.endswith("s") and not piece.endswith(("ss", "us", "is")) else stem
    return rf"{re.escape(stem)}(?:e?s)?"


def _numbered(fields: Fields) -> tuple[str, list[str]] | None:
    """What the names share and what tells them apart, if they are one word or more and a number or letter each."""
    names = [pieces(field.name) for field in fields]
    shared = {" ".join(words[:-1]) for words in names}
    last = [words[-1] for words in names if words]
    distinct = len(fields) > 1 and len(shared) == 1 and len(set(last)) == len(fields)
    prefix = shared.pop()
    return (prefix, last) if distinct and prefix and all(len(piece) <= 2 for piece in last) else None


def _grouped(names: list[str]) -> str:
    longest_first = sorted(range(len(names)), key=lambda k: -len(names[k]))
    return "|".join(rf"(?P<f{k}>{names[k]})" for k in longest_first)


@lru_cache(maxsize=512)
def _names_of(fields: Fields) -> _Names:
    plurals = len({_name(field.name) for field in fields}) == len(fields)
    names = [_name(field.name, plurals) for field in fields]
    any_name = rf"(?<![^\W_])(?:{_grouped(names)})(?![^\W_])"
    numbered = _numbered(fields)
    number = group = None
    between = r"(?:,? and |, ?| ?& ?| ?/ ?)(?:the )?"
    groups = [between.join(f"(?:{name})" for name in names)]
    if numbered:
        prefix, last = numbered
        number = rf"(?:^|(?<=[:;,(\[\n])) ?(?:[-+•] ?)?\(?(?:{_grouped(last)})(?:{_SIGN}|-(?=[a-z])|[.)] )"
        groups.append(f"{_name(prefix)} " + between.join(rf"(?:{_name(prefix)} )?{piece}" for piece in last))
    if 2 <= len(fields) <= 12:
        group = rf"(?<![^\W_])(?:{'|'.join(groups)})(?![^\W_]){_ASIDE}(?:{_SIGN}|{_WORDS})"
    item = r"|(?P<item>, [a-z]+: )" if numbered else ""
    loose = rf"(?P<loose>(?: [a-z'-]+){{1,5}}{_ASIDE} ?[:=] ?)"
    return _Names(
        name=re.compile(any_name),
        cell=re.compile(rf"\W*(?:{any_name}{_FILL}{_ASIDE})\W*"),
        head=re.compile(rf"{any_name}{_FILL}{_ASIDE}(?:(?P<sign>{_SIGN}){item}|{loose}|{_WORDS})"),
        beside=re.compile(rf"{any_name}{_FILL}{_ASIDE} (?!\d{{1,2}} ?[:.)])"),
        number=re.compile(number, re.MULTILINE) if number else None,
        group=re.compile(group) if group else None,
    )


def _which(match: re.Match[str]) -> int:
    return next(int(name[1:]) for name, text in match.groupdict().items() if text and name[1:].isdigit())


_SUPPOSED = re.compile(rf"(?<!read )\b{either('supposed')}\b|n't\b")


def _is_meant(match: re.Match[str]) -> bool:
    """Whether the words that lead to a value are meant: no supposition, no denial, in the same sentence."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    sentence = re.split(r"[.!?;]\s|\n", before)[-1]
    reasoned = re.split(r"\b(?:so|therefore|thus|hence|consequently)\b", sentence)[-1]
    return not _SUPPOSED.search(reasoned + match[0])


# All layouts


def entries(zone: Zone, fields: Fields) -> list[Entry]:
    """All parts that the zone states, in order. Of two that overlap, the layout that comes first counts."""
    lower, names = zone.text.lower(), _names_of(fields)
    found: list[Entry] = []

    def add(more: Iterator[Entry]) -> None:
        found.extend([e for e in more if all(e.end <= other.start or other.end <= e.start for other in found)])

    add(_groups(zone, lower, fields, names))
    add(_tables(zone, fields, names))
    add(_nested(zone, fields))
    add(_name_first(zone, lower, fields, _heads(zone, lower, names)))
    if zone.marked:
        matches = deque(names.beside.finditer(lower, zone.start, zone.end), maxlen=_LAST)
        beside = [
            _Head(_which(match), match.start(), match.end(), " ", sure=False) for match in matches if _is_meant(match)
        ]
        add(_name_first(zone, lower, fields, beside))
    if zone.marked or not found:
        add(_value_first(zone, lower, fields, names))
    return sorted(found, key=lambda entry: entry.start)


# Name first


class _Head(NamedTuple):
    """A field's name and what leads to its value. `sign`: ":" and the like; empty where words lead to it. `sure`: no
    mere number, no words before the sign: where no value follows, something else was answered."""

    field: int
    start: int
    end: int
    sign: str
    sure: bool


def _heads(zone: Zone, lower: str, names: _Names) -> list[_Head]:
    found: list[_Head] = []
    for match in deque(names.head.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        k, sure = _which(match), bool(match["sign"])
        if sure or (_is_meant(match) and not names.name.search(lower, match.end(f"f{k}"), match.end())):
            found.append(
                _Head(k, match.start(), match.end(), match[0].strip()[-1:] if _SIGNED.search(match[0]) else "", sure)
            )
    for match in deque(names.number.finditer(lower, zone.start, zone.end), maxlen=_LAST) if names.number else ():
        k = _which(match)
        if all(match.end() <= head.start or head.end <= match.start() for head in found):
            found.append(_Head(k, match.start(f"f{k}"), match.end(), ":", sure=False))
    return sorted(found, key=lambda head: head.start)


_SIGNED = re.compile(r"[:=>-]\s*$")
_OF_EXAMPLE = re.compile(rf"\b{either('example')}\b")
_STANDS = re.compile(r"(?:in|on|at) the (?:north|east|south|west)(?![a-z]* ?facing)")
""" "The fridge stands in the north" says where it is, not which way it faces."""
_HENCE = re.compile(r"[,;:.] (?:so|therefore|thus|hence)(?: it is| it's| it must be| this is| that is)?,? ")
_ARTICLE = re.compile(r"\b(?:the|a|an)\b", re.IGNORECASE)
_NEXT_NAME = re.compile(r"(?:[\s,|&(\[]+(?:and|while|whereas|the)?)+$")
"""What leads up to the next name does not belong to the value."""


def _name_first(zone: Zone, lower: str, fields: Fields, heads: list[_Head]) -> Iterator[Entry]:
    for head, limit in zip(heads, [*(head.start for head in heads[1:]), zone.end], strict=False):
        field = fields[head.field]
        told = re.split(r"[.!?]\s|(?<!:)\n", lower[max(0, head.start - _REACH) : head.start])[-1]
        if zone.start == 0 and _OF_EXAMPLE.search(told):
            continue
        if field.kind == "text" and not (head.sign.strip() and (zone.marked or head.sure)):
            continue
        end = _segment_end(zone.text, head, limit, field)
        words = zone.text[head.end : end]
        if head.sign:
            value = _value(words, field)
        elif _STANDS.match(words.lower()):
            continue
        else:
            value, end = _after_words(zone.text, lower, head, end, field)
        if value is None and field.kind == "label":  # "the pond is on the left, so B"
            *reasons, last = _HENCE.split(words)
            value = _value(last, field) if reasons else None
        said = _ARTICLE.sub("", words).strip(" |,-\n")
        if (
            value is None
            and head.sure
            and said
            and len(words.split()) <= _SHORT
            and not words.lower().startswith("not ")
        ):
            value = OPEN
        if value is not None:
            sentence = None if field.kind == "text" else re.search(r"[.!?]\s", zone.text[head.end : end])
            yield Entry(head.field, value, head.start, head.end + sentence.start() + 1 if sentence else end)


def _value(words: str, field: Field) -> str | None:
    return value_of(_NEXT_NAME.sub("", words), field)


def _after_words(text: str, lower: str, head: _Head, end: int, field: Field) -> tuple[str | None, int]:
    """The value after the first words that lead to one: "blocks that must be moved are b", "photo 1 was taken at C"."""
    sentence = re.search(r"\.\s|,? (?:and|but) (?:there|it|the|i|we)\b|$", text[head.end : end])
    end = head.end + sentence.start() if sentence else end
    leads = (lead.end() for lead in _LEAD.finditer(lower, head.end - 1, min(end, head.end + 60)))
    values = (_value(text[start:end], field) for start in (head.end, *leads))
    return next((value for value in values if value is not None), None), end


def _segment_end(text: str, head: _Head, limit: int, field: Field) -> int:
    """Where the words for a value end: with the line, a semicolon or the next head; a set may go on in a list."""
    ends = [at for sign in ("\n" if field.kind == "set" else "\n;") if (at := text.find(sign, head.end, limit)) >= 0]
    end = min(ends, default=limit)
    while field.kind == "set" and end < limit and text[end] == "\n":
        after = text.find("\n", end + 1, limit)
        after = limit if after < 0 else after
        if not re.match(r"\n ?[-+•\w]", text[end:after]) or not value_of(text[end:after], field):
            break
        end = after
    return end


# Value first

_NUMBER_FIRST = re.compile(
    rf"(?P<value>(?<![^\W_])[+-]?\d[\d.,']*|\b(?:{NUMBER_WORDS}))(?<!\d[.,])(?: (?:[a-z-]+ ){{0,2}}| ?[(\[](?:for )?(?:the )?)$"
)
_LABEL_FIRST = re.compile(
    rf"(?P<value>[^\n;,(]{{1,40}}?)(?: ?(?:-{{1,2}}>|=>?|:) ?| - | ?[(\[](?:for )?| {either('goes')}"
    r"(?: in| into| to| at| with)? | (?:into|in|to|for) )(?:the )?$"
)


def _value_first(zone: Zone, lower: str, fields: Fields, names: _Names) -> Iterator[Entry]:
    """A number and what it counts; a label and where it belongs."""
    for match in deque(names.name.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        field = fields[_which(match)]
        line = re.split(r"[\n;]|,(?!\d)| and ", zone.text[max(zone.start, match.start() - 80) : match.start()])[-1]
        pattern = {"label": _LABEL_FIRST, "number": _NUMBER_FIRST if zone.marked else None}.get(field.kind)
        found = pattern.search(line.lower()) if pattern else None
        value = value_of(line[slice(*found.span("value"))], field) if found else None
        if found and value and _is_meant(match):
            yield Entry(_which(match), value, match.start() - len(line) + found.start(), match.end())


# Groups and tables


def _groups(zone: Zone, lower: str, fields: Fields, names: _Names) -> Iterator[Entry]:
    for match in names.group.finditer(lower, zone.start, zone.end) if names.group else ():
        line = zone.text.find("\n", match.end(), zone.end)
        end = line if line >= 0 else zone.end
        leads = (lead.end() for lead in _LEAD.finditer(lower, match.end() - 1, min(end, match.end() + 60)))
        sentences = (re.split(r"\.(?=\s|$)", zone.text[start:end])[0] for start in (match.end(), *leads))
        sentence, values = next(((s, v) for s in sentences if (v := listed(s, fields))), ("", []))
        for k, value in enumerate(values if _is_meant(match) else ()):
            yield Entry(k, value, match.start(), match.end() + len(sentence))


_TOTAL = re.compile(rf"\b{either('total')}\b")


def _tables(zone: Zone, fields: Fields, names: _Names) -> Iterator[Entry]:
    for rows in zone.tables():
        heading = rows[0]
        totals = [k for k, cell in enumerate(heading.cells) if _TOTAL.search(cell.lower())]
        total = totals[0] if len(totals) == 1 and len(heading.cells) > 2 else None
        columns = [names.name.fullmatch(cell.strip(" -*").lower()) for cell in heading.cells]
        for row in rows:
            yield from _paired(row, heading, fields)
            yield from _row(row, total if len(row.cells) == len(heading.cells) else None, fields, names)
        if sum(head is not None for head in columns) >= len(fields):
            below = _row_of_values(rows)
            for head, cell in zip(columns, below.cells, strict=False) if below else ():
                if head and len(columns) == len(below.cells):
                    yield Entry(_which(head), value_of(cell, fields[_which(head)]) or OPEN, heading.start, below.end)


def _paired(row: Row, heading: Row, fields: Fields) -> Iterator[Entry]:
    """Cells whose row and column have the two halves of a name: "Alden, hotels"."""
    known = {tuple(pieces(field.name)): k for k, field in enumerate(fields)}
    side = tuple(pieces(row.cells[0]))
    for head, cell in list(zip(heading.cells, row.cells, strict=False))[1:]:
        top = tuple(pieces(head))
        k = known.get(side + top, known.get(top + side)) if side and top and row is not heading else None
        if k is not None and len(heading.cells) == len(row.cells):
            yield Entry(k, value_of(cell, fields[k]) or OPEN, row.start, row.end)


def _row(row: Row, total: int | None, fields: Fields, names: _Names) -> Iterator[Entry]:
    """A name, or the number that stands for it, and its value in the cells after it, or in that of the total."""
    values: dict[int, list[str]] = {}
    current = None
    for k, cell in enumerate(row.cells):
        number = names.number.fullmatch(f"{cell.strip()}: ".lower()) if names.number and k == 0 else None
        if head := number or names.cell.fullmatch(cell.lower()):
            current = _which(head)
            values[current] = []
        elif current is not None and total in (None, k) and cell.strip():
            value = value_of(cell, fields[current])
            values[current] += [] if value is None else [value]
    for k, found in values.items():
        if found:
            value = found[0] if len(set(found)) == 1 or fields[k].kind == "text" else OPEN
            yield Entry(k, value, row.start, row.end)


def _row_of_values(rows: list[Row]) -> Row | None:
    """The row below a heading of names that holds the values: the total, where there are several."""
    values = rows[1:] if len(rows) == 2 else [row for row in rows[1:] if _TOTAL.search(row.cells[0].lower())]
    return values[0] if len(values) == 1 else None


_HEADING = re.compile(r"(?<![^\W_])(?P<name>[^\W_][^\n:;,|=]{0,40}?) ?[:=] ?")


def _nested(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """One half of a name above the others: "Alden:" and then "hotels: 10, huts: 11.5", on lines or as JSON."""
    known = {tuple(pieces(field.name)): k for k, field in enumerate(fields) if "," in field.name}
    halves = {words[:k] for words in known for k in range(len(words))} | {
        words[k:] for words in known for k in range(1, len(words))
    }
    heads = (
        [m for m in _HEADING.finditer(zone.text, zone.start, zone.end) if tuple(pieces(m["name"])) in halves]
        if known
        else []
    )
    above: tuple[str, ...] = ()
    for head, limit in zip(heads, [*(head.start() for head in heads[1:]), zone.end], strict=False):
        name = tuple(pieces(head["name"]))
        words = zone.text[head.end() : limit].partition("\n")[0].strip(" ,;[]()|-")
        if not words:
            above = name
        elif (k := known.get(above + name, known.get(name + above))) is not None and (
            value := value_of(words, fields[k])
        ):
            yield Entry(k, value, head.start(), head.end() + len(words))


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
    marks = "".join(match[1] for match in ordinals)
    if len(parts) < 2 or len(ordinals) < len(parts) or not ("123456789abcdefgh".find(marks) in (0, 9)):
        return parts
    return [part[match.end() :] for part, match in zip(parts, ordinals, strict=True)]


def _in_place(part: str, place: int, fields: Fields) -> bool:
    """Whether words beside a value let it stand for the field of its place: none that name another field, nor, beside
    a number, another thing ("5 lamps")."""
    lower, name = part.lower(), _names_of(fields).name
    number = fields[place].kind == "number"
    said = [lower] if number else re.findall(r"[(\[][^()\[\]]*[)\]]", lower)
    if any(_which(match) != place for text in said for match in name.finditer(text)):
        return False
    rest = re.findall(r"[^\W\d_]+", name.sub(" ", lower)) if number else []
    return all(word in words_of("beside") or _is_number(word) for word in rest)


def _is_number(word: str) -> bool:
    try:
        return bool(word_number(word))
    except (KeyError, IndexError):
        return False
