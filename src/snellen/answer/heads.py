"""Names of fields and the sign or words that lead from them to a value: "photo 1: C", "the window is to the north".

Names are found in any case, with or without blanks, hyphens and a plural; where all names are one word and a number,
the number alone may open a line ("1 -> C").
"""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from snellen.answer.field_values import OPEN, value_of
from snellen.answer.naming import NUMBER_WORDS
from snellen.answer.zones import Entry, Fields, Zone, pieces
from snellen.item import Field

_FILL = r"(?:[ _](?:position|answer|location|piece|value|label|direction|orientation|count|total|id)(?![^\W_]))?"
_ASIDE = r"(?: ?\([^()\n]{0,60}\))?"
_SIGN = r" ?&?(?:(?::=?|==?>?|-{1,2}>)(?: ?\n ?| )?|(?<= )- |\| ?)"
_LEADS = r" (?:is|are|was|were|be|to|at|with|from|in|into|faces?|facing|towards?|equals?|matches|fits|has|shows) "
_WORDS = rf"(?: (?!(?:and|but|while|whereas|plus)\b)[a-z'/-]+){{0,7}}?{_LEADS}"
LEAD = re.compile(_LEADS)
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
    "digits": "digits?|(?:must )?pass(?:es)? through(?: the)?(?: digits?| numbers?| cells?)?|"
    "(?:path|route) (?:goes|runs|leads|visits|crosses)(?: through| over| via| past)?",
}
"""What else some parts are called, also in the prompts of the published sets."""


_NTH = {"1": "first|1st", "2": "second|2nd", "3": "third|3rd", "4": "fourth|4th"}


def _name(name: str, plurals: bool) -> str:
    words = pieces(name)
    if name.lower() in _ALSO:
        return f"(?:{_ALSO[name.lower()]})"
    if not words:
        return re.escape(name.lower())
    if len(words) == 2 and words[0] == "photo" and words[1] in _NTH:
        return rf"(?:photo[ _#:,./()&-]{{0,3}}{words[1]}|(?:{_NTH[words[1]]}) (?:photo|picture|image))"
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
def grammar_of(fields: Fields) -> _Grammar:
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
            rf"(?:(?P<sign>{_SIGN})|(?P<number>, [a-z]+: )|(?P<loose>(?: [a-z'-]+){{1,5}}{_ASIDE} ?[:=] ?)|{_WORDS})"
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


_SUPPOSED = re.compile(
    r"\b(?:if|whether|unless|suppos(?:e|ing)|assum(?:e|ing)|imagine|maybe|perhaps|possibly|either|e\.g|for example|"
    r"such as|not|never|neither|nor|cannot|could|might|may|would|wrong|incorrect|(?<!read )off|outside|at least|"
    r"at most|so far)\b|n't\b"
)
_REACH = 240
LAST = 200
"""So many names, from the end, are looked at for a value beside them."""


def asserted_here(match: re.Match[str]) -> bool:
    """Whether the words that lead to a value are meant: no supposition, no denial, in the same sentence."""
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    sentence = re.split(r"[.!?;]\s|\n", before)[-1]
    reasoned = re.split(r"\b(?:so|therefore|thus|hence|consequently)\b", sentence)[-1]
    return not _SUPPOSED.search(reasoned + match[0])


def which(match: re.Match[str]) -> int:
    return next(
        int(group[1:]) for group, text in match.groupdict().items() if group[0] in "fs" and group[1:].isdigit() and text
    )


# Name, sign, value


class Head(NamedTuple):
    field: int
    start: int
    end: int
    sign: str
    """":" and the like; "|" in a table; empty where words lead to the value."""
    loose: bool
    """Whether it might be no head at all, so that only a value after it counts: a bare number, words before a sign."""


def _heads(zone: Zone, lower: str, fields: Fields) -> list[Head]:
    grammar = grammar_of(fields)
    found: list[Head] = []
    for match in deque(grammar.head.finditer(lower, zone.start, zone.end), maxlen=LAST):
        name_end = match.end(f"f{which(match)}")
        sign = (match["sign"] or match["number"] or match["loose"] or "").strip()[-2:]
        if match["number"] and not _numbers(fields):
            continue
        if not match["sign"] and (grammar.name.search(lower, name_end, match.end()) or not asserted_here(match)):
            continue
        found.append(Head(which(match), match.start(), match.end(), sign, loose=not match["sign"]))
    if grammar.number:
        for match in deque(grammar.number.finditer(lower, zone.start, zone.end), maxlen=LAST):
            if all(match.end() <= head.start or head.end <= match.start() for head in found):
                start = match.start(f"s{which(match)}")
                sign = lower[match.end(f"s{which(match)}") : match.end()].strip()
                found.append(Head(which(match), start, match.end(), sign, loose=True))
    return sorted(found, key=lambda head: head.start)


