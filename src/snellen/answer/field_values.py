"""The value of one field, read from the few words that stand where it must: a label, a number, a set or a text.

Every reader gives the value in its canonical spelling, `OPEN` where the words leave it open ("C or D", "12-13"), or
None where they hold no value at all (prose). Nothing is guessed: what is not wholly understood is no value.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from snellen.answer.lexicon import table
from snellen.answer.naming import NUMBER_WORDS
from snellen.answer.naming import number as word_number
from snellen.answer.tidy import Tidy, plain_letters
from snellen.item import Field

OPEN = ""
"""The words name more than one value, or ask. No canonical value is empty."""
NO_MEMBERS = "none"
"""The canonical spelling of a set without members."""


@cache
def words_of(role: str) -> tuple[str, ...]:
    """The words of a role around the parts of an answer."""
    return tuple(table("fields")[role].split(" | "))


def either(role: str) -> str:
    """A regular expression for any word of a role."""
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words_of(role), key=len, reverse=True))})"


_EDGES = " \t\n,;:.!()[]{}|*\"'`"
_DRESS = rf"(?:{either('dress')}[ :#]{{1,2}}){{0,5}}[(\[#]?"
_GOES_ON = (
    r"(?: ?[(\[].*| -{1,2} .*|[.,;:!] .*| ?[.,;:!)\]|]*$|"
    rf",? {either('goes_on')}\b.*| [^\x00-\x7f].*)"
)


def value_of(words: str, field: Field) -> str | None:
    """The field's value, `OPEN`, or None."""
    return _READERS[field.kind](words, field)


def canonical(value: str, field: Field) -> str:
    """A value as a key or a mechanism spells it, made canonical; as it is where it cannot be read."""
    if field.kind == "set" and not value.strip():
        return NO_MEMBERS
    return value_of(value, field) or value.strip()


# Labels

_POINTS = {"north": "n", "east": "e", "south": "s", "west": "w"}
_COMPASS = _POINTS | {f"{ns}{ew}": ns[0] + ew[0] for ns in ("north", "south") for ew in ("east", "west")}
_DIGITS = dict(zip("123456789", ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], strict=True))


class _Labels(NamedTuple):
    """Patterns for a field's labels: bare, after words of dress, a second one beside the first; and all spellings."""

    bare: re.Pattern[str]
    dressed: re.Pattern[str]
    second: re.Pattern[str]
    known: dict[str, str]

    def find(self, spelling: str) -> str | None:
        return self.known.get(spelling.strip()) or self.known.get(_squashed(spelling))


def _squashed(text: str) -> str:
    return re.sub(r"[\s_.-]+", "", plain_letters(Tidy(text)).text).casefold()


@lru_cache(maxsize=1024)
def _labels(labels: tuple[str, ...]) -> _Labels:
    """How to find these labels. Spellings that two of them share count only letter by letter."""
    squashed: dict[str, set[str]] = {}
    for label in labels:
        squashed.setdefault(_squashed(label), set()).add(label)
    if len(labels) > 2 and squashed.keys() <= _COMPASS.keys():
        squashed |= {_COMPASS[word]: means for word, means in list(squashed.items())}
    spellings = {spelling: next(iter(means)) for spelling, means in squashed.items() if len(means) == 1 and spelling}
    spellings |= {label: label for label in labels}
    spellings |= {word: digit for digit, word in _DIGITS.items() if digit in labels and word not in spellings}
    flags = re.IGNORECASE if all(len(means) == 1 for means in squashed.values()) else re.NOFLAG
    alternatives = "|".join(sorted({_spelled(label) for label in spellings}, key=lambda part: (-len(part), part)))
    named = rf"(?P<label>{alternatives or '(?!)'})(?![^\W_])(?![.'-][^\W_])"
    beside = r" ?[)\]]? ?(?:,|/|\||&|-+>?|\(|\bor\b|\band\b|\bvs\b)+ ?(?:(?:or|maybe|possibly|perhaps) ){0,2}"
    second = rf"{beside}(?i:{_DRESS}){named}(?: ?\W| or\b|$)"
    dressed = rf"(?i:{_DRESS}){named}"
    return _Labels(re.compile(named, flags), re.compile(dressed, flags), re.compile(second, flags), spellings)


