"""Where a reply states the parts of an answer: "photo 1: C", rows of tables, lists, JSON, sentences.

A **head** is a field's name and the sign or words that lead to its value; an **entry** is a head with its value. JSON
needs no parser of its own: without quotes and braces (see `tidy`) it reads `photo 1: C, photo 2: F` like anything else.
Names are found in any case, with or without blanks, hyphens and a plural; where all names are one word and a number,
the number alone may open a line ("1 -> C").
"""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from snellen.answer.field_values import OPEN, value_of
from snellen.answer.grids import in_table, one_above_the_other
from snellen.answer.naming import NUMBER_WORDS
from snellen.answer.naming import number as word_number
from snellen.answer.zones import Entry, Fields, Row, Zone, pieces
from snellen.item import Field

_FILL = r"(?:[ _](?:position|answer|location|piece|value|label|direction|orientation|count|total|id)(?![^\W_]))?"
_ASIDE = r"(?: ?\([^()\n]{0,60}\))?"
_SIGN = r" ?&?(?:(?::=?|==?>?|-{1,2}>)(?: ?\n ?| )?|(?<= )- |\| ?)"
_LEADS = r" (?:is|are|was|were|be|to|at|with|from|in|into|faces|facing|towards?|equals?|matches|fits|has|shows) "
_WORDS = rf"(?: (?!(?:and|but|while|whereas|plus)\b)[a-z'/-]+){{0,7}}?{_LEADS}"
_LEAD = re.compile(_LEADS)
_SHORT = 4
"""So many words where a value must stand, and none among them: something else was answered there."""


class _Grammar(NamedTuple):
    """The patterns for one tuple of fields. Names are groups `f0`, `f1`, ...; numbers that stand for them `s0`, ..."""

    name: re.Pattern[str]
    head: re.Pattern[str]
    number: re.Pattern[str] | None
    group: re.Pattern[str] | None
    before: re.Pattern[str]
    beside: re.Pattern[str]
    aside: re.Pattern[str]


_ALSO = {
    **{day[:3]: rf"{day[:3]}(?:{day[3:]})?" for day in ("monday", "tuesday", "wednesday", "thursday", "friday")},
    **{day[:3]: rf"{day[:3]}(?:{day[3:]})?" for day in ("saturday", "sunday")},
    "digits": "digits?|(?:must )?pass(?:es)? through(?: the)?(?: digits?| numbers?| cells?)?",
}
"""What else some parts are called, also in the prompts of the published sets."""


def _name(name: str, plurals: bool) -> str:
    words = pieces(name)
    if name.lower() in _ALSO:
        return f"(?:{_ALSO[name.lower()]})"
    if not words:
        return re.escape(name.lower())
    return r"[ _#:,./()&-]{0,3}".join(_word(word) if plurals else re.escape(word) for word in words)


def _word(piece: str) -> str:
    if len(piece) < 3 or not piece.isalpha():
        return re.escape(piece)
    stem = piece[:-2] if piece.endswith(("ses", "xes", "ches", "shes")) else piece
    stem = stem[:-1] if stem == piece and piece.endswith("s") and not piece.endswith(("ss", "us", "is")) else stem
    return rf"{re.escape(stem)}(?:e?s)?"


def _numbers(fields: Fields) -> tuple[str, list[str]] | None:
    """What the names share and what tells them apart, if they are one word or more and a number or letter each."""
    names = [pieces(field.name) for field in fields]
    shared = {tuple(words[:-1]) for words in names}
    last = [words[-1] for words in names if words]
    if len(fields) < 2 or len(shared) != 1 or len(set(last)) != len(fields) or any(len(piece) > 2 for piece in last):
        return None
    prefix = " ".join(shared.pop())
    return (prefix, last) if prefix else None


