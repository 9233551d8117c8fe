"""The words the reader knows, by role, and the notation in which its grammar is written.

`lexicon.toml` lists words under roles. A reply becomes a string of **tags**, one character for each word or sign: words
with the same roles share a character, labels are `L` (`K` where one might be an ordinary word), unknown words `w`,
other numbers `#`, signs themselves. A pattern of the grammar is a regular expression over tags in which a name in
capitals stands for all words of that role: `ANSWER IS SURELY* L` reads "the answer is clearly X".
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

FIRST_TAG = 0xE000
WORD = "w"
_NAME = re.compile(r"(?<!\S)[A-Z][A-Z_]+(?!\w)")
_BLANKS = re.compile(r"\s+")


class Lexicon(NamedTuple):
    """`tags`: the tag of every known word or phrase; `longest`: how many words the phrases have that begin with one."""

    tags: Mapping[str, str]
    longest: Mapping[str, int]
    classes: Mapping[str, str]

    def but(self, role: str, word: str) -> "Lexicon":
        """The lexicon without a word in a role."""
        roles = _roles_of(_entries())
        rest = roles[word] - {role}
        tags = {**self.tags, word: _tag(rest)} if rest else {w: tag for w, tag in self.tags.items() if w != word}
        return self._replace(tags=tags)


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.files("snellen.answer").joinpath("lexicon.toml").read_text("utf-8"))


def table(name: str) -> Mapping[str, str]:
    """A table of the lexicon other than that of words."""
    return _tables()[name]


@cache
def _entries() -> Mapping[str, tuple[str, ...]]:
    return {role: tuple(words.split(" | ")) for role, words in table("words").items()}


def entries() -> Iterable[tuple[str, str]]:
    """Every word of the lexicon with its role."""
    return ((role, word) for role, words in _entries().items() for word in words)


def words_of(role: str) -> tuple[str, ...]:
    return _entries()[role]


def either(role: str) -> str:
    """A regular expression, over plain text, for any word of a role."""
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words_of(role), key=len, reverse=True))})"


@cache
def _known_sets() -> Mapping[frozenset[str], str]:
    """A tag for every set of roles that a word has, also if it had one role less."""
    own = _roles_of(_entries()).values()
    sets = {*own, *(roles - {role} for roles in own for role in roles)} - {frozenset()}
    return {roles: chr(FIRST_TAG + k) for k, roles in enumerate(sorted(sets, key=sorted))}


def _tag(roles: frozenset[str]) -> str:
    return _known_sets()[roles]


def _roles_of(entries: Mapping[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    roles_of_word: dict[str, set[str]] = {}
    for role, words in entries.items():
        for word in words:
            roles_of_word.setdefault(word, set()).add(role)
    return {word: frozenset(roles) for word, roles in roles_of_word.items()}


@cache
def lexicon() -> Lexicon:
    roles = _roles_of(_entries())
    longest: dict[str, int] = {}
    for phrase in roles:
        first, *rest = phrase.split()
        longest[first] = max(longest.get(first, 1), 1 + len(rest))
    sets = _known_sets()
    classes = {role: "".join(tag for names, tag in sets.items() if role in names) for role in _entries()}
    return Lexicon({word: sets[names] for word, names in roles.items()}, longest, classes)


_ANY = f"{chr(FIRST_TAG)}-{chr(FIRST_TAG + 0x18FF)}{WORD}#TU"
_MACROS = {
    "ANYWORD": f"[{_ANY}]",
    "SPOKEN": f"[{_ANY.replace('#', '')}]",
    "ANSWERS": "(?: ANSWER | OPTION )",
    "NOUNS": "(?: NOUN | OPTION | ANSWER )",
    "ASIDE": r"(?: \( [^()\n]{0,14} \) )?",
    "OF_IT": r"(?: (?: OF | THERE ) (?: (?! WHILE ) (?: ANYWORD | K ) ){0,6}? )?",
    "LEADS": r"(?: IS :? \n? | [:=>] \n? | - | \n )",
    "LABEL": r"(?: THE | AN )? NOUNS{0,2} (?: WHO PLAYS THE? | NAMED THE? )? (?: NOUN \#? )? \({0,2} (?P<label> L )",
    "DENIED": r"(?: THE | AN )? NOUNS{0,2} \({0,2} (?P<denied> L )",
    "AFTER": r"\){0,2} TAIL?",
    "WEAK": r"(?P<weak> K ) (?= [.!\n] | $ )",
    "ORNAMENT": r"[-.,:;()*|>o✓✗&+]{0,9}",
    "AS_RIGHT": "(?: AS THE? (?: GOOD | TRUE )? (?: ANSWERS | THING ) )?",
    "ENDS": r"(?= [.!\n] | $ )",
    "LAST": r"[.!)]* $",
    "STARTS": r"(?: ^ | (?<= [.,;:!\n] ) )",
    "SENTENCE": r"(?: ^ | (?<= [.!?\n] ) )",
}
"""Short names for what many patterns have in common."""
_BARE = ("LABEL", "WEAK", "DENIED")


@cache
def pattern(text: str) -> re.Pattern[str]:
    """A regular expression over tags from the notation of the grammar."""
    return re.compile(_expanded(_BLANKS.sub(" ", text)).replace(" ", ""))


def _expanded(text: str) -> str:
    classes = lexicon().classes

    def meaning(match: re.Match[str]) -> str:
        name = match[0]
        if name in _MACROS:
            inner = _expanded(_MACROS[name])
            return inner if name in _BARE else f"(?:{inner})"
        return f"[{classes[name.lower()]}]"

    return _NAME.sub(meaning, text)