_OF_EXAMPLE = re.compile(r"\b(?:example|sample|template|for instance|e\.g)\b")


def _of_example(lower: str, start: int) -> bool:
    """Whether the sentence speaks of the example that the task gave."""
    sentence = re.split(r"[.!?]\s|(?<!:)\n", lower[max(0, start - _REACH) : start])[-1]
    return bool(_OF_EXAMPLE.search(sentence))


def headed(zone: Zone, lower: str, fields: Fields) -> Iterator[Entry]:
    heads = _heads(zone, lower, fields)
    ends = [*(head.start for head in heads[1:]), zone.end]
    for head, limit in zip(heads, ends, strict=False):
        field = fields[head.field]
        if zone.start == 0 and _of_example(lower, head.start):
            continue
        if field.kind == "text" and not (head.sign and (zone.marked or not head.loose)):
            continue
        end = segment_end(zone.text, head, limit, field)
        words = zone.text[head.end : end]
        value = _cell(words, field) if head.sign == "|" else value_of(clause_of(words), field)
        if not head.sign and _STANDS.match(words.lower()):
            continue
        if not head.sign:
            value, end = _after_words(zone.text, lower, head, end, field)
        if value is None and field.kind == "label":
            value = _drawn(words, field)
        if (
            value is None
            and not head.loose
            and _ARTICLE.sub("", words).strip(" |,-\n")
            and len(words.split()) <= _SHORT
        ):
            value = None if words.lower().startswith("not ") else OPEN
        if value is not None:
            yield Entry(head.field, value, head.start, tight(zone.text, head.end, end, field))


_STANDS = re.compile(r"(?:in|on|at) the (?:north|east|south|west)(?![a-z]* ?facing)")
""" "The fridge stands in the north" says where it is, not which way it faces."""
_HENCE = re.compile(r"[,;:.] (?:so|therefore|thus|hence)(?: it is| it's| it must be| this is| that is)?,? ")


def _drawn(words: str, field: Field) -> str | None:
    """The value that a line of reasoning comes to: "the pond is on the left, so B"."""
    *_, last = _HENCE.split(words)
    return value_of(clause_of(last), field) if len(last) < len(words) else None


_ARTICLE = re.compile(r"\b(?:the|a|an)\b", re.IGNORECASE)


def _after_words(text: str, lower: str, head: Head, end: int, field: Field) -> tuple[str | None, int]:
    """The value after the first words that lead to one: "blocks that must be moved are b", "photo 1 was taken at C"."""
    sentence = re.search(r"\.\s|,? (?:and|but) (?:there|it|the|i|we)\b|$", text[head.end : end])
    end = head.end + sentence.start() if sentence else end
    leads = (lead.end() for lead in LEAD.finditer(lower, head.end - 1, min(end, head.end + 60)))
    values = ((value_of(clause_of(text[start:end]), field), end) for start in (head.end, *leads))
    return next((found for found in values if found[0] is not None), (None, end))


def tight(text: str, start: int, end: int, field: Field) -> int:
    """The end of what was said about a field: not the sentences after it, unless a text may hold them."""
    sentence = None if field.kind == "text" else re.search(r"[.!?]\s", text[start:end])
    return start + sentence.start() + 1 if sentence else end


def segment_end(text: str, head: Head, limit: int, field: Field) -> int:
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


def clause_of(words: str) -> str:
    """What leads up to the next name does not belong to the value."""
    return re.sub(r"(?:[\s,|&(\[]+(?:and|while|whereas|the)?)+$", "", words)


def _cell(words: str, field: Field) -> str | None:
    """The value among the cells of a table's row, if one cell holds one."""
    values = [value for cell in words.split("|") if cell.strip() and (value := value_of(cell, field)) is not None]
    if field.kind == "text":
        return values[0] if values else None
    return values[0] if len(set(values)) == 1 else OPEN if values else None