@lru_cache(maxsize=512)
def _grammar(fields: Fields) -> _Grammar:
    plurals = len({_name(field.name, plurals=True) for field in fields}) == len(fields)
    names = [_name(field.name, plurals) for field in fields]
    longest_first = sorted(range(len(fields)), key=lambda k: -len(names[k]))
    any_name = rf"(?<![^\W_])(?:{'|'.join(rf'(?P<f{k}>{names[k]})' for k in longest_first)})(?![^\W_])"
    split = _numbers(fields)
    number = None
    if split:
        alone = "|".join(rf"(?P<s{k}>{re.escape(piece)})" for k, piece in enumerate(split[1]))
        number = re.compile(
            rf"(?:^|(?<=[:;,(|\[\n])) ?(?:[-+•] ?)?\(?(?:{alone})(?:{_SIGN}|-(?=[a-z])|[.)] )", re.MULTILINE
        )
    return _Grammar(
        name=re.compile(any_name),
        head=re.compile(
            rf"{any_name}{_FILL}{_ASIDE}"
            rf"(?:(?P<sign>{_SIGN})|(?P<number>, [a-z]+: )|(?P<loose>(?: [a-z'-]+){{1,3}}{_ASIDE} ?[:=] ?)|{_WORDS})"
        ),
        number=number,
        group=_group(names, split),
        before=re.compile(
            rf"(?P<value>(?<![^\W_])[+-]?\d[\d.,']*|\b(?:{NUMBER_WORDS}))(?<!\d[.,]) (?:[a-z-]+ ){{0,2}}?{any_name}"
        ),
        beside=re.compile(rf"{any_name}{_FILL}{_ASIDE} "),
        aside=re.compile(rf"(?P<value>[^\s,;:()\n]+) ?[(\[](?:the |for |for the )?{any_name}[)\]]"),
    )


def _group(names: list[str], split: tuple[str, list[str]] | None) -> re.Pattern[str] | None:
    """All names in their order and then all values: "photos 1 and 2 correspond to positions C and F"."""
    if not 2 <= len(names) <= 12:
        return None
    between = r"(?:,? and |, ?| ?& ?| ?/ ?)(?:the )?"
    said = between.join(names)
    if split:
        prefix = _name(split[0], plurals=True)
        said += rf"|{prefix} " + between.join(rf"(?:{prefix} )?{re.escape(piece)}" for piece in split[1])
    return re.compile(rf"(?<![^\W_])(?:{said})(?![^\W_]){_ASIDE}(?:{_SIGN}|{_WORDS})")


def entries(zone: Zone, fields: Fields) -> list[Entry]:
    """All parts that the zone states, in order."""
    lower = zone.text.lower()
    found = list(_grouped(zone, lower, fields))
    for other in (_total_column, _table, in_table, one_above_the_other):
        found += [entry for entry in list(other(zone, fields)) if _apart(entry, found)]
    found += [entry for entry in _headed(zone, lower, fields) if _apart(entry, found)]
    if zone.marked:
        found += [entry for entry in _beside(zone, lower, fields) if _apart(entry, found)]
        found += [entry for entry in _before(zone, lower, fields) if _apart(entry, found)]
        found += [entry for entry in _explained(zone, lower, fields) if _apart(entry, found)]
    if not found:
        found = list(_backwards(zone, lower, fields))
    return sorted(found, key=lambda entry: entry.start)


def _apart(entry: Entry, others: list[Entry]) -> bool:
    return all(entry.end <= other.start or other.end <= entry.start for other in others)


_SUPPOSED = re.compile(
    r"\b(?:if|whether|unless|suppos(?:e|ing)|assum(?:e|ing)|imagine|maybe|perhaps|possibly|either|e\.g|for example|"
    r"such as|not|never|neither|nor|cannot|could|might|may|would|wrong|incorrect)\b|n't\b"
)
_REACH = 240
_LAST = 200
"""So many names, from the end, are looked at for a value beside them."""


