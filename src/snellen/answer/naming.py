"""Labels and numbers become single private characters, so that one grammar reads every form of answer.

A **name** is such a character. Three strengths: a `SURE` name is plainly the label ("X", "black", "42"); a `WEAK`
one is a one-letter label in the other case, which might be the article "a" or part of a formula and counts only
where an answer must stand; a `LONE` one (a zero for the letter O) counts only as the whole answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from snellen.answer.tidy import FIRST_NAME, Tidy, core, plain_letters, undressed
from snellen.item import Form

_SURE, _WEAK, _LONE = ord(FIRST_NAME), 0x100000, 0x108000
SURE = "[\U000f0000-\U000ffffd]"
WEAK = "[\U00100000-\U00107fff]"
ANY = "[\U000f0000-\U0010ffef]"
ASKED = "\U0010fff0"
"""Stands for the word that names what is asked for, where it is not simply the winner or the loser."""


@dataclass(frozen=True, slots=True)
class Named:
    """A tidy text in lower case with names in it, and what they stand for."""

    tidy: Tidy
    answers: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.tidy.text

    def answer(self, name: str) -> str:
        return self.answers[(ord(name) - _SURE) & 0x7FFF if ord(name) >= _WEAK else ord(name) - _SURE]


@dataclass(frozen=True, slots=True)
class _Labels:
    pattern: re.Pattern[str] | None
    names: dict[str, str]


# An upper-case A or I is a label only where the next word shows that it is no article and no pronoun.
_NO_WORD = r"(?=\s*(?:[^\w\s']|$)|\n|\s(?:wins|won|loses|is|has|because|since|and|or|vs|with|by|who|which|not|does|rather|under)\b)"
_START, _END = r"(?<!\w)(?<!\w[-'])", r"(?!\w)(?!['-]\w)(?!\.\d)"


@lru_cache(maxsize=4096)
def _labels(labels: tuple[str, ...], asked: str) -> _Labels:
    """How to find these labels. Spellings that two labels share are left out: nobody could tell them apart."""
    spellings: dict[str, set[str]] = {}
    patterns: set[str] = set()
    for index, label in enumerate(labels):
        for spelling, name in _spellings(_bare(label), index, labels):
            spellings.setdefault(spelling, set()).add(name)
            patterns.add(_pattern(spelling))
    if asked and asked not in ("winner", "loser"):
        spellings.setdefault(_bare(asked).lower(), set()).add(ASKED)
        patterns.add(_pattern(_bare(asked).lower()))
    names = {spelling: found.pop() for spelling, found in spellings.items() if len(found) == 1}
    if not names:
        return _Labels(None, {})
    longest_first = "|".join(sorted(patterns, key=lambda p: (-len(p), p)))
    return _Labels(re.compile(f"{_START}(?:{longest_first}){_END}"), names)


def _bare(label: str) -> str:
    """A label as it would stand in a tidy text."""
    text = undressed(plain_letters(Tidy(label))).text
    start, end = core(text)
    return " ".join(text[start:end].split())


def _spellings(label: str, index: int, labels: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    sure, weak, lone = (chr(base + index) for base in (_SURE, _WEAK, _LONE))
    if len(label) != 1 or label.upper() == label.lower():
        return [(label.lower(), sure)] if any(char.isalnum() for char in label) else []
    both = label.lower() in labels and label.upper() in labels
    cases = [(label, sure)] if both else [(label.upper(), sure), (label.lower(), weak)]
    return [*cases, ("0", lone)] if label in "Oo" and "0" not in labels else cases


def _pattern(spelling: str) -> str:
    if spelling in ("A", "I"):
        return spelling + _NO_WORD
    words = r"\s".join(re.escape(word) for word in spelling.split(" "))
    return words if len(spelling) == 1 else f"(?i:{words})"


_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_UNITS += "seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: n for n, word in enumerate(_UNITS)}
_WORDS |= {ten: 10 * n for n, ten in enumerate(_TENS, 2)}
_WORDS |= {f"{ten}-{unit}": 10 * n + k for n, ten in enumerate(_TENS, 2) for k, unit in enumerate(_UNITS[:10]) if k}
_NUMBER = re.compile(
    r"(?<![\w.,/^~])(?<!\w[-'/])(?<!\d:)(?<!\d - )"
    r"(?:[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,40})(?:\.0{1,9})?(?![.,:]?\d)(?![\w^%/°~])(?!['-]\w)"
    rf"|(?i:(?:minus )?(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(_UNITS)}))(?![\w'-]))"
)


def number(words: str) -> str:
    """A whole number as plain digits: no separators, no leading zeros."""
    text = words.lower()
    if text[-1].isalpha():
        sign = "-" if text.startswith("minus ") else ""
        digits = str(_WORDS[text.removeprefix("minus ").replace(" ", "-")])
    else:
        sign = "-" if text[0] == "-" else ""
        digits = text.partition(".")[0].lstrip("+-").replace(",", "").replace("'", "").lstrip("0")
    return sign + digits if digits.strip("0") else "0"


def named(tidy: Tidy, form: Form) -> Named:
    """The tidy text with the form's labels, or all whole numbers, as names."""
    if form.kind == "number":
        return _with_numbers(tidy)
    labels = _labels(form.labels, form.asked)
    if labels.pattern is not None:
        names = labels.names

        def name(match: re.Match[str]) -> str:
            found = match[0]
            return names.get(found) or names.get(" ".join(found.lower().split()), found)

        tidy = tidy.rewritten(labels.pattern, name)
    return Named(_lower(tidy), form.labels)


def _with_numbers(tidy: Tidy) -> Named:
    seen: dict[str, int] = {}

    def name(match: re.Match[str]) -> str:
        return chr(_SURE + seen.setdefault(number(match[0]), len(seen)))

    tidy = tidy.rewritten(_NUMBER, name)
    return Named(_lower(tidy), tuple(seen))


def _lower(tidy: Tidy) -> Tidy:
    return Tidy(tidy.text.lower(), tidy.offset, tidy.layers)
