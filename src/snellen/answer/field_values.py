"""The value of one field, read from the few words that stand where it must: a label, a number, a set or a text.

Every reader gives the value in its canonical spelling, `OPEN` where the words leave it open ("C or D", "12-13"), or
None where they hold no value at all (prose). Nothing is guessed: what is not wholly understood is no value.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from snellen.answer.naming import number as word_number
from snellen.answer.tidy import Tidy, plain_letters
from snellen.item import Field

OPEN = ""
"""The words name more than one value, or ask. No canonical value is empty."""
NO_MEMBERS = "none"
"""The canonical spelling of a set without members."""

_EDGES = " \t\n,;:.!()[]{}|*\"'`"
_LEAD = (
    r"(?:(?:the|a|an|is|are|at|in|on|to|from|by|as|it|of|(?:position|candidate|location|point|place|spot|letter|"
    r"label|option|choice|piece|fragment|tile|number|block|cell|direction)s?|labell?ed|no\.?|facing|faces|looking|towards?|due|map|"
    r"marker|marked|with|answer|probably|likely|most likely|clearly)[ :#]{1,2}){0,5}[(\[#]?"
)
_ASIDE = r" ?[(\[].*| -{1,2} .*|[.,;:!] .*| ?[.,;:!)\]|]*$"
_GOES_ON = (
    rf"(?:{_ASIDE}|,? (?:because|since|as|where|which|with|given|due|based|so|for|on|in|at|by|side|direction|position|"
    r"corner|near|next|not|rather|instead|while|respectively|must|needs?|have|has|are|is|to|that|each)\b.*|"
    r" [^\x00-\x7f].*)"
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

_COMPASS = {
    **{"north": "n", "east": "e", "south": "s", "west": "w"},
    **{"northeast": "ne", "southeast": "se", "southwest": "sw", "northwest": "nw"},
}


_DIGITS = dict(zip("123456789", ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True))


class _Labels(NamedTuple):
    bare: re.Pattern[str]
    pattern: re.Pattern[str]
    other: re.Pattern[str]
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
        squashed |= {_COMPASS[word]: found for word, found in list(squashed.items())}
    known = {spelling: next(iter(found)) for spelling, found in squashed.items() if len(found) == 1 and spelling}
    known |= {label: label for label in labels}
    known |= {word: digit for digit, word in _DIGITS.items() if digit in labels and word not in known}
    flags = re.IGNORECASE if all(len(found) == 1 for found in squashed.values()) else re.NOFLAG
    parts = {_spelled(label) for label in known}
    alternatives = "|".join(sorted(parts, key=lambda part: (-len(part), part))) or r"(?!)"
    named = rf"(?P<label>{alternatives})(?![^\W_])(?![.'-][^\W_])"
    beside = r" ?[)\]]? ?(?:,|/|\||&|-+>?|\(|\bor\b|\band\b|\bvs\b)+ ?(?:or|maybe|possibly|perhaps)? ?"
    other = rf"{beside}(?i:{_LEAD}){named}(?: ?\W| or\b|$)"
    return _Labels(
        re.compile(named, flags), re.compile(rf"(?i:{_LEAD}){named}", flags), re.compile(other, flags), known
    )


def _spelled(label: str) -> str:
    words = re.split(r"[\s_-]+", label.strip())
    joined = r"[\s_-]?".join(re.escape(word) for word in words)
    halves = re.fullmatch("(north|south)(east|west)", label.casefold())
    return rf"{halves[1]}[\s_-]?{halves[2]}" if halves else joined


_CAPITAL = re.compile(r"[A-Z](?= ?[(\[,;:.])")


def _label(words: str, field: Field) -> str | None:
    text = words.strip(_EDGES + "-")
    labels = _labels(field.labels)
    if exact := labels.find(text):
        return OPEN if "?" in words else exact
    # A capital A before a bracket is a label, no article: "A (C is the spare one)".
    found = (labels.bare.match(text) if _CAPITAL.match(text) else None) or labels.pattern.match(text)
    label = labels.find(found["label"]) if found else None
    if found is None or label is None:
        return None
    rest = text[found.end() :]
    other = labels.other.match(rest)
    if (other and labels.find(other["label"]) != label) or "?" in rest[:2] or words.rstrip().endswith("?"):
        return OPEN
    return label if re.fullmatch(_GOES_ON, rest, re.IGNORECASE | re.DOTALL) else None


# Numbers

_NUMERAL = (
    r"(?:[+-] ?)?(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,20})?|\d{1,40}(?:[.,']\d{1,20}){0,9}|[.,]\d{1,20})"
    r"(?:e[+-]?\d{1,2})?"
)
_NUMBER_LEAD = (
    r"(?:(?:about|approximately|approx\.?|around|roughly|circa|ca\.?|is|are|be|a|total|of|exactly|only|just|equals?|"
    r"the|minimum|answer|value|usd|eur|in all) |(?:count|number|value|quantity)[: ]{1,2}|[~≈=€£¥] ?){0,5}"
)
_SCALE = r"(?:k|bn|mn|mio|hundred|thousand|million|billion|trillion|dozen)\b"
_UNIT = (
    rf"(?: ?%| ?°[cf]?|(?! ?{_SCALE}) ?[a-z]{{1,3}}(?![a-z])|(?! {_SCALE}| (?:or|to|and|plus|minus|times|more|less|"
    r"fewer|out|than|point|if|but|not|because|since|x)\b) [a-z-]+){0,3}"
)
_NUMBER = re.compile(rf"{_NUMBER_LEAD}(?P<number>{_NUMERAL}|(?:minus )?[a-z]+(?:[- ][a-z]+)?)(?!\d)", re.IGNORECASE)
_AFTER_NUMBER = re.compile(rf"{_UNIT}{_GOES_ON}", re.IGNORECASE | re.DOTALL)
_TWO_NUMBERS = re.compile(
    rf"{_UNIT} ?(?:,|/|\bor\b|\bto\b|\band\b|-{{1,3}}>?|±|\+/-|:){{1,4}} ?(?:maybe |possibly )?[~≈]?\d", re.IGNORECASE
)


def _number(words: str, field: Field) -> str | None:
    text = words.strip(" \t\n;:!()[]{}|*\"'`\\").rstrip(".,")
    if "=" in text:  # "2 + 1 = 3", "3 (left) + 1 (right) = 4", "3 = 2 + 1"
        sides = [side.strip() for side in text.split("=")]
        sums = [side for side in (sides[-1], sides[0]) if not _PLUS.search(side)]
        return next((value for side in sums if (value := _one_number(side, field)) is not None), None)
    return _one_number(text, field)


_PLUS = re.compile(r"[+*×]|\d ?- ?\d| plus ")
_IN_BRACKETS = re.compile(r"\([^()\n]*\)")
_MORE = re.compile(r" ?(?:[+&]|,|;|\band\b|\bplus\b) ?\d")
"""A second number after what was said in brackets: "3 (photo 1), 4 (photo 2)"."""


_BOUND = re.compile(r"(?:at least|at most|more than|less than|fewer than|up to|over|under) \d", re.IGNORECASE)


def _one_number(text: str, field: Field) -> str | None:
    found = _NUMBER.match(text)
    if found is None:
        return OPEN if _BOUND.match(text) else None
    spelled, end = found["number"], found.end()
    value = plain_number(spelled) if not spelled[-1].isalpha() else None
    if value is None and spelled[-1].isalpha():
        value, length = _in_words(spelled)
        end = found.start("number") + length
    if value is None:
        return None
    rest = text[end:]
    if (
        rest.startswith("?")
        or text.endswith("?")
        or _TWO_NUMBERS.match(rest)
        or _MORE.match(_IN_BRACKETS.sub("", rest))
    ):
        return OPEN
    return value if _AFTER_NUMBER.fullmatch(rest) else None


def _in_words(words: str) -> tuple[str | None, int]:
    """A number in words and how many letters it takes: of two words the first may be all of it ("three moves")."""
    for spelled in (words, words.rpartition(" ")[0]):
        try:
            return word_number(spelled.lower()), len(spelled)
        except (KeyError, IndexError):
            continue
    return None, 0


def plain_number(numeral: str) -> str | None:
    """A numeral without separators and needless zeros: 1,234.50 is 1234.5, 12,5 is 12.5."""
    text = numeral.lower().replace("'", "").replace(" ", "")
    body, _, exponent = text.partition("e")
    sign = "-" if body.startswith("-") else ""
    body = body.lstrip("+-")
    point = _decimal_sign(body)
    if point is None:
        return None
    whole, _, decimals = body.rpartition(point) if point else (body, "", "")
    value = Decimal(f"{sign}{re.sub('[.,]', '', whole) or 0}.{decimals or 0}e{exponent or 0}")
    plain = f"{value.normalize():f}" if value else "0"
    return plain


def _decimal_sign(body: str) -> str | None:
    """Which sign is the decimal one, "" if there is none; None for what is no number (1.2.3, 12,34,5)."""
    signs = re.findall("[.,]", body)
    if not signs:
        return ""
    groups = re.split("[.,]", body)
    if len(signs) == 1:
        thousands = signs == [","] and len(groups[1]) == 3 and 0 < len(groups[0]) < 4 and groups[0][0] != "0"
        return "" if thousands else signs[0]
    same = len(set(signs)) == 1
    last = "" if same else signs[-1]
    inner = groups[1:] if same else groups[1:-1]
    grouped = all(len(group) == 3 for group in inner) and len(groups[0]) < 4
    return last if grouped and (same or signs.count(last) == 1) else None


# Sets

_NOUNS = frozenset(("and", "the", "just", "block", "blocks", "digit", "digits", "piece", "pieces", "number", "numbers"))
_STOPS = frozenset(
    ("(", "must", "need", "needs", "have", "has", "are", "is", "in", "which", "that", "because", "since")
)
_STOPS |= {"as", "by", "on", "to", "for", "with", "each", "were", "was", "lie", "lies", "sorted", "ascending", "only"}
_TOKEN = re.compile(r"[^\s,;&+/|()\[\]{}]+|[(]")
_NO_MEMBERS = re.compile(r"(?:none|no [a-z]+|empty(?: set)?|∅|nothing)", re.IGNORECASE)


def _set(words: str, field: Field) -> str | None:
    text = re.sub("[-=]>", " ", words).strip(_EDGES + "-")
    if not text:
        return NO_MEMBERS if re.search(r"[\[({]\s*[\])}]", words) else None
    labels = _labels(field.labels)
    if _NO_MEMBERS.fullmatch(text):
        return labels.find(text) or NO_MEMBERS
    if "?" in text or re.search(r"\bor\b", text):
        return OPEN
    if _STRETCH.search(text):
        return None
    said = re.split(r" -{1,2} |[.!:]\s", re.sub(r"(?<=\S) ?\([^()]*\)", "", text))[0]
    members = _members(said, labels) or _before_semicolon(said, labels)
    return spelled_set(members, field.labels) if members else None


_STRETCH = re.compile(r"\b[\da-z] (?:to|through|till|until) [\da-z]\b", re.IGNORECASE)
""" "The digits 1 to 9": all there are, no answer."""


def spelled_set(members: set[str], labels: tuple[str, ...]) -> str:
    return " ".join(label for label in labels if label in members) or NO_MEMBERS


def _before_semicolon(said: str, labels: _Labels) -> set[str] | None:
    """The members before a semicolon, if what follows it is something else."""
    first, _, rest = said.partition(";")
    return _members(first, labels) if rest.split() and not labels.find(rest.split()[0].strip(",")) else None


def _members(text: str, labels: _Labels) -> set[str] | None:
    if any(" " in label for label in labels.known):
        found = [labels.find(part.strip(_EDGES)) for part in re.split(r",|;|&|\band\b|/|\n", text) if part.strip()]
        return None if None in found else {label for label in found if label}
    tokens = [match[0].strip(".'\"") for match in _TOKEN.finditer(text)]
    if len(tokens) == 1:
        return _run_together(tokens[0], labels)
    members: set[str] = set()
    for token in tokens:
        label = labels.find(token) if token else None
        if label:
            members.add(label)
        elif members and token.lower() in _STOPS:
            break
        elif token.strip("-•") and token.lower() not in _NOUNS:
            return None
    return members or None


def _run_together(token: str, labels: _Labels) -> set[str] | None:
    """One word: a label, labels without a gap ("147"), or three and more with hyphens. "1-4" might be a stretch."""
    if label := labels.find(token):
        return {label}
    parts = token.split("-") if "-" in token else list(token)
    found = [labels.find(part) if part else None for part in parts]
    if None in found or ("-" in token and len(parts) < 3):
        return None
    return {label for label in found if label}


# Texts

_FILLER = re.compile(r"(?:,|;| and| while| &){1,6}$")


def _text(words: str, field: Field) -> str | None:
    text = _FILLER.sub("", " ".join(words.split()).strip(_EDGES))
    return text.strip(_EDGES).replace(";", ",") or None


_READERS: dict[str, Callable[[str, Field], str | None]] = {
    "label": _label,
    "number": _number,
    "set": _set,
    "text": _text,
}
