"""Labels and numbers become single private characters, so that one grammar reads every form of answer.

A **name** is such a character. Three strengths: a `SURE` name is plainly the label ("X", "black", "42"); a `WEAK`
one is a one-letter label in the other case, which might be the article "a" or part of a formula and counts only
where an answer must stand; a `LONE` one (a zero for the letter O) counts only as the whole answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from snellen.answer.chart_words import also_called, everyday
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
    """How to find labels. `letters`: all are single characters, so that naming them moves nothing."""

    pattern: re.Pattern[str] | None
    names: dict[str, str]
    letters: bool = False


# An upper-case A or I is a label only where the next word shows that it is no article and no pronoun.
_NO_WORD = (
    r"(?=\s*(?:[^\w\s']|$)|\n|\s(?:wins|won|loses|is|has|because|since|and|or|vs|with|by|who|which|not|does|rather|"
    r"under)\b)"
)
_NO_ARTICLE = r"|(?= (?:lost|loses?|owns|owned|gets|got|remains|fits|must|matches|describes|takes|it)\b)"
_END = r"(?!\w)(?!['-]\w)(?!\.\d)"
_NO_DETERMINER = (  # "no parking", "no one", "no way to tell": a word before a noun, not an answer
    r"(?=\s*(?:[^\w\s']|$)|\n|\s(?:because|since|as|it|there|they|the|this|that|these|those|he|she|i|we|is|was|and|or|"
    r"but|for|not|would|must|seems|looks|wins|won|loses|lost)\b)"
)
_THING = (  # "there is no triangle" is a no; "there is no way to tell" is none
    r" (?!(?:way|image|picture|photo|doubt|question|clear|idea|information|reason|sign|point|one|single|means|evidence|"
    r"indication|need|other|such|more|answer|telling|definite|obvious|visible|easy|winner)\b)[a-z]"
)
_ORDINAL_IDIOMS = (
    r"\bat (?:first|second)\b(?: (?:sight|glance|look))?|\bfirst of all\b|(?:^|(?<=[.!?] )|(?<=\n))(?:first|second),|"
    r"\b(?:my|the|a|on|at) (?:first|second) (?:guess|thought|look|glance|sight|impression|step|try|idea|attempt|"
    r"thing)s?\b|\bfor a second\b"
)
_SIDE_IDIOMS = (
    r"\b(?:all|that's|that is) right\b|\bright (?:away|now|after|before)\b|"
    r"(?:^|(?<=[.!?] )|(?<=\n))right(?:,|[.!] (?=\w))|"
    r"\bright (?=(?:answer|choice|option|one|solution|response)s? (?:is|are|was|would|must|should|:))|"
    r"\b(?:what|there|that)(?:'s| is) left\b|\b(?:are|be|rights?|nothing|none|any|only|one|two) left(?= ?[.,;:!?]|$)|"
    r"\bleft (?:over|out|to|with|behind|blank|empty|open)\b"
)
_COUNT_IDIOMS = (  # "4 choices" counts them, "row 3" is no choice
    r"(?<![\w.:(/-])(?<!choice )(?<!option )(?<!panel )(?<!answer )[1-9] (?:choices|options|panels|answers|questions|"
    r"rows|columns|dots|circles|lines|squares|triangles|shapes|sides|stripes|pictures|images|steps|pieces|strokes|"
    r"degrees|corners|stars|arrows|times|points|edges|birds|trees|apples|balls|cups)\b|"
    r"\b(?:row|column|step|rule) [1-9]\b|"
    r"[+×] ?[1-9]\b|\bpanel [1-9](?= (?:of|in) (?:the|this) (?:context|row|sequence|series|top|middle))|"
    r"\bcontext panels? [1-9]\b"
)
_IDIOMS_OF = {
    **dict.fromkeys("123456789", _COUNT_IDIOMS),
    **dict.fromkeys(("first", "second"), _ORDINAL_IDIOMS),
    **dict.fromkeys(("left", "right"), _SIDE_IDIOMS),
    **dict.fromkeys(("positive", "negative"), r"\b(?:positive|negative) (?:spaces?|feedback)\b"),
    **dict.fromkeys(("black", "white"), r"\b(?:white|black)[- ](?:balance|box|outs?)\b"),
    "no": r"\bno (?=longer\b)",
    **dict.fromkeys(
        ("more", "fewer"),
        r"\bno (?:more|fewer|less)\b|\b(?:once|any|some) more\b|\b(?:no|any|some)thing more\b|\bmore or less\b|"
        r"\bmore (?:precisely|exactly|specifically|likely|importantly|clearly|accurately)\b",
    ),
    **dict.fromkeys(
        ("nearer", "farther"),
        r"\b(?:look(?:ing|ed)?|a|on|upon|even) (?:closer|further)\b|\bcloser (?:look|inspection|examination)\b|"
        r"(?:^|(?<=[.!?] )|(?<=\n))further,",
    ),
}
"""Words that are spelled like a label and mean something else where they stand."""


@lru_cache(maxsize=256)
def _idioms(labels: tuple[str, ...], charts: bool) -> re.Pattern[str] | None:
    """What to look for where these are the labels; None where no label has a second meaning."""
    known = {idioms: None for label in labels if (idioms := _IDIOMS_OF.get(label.lower()))}
    if charts:  # lines may cross "3 times", or "at 3 points"
        known = {idioms.replace("|times|points|", "|"): None for idioms in known}
    return re.compile("|".join(known), re.IGNORECASE) if known else None


_HIDES = str.maketrans(dict.fromkeys("aeiouAEIOU123456789", "_"))


@lru_cache(maxsize=4096)
def _labels(labels: tuple[str, ...], asked: str, charts: bool) -> _Labels:
    """How to find these labels. Spellings that two of them share are left out: nobody could tell them apart."""
    spellings: dict[str, set[str]] = {}
    patterns: set[str] = set()
    for index, label in enumerate(labels):
        for spelling, name in _spellings(_bare(label), index, labels, charts):
            spellings.setdefault(spelling, set()).add(name)
            patterns.add(_pattern(spelling))
    if word := _bare(asked).lower():
        spellings.setdefault(word, set()).add(ASKED)
        patterns.add(_pattern(word))
    names = {spelling: found.pop() for spelling, found in spellings.items() if len(found) == 1}
    if not names:
        return _Labels(None, {})
    longest_first = "|".join(sorted(patterns, key=lambda p: (-len(p), p)))
    letters = all(len(spelling) == 1 for spelling in spellings)
    start = r"(?<!\w.)(?<!\w[-'].)" if letters else ""  # looking back from a letter is fast
    return _Labels(re.compile(f"(?:{longest_first}){start}{_END}"), names, letters)


def _bare(label: str) -> str:
    """A label as it would stand in a tidy text."""
    text = undressed(plain_letters(Tidy(label))).text
    start, end = core(text)
    return " ".join(text[start:end].split())


_ALSO = {
    "first": ("1st", "picture 1", "image 1", "photo 1", "picture one", "image one", "former"),
    "second": ("2nd", "picture 2", "image 2", "photo 2", "picture two", "image two", "latter"),
    "upper": ("top",),
    "lower": ("bottom",),
    **{
        f"{one} {side}": (f"{one}-{side}", f"{other} {side}", f"{other}-{side}")
        for one, other in (("upper", "top"), ("lower", "bottom"))
        for side in ("left", "right")
    },
    **{
        f"{one} {side}": tuple(
            f"{half}{joint}{side}{part}"
            for half in (one, other)
            for joint in (" ", "-")
            for part in ("", " corner", " quarter", " quadrant", " part", "-hand corner")
        )
        for one, other in (("top", "upper"), ("bottom", "lower"))
        for side in ("left", "right")
    },
    "larger": ("bigger",),
    "farther": ("farther away", "further away"),
    "up": ("upward", "upwards"),
    "down": ("downward", "downwards"),
    "upright": ("vertical", "vertically"),
    "level": ("horizontal", "horizontally"),
    "yes": ("yep", "yeah"),
    "no": ("nope",),
}
"""What else some labels are called, where no other label is called so."""
_MAYBE = {"nearer": ("closer",), "farther": ("further",), "fewer": ("less",)}
"""The same, of words that have other uses as well: these count only where an answer must stand."""
_ORDINALS = tuple(
    zip(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
        ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"),
        strict=True,
    )
)
_NUMERALS = ("", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _spellings(label: str, index: int, labels: tuple[str, ...], charts: bool) -> Iterable[tuple[str, str]]:
    if charts:
        yield from also_called(label, chr(_SURE + index), chr(_WEAK + index))
    yield from _usual_spellings(label, index, labels)


def _usual_spellings(label: str, index: int, labels: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    sure, weak, lone = (chr(base + index) for base in (_SURE, _WEAK, _LONE))
    if others := [
        *((other, sure) for other in _ALSO.get(label.lower(), ())),
        *((other, weak) for other in _MAYBE.get(label.lower(), ())),
    ]:
        return [(label.lower(), sure), *others]
    if len(label) == 1 and label in "123456789":
        words = _NUMERALS[int(label) - 1]  # "one" is hardly ever a number
        nth = [(f"{place} {noun}", sure) for place in _ORDINALS[int(label) - 1] for noun in ("option", "choice")]
        return [(label, sure), (words, weak), *nth] if words else [(label, sure), *nth]
    if len(label) != 1 or label.upper() == label.lower():
        return [(label.lower(), sure)] if any(char.isalnum() for char in label) else []
    both = label.lower() in labels and label.upper() in labels
    cases = [(label, sure)] if both else [(label.upper(), sure), (label.lower(), weak)]
    return [*cases, ("0", lone)] if label in "Oo" and "0" not in labels else cases


def _pattern(spelling: str) -> str:
    if spelling == "no":
        return rf"[nN](?i:o){_NO_DETERMINER}|(?:(?<=[Tt]here is )|(?<=[Tt]here are ))no(?={_THING})"
    if spelling in ("A", "I"):
        return rf"{spelling}(?:{_NO_WORD}{_NO_ARTICLE if spelling == 'A' else ''})"
    if len(spelling) == 1:
        return re.escape(spelling)
    rest = r"\s".join(re.escape(word) for word in spelling[1:].split(" "))
    first = dict.fromkeys((spelling[0], spelling[0].upper()))
    return "|".join(f"{re.escape(letter)}(?i:{rest})" for letter in first)


_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_UNITS += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: n for n, word in enumerate(_UNITS)}
_WORDS |= {ten: 10 * n for n, ten in enumerate(_TENS, 2)}
_WORDS |= {f"{ten}-{unit}": 10 * n + k for n, ten in enumerate(_TENS, 2) for k, unit in enumerate(_UNITS[:10]) if k}
NUMBER_WORDS = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(reversed(_UNITS))}"
_NUMBER = re.compile(
    r"(?<![\w.,/^~])(?<!\w[-'/])(?<!\d:)(?<!\d - )"
    r"(?:[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,40})(?:\.0{1,9})?(?![.,:]?\d)(?![\w^%/°~])(?!['-]\w)"
    rf"|(?i:(?:minus )?(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(_UNITS)}))(?![\w'-]))"
)


_MANY = re.compile(r"\b(positive|negative)s\b", re.IGNORECASE)
_FAULT = r"(?:wrong|right|correct|incorrect|false|true|mistaken|not (?:right|correct|true))"
_PLACE = r"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)(?: (?:one|answer|statement|pair|claim|question))?"
_NTH = re.compile(
    r"(?P<lead>\A\W{0,9}(?:(?:i think |i'd say |so )?(?:it is|it's|that is|that's) )?(?=[\w ]{1,40}\W{0,9}\Z)|"
    rf"\b{_FAULT}(?: (?:one|answer|choice|option|statement))? (?:is|must be|has to be):? |"
    rf"\banswer ?: )(?:the )?{_PLACE}(?=\W{{0,9}}\Z| ?[.!\n])",
    re.IGNORECASE,
)
_NTH_IS = re.compile(
    rf"\bthe {_PLACE}(?= (?:is|was|must be|has to be)(?: (?:clearly|therefore|the))? {_FAULT}\b"
    r"(?!-| of\b|[^.!?\n]* or\b))",
    re.IGNORECASE,
)
_PLACES = {place: digit for digit, places in zip("123456789", _ORDINALS, strict=True) for place in places}
""" "The wrong one is the fourth", "The second.", "The 3rd answer is wrong"; elsewhere "the fourth" may be anything."""


def without_idioms(text: str, form: Form) -> str:
    """The text with words spoiled that are spelled like a label and mean something else."""
    idioms = _idioms(form.labels, everyday(form))
    return idioms.sub(_spoiled, text) if idioms else text


def _spoiled(match: re.Match[str]) -> str:
    return match[0].translate(_HIDES)


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
    asked = "" if form.asked.lower() in ("winner", "loser", "move", "wrong") else form.asked
    labels = _labels(form.labels, asked, everyday(form))
    names = labels.names
    if labels.pattern is None:
        return Named(_lower(tidy), form.labels)
    if idioms := _idioms(form.labels, everyday(form)):
        tidy = tidy.rewritten(idioms, _spoiled)
    if "positive" in form.labels:
        tidy = tidy.rewritten(_MANY, lambda match: f"{match[1]} ones")
    if "1" in form.labels and not form.beyond:  # "the second" is a choice, never a digit on a plate
        tidy = tidy.rewritten(_NTH, lambda match: match["lead"] + _PLACES[match["nth"].lower()])
        tidy = tidy.rewritten(_NTH_IS, lambda match: _PLACES[match["nth"].lower()])
    if labels.letters:
        text = labels.pattern.sub(lambda match: names.get(match[0], match[0]), tidy.text)
        return Named(_lower(Tidy(text, tidy.offset, tidy.layers, tidy.cut)), form.labels)

    def name(match: re.Match[str]) -> str:
        found = match[0]
        if _joined(match.string, match.start()):
            return found
        return names.get(found) or names.get(" ".join(found.lower().split()), found)

    return Named(_lower(tidy.rewritten(labels.pattern, name)), form.labels)


def _joined(text: str, start: int) -> bool:
    """Whether what starts here belongs to a longer word ("KAP", "three-in-a-row")."""
    before = text[max(0, start - 2) : start]
    return before[-1:].isalnum() or before[-1:] == "_" or (before[-1:] in ("-", "'") and before[0].isalnum())


_NO_NUMBER = re.compile(  # "the empty one", "labelled 1, 2, 3 and 4"
    r"\b(?:the|this|that|each|every|another|which|any|no|an?)(?: [a-z]+)? one\b(?! (?:leg|panel)s?\b)|"
    r"\b(?:labell?ed|numbered|called|named)(?: (?:as|from))? "
    r"\d{1,2}(?:(?:, | and |, and | to | through |-)\d{1,2}){1,12}",
    re.IGNORECASE,
)


def _with_numbers(tidy: Tidy) -> Named:
    seen: dict[str, int] = {}
    tidy = tidy.rewritten(_NO_NUMBER, lambda match: match[0].translate(_HIDES))

    def name(match: re.Match[str]) -> str:
        return chr(_SURE + seen.setdefault(number(match[0]), len(seen)))

    tidy = tidy.rewritten(_NUMBER, name)
    return Named(_lower(tidy), tuple(seen))


def _lower(tidy: Tidy) -> Tidy:
    return Tidy(tidy.text.lower(), tidy.offset, tidy.layers, tidy.cut)