def _spelled(label: str) -> str:
    halves = re.sub("^(north|south)(?=east$|west$)", r"\1 ", label.strip(), flags=re.IGNORECASE)
    return r"[\s_-]?".join(re.escape(word) for word in re.split(r"[\s_-]+", halves))


_CAPITAL = re.compile(r"[A-Z](?= ?[(\[,;:.])")
"""A capital A before a bracket is a label, no article: "A (C is the spare one)"."""


def _label(words: str, field: Field) -> str | None:
    text = words.strip(_EDGES + "-")
    labels = _labels(field.labels)
    if exact := labels.find(text):
        return OPEN if "?" in words else exact
    match = (labels.bare.match(text) if _CAPITAL.match(text) else None) or labels.dressed.match(text)
    label = labels.find(match["label"]) if match else None
    if match is None or label is None:
        return None
    rest = text[match.end() :]
    second = labels.second.match(rest)
    if (second and labels.find(second["label"]) != label) or "?" in rest[:2] or words.rstrip().endswith("?"):
        return OPEN
    return label if re.fullmatch(_GOES_ON, rest, re.IGNORECASE | re.DOTALL) else None


# Numbers

_NUMERAL = (
    r"(?:[+-] ?)?(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,20})?|\d{1,40}(?:[.,']\d{1,20}){0,9}|[.,]\d{1,20})"
    r"(?:e[+-]?\d{1,2})?"
)
_UNIT = (
    rf"(?: ?%| ?°[cf]?|(?! ?{either('scale')}\b) ?[a-z]{{1,3}}(?![a-z])|"
    rf"(?! (?:{either('scale')}|{either('no_unit')})\b) [a-z-]+){{0,3}}"
)
_NUMBER = re.compile(
    rf"(?:{either('about')} |{either('counted')}[: ]{{1,2}}|[~≈=€£¥] ?){{0,5}}"
    rf"(?P<number>{_NUMERAL}|(?:minus )?[a-z]+(?:[- ][a-z]+)?)(?!\d)",
    re.IGNORECASE,
)
_AFTER_NUMBER = re.compile(rf"{_UNIT}{_GOES_ON}", re.IGNORECASE | re.DOTALL)
_TWO_NUMBERS = re.compile(
    rf"{_UNIT} ?(?:,|/|\bor\b|\bto\b|\band\b|-{{1,3}}>?|±|\+/-|:){{1,4}} ?(?:maybe |possibly )?[~≈]?\d", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"\([^()\n]*\)")
_MORE = re.compile(r" ?(?:[+&]|,|;|\band\b|\bplus\b) ?\d")
"""A second number after what was said in brackets: "3 (photo 1), 4 (photo 2)"."""
_NUMBER_WORD = re.compile(rf"(?:minus )?(?:{NUMBER_WORDS})")
_BOUND = re.compile(rf"{either('bound')} \d", re.IGNORECASE)


def _number(words: str, field: Field) -> str | None:
    text = words.strip(" \t\n;:!()[]{}|*\"'`\\").rstrip(".,")
    if "=" in text:  # "2 + 1 = 3", "3 = 2 + 1"
        sides = [side.strip() for side in text.split("=")]
        return next((value for side in (sides[-1], sides[0]) if (value := _one_number(side))), None)
    return _one_number(text)


_FOR_EACH = re.compile(r"[^.,;:()\n]*\b(?:per|each|every|apiece)\b", re.IGNORECASE)
""" "2 per table", "2 at each table": not how many there are."""


def _one_number(text: str) -> str | None:
    match = _NUMBER.match(text)
    if match is None:
        return OPEN if _BOUND.match(text) else None
    value, length = _in_words(match["number"]) if match["number"][-1].isalpha() else (plain_number(match["number"]), 0)
    if value is None:
        return None
    rest = text[match.start("number") + (length or len(match["number"])) :]
    if "?" in (rest[:1], text[-1]) or _TWO_NUMBERS.match(rest) or _MORE.match(_IN_BRACKETS.sub("", rest)):
        return OPEN
    if _FOR_EACH.match(rest):
        return OPEN
    return value if _AFTER_NUMBER.fullmatch(rest) else None