def _asserted(match: re.Match[str]) -> bool:
    """Whether the words that lead to a value are meant: no supposition, no denial, in the same sentence."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    sentence = re.split(r"[.!?;]\s|\n", before)[-1]
    reasoned = re.split(r"\b(?:so|therefore|thus|hence|consequently)\b", sentence)[-1]
    return not _SUPPOSED.search(reasoned + match[0])


def _which(match: re.Match[str]) -> int:
    return next(
        int(group[1:]) for group, text in match.groupdict().items() if group[0] in "fs" and group[1:].isdigit() and text
    )


# Name, sign, value


class _Head(NamedTuple):
    field: int
    start: int
    end: int
    sign: str
    """":" and the like; "|" in a table; empty where words lead to the value."""
    loose: bool
    """Whether it might be no head at all, so that only a value after it counts: a bare number, words before a sign."""


def _heads(zone: Zone, lower: str, fields: Fields) -> list[_Head]:
    grammar = _grammar(fields)
    found: list[_Head] = []
    for match in deque(grammar.head.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        name_end = match.end(f"f{_which(match)}")
        sign = (match["sign"] or match["number"] or match["loose"] or "").strip()[-2:]
        if match["number"] and not _numbers(fields):
            continue
        if not match["sign"] and (grammar.name.search(lower, name_end, match.end()) or not _asserted(match)):
            continue
        found.append(_Head(_which(match), match.start(), match.end(), sign, loose=not match["sign"]))
    if grammar.number:
        for match in deque(grammar.number.finditer(lower, zone.start, zone.end), maxlen=_LAST):
            if all(match.end() <= head.start or head.end <= match.start() for head in found):
                start = match.start(f"s{_which(match)}")
                sign = lower[match.end(f"s{_which(match)}") : match.end()].strip()
                found.append(_Head(_which(match), start, match.end(), sign, loose=True))
    return sorted(found, key=lambda head: head.start)


def _headed(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    heads = _heads(zone, lower, fields)
    ends = [*(head.start for head in heads[1:]), zone.end]
    for head, limit in zip(heads, ends, strict=False):
        field = fields[head.field]
        if field.kind == "text" and not (head.sign and (zone.marked or not head.loose)):
            continue
        end = _segment_end(zone.text, head, limit, field)
        words = zone.text[head.end : end]
        value = _cell(words, field) if head.sign == "|" else value_of(_clause(words), field)
        if not head.sign:
            value, end = _after_words(zone.text, lower, head, end, field)
        if (
            value is None
            and not head.loose
            and _ARTICLE.sub("", words).strip(" |,-\n")
            and len(words.split()) <= _SHORT
        ):
            value = None if words.lower().startswith("not ") else OPEN
        if value is not None:
            yield Entry(head.field, value, head.start, _tight(zone.text, head.end, end, field))


_ARTICLE = re.compile(r"\b(?:the|a|an)\b", re.IGNORECASE)


def _after_words(text: str, lower: str, head: _Head, end: int, field: Field) -> tuple[str | None, int]:
    """The value after the first words that lead to one: "blocks that must be moved are b", "photo 1 was taken at C"."""
    sentence = re.search(r"\.\s|,? (?:and|but) (?:there|it|the|i|we)\b|$", text[head.end : end])
    end = head.end + sentence.start() if sentence else end
    leads = (lead.end() for lead in _LEAD.finditer(lower, head.end - 1, min(end, head.end + 60)))
    values = ((value_of(_clause(text[start:end]), field), end) for start in (head.end, *leads))
    return next((found for found in values if found[0] is not None), (None, end))


def _tight(text: str, start: int, end: int, field: Field) -> int:
    """The end of what was said about a field: not the sentences after it, unless a text may hold them."""
    sentence = None if field.kind == "text" else re.search(r"[.!?]\s", text[start:end])
    return start + sentence.start() + 1 if sentence else end


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


def _clause(words: str) -> str:
    """What leads up to the next name does not belong to the value."""
    return re.sub(r"(?:[\s,|&(\[]+(?:and|while|whereas|the)?)+$", "", words)


def _cell(words: str, field: Field) -> str | None:
    """The value among the cells of a table's row, if one cell holds one."""
    values = [value for cell in words.split("|") if cell.strip() and (value := value_of(cell, field)) is not None]
    if field.kind == "text":
        return values[0] if values else None
    return values[0] if len(set(values)) == 1 else OPEN if values else None


# Other orders


