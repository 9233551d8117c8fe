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
_RUN_ON = ("han", "hangul")
"""Scripts that put words together without a blank, or hang endings on them."""
_LOOSE = re.compile(r"(?<! ) +(?=[,.;:!?)])")
_BOTH = 2


class _Lexicon(NamedTuple):
    """The words of one language: `pattern` finds them, `english` says what they are. `common`: how to tell it."""

    pattern: re.Pattern[str]
    english: Mapping[str, str]
    common: re.Pattern[str]


def in_english(raw: str, tidy: Tidy) -> Tidy:
    """The text with what matters in English; `raw` is what it was before letters were made plain."""
    if _FOREIGN.search(raw):
        for script, letters in _SCRIPTS.items():
            if re.search(f"[{letters}]", raw):
                tidy = _translated(tidy, _lexicon(script))
    spoken = next((lexicon for lexicon in _latin() if _speaks(lexicon, tidy.text)), None)
    if spoken:
        tidy = _translated(tidy, spoken)
    return tidy.rewritten(_LOOSE, lambda match: "") if tidy.layers else tidy


def _speaks(lexicon: _Lexicon, text: str) -> bool:
    told = {match[0].lower() for match in lexicon.common.finditer(text[:4000])}
    return len(told) >= _BOTH or any(len(word) > 5 for word in told)


def _translated(tidy: Tidy, lexicon: _Lexicon) -> Tidy:
    return tidy.rewritten(lexicon.pattern, lambda match: lexicon.english.get(_spelling(match[0]), f" {match[0]} "))


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
    english = {
        _plain(written): _padded(meaning)
        for meaning, known in words.items()
        for word in known
        for written in (word, word.capitalize())  # a capital may look like another letter
    }
    longest_first = sorted(english, key=lambda word: (-len(word), word))
    either = "|".join(_piece(word) for word in longest_first)
    pattern = rf"(?<![^\W_])(?:{either})(?![^\W_])"
    if name in _RUN_ON:  # words end where other letters begin
        own, other = f"[{_SCRIPTS[name]}]", r"[0-9A-Za-z(){}\[\]]"
        pattern = rf"(?:{either})|(?<={own})(?={other})|(?<={other})(?={own})"
    told = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, common))})(?![^\W_])" if common else r"(?!)"
    return _Lexicon(re.compile(pattern, re.IGNORECASE), english, re.compile(told, re.IGNORECASE))


def _plain(word: str) -> str:
    return _spelling(plain_letters(Tidy(word)).text)


def _piece(word: str) -> str:
    return re.escape(word).replace(r"\ ", r"\s+")


def _padded(meaning: str) -> str:
    """ "_" stands for nothing at all: a word that only gets in the way."""
    return " " if meaning == "_" else f" {meaning} "