def _in_words(words: str) -> tuple[str | None, int]:
    """A number in words and how many letters it takes: of two words the first may be all of it ("three moves")."""
    for spelled in (words, words.rpartition(" ")[0]):
        if is_number_word(spelled.lower()):
            return word_number(spelled.lower()), len(spelled)
    return None, 0


def is_number_word(word: str) -> bool:
    return bool(_NUMBER_WORD.fullmatch(word))


_GROUPED = re.compile(r"(?!0\d{0,2},\d{3}$)\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_BY_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_UNGROUPED = re.compile(r"\d+(?:[.,]\d+)?|[.,]\d+")


def plain_number(numeral: str) -> str | None:
    """A numeral without separators and needless zeros: 1,234.50 is 1234.5, 12,5 is 12.5. None for what is none."""
    body, _, exponent = numeral.lower().replace("'", "").replace(" ", "").partition("e")
    digits = body.lstrip("+-")
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    elif _GROUPED_BY_POINTS.fullmatch(digits):
        digits = digits.replace(".", "")
    elif not _UNGROUPED.fullmatch(digits):
        return None
    value = Decimal(f"{'-' * body.startswith('-')}{digits.replace(',', '.')}e{exponent or 0}")
    return f"{value.normalize():f}" if value else "0"


# Sets

_TOKEN = re.compile(r"[^\s,;&+/|()\[\]{}]+|[(]")
_NO_MEMBERS = re.compile(r"(?:none|no [a-z]+|empty(?: set)?|∅|nothing)", re.IGNORECASE)
_RANGE = re.compile(r"\b[\da-z] (?:to|through|till|until) [\da-z]\b", re.IGNORECASE)
""" "The digits 1 to 9": all there are, no answer."""


def _set(words: str, field: Field) -> str | None:
    text = re.sub("[-=]>", " ", words).strip(_EDGES + "-")
    if not text:
        return NO_MEMBERS if re.search(r"[\[({]\s*[\])}]", words) else None
    labels = _labels(field.labels)
    if _NO_MEMBERS.fullmatch(text):
        return labels.find(text) or NO_MEMBERS
    if "?" in text or re.search(r"\bor\b", text):
        return OPEN
    if _RANGE.search(text):
        return None
    listed = re.split(r" -{1,2} |[.!:]\s", re.sub(r"(?<=\S) ?\([^()]*\)", "", text))[0]
    first, _, rest = listed.partition(";")
    something_else = rest.split() and not labels.find(rest.split()[0].strip(","))
    members = _members(first if something_else else listed, labels)
    return spelled_set(members, field.labels) if members else None


def spelled_set(members: set[str], labels: tuple[str, ...]) -> str:
    return " ".join(label for label in labels if label in members) or NO_MEMBERS


def _members(text: str, labels: _Labels) -> set[str] | None:
    if any(" " in label for label in labels.known):
        elements = [labels.find(part.strip(_EDGES)) for part in re.split(r",|;|&|\band\b|/|\n", text) if part.strip()]
        return None if None in elements else {label for label in elements if label}
    tokens = [match[0].strip(".'\"") for match in _TOKEN.finditer(text)]
    if len(tokens) == 1:
        return _run_together(tokens[0], labels)
    members: set[str] = set()
    for token in tokens:
        label = labels.find(token) if token else None
        if label:
            members.add(label)
        elif members and token.lower() in words_of("set_ends"):
            break
        elif token.strip("-•") and token.lower() not in words_of("member"):
            return None
    return members or None


def _run_together(token: str, labels: _Labels) -> set[str] | None:
    """One word: a label, labels without a gap ("147"), or three and more with hyphens. "1-4" might be a range."""
    if label := labels.find(token):
        return {label}
    parts = token.split("-") if "-" in token else list(token)
    members = [labels.find(part) if part else None for part in parts]
    if None in members or ("-" in token and len(parts) < 3):
        return None
    return {label for label in members if label}


def _text(words: str, field: Field) -> str | None:
    text = re.sub(r"(?:,|;| and| while| &){1,6}$", "", " ".join(words.split()).strip(_EDGES))
    return text.strip(_EDGES).replace(";", ",") or None


_READERS: dict[str, Callable[[str, Field], str | None]] = {
    "label": _label,
    "number": _number,
    "set": _set,
    "text": _text,
}
