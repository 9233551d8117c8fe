"""Labels and numbers become single private characters, so that one grammar reads every form of answer.

A **name** is such a character. Three strengths: a `SURE` name is plainly the label ("X", "black", "42"); a `WEAK`
one is a spelling that might be an ordinary word (the article "a", "one", "closer") and counts only where an answer must
stand; a `LONE` one (a zero for the letter O) counts only as the whole answer.

A label goes by several spellings: digits for number words and the reverse, ordinals, the label without its leading
prepositions and articles ("left" for "on the left"), the words that tell it from the other labels ("upper" for "in the
upper row"), and what `lexicon.toml` lists. A spelling that two labels share is nobody's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from snellen.answer.lexicon import table
from snellen.answer.tidy import FIRST_NAME, Tidy, core, plain_letters, undressed
from snellen.item import Form

_SURE, _WEAK, _LONE = ord(FIRST_NAME), 0x100000, 0x108000
ANY = "[\U000f0000-\U0010ffef]"
ASKED = "\U0010fff0"
"""Stands for the word that names what is asked for, where it is not simply the winner or the loser."""
OTHER_TAG = "\U0010fff1"
"""Stands for the other of two words that a question gives for the two sides: its opposite."""


def is_sure(name: str) -> bool:
    return ord(name) < _WEAK


def is_weak(name: str) -> bool:
    return _WEAK <= ord(name) < _LONE


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


def are_numbers(labels: tuple[str, ...]) -> bool:
    """Whether all labels are numbers in words."""
    return bool(labels) and all(label.lower() in _WORDS for label in labels)


def is_number_word(word: str) -> bool:
    return word in _WORDS


def ordinal(word: str) -> int:
    """The number of an ordinal up to the ninth, else 0."""
    return next((k for k, names in enumerate(_NTHS, 1) if word in names), 0)


def everyday(form: Form) -> bool:
    """Whether the answer is what is seen on a chart: a sign of print, a direction, a place, or nothing."""
    return bool(form.beyond or form.empty or "upper left" in form.labels)


# Where a word that looks like a label is none

_NO_WORD = (  # an upper-case A or I is a label only where the next word shows that it is no article and no pronoun
    r"(?=\s*(?:[^\w\s']|$)|\n|\s(?:wins|won|loses|is|has|because|since|and|or|vs|with|by|who|which|not|does|rather|"
    r"under)\b)"
)
_NO_ARTICLE = r"|(?= (?:lost|loses?|owns|owned|gets|got|remains|fits|must|matches|describes|takes|it|in|at|on|"
_NO_ARTICLE += r"from|against|but|while|so)\b)"
_END = r"(?!\w)(?!['-]\w)(?!\.\d)"
_NO_DETERMINER = (  # "no parking", "no one", "no way to tell": a word before a noun, not an answer
    r"(?=\s*(?:[^\w\s']|$)|\n|\s(?:because|since|as|it|there|they|the|this|that|these|those|he|she|i|we|is|was|and|or|"
    r"but|for|not|would|must|seems|looks|wins|won|loses|lost)\b)"
)
_THING = (  # "there is no triangle" is a no; "there is no way to tell" is none
    r" (?!(?:way|image|picture|photo|doubt|question|clear|idea|information|reason|sign|point|one|single|means|evidence|"
    r"indication|need|other|such|more|answer|telling|definite|obvious|visible|easy|winner)\b)[a-z]"
)
_HIDES = str.maketrans(dict.fromkeys("aeiouAEIOU123456789", "_"))
_OF_OTHERS = r"\b(?:choice|panel|row|column|option|picture|image|figure|step|context) \d{1,2}\b"
"""The number of something else, where numbers are asked for: "choice 3 has six dots"."""


@lru_cache(maxsize=256)
def _idioms(labels: tuple[str, ...], charts: bool) -> re.Pattern[str] | None:
    """What to look for where these are the labels; None where no label has a second meaning."""
    own = {label.lower() for label in labels}
    idioms = [idiom for words, idiom in table("idioms").items() if own & set(words.split())]
    if charts:  # lines may cross "3 times", or "at 3 points"
        idioms = [idiom.replace("|times|points|", "|") for idiom in idioms]
    if are_numbers(labels):
        idioms.append(_OF_OTHERS)
    return re.compile("|".join(idioms), re.IGNORECASE) if idioms else None


def _spoiled(match: re.Match[str]) -> str:
    return match[0].translate(_HIDES)


# Spellings


@dataclass(frozen=True, slots=True)
class _LabelNames:
    """How to find labels. `letters`: all are single characters, so that naming them moves nothing."""

    pattern: re.Pattern[str] | None
    names: dict[str, str]
    letters: bool = False


@lru_cache(maxsize=4096)
def _labels(labels: tuple[str, ...], asked: str, charts: bool, other: str) -> _LabelNames:
    """How to find these labels. Spellings that two of them share are left out: nobody could tell them apart."""
    bare = tuple(map(_bare, labels))
    exact: dict[str, set[str]] = {}
    derived: dict[str, set[str]] = {}
    for index, label in enumerate(bare):
        for spelling, base, own in _spellings(label, bare, charts):
            (exact if own else derived).setdefault(spelling, set()).add(chr(base + index))
    for word, name in ((_bare(asked).lower(), ASKED), (_bare(other).lower(), OTHER_TAG)):
        if word:
            exact.setdefault(word, set()).add(name)
    spellings = {**derived, **exact}
    names = {spelling: next(iter(meanings)) for spelling, meanings in spellings.items() if len(meanings) == 1}
    if not names:
        return _LabelNames(None, {})
    longest_first = "|".join(sorted(map(_pattern, spellings), key=lambda p: (-len(p), p)))
    letters = all(len(spelling) == 1 for spelling in spellings)
    start = r"(?<!\w.)(?<!\w[-'].)" if letters else ""  # looking back from a letter is fast
    return _LabelNames(re.compile(f"(?:{longest_first}){start}{_END}"), names, letters)


def _bare(label: str) -> str:
    """A label as it would stand in a tidy text."""
    text = undressed(plain_letters(Tidy(label))).text
    start, end = core(text)
    return " ".join(text[start:end].split())


_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety
"""
_UNITS, _TENS = _NUMBERS.split()[:20], _NUMBERS.split()[20:]
_WORDS = {word: n for n, word in enumerate(_UNITS)}
_WORDS |= {ten: 10 * n for n, ten in enumerate(_TENS, 2)}
_WORDS |= {f"{ten}-{unit}": 10 * n + k for n, ten in enumerate(_TENS, 2) for k, unit in enumerate(_UNITS[:10]) if k}
_NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_NTHS = tuple(zip(_NTH, ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"), strict=True))
_SMALL = frozenset(
    ["a", "an", "the", "on", "in", "at", "to", "of", "with", "by", "from", "its", "it", "is", "and", "or", "other"]
)
"""Words that tell no label from another."""


def _spellings(label: str, labels: tuple[str, ...], charts: bool) -> Iterator[tuple[str, int, bool]]:
    """Every spelling with its strength, and whether it is the label's own or derived."""
    low = label.lower()
    if charts:
        yield from ((word, _SURE, True) for word in _listed("charts", label))
        yield from ((word, _WEAK, True) for word in _listed("charts_maybe", label))
    yield from ((word, _SURE, True) for word in _listed("also", low))
    yield from ((word, _WEAK, True) for word in _listed("maybe", low))
    if len(label) == 1 and label in "123456789":
        yield label, _SURE, True
        if label != "1":  # "one" is hardly ever a number
            yield _UNITS[int(label)], _WEAK, True
        yield from ((f"{nth} {noun}", _SURE, True) for nth in _NTHS[int(label) - 1] for noun in ("option", "choice"))
    elif len(label) != 1 or label.upper() == label.lower():
        if any(char.isalnum() for char in label):
            yield low, _WEAK if low == "one" else _SURE, True
            yield from _derived(low, tuple(other.lower() for other in labels))
    elif label.lower() in labels and label.upper() in labels:
        yield label, _SURE, True
    else:
        yield label.upper(), _SURE, True
        yield label.lower(), _WEAK, True
        if sorted(labels) == list("ABCDEFGH"[: len(labels)]):
            nths = _NTHS["ABCDEFGH".index(label)]
            yield from ((f"{nth} {noun}", _SURE, True) for nth in nths for noun in ("option", "choice", "caption"))
    if label in ("O", "o") and "0" not in labels:
        yield "0", _LONE, True


def _listed(part: str, label: str) -> list[str]:
    words = table(part).get(label)
    return words.split(" | ") if words else []


def _derived(label: str, labels: tuple[str, ...]) -> Iterator[tuple[str, int, bool]]:
    """Other ways to put a label of several letters: its number, its last words, what tells it from the others."""
    if label in _WORDS:
        yield str(_WORDS[label]), _SURE, False
    if label in _NTH:
        k = _NTH.index(label)
        yield _NTHS[k][1], _SURE, False
        yield str(k + 1), _WEAK, False
    words = label.split()
    if re.fullmatch(r"\d+ [a-z]+", label):
        yield words[0], _SURE, False
    start = next((k for k, word in enumerate(words) if word not in _SMALL), 0)
    if start:
        yield " ".join(words[start:]), _SURE, False
    if len(words) > 1:
        theirs = {word for other in labels if other != label for word in other.split()}
        own = [word for word in words if word not in theirs and word not in _SMALL]
        yield from ((word, _SURE, False) for word in own if len(word) > 1)
        if own and own[0] != words[-1]:
            yield " ".join(words[words.index(own[0]) :]), _SURE, False
    if len(words) == 1 and len(label) > 2 and label.isalpha():
        yield f"{label}es" if label.endswith(("s", "x", "ch")) else f"{label}s", _SURE, False
        if label.endswith("s"):
            yield label[:-2] if label.endswith(("sses", "xes")) else label[:-1], _SURE, False


def _pattern(spelling: str) -> str:
    if spelling == "no":
        return rf"[nN](?i:o){_NO_DETERMINER}|(?:(?<=[Tt]here is )|(?<=[Tt]here are ))no(?={_THING})"
    if spelling in ("A", "I"):
        return rf"{spelling}(?:{_NO_WORD}{_NO_ARTICLE if spelling == 'A' else ''})"
    if len(spelling) == 1:
        return re.escape(spelling)
    rest = r"\s".join(re.escape(word) for word in spelling[1:].split(" ")).replace(r"\sand\s", r"\sand\s(?:the\s)?")
    first = dict.fromkeys((spelling[0], spelling[0].upper()))
    return "|".join(f"{re.escape(letter)}(?i:{rest})" for letter in first)


# Numbers

NUMBER_WORDS = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(reversed(_UNITS))}"
_NUMBER = re.compile(
    r"(?<![\w.,/^~])(?<!\w[-'/])(?<!\d:)(?<!\d - )"
    r"(?:[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,40})(?:\.0{1,9})?(?![.,:]?\d)(?![\w^%/°~])(?!['-]\w)"
    rf"|(?i:(?:minus )?(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(_UNITS)}))(?![\w'-]))"
    r"(?! (?i:hundred|thousand|million|billion|dozen|percent|point)\b)"
)
_THE_ONE = re.compile(r"\b(?:the|this|that|each|every|another|which|any|no|an?) (?:[a-z]+ )?$", re.IGNORECASE)
_NO_NUMBER = re.compile(  # "labelled 1, 2, 3 and 4"
    r"\b(?:labell?ed|numbered|called|named)(?: (?:as|from))? "
    r"\d{1,2}(?:(?:, | and |, and | to | through |-)\d{1,2}){1,12}",
    re.IGNORECASE,
)


_ROUGHLY = re.compile(r"\A\W*(?:[~≈]|(?:about|around|roughly|approximately|approx\.?) )\s*(?=\w+\W*\Z)", re.IGNORECASE)
"""Of a page of dots, where a guess was asked for, a number that is about right is the answer."""


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


def _with_numbers(tidy: Tidy) -> Named:
    seen: dict[str, int] = {}
    tidy = tidy.rewritten(_NO_NUMBER, lambda match: match[0].translate(_HIDES))

    def name(match: re.Match[str]) -> str:
        token, text = match[0], match.string
        lead, rest = text[max(0, match.start() - 20) : match.start()], text[match.end() : match.end() + 9]
        if token.lower() == "one" and _THE_ONE.search(lead) and not re.match(r" (?:leg|panel)s?\b", rest):
            return token  # "the empty one"
        return chr(_SURE + seen.setdefault(number(token), len(seen)))

    tidy = tidy.rewritten(_NUMBER, name)
    return Named(_lower(tidy), tuple(seen))


# Ordinals beside numbered labels

_MANY = re.compile(r"\b(positive|negative)s\b", re.IGNORECASE)
_FAULT = r"(?:wrong|right|correct|incorrect|false|true|mistaken|not (?:right|correct|true))"
_PLACE = (
    r"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)"
    r"(?: (?:one|answer|choice|option|candidate|statement|pair|claim|question))?(?: of the \w+ \w+)?"
)
_LED_TO_NTH = re.compile(
    r"(?P<lead>\A\W{0,9}(?:(?:i think |i'd say |so )?(?:it is|it's|that is|that's) )?(?=[\w ]{1,40}\W{0,9}\Z)|"
    rf"\b{_FAULT}(?: (?:one|answer|choice|option|candidate|statement))? (?:is|must be|has to be):? |"
    rf"\b(?:answer ?:|except(?: for)?) )(?:the )?{_PLACE}(?=\W{{0,9}}\Z| ?[.!,;\n]| because| since)",
    re.IGNORECASE,
)
_NTH_IS = re.compile(
    rf"\bthe {_PLACE}(?= (?:is|was|must be|has to be)(?: (?:clearly|therefore|the))? {_FAULT}\b"
    r"(?!-| of\b|[^.!?\n]* or\b))",
    re.IGNORECASE,
)
_PLACES = {place: digit for digit, places in zip("123456789", _NTHS, strict=True) for place in places}
""" "The wrong one is the fourth", "The second.", "The 3rd answer is wrong"; elsewhere "the fourth" may be anything."""
_NO_DIGIT = re.compile(r"\bno\. (?=\d)", re.IGNORECASE)
_TWO_WORDS = re.compile(r"one of two things, (\w+) or (\w+)", re.IGNORECASE)


def _other_tag(asked: str, question: str) -> str:
    """The word for those who are not what is asked for, where the question gives two such words."""
    two = _TWO_WORDS.search(question) if asked else None
    return next((word for word in two.groups() if word.lower() != asked.lower()), "") if two else ""


def named(tidy: Tidy, form: Form, question: str = "") -> Named:
    """The tidy text with the form's labels, or all whole numbers, as names."""
    if form.kind == "number":
        return _with_numbers(tidy.rewritten(_ROUGHLY, lambda match: "") if form.empty else tidy)
    asked = "" if form.asked.lower() in ("winner", "loser", "move", "wrong") else form.asked
    labels = _labels(form.labels, asked, everyday(form), _other_tag(asked, question))
    names = labels.names
    if labels.pattern is None:
        return Named(_lower(tidy), form.labels)
    tidy = tidy.rewritten(_NO_DIGIT, lambda match: "number ")
    if idioms := _idioms(form.labels, everyday(form)):
        tidy = tidy.rewritten(idioms, _spoiled)
    if "positive" in form.labels:
        tidy = tidy.rewritten(_MANY, lambda match: f"{match[1]} ones")
    if "1" in form.labels and not form.beyond:  # "the second" is a choice, never a digit on a plate
        tidy = tidy.rewritten(_LED_TO_NTH, lambda match: match["lead"] + _PLACES[match["nth"].lower()])
        tidy = tidy.rewritten(_NTH_IS, lambda match: _PLACES[match["nth"].lower()])
    if labels.letters:
        text = labels.pattern.sub(lambda match: names.get(match[0], match[0]), tidy.text)
        return Named(_lower(Tidy(text, tidy.offset, tidy.layers, tidy.cut)), form.labels)

    def name(match: re.Match[str]) -> str:
        token = match[0]
        if _joined(match.string, match.start()):
            return token
        return names.get(token) or names.get(" ".join(token.lower().split()).replace(" and the ", " and "), token)

    return Named(_lower(tidy.rewritten(labels.pattern, name)), form.labels)


def _joined(text: str, start: int) -> bool:
    """Whether what starts here belongs to a longer word ("KAP", "three-in-a-row")."""
    before = text[max(0, start - 2) : start]
    return before[-1:].isalnum() or before[-1:] == "_" or (before[-1:] in ("-", "'") and before[0].isalnum())


def _lower(tidy: Tidy) -> Tidy:
    return Tidy(tidy.text.lower(), tidy.offset, tidy.layers, tidy.cut)
