"""The words people have for what scenes are made of, as terms that a reader can go by.

A **term** is a stretch of text that says one thing of a picture: a kind ("puppy" is a dog), a class, a size, a colour,
a place, a frame, a number. All words are listed in `words.toml` or are the generator's own; the reader knows no others.
Where a word has several senses ("orange", "left") the longer phrase wins, then what is listed first.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from snellen.draw.icons import icons
from snellen.draw.scenes import BACKGROUNDS, TILES

LONGEST = 6000
"""Of a description that is longer only so many characters are read: time must not grow without bound."""
REMEMBERED = 4096
"""How many texts a reader keeps in mind: the pictures of a problem come up with each of its queries and casts."""
_ROWS = {"top": ("top", "upper"), "middle": ("middle", "centre", "center", "mid"), "bottom": ("bottom", "lower")}
_COLUMNS = {"left": ("left",), "centre": ("centre", "center", "middle", "mid"), "right": ("right",)}
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBERS = {**{word: n for n, word in enumerate(_DIGITS)}, "single": 1, "pair": 2, "couple": 2, "a couple of": 2}
_COLOURS = {**{name: (name,) for name in (*TILES, "orange", "pink", "brown", "black")}, "grey": ("grey", "gray")}
_COLOURS |= {"purple": ("purple", "violet", "lilac")}
_IRREGULAR = {"mouse": "mice", "fish": "fish", "sheep": "sheep", "potato": "potatoes", "mango": "mangoes"}


@dataclass(frozen=True, slots=True)
class TermToken:
    """A term, or a plain word (`sort` is "word"), with its place in the text."""

    sort: str
    value: str
    text: str
    start: int
    end: int


@cache
def word_lists() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The lists of words."""
    lists: dict[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return lists


def _inflected(noun: str) -> tuple[str, ...]:
    """The noun and what it may look like if there are several."""
    head, _, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        return noun, f"{head} {_IRREGULAR[last]}".strip(), f"{noun}s"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun, f"{noun[:-1]}ies"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun, f"{noun}es"
    return (noun, f"{noun[:-2]}ves", f"{noun}s") if noun.endswith("fe") else (noun, f"{noun}s")


@cache
def phrases() -> Mapping[str, tuple[str, str]]:
    """Every phrase with the sort and value it stands for; where two share one, the first listed keeps it."""
    known: dict[str, tuple[str, str]] = {}
    for sort, value, phrase in _listed():
        known.setdefault(phrase, (sort, value))
    return known


def _listed() -> Iterator[tuple[str, str, str]]:
    """Sort, value and phrase of every term."""
    lists = word_lists()
    for icon in icons():
        for noun in (icon.name, *lists["kinds"].get(icon.name, ())):
            yield from (("kind", icon.name, form) for form in _inflected(noun))
    for sort in ("category", "group", "life"):
        for value, others in lists[sort].items():
            yield from ((sort, value, form) for noun in (value, *others) for form in _inflected(noun))
    for sort in ("row", "column", "row?", "column?", "cell"):
        yield from ((sort, value, phrase) for value, listed in lists[sort].items() for phrase in listed)
    yield from (("cell", cell, phrase) for cell, phrase in _cells())
    for sort in ("size", "framed", "relation", "quantity", "joint"):
        yield from ((sort, value, phrase) for value, listed in lists[sort].items() for phrase in listed)
    yield from (("number", str(n), word) for word, n in _NUMBERS.items())
    yield from (("number", str(n), str(n)) for n in range(10))
    for colour, words in _COLOURS.items():
        yield from (("colour", colour, f"{word}{end}") for word in words for end in ("", "-coloured", "-colored"))
    for ground in BACKGROUNDS:
        for shade in (ground, ground.replace("pale", "light")):
            forms = (f"{shade} background", f"background: {shade}", f"background is {shade}")
            yield from (("background", ground, phrase) for phrase in forms)
    yield from (("tile", "", noun) for noun in lists["nouns"]["tile"])
    yield from (("ground", "", noun) for noun in lists["nouns"]["ground"])
    yield from (("thing", "", form) for noun in lists["nouns"]["thing"] for form in _inflected(noun))


def _cells() -> Iterator[tuple[str, str]]:
    """ "Top left", "left top", "upper left corner" and so on."""
    for row, rows in _ROWS.items():
        for column, columns in _COLUMNS.items():
            for one, other in ((r, c) for r in rows for c in columns if r != c):
                for phrase in (f"{one} {other}", f"{other} {one}"):
                    yield from ((f"{row} {column}", f"{phrase}{noun}") for noun in ("", " corner", " cell"))


_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?|[.,;:!?()\[\]\n&]")


@cache
def _by_words() -> tuple[Mapping[str, tuple[str, str]], Mapping[str, int]]:
    """Every phrase by its words, hyphens or not, and for every first word how many the longest phrase has."""
    meant: dict[str, tuple[str, str]] = {}
    longest: dict[str, int] = {}
    for phrase, value in phrases().items():
        words = _WORD.findall(phrase)
        meant.setdefault(" ".join(words), value)
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return meant, longest


def tokens(text: str) -> list[TermToken]:
    """The text as terms (at each place the longest), words and marks."""
    meant, longest = _by_words()
    text = text.lower().replace("’", "'")
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    listed: list[TermToken] = []
    at = 0
    while at < len(words):
        word, start, end = words[at]
        many, sort, value = 1, "word" if word[0].isalnum() else "mark", word
        for length in range(min(longest.get(word, 0), len(words) - at), 0, -1):
            word = " ".join(each for each, _, _ in words[at : at + length])
            if word in meant:
                many, (sort, value), end = length, meant[word], words[at + length - 1][2]
                break
        listed.append(TermToken(sort, value, word, start, end))
        at += many
    return listed
