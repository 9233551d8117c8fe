"""Cues: patterns that are only looked for where one of their words stands.

Most sentences have none of the words of most cues, and are done with at the price of a look into a set.
"""

import re
from dataclasses import dataclass

Weights = tuple[float, float, float]
"""What speaks for collecting, analysing, concluding."""

_TOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*")


@dataclass(frozen=True, slots=True)
class Plain:
    """A sentence in small letters, character for character where it was, and the words in it."""

    text: str
    tokens: frozenset[str]
    english: bool


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern for plain sentences, words of which it needs at least one, and what it says for the stages."""

    pattern: re.Pattern[str]
    needs: frozenset[str]
    weights: Weights


def cue(needs: str, pattern: str, *, collect: float = 0, analyse: float = 0, conclude: float = 0) -> Cue:
    """A cue from its words, with blanks between, and its pattern."""
    return Cue(re.compile(pattern), word_set(needs), (collect, analyse, conclude))


class Cues:
    """Some cues, by their words."""

    def __init__(self, *cues: Cue) -> None:
        self.cues = cues
        self.known = frozenset(word for one in cues for word in one.needs)
        self._numbers = {word: [k for k, one in enumerate(cues) if word in one.needs] for word in self.known}

    def matches(self, sentence: Plain) -> list[tuple[Cue, re.Match[str]]]:
        """All that are in a sentence, in their own order."""
        if self.known.isdisjoint(sentence.tokens):
            return []
        numbers = sorted({k for token in self.known & sentence.tokens for k in self._numbers[token]})
        tried = ((self.cues[k], self.cues[k].pattern.search(sentence.text)) for k in numbers)
        return [(one, match) for one, match in tried if match]

    def first(self, sentence: Plain) -> re.Match[str] | None:
        """Where the first of them stands in a sentence."""
        matches = self.matches(sentence)
        return min((match for _, match in matches), key=re.Match.start) if matches else None


def word_set(words: str) -> frozenset[str]:
    """Some words with blanks between, one by one."""
    return frozenset(words.split())


def any_of(words: str) -> str:
    """A pattern for any of some words with blanks between."""
    return f"(?:{'|'.join(words.split())})"


def small(text: str) -> str:
    """A text in small letters, with plain apostrophes, of the same length: places in one are places in the other."""
    lowered = text.lower().replace("’", "'")
    if len(lowered) != len(text):  # a few letters grow when they are made small
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text).replace("’", "'")
    return lowered


def plain(lowered: str) -> Plain:
    """A sentence of a text that was made small."""
    return Plain(lowered, frozenset(_TOKEN.findall(lowered)), lowered.isascii())
