"""A reply as the grammar sees it: words and signs as tags, labels as names, and the way back to the raw text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from snellen.answer.lexicon import WORD, Lexicon, lexicon
from snellen.answer.naming import ASKED, OTHER_TAG, Named, is_sure, is_weak, named
from snellen.answer.tidy import Tidy, undressed
from snellen.item import Form, Question

_SPELLED = {"'s": " is", "n't": " not", "'m": " am", "'d": " would", "'ll": " will", "'ve": " have", "'re": " are"}
_SHORT = re.compile(
    r"(?<=\bit)'s\b|(?<=\bthat)'s\b|(?<=\bthis)'s\b|(?<=here)'s\b|(?<=\bwhat)'s\b|(?<=\bwho)'s\b|\bcannot\b|\bcan't\b|"
    r"\bwon't\b|n't\b|(?<=\bi)'m\b|'d\b|'ll\b|'ve\b|'re\b"
)
_WHOLE = {"cannot": "can not", "can't": "can not", "won't": "will not"}
_TOKEN = re.compile(
    r"(?P<name>[\U000f0000-\U0010ffff])|(?P<word>e\.g\.?|i\.e\.?|and/or|[^\W\d_]+(?:['-][^\W\d_]+)*)|"
    r"(?P<number>\d[\d.,]*\d|\d)|(?P<arrow>[-=]{1,4}>)|(?P<stop>[.]{1,9}(?![\w\U000f0000-\U0010ffff]))|"
    r"(?P<sign>[!?,;:()=/|#\n~&%+*\[\]{}<>✓✔✅✗✘❌✖≠-])|(?P<other>\S)"
)
_SAME = {"[": "(", "]": ")", "{": "(", "}": ")", "✔": "✓", "✅": "✓", "✘": "✗", "❌": "✗", "✖": "✗"}
MOST = 200
"""So many matches of a pattern, from the end of the reply, are looked at."""


def spelled_out(tidy: Tidy) -> Tidy:
    """The text without contractions."""
    if "'" not in tidy.text and "cannot" not in tidy.text:
        return tidy
    return tidy.rewritten(_SHORT, lambda match: _WHOLE.get(match[0]) or _SPELLED[match[0]])


@dataclass(frozen=True)
class TaggedReply:
    """What the grammar looks at: the reply in plain letters, still in its markup, and undressed with names in it."""

    letters: Tidy
    named: Named
    form: Form
    question: Question | None = None
    lexicon: Lexicon | None = None

    @classmethod
    def of(cls, letters: Tidy, form: Form, question: Question | None = None) -> "TaggedReply":
        named_text = named(undressed(letters), form, question.text if question else "")
        return cls(letters, Named(spelled_out(named_text.tidy), named_text.answers), form, question)

    @property
    def text(self) -> str:
        return self.named.text

    @cached_property
    def _tagged(self) -> tuple[str, list[tuple[int, int]], list[str]]:
        return _tagged(self.text, self.lexicon or lexicon())

    @property
    def tags(self) -> str:
        return self._tagged[0]

    @property
    def words(self) -> list[str]:
        """The token behind each tag."""
        return self._tagged[2]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the raw reply the tags from start to end stand."""
        places = self._tagged[1]
        return self.named.tidy.raw(places[start][0], places[end - 1][1])

    def raw_word(self, place: int) -> str:
        """What the reply has where a tag stands, as it is written."""
        start, end = (at - self.letters.offset for at in self.span(place, place + 1))
        return self.letters.text[start:end]

    def start_of(self, place: int) -> int:
        return self._tagged[1][place][0]

    def end_of(self, place: int) -> int:
        return self._tagged[1][place][1]

    def answer(self, place: int) -> str:
        """The label or number whose tag stands there."""
        return self.named.answer(self.words[place])


def _tagged(text: str, words_by_tag: Lexicon) -> tuple[str, list[tuple[int, int]], list[str]]:
    tags: list[str] = []
    places: list[tuple[int, int]] = []
    words: list[str] = []
    tokens = list(_TOKEN.finditer(text))
    k = 0
    while k < len(tokens):
        token = tokens[k]
        length = 1
        if token.lastgroup == "word":
            tag, length = _word(tokens, k, words_by_tag)
        else:
            tag = _sign(token)
        end = tokens[k + length - 1].end()
        tags.append(tag)
        places.append((token.start(), end))
        words.append(text[token.start() : end])
        k += length
    return "".join(tags), places, words


def _word(tokens: list[re.Match[str]], k: int, words_by_tag: Lexicon) -> tuple[str, int]:
    """The tag of the longest phrase that begins here, and how many tokens it has."""
    longest = words_by_tag.longest.get(tokens[k][0], 1)
    for length in range(min(longest, len(tokens) - k), 0, -1):
        phrase = " ".join(token[0] for token in tokens[k : k + length])
        if tag := words_by_tag.tags.get(phrase):
            return tag, length
    return WORD, 1


def _sign(token: re.Match[str]) -> str:
    kind, text = token.lastgroup, token[0]
    if kind == "name":
        signs = {ASKED: "T", OTHER_TAG: "U"}
        return signs.get(text) or ("L" if is_sure(text) else "K" if is_weak(text) else "Z")
    if text in "!?" and token.string[token.end() : token.end() + 1].strip(" \n!?.)\"'"):
        return "~"  # "!X" is not X
    return {"number": "#", "arrow": ">", "stop": ".", "other": "o"}.get(kind or "", "") or _SAME.get(text, text)


def tail(matches: Iterator[re.Match[str]]) -> list[re.Match[str]]:
    """The last matches of a pattern."""
    return list(matches)[-MOST:]
