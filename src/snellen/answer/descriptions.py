"""Descriptions in JSON, as describers really write them: read leniently, counted, shown.

The reasoner always gets a describer's own words, unchanged. This is for whoever counts and shows descriptions: it says
whether a text is the one JSON object that was asked for, and reads it if it nearly is. These repairs are made and no
others:

- words around the object (a code fence, an opening, a remark) are left aside; a brace that no quoted name and colon
  follow opens no object;
- a comma before a closing bracket is dropped;
- strings may stand in single or typographic quotation marks;
- a quotation mark within a string is part of it unless a comma, a colon or a closing bracket follows, or the text ends;
- line breaks and other control characters within a string stay; a backslash before a character that needs none goes;
- True, False and None are true, false and null;
- where the text breaks off, open strings, lists and objects are closed; an entry that has no value yet, or half a
  number or word at the very end, is left out.

Everything else is malformed: no object at all, nesting deeper than 64, a number too large to be one. Half a character
(a lone surrogate) is replaced wherever it stands. Whatever the text, the time taken grows no faster than its length.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NoReturn

_DEEPEST = 64
_TOO_DEEP = f"nested deeper than {_DEEPEST}"
_OPENS = re.compile(r"\{(?=\s*[\"'“‘])")
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[-+.\w]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_ENDS = {end: re.compile(rf"\\.|{end}(?=\s*(?:[,:\]}}]|\Z))", re.DOTALL) for end in _QUOTES.values()}
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED = {'"': '"', "/": "/", "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_PYTHON: Mapping[str, bool | None] = {"True": True, "False": False, "None": None}


@dataclass(frozen=True, slots=True)
class Description:
    """A describer's text as it is, and the entries read from it: None if it is malformed.

    `problem` says in a few words what is wrong with the text; empty if it is just what was asked for.
    """

    text: str
    fields: Mapping[str, Any] | None
    repaired: bool
    problem: str


@dataclass(frozen=True, slots=True)
class JsonTally:
    """How many descriptions are JSON as it should be, JSON after repair, and none."""

    well_formed: int = 0
    repaired: int = 0
    malformed: int = 0


def read_description(text: str) -> Description:
    """What a description says, entry by entry, if it can be read at all."""
    content = _strictly(text)
    if isinstance(content, dict):
        return _sound(Description(text, content, False, ""))
    if content is not None:
        return Description(text, None, False, "not an object")
    return _sound(_leniently(text))


def tally(texts: Iterable[str]) -> JsonTally:
    """How many of the texts are well-formed, repaired and malformed."""
    descriptions = [read_description(text) for text in texts]
    repaired = sum(description.repaired for description in descriptions)
    malformed = sum(description.fields is None for description in descriptions)
    return JsonTally(len(descriptions) - repaired - malformed, repaired, malformed)


def _strictly(text: str) -> Any:
    """The content of strict JSON; None if it is not (or is null, which says as much)."""
    try:
        return json.loads(text.strip().removeprefix("\ufeff"), parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number too large to be one")
    return number


def _sound(description: Description) -> Description:
    """The description with entries that can be written anywhere: not too deep, no half characters."""
    try:
        return replace(description, fields=None if description.fields is None else _cleaned(description.fields, 0))
    except _Malformed as problem:
        return Description(description.text, None, False, str(problem))


def _cleaned(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _HALF.search(value) else value
        return whole  # two halves of one character have become one
    if not isinstance(value, dict | list):
        return value
    if depth == _DEEPEST:
        raise _Malformed(_TOO_DEEP)
    if isinstance(value, list):
        return [_cleaned(part, depth + 1) for part in value]
    return {_cleaned(name, depth + 1): _cleaned(part, depth + 1) for name, part in value.items()}


class _Malformed(Exception):
    """Beyond repair, and why."""


class _BreaksOff(Exception):
    """The text ends before a value does."""


def _leniently(text: str) -> Description:
    """Read from the first brace that opens an object; each start lies behind where the one before it gave up."""
    opening = _OPENS.search(text)
    while opening:
        reader = _JsonReader(text, opening.start())
        try:
            fields = reader.object(1)
        except (_Malformed, _BreaksOff) as problem:
            if reader.names or isinstance(problem, _BreaksOff):
                return Description(text, None, False, str(problem))
            opening = _OPENS.search(text, reader.at)
        else:
            return _repaired(text, opening.start(), reader, fields)
    return Description(text, None, False, "no JSON object" if text.strip() else "nothing at all")


def _repaired(text: str, start: int, reader: "_JsonReader", fields: dict[str, Any]) -> Description:
    if not fields and reader.broken_off:
        return Description(text, None, False, "it breaks off before its first entry ends")
    around = text[:start].strip() or text[reader.at :].strip()
    repairs = dict.fromkeys((*(["words around the object"] if around else []), *reader.repairs))
    return Description(text, fields, True, "; ".join(repairs) or "not quite JSON")


class _JsonReader:
    """A reader of one object that goes through the text once, from left to right, noting what it repairs."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.names = 0
        self.repairs: list[str] = []
        self.broken_off = False

    def object(self, depth: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}

        def entry() -> None:
            name = self._name()
            fields[name] = self._value(depth)

        self._entries("}", depth, entry)
        return fields

    def _list(self, depth: int) -> list[Any]:
        values: list[Any] = []
        self._entries("]", depth, lambda: values.append(self._value(depth)))
        return values

    def _entries(self, end: str, depth: int, entry: Callable[[], None]) -> None:
        """Entries with commas between them, up to the closing bracket or the end of the text."""
        if depth > _DEEPEST:
            raise _Malformed(_TOO_DEEP)
        self.at += 1
        first = True
        try:
            while self._next() != end:
                if not first:
                    self._take(",")
                    if self._next() == end:
                        self.repairs.append("a comma before a closing bracket")
                        break
                first = False
                entry()
                if self.broken_off:
                    return
            self.at += 1
        except _BreaksOff:
            if not self.names:
                raise
            self._break_off()

    def _name(self) -> str:
        if self._next() not in _QUOTES:
            raise _Malformed(f"a name in quotation marks expected at character {self.at}")
        name = self._string()
        if self.broken_off:
            raise _BreaksOff("it breaks off within a name")
        self._take(":")
        self.names += 1
        return name

    def _value(self, depth: int) -> Any:
        opening = self._next()
        if opening == "{":
            return self.object(depth + 1)
        if opening == "[":
            return self._list(depth + 1)
        return self._string() if opening in _QUOTES else self._bare()

    def _bare(self) -> Any:
        """A number, true, false or null; at the very end of the text it may be half of one, so it does not count."""
        match = _BARE.match(self.text, self.at)
        word = match[0] if match else ""
        if word and self.at + len(word) == len(self.text):
            self.at = len(self.text)
            raise _BreaksOff("it breaks off within a value")
        if word in _PYTHON:
            self.repairs.append("True, False or None as in Python")
        elif word not in _WORDS and not _NUMBER.fullmatch(word):
            raise _Malformed(f"a value expected at character {self.at}")
        self.at += len(word)
        return {**_WORDS, **_PYTHON}[word] if word in _WORDS or word in _PYTHON else _number(word)

    def _string(self) -> str:
        opening = self.text[self.at]
        end = _QUOTES[opening]
        if opening != '"':
            self.repairs.append("other quotation marks")
        start = self.at + 1
        closing = next((m for m in _ENDS[end].finditer(self.text, start) if m[0] == end), None)
        self.at = closing.end() if closing else len(self.text)
        body = self.text[start : closing.start() if closing else self.at]
        if closing is None:
            self._break_off()
        if _CONTROL.search(body):
            self.repairs.append("a line break within a string")
        return self._meant(body, end)

    def _meant(self, body: str, end: str) -> str:
        """The string without its escapes."""
        if end in _ESCAPE.sub("", body):
            self.repairs.append("a quotation mark within a string")
        return _ESCAPE.sub(self._unescaped, body)

    def _unescaped(self, escape: re.Match[str]) -> str:
        if escape[1]:
            return chr(int(escape[1], 16))
        if escape[2] not in _ESCAPED:
            self.repairs.append("a needless backslash")
        return _ESCAPED.get(escape[2], escape[2])

    def _next(self) -> str:
        """The next character that is not space, where the reader then stands."""
        self.at = _end_of_space(self.text, self.at)
        if self.at == len(self.text):
            raise _BreaksOff("it breaks off before its first entry ends")
        return self.text[self.at]

    def _take(self, expected: str) -> None:
        if self._next() != expected:
            raise _Malformed(f"{expected!r} expected at character {self.at}")
        self.at += 1

    def _break_off(self) -> None:
        if not self.broken_off:
            self.broken_off = True
            self.repairs.append("it breaks off")


def _end_of_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _number(word: str) -> int | float:
    try:
        return int(word) if word.lstrip("-").isdecimal() else _finite(word)
    except ValueError:
        raise _Malformed("a number too large to be one") from None