def _grouped(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    pattern = _grammar(fields).group
    for match in pattern.finditer(lower, zone.start, zone.end) if pattern else ():
        line = zone.text.find("\n", match.end(), zone.end)
        end = line if line >= 0 else zone.end
        leads = (
            match.end(),
            *(lead.end() for lead in _LEAD.finditer(lower, match.end() - 1, min(end, match.end() + 60))),
        )
        sentences = (re.split(r"\.(?=\s|$)", zone.text[start:end])[0] for start in leads)
        sentence, values = next(((s, v) for s in sentences if (v := listed(s, fields))), ("", None))
        if values and _asserted(match):
            for k, value in enumerate(values):
                yield Entry(k, value, match.start(), match.end() + len(sentence))


def _total_column(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """A table with a row for each name and a column of totals."""
    name = _grammar(fields).name
    for heading, *rows in zone.tables():
        totals = [k for k, cell in enumerate(heading.cells) if _TOTAL.search(cell.lower())]
        for row in rows if len(totals) == 1 and len(heading.cells) > 2 else ():
            side = name.fullmatch(row.cells[0].strip().lower())
            if side and len(row.cells) == len(heading.cells):
                k = _which(side)
                yield Entry(k, value_of(row.cells[totals[0]], fields[k]) or OPEN, row.start, row.end)


def _table(zone: Zone, fields: Fields) -> Iterator[Entry]:
    """Names in one row of a table, values in the next."""
    name = _grammar(fields).name
    for above, below in (pair for table in zone.tables() for pair in _with_values(table)):
        heads = [name.fullmatch(cell.strip().lower()) for cell in above.cells]
        if len(heads) != len(below.cells) or sum(head is not None for head in heads) < len(fields):
            continue
        for head, cell in zip(heads, below.cells, strict=True):
            if head:
                yield Entry(_which(head), value_of(cell, fields[_which(head)]) or OPEN, above.start, below.end)


_TOTAL = re.compile(r"\b(?:total|totals|sum|overall|all|in all|answer|final)\b")


def _with_values(table: list[Row]) -> list[tuple[Row, Row]]:
    """The heading with the row that holds the values: the total, where there are several."""
    rows = table[1:]
    if len(rows) > 1 and len(table[0].cells) > 1:
        totals = [row for row in rows if row.cells and _TOTAL.search(row.cells[0].lower())]
        if len(totals) == 1:
            return [(table[0], totals[0])]
        if not table[0].cells[0].strip(" -*"):  # rows of something else, and no total: nobody can tell
            return []
    return list(pairwise(table))


_COUNTING = re.compile(r"\d{1,2} ?[:.)]")
"""The number of a step or of a line in a list: "move 1: ..."."""


def _beside(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """Name and value with nothing between them: "blocks b and c"."""
    matches = list(_grammar(fields).beside.finditer(lower, zone.start, zone.end))[-_LAST:]
    limits = [*(match.start() for match in matches[1:]), zone.end]
    for match, limit in zip(matches, limits, strict=False):
        field = fields[_which(match)]
        head = _Head(_which(match), match.start(), match.end(), "", loose=True)
        if _COUNTING.match(zone.text, match.end()):
            continue
        end = _segment_end(zone.text, head, limit, field)
        value = value_of(_clause(zone.text[match.end() : end]), field) if field.kind != "text" else None
        if value is not None and _asserted(match):
            yield Entry(head.field, value, match.start(), _tight(zone.text, match.end(), end, field))


def _before(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """A number and what it counts: "4 chairs and 3 tables"."""
    for match in deque(_grammar(fields).before.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        field = fields[_which(match)]
        value = value_of(match["value"], field) if field.kind == "number" else None
        if value and _asserted(match):
            yield Entry(_which(match), value, match.start(), match.end())


def _explained(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """A value and in brackets what it is for: "4 (armchairs), 5 (pictures)"."""
    for match in deque(_grammar(fields).aside.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        field = fields[_which(match)]
        value = value_of(zone.text[slice(*match.span("value"))], field) if field.kind in ("label", "number") else None
        if value and _asserted(match):
            yield Entry(_which(match), value, match.start(), match.end())


def _backwards(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    """The value first: "piece A -> slot 1", "A goes into slot 1"."""
    leads = re.compile(
        r"(?P<value>[^\n;,]{1,40}?)(?: ?(?:-{1,2}>|=>?|:) ?| - | (?:goes|belongs|fits|fills|corresponds|matches|maps)"
        r"(?: in| into| to| at| with)? | (?:into|in|to|for) )(?:the )?$"
    )
    for match in deque(_grammar(fields).name.finditer(lower, zone.start, zone.end), maxlen=_LAST):
        line = re.split(r"[\n;,]| and ", zone.text[max(zone.start, match.start() - 80) : match.start()])[-1]
        found, field = leads.search(line), fields[_which(match)]
        value = value_of(found["value"], field) if found and field.kind == "label" else None
        if value is not None:
            yield Entry(_which(match), value, match.start() - len(line), match.end())


# Values without names

_BRACKETS = " \t\n()[]{}|.,;:!*-"


def listable(fields: Fields) -> bool:
    """Whether values alone can be told apart: all labels, or all numbers."""
    return {field.kind for field in fields} in ({"label"}, {"number"})


def listed(words: str, fields: Fields) -> list[str] | None:
    """Values in the order of the fields and nothing else: "(C, F)", "C and F respectively"; parts of different kinds
    only with semicolons or a line each."""
    if any(field.kind == "text" for field in fields):
        return _listed_texts(words, fields)
    text = re.sub(r",? ?\(?\brespectively\b\)?", "", words).strip(" \t\n()[]{}|.,;:!*")
    rests = [r"\s*[;|\n]\s*"]
    if listable(fields):
        rests += [r"\s*(?:;|\||\n|,\s|,?\s+and\s|\s&\s|\s/\s)\s*(?:and\s)?", r"\s*[,;/&]\s*(?:and\s)?|\s+and\s+|\s+"]
    for separator in rests:
        parts = _unnumbered([part for part in re.split(separator, text) if part.strip(_BRACKETS)])
        if len(parts) == len(fields):
            values = [value_of(part, field) for part, field in zip(parts, fields, strict=True)]
            if all(values) and all(_in_place(part, k, fields) for k, part in enumerate(parts)):
                return [value for value in values if value]
    return None


def _listed_texts(words: str, fields: Fields) -> list[str] | None:
    """Texts in the order of the fields, in square brackets: "[cat, lamp, pear, spoon]"."""
    inner = re.fullmatch(r"\s*\[([^\[\]\n]+)\][\s.]*", words)
    parts = [part.strip(" '\"`*") for part in inner[1].split(",")] if inner else []
    return parts if len(parts) == len(fields) and all(parts) else None


_ORDINAL = re.compile(r"\s*[(\[]?(\d{1,2}|[a-z])[.)\]:]+\s+(?=\S)")


def _unnumbered(parts: list[str]) -> list[str]:
    """Parts without the numbers of a list: 1., 2., 3. in their order are no values."""
    ordinals = [_ORDINAL.match(part) for part in parts]
    if len(parts) < 2 or not all(ordinals):
        return parts
    marks = [ordinal[1] for ordinal in ordinals if ordinal]
    if marks in ([str(k) for k in range(1, len(marks) + 1)], [chr(96 + k) for k in range(1, len(marks) + 1)]):
        return [part[ordinal.end() :] for part, ordinal in zip(parts, ordinals, strict=True) if ordinal]
    return parts


_BESIDE = """
a about all altogether an and approx approximately are around as at be circa count counted each eur euro euros exactly i
in is it just least m km cm mm kg g s ms h min max minimum maximum usd dollar dollars percent degree degrees unit units
point points piece pieces pc pcs item items thing things object objects of only or roughly see the them there times
total value answer we minus k mn bn mio equals equal ca respectively no number label final first second third fourth
fifth then hundred thousand million billion trillion
"""
_BESIDES = frozenset(_BESIDE.split())
"""Words beside a number that do not say what it counts."""
_ASIDES = re.compile(r"[(\[][^()\[\]]*[)\]]")


def _in_place(part: str, place: int, fields: Fields) -> bool:
    """Whether words beside a value let it stand for the field of its place: none that name another field, nor, beside
    a number, another thing ("5 lamps")."""
    lower, grammar = part.lower(), _grammar(fields)
    number = fields[place].kind == "number"
    said = [lower] if number else _ASIDES.findall(lower)
    if any(_which(match) != place for text in said for match in grammar.name.finditer(text)):
        return False
    rest = grammar.name.sub(" ", lower) if number else ""
    return all(word in _BESIDES or _counts(word) for word in re.findall(r"[^\W\d_]+", rest))


def _counts(word: str) -> bool:
    try:
        return bool(word_number(word))
    except (KeyError, IndexError):
        return False
