"""The few words that matter for an answer, in the languages models answer in, put into English.

Every other part of the reader knows English only. Here, words such as "answer", "winner", "therefore", "not", colours,
numbers and directions are replaced by English ones, positions kept; all other words stay and mean nothing to anybody.
Text in other scripts is looked for the words of its script. Words in Latin letters ("rot", "die", "son") could be
English ones or part of a name, so they are looked for only where a reply is plainly in that language: where it has at
least two of its commonest words, or one that no English text has ("respuesta").

Words are written here as people write them and compared as the reader sees them (see `tidy.plain_letters`).
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from snellen.answer.tidy import Tidy, plain_letters

_TABLE = "tongues.txt"
_SCRIPTS = {
    "han": "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff",
    "hangul": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "cyrillic": "\u0400-\u052f",
    "arabic": "\u0600-\u06ff",
    "devanagari": "\u0900-\u097f",
}
_FOREIGN = re.compile(f"[{''.join(_SCRIPTS.values())}]")
_ALONE = "ALONE "
_RUN_ON = ("han", "hangul")
"""Scripts that put words together without a blank, or hang endings on them."""
_LOOSE = re.compile(r"(?<! ) +(?=[,.;:!?)])")
_BOTH = 2
_TELLING = 5
_SHORT = 60
_SENTENCE = 120
_GOES_ON = re.compile(r"[.!?\n] {0,3}\w")
_ENDS_IN_LABEL = re.compile(r"\s[A-Z]$")
_WORD = re.compile(r"[^\W\d_]{2}")
_BOTH_HERE_AND_THERE = """
a on in no as an me do main pour die war hat rot bald con pas hay sur son en o da na im von six com des au ha fin violet
orange also bas option number conclusion solution se lo
"""
_ALSO_ENGLISH = frozenset(_BOTH_HERE_AND_THERE.split())


class _Lexicon(NamedTuple):
    """The words of one language: `pattern` finds them, `english` says what they are. `common`: how to tell it.

    `alone` finds a word that opens a reply as a clause of its own, `answers` says what it means there.
    """

    pattern: re.Pattern[str]
    english: Mapping[str, str]
    common: re.Pattern[str]
    alone: re.Pattern[str]
    answers: Mapping[str, str]


def in_english(raw: str, tidy: Tidy, kept: frozenset[str] | None = None) -> Tidy:
    """The text with what matters in English; `raw` is what it was before letters were made plain.

    `kept`: the words to leave as they are while all others that nobody knows are dropped, if the text is a single
    short sentence. None drops nothing.
    """
    kept = kept if len(tidy.text) <= _SENTENCE and not _GOES_ON.search(tidy.text.strip()) else None
    if _FOREIGN.search(raw):
        for script, letters in _SCRIPTS.items():
            if re.search(f"[{letters}]", raw):
                tidy = _translated(tidy, _lexicon(script))
                tidy = tidy if kept is None else tidy.rewritten(re.compile(f"[{letters}]+"), lambda match: " ")
    if spoken := _spoken(tidy.text):
        tidy = _translated(tidy, spoken, kept)
    return tidy.rewritten(_LOOSE, lambda match: "") if tidy.layers else tidy


def _spoken(text: str) -> _Lexicon | None:
    """The language in Latin letters that a reply is in; None for English, which is never looked for."""
    return _spoken_shortly(text) if len(text) <= _SHORT else _looked_for(text)


@lru_cache(maxsize=1024)  # short replies are few and come again and again
def _spoken_shortly(text: str) -> _Lexicon | None:
    if spoken := _looked_for(text):
        return spoken
    return next((lexicon for lexicon in _latin() if _all_known(lexicon, text)), None)


def _looked_for(text: str) -> _Lexicon | None:
    """The language that a reply is plainly in."""
    told = [(_told(lexicon, text), lexicon) for lexicon in _latin()]
    most, spoken = max(told, key=lambda pair: pair[0])
    return spoken if most >= _BOTH else None


def _told(lexicon: _Lexicon, text: str) -> int:
    """How plainly a text is in this language."""
    words = {match[0].lower() for match in lexicon.common.finditer(text[:4000])} - _english()
    foreign = {_spelling(match[0]) for match in lexicon.pattern.finditer(text[:_SENTENCE])} - _english() - words
    return sum(_BOTH if len(word) > _TELLING else 1 for word in words) + sum(len(word) >= _TELLING for word in foreign)


def _all_known(lexicon: _Lexicon, text: str) -> bool:
    """Whether a short reply has no word but such as this language has, and one that is not English, too."""
    rest = lexicon.common.sub(" ", lexicon.pattern.sub(" ", lexicon.alone.sub(" ", text)))
    foreign = {_spelling(match[0]) for match in lexicon.pattern.finditer(text)} | {
        _spelling(match[0]) for match in lexicon.alone.finditer(text)
    }
    return not _WORD.search(rest) and any(len(word) > 1 for word in foreign - _english())


def _translated(tidy: Tidy, lexicon: _Lexicon, kept: frozenset[str] | None = None) -> Tidy:
    def english(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) == 1 and word.isupper() and word.isascii():  # "O" is a player, "o" an article
            return word
        kept = f"{word[-1]} " if _ENDS_IN_LABEL.search(word) else ""
        return lexicon.english.get(_spelling(word), f" {word} ") + kept

    tidy = tidy.rewritten(lexicon.alone, lambda match: f"{lexicon.answers[_spelling(match[0])]}")
    if kept is None:
        return tidy.rewritten(lexicon.pattern, english)
    either = re.compile(rf"(?P<known>{lexicon.pattern.pattern})|(?<![^\W_])[^\W\d_]{{2,}}(?![^\W_])", re.IGNORECASE)
    return tidy.rewritten(
        either, lambda match: english(match) if match["known"] is not None or match[0].lower() in kept else " "
    )


@cache
def _english() -> frozenset[str]:
    """English words, which are never translated even if another language has the same word."""
    meanings = {word.lower() for words in _tables().values() for meaning in words for word in meaning.split()}
    return frozenset(meanings - {"_", "alone", "common"} | _ALSO_ENGLISH)


def _spelling(word: str) -> str:
    return " ".join(word.lower().split())


@lru_cache(maxsize=1)
def _latin() -> tuple[_Lexicon, ...]:
    return tuple(_lexicon(name) for name in _tables() if name not in _SCRIPTS)


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    """From a script or language to English words to foreign ones, as `tongues.txt` has them."""
    tables: dict[str, dict[str, list[str]]] = {}
    for line in resources.files("snellen.answer").joinpath(_TABLE).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = tables.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            english, _, foreign = line.partition(":")
            words.setdefault(english.strip(), []).extend(word.strip() for word in foreign.split("|"))
    return tables


@cache
def _lexicon(name: str) -> _Lexicon:
    words = dict(_tables()[name])
    common = [_plain(word) for word in words.pop("COMMON", [])]
    answers = {
        _plain(word): key.removeprefix(_ALONE)
        for key in [key for key in words if key.startswith(_ALONE)]
        for word in words.pop(key)
    }
    english = {
        _plain(written): _padded(meaning)
        for meaning, spellings in words.items()
        for word in spellings
        for written in (word, word.capitalize())  # a capital may look like another letter
    }
    longest_first = sorted(english, key=lambda word: (-len(word), word))
    either = "|".join(_piece(word) for word in longest_first)
    pattern = rf"(?<![^\W_])(?:{either})(?![^\W_])"
    if name in _RUN_ON:  # words end where other letters begin
        own, other = f"[{_SCRIPTS[name]}]", r"[0-9A-Za-z(){}\[\]]"
        pattern = rf"(?:{either})|(?<={own})(?={other})|(?<={other})(?={own})"
    told = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, common))})(?![^\W_])" if common else r"(?!)"
    first = rf"\A(?:{'|'.join(map(_piece, answers))})(?=\s*(?:[,.!;:]|$))" if answers else r"(?!)"
    return _Lexicon(
        re.compile(pattern, re.IGNORECASE),
        english,
        re.compile(told, re.IGNORECASE),
        re.compile(first, re.IGNORECASE),
        answers,
    )


def _plain(word: str) -> str:
    return _spelling(plain_letters(Tidy(word)).text)


def _piece(word: str) -> str:
    return re.escape(word).replace(r"\ ", r"\s+")


def _padded(meaning: str) -> str:
    """ "_" stands for nothing at all: a word that only gets in the way."""
    return " " if meaning == "_" else f" {meaning} "
