"""Whether somebody's words name a thing that goes by several names, and which name of a list they mean.

Case, articles, plurals and hyphens do not matter. The words name the thing if they are one of its names, if they hold a
name as whole words and then end or go on to something else ("an apple on a plate", not "apple pie"), or if they are
the last words of a name ("retriever" for "golden retriever"). One of two ("an apple or a pear"), a mere denial ("not an
apple") and words that fill the place without naming a thing ("wrong", "something else") leave it open.
"""

import re
from collections.abc import Sequence
from typing import Literal

from snellen.answer.lexicon import table
from snellen.answer.tidy import Tidy, plain_letters

Named = Literal["named", "other", "open"]

WORDS = {role: frozenset(words.split(" | ")) for role, words in table("things").items()}
_NO_ANSWER = re.compile(
    r"(?:i )?(?:do ?n.?t|do not|cannot|can.?t) (?:know|tell|say).*|unknown|unclear|unsure|not (?:sure|known|given)|"
    r"n/?a|none|nothing|no answer|skip(?:ped)?|blank|left (?:out|blank|open)|\.*|-+|_+|x|tbd"
)
_ALL_BUT = re.compile(
    r"\b(?:(?:any|every|some)(?:thing|one)|all|other|else|different) (?:else )?(?:but|than|except|from)\b"
)
_NO_WORD = re.compile(r"([a-z])\1{2,}")
_BREAK = "|"
_NEAR = 3
"""A word of denial counts among so many words before a name."""


def named(words: str, names: Sequence[str]) -> Named:
    """Whether the words name a thing of these names, something else, or leave it open."""
    plain, words_given = _plain(words), _words(words)
    if _NO_ANSWER.fullmatch(plain.strip(" .!?")) or "or" in words_given or "/" in plain or "?" in plain:
        return "open"
    spellings = [_words(name) for name in names]
    if any(_is_name(words_given, [word for word in name if word != _BREAK]) for name in spellings):
        return "named"
    non = "".join(words_given) in {"non" + "".join(name) for name in spellings}  # "non-apple" for an apple
    return "open" if non or _ALL_BUT.search(plain) or _says_nothing(words_given) else "other"


def _plain(words: str) -> str:
    return plain_letters(Tidy(words)).text.lower().strip()


def _words(text: str) -> list[str]:
    """The words that matter, in the singular; a sign between them is a word of its own."""
    tokens = re.findall(r"[^\W_]+|[,.;:()|/]", re.sub(r"(?<=\w)['’`](?=\w)", "", _plain(text)))
    return [_singular(token) if token[0].isalnum() else _BREAK for token in tokens if token not in WORDS["article"]]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _says_nothing(words: list[str]) -> bool:
    """Whether the words only fill the place, or only say what the thing is not."""
    spoken = [word for word in words if word != _BREAK]
    if spoken and spoken[0] in WORDS["not"]:
        return not {"but", "rather"} & {*spoken[:-1]}
    return all(word in WORDS["filler"] or _NO_WORD.fullmatch(word) for word in spoken)


def _is_name(words: list[str], name: list[str]) -> bool:
    spoken = [word for word in words if word != _BREAK]
    if not name or not spoken:
        return False
    if "".join(spoken) == "".join(name) or (len(spoken) < len(name) and name[-len(spoken) :] == spoken):
        return True
    for k in range(len(words) - len(name) + 1):
        ends = words[k + len(name) : k + len(name) + 1]
        if words[k : k + len(name)] == name and {*ends} <= {_BREAK, *WORDS["goes_on"]} and not _denied(words[:k]):
            return True
    return False


def _denied(before: list[str]) -> bool:
    near = before[-_NEAR:]
    start = max((k + 1 for k, word in enumerate(near) if word in (_BREAK, "but", "rather")), default=0)
    return near[-2:] == ["anything", "but"] or any(word in WORDS["not"] for word in near[start:])


# A closed list: a listed name is that name whatever other names it holds or negates ("no smoking"). One slip of the pen
# from a single listed name is that name, too, but not another number. Two slips, or one from two names, and nobody can
# tell what was meant.

_OF_A_BRAND = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['brand']))})\b", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")


def from_list(words: str, names: Sequence[str]) -> str | None:
    """The listed name that is meant; the words themselves where none is; None where it cannot be told."""
    bare = _OF_A_BRAND.sub(" ", words).strip()
    spoken = _spoken(bare)
    exact = next((name for name in names if _spoken(name) == spoken), None)
    if exact is not None:
        return exact
    if named(bare, ()) == "open":
        return words
    meant = [name for name in names if named(bare, (name,)) == "named"]
    slips = {name: _slips(_spelling(bare), _spelling(name)) for name in names if _numbers(name) == _numbers(bare)}
    near = meant or [name for name, many in slips.items() if many <= 1]
    if len(near) == 1:
        return near[0]
    return None if meant or min(slips.values(), default=9) <= 2 else words


def _spoken(words: str) -> list[str]:
    return [word for word in _words(words) if word != _BREAK]


def _spelling(words: str) -> str:
    return "".join(_LETTERS.findall(_plain(words).casefold()))


def _numbers(words: str) -> list[str]:
    return _NUMBER.findall(_plain(words))


def _slips(left: str, right: str) -> int:
    """How many letters are missing, too many, wrong or exchanged with their neighbour."""
    rows = [list(range(len(right) + 1))]
    for place, letter in enumerate(left, start=1):
        row = [place]
        for k, wanted in enumerate(right, start=1):
            fewest = min(rows[-1][k] + 1, row[-1] + 1, rows[-1][k - 1] + (letter != wanted))
            if place > 1 and k > 1 and left[place - 2] == wanted and letter == right[k - 2]:
                fewest = min(fewest, rows[-2][k - 2] + 1)
            row.append(fewest)
        rows.append(row)
    return rows[-1][-1]
