"""Values without names, in the order of the fields: "(C, F)", "12 and 3", "[cat, lamp, pear, spoon]"."""

import re

from snellen.answer.field_values import value_of
from snellen.answer.heads import grammar_of, which
from snellen.answer.naming import number as word_number
from snellen.answer.zones import Fields

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
    if _TWO_SENTENCES.search(text):
        return None
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


_TWO_SENTENCES = re.compile(r"[a-z]{2}[.!?] +[A-Z]")


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
    lower, grammar = part.lower(), grammar_of(fields)
    number = fields[place].kind == "number"
    said = [lower] if number else _ASIDES.findall(lower)
    if any(which(match) != place for text in said for match in grammar.name.finditer(text)):
        return False
    rest = grammar.name.sub(" ", lower) if number else ""
    return all(word in _BESIDES or _counts(word) for word in re.findall(r"[^\W\d_]+", rest))


def _counts(word: str) -> bool:
    try:
        return bool(word_number(word))
    except (KeyError, IndexError):
        return False
