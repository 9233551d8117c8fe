"""The names of an answer's parts, and what leads from a name to its value.

Names are found in any case, with or without blanks, hyphens and a plural; where all names are one word and a number,
the number alone may open a line ("1 -> C"). What else parts are called is in the lexicon.
"""

import re
from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from snellen.answer.field_values import either
from snellen.answer.lexicon import table
from snellen.answer.zones import Fields, Zone, pieces

_FILL = rf"(?:[ _]{either('fill')}(?![^\W_]))?"
_ASIDE = r"(?: ?\([^()\n]{0,60}\))?"
_SIGN = r" ?&?(?:(?::=?|==?>?|-{1,2}>)(?: ?\n ?| )?|(?<= )- )"
LEAD = re.compile(rf" {either('lead')} ")
_WORDS = rf"(?: (?!{either('join')}\b)[a-z'/-]+){{0,7}}?{LEAD.pattern}"
_LAST = 200
"""So many names, from the end, are looked at."""
REACH = 240
"""A sentence is looked at as far back as this."""


class Names(NamedTuple):
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
def names_of(fields: Fields) -> Names:
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
    return Names(
        name=re.compile(any_name),
        cell=re.compile(rf"\W*{named}\W*"),
        head=re.compile(rf"{named}(?:(?P<sign>{_SIGN})|(?P<loose>{loose})|(?P<words>{_WORDS}))"),
        beside=re.compile(rf"{named}(?P<beside> )(?!\d{{1,2}} ?[:.)])"),
        number=re.compile(number, re.MULTILINE),
        group=re.compile(rf"(?<![^\W_])(?:{'|'.join(groups) or '(?!)'})(?![^\W_]){_ASIDE}(?:{_SIGN}|{_WORDS})"),
    )


def which(match: re.Match[str]) -> int:
    return next(int(name[1:]) for name, text in match.groupdict().items() if text and name[1:].isdigit())


def find_all(pattern: re.Pattern[str], zone: Zone) -> Iterable[re.Match[str]]:
    return deque(pattern.finditer(zone.lower, zone.start, zone.end), maxlen=_LAST)


SUPPOSED = re.compile(rf"(?<!read )\b{either('supposed')}\b|n't\b")


def is_meant(match: re.Match[str]) -> bool:
    """Whether the words that lead to a value are meant: no supposition, no denial, in the same sentence."""
    before = match.string[max(0, match.start() - REACH) : match.start()]
    sentence = re.split(r"(?<!e\.g)[.!?;]\s|\n", before)[-1]
    reasoned = re.split(r"\b(?:so|therefore|thus|hence|consequently)\b", sentence)[-1]
    return not SUPPOSED.search(reasoned + match[0])
