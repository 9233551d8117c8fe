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
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from string import ascii_lowercase
from typing import NamedTuple, TypeVar

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
    """The patterns for one tuple of fields. Names are groups `f0`, `f1`, ...; the last group says what leads on."""

    name: re.Pattern[str]
    cell: re.Pattern[str]
    head: re.Pattern[str]
    beside: re.Pattern[str]
    number: re.Pattern[str]
    group: re.Pattern[str]


def _name(name: str, plurals: bool = True) -> str:
    words = pieces(name)
    joined = r"[ _#:,./()&-]{0,3}".join(_word(word) if plurals else re.escape(word) for word in words)
    also = table("field_names").get(name.lower())
    return "|".join(sorted([joined or re.escape(name.lower()), *(also.split(" | ") if also else ())], key=len)[::-1])


def _word(piece: str) -> str:
    stem = re.sub(r"(?<=[sx])es$|(?<=[cs]h)es$|(?<![sui])s$", "", piece)
    return rf"{stem}(?:e?s)?" if len(piece) > 2 and piece.isalpha() else re.escape(piece)


def _numbered(fields: Fields) -> tuple[str, list[str]]:
    """What the names share and what tells them apart, if they are one word or more and a number or letter each."""
    names = [pieces(field.name) for field in fields]
    shared = {" ".join(words[:-1]) for words in names}
    last = [piece for words in names for piece in words[-1:] if len(piece) <= 2]
    is_numbered = len(shared) == 1 and len(fields) == len(set(last)) > 1
    return (shared.pop(), last) if is_numbered and shared != {""} else ("", [])


def _any_of(names: list[str]) -> str:
    longest_first = sorted(range(len(names)), key=lambda k: -len(names[k]))
    return "|".join(rf"(?P<f{k}>{names[k]})" for k in longest_first) or "(?!)"


@lru_cache(maxsize=512)
def _names_of(fields: Fields) -> _Names:
    plurals = len({_name(field.name) for field in fields}) == len(fields)
    names = [_name(field.name, plurals) for field in fields]
    prefix, last = _numbered(fields)
    between = r"(?:,? and |, ?| ?& ?| ?/ ?)(?:the )?"
    groups = [between.join(f"(?:{name})" for name in names)] if 2 <= len(fields) <= 12 else []
    if groups and last:
        groups.append(f"{_name(prefix)} " + between.join(rf"(?:{_name(prefix)} )?{piece}" for piece in last))
    any_name = rf"(?<![^\W_])(?:{_any_of(names)})(?![^\W_])"
    named = rf"{any_name}{_FILL}{_ASIDE}"
    loose = rf"{', [a-z]+: |' if last else ''}(?: [a-z'-]+){{1,5}}{_ASIDE} ?[:=] ?"
    number = rf"(?:^|(?<=[:;,(\[\n])) ?(?:[-+•] ?)?\(?(?:{_any_of(last)})(?P<number>{_SIGN}|-(?=[a-z])|[.)] )"
    return _Names(
        name=re.compile(any_name),
        cell=re.compile(rf"\W*{named}\W*"),
        head=re.compile(rf"{named}(?:(?P<sign>{_SIGN})|(?P<loose>{loose})|(?P<words>{_WORDS}))"),
        beside=re.compile(rf"{named}(?P<beside> )(?!\d{{1,2}} ?[:.)])"),
        number=re.compile(number, re.MULTILINE),
        group=re.compile(rf"(?<![^\W_])(?:{'|'.join(groups) or '(?!)'})(?![^\W_]){_ASIDE}(?:{_SIGN}|{_WORDS})"),
    )


def _which(match: re.Match[str]) -> int:
    return next(int(name[1:]) for name, text in match.groupdict().items() if text and name[1:].isdigit())


def _all(pattern: re.Pattern[str], zone: Zone) -> Iterable[re.Match[str]]:
    return deque(pattern.finditer(zone.lower, zone.start, zone.end), maxlen=_LAST)


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
    names = _names_of(fields)
    found: list[Entry] = []
    layouts = [_groups(zone, fields), _tables(zone, fields), _nested(zone, fields)]
    heads = list(_heads(zone, names.head, names))
    heads += _apart(_heads(zone, names.number, names), heads)
    layouts.append(_name_first(zone, fields, sorted(heads, key=lambda head: head.start)))
    if zone.marked:
        layouts.append(_name_first(zone, fields, list(_heads(zone, names.beside, names))))
    for layout in layouts:
        found += _apart(layout, found)
    if zone.marked or not found:
        found += _apart(_value_first(zone, fields), found)
    return sorted(found, key=lambda entry: entry.start)


def _apart(new: "Iterable[_Place]", known: "Sequence[_Place]") -> "list[_Place]":
    return [one for one in new if all(one.end <= other.start or other.end <= one.start for other in known)]


# Name first


class _Head(NamedTuple):
    """A field's name and what leads to its value: a sign, words and a sign (loose), words, a number that stands for
    the name, or nothing (beside)."""

    field: int
    start: int
    end: int
    lead: str


_Place = TypeVar("_Place", Entry, _Head)


def _heads(zone: Zone, pattern: re.Pattern[str], names: _Names) -> Iterator[_Head]:
    for match in _all(pattern, zone):
        k, lead = _which(match), match.lastgroup or ""
        other = names.name.search(zone.lower, match.end(f"f{k}"), match.end())
        if lead in ("sign", "number") or (_is_meant(match) and not other):
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
        told = re.split(r"[.!?]\s|(?<!:)\n", zone.lower[max(0, head.start - _REACH) : head.start])[-1]
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
            said = clause if field.kind == "text" else re.split(r"(?<=[.!?])\s", clause)[0]
            yield Entry(head.field, value, head.start, head.end + len(said))


def _value(words: str, field: Field) -> str | None:
    return value_of(_NEXT_NAME.sub("", words), field)


def _led_to(words: str, zone: Zone, start: int) -> Iterator[str]:
    """What may be a value after words: all of it, or what follows the next words that lead to one, "blocks that must
    be moved are b", "photo 1 was taken at C"."""
    yield words
    for lead in _LEAD.finditer(zone.lower, start - 1, start + min(len(words), 60)):
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

_NUMBER_FIRST = re.compile(
    rf"(?P<value>(?<![^\W_])[+-]?\d[\d.,']*|\b(?:{NUMBER_WORDS}))(?<!\d[.,])"
    r"(?: (?:[a-z-]+ ){0,2}| ?[(\[](?:for )?(?:the )?)$"
)
_LABEL_FIRST = re.compile(
    rf"(?P<value>[^\n;,(]{{1,40}}?)(?: ?(?:-{{1,2}}>|=>?|:) ?| - | ?[(\[](?:for )?| {either('goes')}"
    r"(?: in| into| to| at| with)? | (?:into|in|to|for) )(?:the )?$"
)


def _value_first(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """A number and what it counts; a label and where it belongs."""
    patterns = {"label": _LABEL_FIRST, "number": _NUMBER_FIRST} if zone.marked else {"label": _LABEL_FIRST}
    for match in _all(_names_of(fields).name, zone):
        field = fields[_which(match)]
        line = re.split(r"[\n;]|,(?!\d)| and ", zone.text[max(zone.start, match.start() - 80) : match.start()])[-1]
        found = patterns[field.kind].search(line.lower()) if field.kind in patterns else None
        value = value_of(line[slice(*found.span("value"))], field) if found else None
        if found and value and _is_meant(match):
            yield Entry(_which(match), value, match.start() - len(line) + found.start(), match.end())


# Groups, tables, nested names


def _groups(zone: Zone, fields: Fields) -> Iterator[Entry]:
    for match in _all(_names_of(fields).group, zone):
        line = zone.text[match.end() : zone.end].partition("\n")[0]
        sentences = (re.split(r"\.(?=\s|$)", words)[0] for words in _led_to(line, zone, match.end()))
        sentence, values = next(((s, v) for s in sentences if (v := listed(s, fields))), ("", []))
        for k, value in enumerate(values if _is_meant(match) else ()):
            yield Entry(k, value, match.start(), match.end() + len(sentence))


_TOTAL = re.compile(rf"\b{either('total')}\b")


def _tables(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """Tables with a row for each name; those with a column for each are turned round first."""
    names = _names_of(fields)
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
            yield from _row(row, total if len(row.cells) == len(rows[0].cells) else None, fields)


def _row(row: Row, total: int | None, fields: Fields) -> Iterator[Entry]:
    """A name, or the number that stands for it, and its value in the cells after it, or in that of the total."""
    names = _names_of(fields)
    values: dict[int, list[str]] = {}
    k = -1
    for place, cell in enumerate(row.cells):
        number = names.number.fullmatch(f"{cell.strip()}: ".lower()) if place == 0 else None
        if head := number or names.cell.fullmatch(cell.lower()):
            k = _which(head)
        elif k >= 0 and total in (None, place) and cell.strip() and (value := value_of(cell, fields[k])) is not None:
            values.setdefault(k, []).append(value)
    for k, found in values.items():
        value = found[0] if len(set(found)) == 1 or fields[k].kind == "text" else OPEN
        yield Entry(k, value, row.start, row.end)


def _paired(rows: list[Row], fields: Fields) -> Iterator[Entry]:
    """Cells whose row and column have the two halves of a name: "Alden, hotels"."""
    known = {tuple(pieces(field.name)): k for k, field in enumerate(fields)}
    tops = [tuple(pieces(cell)) for cell in rows[0].cells]
    for row in (row for row in rows[1:] if len(row.cells) == len(tops)):
        side = tuple(pieces(row.cells[0]))
        for top, cell in zip(tops[1:], row.cells[1:], strict=True):
            k = known.get(side + top, known.get(top + side)) if side and top else None
            if k is not None:
                yield Entry(k, value_of(cell, fields[k]) or OPEN, row.start, row.end)


_HEADING = re.compile(r"(?<![^\W_])(?P<name>[^\W_][^\n:;,|=]{0,40}?) ?[:=] ?")


def _nested(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """One half of a name above the others: "Alden:" and then "hotels: 10, huts: 11.5", on lines or as JSON."""
    known = {tuple(tuple(pieces(half)) for half in field.name.split(",")): k for k, field in enumerate(fields)}
    halves = {half for name in known if len(name) == 2 for half in name}
    matches = _HEADING.finditer(zone.text, zone.start, zone.end) if halves else ()
    heads = [match for match in matches if tuple(pieces(match["name"])) in halves]
    above: tuple[str, ...] = ()
    for head, limit in zip(heads, [*(head.start() for head in heads[1:]), zone.end], strict=False):
        name = tuple(pieces(head["name"]))
        words = zone.text[head.end() : limit].partition("\n")[0].strip(" ,;[]()|-")
        k = known.get((above, name), known.get((name, above)))
        if not words:
            above = name
        elif k is not None and (value := value_of(words, fields[k])):
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
    count, marks = len(parts), [match[1] for match in ordinals]
    if count < 2 or marks not in ([str(k) for k in range(1, count + 1)], list(ascii_lowercase[:count])):
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
